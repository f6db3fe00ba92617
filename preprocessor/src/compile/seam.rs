//! What `cppc-cc` asks of the translation, and nothing more.
//!
//! In: sources, each with the flags and the directory it is compiled with. Out: their texts.
//! Holds afterwards: diagnostics have been printed; when there was an error there are no texts.

use std::ffi::OsString;
use std::path::PathBuf;

use super::Failure;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dispatch {
    Switch,
    Computed,
}

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

#[derive(Debug)]
pub struct Request {
    /// The compiler's own words, such as `mpicc` or `gcc -m32`.
    pub compiler: Vec<OsString>,
    pub units: Vec<Unit>,
    pub dispatch: Dispatch,
    /// Whether these are all sources of the program; if not, what is missing may be in the others.
    pub whole: bool,
}

/// What became of one unit, in the order of the request.
#[derive(Debug)]
pub struct Translated {
    pub text: Vec<u8>,
    pub changed: bool,
}

pub type Translator<'a> = &'a dyn Fn(&Request) -> Result<Vec<Translated>, Failure>;
