//! One source through the front end: read, preprocessed, parsed, bound.
//!
//! In: a path and its flags. Out: a unit, with its diagnostics beside it. Holds afterwards: a unit is
//! there for every source that could be read, however faulty its text.

use std::collections::hash_map::{Entry, HashMap};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use cppc_grammar::c::parse::{parse, Parsed};
use cppc_grammar::c::preprocess::{Compiler, ProbeCache, ProbeError};
use cppc_grammar::c::preprocess::preprocess;
use cppc_grammar::c::token::Preprocessed;
use cppc_source::{Diagnostic, FileId, Files};

use crate::bind::c::{bind, Bound};

#[derive(Debug, Clone)]
pub struct Source {
    pub path: PathBuf,
    /// The compiler's options; those that do not bear on preprocessing are passed over.
    pub flags: Vec<OsString>,
}

/// One source after the front end.
#[derive(Debug)]
pub struct Unit {
    pub file: FileId,
    pub preprocessed: Preprocessed,
    pub parsed: Parsed,
    pub bound: Bound,
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
    let mut compilers: HashMap<&[OsString], Compiler> = HashMap::new();
    let mut units = Vec::new();
    for source in sources {
        let file = files.add(&source.path, read(&source.path)?);
        let asked = match compilers.entry(&source.flags) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(probe(compiler, &source.flags)?),
        };
        let mut preprocessed = preprocess(files, file, asked);
        diagnostics.append(&mut preprocessed.diagnostics);
        let parsed = parse(&preprocessed, file);
        let mut bound = bind(&parsed.unit, &preprocessed, files, file);
        diagnostics.append(&mut bound.diagnostics);
        units.push(Unit { file, preprocessed, parsed, bound });
    }
    Ok(units)
}

fn read(path: &Path) -> Result<Vec<u8>, FrontError> {
    let failed = |error| FrontError::Read { path: path.to_path_buf(), error };
    let bytes = std::fs::read(path).map_err(failed)?;
    if bytes.len() > i32::MAX as usize {
        return Err(FrontError::Large { path: path.to_path_buf() });
    }
    Ok(bytes)
}

/// Asks `mpicc`, or a compiler with words of its own (`gcc -m32`).
fn probe(compiler: &OsStr, flags: &[OsString]) -> Result<Compiler, ProbeError> {
    let text = compiler.to_string_lossy();
    let mut words = text.split_whitespace().map(OsString::from);
    let command = words.next().unwrap_or_default();
    let all: Vec<OsString> = words.chain(flags.iter().cloned()).collect();
    Compiler::probe_with(&command, &all, ProbeCache::of_environment().as_ref())
}
