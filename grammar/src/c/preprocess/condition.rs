//! `#if` and related directives: which groups of lines are read.
//!
//! Input: the directive and the rest of its line.
//! Output: the position in the file at which reading continues.
//! Postcondition: in a skipped group only conditional directives were inspected.

use cppc_source::{Diagnostic, Span};

use super::state::{Conditional, Preprocessor};
use super::{codes, words};
use crate::c::lexer::{Piece, PieceKind};
use crate::c::token::Name;

impl Preprocessor<'_> {
    /// `#if`, `#ifdef`, `#ifndef`. `line` contains the tokens after the word.
    pub fn open_conditional(&mut self, word: Name, line: &[Piece], span: Span) {
        let holds = self.condition(word, line, span);
        self.conditionals.push(Conditional { span, taken: holds, seen_else: false });
        if !holds {
            self.skip();
        }
    }

    /// `#elif` and `#else` at the end of a group that was read. All other groups are skipped.
    pub fn next_group(&mut self, word: Name, span: Span) {
        if self.note_group(word, span) {
            if let Some(conditional) = self.conditionals.last_mut() {
                conditional.taken = true;
            }
            self.skip();
        }
    }

    pub fn close_conditional(&mut self, span: Span) {
        if self.conditionals.len() > self.buffer.conditionals {
            self.conditionals.pop();
        } else {
            self.stray_conditional("endif", span);
        }
    }

    fn stray_conditional(&mut self, word: &str, span: Span) {
        let text = format!("`#{word}` without `#if`");
        self.error(codes::STRAY_CONDITIONAL, span, text);
    }

    /// Returns whether another group may begin here, and reports an error if not.
    fn note_group(&mut self, word: Name, span: Span) -> bool {
        if self.conditionals.len() <= self.buffer.conditionals {
            let text = self.text(word).to_owned();
            self.stray_conditional(&text, span);
            return false;
        }
        let Some(conditional) = self.conditionals.last_mut() else { return false };
        let after_else = conditional.seen_else;
        conditional.seen_else |= word == words::ELSE;
        if after_else {
            let opened = conditional.span;
            let text = format!("`#{}` after `#else`", self.text(word));
            self.report(
                Diagnostic::error(codes::STRAY_CONDITIONAL, span, text)
                    .label(opened, "the conditional begins here"),
            );
        }
        true
    }

    /// Skips lines up to a group that is read, or up to the end of the `#endif`.
    fn skip(&mut self) {
        let mut depth = 0u32;
        let lexed = self.buffer.lexed.clone();
        let mut index = lexed.directives.partition_point(|&at| (at as usize) < self.buffer.at);
        while let Some(&at) = lexed.directives.get(index) {
            index += 1;
            let at = at as usize;
            let Some(word) = lexed.tokens.get(at + 1).and_then(|&word| self.directive_name(word)) else {
                continue;
            };
            match word {
                words::IF | words::IFDEF | words::IFNDEF => depth += 1,
                words::ENDIF if depth > 0 => depth -= 1,
                words::ENDIF => {
                    self.conditionals.pop();
                    self.buffer.at = at + line_length(&lexed.tokens[at..]);
                    return;
                }
                words::ELSE | words::ELIF | words::ELIFDEF | words::ELIFNDEF if depth == 0 => {
                    let length = line_length(&lexed.tokens[at..]);
                    self.buffer.at = at + length;
                    if self.begins_group(word, &lexed.tokens[at..at + length]) {
                        return;
                    }
                }
                _ => {}
            }
        }
        self.buffer.at = lexed.tokens.len();
    }

    /// True if the group after this `#elif` or `#else` is read.
    fn begins_group(&mut self, word: Name, line: &[Piece]) -> bool {
        let [hash, name, rest @ ..] = line else { return false };
        let span = Span { file: self.buffer.file, start: hash.start, end: name.end };
        if !self.note_group(word, span) {
            return false;
        }
        if self.conditionals.last().is_none_or(|conditional| conditional.taken) {
            return false;
        }
        let rest = rest.strip_suffix(&[*line.last().unwrap_or(hash)]).unwrap_or(rest);
        let word = match word {
            words::ELIF => words::IF,
            words::ELIFDEF => words::IFDEF,
            words::ELIFNDEF => words::IFNDEF,
            other => other,
        };
        let holds = word == words::ELSE || self.condition(word, rest, span);
        if let Some(conditional) = self.conditionals.last_mut() {
            conditional.taken = holds;
        }
        holds
    }

    fn condition(&mut self, word: Name, line: &[Piece], span: Span) -> bool {
        if word == words::IF {
            return self.evaluate(line, span);
        }
        let name = line.first().filter(|piece| piece.kind == PieceKind::Identifier);
        let Some(&name) = name else {
            let text = format!("`#{}` needs the name of a macro", self.text(word));
            self.error(codes::BAD_CONDITION, span, text);
            return false;
        };
        let name = self.name(name);
        self.macros.find(name).is_some() == (word == words::IFDEF)
    }
}

/// The number of tokens of a line, including its end.
pub fn line_length(tokens: &[Piece]) -> usize {
    let end = tokens.iter().position(|piece| piece.kind == PieceKind::Newline);
    end.map_or(tokens.len(), |end| end + 1)
}
