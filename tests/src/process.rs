//! Kills and finds processes of a run from outside.
//!
//! Input: the process that was started, and the executable.
//! Output: some of the processes that run the executable are killed, or it is known whether there are any.
//! Postcondition: no other process got a signal.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::{Child, ExitStatus};
use std::time::{Duration, Instant};

use anyhow::{bail, ensure, Result};

/// The target of a kill from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Victim {
    /// One of the processes that run the program, chosen by a number.
    One(usize),
    /// All of them, directly one after the other.
    All,
    /// The process that was started: the launcher of an MPI program.
    Launcher,
}

/// Kills processes below `root`, or `root` itself, that run `executable`. Does nothing if all have ended.
pub fn kill(root: u32, executable: &Path, victim: Victim) -> Result<()> {
    strike(root, executable, victim, libc::SIGKILL)
}

/// Like `kill`, with any signal.
pub fn strike(root: u32, executable: &Path, victim: Victim, number: i32) -> Result<()> {
    let mut found = Vec::new();
    collect(root, &fs::canonicalize(executable)?, &mut found);
    match victim {
        Victim::One(which) if !found.is_empty() => signal(found[which % found.len()], number),
        Victim::One(_) => Ok(()),
        Victim::All => found.into_iter().try_for_each(|process| signal(process, number)),
        Victim::Launcher => signal(root, number),
    }
}

/// Sends a signal to a process, unless it has ended.
pub fn signal(process: u32, number: i32) -> Result<()> {
    // SAFETY: sends a signal, and touches no memory of ours.
    let sent = unsafe { libc::kill(process as libc::pid_t, number) };
    let has_ended = std::io::Error::last_os_error().raw_os_error() == Some(libc::ESRCH);
    ensure!(sent == 0 || has_ended, "cannot send signal {number} to process {process}");
    Ok(())
}

/// Sends a signal to a process group, unless all of its processes have ended.
pub fn signal_group(group: u32, number: i32) -> Result<()> {
    // SAFETY: sends a signal, and touches no memory of ours.
    let sent = unsafe { libc::kill(-(group as libc::pid_t), number) };
    let has_ended = std::io::Error::last_os_error().raw_os_error() == Some(libc::ESRCH);
    ensure!(sent == 0 || has_ended, "cannot send signal {number} to process group {group}");
    Ok(())
}

/// Waits for the end of a process. If it does not end in time, it and its process group are killed, and the error
/// contains the text of the file `said`.
pub fn end_of(child: &mut Child, patience: Duration, said: &Path) -> Result<ExitStatus> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if start.elapsed() > patience {
            // The process group, if it has one of its own, has the number of its first process.
            signal_group(child.id(), libc::SIGKILL)?;
            child.kill()?;
            child.wait()?;
            bail!("the program does not end\n{}", fs::read_to_string(said)?);
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn kill_process(process: u32) -> Result<()> {
    signal(process, libc::SIGKILL)
}

/// Whether one of the processes below `root` runs `executable`.
pub fn any(root: u32, executable: &Path) -> bool {
    let mut found = Vec::new();
    if let Ok(executable) = fs::canonicalize(executable) {
        collect(root, &executable, &mut found);
    }
    !found.is_empty()
}

/// Waits for the processes whose launcher is dead. Kills them if they do not end themselves.
pub fn await_orphans(executable: &Path, patience: Duration) -> Result<()> {
    let start = Instant::now();
    while start.elapsed() < patience {
        if running(executable)?.is_empty() {
            return Ok(());
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    running(executable)?.into_iter().try_for_each(kill_process)?;
    while !running(executable)?.is_empty() {
        ensure!(start.elapsed() < 2 * patience, "a process that was killed does not end");
        std::thread::sleep(Duration::from_millis(20));
    }
    Ok(())
}

/// The processes that run exactly this file, independently of who has started them. The path is not compared,
/// because it may mean another file for another process.
pub fn running(executable: &Path) -> Result<Vec<u32>> {
    let wanted = fs::metadata(executable)?;
    let mut found = Vec::new();
    for entry in fs::read_dir("/proc")?.flatten() {
        let Some(process) = entry.file_name().to_str().and_then(|name| name.parse().ok()) else { continue };
        let file = fs::metadata(entry.path().join("exe"));
        if file.is_ok_and(|file| (file.dev(), file.ino()) == (wanted.dev(), wanted.ino())) {
            found.push(process);
        }
    }
    Ok(found)
}

fn collect(process: u32, executable: &Path, found: &mut Vec<u32>) {
    let own = format!("/proc/{process}");
    if fs::read_link(format!("{own}/exe")).is_ok_and(|path| path == executable) {
        found.push(process);
    }
    for child in children(process) {
        collect(child, executable, found);
    }
}

/// The processes that a process has started or adopted, and that have not ended.
pub fn children(process: u32) -> Vec<u32> {
    let mut found = Vec::new();
    for thread in fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten() {
        let children = fs::read_to_string(thread.path().join("children")).unwrap_or_default();
        found.extend(children.split_whitespace().filter_map(|child| child.parse::<u32>().ok()));
    }
    found
}
