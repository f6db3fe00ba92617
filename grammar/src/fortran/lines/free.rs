//! Free form: statements that end with their line unless `&` says otherwise.

use cppc_source::Diagnostic;

use super::card::{first_solid, is_blank, Card};
use super::codes;
use super::context::{Context, Stop};
use super::draft::Draft;
use super::fixed::extended;
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
        if self.draft.is_some() {
            self.free_continuation(card, solid);
            return;
        }
        self.lines.append(&mut self.held);
        self.draft = Some(Draft::new(LineKind::Statement, card.line));
        let from = self.free_label(card, solid);
        self.free_text(card, from);
    }

    fn free_continuation(&mut self, card: &Card, solid: usize) {
        let Some(draft) = &mut self.draft else { return };
        draft.span = extended(draft.span, card.line);
        let mut from = solid;
        if card.text[solid] == b'&' {
            from += 1;
            let rest = first_solid(card.text, from);
            if draft.context() == Context::Code && rest.is_none_or(|rest| card.text[rest] == b'!') {
                return;
            }
        } else if draft.context() == Context::Code && draft.text.last().is_some_and(|&byte| !is_blank(byte)) {
            // Without a second `&` no word goes on.
            let place = card.span(solid..solid);
            draft.fill(1, place);
        }
        self.free_text(card, from);
    }

    /// The label at the start of a statement; gives the place behind it.
    fn free_label(&mut self, card: &Card, from: usize) -> usize {
        let digits = card.text[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let behind = from + digits;
        match digits {
            0 => {}
            1..=5 => {
                let label = self.label(card, from, behind);
                if let Some(draft) = &mut self.draft {
                    draft.label = label;
                }
            }
            _ => {
                let span = card.span(from..behind);
                self.report(Diagnostic::warning(codes::BAD_LABEL, span, "a label of more than 5 digits"));
            }
        }
        behind
    }

    /// Adds the line from a place on.
    fn free_text(&mut self, card: &Card, from: usize) {
        let mut from = from;
        while let Some(semicolon) = self.free_part(card, from) {
            self.next_statement(card, semicolon, card.text.len());
            from = first_solid(card.text, semicolon + 1).unwrap_or(card.text.len());
            from = self.free_label(card, from);
        }
        if !self.draft.as_ref().is_some_and(|draft| draft.continued) {
            self.flush();
        }
    }

    /// Adds what is left of a line, up to a `;`, whose place it gives.
    fn free_part(&mut self, card: &Card, from: usize) -> Option<usize> {
        let draft = self.draft.as_mut()?;
        let mut from = from;
        if draft.text.is_empty() {
            from = first_solid(card.text, from).unwrap_or(card.text.len());
        }
        draft.continued = false;
        match draft.read(card, from..card.text.len(), true) {
            Stop::Comment(at) => self.trailing_comment(card, at),
            Stop::Semicolon(at) => return Some(at),
            Stop::Ampersand(mark) => {
                draft.continued = true;
                let comment = memchr::memchr(b'!', &card.text[mark..]);
                if let Some(comment) = comment.filter(|_| draft.context() == Context::Code) {
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
