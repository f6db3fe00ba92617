//! The changes of a file, gathered at its logical lines, as edits.
//!
//! Input: statements before, instead of and after logical lines.
//! Output: edits.
//! Postcondition: edits are whole physical lines. If one statement of a line changes, each gets a line of its
//! own.

use std::collections::BTreeMap;

use cppc_source::{EditList, Span};

use super::line::Line;
use super::printer::{Printer, LEVEL};
use super::statement::Statements;
use super::text::Text;
use super::words::Letters;

pub(super) struct Changes<'a> {
    text: &'a Text<'a>,
    /// The prefix of hidden names.
    prefix: &'a str,
    lines: BTreeMap<usize, Changed>,
}

/// Statements, with the properties that the printer needs.
pub(super) struct Generated {
    pub statements: Statements,
    pub letters: Letters,
    pub indentation: Indentation,
}

/// How generated statements are indented.
#[derive(Debug, Clone, Copy)]
pub(super) enum Indentation {
    AsLine,
    /// They are inside the construct whose header is the line.
    Inside,
    /// As the other line, if that is indented more: statements before the end of a procedure.
    AsOther(usize),
}

/// The changes of one logical line.
#[derive(Default)]
struct Changed {
    before: Vec<Generated>,
    instead: Option<(Span, Generated)>,
    behind: Vec<Generated>,
}

impl<'a> Changes<'a> {
    pub fn new(text: &'a Text<'a>, prefix: &'a str) -> Changes<'a> {
        Changes { text, prefix, lines: BTreeMap::new() }
    }

    pub fn before(&mut self, line: usize, generated: Generated) {
        self.lines.entry(line).or_default().before.push(generated);
    }

    pub fn instead(&mut self, line: usize, at: Span, generated: Generated) {
        self.lines.entry(line).or_default().instead = Some((at, generated));
    }

    pub fn behind(&mut self, line: usize, generated: Generated) {
        self.lines.entry(line).or_default().behind.push(generated);
    }

    pub fn edits(&self) -> EditList {
        let mut edits = EditList::new(self.text.style.file);
        let mut index = 0;
        while index < self.text.len() {
            let end = self.group_end(index);
            if self.lines.range(index..end).next().is_some() {
                if end - index == 1 {
                    self.one(index, &mut edits);
                } else {
                    self.several(index, end, &mut edits);
                }
            }
            index = end;
        }
        // After the last line of the file.
        if let Some(changed) = self.lines.get(&self.text.len()) {
            let lines = self.all_printed(&changed.before, 0);
            edits.insert(self.text.file().bytes.len() as u32, self.joined(&lines));
        }
        edits
    }

    /// The index after the logical lines that share physical lines with this one.
    fn group_end(&self, index: usize) -> usize {
        let number = |at: u32| self.text.file().line_column(at).0;
        let mut end = index + 1;
        while let (Some(before), Some(next)) = (self.text.line(end - 1), self.text.line(end)) {
            let last = before.span.end.saturating_sub(1).max(before.span.start);
            if number(last) < number(next.span.start) {
                break;
            }
            end += 1;
        }
        end
    }

    /// A line, or lines, with one statement.
    fn one(&self, index: usize, edits: &mut EditList) {
        let (Some(line), Some(changed)) = (self.text.line(index), self.lines.get(&index)) else { return };
        let region = self.physical(line.span);
        let before = self.all_printed(&changed.before, index);
        if !before.is_empty() {
            edits.insert(region.start, self.joined(&before) + self.text.newline);
        }
        if let Some((at, generated)) = &changed.instead {
            let mut lines = self.printed(generated, index);
            if !generated.statements.has_comment() {
                self.keep_comment(*at, region, &mut lines);
            }
            edits.replace(region, self.joined(&lines));
        }
        let behind = self.all_printed(&changed.behind, index);
        if !behind.is_empty() {
            edits.insert(region.end, format!("{}{}", self.text.newline, self.joined(&behind)));
        }
    }

    /// Lines that several statements share. All of their statements are written again.
    fn several(&self, start: usize, end: usize, edits: &mut EditList) {
        let (Some(first), Some(last)) = (self.text.line(start), self.text.line(end - 1)) else { return };
        let region = self.physical(first.span.to(last.span));
        let mut lines = Vec::new();
        for index in start..end {
            let Some(line) = self.text.line(index) else { continue };
            let nothing = Changed::default();
            let changed = self.lines.get(&index).unwrap_or(&nothing);
            lines.extend(self.all_printed(&changed.before, start));
            match &changed.instead {
                Some((_, generated)) => lines.extend(self.printed(generated, start)),
                None => {
                    let text = line.written(0..line.text.len() as u32, self.text.style.files);
                    let label = line.label.map(|label| label.value);
                    lines.extend(Line::of_source(&text).fold(
                        self.text.form(),
                        label,
                        self.text.indent(start),
                    ));
                }
            }
            lines.extend(self.all_printed(&changed.behind, start));
        }
        self.keep_comment(last.span, region, &mut lines);
        edits.replace(region, self.joined(&lines));
    }

    /// Keeps a comment after a statement. It stays on the line of the statement if this is the only one.
    fn keep_comment(&self, at: Span, region: Span, lines: &mut Vec<String>) {
        if at.end >= region.end {
            return;
        }
        let rest = self.text.original(Span::new(region.file, at.end, region.end));
        let Some((_, comment)) = rest.split_once('!') else { return };
        let comment = comment.lines().next().unwrap_or_default().trim_end();
        match &mut lines[..] {
            [only] => {
                only.push_str(" !");
                only.push_str(comment);
            }
            _ => lines.insert(0, self.text.comment_text(comment.trim_start(), 0)),
        }
    }

    /// Whole physical lines, without the last line end.
    fn physical(&self, span: Span) -> Span {
        let file = self.text.file();
        let (first, _) = file.line_column(span.start);
        let (last, _) = file.line_column(span.end.saturating_sub(1).max(span.start));
        Span::new(span.file, file.line_range(first).start as u32, file.line_range(last).end as u32)
    }

    fn all_printed(&self, list: &[Generated], index: usize) -> Vec<String> {
        list.iter().flat_map(|generated| self.printed(generated, index)).collect()
    }

    /// Lines that are indented as the logical line of this number.
    fn printed(&self, generated: &Generated, index: usize) -> Vec<String> {
        let own = self.text.indent(index);
        let level = match generated.indentation {
            Indentation::AsLine => 0,
            Indentation::Inside => 1,
            Indentation::AsOther(other) => self.text.indent(other).saturating_sub(own) / LEVEL,
        };
        let letters = generated.letters;
        let printer = Printer { text: self.text, prefix: self.prefix, letters, indent: own };
        printer.print(&generated.statements, level)
    }

    fn joined(&self, lines: &[String]) -> String {
        lines.join(self.text.newline)
    }
}
