//! Reads and parses the sources of a program with the front end of each language.
//!
//! Input: paths and their flags.
//! Output: a unit for each source, with its diagnostics.
//! Postcondition: every source that could be read has a unit, even if its text has errors.

pub mod c;
pub mod fortran;
mod expanded;
mod included;
pub mod in_place;
mod modules;
mod unity;

use std::ffi::{OsStr, OsString};
use std::ops::Range;
use std::path::{Path, PathBuf};

use cppc_grammar::c::preprocess::ProbeError;
use cppc_source::{Diagnostic, FileId, Files, ShownLines};

use crate::language::Language;

/// Diagnostics about text that cannot be changed where it is, in an included file or in a macro: procedures, statements and
/// expressions.
const OUT_OF_REACH: [&str; 2] = ["C0501", "C0502"];

#[derive(Debug, Clone)]
pub struct Source {
    pub path: PathBuf,
    /// The options of the compiler. Options that do not affect preprocessing are ignored.
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

/// The units of a program before they are combined into one model.
#[derive(Debug, Default)]
pub struct Front {
    /// In the order of the sources.
    pub units: Vec<Unit>,
    /// Sources of modules that are used by the given sources but not defined in them.
    pub modules: Vec<fortran::Unit>,
    /// Of preprocessing, of reading lines, and of binding C. Those of the parsers are in the units.
    pub diagnostics: Vec<Diagnostic>,
    /// For each unit, the files that its source includes, and its part of the diagnostics.
    from_sources: Vec<(Range<u32>, Vec<Diagnostic>)>,
}

/// The commands of the compilers.
#[derive(Debug, Clone, Copy)]
pub struct Compilers<'a> {
    pub c: &'a OsStr,
    pub fortran: &'a OsStr,
}

/// A reason why a source could not be read and preprocessed.
#[derive(Debug, thiserror::Error)]
pub enum FrontError {
    #[error("cannot read `{}`: {error}", path.display())]
    Read { path: PathBuf, error: std::io::Error },
    #[error("`{}` is too large: a source may have 2 GiB", path.display())]
    Large { path: PathBuf },
    #[error(transparent)]
    Probe(#[from] ProbeError),
}

/// The text of a source instead of the content of its file.
#[derive(Debug, Clone, Default)]
pub struct Text {
    pub bytes: Vec<u8>,
    /// The positions of the lines on the disk, if the text differs from the file and people are to see the original.
    pub shown: Option<ShownLines>,
}

/// Reads, preprocesses and parses each source. C sources are bound too. If `texts` has a text for a source,
/// that text replaces the content of the source's file. The diagnostics of the parser stay with the unit,
/// because their severity depends on what will be rewritten.
///
/// # Errors
/// If a source cannot be read or the compiler cannot be run.
pub fn front_end(
    compilers: Compilers,
    sources: &[Source],
    texts: &[Option<Text>],
    files: &mut Files,
) -> Result<Front, FrontError> {
    front_end_after(None, compilers, sources, texts, files)
}

/// The same. `previous`: the result for other texts of the same sources. Units of Fortran with the same text are taken
/// from there.
///
/// # Errors
/// If a source cannot be read or the compiler cannot be run.
pub fn front_end_after(
    previous: Option<(Front, &Files)>,
    compilers: Compilers,
    sources: &[Source],
    texts: &[Option<Text>],
    files: &mut Files,
) -> Result<Front, FrontError> {
    let mut diagnostics = Vec::new();
    let mut known = c::Compilers::new(compilers.c);
    let (mut units, mut from_sources) = (Vec::new(), Vec::new());
    let (mut old, old_files) = match previous {
        Some((front, files)) => (front.units.into_iter().zip(front.from_sources), Some(files)),
        None => (Vec::new().into_iter().zip(Vec::new()), None),
    };
    for (index, source) in sources.iter().enumerate() {
        let text = match texts.get(index).cloned().flatten() {
            Some(text) => text,
            None => source.text()?,
        };
        let file = files.add(&source.path, text.bytes);
        if let Some(shown) = text.shown {
            files.set_shown(file, shown);
        }
        let is_same = |one: &Unit, old_files: &Files| {
            one.as_fortran().is_some()
                && one.file() == file
                && old_files.get(file).bytes == files.get(file).bytes
        };
        let same = old.next().zip(old_files).filter(|((unit, _), old_files)| is_same(unit, old_files));
        if let Some(((unit, (included, found)), old_files)) = same {
            included.clone().for_each(|id| files.add_same(old_files, id));
            diagnostics.extend(found.iter().cloned());
            units.push(unit);
            from_sources.push((included, found));
            continue;
        }
        let (first, mut found) = (files.count(), Vec::new());
        units.push(match source.language() {
            Language::C => {
                let mut unit = c::unit(&mut known, &source.flags, file, files)?;
                found.append(&mut unit.preprocessed.diagnostics);
                found.append(&mut unit.bound.diagnostics);
                Unit::C(Box::new(unit))
            }
            Language::Fortran => {
                let mut unit = fortran::unit(compilers.fortran, &source.flags, file, files);
                found.append(&mut unit.lines.diagnostics);
                Unit::Fortran(Box::new(unit))
            }
        });
        diagnostics.extend(found.iter().cloned());
        from_sources.push((first..files.count(), found));
    }
    let fortran = sources.iter().zip(&units).filter_map(|(source, unit)| Some((source, unit.as_fortran()?)));
    let (given, read): (Vec<&Source>, Vec<&fortran::Unit>) = fortran.unzip();
    let modules = modules::missing(compilers.fortran, &given, &read, files);
    Ok(Front { units, modules, diagnostics, from_sources })
}

impl Source {
    /// The language given by `-x` or by the name of the file.
    pub fn language(&self) -> Language {
        Language::of(&self.path, &self.flags)
    }

    /// The text to translate.
    fn text(&self) -> Result<Text, FrontError> {
        let bytes = read(&self.path)?;
        Ok(match self.language() {
            Language::C => unity::in_place(self, bytes),
            Language::Fortran => Text { bytes, shown: None },
        })
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
