//! Searches for headers.
//!
//! Input: the name in an `#include`.
//! Output: the file.
//! Postcondition: each path has one file in the table of files, in all units that share the table.

use std::path::{Path, PathBuf};

use cppc_source::Files;

use super::compiler::Compiler;
use super::read_headers::{FoundHeader, ReadHeaders};
use super::unit_cache::{UnitCache, Unreadable};

#[derive(Debug)]
pub struct Headers {
    /// The directories, beginning with those of `#include "…"` only.
    directories: Vec<PathBuf>,
    /// The index of the first directory that `#include <…>` searches.
    first_bracket: usize,
    pub read: ReadHeaders,
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
