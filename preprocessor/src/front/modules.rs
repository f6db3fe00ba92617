//! Finds the sources of modules that the sources of a request use but do not define.
//!
//! Input: Fortran units, their paths and flags.
//! Output: further units, read only for their modules.
//! Postcondition: a module is found if its source is in the directory of a source that uses it, or in a
//! directory of `-I` or `-J`. The number of files that are read is limited.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use cppc_source::Files;

use super::fortran::{unit, Unit};
use super::Source;
use crate::bind::fortran::{defined_modules, used_modules};
use crate::language::Language;
use crate::modules::{is_supplied_with_compiler, values, Names, MODULE_DIRECTORY};

/// Maximum number of sources that are read for their modules.
const MODULES: usize = 500;
/// Maximum number of files that are scanned in a directory.
const FILES: usize = 5000;
const FILE_BYTES: u64 = 16 << 20;

/// Finds and reads the missing modules.
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
    let mut places: Vec<SearchDirectories> =
        sources.iter().map(|source| SearchDirectories::of(source)).collect();
    let mut index = Index::default();
    let mut found: Vec<Unit> = Vec::new();
    let given: BTreeSet<PathBuf> = sources.iter().filter_map(|s| s.path.canonicalize().ok()).collect();
    while let Some((name, user)) = wanted.pop() {
        if found.len() >= MODULES || is_supplied_with_compiler(&name) || !defined.insert(name.clone()) {
            continue;
        }
        let Some(path) = index.source(&name, &mut places[user].directories) else { continue };
        if path.canonicalize().is_ok_and(|path| given.contains(&path)) {
            continue;
        }
        let Ok(bytes) = std::fs::read(&path) else { continue };
        let file = files.add(&path, bytes);
        // Errors in it are reported when it is translated itself.
        let read = unit(compiler, &sources[user].flags, file, files);
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

/// The directories that may contain the modules of a source.
struct SearchDirectories {
    directories: Vec<PathBuf>,
}

impl SearchDirectories {
    fn of(source: &Source) -> SearchDirectories {
        let own = source.path.parent().filter(|parent| !parent.as_os_str().is_empty());
        let mut directories = vec![own.unwrap_or(Path::new(".")).to_owned()];
        directories.extend(values(&source.flags, &["-I"]));
        directories.extend(values(&source.flags, &MODULE_DIRECTORY));
        SearchDirectories { directories }
    }
}

/// The files that define each module, per directory.
#[derive(Default)]
struct Index {
    directories: BTreeMap<PathBuf, BTreeMap<String, PathBuf>>,
}

impl Index {
    fn source(&mut self, name: &str, directories: &mut [PathBuf]) -> Option<PathBuf> {
        directories.iter().find_map(|directory| {
            let known =
                self.directories.entry(directory.clone()).or_insert_with(|| scan_directory(directory));
            known.get(name).cloned()
        })
    }
}

/// Scans a directory for the modules that its Fortran sources define.
fn scan_directory(directory: &Path) -> BTreeMap<String, PathBuf> {
    let mut modules = BTreeMap::new();
    let Ok(entries) = std::fs::read_dir(directory) else { return modules };
    let mut paths: Vec<PathBuf> = entries.flatten().take(FILES).map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths.into_iter().filter(|path| Language::of(path, &[]) == Language::Fortran) {
        let small = path.metadata().is_ok_and(|about| about.is_file() && about.len() <= FILE_BYTES);
        let Some(bytes) = small.then(|| std::fs::read(&path).ok()).flatten() else { continue };
        for name in Names::of(&bytes).defined {
            let name = String::from_utf8_lossy(&name).into_owned();
            modules.entry(name).or_insert_with(|| path.clone());
        }
    }
    modules
}
