//! Finds files that several processes have open for writing.
//!
//! Input: the restart plan of a state file.
//! Output: a number for each file that was being written, equal for the same file in all processes.
//! Postcondition: nothing was changed.

use super::aside::RunProcess;
use super::error::FileError;
use super::path::{inspect, resolve, PathContent};
use crate::manifest::{Access, Condition, OpenFile, PlanEntry};
use std::fs::Metadata;
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;
use twox_hash::XxHash3_128;

/// The existing files among these paths, ordered by their numbers. Each file is returned once.
pub fn numbered<'a>(paths: impl Iterator<Item = &'a Path>) -> Vec<(u64, PathBuf)> {
    let number = |path: &Path| match inspect(path) {
        Ok(PathContent::Regular(metadata)) => Some(of(&metadata)),
        _ => None,
    };
    let mut found: Vec<(u64, PathBuf)> =
        paths.filter_map(|path| Some((number(path)?, path.to_owned()))).collect();
    found.sort();
    found.dedup_by_key(|(number, _)| *number);
    found
}

/// The existing files, ordered by their numbers, with their names.
pub fn written(plan: &[PlanEntry], owner: RunProcess) -> Vec<(u64, String)> {
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

fn number(file: &OpenFile, owner: RunProcess) -> Option<u64> {
    if file.condition != Condition::Open || file.access != Access::Writing {
        return None;
    }
    let path = resolve(Path::new(&file.name)).ok()?;
    let at = |path: &Path| match inspect(path) {
        Ok(PathContent::Regular(metadata)) => Some(metadata),
        _ => None,
    };
    at(&owner.name_aside(&path)).or_else(|| at(&path)).map(|metadata| of(&metadata))
}

/// The number of a file that is being written, so that its length and times change. Disks of different
/// machines may have the same path and inode; the time of creation distinguishes them.
pub fn number_while_written(path: &Path) -> Result<Option<u64>, FileError> {
    let PathContent::Regular(metadata) = inspect(path)? else { return Ok(None) };
    let created = metadata.created().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let created = created.map_or([u64::MAX; 2], |since| [since.as_secs(), u64::from(since.subsec_nanos())]);
    let mut bytes = path.as_os_str().as_bytes().to_vec();
    bytes.extend([metadata.ino(), created[0], created[1]].into_iter().flat_map(u64::to_le_bytes));
    Ok(Some(number_of(&bytes)))
}

/// Computed from properties that are the same on every machine. The device number of a file system differs
/// between machines.
fn of(metadata: &Metadata) -> u64 {
    let times = [metadata.mtime(), metadata.mtime_nsec(), metadata.ctime(), metadata.ctime_nsec()];
    let sizes = [metadata.ino(), metadata.len()].map(u64::to_le_bytes);
    let bytes: Vec<u8> = sizes.into_iter().chain(times.map(i64::to_le_bytes)).flatten().collect();
    number_of(&bytes)
}

/// The same for the same bytes, in every build and on every machine. The largest value means none, so the
/// upper bit is 0.
fn number_of(bytes: &[u8]) -> u64 {
    XxHash3_128::oneshot(bytes) as u64 >> 1
}
