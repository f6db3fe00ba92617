//! Addresses in memory where no pointer is declared.
//!
//! Input: the plain words of memory, and what counts as an address.
//! Output: the first word whose value is an address that a restart would have to change.
//! Postcondition: memory without such a word costs one comparison for each word.

use super::objects::Objects;
use super::plain::{PlainWords, Run, WordKind};
use crate::allocations::{self, Found};
use std::fmt;
use std::ops::Range;

const WORD: usize = size_of::<usize>();

/// Numbers below this are common. An executable at a fixed address, and its heap, may be there.
pub const COMMON_NUMBERS: u64 = 1 << 32;

/// The words that are compared before the result is looked at.
const BATCH: usize = 16;

/// Memory of at most this size has few words, and most of it is a node of a list or of a tree.
const SMALL_BYTES: usize = 128;

/// What is at an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Pointed {
    Allocation,
    Object,
}

impl fmt::Display for Pointed {
    fn fmt(&self, formatter: &mut fmt::Formatter) -> fmt::Result {
        formatter.write_str(match self {
            Pointed::Allocation => "an allocation",
            Pointed::Object => "a variable, a constant or a function",
        })
    }
}

/// A value that may be an address.
#[derive(Debug, Clone, Copy)]
pub struct Candidate {
    /// Its offset in the memory that is searched.
    pub at: usize,
    pub value: usize,
    /// Whether it may also be an address inside of an allocation or a variable, not only that of a first byte.
    pub may_be_inside: bool,
    /// Whether a text begins with it.
    pub is_text_start: bool,
}

/// What counts as an address.
pub trait Targets {
    /// No other value is an address.
    fn bounds(&self) -> Range<usize>;

    /// What is at the address, which is within the bounds.
    fn pointed(&self, candidate: Candidate) -> Option<Pointed>;
}

/// All allocations that are known, variables, constants and functions.
pub struct ProgramTargets<'a>(pub &'a Objects);

impl Targets for ProgramTargets<'_> {
    fn bounds(&self) -> Range<usize> {
        merged([allocations::bounds(), self.0.bounds()])
    }

    fn pointed(&self, Candidate { value, may_be_inside, .. }: Candidate) -> Option<Pointed> {
        let may_be_inside = may_be_inside && value as u64 >= COMMON_NUMBERS;
        match allocations::find(value) {
            Found::Allocation { start, .. } if may_be_inside || start == value => Some(Pointed::Allocation),
            Found::Allocation { .. } => None,
            Found::Freed | Found::Unknown => {
                self.0.is_pointed_to(value, may_be_inside).then_some(Pointed::Object)
            }
        }
    }
}

pub struct Search<T> {
    bounds: Range<usize>,
    targets: T,
}

impl<T: Targets> Search<T> {
    pub fn new(targets: T) -> Search<T> {
        Search { bounds: targets.bounds(), targets }
    }

    /// The offset of the first plain word with an address, and what is there.
    pub fn first(&self, bytes: &[u8], words: &PlainWords) -> Option<(usize, Pointed)> {
        if bytes.len() <= SMALL_BYTES && !self.may_have(bytes, words) {
            return None;
        }
        if words.is_uniform() {
            let whole = Run { range: 0..bytes.len() / WORD * WORD, kind: WordKind::Whole };
            return self.first_in(bytes, &whole, 0);
        }
        let mut periods = (0..bytes.len()).step_by(words.period_bytes);
        periods.find_map(|period| words.runs.iter().find_map(|run| self.first_in(bytes, run, period)))
    }

    /// The offset of the first text that begins with an address. `starts`: the offsets of texts in an element.
    pub fn first_text(&self, bytes: &[u8], starts: &[usize], element_bytes: usize) -> Option<usize> {
        if starts.is_empty() {
            return None;
        }
        let texts = (0..bytes.len()).step_by(element_bytes.max(1));
        let mut texts = texts.flat_map(|element| starts.iter().map(move |start| element + start));
        texts.find(|&at| {
            let value = bytes.get(at..at + WORD).map_or(0, value);
            let candidate = Candidate { at, value, may_be_inside: false, is_text_start: true };
            self.is_possible(value) && self.targets.pointed(candidate).is_some()
        })
    }

    /// Whether the value of a word is within the bounds.
    #[inline]
    fn may_have(&self, bytes: &[u8], words: &PlainWords) -> bool {
        bytes.chunks(words.period_bytes).any(|period| {
            let values = words.offsets.iter().filter_map(|&at| period.get(at..at + WORD)).map(value);
            values.fold(false, |may_be, value| may_be | self.is_possible(value))
        })
    }

    /// The same in one part of a period that begins at this offset.
    #[inline]
    fn first_in(&self, bytes: &[u8], run: &Run, period: usize) -> Option<(usize, Pointed)> {
        let end = (period + run.range.end).min(bytes.len() / WORD * WORD);
        let start = period + run.range.start;
        let part = bytes.get(start..end)?;
        for (batch, all) in part.chunks(BATCH * WORD).enumerate() {
            // Without a branch for each word.
            let may_be =
                all.chunks_exact(WORD).fold(false, |may_be, word| may_be | self.is_possible(value(word)));
            if !may_be {
                continue;
            }
            let found = all.chunks_exact(WORD).enumerate().find_map(|(index, word)| {
                let at = start + (batch * BATCH + index) * WORD;
                let value = value(word);
                if !self.is_possible(value) {
                    return None;
                }
                let (is_text_start, is_after_end) = match run.kind {
                    WordKind::Text { start } => {
                        (at == period + start, bytes[period + start..at].contains(&0))
                    }
                    WordKind::Whole | WordKind::Partial => (false, false),
                };
                let may_be_inside = run.kind == WordKind::Whole;
                let candidate = Candidate { at, value, may_be_inside, is_text_start };
                let pointed = (!is_after_end).then(|| self.targets.pointed(candidate)).flatten()?;
                Some((at, pointed))
            });
            if found.is_some() {
                return found;
            }
        }
        None
    }

    #[inline]
    fn is_possible(&self, value: usize) -> bool {
        value.wrapping_sub(self.bounds.start) < self.bounds.len()
    }
}

/// A range with all of the ranges.
pub fn merged<const COUNT: usize>(ranges: [Range<usize>; COUNT]) -> Range<usize> {
    let all = ranges.into_iter().filter(|range| !range.is_empty());
    all.reduce(|a, b| a.start.min(b.start)..a.end.max(b.end)).unwrap_or(0..0)
}

#[inline]
fn value(word: &[u8]) -> usize {
    word.try_into().map_or(0, usize::from_ne_bytes)
}

#[cfg(all(test, target_os = "linux", target_pointer_width = "64", not(miri)))]
mod tests {
    use super::*;

    fn words(period_bytes: usize, runs: &[(Range<usize>, WordKind)]) -> PlainWords {
        let runs = runs.iter().cloned().map(|(range, kind)| Run { range, kind }).collect();
        PlainWords::from_runs(period_bytes, runs)
    }

    fn memory(values: &[usize]) -> Vec<u8> {
        values.iter().flat_map(|value| value.to_ne_bytes()).collect()
    }

    #[test]
    fn addresses_are_found_and_numbers_are_not() {
        let allocation = vec![0_u128; 100];
        let start = allocation.as_ptr() as usize;
        allocations::record(start, 1600);
        let objects = Objects::now();
        let search = Search::new(ProgramTargets(&objects));
        let whole = words(8, &[(0..8, WordKind::Whole)]);
        let mut values = vec![1_usize, 1.5_f64.to_bits() as usize, usize::MAX, start - 1, start + 1600];
        values.resize(1000, 7);
        assert_eq!(search.first(&memory(&values), &whole), None);
        values[999] = start + 1599;
        assert_eq!(search.first(&memory(&values), &whole), Some((7992, Pointed::Allocation)));
        values[40] = libc::free as *const () as usize;
        assert_eq!(search.first(&memory(&values), &whole), Some((320, Pointed::Object)));

        let partial = words(16, &[(8..16, WordKind::Partial)]);
        assert_eq!(search.first(&memory(&[start, start + 16, start, 0]), &partial), None);
        assert_eq!(search.first(&memory(&[0, 0, 0, start]), &partial), Some((24, Pointed::Allocation)));

        let text = words(24, &[(0..24, WordKind::Text { start: 0 })]);
        let open = usize::from_ne_bytes(*b"a text!!");
        assert_eq!(search.first(&memory(&[open, start, 0]), &text), Some((8, Pointed::Allocation)));
        let ended = usize::from_ne_bytes(*b"a text\0\0");
        assert_eq!(search.first(&memory(&[ended, start, 0]), &text), None);
    }
}
