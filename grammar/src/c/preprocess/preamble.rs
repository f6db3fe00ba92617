//! The includes with which a unit begins. Units with the same ones share the state after them.
//!
//! Input: the tokens of the main file, and the cache.
//! Output: the state after the first includes, which are not read again.
//! Postcondition: the state is the one that reading them gives.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use cppc_source::FileId;

use super::first_includes::FirstIncludes;
use super::headers::HeaderRequest;
use super::state::Preprocessor;
use super::unit_cache::Preamble;
use crate::c::lexer::{self, Lexed, Piece, PieceKind};
use crate::c::token::Preprocessed;

impl Preprocessor<'_> {
    /// Finds the first includes of the main file. A directive or a token of another kind ends them.
    pub fn find_first_includes(&mut self, main: FileId) {
        let bytes = self.files.get(main).bytes.clone();
        let lexed = self.cache.lexed(main, &bytes, self.language);
        let mut found = FirstIncludes { tokens: lexed.tokens.len(), ..FirstIncludes::default() };
        let mut at = 0;
        while let Some((header, quoted)) = include_at(&lexed, &bytes, at) {
            let directory = self.files.get(main).path.parent().map(Path::to_path_buf);
            let request = HeaderRequest {
                name: Path::new(OsStr::from_bytes(header)),
                including_directory: directory.as_deref().filter(|_| quoted),
                from: if quoted { 0 } else { self.headers.first_bracket() },
            };
            let Ok(Some(header)) = self.headers.find(self.files, self.cache, request) else { break };
            at += INCLUDE_TOKENS;
            found.headers.push(header);
            found.ends.push(at);
        }
        self.first_includes = found;
    }

    /// Continues where another unit was after its first includes. Returns the index of the next token of the main file, if
    /// there was such a unit.
    pub fn restore_preamble(&mut self) -> Option<usize> {
        let (count, preamble) = self.cache.longest_preamble(&self.first_includes.headers)?;
        let Preamble { out, macros, read, assertions, counter, work, includes, bytes_read } = &*preamble;
        let mut tokens = Vec::with_capacity(out.tokens.len() + self.first_includes.tokens);
        tokens.extend_from_slice(&out.tokens);
        self.out = Preprocessed {
            tokens,
            names: out.names.clone(),
            expansions: out.expansions.clone(),
            pragmas: out.pragmas.clone(),
            diagnostics: Vec::new(),
        };
        self.macros = macros.clone();
        self.headers.read = read.clone();
        self.assertions = assertions.clone();
        (self.counter, self.work) = (*counter, *work);
        (self.includes, self.bytes_read) = (*includes, *bytes_read);
        self.first_includes.count = count;
        Some(count.checked_sub(1).map_or(0, |last| self.first_includes.ends[last]))
    }

    /// Stores the state after the first includes that are read, if other units may have the same ones.
    pub fn store_preamble(&mut self) {
        let is_complete = self.contexts.is_empty() && self.conditionals.is_empty() && !self.collecting;
        let depends_on_unit = self.names_main || !self.out.diagnostics.is_empty() || self.stopped;
        let headers = &self.first_includes.headers[..self.first_includes.count];
        if !is_complete || depends_on_unit || !self.cache.wants_preamble(headers) {
            return;
        }
        let mut read = self.headers.read.clone();
        read.forget(self.main);
        let preamble = Preamble {
            out: self.out.clone(),
            macros: self.macros.clone(),
            read,
            assertions: self.assertions.clone(),
            counter: self.counter,
            work: self.work,
            includes: self.includes,
            bytes_read: self.bytes_read,
        };
        self.cache.store_preamble(headers, preamble);
    }
}

/// `#`, `include`, the header, and the end of the line.
const INCLUDE_TOKENS: usize = 4;

/// The header of the `#include` that begins at a token, and whether it is in quotes.
fn include_at<'b>(lexed: &Lexed, bytes: &'b [u8], at: usize) -> Option<(&'b [u8], bool)> {
    let [hash, word, header, end] = lexed.tokens.get(at..at + INCLUDE_TOKENS)? else { return None };
    let is_include = hash.kind == lexer::HASH
        && bytes.get(word.range()) == Some(b"include")
        && header.kind == PieceKind::Header
        && header.flags & (Piece::CUT | Piece::ESCAPED) == 0
        && end.kind == PieceKind::Newline;
    match bytes.get(header.range()).filter(|_| is_include)? {
        [b'<', name @ .., b'>'] => Some((name, false)),
        [b'"', name @ .., b'"'] => Some((name, true)),
        _ => None,
    }
}
