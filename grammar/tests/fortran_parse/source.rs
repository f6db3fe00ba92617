//! Reads and parses sources for the tests.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use cppc_grammar::fortran::lines::{read, Options};
use cppc_grammar::fortran::logical::Lines;
use cppc_grammar::fortran::parse::{parse, Parsed};
use cppc_source::Files;

pub struct Source {
    pub files: Files,
    pub lines: Lines,
    /// The diagnostics of reading the lines.
    pub parsed: Parsed,
}

/// Reads a text as if it were in the file `path`.
pub fn source(path: &Path, text: &[u8], flags: &[&str]) -> Source {
    let flags: Vec<OsString> = flags.iter().map(OsString::from).collect();
    let mut files = Files::new();
    let main = files.add(path, text);
    let lines = read(&mut files, main, &Options::of(path, &flags));
    let parsed = parse(&lines);
    Source { files, lines, parsed }
}

impl Source {
    /// The diagnostics of the parser as the user reads them.
    pub fn shown(&self) -> String {
        let diagnostics = self.parsed.diagnostics.iter();
        diagnostics.map(|diagnostic| diagnostic.render(&self.files, false)).collect()
    }
}

/// All files below a folder that Fortran compilers accept, in order.
pub fn below(folder: &Path) -> Vec<PathBuf> {
    cppc_fixtures::below(folder, &["f", "F", "for", "ftn", "f90", "F90", "f95", "f03", "f08"])
}
