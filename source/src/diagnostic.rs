//! Diagnostics: code, message, labelled spans, notes and a help.
//!
//! Input: spans of the files.
//! Output: text in the layout of modern compilers, or one JSON object per line.

use std::fmt::Write as _;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use serde::Serialize;

use crate::{Files, Span};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    Note,
    Warning,
    Error,
}

/// An error, a warning or a note about source text. The first label marks the main position; the others give
/// context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// Stable code, such as `C0012`.
    pub code: &'static str,
    pub severity: Severity,
    pub message: String,
    pub labels: Vec<Label>,
    pub notes: Vec<String>,
    pub help: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Label {
    pub span: Span,
    pub text: String,
}

impl Diagnostic {
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Error, code, Some(span), message)
    }

    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Warning, code, Some(span), message)
    }

    /// An error that has no position in any file.
    pub fn placeless(code: &'static str, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(Severity::Error, code, None, message)
    }

    fn new(
        severity: Severity,
        code: &'static str,
        span: Option<Span>,
        message: impl Into<String>,
    ) -> Diagnostic {
        let labels = span.map(|span| Label { span, text: String::new() }).into_iter().collect();
        Diagnostic { code, severity, message: message.into(), labels, notes: Vec::new(), help: None }
    }

    /// Sets the text of the first label.
    #[must_use]
    pub fn because(mut self, text: impl Into<String>) -> Diagnostic {
        if let Some(first) = self.labels.first_mut() {
            first.text = text.into();
        }
        self
    }

    #[must_use]
    pub fn label(mut self, span: Span, text: impl Into<String>) -> Diagnostic {
        self.labels.push(Label { span, text: text.into() });
        self
    }

    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Diagnostic {
        self.notes.push(text.into());
        self
    }

    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help = Some(text.into());
        self
    }

    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// Renders the diagnostic as text for the terminal, with colours if `colour` is set.
    pub fn render(&self, files: &Files, colour: bool) -> String {
        let level = match self.severity {
            Severity::Error => Level::ERROR,
            Severity::Warning => Level::WARNING,
            Severity::Note => Level::NOTE,
        };
        let excerpts: Vec<Excerpt> = self.labels.iter().map(|label| Excerpt::of(files, label.span)).collect();
        let mut group = Group::with_title(level.primary_title(&*self.message).id(self.code));
        for (index, (label, excerpt)) in self.labels.iter().zip(&excerpts).enumerate() {
            let kind = if index == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
            let mut annotation = kind.span(excerpt.marked.clone());
            if !label.text.is_empty() {
                annotation = annotation.label(&*label.text);
            }
            let path = excerpt.path.clone();
            let snippet = Snippet::source(excerpt.text.as_str()).line_start(excerpt.line as usize).path(path);
            group = group.element(snippet.annotation(annotation));
        }
        for note in &self.notes {
            group = group.element(Level::NOTE.message(&**note));
        }
        if let Some(help) = &self.help {
            group = group.element(Level::HELP.message(&**help));
        }
        let renderer = if colour { Renderer::styled() } else { Renderer::plain() };
        let mut text = renderer.render(&[group]);
        text.push('\n');
        text
    }

    /// Renders the diagnostic as one JSON object, without a line end.
    pub fn render_json(&self, files: &Files) -> String {
        let spans = self.labels.iter().map(|label| JsonSpan::new(files, label)).collect();
        let json = Json {
            code: self.code,
            severity: self.severity,
            message: &self.message,
            spans,
            notes: &self.notes,
            help: self.help.as_deref(),
        };
        let mut text = String::new();
        match serde_json::to_string(&json) {
            Ok(rendered) => text.push_str(&rendered),
            Err(error) => drop(write!(text, "{{\"message\":\"{error}\"}}")),
        }
        text
    }
}

/// The lines that contain a span. Only these lines go to the renderer, because the file may be large.
struct Excerpt {
    text: String,
    path: String,
    /// The number of the first line. Lines count from 1.
    line: u32,
    /// The byte range of the span in `text`, extended to whole characters: the renderer does not accept part
    /// of a character.
    marked: Range<usize>,
}

impl Excerpt {
    fn of(files: &Files, span: Span) -> Excerpt {
        let file = files.get(span.file);
        let (line, _) = file.line_column(span.start);
        let (last, _) = file.line_column(span.end);
        let bytes = file.line_range(line).start..file.line_range(last).end.max(span.end as usize);
        // The renderer needs UTF-8. If the text is not UTF-8, each byte that is not ASCII becomes one `?`, so
        // that spans stay valid.
        let text = match std::str::from_utf8(&file.bytes[bytes.clone()]) {
            Ok(text) => text.to_owned(),
            Err(_) => file.bytes[bytes.clone()]
                .iter()
                .map(|&b| if b.is_ascii() { b as char } else { '?' })
                .collect(),
        };
        let (mut start, mut end) = (span.start as usize - bytes.start, span.end as usize - bytes.start);
        while start > 0 && !text.is_char_boundary(start) {
            start -= 1;
        }
        while end < text.len() && !text.is_char_boundary(end) {
            end += 1;
        }
        let path = file.shown_path(line).to_string_lossy().into_owned();
        Excerpt { text, path, line: file.shown_number(line), marked: start..end }
    }
}

#[derive(Serialize)]
struct Json<'a> {
    code: &'a str,
    severity: Severity,
    message: &'a str,
    spans: Vec<JsonSpan<'a>>,
    notes: &'a [String],
    help: Option<&'a str>,
}

#[derive(Serialize)]
struct JsonSpan<'a> {
    file: String,
    line: u32,
    column: u32,
    end_line: u32,
    end_column: u32,
    label: &'a str,
}

impl<'a> JsonSpan<'a> {
    fn new(files: &Files, label: &'a Label) -> JsonSpan<'a> {
        let file = files.get(label.span.file);
        let (line, column) = file.line_column(label.span.start);
        let (end_line, end_column) = file.line_column(label.span.end);
        let path = file.shown_path(line).to_string_lossy().into_owned();
        let (line, end_line) = (file.shown_number(line), file.shown_number(end_line));
        JsonSpan { file: path, line, column, end_line, end_column, label: &label.text }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_diagnostic_shows_its_place() {
        let mut files = Files::new();
        let file = files.add("a.c", &b"int x;\n#pragma cppc chekpoint\n"[..]);
        let shown = Diagnostic::error("C0001", Span::new(file, 20, 29), "unknown directive `chekpoint`")
            .because("no such directive")
            .help("write `checkpoint`")
            .render(&files, false);
        assert!(shown.contains("error[C0001]: unknown directive `chekpoint`"), "{shown}");
        assert!(shown.contains("a.c:2:14"), "{shown}");
        assert!(shown.contains("^^^^^^^^^ no such directive"), "{shown}");
    }

    #[test]
    fn a_place_within_a_character_is_shown() {
        let mut files = Files::new();
        let file = files.add("a.f90", "x = y § z\n".as_bytes());
        let shown = Diagnostic::error("C0001", Span::new(file, 6, 7), "no").render(&files, false);
        assert!(shown.contains("x = y § z"), "{shown}");
        let shown = Diagnostic::error("C0001", Span::new(file, 7, 8), "no").render(&files, false);
        assert!(shown.contains("a.f90:1:7"), "{shown}");
    }

    #[test]
    fn json_is_one_object() {
        let mut files = Files::new();
        let file = files.add("a.c", &b"int x;\n"[..]);
        let json = Diagnostic::error("C0001", Span::new(file, 4, 5), "`x`").render_json(&files);
        let value: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(value["spans"][0]["column"], 5);
    }
}
