//! Free form: a statement ends with its line unless `&` continues it.

use cppc_source::Diagnostic;

use super::card::{first_solid, is_blank, Card};
use super::codes;
use super::context::{Context, Stop};
use super::fixed::extended;
use super::partial_line::PartialLine;
use super::state::Reader;
use crate::fortran::logical::LineKind;

impl Reader<'_> {
    pub fn free_card(&mut self, card: &Card) {
        let text = card.text;
        let Some(mut solid) = first_solid(text, 0) else { return };
        if text[solid] == b'!' {
            if !(self.options.conditional_lines && is_conditional(&text[solid..])) {
                self.comment(card, solid, false);
                return;
            }
            match first_solid(text, solid + 2) {
                Some(behind) => solid = behind,
                None => return,
            }
        }
        self.close_directive();
        if self.partial_line.is_some() {
            self.free_continuation(card, solid);
            return;
        }
        self.lines.append(&mut self.held);
        self.partial_line = Some(PartialLine::new(LineKind::Statement, card.line));
        let from = self.free_label(card, solid);
        self.free_text(card, from);
    }

    fn free_continuation(&mut self, card: &Card, solid: usize) {
        let Some(partial_line) = &mut self.partial_line else { return };
        partial_line.span = extended(partial_line.span, card.line);
        let mut from = solid;
        if card.text[solid] == b'&' {
            from += 1;
            let rest = first_solid(card.text, from);
            if partial_line.context() == Context::Code && rest.is_none_or(|rest| card.text[rest] == b'!') {
                return;
            }
        } else if partial_line.context() == Context::Code
            && partial_line.text.last().is_some_and(|&byte| !is_blank(byte))
        {
            // A word is continued only with a second `&`.
            let place = card.span(solid..solid);
            partial_line.fill(1, place);
        }
        self.free_text(card, from);
    }

    /// Reads the label at the start of a statement. Returns the offset after it.
    fn free_label(&mut self, card: &Card, from: usize) -> usize {
        let digits = card.text[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let behind = from + digits;
        match digits {
            0 => {}
            1..=5 => {
                let label = self.label(card, from, behind);
                if let Some(partial_line) = &mut self.partial_line {
                    partial_line.label = label;
                }
            }
            _ => {
                let span = card.span(from..behind);
                self.report(Diagnostic::warning(codes::BAD_LABEL, span, "a label of more than 5 digits"));
            }
        }
        behind
    }

    /// Adds the line from an offset on.
    fn free_text(&mut self, card: &Card, from: usize) {
        let mut from = from;
        while let Some(semicolon) = self.free_part(card, from) {
            self.next_statement(card, semicolon, card.text.len());
            from = first_solid(card.text, semicolon + 1).unwrap_or(card.text.len());
            from = self.free_label(card, from);
        }
        if !self.partial_line.as_ref().is_some_and(|partial_line| partial_line.continued) {
            self.flush();
        }
    }

    /// Adds the rest of a line, up to a `;`. Returns the position of the `;`.
    fn free_part(&mut self, card: &Card, from: usize) -> Option<usize> {
        let partial_line = self.partial_line.as_mut()?;
        let mut from = from;
        if partial_line.text.is_empty() {
            from = first_solid(card.text, from).unwrap_or(card.text.len());
        }
        partial_line.continued = false;
        match partial_line.read(card, from..card.text.len(), true) {
            Stop::Comment(at) => self.trailing_comment(card, at),
            Stop::Semicolon(at) => return Some(at),
            Stop::Ampersand(mark) => {
                partial_line.continued = true;
                let comment = memchr::memchr(b'!', &card.text[mark..]);
                if let Some(comment) = comment.filter(|_| partial_line.context() == Context::Code) {
                    self.trailing_comment(card, mark + comment);
                }
            }
            Stop::End => {}
        }
        None
    }
}

/// `!$` and a blank.
fn is_conditional(comment: &[u8]) -> bool {
    comment.get(1) == Some(&b'$') && comment.get(2).is_none_or(|&byte| is_blank(byte))
}
