//! Searches for headers and stores the files that were read.
//!
//! Input: the name in an `#include`.
//! Output: the file, which is read and lexed once even if it is included several times.
//! Postcondition: each path has one file in the table of files, in all units that share the table.

use std::io::ErrorKind;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

use cppc_source::{FileId, Files};
use rustc_hash::FxHashMap;

use super::compiler::Compiler;
use crate::c::language::Language;
use crate::c::lexer::{self, Lexed};
use crate::c::token::Name;

#[derive(Debug)]
pub struct Headers {
    /// The directories, beginning with those of `#include "…"` only.
    directories: Vec<PathBuf>,
    /// The index of the first directory that `#include <…>` searches.
    first_bracket: usize,
    /// The file of each path. `None` if there is no such file.
    files: FxHashMap<PathBuf, Option<FileId>>,
    /// Information about each file, by file number.
    records: Vec<HeaderRecord>,
    /// The files on disk that must not be read again.
    once: Vec<(u64, u64)>,
}

#[derive(Debug, Clone, Default)]
struct HeaderRecord {
    lexed: Option<Rc<Lexed>>,
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
#[derive(Debug, Clone, Copy)]
pub struct FoundHeader {
    pub file: FileId,
    pub next_directory: usize,
}

/// A header that exists but cannot be read.
#[derive(Debug)]
pub struct Unreadable {
    pub path: PathBuf,
    pub error: std::io::Error,
}

impl Headers {
    pub fn new(files: &Files, compiler: &Compiler) -> Headers {
        let directories = compiler.quote_directories.iter().chain(&compiler.bracket_directories).cloned();
        Headers {
            directories: directories.collect(),
            first_bracket: compiler.quote_directories.len(),
            files: files.ids().map(|id| (files.get(id).path.clone(), Some(id))).collect(),
            records: Vec::new(),
            once: Vec::new(),
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
        &mut self,
        files: &mut Files,
        request: HeaderRequest,
    ) -> Result<Option<FoundHeader>, Unreadable> {
        if request.name.is_absolute() {
            let file = self.open(files, request.name.to_path_buf())?;
            return Ok(file.map(|file| FoundHeader { file, next_directory: 0 }));
        }
        if let Some(including_directory) = request.including_directory {
            if let Some(file) = self.open(files, including_directory.join(request.name))? {
                return Ok(Some(FoundHeader { file, next_directory: 0 }));
            }
        }
        for at in request.from..self.directories.len() {
            let path = self.directories[at].join(request.name);
            if let Some(file) = self.open(files, path)? {
                return Ok(Some(FoundHeader { file, next_directory: at + 1 }));
            }
        }
        Ok(None)
    }

    fn open(&mut self, files: &mut Files, path: PathBuf) -> Result<Option<FileId>, Unreadable> {
        if let Some(&file) = self.files.get(&path) {
            return Ok(file);
        }
        let file = match std::fs::read(&path) {
            Ok(bytes) if u32::try_from(bytes.len()).is_ok() => Some(files.add(&path, bytes)),
            Ok(_) => {
                let error = std::io::Error::new(ErrorKind::FileTooLarge, "larger than 4 GiB");
                return Err(Unreadable { path, error });
            }
            Err(error) => match error.kind() {
                ErrorKind::NotFound | ErrorKind::NotADirectory | ErrorKind::IsADirectory => None,
                _ => return Err(Unreadable { path, error }),
            },
        };
        self.files.insert(path, file);
        Ok(file)
    }

    fn record(&mut self, file: FileId) -> &mut HeaderRecord {
        let at = file.0 as usize;
        if self.records.len() <= at {
            self.records.resize_with(at + 1, HeaderRecord::default);
        }
        &mut self.records[at]
    }

    /// The tokens of the file, and whether they were lexed now.
    pub fn lexed(&mut self, file: FileId, bytes: &Arc<[u8]>, language: Language) -> (Rc<Lexed>, bool) {
        let record = self.record(file);
        if let Some(lexed) = &record.lexed {
            return (lexed.clone(), false);
        }
        let lexed = Rc::new(lexer::lex(bytes, language));
        record.lexed = Some(lexed.clone());
        (lexed, true)
    }

    pub fn is_lexed(&self, file: FileId) -> bool {
        self.records.get(file.0 as usize).is_some_and(|record| record.lexed.is_some())
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
        if self.once.is_empty() || self.is_lexed(file) {
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
