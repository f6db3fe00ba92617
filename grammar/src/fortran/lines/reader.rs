//! Reads a file line by line.

use cppc_source::{Diagnostic, FileId, Files, Span};

use super::card::{first_solid, Card};
use super::codes;
use super::context::Context;
use super::include::{included_name, may_include};
use super::options::Options;
use super::state::Reader;
use crate::fortran::logical::{Form, Lines};

/// Reads a file as its compiler does. Included files are added to `files`.
pub fn read(files: &mut Files, file: FileId, options: &Options) -> Lines {
    let mut reader = Reader::new(files, file, options);
    if let Ok(place) = reader.files.get(file).path.canonicalize() {
        reader.known.insert(place, file);
    }
    reader.whole_file(file);
    reader.flush();
    let Reader { form, lines, includes, diagnostics, .. } = reader;
    Lines { file, form, lines, includes, diagnostics }
}

/// U+FEFF in UTF-8, which some editors write at the start of a file.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

impl Reader<'_> {
    /// Reads a file at the current position.
    pub fn whole_file(&mut self, file: FileId) {
        self.opened.push(file);
        let outer = std::mem::replace(&mut self.outer_conditionals, self.conditionals.len());
        let open_comment = self.open_comment.take();
        let bytes = self.files.get(file).bytes.clone();
        let mut start = if bytes.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        while start < bytes.len() && !self.stopped {
            start = self.line(&bytes, file, start);
        }
        while self.conditionals.len() > self.outer_conditionals {
            if let Some(conditional) = self.conditionals.pop() {
                let message = "a conditional without `#endif`";
                let diagnostic = Diagnostic::error(codes::OPEN_CONDITIONAL, conditional.span, message);
                self.report(diagnostic.because("begins here"));
            }
        }
        self.open_comment = open_comment;
        self.outer_conditionals = outer;
        self.opened.pop();
    }

    /// Reads the line that begins at `start`. Returns the start of the next one.
    fn line(&mut self, bytes: &[u8], file: FileId, start: usize) -> usize {
        if self.preprocess && bytes[start] == b'#' {
            return self.hash_line(bytes, file, start);
        }
        let newline = memchr::memchr(b'\n', &bytes[start..]);
        let next = newline.map_or(bytes.len(), |at| start + at + 1);
        let mut end = newline.map_or(bytes.len(), |at| start + at);
        while end > start && bytes[end - 1] == b'\r' {
            end -= 1;
        }
        let text = &bytes[start..end];
        if self.preprocess {
            if self.is_skipping() {
                return self.skipped_line(bytes, file, start, next);
            }
            if !self.is_untouched(text) {
                return self.expanded_line(bytes, file, start);
            }
        }
        let line = Span::new(file, start as u32, end as u32);
        self.card(&Card { text, line, runs: None });
        next
    }

    /// Skips a line of a branch that is not taken. A C comment may extend over more lines, including
    /// conditionals.
    fn skipped_line(&mut self, bytes: &[u8], file: FileId, start: usize, next: usize) -> usize {
        let line = &bytes[start..next];
        if memchr::memmem::find(line, b"/*").is_none() {
            return next;
        }
        let mut quote: Option<u8> = None;
        let mut at = start;
        while let Some(&byte) = bytes.get(at).filter(|&&byte| byte != b'\n') {
            match quote {
                Some(open) => quote = Some(open).filter(|&open| open != byte),
                None if byte == b'/' && bytes.get(at + 1) == Some(&b'*') => {
                    if let Some(behind) = self.behind_comment(bytes, file, at) {
                        at = behind;
                        continue;
                    }
                }
                None if matches!(byte, b'\'' | b'"') => quote = Some(byte),
                None => {}
            }
            at += 1;
        }
        (at + 1).min(bytes.len())
    }

    pub fn card(&mut self, card: &Card) {
        if card.text.first() == Some(&b'#') && !self.preprocess {
            self.not_preprocessed(card);
            return;
        }
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

    /// Reports a preprocessor line in a file that is not preprocessed. Compilers skip it too.
    fn not_preprocessed(&mut self, card: &Card) {
        let word = first_solid(card.text, 1);
        if word.is_some_and(|word| !card.text[word].is_ascii_digit()) {
            let message = "a preprocessor line in a file that is not preprocessed";
            self.report(
                Diagnostic::warning(codes::NOT_PREPROCESSED, card.line, message)
                    .help("give the file an extension in upper case, or the flag `-cpp`"),
            );
        }
    }

    /// Free form: true if a constant continues on this line.
    fn in_constant(&self) -> bool {
        self.partial_line
            .as_ref()
            .is_some_and(|partial_line| partial_line.continued && partial_line.context() != Context::Code)
    }
}
