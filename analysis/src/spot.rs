//! A position in memory, step by step along an access path.
//!
//! Input: the steps of a path. Output: the bytes that the path denotes from there.
//! Postcondition: a range that is `exact` contains no other byte.

use crate::program::{Dimension, Index};
use crate::sets::{Memory, Range, END};

/// Bytes that an access may denote.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct AccessRange {
    pub range: Range,
    /// Whether an access to this place means all of these bytes.
    pub exact: bool,
    /// The end of the array or variable. Bytes up to this end may be reached from the address of the place.
    pub limit: u64,
}

/// A position on the way to a place.
#[derive(Debug, Clone, Copy)]
pub struct Spot {
    pub memory: Memory,
    /// The offset in the points-to analysis. Elements of arrays do not change it.
    pub at: Option<u64>,
    pub start: u64,
    /// Set if the position is somewhere from `start` to this end, or for a section of an array.
    pub section: Option<(u64, bool)>,
    /// Set if the position is in one of some elements, and not known to be at their start.
    parts: Option<ElementParts>,
    pub limit: u64,
}

/// The same part of each element of an array.
#[derive(Debug, Clone, Copy)]
struct ElementParts {
    /// From the first element to the part.
    offset: u64,
    /// From the first element of the array to the first one that has the part.
    first: u64,
    /// The size of the part. `None` if it is that of the access.
    size: Option<u64>,
    stride: u64,
    count: u64,
    is_whole: bool,
}

/// The maximum number of elements of an array whose parts are distinguished.
const PARTS: u64 = 64;

impl Spot {
    pub fn whole(memory: Memory, at: Option<u64>, limit: u64) -> Spot {
        Spot { memory, at, start: at.unwrap_or(0), section: None, parts: None, limit }
    }

    pub fn inexact(memory: Memory, at: Option<u64>, start: u64, end: u64) -> Spot {
        Spot { memory, at, start, section: Some((end, false)), parts: None, limit: end }
    }

    pub fn field(&mut self, offset: u64) {
        self.at = self.at.map(|at| at.saturating_add(offset));
        match &mut self.section {
            Some((_, exact)) => {
                *exact = false;
                if let Some(parts) = &mut self.parts {
                    parts.offset = parts.offset.saturating_add(offset);
                    parts.is_whole = false;
                }
            }
            None => self.start = self.start.saturating_add(offset),
        }
    }

    pub fn elements(&mut self, dimensions: &[Dimension], last: bool, size: Option<u64>) {
        if self.section.is_some() {
            self.parts = match (self.parts, total(dimensions)) {
                (Some(parts), Some(total)) if parts.size.is_none() => {
                    Some(ElementParts { size: Some(total), is_whole: false, ..parts })
                }
                _ => None,
            };
            return;
        }
        let end =
            total(dimensions).map_or(self.limit, |total| self.start.saturating_add(total)).min(self.limit);
        if let Some(distance) = constant_distance(dimensions) {
            self.start = self.start.saturating_add(distance);
            self.limit = end.max(self.start);
            return;
        }
        self.limit = end;
        let all = dimensions.iter().all(|dimension| dimension.index == Index::All);
        let stride = dimensions.iter().filter_map(|dimension| dimension.stride).min().unwrap_or(0);
        self.parts = total(dimensions)
            .filter(|_| stride > 0)
            .map(|total| ElementParts {
                offset: 0,
                first: 0,
                size: None,
                stride,
                count: total / stride,
                is_whole: true,
            })
            .filter(|parts| parts.count <= PARTS);
        self.section = match (dimensions, constant_section(dimensions)) {
            _ if all && last && total(dimensions).is_some() => Some((end, true)),
            (_, Some((first, last_index))) if last && size.is_some() => {
                let start = self.start;
                self.start = start.saturating_add(first);
                Some((start.saturating_add(last_index).saturating_add(size.unwrap_or(0)).min(end), true))
            }
            _ => Some((end, false)),
        };
    }

    /// The same for a register, where the last subscripts give the number of elements.
    pub fn counted(&mut self, dimensions: &[Dimension], last: bool, size: Option<u64>) {
        let is_count = dimensions.iter().all(|dimension| match &dimension.index {
            Index::Range { step, .. } => *step == 1,
            Index::All | Index::Unknown => true,
            Index::At(_) => false,
        });
        let is_known = constant_section(dimensions).is_some() && size.is_some();
        if !last || !is_count || is_known || self.section.is_some() {
            let is_inner = self.section.is_some();
            self.elements(dimensions, last, size);
            if let Some(section) = constant_section(dimensions).filter(|_| !last && !is_inner) {
                self.keep_section(dimensions, section);
            }
            return;
        }
        let end =
            total(dimensions).map_or(self.limit, |total| self.start.saturating_add(total)).min(self.limit);
        let is_somewhere =
            |dimension: &Dimension| dimension.index == Index::Unknown && dimension.stride.is_none();
        self.section = Some((end, !dimensions.iter().all(is_somewhere)));
        self.limit = end;
    }

    /// Only these elements have the part that follows.
    fn keep_section(&mut self, dimensions: &[Dimension], (first, last): (u64, u64)) {
        let stride = dimensions.iter().find_map(|dimension| dimension.stride).unwrap_or(0);
        if let Some(parts) = &mut self.parts {
            parts.first = first;
            parts.count = ((last - first) / parts.stride + 1).min(parts.count);
            return;
        }
        let end = self.start.saturating_add(last).saturating_add(stride).min(self.limit);
        self.start = self.start.saturating_add(first);
        self.section = Some((end, false));
        self.limit = end;
    }

    /// The part in each of the elements, or one place for all.
    pub fn places(&self, size: Option<u64>, whole: Option<u64>) -> Vec<AccessRange> {
        let Some((parts, size)) = self.parts.filter(|parts| !parts.is_whole).and_then(|parts| {
            let size = parts.size.or(size)?;
            (parts.offset.checked_add(size)? <= parts.stride).then_some((parts, size))
        }) else {
            return vec![self.place(size, whole)];
        };
        let place = |number: u64| {
            let start = self.start + parts.first + number * parts.stride + parts.offset;
            let range = Range { memory: self.memory, start, end: start + size };
            AccessRange { range, exact: false, limit: range.end }
        };
        (0..parts.count).map(place).collect()
    }

    pub fn place(&self, size: Option<u64>, whole: Option<u64>) -> AccessRange {
        let whole = whole.unwrap_or(END).max(self.start);
        let (end, exact) = match (self.section, size) {
            (Some((end, exact)), _) => (end, exact),
            (None, Some(size)) => (self.start.saturating_add(size), true),
            (None, None) => (self.limit, false),
        };
        let range = Range { memory: self.memory, start: self.start, end: end.min(whole) };
        AccessRange { range, exact, limit: self.limit.min(whole).max(range.end) }
    }

    pub fn part(&self, part: Range, whole: Option<u64>) -> Option<AccessRange> {
        self.place(Some(1), whole).part(part, whole)
    }
}

impl AccessRange {
    /// The bytes `part` of the memory that begins at this place.
    pub fn part(&self, part: Range, whole: Option<u64>) -> Option<AccessRange> {
        let whole = whole.unwrap_or(END);
        let start = self.range.start.saturating_add(part.start);
        let array = !self.exact;
        let end = match (part.end, array) {
            (END, _) => self.limit,
            (_, true) => self.limit,
            (end, false) => self.range.start.saturating_add(end),
        };
        let range = Range {
            memory: self.range.memory,
            start: if array { self.range.start } else { start },
            end: end.min(whole),
        };
        (range.start < range.end).then_some(AccessRange {
            range,
            exact: self.exact && part.end != END,
            limit: self.limit,
        })
    }
}

pub fn in_order(mut places: Vec<AccessRange>) -> Vec<AccessRange> {
    places.sort_unstable();
    places.dedup();
    places
}

/// The bytes of all elements.
pub fn total(dimensions: &[Dimension]) -> Option<u64> {
    let mut total = 0u64;
    for dimension in dimensions {
        let extent: u64 = dimension.extent.as_ref()?.as_constant()?.try_into().ok()?;
        total = total.max(extent.checked_mul(dimension.stride?)?);
    }
    Some(total)
}

/// The distance of one element from the first, if all indices are constants.
fn constant_distance(dimensions: &[Dimension]) -> Option<u64> {
    let mut distance = 0i64;
    for dimension in dimensions {
        let Index::At(index) = &dimension.index else { return None };
        let steps = index.sub(dimension.lower.as_ref()?)?.as_constant()?;
        distance = distance.checked_add(steps.checked_mul(dimension.stride?.try_into().ok()?)?)?;
    }
    distance.try_into().ok()
}

/// First and last element of a section of one dimension without gaps.
fn constant_section(dimensions: &[Dimension]) -> Option<(u64, u64)> {
    let [dimension] = dimensions else { return None };
    let Index::Range { first, last, step: 1 } = &dimension.index else { return None };
    let lower = dimension.lower.as_ref()?;
    let stride: i64 = dimension.stride?.try_into().ok()?;
    let first = first.sub(lower)?.as_constant()?.checked_mul(stride)?;
    let last = last.sub(lower)?.as_constant()?.checked_mul(stride)?;
    (first >= 0 && last >= first).then_some((first as u64, last as u64))
}
