//! The sources of a program through the front end of their languages.
//!
//! In: paths and their flags. Out: a unit for each, with its diagnostics beside it. Holds afterwards: a
//! unit is there for every source that could be read, however faulty its text.

pub mod c;
pub mod fortran;
pub mod included;
mod modules;

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
    Fortran(Box<fortran::Unit>),
}

impl Unit {
    pub fn file(&self) -> FileId {
        match self {
            Unit::C(unit) => unit.file,
            Unit::Fortran(unit) => unit.file,
        }
    }

    pub fn as_c(&self) -> Option<&c::Unit> {
        match self {
            Unit::C(unit) => Some(unit),
            Unit::Fortran(_) => None,
        }
    }

    pub fn as_fortran(&self) -> Option<&fortran::Unit> {
        match self {
            Unit::C(_) => None,
            Unit::Fortran(unit) => Some(unit),
        }
    }
}

/// All that is known of a program's sources before it is seen as one.
#[derive(Debug, Default)]
pub struct Front {
    /// In the order of the sources.
    pub units: Vec<Unit>,
    /// Sources that define modules which are used and not given.
    pub modules: Vec<fortran::Unit>,
}

/// The commands of the compilers.
#[derive(Debug, Clone, Copy)]
pub struct Compilers<'a> {
    pub c: &'a OsStr,
    pub fortran: &'a OsStr,
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

/// Reads, preprocesses and parses each source; those of C are bound too. Where `texts` has one, it stands for what is in
/// the source's file. What the parser has to say
/// stays with the unit: how bad it is depends on what will be rewritten.
///
/// # Errors
/// When a source cannot be read or the compiler cannot be asked.
pub fn front_end(
    compilers: Compilers,
    sources: &[Source],
    texts: &[Option<Vec<u8>>],
    files: &mut Files,
    diagnostics: &mut Vec<Diagnostic>,
) -> Result<Front, FrontError> {
    let mut known = c::Compilers::new(compilers.c);
    let mut units = Vec::new();
    for (index, source) in sources.iter().enumerate() {
        let text = match texts.get(index).cloned().flatten() {
            Some(text) => text,
            None => read(&source.path)?,
        };
        let file = files.add(&source.path, text);
        units.push(match source.language() {
            Language::C => Unit::C(Box::new(c::unit(&mut known, &source.flags, file, files, diagnostics)?)),
            Language::Fortran => {
                let unit = fortran::unit(compilers.fortran, &source.flags, file, files, diagnostics);
                Unit::Fortran(Box::new(unit))
            }
        });
    }
    let fortran = sources.iter().zip(&units).filter_map(|(source, unit)| Some((source, unit.as_fortran()?)));
    let (given, read): (Vec<&Source>, Vec<&fortran::Unit>) = fortran.unzip();
    let modules = modules::missing(compilers.fortran, &given, &read, files);
    Ok(Front { units, modules })
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
