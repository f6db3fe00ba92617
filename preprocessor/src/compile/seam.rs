//! What a wrapper asks of the translation, and nothing more.
//!
//! In: sources, each with the flags and the directory it is compiled with. Out: their texts.
//! Holds afterwards: diagnostics have been printed; when there was an error there are no texts.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::language::Language;
pub use crate::spell::c::Dispatch;

use super::record::Digest;
use super::Failure;

/// One source of a program.
#[derive(Debug, Clone, PartialEq)]
pub struct Unit {
    /// As the compiler's command line has it: what `#line` says.
    pub source: PathBuf,
    /// The directory that `source` and the flags are relative to.
    pub directory: PathBuf,
    /// Every option of the command line that matters to preprocessing and compiling, in order.
    pub flags: Vec<OsString>,
}

impl Unit {
    /// The source, wherever it is looked at from.
    pub fn path(&self) -> PathBuf {
        self.directory.join(&self.source)
    }

    pub fn language(&self) -> Language {
        Language::of(&self.source, &self.flags)
    }
}

#[derive(Debug)]
pub struct Request {
    /// The C compiler's own words, such as `mpicc` or `gcc -m32`.
    pub compiler: Vec<OsString>,
    pub fortran_compiler: Vec<OsString>,
    /// The sources whose texts are wanted.
    pub units: Vec<Unit>,
    /// Sources that are only looked at, such as those of the modules that the units use.
    pub context: Vec<Unit>,
    pub dispatch: Dispatch,
    /// Whether these are all sources of the program; if not, what is missing may be in the others.
    pub whole: bool,
    /// Warnings that have been shown before.
    pub said: Vec<Digest>,
}

/// What became of a request.
#[derive(Debug)]
pub struct Translation {
    /// In the order of the units.
    pub texts: Vec<Translated>,
    /// What there was to say, whether or not it has been shown before.
    pub said: Vec<Digest>,
}

#[derive(Debug)]
pub struct Translated {
    pub text: Vec<u8>,
    pub changed: bool,
}

pub type Translator<'a> = &'a dyn Fn(&Request) -> Result<Translation, Failure>;
