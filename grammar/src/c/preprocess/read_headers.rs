//! The headers that a unit has read.
//!
//! Input: headers, in the order in which they are read.
//! Output: whether a header must be read again.
//! Postcondition: a header with `#pragma once` is read once. One with a guard is not read again while the guard is defined.

use std::os::unix::fs::MetadataExt as _;
use std::path::Path;

use cppc_source::{FileId, Files};

use crate::c::token::Name;

/// A header, and the directory at which `#include_next` in it continues.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FoundHeader {
    pub file: FileId,
    pub next_directory: usize,
}

/// The headers that a unit has read so far.
#[derive(Debug, Clone, Default)]
pub struct ReadHeaders {
    /// By file number.
    records: Vec<HeaderRecord>,
    /// The files on disk that must not be read again.
    once: Vec<(u64, u64)>,
}

#[derive(Debug, Clone, Default)]
struct HeaderRecord {
    /// The unit has read it.
    is_read: bool,
    /// If this macro is defined, the whole file is empty.
    guard: Option<Name>,
    /// The file contains `#pragma once`.
    once: bool,
}

impl ReadHeaders {
    fn record(&mut self, file: FileId) -> &mut HeaderRecord {
        let at = file.0 as usize;
        if self.records.len() <= at {
            self.records.resize_with(at + 1, HeaderRecord::default);
        }
        &mut self.records[at]
    }

    /// Notes that the file is read. Returns whether it was not read before.
    pub fn enter(&mut self, file: FileId) -> bool {
        !std::mem::replace(&mut self.record(file).is_read, true)
    }

    /// Forgets what is known about the file.
    pub fn forget(&mut self, file: FileId) {
        *self.record(file) = HeaderRecord::default();
    }

    pub fn is_read(&self, file: FileId) -> bool {
        self.records.get(file.0 as usize).is_some_and(|record| record.is_read)
    }

    pub fn set_guard(&mut self, file: FileId, guard: Name) {
        self.record(file).guard = Some(guard);
    }

    pub fn guard(&mut self, file: FileId) -> Option<Name> {
        self.record(file).guard
    }

    pub fn set_once(&mut self, files: &Files, file: FileId) {
        self.record(file).once = true;
        self.once.extend(identity(&files.get(file).path));
    }

    /// True if the file may be read only once, under any name, and was read.
    pub fn is_read_once(&mut self, files: &Files, file: FileId) -> bool {
        if self.record(file).once {
            return true;
        }
        if self.once.is_empty() || self.is_read(file) {
            return false;
        }
        identity(&files.get(file).path).is_some_and(|identity| self.once.contains(&identity))
    }
}

/// Two paths refer to the same file if this value is equal.
fn identity(path: &Path) -> Option<(u64, u64)> {
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.dev(), metadata.ino()))
}
