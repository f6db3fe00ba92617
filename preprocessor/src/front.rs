//! The sources of a program through the front end of their languages.
//!
//! In: paths and their flags. Out: a unit for each, with its diagnostics beside it. Holds afterwards: a
//! unit is there for every source that could be read, however faulty its text.

pub mod c;

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use cppc_grammar::c::preprocess::ProbeError;
use cppc_source::{Diagnostic, FileId, Files};

use crate::language::Language;

#[derive(Debug, Clone)]
pub struct Source {
    pub path: PathBuf,
    /// The compiler's options; those that do not bear on preprocessing are passed over.
    pub flags: Vec<OsString>,
}

/// One source after the front end of its language.
#[derive(Debug)]
pub enum Unit {
    C(Box<c::Unit>),
}

impl Unit {
    pub fn file(&self) -> FileId {
        match self {
            Unit::C(unit) => unit.file,
        }
    }

    pub fn as_c(&self) -> Option<&c::Unit> {
        match self {
            Unit::C(unit) => Some(unit),
        }
    }
}

/// Why a source could not be looked at.
#[derive(Debug, thiserror::Error)]
pub enum FrontError {
    #[error("cannot read `{}`: {error}", path.display())]
    Read { path: PathBuf, error: std::io::Error },
    #[error("`{}` is too large: a source may have 2 GiB", path.display())]
    Large { path: PathBuf },
    #[error(transparent)]
    Probe(#[from] ProbeError),
}

/// Reads, preprocesses, parses and binds each source. What the parser has to say stays with the unit:
/// how bad it is depends on what will be rewritten.
///
/// # Errors
/// When a source cannot be read or the compiler cannot be asked.
pub fn front_end(
    compiler: &OsStr,
    sources: &[Source],
    files: &mut Files,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Vec<Unit>, FrontError> {
    let mut compilers = c::Compilers::new(compiler);
    let mut units = Vec::new();
    for source in sources {
        let file = files.add(&source.path, read(&source.path)?);
        units.push(match source.language() {
            Language::C | Language::Fortran => {
                Unit::C(Box::new(c::unit(&mut compilers, &source.flags, file, files, diagnostics)?))
            }
        });
    }
    Ok(units)
}

impl Source {
    /// As its name or `-x` says.
    pub fn language(&self) -> Language {
        Language::of(&self.path, &self.flags)
    }
}

fn read(path: &Path) -> Result<Vec<u8>, FrontError> {
    let failed = |error| FrontError::Read { path: path.to_path_buf(), error };
    let bytes = std::fs::read(path).map_err(failed)?;
    if bytes.len() > i32::MAX as usize {
        return Err(FrontError::Large { path: path.to_path_buf() });
    }
    Ok(bytes)
}
