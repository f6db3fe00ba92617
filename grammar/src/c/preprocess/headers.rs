//! Where headers are, and the files that were read.
//!
//! In: the name in an `#include`. Out: the file, read and lexed once however often it is included.
//! Holds afterwards: a path has one file in the table of files, in all units that share it.

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
    /// Those of `#include "…"` first.
    directories: Vec<PathBuf>,
    /// The first that `#include <…>` looks in.
    first_bracket: usize,
    /// By path: the file, or none where there is no such file.
    files: FxHashMap<PathBuf, Option<FileId>>,
    /// By file number: what is known of it.
    known: Vec<Known>,
    /// Which files on disk are not to be read again.
    once: Vec<(u64, u64)>,
}

#[derive(Debug, Clone, Default)]
struct Known {
    lexed: Option<Rc<Lexed>>,
    /// The macro that, when defined, makes the whole file empty.
    guard: Option<Name>,
    /// `#pragma once` stands in it.
    once: bool,
}

/// What an include looks for.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    pub name: &'a Path,
    /// The directory of the including file, for `#include "…"`.
    pub beside: Option<&'a Path>,
    /// The first directory to look in.
    pub from: usize,
}

/// A header, and where `#include_next` in it goes on.
#[derive(Debug, Clone, Copy)]
pub struct Found {
    pub file: FileId,
    pub next_directory: usize,
}

/// A header that is there and cannot be read.
#[derive(Debug)]
pub struct Unreadable {
    pub path: PathBuf,
    pub error: std::io::Error,
}

impl Headers {
    pub fn new(files: &Files, compiler: &Compiler) -> Headers {
        let directories =
            compiler.quote_directories.iter().chain(&compiler.bracket_directories).cloned();
        Headers {
            directories: directories.collect(),
            first_bracket: compiler.quote_directories.len(),
            files: files.ids().map(|id| (files.get(id).path.clone(), Some(id))).collect(),
            known: Vec::new(),
            once: Vec::new(),
        }
    }

    pub fn first_bracket(&self) -> usize {
        self.first_bracket
    }

    /// The directories that are searched from one on.
    pub fn directories(&self, from: usize) -> &[PathBuf] {
        self.directories.get(from..).unwrap_or_default()
    }

    pub fn find(&mut self, files: &mut Files, wanted: Wanted) -> Result<Option<Found>, Unreadable> {
        if wanted.name.is_absolute() {
            let file = self.open(files, wanted.name.to_path_buf())?;
            return Ok(file.map(|file| Found { file, next_directory: 0 }));
        }
        if let Some(beside) = wanted.beside {
            if let Some(file) = self.open(files, beside.join(wanted.name))? {
                return Ok(Some(Found { file, next_directory: 0 }));
            }
        }
        for at in wanted.from..self.directories.len() {
            let path = self.directories[at].join(wanted.name);
            if let Some(file) = self.open(files, path)? {
                return Ok(Some(Found { file, next_directory: at + 1 }));
            }
        }
        Ok(None)
    }

    fn open(&mut self, files: &mut Files, path: PathBuf) -> Result<Option<FileId>, Unreadable> {
        if let Some(&known) = self.files.get(&path) {
            return Ok(known);
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

    fn known(&mut self, file: FileId) -> &mut Known {
        let at = file.0 as usize;
        if self.known.len() <= at {
            self.known.resize_with(at + 1, Known::default);
        }
        &mut self.known[at]
    }

    /// The file's tokens, and whether they were made just now.
    pub fn lexed(&mut self, file: FileId, bytes: &Arc<[u8]>, language: Language) -> (Rc<Lexed>, bool) {
        let known = self.known(file);
        if let Some(lexed) = &known.lexed {
            return (lexed.clone(), false);
        }
        let lexed = Rc::new(lexer::lex(bytes, language));
        known.lexed = Some(lexed.clone());
        (lexed, true)
    }

    pub fn is_lexed(&self, file: FileId) -> bool {
        self.known.get(file.0 as usize).is_some_and(|known| known.lexed.is_some())
    }

    pub fn set_guard(&mut self, file: FileId, guard: Name) {
        self.known(file).guard = Some(guard);
    }

    pub fn guard(&mut self, file: FileId) -> Option<Name> {
        self.known(file).guard
    }

    pub fn set_once(&mut self, files: &Files, file: FileId) {
        self.known(file).once = true;
        self.once.extend(identity(&files.get(file).path));
    }

    /// Whether the file is one that may be read only once, under whatever name, and was read.
    pub fn is_over(&mut self, files: &Files, file: FileId) -> bool {
        if self.known(file).once {
            return true;
        }
        if self.once.is_empty() || self.is_lexed(file) {
            return false;
        }
        identity(&files.get(file).path).is_some_and(|identity| self.once.contains(&identity))
    }
}

/// What makes two paths lead to one file.
fn identity(path: &Path) -> Option<(u64, u64)> {
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.dev(), metadata.ino()))
}
