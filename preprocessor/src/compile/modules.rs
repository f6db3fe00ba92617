//! Finds the sources of modules. A Fortran compiler reads `NAME.mod` for a module of another file; the
//! translation reads the source of the module instead.
//!
//! Input: a source.
//! Output: the sources of the modules that it uses, directly and indirectly.
//! Postcondition: each module file that was compiled by the wrapper has a file `NAME-cppc-module` next to it,
//! with the record of its source. A module without such a file is left to the compiler.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::record::Record;
use super::request::Unit;
use super::temporary::cannot_write;
use super::Failure;
use crate::modules::{values, Names, MODULE_DIRECTORY};

/// The end of the names of files with records. Autoconf takes every file `NAME.*` that a compiler makes for a module for
/// its module file, so the name is not that of the module with another extension.
const RECORD: &str = "-cppc-module";

/// The records of the modules that a source uses, directly and indirectly, without its own.
pub fn used_by(unit: &Unit) -> Vec<Record> {
    let mut found: Vec<Record> = Vec::new();
    let mut seen: HashSet<Vec<u8>> = HashSet::new();
    let mut waiting = vec![unit.clone()];
    while let Some(next) = waiting.pop() {
        let Ok(text) = std::fs::read(next.path()) else { continue };
        let names = Names::of(&text);
        seen.extend(names.defined);
        for name in names.used {
            if !seen.insert(name.clone()) {
                continue;
            }
            let Some(record) = directories(&next).iter().find_map(|place| read(place, &name)) else {
                continue;
            };
            let path = record.unit.path();
            let is_known = path == unit.path() || found.iter().any(|known| known.unit.path() == path);
            if !is_known && path.is_file() {
                waiting.push(record.unit.clone());
                found.push(record);
            }
        }
    }
    found
}

/// Writes the record of a compiled source next to the files of its modules.
pub fn note(record: &Record) -> Result<(), Failure> {
    let Ok(text) = std::fs::read(record.unit.path()) else { return Ok(()) };
    let places = directories(&record.unit);
    for name in Names::of(&text).defined {
        let name = OsStr::from_bytes(&name);
        let Some(place) = places.iter().find(|place| place.join(name).with_extension("mod").is_file()) else {
            continue;
        };
        let path = record_of(place, name);
        let content = record.encode();
        if !std::fs::read(&path).is_ok_and(|there| there == content) {
            std::fs::write(&path, content).map_err(|error| cannot_write(&path, &error))?;
        }
    }
    Ok(())
}

fn read(place: &Path, name: &[u8]) -> Option<Record> {
    let path = record_of(place, OsStr::from_bytes(name));
    Record::decode_all(&std::fs::read(path).ok()?)?.pop()
}

fn record_of(place: &Path, name: &OsStr) -> PathBuf {
    let mut name = name.to_owned();
    name.push(RECORD);
    place.join(name)
}

/// The directory in which the compiler writes module files, followed by those in which it searches for them.
fn directories(unit: &Unit) -> Vec<PathBuf> {
    let mut directories = values(&unit.flags, &MODULE_DIRECTORY);
    directories.push(PathBuf::new());
    directories.extend(values(&unit.flags, &["-I"]));
    directories.iter().map(|directory| unit.directory.join(directory)).collect()
}
