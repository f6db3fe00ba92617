//! The sources of modules that are used by the sources of a request and defined in none of them.
//!
//! In: Fortran units, their paths and flags. Out: further units, read for their modules only. Holds
//! afterwards: a module whose source stands beside a source that uses it, or in a directory of `-I`
//! or `-J`, is known; what is looked through is bounded.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use cppc_source::Files;

use super::fortran::{unit, Unit};
use super::Source;
use crate::bind::fortran::{defined_modules, used_modules};
use crate::language::Language;

/// Sources read for their modules, at most.
const MODULES: usize = 500;
/// Files of a directory that are looked through, at most.
const FILES: usize = 5000;
const FILE_BYTES: u64 = 16 << 20;

/// Finds and reads them.
pub(super) fn missing(
    compiler: &OsStr,
    sources: &[&Source],
    units: &[&Unit],
    files: &mut Files,
) -> Vec<Unit> {
    let mut defined: BTreeSet<String> = units.iter().flat_map(|unit| definitions(unit)).collect();
    let mut wanted: Vec<(String, usize)> = Vec::new();
    for (index, unit) in units.iter().enumerate() {
        wanted.extend(uses(unit).into_iter().map(|name| (name, index)));
    }
    let mut places: Vec<Places> = sources.iter().map(|source| Places::of(source)).collect();
    let mut index = Index::default();
    let mut found: Vec<Unit> = Vec::new();
    let given: BTreeSet<PathBuf> = sources.iter().filter_map(|s| s.path.canonicalize().ok()).collect();
    while let Some((name, user)) = wanted.pop() {
        if found.len() >= MODULES || !defined.insert(name.clone()) {
            continue;
        }
        let Some(path) = index.source(&name, &mut places[user].directories) else { continue };
        if path.canonicalize().is_ok_and(|path| given.contains(&path)) {
            continue;
        }
        let Ok(bytes) = std::fs::read(&path) else { continue };
        let file = files.add(&path, bytes);
        // What is wrong with it is told when it is translated itself.
        let read = unit(compiler, &sources[user].flags, file, files, &mut Vec::new());
        defined.extend(definitions(&read));
        wanted.extend(uses(&read).into_iter().map(|name| (name, user)));
        found.push(Unit { translated: false, ..read });
    }
    found
}

fn definitions(unit: &Unit) -> Vec<String> {
    defined_modules(&unit.parsed.tree).into_iter().map(|name| name.text.clone()).collect()
}

fn uses(unit: &Unit) -> Vec<String> {
    used_modules(&unit.parsed.tree).into_iter().map(|name| name.text.clone()).collect()
}

/// Where the modules of a source may be.
struct Places {
    directories: Vec<PathBuf>,
}

impl Places {
    fn of(source: &Source) -> Places {
        let own = source.path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let mut directories = vec![own.unwrap_or(Path::new(".")).to_owned()];
        let mut flags = source.flags.iter();
        while let Some(flag) = flags.next() {
            let bytes = flag.as_encoded_bytes();
            let directory = match bytes {
                b"-I" | b"-J" | b"-module-dir" => flags.next().map(PathBuf::from),
                [b'-', b'I' | b'J', ..] => Some(PathBuf::from(behind(flag, 2))),
                _ => None,
            };
            directories.extend(directory);
        }
        Places { directories }
    }
}

/// An option's value that is joined to it.
fn behind(flag: &OsString, letters: usize) -> OsString {
    flag.to_string_lossy().chars().skip(letters).collect::<String>().into()
}

/// Which file of a directory defines which module.
#[derive(Default)]
struct Index {
    directories: BTreeMap<PathBuf, BTreeMap<String, PathBuf>>,
}

impl Index {
    fn source(&mut self, name: &str, directories: &mut [PathBuf]) -> Option<PathBuf> {
        directories.iter().find_map(|directory| {
            let known = self.directories.entry(directory.clone()).or_insert_with(|| look_through(directory));
            known.get(name).cloned()
        })
    }
}

/// The modules that the Fortran sources of a directory define.
fn look_through(directory: &Path) -> BTreeMap<String, PathBuf> {
    let mut modules = BTreeMap::new();
    let Ok(entries) = std::fs::read_dir(directory) else { return modules };
    let mut paths: Vec<PathBuf> = entries.flatten().take(FILES).map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths.into_iter().filter(|path| Language::of(path, &[]) == Language::Fortran) {
        let small = path.metadata().is_ok_and(|about| about.is_file() && about.len() <= FILE_BYTES);
        let Some(bytes) = small.then(|| std::fs::read(&path).ok()).flatten() else { continue };
        for line in bytes.split(|&byte| byte == b'\n') {
            if let Some(name) = module_name(line) {
                modules.entry(name).or_insert_with(|| path.clone());
            }
        }
    }
    modules
}

/// The name in a line `module name`.
fn module_name(line: &[u8]) -> Option<String> {
    let line = line.trim_ascii_start();
    if line.len() < 8 || !line[..6].eq_ignore_ascii_case(b"module") || !line[6].is_ascii_whitespace() {
        return None;
    }
    let rest = line[6..].trim_ascii();
    let end = rest.iter().position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_');
    let (name, behind) = rest.split_at(end.unwrap_or(rest.len()));
    let behind = behind.trim_ascii_start();
    let alone = behind.is_empty() || behind[0] == b'!' || behind[0] == b';';
    let name = String::from_utf8_lossy(name).to_ascii_lowercase();
    (alone && !name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_is_told_by_its_line() {
        let name = |line: &str| module_name(line.as_bytes());
        assert_eq!(name("  MODULE Grid ! the grid").as_deref(), Some("grid"));
        assert_eq!(name("module grid\r").as_deref(), Some("grid"));
        assert_eq!(name("module procedure relax"), None);
        assert_eq!(name("module subroutine relax(u)"), None);
        assert_eq!(name("modules"), None);
    }
}
