//! Source text that is never altered in place: files, spans, edits, diagnostics.
