//! A Fortran source through the front end: logical lines, tree. Names are bound for all sources
//! together, since modules are known in one file and used in another.
//!
//! In: a file and its flags. Out: a unit.

use std::ffi::{OsStr, OsString};
use std::path::Path;

use cppc_grammar::fortran::lines::{read, Options};
use cppc_grammar::fortran::logical::Lines;
use cppc_grammar::fortran::parse::{parse, Parsed};
use cppc_source::{Diagnostic, FileId, Files};

use crate::bind::fortran::{DefaultKinds, Source};

#[derive(Debug)]
pub struct Unit {
    pub file: FileId,
    pub lines: Lines,
    pub parsed: Parsed,
    pub kinds: DefaultKinds,
    pub options: Options,
    /// Given by the user; others are only read for the modules in them.
    pub translated: bool,
}

impl Unit {
    /// What binding needs of it.
    pub fn source(&self) -> Source<'_> {
        Source {
            file: self.file,
            lines: &self.lines,
            tree: &self.parsed.tree,
            kinds: self.kinds,
            options: &self.options,
            translated: self.translated,
        }
    }
}

/// What the compiler sees of a source, and what can be understood of it. What the parser has to say
/// stays with the unit: how bad it is depends on what will be rewritten.
pub(super) fn unit(
    compiler: &OsStr,
    flags: &[OsString],
    file: FileId,
    files: &mut Files,
    diagnostics: &mut Vec<Diagnostic>,
) -> Unit {
    let path = files.get(file).path.clone();
    let options = Options::of(Path::new(&path), flags).asking(compiler);
    let lines = read(files, file, &options, diagnostics);
    let parsed = parse(&lines);
    Unit { file, lines, parsed, kinds: DefaultKinds::of(flags), options, translated: true }
}
