//! How the elements of an item are arranged: the text of an array of `INTEGER(8)`.
//!
//! Input: a designator with its declared shape, and the subscripts that it is registered through.
//! Output: its extents, or nothing where there is one dimension or they are not known.
//! Postcondition: a part has a shape when it is made of whole columns, as far as the text tells; the runtime
//! holds it against the count.

use cppc_grammar::fortran::tree::{Bound as Extent, Expr};

use super::bound::Bound;
use super::counts::Counted;
use super::items::Extents;
use super::types::Type;

impl Bound<'_> {
    /// Of all elements.
    pub(super) fn shape_of(&self, counted: &Counted) -> Option<Extents> {
        let rank = self.rank_of(counted)?;
        let is_assumed = |bound: &Extent| matches!(bound, Extent::AssumedSize { .. } | Extent::AssumedRank);
        if counted.shape.iter().any(is_assumed) {
            return None;
        }
        if self.is_free(counted.scope, "shape") {
            let (shape, kind) = (self.cased(counted.scope, "shape"), self.cased(counted.scope, "kind"));
            return Some(Extents { rank, text: format!("{shape}({}, {kind}=8)", counted.text) });
        }
        let extents = (0..counted.shape.len()).map(|dimension| self.extent_text(counted, dimension));
        Some(constructed(rank, extents.collect()))
    }

    /// From the first element through the one with these subscripts, in storage order.
    pub(super) fn shape_through(&self, counted: &Counted, subscripts: &[&Expr]) -> Option<Extents> {
        let rank = self.rank_of(counted)?;
        let (last, leading) = subscripts.split_last()?;
        let is_whole = |(dimension, subscript): (usize, &&Expr)| self.is_last(counted, dimension, subscript);
        if !leading.iter().enumerate().all(is_whole) {
            return None;
        }
        let mut extents: Vec<String> =
            (0..leading.len()).map(|dimension| self.extent_text(counted, dimension)).collect();
        let lower = self.lower_of(counted, leading.len());
        extents.push(match (self.integer(counted.scope, last), lower) {
            (Some(value), Ok(lower)) => format!("{}_8", value.saturating_sub(lower).saturating_add(1)),
            (_, lower) => {
                let int = self.cased(counted.scope, "int");
                let index = format!("{int}({}, 8)", self.written(self.scope(counted.scope).source, last));
                match lower {
                    Ok(1) => index,
                    Ok(lower) if lower < 1 => format!("{index} + {}", 1_i128.saturating_sub(lower)),
                    Ok(lower) => format!("{index} - {}", lower.saturating_sub(1)),
                    Err(lower) => format!("{index} - {lower} + 1"),
                }
            }
        });
        Some(constructed(rank, extents))
    }

    /// None for one dimension, whose extent is the count; of characters the count has their length in it.
    fn rank_of(&self, counted: &Counted) -> Option<u32> {
        let rank = counted.shape.len() as u32;
        let is_told = rank > 1 || (rank == 1 && matches!(counted.ty, Type::Character { .. }));
        (is_told && !counted.moving).then_some(rank)
    }

    /// Whether a subscript is the upper bound of its dimension.
    fn is_last(&self, counted: &Counted, dimension: usize, subscript: &Expr) -> bool {
        let Extent::Explicit { upper, .. } = &counted.shape[dimension] else { return false };
        match (self.integer(counted.scope, subscript), self.integer(counted.home, upper)) {
            (Some(value), Some(bound)) => value == bound,
            _ => {
                let here = self.written(self.scope(counted.scope).source, subscript);
                let there = self.written(self.scope(counted.home).source, upper);
                tight(here) == tight(there)
            }
        }
    }
}

fn constructed(rank: u32, extents: Vec<String>) -> Extents {
    Extents { rank, text: format!("(/{}/)", extents.join(", ")) }
}

fn tight(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_whitespace()).map(|letter| letter.to_ascii_lowercase()).collect()
}
