//! Reads the stack of included files as one sequence of tokens.
//!
//! Input: the stack of files.
//! Output: lexemes of text lines.
//! Postcondition: a directive has been executed when the lexeme after it is read.

use std::rc::Rc;

use cppc_source::{Diagnostic, FileId, Span};

use super::lexeme::Lexeme;
use super::state::{Buffer, Preprocessor};
use super::{codes, words};
use crate::c::lexer::{self, Lexed, Piece, PieceKind};
use crate::c::token::Name;

impl Preprocessor<'_> {
    /// The next lexeme of the files. `End` at the end of the unit, and at the end of a file that may not end
    /// here.
    pub fn read_file(&mut self) -> Lexeme {
        loop {
            if self.first_includes.next_end() == Some(self.buffer.at) && self.is_in_main() {
                self.first_includes.count += 1;
                self.store_preamble();
            }
            let Some(&piece) = self.buffer.lexed.tokens.get(self.buffer.at) else {
                if self.stopped || self.collecting || !self.leave() {
                    return Lexeme::end(self.buffer.end());
                }
                continue;
            };
            match piece.kind {
                PieceKind::Newline | PieceKind::Space => self.buffer.at += 1,
                lexer::HASH if piece.has(Piece::FIRST) => {
                    self.directive();
                    if self.stopped {
                        return Lexeme::end(self.buffer.end());
                    }
                }
                _ => {
                    self.buffer.at += 1;
                    return self.lexeme(piece);
                }
            }
        }
    }

    /// True if the next token of the file is `(`. Text after a directive is not inspected.
    pub fn parenthesis_follows_in_file(&self) -> bool {
        let rest = self.buffer.lexed.tokens.get(self.buffer.at..).unwrap_or_default();
        let next = rest.iter().find(|piece| piece.kind != PieceKind::Newline);
        next.is_some_and(|piece| piece.kind == lexer::LEFT_PAREN)
    }

    /// Makes this file the current one.
    pub fn enter(&mut self, file: FileId, next_directory: usize, included_at: Option<Span>) {
        if !self.headers.read.is_read(file) && !self.may_read(file) {
            return;
        }
        let is_new = self.headers.read.enter(file);
        let bytes = self.files.get(file).bytes.clone();
        let lexed = self.cache.lexed(file, &bytes, self.language);
        let mut buffer = Buffer::new(file, bytes, lexed.clone(), next_directory);
        buffer.conditionals = self.conditionals.len();
        buffer.included_at = included_at;
        let old = std::mem::replace(&mut self.buffer, buffer);
        if included_at.is_some() {
            self.including.push(old);
        }
        if !is_new {
            return;
        }
        if let Some(comment) = lexed.open_comment {
            let place = Span { file, start: comment.start, end: comment.start + 2 };
            let diagnostic = Diagnostic::error(codes::OPEN_COMMENT, place, "the comment does not end");
            self.report(diagnostic.help("close it with `*/`"));
        }
        if let Some(guard) = self.find_guard(&lexed) {
            self.headers.read.set_guard(file, guard);
        }
    }

    fn is_in_main(&self) -> bool {
        self.including.is_empty() && self.buffer.file == self.main
    }

    /// Returns to the including file. False if there is none.
    fn leave(&mut self) -> bool {
        self.close_conditionals();
        match self.including.pop() {
            Some(buffer) => {
                self.buffer = buffer;
                true
            }
            None => false,
        }
    }

    /// Reports the `#if` directives of the file that have no `#endif`.
    fn close_conditionals(&mut self) {
        while self.conditionals.len() > self.buffer.conditionals {
            if let Some(open) = self.conditionals.pop() {
                let text = "the conditional does not end";
                let diagnostic = Diagnostic::error(codes::OPEN_CONDITIONAL, open.span, text);
                self.report(diagnostic.help("close it with `#endif`"));
            }
        }
    }

    /// The macro of `#ifndef NAME … #endif` around the whole file.
    fn find_guard(&mut self, lexed: &Rc<Lexed>) -> Option<Name> {
        let [hash, word, name, end, ..] = lexed.tokens.as_slice() else { return None };
        let opens = hash.kind == lexer::HASH
            && name.kind == PieceKind::Identifier
            && end.kind == PieceKind::Newline
            && self.directive_name(*word) == Some(words::IFNDEF);
        if !opens || lexed.directives.first() != Some(&0) {
            return None;
        }
        let mut depth = 0;
        for (index, &at) in lexed.directives.iter().enumerate() {
            let Some(&word) = lexed.tokens.get(at as usize + 1) else { continue };
            match self.directive_name(word) {
                Some(words::IF | words::IFDEF | words::IFNDEF) => depth += 1,
                Some(words::ENDIF) => depth -= 1,
                Some(words::ELSE | words::ELIF | words::ELIFDEF | words::ELIFNDEF) if depth == 1 => {
                    return None;
                }
                _ => {}
            }
            if depth == 0 {
                let last = index + 1 == lexed.directives.len();
                let line = &lexed.tokens[at as usize..];
                let length = line.iter().position(|piece| piece.kind == PieceKind::Newline)? + 1;
                return (last && length == line.len()).then(|| self.name(*name));
            }
        }
        None
    }

    /// The word after `#`.
    pub fn directive_name(&mut self, piece: Piece) -> Option<Name> {
        (piece.kind == PieceKind::Identifier).then(|| self.name(piece))
    }
}
