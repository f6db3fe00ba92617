//! Reads directives line by line.
//!
//! Input: comments with a CPPC sentinel.
//! Output: a logical line for each directive, without the sentinels.
//! Postcondition: a directive is in the main file and between two statements, or there is an error.

use cppc_source::{Diagnostic, Span};

use super::card::{first_solid, is_word, Card};
use super::codes;
use super::context::Stop;
use super::partial_line::PartialLine;
use super::sentinel::{self, Comment};
use super::state::{OpenDirective, Reader};
use crate::fortran::logical::LineKind;

impl Reader<'_> {
    /// Reads a comment that is alone on its line.
    pub fn comment(&mut self, card: &Card, at: usize, fixed: bool) {
        match sentinel::read(card.text, at, fixed) {
            Comment::Plain => {}
            Comment::Directive { text, mark } => self.directive_card(card, text, mark),
            Comment::Near | Comment::Misspelt => self.near_directive(card.span(at..card.text.len())),
        }
    }

    /// Reads a comment after a statement.
    pub fn trailing_comment(&mut self, card: &Card, at: usize) {
        if matches!(sentinel::read(card.text, at, false), Comment::Plain | Comment::Misspelt) {
            return;
        }
        let span = card.span(at..card.text.len());
        self.report(
            Diagnostic::error(codes::DIRECTIVE_BEHIND, span, "a directive after a statement")
                .help("write it on a separate line"),
        );
    }

    fn near_directive(&mut self, span: Span) {
        self.report(
            Diagnostic::warning(codes::NEAR_DIRECTIVE, span, "this comment is not a directive")
                .help("a directive begins with `!$cppc` and a blank; in a comment, leave the `$` out"),
        );
    }

    fn directive_card(&mut self, card: &Card, text: usize, mark: bool) {
        if card.file() != self.main {
            if !mark {
                self.included_directive(card, text);
            }
            return;
        }
        let goes_on = self.directive.as_ref().is_some_and(|open| mark || open.announced.is_some());
        if goes_on {
            self.continue_directive(card, text, mark);
            return;
        }
        if mark {
            let span = card.span(text - 1..text);
            self.report(
                Diagnostic::error(codes::NOTHING_CONTINUED, span, "this line continues no directive")
                    .help("a directive begins with `!$cppc` and a blank"),
            );
            return;
        }
        self.close_directive();
        if let Some(partial_line) = self.partial_line.as_ref().filter(|partial_line| partial_line.continued) {
            let span = partial_line.span;
            self.within_statement(card.line, span);
        }
        let partial_line = PartialLine::new(LineKind::Directive, card.line);
        self.directive = Some(OpenDirective { partial_line, announced: None, depth: 0, counted: 0 });
        self.extend_directive(card, text);
    }

    fn included_directive(&mut self, card: &Card, text: usize) {
        let start = first_solid(card.text, text).unwrap_or(card.text.len());
        let length = card.text[start..].iter().take_while(|&&byte| is_word(byte)).count();
        let word = String::from_utf8_lossy(&card.text[start..start + length]).to_ascii_lowercase();
        let word = if word.is_empty() { "!$cppc".to_owned() } else { word };
        let end = card.text.len();
        let span = card.span(start.min(end.saturating_sub(1))..end);
        self.report(
            Diagnostic::error(codes::INCLUDED_DIRECTIVE, span, format!("`{word}` is in an included file"))
                .help("move it into the source, or translate the included file by itself"),
        );
    }

    pub fn within_statement(&mut self, directive: Span, statement: Span) {
        self.report(
            Diagnostic::error(codes::DIRECTIVE_WITHIN, directive, "a directive within a statement")
                .label(statement, "the statement begins here and continues below")
                .help("write it before or after the statement"),
        );
    }

    /// Reads the next line of the open directive.
    pub fn continue_directive(&mut self, card: &Card, text: usize, mark: bool) {
        let Some(open) = &mut self.directive else { return };
        // A word is continued only if there are marks on both sides.
        if !(mark && open.announced.take().is_some()) {
            let place = card.span(text..text);
            open.partial_line.fill(1, place);
        }
        open.partial_line.span = open.partial_line.span.to(card.line);
        self.extend_directive(card, text);
    }

    fn extend_directive(&mut self, card: &Card, text: usize) {
        let Some(open) = &mut self.directive else { return };
        let from = match open.partial_line.text.is_empty() {
            true => first_solid(card.text, text).unwrap_or(card.text.len()),
            false => text,
        };
        let mut from = from;
        let stop = loop {
            match open.partial_line.read(card, from..card.text.len(), true) {
                Stop::Semicolon(at) => {
                    open.partial_line.add_byte(card, at);
                    from = at + 1;
                }
                stop => break stop,
            }
        };
        open.announced = match stop {
            Stop::Ampersand(mark) => Some(card.span(mark..mark + 1)),
            _ => None,
        };
        if open.announced.is_none() {
            open.partial_line.close_constant();
        }
    }

    /// True if a parenthesis of the directive is still open.
    pub fn directive_is_open(&mut self) -> bool {
        let Some(open) = &mut self.directive else { return false };
        let new = &open.partial_line.text[open.counted.min(open.partial_line.text.len())..];
        let count = |wanted: u8| new.iter().filter(|&&byte| byte == wanted).count() as i64;
        open.depth += count(b'(') - count(b')');
        open.counted = open.partial_line.text.len();
        open.depth > 0
    }
}
