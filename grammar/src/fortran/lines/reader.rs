//! The way through a file, line by line.

use std::path::PathBuf;

use cppc_source::{Diagnostic, FileId, Files, Span};
use rustc_hash::FxHashMap;

use super::card::Card;
use super::context::Context;
use super::include::{included_name, may_include};
use super::options::Options;
use super::state::Reader;
use crate::fortran::logical::{Form, Lines};

/// Reads a file as its compiler would. Files that it includes are added to `files`.
pub fn read(
    files: &mut Files,
    file: FileId,
    options: &Options,
    diagnostics: &mut Vec<Diagnostic>,
) -> Lines {
    let mut known: FxHashMap<PathBuf, FileId> = FxHashMap::default();
    if let Ok(place) = files.get(file).path.canonicalize() {
        known.insert(place, file);
    }
    let mut reader = Reader {
        form: options.form,
        main: file,
        lines: Vec::new(),
        includes: Vec::new(),
        draft: None,
        directive: None,
        held: Vec::new(),
        opened: Vec::new(),
        known,
        size_bytes: 0,
        stopped: false,
        files,
        options,
        diagnostics,
    };
    reader.whole_file(file);
    reader.flush();
    Lines { file, form: reader.form, lines: reader.lines, includes: reader.includes }
}

/// Some editors begin a file with it.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

impl Reader<'_> {
    /// Reads a file in its place.
    pub fn whole_file(&mut self, file: FileId) {
        self.opened.push(file);
        let bytes = self.files.get(file).bytes.clone();
        let mut start = if bytes.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        while start < bytes.len() && !self.stopped {
            let newline = memchr::memchr(b'\n', &bytes[start..]);
            let next = newline.map_or(bytes.len(), |at| start + at + 1);
            let mut end = newline.map_or(bytes.len(), |at| start + at);
            while end > start && bytes[end - 1] == b'\r' {
                end -= 1;
            }
            let line = Span::new(file, start as u32, end as u32);
            self.card(&Card { text: &bytes[start..end], line, runs: None });
            start = next;
        }
        self.opened.pop();
    }

    fn card(&mut self, card: &Card) {
        if may_include(card.text) && !self.in_constant() {
            let fixed = matches!(self.form, Form::Fixed { .. });
            if let Some(name) = included_name(card.text, fixed) {
                self.include_line(card, name);
                return;
            }
        }
        match self.form {
            Form::Fixed { columns } => self.fixed_card(card, columns),
            Form::Free => self.free_card(card),
        }
    }

    /// Free form: whether a constant goes on in this line.
    fn in_constant(&self) -> bool {
        self.draft.as_ref().is_some_and(|draft| draft.continued && draft.context != Context::Code)
    }
}
