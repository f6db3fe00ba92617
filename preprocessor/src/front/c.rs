//! The front end for one C source: preprocesses, parses and binds it.
//!
//! Input: a file and its flags.
//! Output: a unit.
//! Postcondition: the compiler was run at most once per set of flags.

use std::collections::hash_map::{Entry, HashMap};
use std::ffi::{OsStr, OsString};

use cppc_grammar::c::parse::{parse, Parsed};
use cppc_grammar::c::preprocess::{preprocess_with, Compiler, ProbeCache, ProbeError, UnitCache};
use cppc_grammar::c::token::Preprocessed;
use cppc_source::{FileId, Files};

use crate::bind::c::{bind, Bound};

#[derive(Debug)]
pub struct Unit {
    pub file: FileId,
    /// The compiler is clang, and not gcc.
    pub is_clang: bool,
    /// The compiler follows the directives of OpenMP.
    pub has_openmp: bool,
    pub preprocessed: Preprocessed,
    pub parsed: Parsed,
    pub bound: Bound,
}

/// The compiler's answers for each set of flags that occurred.
pub(super) struct Compilers<'a> {
    command: &'a OsStr,
    known: HashMap<&'a [OsString], (Compiler, UnitCache)>,
}

impl<'a> Compilers<'a> {
    pub fn new(command: &'a OsStr) -> Compilers<'a> {
        Compilers { command, known: HashMap::new() }
    }

    /// The compiler with these flags: a command such as `mpicc`, or a command with options (`gcc -m32`).
    fn under(&mut self, flags: &'a [OsString]) -> Result<&mut (Compiler, UnitCache), ProbeError> {
        match self.known.entry(flags) {
            Entry::Occupied(known) => Ok(known.into_mut()),
            Entry::Vacant(new) => {
                let text = self.command.to_string_lossy();
                let mut words = text.split_whitespace().map(OsString::from);
                let command = words.next().unwrap_or_default();
                let all: Vec<OsString> = words.chain(flags.iter().cloned()).collect();
                let cache = ProbeCache::of_environment();
                let compiler = Compiler::probe_with(&command, &all, cache.as_ref())?;
                Ok(new.insert((compiler, UnitCache::default())))
            }
        }
    }
}

/// The macro of a compiler that follows the directives of OpenMP.
const OPENMP: &[u8] = b"#define _OPENMP ";

pub(super) fn unit<'a>(
    compilers: &mut Compilers<'a>,
    flags: &'a [OsString],
    file: FileId,
    files: &mut Files,
) -> Result<Unit, ProbeError> {
    let (compiler, cache) = compilers.under(flags)?;
    let is_clang = compiler.language.clang > 0;
    let has_openmp = compiler.predefined.windows(OPENMP.len()).any(|found| found == OPENMP);
    let preprocessed = preprocess_with(files, file, compiler, cache);
    let parsed = parse(&preprocessed, file);
    let bound = bind(&parsed.unit, &preprocessed, files, file);
    Ok(Unit { file, is_clang, has_openmp, preprocessed, parsed, bound })
}
