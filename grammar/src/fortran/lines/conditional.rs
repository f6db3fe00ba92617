//! Lines that begin with `#`: conditionals, macro definitions and includes.
//!
//! Input: such a line.
//! Output: the changed state.
//! Postcondition: in a branch that is not taken only conditional lines were inspected. Conditionals are
//! closed in the file that opened them.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use cppc_source::{Diagnostic, FileId, Span};

use super::card::first_solid;
use super::codes;
use super::expand::splice;
use super::macros::{name_at, COMMENT};
use super::state::{Conditional, Reader};
use crate::fortran::logical::Include;

impl Reader<'_> {
    pub fn is_skipping(&self) -> bool {
        self.conditionals.last().is_some_and(|conditional| !conditional.active)
    }

    /// Executes the line that begins at `start`. Returns the start of the next one.
    pub fn hash_line(&mut self, bytes: &[u8], file: FileId, start: usize) -> usize {
        let (text, next) = self.joined(bytes, file, start);
        let end = next - usize::from(next > start && bytes[next - 1] == b'\n');
        let end = end - usize::from(end > start && bytes[end - 1] == b'\r');
        let span = Span::new(file, start as u32, end as u32);
        let Some(at) = first_solid(&text, 1) else { return next };
        let Some(word) = name_at(&text, at) else {
            // `# 12 "file"`, in a text that has already been preprocessed.
            if !text[at].is_ascii_digit() && !self.is_skipping() {
                self.unknown(span);
            }
            return next;
        };
        self.execute_directive(word, &text[at + word.len()..], span);
        next
    }

    fn execute_directive(&mut self, word: &[u8], rest: &[u8], span: Span) {
        match word {
            b"if" | b"ifdef" | b"ifndef" => {
                let outer = !self.is_skipping();
                let holds = outer && self.holds(word, rest, span);
                let decided = !outer || holds;
                self.conditionals.push(Conditional { span, active: holds, decided, seen_else: false });
            }
            b"elif" | b"elifdef" | b"elifndef" | b"else" => self.next_branch(word, rest, span),
            b"endif" => {
                if self.conditionals.len() > self.outer_conditionals {
                    self.conditionals.pop();
                } else {
                    self.stray(word, span);
                }
            }
            _ if self.is_skipping() => {}
            b"define" => self.define(rest, span),
            b"undef" => match first_solid(rest, 0).and_then(|at| name_at(rest, at)) {
                Some(name) => {
                    self.load_predefined(name);
                    self.macros.undefine(name);
                }
                None => self.bad_definition(span),
            },
            b"include" => self.hash_include(rest, span),
            b"error" => self.said(Diagnostic::error(codes::ERROR_DIRECTIVE, span, ""), rest),
            b"warning" => self.said(Diagnostic::warning(codes::WARNING_DIRECTIVE, span, ""), rest),
            b"line" | b"pragma" | b"ident" | b"sccs" | b"assert" | b"unassert" => {}
            _ => self.unknown(span),
        }
    }

    fn said(&mut self, diagnostic: Diagnostic, rest: &[u8]) {
        let message = String::from_utf8_lossy(rest.trim_ascii()).into_owned();
        self.report(Diagnostic { message, ..diagnostic });
    }

    fn unknown(&mut self, span: Span) {
        let message = "the preprocessor has no such directive";
        self.report(Diagnostic::warning(codes::UNKNOWN_DIRECTIVE, span, message));
    }

    fn stray(&mut self, word: &[u8], span: Span) {
        let message = format!("`#{}` without `#if`", String::from_utf8_lossy(word));
        self.report(Diagnostic::error(codes::STRAY_CONDITIONAL, span, message));
    }

    fn next_branch(&mut self, word: &[u8], rest: &[u8], span: Span) {
        if self.conditionals.len() <= self.outer_conditionals {
            self.stray(word, span);
            return;
        }
        let wanted = match self.conditionals.last_mut() {
            Some(conditional) if conditional.seen_else => {
                let message = format!("`#{}` after `#else`", String::from_utf8_lossy(word));
                let opened = conditional.span;
                conditional.active = false;
                let diagnostic = Diagnostic::error(codes::STRAY_CONDITIONAL, span, message);
                self.report(diagnostic.label(opened, "the conditional begins here"));
                return;
            }
            Some(conditional) => {
                conditional.seen_else = word == b"else";
                conditional.active = false;
                !conditional.decided
            }
            None => return,
        };
        let word = match word {
            b"elifdef" => &b"ifdef"[..],
            b"elifndef" => b"ifndef",
            _ => word,
        };
        let holds = wanted && (word == b"else" || self.holds(word, rest, span));
        if let Some(conditional) = self.conditionals.last_mut() {
            conditional.active = holds;
            conditional.decided |= holds;
        }
    }

    fn holds(&mut self, word: &[u8], rest: &[u8], span: Span) -> bool {
        if matches!(word, b"if" | b"elif") {
            return self.condition(rest, span);
        }
        match first_solid(rest, 0).and_then(|at| name_at(rest, at)) {
            Some(name) => self.is_macro(name) == (word == b"ifdef"),
            None => {
                let message = format!("`#{}` needs the name of a macro", String::from_utf8_lossy(word));
                self.report(Diagnostic::error(codes::BAD_CONDITION, span, message));
                false
            }
        }
    }

    fn define(&mut self, rest: &[u8], span: Span) {
        if let Some(name) = first_solid(rest, 0).and_then(|at| name_at(rest, at)) {
            self.load_predefined(name);
        }
        if self.macros.read(rest).is_none() {
            self.bad_definition(span);
        }
    }

    fn bad_definition(&mut self, span: Span) {
        self.report(Diagnostic::error(codes::BAD_DEFINITION, span, "no macro is named here"));
    }

    fn hash_include(&mut self, rest: &[u8], span: Span) {
        let mut text = rest.trim_ascii().to_vec();
        if !matches!(text.first(), Some(b'"' | b'<')) {
            let mut expanded = Vec::new();
            self.rescan(&text, &mut Vec::new(), &mut expanded);
            text = expanded.trim_ascii().to_vec();
        }
        let close = if text.first() == Some(&b'<') { b'>' } else { b'"' };
        let end = text.get(1..).and_then(|rest| memchr::memchr(close, rest));
        let (Some(end), Some(b'"' | b'<')) = (end, text.first()) else {
            let diagnostic = Diagnostic::error(codes::BAD_DIRECTIVE, span, "expected the name of a file");
            self.report(diagnostic.help("write `#include \"name\"`"));
            return;
        };
        let name = &text[1..=end];
        let path = Path::new(OsStr::from_bytes(name));
        let beside = (close == b'"').then(|| self.directory_of(self.innermost()));
        let file = self.find(path, beside.into_iter().collect(), Vec::new());
        let name = String::from_utf8_lossy(name).into_owned();
        self.includes.push(Include { span, file, name: name.clone() });
        match file {
            Some(file) => self.enter(file, span, true),
            None => self.missing(span, &name),
        }
    }

    /// The line from `start` on, with spliced lines joined and comments replaced.
    fn joined(&mut self, bytes: &[u8], file: FileId, start: usize) -> (Vec<u8>, usize) {
        let mut text = Vec::new();
        let mut quote: Option<u8> = None;
        let mut at = start;
        while let Some(&byte) = bytes.get(at).filter(|&&byte| byte != b'\n') {
            if byte == b'\\' {
                if let Some(next) = splice(bytes, at) {
                    at = next;
                    continue;
                }
            }
            match quote {
                Some(open) => quote = Some(open).filter(|&open| open != byte),
                None if byte == b'/' && bytes.get(at + 1) == Some(&b'*') => {
                    if let Some(next) = self.behind_comment(bytes, file, at) {
                        text.push(COMMENT);
                        at = next;
                        continue;
                    }
                }
                None if matches!(byte, b'\'' | b'"') => quote = Some(byte),
                None => {}
            }
            text.push(byte);
            at += 1;
        }
        (text, (at + 1).min(bytes.len()))
    }
}
