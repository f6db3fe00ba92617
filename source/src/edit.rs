//! Edits as data: byte ranges of the original file and the text that replaces them.
//!
//! Input: edits in any order.
//! Output: the rewritten bytes.
//! Postcondition: edits are sorted and disjoint, and two edits that overlap are an error. Several insertions
//! at one offset are applied in the order in which they were added.

use std::collections::HashSet;

use crate::{FileId, Files, Span};

/// Replaces the bytes of `span` by `text`. An empty span inserts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    pub span: Span,
    pub text: String,
    /// The text is a function of its own. It belongs to no line of the original.
    pub is_apart: bool,
}

/// The edits of one file.
#[derive(Debug, Clone)]
pub struct EditList {
    file: FileId,
    edits: Vec<Edit>,
    /// The ends of the edits.
    ends: HashSet<u32>,
}

/// Two edits of the same bytes. This is a defect of the translation, not of its input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Overlap {
    pub first: Edit,
    pub second: Edit,
}

impl std::fmt::Display for Overlap {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (a, b) = (&self.first.span, &self.second.span);
        write!(f, "edits of bytes {}..{} and {}..{} overlap", a.start, a.end, b.start, b.end)
    }
}

impl std::error::Error for Overlap {}

impl EditList {
    pub fn new(file: FileId) -> EditList {
        EditList { file, edits: Vec::new(), ends: HashSet::new() }
    }

    pub fn file(&self) -> FileId {
        self.file
    }

    pub fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    pub fn replace(&mut self, span: Span, text: impl Into<String>) {
        assert_eq!(span.file, self.file, "an edit belongs to the file of its list");
        self.add(Edit { span, text: text.into(), is_apart: false });
    }

    fn add(&mut self, edit: Edit) {
        self.ends.insert(edit.span.end);
        self.edits.push(edit);
    }

    /// Inserts lines that belong to no line of the original.
    pub fn insert_apart(&mut self, at: u32, text: impl Into<String>) {
        let span = Span::new(self.file, at, at);
        self.add(Edit { span, text: text.into(), is_apart: true });
    }

    pub fn insert(&mut self, at: u32, text: impl Into<String>) {
        self.replace(Span::new(self.file, at, at), text);
    }

    pub fn edits(&self) -> &[Edit] {
        &self.edits
    }

    /// Whether an insertion is at this byte, or a replacement ends before it.
    pub fn has_end(&self, at: u32) -> bool {
        self.ends.contains(&at)
    }

    /// Returns the file with all edits applied.
    ///
    /// # Errors
    /// `Overlap` if two edits replace the same bytes.
    pub fn rewrite(&self, files: &Files) -> Result<Vec<u8>, Overlap> {
        let original = &files.get(self.file).bytes;
        let mut sorted: Vec<&Edit> = self.edits.iter().collect();
        // The sort is stable: insertions at one offset keep their order and precede a replacement that starts
        // there.
        sorted.sort_by_key(|edit| (edit.span.start, edit.span.end));
        let mut rewritten = Vec::with_capacity(original.len());
        let mut copied = 0;
        for (index, edit) in sorted.iter().enumerate() {
            if edit.span.start < copied {
                return Err(Overlap { first: sorted[index - 1].clone(), second: (*edit).clone() });
            }
            rewritten.extend_from_slice(&original[copied as usize..edit.span.start as usize]);
            rewritten.extend_from_slice(edit.text.as_bytes());
            copied = edit.span.end;
        }
        rewritten.extend_from_slice(&original[copied as usize..]);
        Ok(rewritten)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewrite(text: &str, edits: &[(u32, u32, &str)]) -> Result<String, Overlap> {
        let mut files = Files::new();
        let file = files.add("a.c", text.as_bytes());
        let mut list = EditList::new(file);
        for &(start, end, new) in edits {
            list.replace(Span::new(file, start, end), new);
        }
        list.rewrite(&files).map(|bytes| String::from_utf8(bytes).unwrap())
    }

    #[test]
    fn untouched_bytes_stay() {
        assert_eq!(rewrite("a b\r\nc", &[]).unwrap(), "a b\r\nc");
        assert_eq!(rewrite("abc", &[(1, 2, "X"), (0, 0, "<"), (0, 0, ">")]).unwrap(), "<>aXc");
    }

    #[test]
    fn ends_are_those_of_all_edits() {
        let mut files = Files::new();
        let mut list = EditList::new(files.add("a.c", *b"abcdef"));
        list.replace(Span::new(list.file(), 1, 3), "X");
        list.insert(5, "Y");
        list.insert(0, "Z");
        let ends: Vec<u32> = (0..=6).filter(|&at| list.has_end(at)).collect();
        assert_eq!(ends, [0, 3, 5]);
    }

    #[test]
    fn overlapping_edits_are_an_error() {
        assert!(rewrite("abcdef", &[(0, 3, "x"), (2, 4, "y")]).is_err());
        assert!(rewrite("abcdef", &[(0, 3, "x"), (1, 1, "y")]).is_err());
        assert!(rewrite("abcdef", &[(0, 3, "x"), (3, 3, "y")]).is_ok());
    }
}
