//! The original text of the file: its logical lines and their positions.
//!
//! Input: spans of the main file.
//! Output: text without continuation marks.
//! Postcondition: the text does not depend on a plan.

use cppc_grammar::fortran::logical::{Form, LineKind, LogicalLine, RunOrigin};
use cppc_source::{SourceFile, Span};

use super::Style;

/// The logical lines of the main file, in text order.
pub(super) struct Text<'a> {
    pub style: &'a Style<'a>,
    lines: Vec<&'a LogicalLine>,
    pub newline: &'static str,
    /// The first character of a comment line in fixed form.
    comment: char,
}

impl<'a> Text<'a> {
    pub fn new(style: &'a Style<'a>) -> Text<'a> {
        let lines = style.lines.lines.iter().filter(|line| line.span.file == style.file).collect();
        let bytes = &style.files.get(style.file).bytes;
        let end = bytes.iter().position(|&byte| byte == b'\n');
        let carriage = end.is_some_and(|at| at > 0 && bytes[at - 1] == b'\r');
        let newline = if carriage { "\r\n" } else { "\n" };
        Text { style, lines, newline, comment: comment_mark(bytes, style.lines.form) }
    }

    pub fn file(&self) -> &SourceFile {
        self.style.files.get(self.style.file)
    }

    pub fn form(&self) -> Form {
        self.style.lines.form
    }

    pub fn len(&self) -> usize {
        self.lines.len()
    }

    pub fn line(&self, index: usize) -> Option<&'a LogicalLine> {
        self.lines.get(index).copied()
    }

    /// The logical line that contains a byte, or otherwise the next one.
    pub fn line_at(&self, at: u32) -> usize {
        let behind = self.lines.partition_point(|line| line.span.start <= at);
        match behind.checked_sub(1).map(|index| self.lines[index].span) {
            Some(span) if at < span.end || at == span.start => behind - 1,
            _ => behind,
        }
    }

    /// The bytes of a span, as in the file.
    pub fn original(&self, span: Span) -> String {
        self.style.files.text_lossy(span).into_owned()
    }

    /// The original text of a span, on one line.
    pub fn written(&self, span: Span) -> String {
        self.piece(span).trim().to_owned()
    }

    /// The same with the blanks at its ends.
    pub fn piece(&self, span: Span) -> String {
        if span.is_empty() {
            return String::new();
        }
        let line = self
            .line(self.line_at(span.start))
            .filter(|line| line.span.start <= span.start && span.end <= line.span.end);
        let written = line.map(|line| {
            let (start, end) = (first_behind(line, span.start), last_before(line, span.end));
            if start < end {
                line.written(start..end, self.style.files)
            } else {
                String::new()
            }
        });
        let text = written.unwrap_or_else(|| self.original(span));
        text.replace(['\t', '\n', '\r'], " ")
    }

    /// The number of blanks before the statements of a logical line. In fixed form, they are counted from
    /// column 7.
    pub fn indent(&self, index: usize) -> usize {
        let margin = self.margin();
        let of = |index: usize| self.line(index).map(|line| (line, self.column(line)));
        let Some((line, own)) = of(index) else { return 0 };
        if line.kind == LineKind::Statement {
            return own.saturating_sub(margin);
        }
        // A directive may begin in any column, so the indentation comes from the statements around it.
        let next = (index + 1..self.len()).find(|&other| self.is_statement(other));
        let before = (0..index).rev().find(|&other| self.is_statement(other));
        let next = next.filter(|&other| !self.ends_something(other));
        next.or(before).and_then(of).map_or(0, |(_, column)| column.saturating_sub(margin))
    }

    fn margin(&self) -> usize {
        if self.form() == Form::Free {
            0
        } else {
            6
        }
    }

    fn is_statement(&self, index: usize) -> bool {
        self.line(index).is_some_and(|line| line.kind == LineKind::Statement)
    }

    fn ends_something(&self, index: usize) -> bool {
        let Some(line) = self.line(index) else { return false };
        let start: Vec<u8> = line
            .text
            .iter()
            .filter(|b| !b.is_ascii_whitespace())
            .take(8)
            .map(u8::to_ascii_lowercase)
            .collect();
        ["end", "else", "case", "contains"].iter().any(|word| start.starts_with(word.as_bytes()))
    }

    /// The number of columns before the first character of the statement. A tab extends to the next tab stop.
    fn column(&self, line: &LogicalLine) -> usize {
        let file = self.file();
        let first = line.runs.iter().find_map(|run| match run.origin {
            RunOrigin::Bytes { file, start } if file == self.style.file => Some((run.start, start)),
            _ => None,
        });
        let blanks = line.text.iter().take_while(|byte| byte.is_ascii_whitespace()).count() as u32;
        let Some((from, start)) = first else { return 0 };
        let at = start + blanks.saturating_sub(from);
        let (number, _) = file.line_column(at);
        let begin = file.line_range(number).start;
        let before = file.bytes.get(begin..at as usize).unwrap_or_default();
        before.iter().fold(0, |column, byte| if *byte == b'\t' { (column / 8 + 1) * 8 } else { column + 1 })
    }

    /// The physical lines of a span as comments.
    pub fn comment(&self, span: Span, indent: usize) -> Vec<String> {
        let file = self.file();
        let (first, _) = file.line_column(span.start);
        let (last, _) = file.line_column(span.end.saturating_sub(1).max(span.start));
        let lines = (first..=last).map(|number| {
            let text = String::from_utf8_lossy(&file.bytes[file.line_range(number)]).into_owned();
            self.comment_line(text.trim_end(), indent)
        });
        lines.collect()
    }

    /// A text as a comment.
    pub fn comment_text(&self, text: &str, indent: usize) -> String {
        match self.form() {
            Form::Free => format!("{}! {text}", " ".repeat(indent)),
            Form::Fixed { .. } => format!("{}     {}{text}", self.comment, " ".repeat(indent)),
        }
    }

    fn comment_line(&self, text: &str, indent: usize) -> String {
        if text.is_empty() || text.starts_with('#') {
            return text.to_owned();
        }
        let start = text.trim_start();
        if self.form() == Form::Free {
            return format!("{}! {start}", &text[..text.len() - start.len()]);
        }
        let directive = start.get(1..).is_some_and(|rest| rest.starts_with('$'));
        match text.chars().next() {
            Some('c' | 'C' | '*' | '!' | 'd' | 'D') if directive => self.comment_text(start, indent),
            Some('c' | 'C' | '*' | '!' | 'd' | 'D') => text.to_owned(),
            Some(' ') if directive => self.comment_text(start, indent),
            Some(' ') => format!("{}{}", self.comment, &text[1..]),
            _ => format!("{}{text}", self.comment),
        }
    }
}

/// The first byte of a line's text that comes from this byte of the file or a later one. Continuation marks,
/// and comments between the lines, are not in the text.
fn first_behind(line: &LogicalLine, at: u32) -> u32 {
    let length = line.text.len() as u32;
    let found = line.runs.iter().enumerate().find_map(|(index, run)| {
        let stop = line.runs.get(index + 1).map_or(length, |next| next.start);
        match run.origin {
            RunOrigin::Bytes { file, start }
                if file == line.span.file && at - at.min(start) < stop - run.start =>
            {
                Some(run.start + (at - at.min(start)))
            }
            RunOrigin::Generated { from } if at < from.end => Some(run.start),
            _ => None,
        }
    });
    found.unwrap_or(length)
}

/// The position after the last byte of a line's text that comes from a byte of the file before this one.
fn last_before(line: &LogicalLine, end: u32) -> u32 {
    let length = line.text.len() as u32;
    let found = line.runs.iter().enumerate().rev().find_map(|(index, run)| {
        let stop = line.runs.get(index + 1).map_or(length, |next| next.start);
        match run.origin {
            RunOrigin::Bytes { file, start } if file == line.span.file && start < end => {
                Some(stop.min(run.start + (end - start)))
            }
            RunOrigin::Generated { from } if !from.is_empty() && from.start < end => Some(stop),
            _ => None,
        }
    });
    found.unwrap_or(0)
}

/// The character with which comments begin in this file.
fn comment_mark(bytes: &[u8], form: Form) -> char {
    if form == Form::Free {
        return '!';
    }
    let firsts = bytes.split(|&byte| byte == b'\n').filter_map(|line| line.first().copied());
    let mut counts = [0_usize; 4];
    let marks = [b'*', b'C', b'c', b'!'];
    for first in firsts {
        if let Some(index) = marks.iter().position(|&mark| mark == first) {
            counts[index] += 1;
        }
    }
    let best = (0..4).rev().max_by_key(|&index| counts[index]).unwrap_or(0);
    char::from(marks[best])
}
