//! Finds the part of a read that earlier writes do not cover.
//!
//! Input: the section of a read and sections that were written before on the path to it.
//! Output: sections that contain every byte of the read for which there is no proof that a write has defined
//! it.
//! Postcondition: the result is empty only if there is a proof that each byte was written.

use std::borrow::Cow;

use crate::program::{Affine, VariableId};

use super::prover;
use super::section::{Layout, Position, Section, Shape, Symbol};

/// The maximum number of parts into which a read is split while writes are compared.
const PARTS: usize = 12;
/// If more parts than this remain, all of the read remains: the parts would be split again in outer loops.
const REMAINING: usize = 3;

/// What remains of a read. `fresh` makes a symbol that is not in use.
pub fn remainder<'s>(
    read: &Section,
    writes: impl Iterator<Item = &'s Section>,
    fresh: &mut dyn FnMut() -> Symbol,
) -> Vec<Section> {
    let mut writes = writes.filter(|write| write.base == read.base).peekable();
    if writes.peek().is_none() {
        return vec![read.clone()];
    }
    if prover::infeasible(read.given.iter()) {
        return Vec::new();
    }
    let mut parts = vec![read.clone()];
    let symbols = read.symbols();
    for write in writes.filter(|write| !has_other_index(read, write)) {
        let write = &apart(&symbols, write, fresh);
        let rests: Vec<_> = parts.iter().map(|part| subtract(part, write, fresh)).collect();
        if rests.iter().all(Option::is_none) {
            continue;
        }
        let rest =
            |(part, rest): (&Section, Option<Vec<Section>>)| rest.unwrap_or_else(|| vec![part.clone()]);
        let next: Vec<Section> = parts.iter().zip(rests).flat_map(rest).collect();
        if next.is_empty() {
            return next;
        }
        // Other writes might cover more parts, but comparing them takes too long. So this write is ignored.
        if next.len() <= PARTS {
            parts = next;
        }
    }
    if parts.len() > REMAINING {
        return vec![read.clone()];
    }
    parts
}

/// The write with local symbols that differ from those of the read. Both may come from the same loop.
fn apart<'s>(symbols: &[Symbol], write: &'s Section, fresh: &mut dyn FnMut() -> Symbol) -> Cow<'s, Section> {
    if !write.local.iter().any(|symbol| symbols.contains(symbol)) {
        return Cow::Borrowed(write);
    }
    let renamed: Vec<(Symbol, Symbol)> = write.local.iter().map(|&symbol| (symbol, fresh())).collect();
    Cow::Owned(write.renamed(&renamed))
}

/// Whether the two sections have different constant indices in a dimension. Most writes of elements are apart from
/// a read for this reason.
fn has_other_index(read: &Section, write: &Section) -> bool {
    let (Shape::Grid { layout: of_read, index: cells }, Shape::Grid { layout: of_write, index: written }) =
        (&read.shape, &write.shape)
    else {
        return false;
    };
    let are_apart = |(cell, position): (&Position, &Position)| match (cell, position) {
        (Position::At(a), Position::At(b)) => {
            let is_fixed = !b.terms.iter().any(|term| write.local.contains(&term.0));
            is_fixed && a.terms == b.terms && a.constant != b.constant
        }
        (Position::Every, _) | (_, Position::Every) => false,
    };
    cells.iter().zip(written).any(are_apart) && same_cells(of_read, of_write)
}

/// The read without the write. `None` if there is no proof that a part is covered. The read is not empty.
fn subtract(read: &Section, write: &Section, fresh: &mut dyn FnMut() -> Symbol) -> Option<Vec<Section>> {
    let conditions = match conditions(read, write) {
        Match::When(conditions) => conditions,
        Match::Divided { symbol, by } => return split(read, write, symbol, by, fresh),
        Match::Never => return None,
    };
    if prover::infeasible(read.given.iter().chain(&conditions)) {
        return None;
    }
    // Bytes for which the first conditions hold and this one does not hold remain.
    let mut rest = Vec::new();
    let mut given = read.given.clone();
    for condition in conditions {
        let failed = Affine::constant(-1).sub(&condition)?;
        given.push(failed);
        if !prover::infeasible(given.iter()) {
            rest.push(Section { given: given.clone(), ..read.clone() });
        }
        given.pop();
        if !given.contains(&condition) {
            given.push(condition);
        }
    }
    Some(rest)
}

/// The write has cells at every `by`-th index only: the read is split by the remainder of one of its symbols.
fn split(
    read: &Section,
    write: &Section,
    symbol: Symbol,
    by: i64,
    fresh: &mut dyn FnMut() -> Symbol,
) -> Option<Vec<Section>> {
    let mut rest = Vec::new();
    let mut covered = false;
    for remainder in 0..by {
        let quotient = fresh();
        let value = Affine::variable(quotient).scale(by)?.add(&Affine::constant(remainder))?;
        let mut part = read.substitute(symbol, &value)?;
        part.local.retain(|local| *local != symbol);
        part.local.push(quotient);
        if prover::infeasible(part.given.iter()) {
            covered = true;
            continue;
        }
        let difference = match conditions(&part, write) {
            Match::When(_) => subtract(&part, write, fresh),
            Match::Divided { .. } | Match::Never => None,
        };
        match difference {
            Some(parts) => {
                covered = true;
                rest.extend(parts);
            }
            None => rest.push(part),
        }
    }
    covered.then_some(rest)
}

enum Match {
    /// A cell of the read is written if none of these values is negative.
    When(Vec<Affine>),
    /// Whether it is written depends on whether a value with this symbol of the read is a multiple.
    Divided {
        symbol: Symbol,
        by: i64,
    },
    Never,
}

fn conditions(read: &Section, write: &Section) -> Match {
    let found = match (&read.shape, &write.shape) {
        (_, Shape::Whole) => guards(write, Vec::new()),
        (Shape::Whole, Shape::Grid { .. }) => None,
        (Shape::Grid { layout: of_read, index: cells }, Shape::Grid { layout: of_write, index: written }) => {
            if same_cells(of_read, of_write) {
                match by_index(read, cells, write, written) {
                    Match::When(conditions) => return Match::When(conditions),
                    Match::Divided { symbol, by } => return Match::Divided { symbol, by },
                    Match::Never => {}
                }
            }
            by_address(read, of_read, write)
        }
    };
    found.map_or(Match::Never, Match::When)
}

/// The positions of cells follow from the indices in the same way.
fn same_cells(read: &Layout, write: &Layout) -> bool {
    let (Some(of_read), Some(of_write)) = (read.cell, write.cell) else { return false };
    // The cell of the read may be a part of that of the write: the real part of a complex number.
    let inside = match read.offset.sub(&write.offset).and_then(|distance| distance.as_constant()) {
        Some(distance) => distance >= 0 && (distance as u64).saturating_add(of_read) <= of_write,
        None => false,
    };
    inside
        && read.dimensions.len() == write.dimensions.len()
        && read.dimensions.iter().zip(&write.dimensions).all(|(a, b)| {
            a.floating == b.floating
                && match (a.stride, b.stride) {
                    (Some(a), Some(b)) => a == b,
                    (None, None) => a.inner.is_some() && a.inner == b.inner,
                    (Some(_), None) | (None, Some(_)) => false,
                }
        })
}

/// Finds the local symbols of the write for which its indices are those of the read.
fn by_index(read: &Section, cells: &[Position], write: &Section, written: &[Position]) -> Match {
    let mut equations = Vec::new();
    for (cell, position) in cells.iter().zip(written) {
        match (cell, position) {
            (_, Position::Every) => {}
            (Position::Every, Position::At(_)) => return Match::Never,
            (Position::At(cell), Position::At(position)) => match position.sub(cell) {
                Some(difference) => equations.push(difference),
                None => return Match::Never,
            },
        }
    }
    let mut given = write.given.clone();
    let mut open = write.local.clone();
    let mut conditions = Vec::new();
    while let Some(mut equation) = next_equation(&mut equations, &open) {
        let Some(symbol) = open
            .iter()
            .copied()
            .filter(|&symbol| equation.uses(symbol))
            .min_by_key(|&symbol| equation.factor(symbol).unsigned_abs())
        else {
            let Some(negative) = equation.scale(-1) else { return Match::Never };
            conditions.extend([equation, negative]);
            continue;
        };
        let factor = equation.factor(symbol);
        equation.terms.retain(|term| term.0 != symbol);
        let divisible =
            equation.constant % factor == 0 && equation.terms.iter().all(|term| term.1 % factor == 0);
        if !divisible {
            return divided(read, &equation, factor);
        }
        // symbol = -equation / factor; a factor of the least number has no absolute value.
        if factor == i64::MIN || factor == -1 && has_least(&equation) {
            return Match::Never;
        }
        equation.constant /= factor;
        equation.terms.iter_mut().for_each(|term| term.1 /= factor);
        let Some(value) = equation.scale(-1) else { return Match::Never };
        open.retain(|other| *other != symbol);
        for one in equations.iter_mut().chain(given.iter_mut()) {
            match one.substitute(symbol, &value) {
                Some(changed) => *one = changed,
                None => return Match::Never,
            }
        }
    }
    conditions.extend(given);
    match choose(conditions, &open) {
        Some(conditions) => Match::When(conditions),
        None => Match::Never,
    }
}

fn has_least(equation: &Affine) -> bool {
    equation.constant == i64::MIN || equation.terms.iter().any(|term| term.1 == i64::MIN)
}

/// An equation with the fewest open symbols.
fn next_equation(equations: &mut Vec<Affine>, open: &[Symbol]) -> Option<Affine> {
    let count = |equation: &Affine| open.iter().filter(|&&symbol| equation.uses(symbol)).count();
    let at = (0..equations.len()).min_by_key(|&at| count(&equations[at]))?;
    Some(equations.swap_remove(at))
}

fn divided(read: &Section, equation: &Affine, factor: i64) -> Match {
    let by = factor.unsigned_abs();
    let odd =
        equation.terms.iter().filter(|term| term.1 % factor != 0).map(|term| term.0).collect::<Vec<_>>();
    match odd[..] {
        [symbol] if (2..=4).contains(&by) && read.local.contains(&symbol) => {
            Match::Divided { symbol, by: by as i64 }
        }
        _ => Match::Never,
    }
}

/// The write is contiguous: a cell of the read is covered if it is between its ends.
fn by_address(read: &Section, of_read: &Layout, write: &Section) -> Option<Vec<Affine>> {
    let (first, last) = write.contiguous()?;
    let begin = read.address()?;
    let end = begin.add(&Affine::constant(i64::try_from(of_read.cell?).ok()?.checked_sub(1)?))?;
    guards(write, vec![begin.sub(&first)?, last.sub(&end)?])
}

/// The conditions, and those under which the write happens at all.
fn guards(write: &Section, mut conditions: Vec<Affine>) -> Option<Vec<Affine>> {
    // A range that is empty has ends in the wrong order, so only inequalities about other symbols count.
    let swept = swept_by_address(write);
    conditions
        .extend(write.given.iter().filter(|one| !swept.iter().any(|&symbol| one.uses(symbol))).cloned());
    let open: Vec<VariableId> =
        write.local.iter().copied().filter(|symbol| !swept.contains(symbol)).collect();
    choose(conditions, &open)
}

/// The local symbols that `contiguous` has replaced by their ends.
fn swept_by_address(write: &Section) -> Vec<Symbol> {
    let Some(address) = write.address() else { return Vec::new() };
    write.local.iter().copied().filter(|&symbol| address.uses(symbol)).collect()
}

/// Conditions without the open symbols: integers for them exist if the result holds.
fn choose(mut conditions: Vec<Affine>, open: &[Symbol]) -> Option<Vec<Affine>> {
    for &symbol in open {
        conditions = match prover::project(&conditions, symbol) {
            Some(rest) => rest,
            None => {
                // Any integer may be chosen; the least one that a single inequality allows is likely to do.
                let bound = conditions.iter().find(|one| one.factor(symbol) == 1)?;
                let value = bound.substitute(symbol, &Affine::constant(0))?.scale(-1)?;
                conditions.iter().map(|one| one.substitute(symbol, &value)).collect::<Option<_>>()?
            }
        };
    }
    Some(conditions)
}
