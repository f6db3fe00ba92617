//! Fixed form: the meaning of the columns of a line.
//!
//! Input: lines.
//! Output: statements, combined from their lines.
//! Postcondition: a character constant that continues on the next line contains all columns of this line.

use cppc_source::{Diagnostic, Span};

use super::card::{first_solid, is_blank, Card};
use super::codes;
use super::context::{Context, Stop};
use super::options::DebugLines;
use super::partial_line::PartialLine;
use super::state::Reader;
use crate::directive_words::begins_with_sentinel;
use crate::fortran::logical::{Label, LineKind};

/// The columns of a line that is not a comment.
struct Columns {
    /// The end of columns 1 to 5.
    label_end: usize,
    /// The offset of column 6, if it marks a continuation.
    mark: Option<usize>,
    /// The offset of column 7, and that of the first column that is ignored.
    body: usize,
    end: usize,
    /// The number of columns of a full line.
    full: usize,
}

impl Reader<'_> {
    pub fn fixed_card(&mut self, card: &Card, columns: u32) {
        let text = card.text;
        let Some(&first) = text.first() else { return };
        let mut blanked = None;
        match first {
            b'c' | b'C' | b'*' | b'!' => {
                if !(self.options.conditional_lines && is_conditional(text)) {
                    self.comment(card, 0, true);
                    return;
                }
                blanked = Some(2);
            }
            b'd' | b'D' => match self.options.debug_lines {
                DebugLines::Comments => return,
                DebugLines::Code => blanked = Some(1),
            },
            _ => {}
        }
        let start = blanked.unwrap_or(0);
        let Some(solid) = first_solid(text, start) else { return };
        let places = measure(text, columns);
        if text[solid] == b'!' && places.mark != Some(solid) {
            self.comment(card, solid, true);
            return;
        }
        if solid >= places.end && places.mark.is_none() {
            return;
        }
        match places.mark {
            Some(mark) => {
                self.no_label(card, start, &places);
                self.fixed_continuation(card, &places, mark);
            }
            None => self.fixed_initial(card, &places, start),
        }
    }

    fn fixed_initial(&mut self, card: &Card, places: &Columns, from: usize) {
        self.flush();
        let mut partial_line = PartialLine::new(LineKind::Statement, card.line);
        partial_line.label = self.label(card, from, places.label_end);
        self.partial_line = Some(partial_line);
        self.fixed_text(card, places, places.body);
    }

    fn fixed_continuation(&mut self, card: &Card, places: &Columns, mark: usize) {
        let behind = card.text[mark..].strip_prefix(b"!$");
        if behind.is_some_and(begins_with_sentinel) {
            let span = card.span(mark..card.text.len());
            self.report(
                Diagnostic::error(codes::NEAR_DIRECTIVE, span, "column 6 does not begin a comment")
                    .because("this line continues the one before")
                    .help("begin the directive in another column"),
            );
        }
        if self.directive_is_open() {
            self.continue_directive(card, mark + 1, true);
            return;
        }
        let Some(partial_line) = &mut self.partial_line else {
            let span = card.span(mark..mark + 1);
            self.report(
                Diagnostic::warning(codes::NOTHING_CONTINUED, span, "this line continues no statement")
                    .because("column 6 marks a continuation"),
            );
            self.fixed_initial(card, places, mark);
            return;
        };
        let statement = partial_line.span;
        partial_line.span = extended(partial_line.span, card.line);
        if self.directive.is_some() || !self.held.is_empty() {
            self.close_directive();
            if let Some(span) = self.held.first().map(|line| line.span) {
                self.within_statement(span, statement);
            }
            // There is an error, so the order of these lines no longer matters.
            self.lines.append(&mut self.held);
        }
        self.fixed_text(card, places, places.body);
    }

    /// Compilers ignore the text before the mark.
    fn no_label(&mut self, card: &Card, from: usize, places: &Columns) {
        let to = places.label_end.min(card.text.len());
        if let Some(first) = first_solid(&card.text[..to], from.min(to)) {
            let span = card.span(first..to);
            self.report(
                Diagnostic::warning(codes::BAD_LABEL, span, "a label on a line that continues another")
                    .because("it is ignored")
                    .help("move it to the first line of the statement"),
            );
        }
    }

    /// Adds the columns from 7 on.
    fn fixed_text(&mut self, card: &Card, places: &Columns, body: usize) {
        let mut from = body;
        while let Some(semicolon) = self.fixed_part(card, places, from) {
            self.next_statement(card, semicolon, places.end);
            from = semicolon + 1;
        }
    }

    /// Adds the rest of a line, up to a `;`. Returns the position of the `;`.
    fn fixed_part(&mut self, card: &Card, places: &Columns, from: usize) -> Option<usize> {
        let partial_line = self.partial_line.as_mut()?;
        let mut from = from;
        if partial_line.text.is_empty() {
            from = first_solid(card.text, from).unwrap_or(places.end).min(places.end);
        }
        match partial_line.read(card, from..places.end, false) {
            Stop::Comment(at) => self.trailing_comment(card, at),
            Stop::Semicolon(at) => return Some(at),
            Stop::Ampersand(_) | Stop::End => {
                if self.options.pad_source && partial_line.context() != Context::Code {
                    let count = places.full.saturating_sub(places.end);
                    partial_line.fill(count, card.span(places.end..places.end));
                }
                if card.runs.is_some() && places.end < card.text.len() {
                    self.pushed_out(card, places);
                }
            }
        }
        None
    }

    /// Compilers determine the last column after macro expansion. Text that was beyond it before is ignored,
    /// but text that macros have pushed beyond it is
    /// reported.
    fn pushed_out(&mut self, card: &Card, places: &Columns) {
        let Some(solid) = first_solid(card.text, places.end) else { return };
        let span = card.span(solid..solid + 1);
        if card.text[solid] != b'!' && (span.start - card.line.start) < places.end as u32 {
            let message = "macros make this line too long";
            self.report(
                Diagnostic::warning(codes::LINE_CUT, card.line, message)
                    .because("not all of it is compiled")
                    .help(
                        "continue the statement in another line, or compile with `-ffixed-line-length-none`",
                    ),
            );
        }
    }

    /// The label in `from..to`.
    pub fn label(&mut self, card: &Card, from: usize, to: usize) -> Option<Label> {
        let to = to.min(card.text.len());
        let first = first_solid(&card.text[..to], from.min(to))?;
        let (mut value, mut last) = (0u32, first);
        for at in first..to {
            let byte = card.text[at];
            if byte.is_ascii_digit() {
                value = value * 10 + u32::from(byte - b'0');
                last = at;
            } else if !is_blank(byte) {
                let span = card.span(first..to);
                self.report(
                    Diagnostic::warning(codes::BAD_LABEL, span, "expected a label")
                        .because("columns 1 to 5 are for labels")
                        .help("statements begin in column 7"),
                );
                return None;
            }
        }
        let span = card.span(first..last + 1);
        if value == 0 {
            self.report(Diagnostic::warning(codes::BAD_LABEL, span, "a label that is zero"));
            return None;
        }
        Some(Label { value, span })
    }
}

/// Extends `span` to the end of a later line, if that is in the same file.
pub fn extended(span: Span, line: Span) -> Span {
    if span.file == line.file && line.end > span.end {
        Span { end: line.end, ..span }
    } else {
        span
    }
}

/// `!$` in the first two columns, with columns 3 to 6 as in every line.
fn is_conditional(text: &[u8]) -> bool {
    let as_label = |byte: &u8| is_blank(*byte) || byte.is_ascii_digit();
    let label = &text[..text.len().min(5)];
    let tab = label.iter().position(|&byte| byte == b'\t').unwrap_or(label.len());
    text.get(1) == Some(&b'$') && label[..tab].iter().skip(2).all(as_label)
}

/// The offsets of the columns. A tab among the first six is followed by column 7.
fn measure(text: &[u8], columns: u32) -> Columns {
    let limit = columns as usize;
    let head = &text[..text.len().min(6)];
    if let Some(tab) = memchr::memchr(b'\t', head) {
        let digit = text.get(tab + 1).is_some_and(|byte| matches!(byte, b'1'..=b'9'));
        let mark = digit.then_some(tab + 1);
        let body = tab + 1 + usize::from(digit);
        let full = limit.saturating_sub(6).saturating_add(body);
        let (end, full) = (text.len().min(full), full_or_none(full, limit, text));
        return Columns { label_end: tab, mark, body, end, full };
    }
    let mark = text.get(5).filter(|&&byte| !is_blank(byte) && byte != b'0').map(|_| 5);
    let end = text.len().min(limit);
    let body = 6.min(end);
    Columns { label_end: 5.min(text.len()), mark, body, end, full: full_or_none(limit, limit, text) }
}

/// Lines without a last column are not padded.
fn full_or_none(full: usize, limit: usize, text: &[u8]) -> usize {
    if limit == u32::MAX as usize {
        text.len()
    } else {
        full
    }
}
