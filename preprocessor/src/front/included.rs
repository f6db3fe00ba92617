//! Included files of Fortran whose statements must be rewritten: their text in place of the line that includes them.
//!
//! In: a source, and what was found wrong with it. Out: its text with these files in place, when a fault is about text that
//! could not be changed. Holds afterwards: lines that include nothing of that kind are as they were.

use std::collections::BTreeSet;

use cppc_source::{Diagnostic, FileId, Files, Span};

use super::fortran::Unit;

/// What stands in a file that cannot be changed: procedures, statements and expressions.
const OUT_OF_REACH: [&str; 2] = ["C0501", "C0502"];

pub fn in_place(unit: &Unit, files: &Files, diagnostics: &[Diagnostic]) -> Option<Vec<u8>> {
    let faults = diagnostics.iter().filter(|found| OUT_OF_REACH.contains(&found.code));
    let faulty: BTreeSet<FileId> = faults.filter_map(|found| found.labels.first()).map(|label| label.span.file).collect();
    let own = unit.lines.includes.iter().filter(|include| include.span.file == unit.file);
    let own: Vec<(Span, FileId)> = own.filter_map(|include| Some((include.span, include.file?))).collect();
    // What the faulty file is included by, when that is another included file, comes first.
    let reaches = |from: FileId| {
        let mut seen = BTreeSet::from([from]);
        let mut growing = true;
        while std::mem::take(&mut growing) {
            for include in &unit.lines.includes {
                let inner = include.file.filter(|_| seen.contains(&include.span.file));
                growing |= inner.is_some_and(|file| seen.insert(file));
            }
        }
        seen.iter().any(|file| faulty.contains(file))
    };
    let mut wanted: Vec<(Span, FileId)> = own.into_iter().filter(|(_, file)| *file != unit.file && reaches(*file)).collect();
    wanted.retain(|(span, _)| is_line(files, *span));
    wanted.sort_by_key(|(span, _)| span.start);
    if wanted.is_empty() {
        return None;
    }
    let source = files.get(unit.file);
    let (mut text, mut at) = (Vec::new(), 0);
    for (span, file) in wanted {
        let line = source.line_range(source.line_column(span.start).0);
        text.extend_from_slice(&source.bytes[at..line.start]);
        let inner = &files.get(file).bytes;
        text.extend_from_slice(inner.strip_suffix(b"\n").unwrap_or(inner));
        at = line.end;
    }
    text.extend_from_slice(&source.bytes[at..]);
    Some(text)
}

/// An `INCLUDE` line, not one of the preprocessor.
fn is_line(files: &Files, span: Span) -> bool {
    let file = files.get(span.file);
    let line = &file.bytes[file.line_range(file.line_column(span.start).0)];
    line.trim_ascii_start().first().is_some_and(|first| matches!(first, b'i' | b'I'))
}
