//! Directives about the translation itself: `auto(…)`, `checkpoint loop` and `allow(…)`.
//!
//! Input: directives of both languages.
//! Output: which directives are added, and the warnings that are not reported.
//! Postcondition: only warnings are removed. An error is always reported.

use cppc_grammar::directive::{Added, Kind};
use cppc_source::{Diagnostic, Files, ShownLine, Span};

use crate::explain::page;

/// A directive that is not an action of the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// The whole line.
    pub span: Span,
    pub kind: RemarkKind,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RemarkKind {
    /// The translation adds the directives that are missing.
    Auto(Added),
    /// The translation adds a checkpoint to the body of the loop that follows.
    CheckpointLoop { is_asserted: bool },
    /// The warning with this code is not reported for the next line. If there are names, only a warning that has one of
    /// them in its message.
    Allow { code: String, names: Vec<String> },
}

impl RemarkKind {
    /// The remark that a directive is. `text` gives the text of an item.
    pub fn of<I>(kind: &Kind<I>, text: impl Fn(&I) -> String) -> Option<RemarkKind> {
        match kind {
            Kind::Auto(added) => Some(RemarkKind::Auto(*added)),
            Kind::CheckpointLoop { is_asserted } => {
                Some(RemarkKind::CheckpointLoop { is_asserted: *is_asserted })
            }
            Kind::Allow(items) => {
                let (code, names) = items.split_first()?;
                let code = text(code).to_ascii_uppercase();
                Some(RemarkKind::Allow { code, names: names.iter().map(text).collect() })
            }
            Kind::Init
            | Kind::Shutdown
            | Kind::Register(_)
            | Kind::Unregister(_)
            | Kind::Execute { .. }
            | Kind::EndExecute
            | Kind::Checkpoint(_) => None,
        }
    }
}

/// The diagnostics without the warnings that are allowed, and an error for each code that does not exist.
pub fn apply(remarks: &[Remark], files: &Files, diagnostics: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let is_allowed = |one: &Diagnostic| remarks.iter().any(|remark| remark.allows(one, files, remarks));
    let reported = diagnostics.into_iter().filter(|one| one.is_error() || !is_allowed(one));
    reported.chain(remarks.iter().filter_map(Remark::unknown_code)).collect()
}

impl Remark {
    fn unknown_code(&self) -> Option<Diagnostic> {
        let RemarkKind::Allow { code, .. } = &self.kind else { return None };
        if page(code).is_some() {
            return None;
        }
        Some(
            Diagnostic::error("C0312", self.span, format!("no diagnostic has the code `{code}`"))
                .because("the first item of `allow` is the code of a warning")
                .help("write the code that the warning shows in brackets, for example `allow(C0701)`"),
        )
    }

    fn allows(&self, diagnostic: &Diagnostic, files: &Files, remarks: &[Remark]) -> bool {
        let RemarkKind::Allow { code, names } = &self.kind else { return false };
        let Some(place) = diagnostic.labels.first().map(|label| label.span) else { return false };
        let is_named = || {
            let mut quoted = diagnostic.message.split('`').skip(1).step_by(2);
            names.is_empty()
                || quoted.any(|quoted| {
                    names.iter().any(|name| quoted.trim_start_matches('*').eq_ignore_ascii_case(name))
                })
        };
        code == diagnostic.code
            && place.file == self.span.file
            && is_named()
            && self.next_line(files, remarks) == Some(shown_line(files, place))
    }

    /// The next line with text that is not such a directive too.
    fn next_line(&self, files: &Files, remarks: &[Remark]) -> Option<ShownLine> {
        let file = files.get(self.span.file);
        let (mut line, _) = file.line_column(self.span.end.saturating_sub(1).max(self.span.start));
        loop {
            line += 1;
            let range = file.line_range(line);
            if range.start >= file.bytes.len() {
                return None;
            }
            let is_remark = remarks.iter().any(|other| {
                let span = other.span;
                span.file == self.span.file
                    && (span.start as usize) < range.end
                    && range.start < span.end as usize
            });
            if !is_remark && !file.bytes[range].trim_ascii().is_empty() {
                return Some(file.shown_line(line));
            }
        }
    }
}

fn shown_line(files: &Files, span: Span) -> ShownLine {
    let file = files.get(span.file);
    file.shown_line(file.line_column(span.start).0)
}
