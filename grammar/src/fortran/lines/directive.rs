//! Directives, line by line.
//!
//! In: comments with our sentinel. Out: a logical line for each directive, without the sentinels.
//! Holds afterwards: a directive stands in the main file and between two statements, or there is
//! an error.

use cppc_source::{Diagnostic, Span};

use super::card::{first_solid, is_word, Card};
use super::codes;
use super::context::Stop;
use super::draft::Draft;
use super::sentinel::{self, Comment};
use super::state::{OpenDirective, Reader};
use crate::fortran::logical::LineKind;

impl Reader<'_> {
    /// A comment that stands alone on its line.
    pub fn comment(&mut self, card: &Card, at: usize, fixed: bool) {
        match sentinel::read(card.text, at, fixed) {
            Comment::Plain => {}
            Comment::Directive { text, mark } => self.directive_card(card, text, mark),
            Comment::Near | Comment::Misspelt => self.near_directive(card.span(at..card.text.len())),
        }
    }

    /// A comment behind a statement.
    pub fn trailing_comment(&mut self, card: &Card, at: usize) {
        if matches!(sentinel::read(card.text, at, false), Comment::Plain | Comment::Misspelt) {
            return;
        }
        let span = card.span(at..card.text.len());
        self.report(
            Diagnostic::error(codes::DIRECTIVE_BEHIND, span, "a directive behind a statement")
                .help("put it into a line of its own"),
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
                Diagnostic::error(codes::NOTHING_CONTINUED, span, "no directive that this continues")
                    .help("a directive begins with `!$cppc` and a blank"),
            );
            return;
        }
        self.close_directive();
        if let Some(draft) = self.draft.as_ref().filter(|draft| draft.continued) {
            let span = draft.span;
            self.within_statement(card.line, span);
        }
        let draft = Draft::new(LineKind::Directive, card.line);
        self.directive = Some(OpenDirective { draft, announced: None, depth: 0, counted: 0 });
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
            Diagnostic::error(codes::INCLUDED_DIRECTIVE, span, format!("`{word}` stands in an included file"))
                .help("move it into the source, or translate the included file by itself"),
        );
    }

    pub fn within_statement(&mut self, directive: Span, statement: Span) {
        self.report(
            Diagnostic::error(codes::DIRECTIVE_WITHIN, directive, "a directive within a statement")
                .label(statement, "the statement begins here and goes on below")
                .help("put it before or behind the statement"),
        );
    }

    /// The next line of the directive that is open.
    pub fn continue_directive(&mut self, card: &Card, text: usize, mark: bool) {
        let Some(open) = &mut self.directive else { return };
        // Only with marks on both sides a word may go on.
        if !(mark && open.announced.take().is_some()) {
            let place = card.span(text..text);
            open.draft.fill(1, place);
        }
        open.draft.span = open.draft.span.to(card.line);
        self.extend_directive(card, text);
    }

    fn extend_directive(&mut self, card: &Card, text: usize) {
        let Some(open) = &mut self.directive else { return };
        let from = match open.draft.text.is_empty() {
            true => first_solid(card.text, text).unwrap_or(card.text.len()),
            false => text,
        };
        let mut from = from;
        let stop = loop {
            match open.draft.read(card, from..card.text.len(), true) {
                Stop::Semicolon(at) => {
                    open.draft.add_byte(card, at);
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
            open.draft.close_constant();
        }
    }

    /// Whether a parenthesis of the directive is still open.
    pub fn directive_is_open(&mut self) -> bool {
        let Some(open) = &mut self.directive else { return false };
        let new = &open.draft.text[open.counted.min(open.draft.text.len())..];
        let count = |wanted: u8| new.iter().filter(|&&byte| byte == wanted).count() as i64;
        open.depth += count(b'(') - count(b')');
        open.counted = open.draft.text.len();
        open.depth > 0
    }
}
