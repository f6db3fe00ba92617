//! A logical line that is still being put together.

use std::ops::Range;

use cppc_source::Span;

use super::card::{is_blank, Card};
use super::context::{scan, Context, Stop};
use crate::fortran::logical::{Form, Label, LineKind, LogicalLine, Run, RunOrigin};

pub struct Draft {
    pub kind: LineKind,
    pub label: Option<Label>,
    pub text: Vec<u8>,
    pub runs: Vec<Run>,
    pub span: Span,
    pub context: Context,
    pub shares_line: bool,
    /// Free form: the last line of it ended in `&`.
    pub continued: bool,
    /// Blanks before this place of the text belong to a constant.
    constant_end: usize,
}

impl Draft {
    pub fn new(kind: LineKind, span: Span) -> Draft {
        Draft {
            kind,
            label: None,
            text: Vec::new(),
            runs: Vec::new(),
            span,
            context: Context::Code,
            shares_line: false,
            continued: false,
            constant_end: 0,
        }
    }

    /// Adds a part of a card, and gives its place in the text.
    pub fn append(&mut self, card: &Card, range: Range<usize>) -> usize {
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

    /// Blanks that stand nowhere but count.
    pub fn fill(&mut self, count: usize, at: Span) {
        if count > 0 {
            self.runs.push(Run { start: self.text.len() as u32, origin: RunOrigin::Made { from: at } });
            self.text.resize(self.text.len() + count, b' ');
        }
    }

    pub fn scan(&mut self, from: usize, free: bool) -> Stop {
        scan(&self.text, from, &mut self.context, &mut self.constant_end, free)
    }

    pub fn truncate(&mut self, length: usize) {
        self.text.truncate(length);
        while self.runs.last().is_some_and(|run| run.start as usize >= length) {
            self.runs.pop();
        }
    }

    /// Whether nothing but blanks was found.
    pub fn is_empty(&self) -> bool {
        self.text.iter().all(|&byte| is_blank(byte))
    }

    pub fn finish(mut self, form: Form) -> LogicalLine {
        let solid = self.text.iter().rposition(|&byte| !is_blank(byte)).map_or(0, |last| last + 1);
        self.truncate(solid.max(self.constant_end.min(self.text.len())));
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
