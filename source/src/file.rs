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
    /// The number of each line in the file on the disk, if `bytes` has more lines.
    numbers: Option<Arc<[u32]>>,
}

impl SourceFile {
    pub fn new(path: PathBuf, bytes: impl Into<Arc<[u8]>>) -> SourceFile {
        SourceFile { path, bytes: bytes.into(), line_starts: OnceLock::new(), numbers: None }
    }

    /// The number that people see for a line (from 1): that of the file on the disk.
    pub fn shown_number(&self, line: u32) -> u32 {
        let Some(numbers) = &self.numbers else { return line };
        let known = numbers.get(line as usize - 1).copied();
        known.unwrap_or_else(|| numbers.last().map_or(line, |last| last + line - numbers.len() as u32))
    }

    /// The numbers of the lines in the file on the disk. None if they are the same.
    pub fn numbers(&self) -> Option<&[u32]> {
        self.numbers.as_deref()
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

    /// Lines were added to a file: `numbers` has the number of each line without them.
    pub fn set_numbers(&mut self, id: FileId, numbers: Vec<u32>) {
        self.files[id.0 as usize].numbers = Some(numbers.into());
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
