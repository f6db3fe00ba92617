//! State files: every form that the runtime reads by itself.
//!
//! Property: a file passes, or is refused with a message; what passes is read whole.

use std::path::Path;

use cppc_runtime::storage::{Posix, Simulated, Storage};
use cppc_runtime::verify;

use crate::plugin;

/// The directory of a process, and its newest file.
const DIRECTORY: &str = "/state/app/rank-0";

/// A file without others.
pub fn file(bytes: &[u8]) {
    read(&[(1, bytes)], 1);
}

/// Two files, the second of which may point into the first. The first two bytes say where one ends.
pub fn base(bytes: &[u8]) {
    let Some((length, rest)) = bytes.split_at_checked(2) else { return };
    let at = usize::from(length[0]) | usize::from(length[1]) << 8;
    let (first, second) = rest.split_at(at.min(rest.len()));
    read(&[(1, first), (2, second)], 2);
}

/// A file of the writer `hdf5`, which is in a library that reads real files.
pub fn hdf5(bytes: &[u8]) {
    plugin::hdf5();
    let folder = tempfile::tempdir().expect("a directory for temporary files");
    let path = folder.path().join("line-000001.cppc");
    std::fs::write(&path, bytes).expect("a temporary file");
    pass_or_refuse(&Posix, &path);
}

fn read(files: &[(u64, &[u8])], newest: u64) {
    let disk = Simulated::new();
    let mut path = std::path::PathBuf::new();
    for part in Path::new(DIRECTORY).components() {
        path.push(part);
        if path != Path::new("/") {
            disk.create_dir(&path).expect("a directory of the simulated disk");
        }
    }
    let name = |line: u64| Path::new(DIRECTORY).join(format!("line-{line:06}.cppc"));
    for (line, bytes) in files {
        let file = disk.open_for_writing(&name(*line)).expect("a file of the simulated disk");
        file.write_at(0, bytes).expect("room on the simulated disk");
    }
    pass_or_refuse(&disk, &name(newest));
    let _ = verify::bases(&disk, &name(newest));
}

fn pass_or_refuse(disk: &dyn Storage, path: &Path) {
    match verify::describe(disk, path) {
        Ok(description) => {
            let _ = description.bases();
            match verify::load(description) {
                Ok(file) => drop(file.manifest().clone()),
                Err(error) => assert!(!error.to_string().is_empty()),
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
