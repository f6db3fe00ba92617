//! Files that several processes had open for writing.
//!
//! In: the plan of a state file. Out: a number for each file that was being written, the same for the same file in all
//! processes. Holds afterwards: nothing was changed.

use super::aside::Owner;
use super::place::{look, resolve, Found};
use crate::manifest::{Access, Condition, OpenFile, PlanEntry};
use std::fs::Metadata;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The same for files of which the paths are known, of those that are there.
pub fn numbered<'a>(paths: impl Iterator<Item = &'a Path>) -> Vec<(u64, PathBuf)> {
    let number = |path: &Path| match look(path) {
        Ok(Found::Regular(metadata)) => Some(of(&metadata)),
        _ => None,
    };
    let mut found: Vec<(u64, PathBuf)> = paths.filter_map(|path| Some((number(path)?, path.to_owned()))).collect();
    found.sort();
    found.dedup_by_key(|(number, _)| *number);
    found
}

/// The files that are there, in the order of their numbers, with their names.
pub fn written(plan: &[PlanEntry], owner: Owner) -> Vec<(u64, String)> {
    let mut found = Vec::new();
    let mut open = vec![plan.iter()];
    while let Some(entries) = open.last_mut() {
        let Some(entry) = entries.next() else {
            open.pop();
            continue;
        };
        match entry {
            PlanEntry::Execute { files, .. } => {
                found.extend(files.iter().filter_map(|file| Some((number(file, owner)?, file.name.clone()))));
            }
            PlanEntry::Call { entries, .. } | PlanEntry::Open { entries, .. } => open.push(entries.iter()),
            _ => {}
        }
    }
    found.sort();
    // One process may have a file open twice.
    found.dedup_by_key(|(number, _)| *number);
    found
}

fn number(file: &OpenFile, owner: Owner) -> Option<u64> {
    if file.condition != Condition::Open || file.access != Access::Writing {
        return None;
    }
    let path = resolve(Path::new(&file.name)).ok()?;
    let at = |path: &Path| match look(path) {
        Ok(Found::Regular(metadata)) => Some(metadata),
        _ => None,
    };
    at(&owner.name_aside(&path)).or_else(|| at(&path)).map(|metadata| of(&metadata))
}

/// The same for a file that is being written, whose length and times change. Disks of different machines may have the same
/// path and inode; the time of birth tells them apart.
pub fn number_while_written(path: &Path) -> Option<u64> {
    let Ok(Found::Regular(metadata)) = look(path) else { return None };
    let mut hasher = DefaultHasher::new();
    (path, metadata.ino(), metadata.created().ok()).hash(&mut hasher);
    Some(hasher.finish() >> 1)
}

/// A file system has another number on each machine that uses it; what it tells of a file is the same everywhere.
fn of(metadata: &Metadata) -> u64 {
    let mut hasher = DefaultHasher::new();
    (metadata.ino(), metadata.len()).hash(&mut hasher);
    (metadata.mtime(), metadata.mtime_nsec(), metadata.ctime(), metadata.ctime_nsec()).hash(&mut hasher);
    // The largest means none.
    hasher.finish() >> 1
}
