//! The changes of a file, gathered at its logical lines, and made edits of.
//!
//! In: sentences before, instead of and behind logical lines. Out: edits. Holds afterwards: edits are
//! whole physical lines; where a line with several statements changes, each gets a line of its own.

use std::collections::BTreeMap;

use cppc_grammar::fortran::logical::Form;
use cppc_source::{EditList, Span};

use super::fold::fold;
use super::sentence::{Sentence, Sentences};
use super::text::Text;

pub(super) struct Sheet<'a> {
    text: &'a Text<'a>,
    changes: BTreeMap<usize, Changed>,
}

/// What becomes of one logical line.
#[derive(Default)]
struct Changed {
    before: Vec<Sentences>,
    instead: Option<(Span, Sentences)>,
    behind: Vec<Sentences>,
}

impl<'a> Sheet<'a> {
    pub fn new(text: &'a Text<'a>) -> Sheet<'a> {
        Sheet { text, changes: BTreeMap::new() }
    }

    pub fn before(&mut self, line: usize, sentences: Sentences) {
        self.changes.entry(line).or_default().before.push(sentences);
    }

    pub fn instead(&mut self, line: usize, at: Span, sentences: Sentences) {
        self.changes.entry(line).or_default().instead = Some((at, sentences));
    }

    pub fn behind(&mut self, line: usize, sentences: Sentences) {
        self.changes.entry(line).or_default().behind.push(sentences);
    }

    pub fn edits(&self) -> EditList {
        let mut edits = EditList::new(self.text.style.file);
        let mut index = 0;
        while index < self.text.len() {
            let end = self.group_end(index);
            if self.changes.range(index..end).next().is_some() {
                if end - index == 1 {
                    self.one(index, &mut edits);
                } else {
                    self.several(index, end, &mut edits);
                }
            }
            index = end;
        }
        // Behind the last line of the file.
        if let Some(changed) = self.changes.get(&self.text.len()) {
            let lines: Vec<String> =
                changed.before.iter().flat_map(|sentences| self.lines(sentences, 0)).collect();
            edits.insert(self.text.file().bytes.len() as u32, self.joined(&lines));
        }
        edits
    }

    /// Behind the logical lines that share physical ones with this.
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
        let (Some(line), Some(changed)) = (self.text.line(index), self.changes.get(&index)) else { return };
        let region = self.physical(line.span);
        let before = self.all_lines(&changed.before, index);
        if !before.is_empty() {
            edits.insert(region.start, self.joined(&before) + self.text.newline);
        }
        if let Some((at, sentences)) = &changed.instead {
            let mut lines = self.lines(sentences, index);
            if !sentences.has_note() {
                self.keep_comment(*at, region, &mut lines);
            }
            edits.replace(region, self.joined(&lines));
        }
        let behind = self.all_lines(&changed.behind, index);
        if !behind.is_empty() {
            edits.insert(region.end, format!("{}{}", self.text.newline, self.joined(&behind)));
        }
    }

    /// Lines that several statements share: all of them are written anew.
    fn several(&self, start: usize, end: usize, edits: &mut EditList) {
        let (Some(first), Some(last)) = (self.text.line(start), self.text.line(end - 1)) else { return };
        let region = self.physical(first.span.to(last.span));
        let mut lines = Vec::new();
        for index in start..end {
            let Some(line) = self.text.line(index) else { continue };
            let nothing = Changed::default();
            let changed = self.changes.get(&index).unwrap_or(&nothing);
            lines.extend(self.all_lines(&changed.before, start));
            match &changed.instead {
                Some((_, sentences)) => lines.extend(self.lines(sentences, start)),
                None => {
                    let text = line.written(0..line.text.len() as u32, self.text.style.files);
                    let label = line.label.map(|label| label.value);
                    let form = self.text.style.lines.form;
                    lines.extend(fold(form, label, self.text.indent(start), text.trim()));
                }
            }
            lines.extend(self.all_lines(&changed.behind, start));
        }
        self.keep_comment(last.span, region, &mut lines);
        edits.replace(region, self.joined(&lines));
    }

    /// A comment behind a statement stays, on its line if it is the only one.
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

    /// Whole physical lines, the last line end left out.
    fn physical(&self, span: Span) -> Span {
        let file = self.text.file();
        let (first, _) = file.line_column(span.start);
        let (last, _) = file.line_column(span.end.saturating_sub(1).max(span.start));
        Span::new(span.file, file.line_range(first).start as u32, file.line_range(last).end as u32)
    }

    fn all_lines(&self, list: &[Sentences], index: usize) -> Vec<String> {
        list.iter().flat_map(|sentences| self.lines(sentences, index)).collect()
    }

    fn lines(&self, sentences: &Sentences, index: usize) -> Vec<String> {
        let indent = self.text.indent(index);
        let form: Form = self.text.style.lines.form;
        let lines = sentences.list.iter().flat_map(|sentence| match sentence {
            Sentence::Statement { label, depth, text } => fold(form, *label, indent + 2 * depth, text),
            Sentence::Note(span) => self.note(*span, indent),
        });
        lines.collect()
    }

    fn note(&self, span: Span, indent: usize) -> Vec<String> {
        let line = self.text.line(self.text.line_at(span.start));
        match line {
            Some(line) if !line.shares_line => self.text.comment(line.span, indent),
            _ => vec![self.text.comment_text(&self.text.written(span), indent)],
        }
    }

    fn joined(&self, lines: &[String]) -> String {
        lines.join(self.text.newline)
    }
}
