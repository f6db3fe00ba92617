//! A logical line that is not complete yet.

use std::ops::Range;

use cppc_source::Span;

use super::card::{is_blank, Card};
use super::context::{Context, Scan, Stop};
use crate::fortran::logical::{Form, Label, LineKind, LogicalLine, Run, RunOrigin};

pub struct PartialLine {
    pub kind: LineKind,
    pub label: Option<Label>,
    pub text: Vec<u8>,
    pub runs: Vec<Run>,
    pub span: Span,
    scan: Scan,
    pub shares_line: bool,
    /// Free form: its last line ended with `&`.
    pub continued: bool,
}

impl PartialLine {
    pub fn new(kind: LineKind, span: Span) -> PartialLine {
        PartialLine {
            kind,
            label: None,
            text: Vec::new(),
            runs: Vec::new(),
            span,
            scan: Scan::new(),
            shares_line: false,
            continued: false,
        }
    }

    pub fn context(&self) -> Context {
        self.scan.context
    }

    /// Ends an open constant at the end of its line.
    pub fn close_constant(&mut self) {
        self.scan.context = Context::Code;
    }

    /// Adds the text of a card up to the position where the scan stops. Returns the position on the card.
    pub fn read(&mut self, card: &Card, range: Range<usize>, free: bool) -> Stop {
        let mut from = range.start;
        loop {
            // Reads only up to the next `;`, because a line may contain many.
            let semicolon = memchr::memchr(b';', &card.text[from..range.end]);
            let to = semicolon.map_or(range.end, |at| from + at + 1);
            let place = self.append(card, from..to);
            let stop = self.scan.scan(&self.text, place, free);
            let on_card = |at: usize| from + at - place;
            let (at, stop) = match stop {
                Stop::End if to < range.end => {
                    from = to;
                    continue;
                }
                Stop::End => return Stop::End,
                Stop::Comment(at) => (at, Stop::Comment(on_card(at))),
                Stop::Semicolon(at) => (at, Stop::Semicolon(on_card(at))),
                Stop::Ampersand(at) => (at, Stop::Ampersand(on_card(at))),
            };
            self.truncate(at);
            return stop;
        }
    }

    /// Adds a byte that normally ends a statement.
    pub fn add_byte(&mut self, card: &Card, at: usize) {
        self.append(card, at..at + 1);
    }

    /// Adds a part of a card. Returns its offset in the text.
    fn append(&mut self, card: &Card, range: Range<usize>) -> usize {
        let place = self.text.len();
        if range.is_empty() {
            return place;
        }
        let shift = place as u32;
        let base = range.start as u32;
        for run in card.origins(range.clone()) {
            let run = Run { start: run.start - base + shift, origin: run.origin };
            self.push_run(run);
        }
        self.text.extend_from_slice(&card.text[range]);
        place
    }

    fn push_run(&mut self, run: Run) {
        if let (Some(last), RunOrigin::Bytes { file, start }) = (self.runs.last(), run.origin) {
            if let RunOrigin::Bytes { file: before, start: first } = last.origin {
                if before == file && first + (run.start - last.start) == start {
                    return;
                }
            }
        }
        self.runs.push(run);
    }

    /// Adds blanks that are not in the file but are part of the text.
    pub fn fill(&mut self, count: usize, at: Span) {
        if count > 0 {
            self.runs.push(Run { start: self.text.len() as u32, origin: RunOrigin::Generated { from: at } });
            self.text.resize(self.text.len() + count, b' ');
        }
    }

    fn truncate(&mut self, length: usize) {
        self.text.truncate(length);
        while self.runs.last().is_some_and(|run| run.start as usize >= length) {
            self.runs.pop();
        }
    }

    /// True if only blanks were read.
    pub fn is_empty(&self) -> bool {
        self.text.iter().all(|&byte| is_blank(byte))
    }

    pub fn finish(mut self, form: Form) -> LogicalLine {
        let solid = self.text.iter().rposition(|&byte| !is_blank(byte)).map_or(0, |last| last + 1);
        self.truncate(solid.max(self.scan.constant_end.min(self.text.len())));
        LogicalLine {
            kind: self.kind,
            form,
            label: self.label,
            text: self.text,
            runs: self.runs,
            span: self.span,
            shares_line: self.shares_line,
        }
    }
}
