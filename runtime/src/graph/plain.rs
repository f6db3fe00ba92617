//! The parts of elements that are saved as they are, because no pointer is declared there.
//!
//! Input: the layout of a type.
//! Output: the aligned words of its elements without a declared pointer, and how surely each of them is one value.
//! Postcondition: a word is the same part of all elements. If elements are not a whole number of words, several
//! elements in a row form a period.

use crate::register::Layouts;
use cppc_abi::types::{self as codes, Class, POINTER};
use std::collections::HashSet;
use std::ops::Range;

const WORD: usize = size_of::<usize>();

/// How a word came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WordKind {
    /// All of its bytes belong to numbers, or to memory for text.
    Whole,
    /// Some of its bytes are between components, or in a text.
    Partial,
    /// It is in a text that begins at this offset. What is after the end of a text is often an old value.
    Text { start: usize },
}

/// Words in a row of the same kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Run {
    pub range: Range<usize>,
    pub kind: WordKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlainWords {
    pub period_bytes: usize,
    /// Sorted, in one period.
    pub runs: Vec<Run>,
    /// The offsets of the same words, one by one.
    pub offsets: Vec<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ByteKind {
    Padding,
    Pointer,
    Number,
    /// A text that begins at this offset of the element.
    Text(usize),
}

impl PlainWords {
    pub fn none() -> PlainWords {
        PlainWords::from_runs(WORD, Vec::new())
    }

    /// Of the structures in `undefined`, only the pointers count. Their other fields may have no value yet. Of the types of
    /// Fortran, only integer components may contain addresses, because Fortran has no memory without a type.
    pub fn new(layouts: &Layouts, code: i32, element_bytes: usize, undefined: &HashSet<i32>) -> PlainWords {
        if is_of_fortran(code) {
            return PlainWords::none();
        }
        let is_meant = |scalar: &codes::Type| {
            let is_integer = scalar.class == Class::Signed && scalar.size_bytes == WORD;
            is_integer || !is_of_fortran(scalar.code)
        };
        PlainWords::of(&Meant { layouts, undefined, is_meant: &is_meant }, code, element_bytes)
    }

    /// Only the words in which programs keep addresses: bytes of any content, and integers of the size of a pointer.
    pub fn of_address_size(layouts: &Layouts, code: i32, element_bytes: usize) -> PlainWords {
        let is_meant = |scalar: &codes::Type| match scalar.class {
            Class::Signed | Class::Unsigned => scalar.size_bytes == WORD,
            Class::Character | Class::Byte | Class::Pointer => true,
            Class::Logical | Class::Real | Class::Complex => false,
        };
        let meant = Meant { layouts, undefined: &HashSet::new(), is_meant: &is_meant };
        PlainWords::of(&meant, code, element_bytes)
    }

    /// The offsets of the texts in an element that are not aligned, and have room for an address.
    pub fn unaligned_texts(layouts: &Layouts, code: i32) -> Vec<usize> {
        let mut found = Vec::new();
        add_texts(layouts, code, 0, &mut found);
        found.retain(|start| start % WORD != 0);
        found
    }

    /// Of memory that is one text.
    pub fn of_text(size_bytes: usize) -> PlainWords {
        let range = 0..size_bytes / WORD * WORD;
        let runs = if range.is_empty() {
            Vec::new()
        } else {
            vec![Run { range, kind: WordKind::Text { start: 0 } }]
        };
        PlainWords::from_runs(size_bytes.max(WORD), runs)
    }

    fn of(meant: &Meant, code: i32, element_bytes: usize) -> PlainWords {
        let mut kinds = vec![ByteKind::Padding; element_bytes];
        match meant.layouts.structure(code) {
            Some(_) => meant.mark(code, 0, &mut kinds),
            // Memory to which a `char *` points may have any content.
            None if class(code) == Some(Class::Character) => kinds.fill(ByteKind::Number),
            None => meant.mark_scalar(code, 0, &mut kinds),
        }
        let mut period_bytes = element_bytes.max(1);
        while period_bytes % WORD != 0 {
            period_bytes *= 2;
        }
        let mut runs: Vec<Run> = Vec::new();
        for at in (0..period_bytes).step_by(WORD) {
            let Some(kind) = kind(&kinds, at) else { continue };
            match runs.last_mut() {
                Some(last) if last.range.end == at && last.kind == kind => last.range.end += WORD,
                Some(_) | None => runs.push(Run { range: at..at + WORD, kind }),
            }
        }
        PlainWords::from_runs(period_bytes, runs)
    }

    pub(super) fn from_runs(period_bytes: usize, runs: Vec<Run>) -> PlainWords {
        let offsets = runs.iter().flat_map(|run| run.range.clone().step_by(WORD)).collect();
        PlainWords { period_bytes, runs, offsets }
    }

    /// Whether all words are numbers, so that the period has no meaning.
    pub fn is_uniform(&self) -> bool {
        matches!(&self.runs[..], [run] if run.kind == WordKind::Whole && run.range.len() == self.period_bytes)
    }
}

fn add_texts(layouts: &Layouts, code: i32, start: usize, found: &mut Vec<usize>) {
    let Some(structure) = layouts.structure(code) else { return };
    for field in &structure.fields {
        let first = start + field.offset_bytes as usize;
        let element_bytes = layouts.element_bytes(field.type_code).unwrap_or(0);
        match class(field.type_code) {
            Some(Class::Character) if field.count as usize * element_bytes >= WORD => found.push(first),
            Some(_) => {}
            None => {
                for element in 0..field.count as usize {
                    add_texts(layouts, field.type_code, first + element * element_bytes, found);
                }
            }
        }
    }
}

/// The kind of the word at this offset of a period. None if it must not be read as a word.
fn kind(kinds: &[ByteKind], at: usize) -> Option<WordKind> {
    let byte = |at: usize| kinds[at % kinds.len()];
    let mut bytes = (at..at + WORD).map(byte);
    if bytes.clone().any(|kind| kind == ByteKind::Pointer)
        || bytes.clone().all(|kind| kind == ByteKind::Padding)
    {
        return None;
    }
    if let ByteKind::Text(start) = byte(at) {
        return Some(WordKind::Text { start: at - at % kinds.len() + start });
    }
    let is_whole = bytes.all(|kind| kind == ByteKind::Number);
    Some(if is_whole { WordKind::Whole } else { WordKind::Partial })
}

/// Which parts of elements are words.
struct Meant<'a> {
    layouts: &'a Layouts,
    /// Structures of which only the pointers count.
    undefined: &'a HashSet<i32>,
    is_meant: &'a dyn Fn(&codes::Type) -> bool,
}

impl Meant<'_> {
    fn mark(&self, code: i32, start: usize, kinds: &mut [ByteKind]) {
        let Some(structure) = self.layouts.structure(code) else {
            return self.mark_scalar(code, start, kinds);
        };
        let is_undefined = self.undefined.contains(&code);
        let counts = |code: i32| !is_undefined || code == POINTER || self.layouts.structure(code).is_some();
        for field in structure.fields.iter().filter(|field| counts(field.type_code)) {
            let element_bytes = self.layouts.element_bytes(field.type_code).unwrap_or(0);
            let first = start + field.offset_bytes as usize;
            let scalar = codes::by_code(field.type_code);
            if scalar.is_some_and(|found| found.class == Class::Character && (self.is_meant)(found)) {
                kinds[first..first + field.count as usize * element_bytes].fill(ByteKind::Text(first));
                continue;
            }
            for element in 0..field.count as usize {
                self.mark(field.type_code, first + element * element_bytes, kinds);
            }
        }
    }

    fn mark_scalar(&self, code: i32, start: usize, kinds: &mut [ByteKind]) {
        // They are padding to the search for addresses, because no address is in them.
        let Some(found) = codes::by_code(code).filter(|found| (self.is_meant)(found)) else { return };
        let kind = if code == POINTER { ByteKind::Pointer } else { ByteKind::Number };
        kinds[start..start + found.size_bytes].fill(kind);
        // Ten bytes of an extended real number have a value. The others may keep an old one.
        let parts = match code {
            codes::LONG_DOUBLE => 1,
            codes::LONG_DOUBLE_COMPLEX => 2,
            _ => 0,
        };
        if cfg!(any(target_arch = "x86_64", target_arch = "x86")) && parts > 0 {
            let part_bytes = found.size_bytes / parts;
            for part in 0..parts {
                let first = start + part * part_bytes;
                kinds[(first + 10).min(first + part_bytes)..first + part_bytes].fill(ByteKind::Padding);
            }
        }
    }
}

/// Whether it is the code of an intrinsic type of Fortran.
fn is_of_fortran(code: i32) -> bool {
    (codes::INTEGER_1..codes::FIRST_STRUCTURE).contains(&code)
}

fn class(code: i32) -> Option<Class> {
    codes::by_code(code).map(|found| found.class)
}

#[cfg(all(test, target_pointer_width = "64"))]
mod tests {
    use super::*;
    use crate::manifest::{Field, StructType};
    use cppc_abi::types::{CHAR, DOUBLE, INT, LONG};

    fn words(size_bytes: u64, fields: &[(u64, i32, u64)]) -> Vec<(Range<usize>, WordKind)> {
        let fields = fields.iter().map(|&(offset_bytes, type_code, count)| Field {
            name: format!("f{offset_bytes}"),
            offset_bytes,
            type_code,
            count,
        });
        let mut layouts = Layouts::default();
        let structure = StructType { name: "s".into(), size_bytes, fields: fields.collect() };
        let code = layouts.define(structure).unwrap();
        let found = PlainWords::new(&layouts, code, size_bytes as usize, &HashSet::new());
        found.runs.into_iter().map(|run| (run.range, run.kind)).collect()
    }

    #[test]
    fn numbers_are_whole_words_and_pointers_are_none() {
        assert_eq!(
            words(24, &[(0, LONG, 1), (8, POINTER, 1), (16, DOUBLE, 1)]),
            [(0..8, WordKind::Whole), (16..24, WordKind::Whole)]
        );
    }

    #[test]
    fn a_word_with_padding_is_partial() {
        assert_eq!(
            words(16, &[(0, INT, 1), (8, INT, 2)]),
            [(0..8, WordKind::Partial), (8..16, WordKind::Whole)]
        );
    }

    #[test]
    fn a_word_may_be_in_two_elements() {
        assert_eq!(words(12, &[(0, INT, 3)]), [(0..24, WordKind::Whole)]);
    }

    #[test]
    fn a_text_keeps_its_start() {
        assert_eq!(
            words(24, &[(0, LONG, 1), (8, CHAR, 16)]),
            [(0..8, WordKind::Whole), (8..24, WordKind::Text { start: 8 })]
        );
    }

    #[test]
    fn memory_for_text_and_numbers_is_uniform() {
        let layouts = Layouts::default();
        for (code, element_bytes) in [(CHAR, 1), (INT, 4), (DOUBLE, 8)] {
            let words = PlainWords::new(&layouts, code, element_bytes, &HashSet::new());
            assert!(words.is_uniform(), "{code}");
        }
        assert!(!PlainWords::new(&layouts, POINTER, 8, &HashSet::new()).is_uniform());
    }
}
