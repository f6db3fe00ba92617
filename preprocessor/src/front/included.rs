//! Replaces the `INCLUDE` lines of Fortran files whose statements must be rewritten by the text of these
//! files.
//!
//! Input: a source and its diagnostics.
//! Output: the text of the source with these files in place, if a diagnostic is about text that could not be
//! changed.
//! Postcondition: other lines are unchanged.

use std::collections::BTreeSet;

use cppc_source::{Diagnostic, FileId, Files, Span};

use super::fortran::Unit;
use super::OUT_OF_REACH;

pub fn in_place(unit: &Unit, files: &Files, diagnostics: &[Diagnostic]) -> Option<Vec<u8>> {
    let faults = diagnostics.iter().filter(|found| OUT_OF_REACH.contains(&found.code));
    let faulty: BTreeSet<FileId> =
        faults.filter_map(|found| found.labels.first()).map(|label| label.span.file).collect();
    let own = unit.lines.includes.iter().filter(|include| include.span.file == unit.file);
    let own: Vec<(Span, FileId)> = own.filter_map(|include| Some((include.span, include.file?))).collect();
    // If the file is included by another included file, that one is replaced first.
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
    let mut wanted: Vec<(Span, FileId)> =
        own.into_iter().filter(|(_, file)| *file != unit.file && reaches(*file)).collect();
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

/// True for an `INCLUDE` line, false for `#include`.
fn is_line(files: &Files, span: Span) -> bool {
    let file = files.get(span.file);
    let line = &file.bytes[file.line_range(file.line_column(span.start).0)];
    line.trim_ascii_start().first().is_some_and(|first| matches!(first, b'i' | b'I'))
}
