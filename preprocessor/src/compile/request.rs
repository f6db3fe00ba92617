//! The interface between a wrapper and the translation.
//!
//! Input: sources, each with the flags and the directory with which it is compiled.
//! Output: their texts.
//! Postcondition: diagnostics have been printed. If there was an error, there are no texts.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::driver::{Automatic, Check, Unknown, Warnings};
use crate::language::Language;
pub use crate::spell::c::Dispatch;

use super::Failure;

/// One source of a program.
#[derive(Debug, Clone, PartialEq)]
pub struct Unit {
    /// The path as on the compiler's command line. `#line` directives contain it.
    pub source: PathBuf,
    /// The directory that `source` and the flags are relative to.
    pub directory: PathBuf,
    /// Every option of the command line that affects preprocessing and compiling, in order.
    pub flags: Vec<OsString>,
}

impl Unit {
    /// The path of the source, valid from any directory.
    pub fn path(&self) -> PathBuf {
        self.directory.join(&self.source)
    }

    pub fn language(&self) -> Language {
        Language::of(&self.source, &self.flags)
    }
}

#[derive(Debug)]
pub struct Request {
    /// The command words of the C compiler, such as `mpicc` or `gcc -m32`.
    pub compiler: Vec<OsString>,
    pub fortran_compiler: Vec<OsString>,
    /// The sources to translate.
    pub units: Vec<Unit>,
    /// Sources that are read but not translated, such as those of the modules that the units use.
    pub context: Vec<Unit>,
    pub dispatch: Dispatch,
    /// True if these are all sources of the program. If not, missing procedures may be in other files.
    pub whole: bool,
    /// Warnings that were reported before.
    pub reported: Vec<Digest>,
    /// The analyses need all sources of the program, so they run only at the link.
    pub is_link: bool,
    pub analyses: Analyses,
}

/// The analyses of the whole program, which run at the link.
#[derive(Debug, Clone, Default)]
pub struct Analyses {
    pub check: Check,
    pub automatic: Automatic,
    pub unknown: Unknown,
    pub warnings: Warnings,
    /// The numbers of processes for which communications are followed. Empty: usual ones.
    pub ranks: Vec<usize>,
    /// Files with entries for procedures without source.
    pub catalogues: Vec<PathBuf>,
    /// The file for a patch with the automatic directives.
    pub patch: Option<PathBuf>,
}

/// The result of a request.
#[derive(Debug)]
pub struct Translation {
    /// In the order of the units.
    pub texts: Vec<Translated>,
    /// All warnings, including those that were reported before.
    pub reported: Vec<Digest>,
}

#[derive(Debug)]
pub struct Translated {
    pub text: Vec<u8>,
    pub changed: bool,
    /// The number of elements of a register follows from the allocations of the program.
    pub needs_allocations: bool,
    /// The included sources that the text contains.
    pub parts: Vec<PathBuf>,
}

impl Translated {
    /// `None` if the source itself is compiled.
    pub fn digest(&self) -> Option<Digest> {
        self.changed.then(|| Digest::of(&self.text))
    }
}

pub type Translator<'a> = &'a dyn Fn(&Request) -> Result<Translation, Failure>;

/// Length and hash of a text, to compare it with another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Digest(pub(super) u64);

impl Digest {
    /// The result is the same on every machine and in every version.
    pub fn of(text: &[u8]) -> Digest {
        Digest(cppc_abi::sections::digest(text))
    }

    pub fn of_file(path: &Path) -> Option<Digest> {
        std::fs::read(path).ok().map(|text| Digest::of(&text))
    }
}
