//! Where the sources of modules are: what a Fortran compiler learns from `NAME.mod` about a module of
//! another file, the translation learns from its source.
//!
//! In: a source. Out: the sources of the modules that it uses, and those that they use. Holds
//! afterwards: beside each file of a module that was compiled here stands `NAME.cppc-module`, with the
//! record of its source; a module without one is left to the compiler.

use std::collections::HashSet;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use super::line::MODULE_DIRECTORY;
use super::record::Record;
use super::seam::Unit;
use super::workshop::cannot_write;
use super::Failure;

const EXTENSION: &str = "cppc-module";

/// The records of the modules that a source uses, directly and through others, its own left out.
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
            let Some(record) = directories(&next).iter().find_map(|place| read(place, &name)) else { continue };
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

/// Notes where the modules of a source that has been compiled come from.
pub fn note(record: &Record) -> Result<(), Failure> {
    let Ok(text) = std::fs::read(record.unit.path()) else { return Ok(()) };
    let places = directories(&record.unit);
    for name in Names::of(&text).defined {
        let name = OsStr::from_bytes(&name);
        let Some(place) = places.iter().find(|place| place.join(name).with_extension("mod").is_file()) else {
            continue;
        };
        let path = place.join(name).with_extension(EXTENSION);
        let content = record.encode();
        if !std::fs::read(&path).is_ok_and(|there| there == content) {
            std::fs::write(&path, content).map_err(|error| cannot_write(&path, &error))?;
        }
    }
    Ok(())
}

fn read(place: &Path, name: &[u8]) -> Option<Record> {
    let path = place.join(OsStr::from_bytes(name)).with_extension(EXTENSION);
    Record::decode_all(&std::fs::read(path).ok()?)?.pop()
}

/// Where a compiler puts files of modules, and then where it looks for them.
fn directories(unit: &Unit) -> Vec<PathBuf> {
    let mut directories = values(&unit.flags, &MODULE_DIRECTORY);
    directories.push(PathBuf::new());
    directories.extend(values(&unit.flags, &["-I"]));
    directories.iter().map(|directory| unit.directory.join(directory)).collect()
}

/// What the options say, be it joined or in a word of its own.
fn values(flags: &[OsString], options: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut flags = flags.iter();
    while let Some(flag) = flags.next() {
        let joined = options.iter().find_map(|option| flag.as_bytes().strip_prefix(option.as_bytes()));
        match joined {
            Some(b"") => found.extend(flags.next().map(PathBuf::from)),
            Some(value) => found.push(OsStr::from_bytes(value).into()),
            None => {}
        }
    }
    found
}

/// The names of modules in a text, in lower case as compilers name their files.
#[derive(Default)]
struct Names {
    defined: Vec<Vec<u8>>,
    used: Vec<Vec<u8>>,
}

impl Names {
    /// A quick look, line by line: one name too many does no harm.
    fn of(text: &[u8]) -> Names {
        let mut names = Names::default();
        let lower = text.to_ascii_lowercase();
        for statement in lower.split(|byte| matches!(byte, b'\n' | b';')) {
            let words = words(statement);
            match words.as_slice() {
                [b"module", b"procedure" | b"subroutine" | b"function", _, ..] => {}
                [b"module", name] => names.defined.push(name.to_vec()),
                [b"use", b",", ..] => {
                    let name = words.iter().skip_while(|word| **word != b"::").nth(1);
                    names.used.extend(name.map(|name| name.to_vec()));
                }
                [b"use", b"::", name, ..] | [b"use", name, ..] => names.used.push(name.to_vec()),
                [b"submodule", b"(", parent, rest @ ..] => {
                    names.used.push(parent.to_vec());
                    if let [b":", ancestor, ..] = rest {
                        names.used.push(ancestor.to_vec());
                    }
                }
                _ => {}
            }
        }
        names
    }
}

/// Names and marks, up to a comment.
fn words(statement: &[u8]) -> Vec<&[u8]> {
    let mut words = Vec::new();
    let mut rest = statement.trim_ascii_start();
    while let Some(first) = rest.first() {
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
        let length = match first {
            b'!' => break,
            _ if is_name(first) => rest.iter().take_while(|byte| is_name(byte)).count(),
            b':' if rest.get(1) == Some(&b':') => 2,
            _ => 1,
        };
        // What a module is called stands at the beginning.
        if words.len() == 8 {
            break;
        }
        words.push(&rest[..length]);
        rest = rest[length..].trim_ascii_start();
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_are_found_in_a_text() {
        let text = b"  MODULE Grid_Data ! of old\nuse, intrinsic :: iso_c_binding\n use kinds, only: wp\nuse::plain\n\
            module procedure add\nmodule subroutine step(n)\nsubmodule (top:middle) low\nx = 1; use late\nuse_it = 3\n";
        let shown = |names: Vec<Vec<u8>>| {
            let names: Vec<String> = names.iter().map(|name| String::from_utf8_lossy(name).into_owned()).collect();
            names.join(" ")
        };
        let names = Names::of(text);
        assert_eq!(shown(names.defined), "grid_data");
        assert_eq!(shown(names.used), "iso_c_binding kinds plain top middle late");
    }

    #[test]
    fn directories_come_from_options() {
        let flags = ["-O2", "-Jone", "-I", "two", "-module-dir", "three", "-Ifour"].map(OsString::from);
        assert_eq!(values(&flags, &MODULE_DIRECTORY), ["one", "three"].map(PathBuf::from));
        assert_eq!(values(&flags, &["-I"]), ["two", "four"].map(PathBuf::from));
    }
}
