//! `#include`, `#include_next` and `__has_include`.
//!
//! Input: the name in the directive.
//! Output: the file is read next.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use cppc_source::{Diagnostic, Span};

use super::headers::HeaderRequest;
use super::lexeme::{Kind, Lexeme};
use super::macros::Builtin;
use super::read_headers::FoundHeader;
use super::state::Preprocessor;
use super::unit_cache::Unreadable;
use super::{codes, words};
use crate::c::lexer::{Piece, PieceKind};
use crate::c::token::Name;

/// The limit of gcc.
const DEPTH_LIMIT: usize = 200;

/// Only files that include themselves exceed this number.
const COUNT_LIMIT: u32 = 100_000;

/// The name of a header in a directive.
struct HeaderName {
    name: PathBuf,
    quoted: bool,
    span: Span,
}

impl Preprocessor<'_> {
    /// `line` contains the tokens after the word of the directive.
    pub fn include(&mut self, word: Name, line: &[Piece], directive: Span) {
        let Some(header_name) = self.header_name(line, directive) else { return };
        if self.collecting {
            let text = "`#include` among the arguments of a macro";
            let diagnostic = Diagnostic::error(codes::BAD_DIRECTIVE, directive, text);
            self.report(diagnostic.help("include the file before the macro is used"));
            return;
        }
        if self.including.len() >= DEPTH_LIMIT {
            let text = "files include each other without end";
            self.stop(
                Diagnostic::error(codes::INCLUDE_DEPTH, directive, text)
                    .note(format!("the limit is {DEPTH_LIMIT} files inside each other")),
            );
            return;
        }
        self.includes += 1;
        if self.includes > COUNT_LIMIT {
            let text = format!("more than {COUNT_LIMIT} files are included");
            self.stop(Diagnostic::error(codes::LIMIT, directive, text));
            return;
        }
        let next = word == words::INCLUDE_NEXT;
        match self.search(&header_name, next) {
            Ok(Some(found)) => self.enter_header(word, found, directive),
            Ok(None) => self.report_missing(&header_name, next),
            Err(Unreadable { path, error }) => {
                let text = format!("`{}` cannot be read: {error}", path.display());
                self.error(codes::UNREADABLE, header_name.span, text);
            }
        }
    }

    fn enter_header(&mut self, word: Name, found: FoundHeader, directive: Span) {
        let guard = self.headers.read.guard(found.file);
        let guarded = guard.is_some_and(|guard| self.macros.find(guard).is_some());
        if guarded || self.headers.read.is_read_once(self.files, found.file) {
            return;
        }
        self.enter(found.file, found.next_directory, Some(directive));
        if word == words::IMPORT {
            self.headers.read.set_once(self.files, found.file);
        }
    }

    fn search(&mut self, header_name: &HeaderName, next: bool) -> Result<Option<FoundHeader>, Unreadable> {
        // In the main file `#include_next` is the same as `#include`.
        let next = next && !self.including.is_empty();
        let including_directory = self.files.get(self.buffer.file).path.parent().map(Path::to_path_buf);
        let from = match (next, header_name.quoted) {
            (true, _) => self.buffer.next_directory,
            (false, true) => 0,
            (false, false) => self.headers.first_bracket(),
        };
        let including_directory = including_directory.as_deref().filter(|_| header_name.quoted && !next);
        let request = HeaderRequest { name: &header_name.name, including_directory, from };
        self.headers.find(self.files, self.cache, request)
    }

    fn report_missing(&mut self, header_name: &HeaderName, next: bool) {
        let name = header_name.name.display().to_string();
        let from = if next { self.buffer.next_directory } else { 0 };
        let mut places: Vec<String> = Vec::new();
        let including_directory = self.files.get(self.buffer.file).path.parent();
        if let Some(including_directory) = including_directory.filter(|_| header_name.quoted && !next) {
            let including_directory = including_directory.display().to_string();
            places.push(if including_directory.is_empty() { ".".to_owned() } else { including_directory });
        }
        let directories = self.headers.directories(from).iter();
        places.extend(directories.map(|directory| directory.display().to_string()));
        let bare = !name.contains('/');
        let text = format!("the header `{name}` is not found");
        let diagnostic = Diagnostic::error(codes::MISSING_INCLUDE, header_name.span, text)
            .note(format!("searched in {}", places.join(", ")));
        self.report(match bare {
            true if name == "mpi.h" => {
                diagnostic.help("compile with `cppc-mpicc`, or name the MPI compiler: `CPPC_CC=mpicc`")
            }
            true => diagnostic.help(format!("write `-I DIR` with the directory that contains `{name}`")),
            false => {
                diagnostic.help(format!("write `-I DIR` with the directory from which `{name}` leads to it"))
            }
        });
    }

    /// The header that the line names, directly or after expansion.
    fn header_name(&mut self, line: &[Piece], directive: Span) -> Option<HeaderName> {
        if let Some(&piece) = line.first() {
            if piece.kind == PieceKind::Header {
                let lexeme = self.lexeme(piece);
                return self.checked(lexeme, &mut Vec::new(), directive);
            }
        }
        let depth = self.push_line(line);
        let mut first = self.next_solid();
        let mut rest = Vec::new();
        if first.is(words::LESS) {
            // The spellings up to `>`. A sequence of blanks becomes one blank.
            loop {
                let lexeme = self.next_solid();
                if lexeme.kind == Kind::End || lexeme.is(words::GREATER) {
                    rest.extend(lexeme.is(words::GREATER).then_some(b'>'));
                    break;
                }
                if lexeme.has(Lexeme::SPACED) {
                    rest.push(b' ');
                }
                self.spell(lexeme, &mut rest);
            }
        }
        self.close_contexts(depth);
        if let (Some(left), Some(right)) = (line.first(), line.last()) {
            first.span = Span { file: directive.file, start: left.start, end: right.end };
        }
        self.checked(first, &mut rest, directive)
    }

    fn checked(&mut self, first: Lexeme, rest: &mut Vec<u8>, directive: Span) -> Option<HeaderName> {
        let mut text = Vec::new();
        if first.kind != Kind::End {
            self.spell(first, &mut text);
        }
        text.append(rest);
        let (name, quoted) = match text.as_slice() {
            [b'<', name @ .., b'>'] => (name, false),
            [b'"', name @ .., b'"'] => (name, true),
            _ => (&[][..], false),
        };
        if name.is_empty() {
            let span = if first.kind == Kind::End { directive } else { first.span };
            let diagnostic = Diagnostic::error(codes::BAD_DIRECTIVE, span, "expected the name of a header");
            self.report(diagnostic.help("write `<name.h>` or `\"name.h\"`"));
            return None;
        }
        let name = PathBuf::from(OsStr::from_bytes(name));
        Some(HeaderName { name, quoted, span: first.span })
    }

    /// `__has_include(…)` in a condition.
    pub fn has_include(&mut self, name: Lexeme, builtin: Builtin) -> Option<bool> {
        if !self.parenthesis_follows() {
            return self.no_parenthesis(name);
        }
        self.next_solid_unexpanded();
        let mut first = self.next_solid();
        let mut rest = Vec::new();
        if first.is(words::LESS) {
            loop {
                let lexeme = self.next_solid();
                if lexeme.kind == Kind::End {
                    return self.no_parenthesis(name);
                }
                self.spell(lexeme, &mut rest);
                if lexeme.is(words::GREATER) {
                    break;
                }
            }
        }
        if first.kind == Kind::End {
            first.span = name.span;
        }
        let header_name = self.checked(first, &mut rest, name.span)?;
        // `__has_embed` has parameters after the name.
        loop {
            let lexeme = self.next_solid_unexpanded();
            if lexeme.is(words::RIGHT_PAREN) {
                break;
            }
            if lexeme.kind == Kind::End || builtin != Builtin::HasEmbed {
                return self.no_parenthesis(name);
            }
        }
        let next = builtin == Builtin::HasIncludeNext;
        Some(matches!(self.search(&header_name, next), Ok(Some(_))))
    }

    fn next_solid_unexpanded(&mut self) -> Lexeme {
        loop {
            let lexeme = self.next_unexpanded();
            if lexeme.kind != Kind::Padding {
                return lexeme;
            }
        }
    }
}
