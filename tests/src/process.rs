//! Processes of a run, seen from outside.
//!
//! In: the process that was started, and the executable. Out: one of those that run the executable is
//! dead, or whether there are any. Holds afterwards: no process but that one got a signal from here.

use std::fs;
use std::path::Path;

use anyhow::{ensure, Result};

/// Kills one of the processes below `root`, or `root` itself, that run `executable`; none when all
/// have ended.
pub fn kill_one(root: u32, executable: &Path, which: usize) -> Result<()> {
    let executable = fs::canonicalize(executable)?;
    let mut found = Vec::new();
    collect(root, &executable, &mut found);
    if found.is_empty() {
        return Ok(());
    }
    let process = found[which % found.len()];
    // SAFETY: sends a signal, and touches no memory of ours.
    let sent = unsafe { libc::kill(process as libc::pid_t, libc::SIGKILL) };
    let has_ended = std::io::Error::last_os_error().raw_os_error() == Some(libc::ESRCH);
    ensure!(sent == 0 || has_ended, "cannot kill process {process}");
    Ok(())
}

/// Whether one of the processes below `root` runs `executable`.
pub fn any(root: u32, executable: &Path) -> bool {
    let mut found = Vec::new();
    if let Ok(executable) = fs::canonicalize(executable) {
        collect(root, &executable, &mut found);
    }
    !found.is_empty()
}

fn collect(process: u32, executable: &Path, found: &mut Vec<u32>) {
    let own = format!("/proc/{process}");
    if fs::read_link(format!("{own}/exe")).is_ok_and(|path| path == executable) {
        found.push(process);
    }
    for thread in fs::read_dir(format!("{own}/task")).into_iter().flatten().flatten() {
        let children = fs::read_to_string(thread.path().join("children")).unwrap_or_default();
        for child in children.split_whitespace().filter_map(|child| child.parse().ok()) {
            collect(child, executable, found);
        }
    }
}
