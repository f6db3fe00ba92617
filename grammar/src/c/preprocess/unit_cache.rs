//! What the units of a program with the same compiler and flags share.
//!
//! Input: the paths and the files that a unit reads, and its state after its first includes.
//! Output: the same for the next unit.
//! Postcondition: a unit has the same tokens with and without the cache. Names may have other numbers.

use std::io::ErrorKind;
use std::path::PathBuf;
use std::rc::Rc;

use cppc_source::{FileId, Files};
use rustc_hash::FxHashMap;

use super::macros::Macros;
use super::read_headers::{FoundHeader, ReadHeaders};
use crate::c::language::Language;
use crate::c::lexer::{self, Lexed};
use crate::c::token::{Name, Preprocessed};

#[derive(Debug, Default)]
pub struct UnitCache {
    /// The file of each path. `None` if there is no such file.
    paths: FxHashMap<PathBuf, Option<FileId>>,
    /// The number of files whose paths are known.
    known_files: usize,
    /// The tokens of the headers.
    lexed: FxHashMap<FileId, Rc<Lexed>>,
    /// The states after the headers that units include first. `None` if only one unit has been in that state.
    preambles: FxHashMap<Vec<FoundHeader>, Option<Rc<Preamble>>>,
    stored_preambles: usize,
}

/// A state has about a megabyte.
const PREAMBLES_LIMIT: usize = 64;

/// The state of a unit after its first includes, without what depends on the including file.
#[derive(Debug)]
pub struct Preamble {
    pub out: Preprocessed,
    pub macros: Macros,
    pub read: ReadHeaders,
    pub assertions: Vec<(Name, String)>,
    pub counter: u32,
    pub work: u64,
    pub includes: u32,
    pub bytes_read: u64,
}

/// A header that exists but cannot be read.
#[derive(Debug)]
pub struct Unreadable {
    pub path: PathBuf,
    pub error: std::io::Error,
}

impl UnitCache {
    /// The file at a path, if there is one.
    ///
    /// # Errors
    /// If it exists and cannot be read.
    pub fn open(&mut self, files: &mut Files, path: PathBuf) -> Result<Option<FileId>, Unreadable> {
        for file in files.ids().skip(self.known_files) {
            self.paths.insert(files.get(file).path.clone(), Some(file));
            self.known_files += 1;
        }
        if let Some(&file) = self.paths.get(&path) {
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
        self.paths.insert(path, file);
        Ok(file)
    }

    /// The tokens of a file.
    pub fn lexed(&mut self, file: FileId, bytes: &[u8], language: Language) -> Rc<Lexed> {
        self.lexed.entry(file).or_insert_with(|| Rc::new(lexer::lex(bytes, language))).clone()
    }

    /// The state after the most of these headers, and their number.
    pub fn longest_preamble(&self, headers: &[FoundHeader]) -> Option<(usize, Rc<Preamble>)> {
        (0..=headers.len()).rev().find_map(|count| {
            let preamble = self.preambles.get(&headers[..count])?.as_ref()?;
            Some((count, Rc::clone(preamble)))
        })
    }

    /// Notes that a unit has read these headers. Returns whether the state should be stored: all units have the one without
    /// headers, and of the others, those that a second unit has.
    pub fn wants_preamble(&mut self, headers: &[FoundHeader]) -> bool {
        match self.preambles.get(headers) {
            Some(stored) => stored.is_none() && self.stored_preambles < PREAMBLES_LIMIT,
            None => {
                self.preambles.insert(headers.to_vec(), None);
                headers.is_empty()
            }
        }
    }

    /// The number of states that are stored.
    pub fn preambles(&self) -> usize {
        self.stored_preambles
    }

    pub fn store_preamble(&mut self, headers: &[FoundHeader], preamble: Preamble) {
        self.preambles.insert(headers.to_vec(), Some(Rc::new(preamble)));
        self.stored_preambles += 1;
    }
}
