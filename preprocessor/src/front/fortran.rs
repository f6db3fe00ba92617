//! The front end for one Fortran source: logical lines and tree. Names are bound later for all sources
//! together, because modules are defined in one file and used in another.
//!
//! Input: a file and its flags.
//! Output: a unit.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use cppc_grammar::fortran::lines::{read, Options};
use cppc_grammar::fortran::logical::Lines;
use cppc_grammar::fortran::parse::{parse, Parsed};
use cppc_source::{FileId, Files};

use crate::bind::fortran::{DefaultKinds, Source};
use crate::modules::{values, MODULE_DIRECTORY};

#[derive(Debug)]
pub struct Unit {
    pub file: FileId,
    pub lines: Lines,
    pub parsed: Parsed,
    pub kinds: DefaultKinds,
    pub options: Options,
    /// Where the compiler finds files of modules.
    pub module_directories: Vec<PathBuf>,
    /// True for a source of the request. Other sources are read only for their modules.
    pub translated: bool,
}

impl Unit {
    /// The parts that binding needs.
    pub fn source(&self) -> Source<'_> {
        Source {
            file: self.file,
            lines: &self.lines,
            tree: &self.parsed.tree,
            kinds: self.kinds,
            options: &self.options,
            module_directories: &self.module_directories,
            translated: self.translated,
        }
    }
}

/// The logical lines of a source as the compiler reads them, and the tree of what could be parsed. The
/// diagnostics of the parser stay with the unit, because their severity depends on what will be rewritten.
pub(super) fn unit(compiler: &OsStr, flags: &[OsString], file: FileId, files: &mut Files) -> Unit {
    let path = files.get(file).path.clone();
    let options = Options::of(Path::new(&path), flags).asking(compiler);
    let lines = read(files, file, &options);
    let parsed = parse(&lines);
    let mut module_directories = vec![PathBuf::from(".")];
    module_directories.extend(options.include_directories.iter().cloned());
    module_directories.extend(values(flags, &MODULE_DIRECTORY));
    let kinds = DefaultKinds::of(flags);
    Unit { file, lines, parsed, kinds, options, module_directories, translated: true }
}
