//! The files of a translation, with their bytes and their lines.
//!
//! Input: paths and bytes.
//! Output: ids, which spans contain.
//! Postcondition: the bytes of a file never change, and an id is valid as long as its table.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use crate::span::{FileId, Span};

/// One file: its path and its content. The bytes need not be UTF-8.
#[derive(Debug, Clone)]
pub struct SourceFile {
    pub path: PathBuf,
    pub bytes: Arc<[u8]>,
    /// Offset of the first byte of each line. Computed at the first use.
    line_starts: OnceLock<Vec<u32>>,
    /// Where the lines are on the disk, if `bytes` is not the content of the file.
    shown: Option<Arc<ShownLines>>,
}

/// The position of a line on the disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ShownLine {
    /// The file: 0 is the source itself, and N is the part N - 1.
    pub part: u32,
    /// From 1.
    pub number: u32,
}

impl ShownLine {
    pub fn next(self) -> ShownLine {
        ShownLine { number: self.number + 1, ..self }
    }
}

/// The position of each line of a text on the disk.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ShownLines {
    pub lines: Vec<ShownLine>,
    /// The other files that the text consists of.
    pub parts: Vec<PathBuf>,
    /// The content of the source itself, if there are such parts.
    pub itself: Vec<u8>,
    /// True if the text has lines that are in none of the files.
    pub has_new_lines: bool,
    /// The text before macros in it were replaced by their expansions, if there are any. Its lines are the same.
    pub unexpanded: Option<Arc<[u8]>>,
}

impl SourceFile {
    pub fn new(path: PathBuf, bytes: impl Into<Arc<[u8]>>) -> SourceFile {
        SourceFile { path, bytes: bytes.into(), line_starts: OnceLock::new(), shown: None }
    }

    /// The position of a line (from 1) on the disk, which is what people see.
    pub fn shown_line(&self, line: u32) -> ShownLine {
        let itself = ShownLine { part: 0, number: line };
        let Some(ShownLines { lines, .. }) = self.shown() else { return itself };
        let after = |last: &ShownLine| ShownLine { number: last.number + line - lines.len() as u32, ..*last };
        let known = lines.get(line as usize - 1).copied();
        known.or_else(|| lines.last().map(after)).unwrap_or(itself)
    }

    /// The number of a line in its file on the disk.
    pub fn shown_number(&self, line: u32) -> u32 {
        self.shown_line(line).number
    }

    /// The file on the disk that contains a line.
    pub fn shown_path(&self, line: u32) -> &Path {
        let part = self.shown_line(line).part.checked_sub(1);
        part.and_then(|part| self.parts().get(part as usize)).unwrap_or(&self.path)
    }

    /// The positions of the lines on the disk. None if the text is the content of the file.
    pub fn shown(&self) -> Option<&ShownLines> {
        self.shown.as_deref()
    }

    /// The other files that the text consists of.
    pub fn parts(&self) -> &[PathBuf] {
        self.shown().map_or(&[], |shown| &shown.parts)
    }

    fn line_starts(&self) -> &[u32] {
        self.line_starts.get_or_init(|| line_starts(&self.bytes))
    }

    /// Line and column of an offset, both from 1. The column counts bytes.
    pub fn line_column(&self, offset: u32) -> (u32, u32) {
        let line = self.line_starts().partition_point(|&start| start <= offset).max(1) - 1;
        (line as u32 + 1, offset - self.line_starts()[line] + 1)
    }

    /// The byte range of a line (from 1) without its line end. The range is empty if the line does not exist.
    pub fn line_range(&self, line: u32) -> std::ops::Range<usize> {
        let Some(&start) = self.line_starts().get(line.max(1) as usize - 1) else {
            return self.bytes.len()..self.bytes.len();
        };
        let end = self.line_starts().get(line as usize).map_or(self.bytes.len(), |&e| e as usize);
        let mut text = &self.bytes[start as usize..end];
        while let [rest @ .., b'\n' | b'\r'] = text {
            text = rest;
        }
        start as usize..start as usize + text.len()
    }

    pub fn lines(&self) -> u32 {
        self.line_starts().len() as u32
    }
}

fn line_starts(bytes: &[u8]) -> Vec<u32> {
    let ends = bytes.iter().enumerate().filter(|(_, &byte)| byte == b'\n');
    std::iter::once(0).chain(ends.map(|(at, _)| at as u32 + 1)).collect()
}

/// All files that a translation has read.
#[derive(Debug, Clone, Default)]
pub struct Files {
    files: Vec<SourceFile>,
}

impl Files {
    pub fn new() -> Files {
        Files::default()
    }

    pub fn add(&mut self, path: impl AsRef<Path>, bytes: impl Into<Arc<[u8]>>) -> FileId {
        self.files.push(SourceFile::new(path.as_ref().to_path_buf(), bytes));
        FileId(self.files.len() as u32 - 1)
    }

    /// Adds a file of another list.
    pub fn add_same(&mut self, other: &Files, number: u32) {
        self.files.push(other.files[number as usize].clone());
    }

    pub fn count(&self) -> u32 {
        self.files.len() as u32
    }

    /// Sets the positions of the lines of a text that is not the content of its file.
    pub fn set_shown(&mut self, id: FileId, shown: ShownLines) {
        self.files[id.0 as usize].shown = Some(shown.into());
    }

    pub fn get(&self, id: FileId) -> &SourceFile {
        &self.files[id.0 as usize]
    }

    pub fn text(&self, span: Span) -> &[u8] {
        &self.get(span.file).bytes[span.start as usize..span.end as usize]
    }

    /// The text of a span. Bytes that are not UTF-8 are replaced.
    pub fn text_lossy(&self, span: Span) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(self.text(span))
    }

    pub fn ids(&self) -> impl Iterator<Item = FileId> + '_ {
        (0..self.files.len() as u32).map(FileId)
    }
}
