//! Searches for headers, and records which of them a unit has read.
//!
//! Input: the name in an `#include`.
//! Output: the file.
//! Postcondition: each path has one file in the table of files, in all units that share the table.

use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use cppc_source::{FileId, Files};

use super::compiler::Compiler;
use super::unit_cache::{UnitCache, Unreadable};
use crate::c::token::Name;

#[derive(Debug)]
pub struct Headers {
    /// The directories, beginning with those of `#include "…"` only.
    directories: Vec<PathBuf>,
    /// The index of the first directory that `#include <…>` searches.
    first_bracket: usize,
    pub read: ReadHeaders,
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

/// The header that an include names.
#[derive(Debug, Clone, Copy)]
pub struct HeaderRequest<'a> {
    pub name: &'a Path,
    /// The directory of the including file, for `#include "…"`.
    pub including_directory: Option<&'a Path>,
    /// The index of the first directory to search.
    pub from: usize,
}

/// A header, and the directory at which `#include_next` in it continues.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct FoundHeader {
    pub file: FileId,
    pub next_directory: usize,
}

impl Headers {
    pub fn new(compiler: &Compiler) -> Headers {
        let directories = compiler.quote_directories.iter().chain(&compiler.bracket_directories).cloned();
        Headers {
            directories: directories.collect(),
            first_bracket: compiler.quote_directories.len(),
            read: ReadHeaders::default(),
        }
    }

    pub fn first_bracket(&self) -> usize {
        self.first_bracket
    }

    /// The searched directories from this index on.
    pub fn directories(&self, from: usize) -> &[PathBuf] {
        self.directories.get(from..).unwrap_or_default()
    }

    pub fn find(
        &self,
        files: &mut Files,
        cache: &mut UnitCache,
        request: HeaderRequest,
    ) -> Result<Option<FoundHeader>, Unreadable> {
        if request.name.is_absolute() {
            let file = cache.open(files, request.name.to_path_buf())?;
            return Ok(file.map(|file| FoundHeader { file, next_directory: 0 }));
        }
        if let Some(including_directory) = request.including_directory {
            if let Some(file) = cache.open(files, including_directory.join(request.name))? {
                return Ok(Some(FoundHeader { file, next_directory: 0 }));
            }
        }
        for at in request.from..self.directories.len() {
            let path = self.directories[at].join(request.name);
            if let Some(file) = cache.open(files, path)? {
                return Ok(Some(FoundHeader { file, next_directory: at + 1 }));
            }
        }
        Ok(None)
    }
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
