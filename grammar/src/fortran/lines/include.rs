//! `INCLUDE` lines and the files that they name.
//!
//! Input: a line.
//! Output: the file that it names, read in its place.
//! Postcondition: each file on disk is read once, and no file includes itself.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use cppc_source::{Diagnostic, FileId, Span};

use super::card::{first_solid, is_blank, Card};
use super::codes;
use super::state::{Reader, DEPTH_LIMIT, INCLUDE_LIMIT, SIZE_LIMIT};
use crate::fortran::logical::Include;

/// The name in an `INCLUDE` line, as a range of the line. In fixed form blanks in the word are ignored.
pub fn included_name(text: &[u8], fixed: bool) -> Option<std::ops::Range<usize>> {
    let mut at = first_solid(text, 0)?;
    for &letter in b"include" {
        if fixed {
            at = first_solid(text, at)?;
        }
        if !text.get(at)?.eq_ignore_ascii_case(&letter) {
            return None;
        }
        at += 1;
    }
    let open = first_solid(text, at)?;
    let quote = text[open];
    if quote != b'\'' && quote != b'"' {
        return None;
    }
    let length = memchr::memchr(quote, &text[open + 1..])?;
    let close = open + 1 + length;
    let ends = first_solid(text, close + 1).is_none_or(|rest| text[rest] == b'!');
    (ends && length > 0).then_some(open + 1..close)
}

impl Reader<'_> {
    /// Reads the file of an `INCLUDE` line in its place.
    pub fn include_line(&mut self, card: &Card, name: std::ops::Range<usize>) {
        let span = card.span(name.start - 1..name.end + 1);
        let bytes = &card.text[name];
        let path = Path::new(OsStr::from_bytes(bytes));
        let name = String::from_utf8_lossy(bytes).into_owned();
        let (main, includer) = (self.directory_of(self.main), self.directory_of(self.innermost()));
        let file = match self.options.includer_first() {
            true => self.find(path, vec![includer, main, PathBuf::new()], Vec::new()),
            false => self.find(path, vec![main], vec![includer]),
        };
        self.includes.push(Include { span, file, name: name.clone() });
        let Some(file) = file else {
            self.missing(span, &name);
            return;
        };
        if self.opened.contains(&file) {
            self.report(
                Diagnostic::error(codes::INCLUDE_CYCLE, span, format!("`{name}` includes itself"))
                    .help("remove this line"),
            );
            return;
        }
        self.enter(file, span, false);
    }

    /// Reads a file in the place of a line.
    pub fn enter(&mut self, file: FileId, span: Span, preprocess: bool) {
        if self.opened.len() >= DEPTH_LIMIT {
            let message = "files include each other without end";
            self.report(Diagnostic::error(codes::INCLUDE_CYCLE, span, message));
            self.stopped = true;
            return;
        }
        self.size_bytes += self.files.get(file).bytes.len() as u64;
        if self.includes.len() > INCLUDE_LIMIT || self.size_bytes > SIZE_LIMIT {
            self.stop("included text");
            return;
        }
        let outer = std::mem::replace(&mut self.preprocess, preprocess);
        self.whole_file(file);
        self.preprocess = outer;
    }

    pub fn missing(&mut self, span: Span, name: &str) {
        if self.stopped {
            return;
        }
        let help = match Path::new(name).is_absolute() {
            true => "what it declares is not known here".to_owned(),
            false => format!("write `-I DIR` with the directory that contains `{name}`"),
        };
        let message = format!("the file `{name}` is not found");
        self.report(Diagnostic::warning(codes::MISSING_INCLUDE, span, message).help(help));
    }

    /// Searches the directories of `first`, those of the flags, and those of `last`. The compiler is asked
    /// for its own directories only if no other directory contains the file.
    pub fn find(&mut self, name: &Path, first: Vec<PathBuf>, last: Vec<PathBuf>) -> Option<FileId> {
        if name.is_absolute() {
            return self.load(name);
        }
        let options = self.options;
        let places = first.iter().chain(&options.include_directories).chain(&last);
        let found = places.map(|place| place.join(name)).find_map(|path| self.load(&path));
        if found.is_some() || self.stopped {
            return found;
        }
        options.system_directories().iter().find_map(|place| self.load(&place.join(name)))
    }

    /// The directory that a file is in.
    pub fn directory_of(&self, file: FileId) -> PathBuf {
        self.files.get(file).path.parent().unwrap_or(Path::new("")).to_owned()
    }

    pub fn innermost(&self) -> FileId {
        self.opened.last().copied().unwrap_or(self.main)
    }

    /// The file with this path, if it exists and can be read.
    pub fn load(&mut self, path: &Path) -> Option<FileId> {
        let data = std::fs::metadata(path).ok()?;
        if !data.is_file() || data.len() > SIZE_LIMIT {
            return None;
        }
        let place: PathBuf = path.canonicalize().ok()?;
        if let Some(&known) = self.known.get(&place) {
            return Some(known);
        }
        let bytes = std::fs::read(path).ok()?;
        let file = self.files.add(path, bytes);
        self.known.insert(place, file);
        Some(file)
    }
}

/// A fast check of whether a line can be an `INCLUDE` line.
pub fn may_include(text: &[u8]) -> bool {
    let first = text.iter().find(|&&byte| !is_blank(byte));
    matches!(first, Some(b'i' | b'I'))
}
