//! The processes below this one.
//!
//! Input: `/proc`.
//! Output: which processes a command has started, directly or not, and signals to them.
//! Postcondition: only descendants of this process get signals. Those whose parent has ended are included,
//! because they become children of this process.

use rustix::process::{getpid, kill_process, wait, Pid, Signal, WaitOptions, WaitStatus};
use std::collections::BTreeMap;
use std::fs;
use std::time::{Duration, Instant};

/// One process, as `/proc` describes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Process {
    pub pid: Pid,
    parent: i32,
    pub group: i32,
    /// The foreground process group of its terminal, or -1.
    foreground: i32,
    has_ended: bool,
}

const BETWEEN_LOOKS: Duration = Duration::from_millis(20);

/// Takes over descendants whose parent ends. Returns an error text if the system cannot do that.
pub fn adopt_orphans() -> std::io::Result<()> {
    Ok(rustix::process::set_child_subreaper(Some(getpid()))?)
}

/// Whether this process belongs to the foreground of its terminal.
pub fn is_in_foreground() -> bool {
    read(getpid()).is_some_and(|own| own.group == own.foreground)
}

/// The descendants that have not ended.
pub fn descendants() -> Vec<Process> {
    let mut children: BTreeMap<i32, Vec<Process>> = BTreeMap::new();
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let pid = entry.file_name().to_str().and_then(|name| name.parse().ok()).and_then(Pid::from_raw);
        if let Some(process) = pid.and_then(read) {
            children.entry(process.parent).or_default().push(process);
        }
    }
    let mut found = Vec::new();
    let mut waiting = vec![getpid().as_raw_nonzero().get()];
    while let Some(parent) = waiting.pop() {
        for child in children.remove(&parent).unwrap_or_default() {
            waiting.push(child.pid.as_raw_nonzero().get());
            found.push(child);
        }
    }
    found.retain(|process| !process.has_ended);
    found
}

fn read(pid: Pid) -> Option<Process> {
    parse(pid, &fs::read_to_string(format!("/proc/{}/stat", pid.as_raw_nonzero())).ok()?)
}

/// The name of a process is in parentheses, and may contain any character.
fn parse(pid: Pid, stat: &str) -> Option<Process> {
    let (_, rest) = stat.rsplit_once(')')?;
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let number = |index: usize| fields.get(index)?.parse().ok();
    Some(Process {
        pid,
        has_ended: matches!(*fields.first()?, "Z" | "X"),
        parent: number(1)?,
        group: number(2)?,
        foreground: number(5)?,
    })
}

/// The children that have ended since the last call.
pub fn reap() -> Vec<(Pid, WaitStatus)> {
    let mut ended = Vec::new();
    while let Ok(Some(child)) = wait(WaitOptions::NOHANG) {
        ended.push(child);
    }
    ended
}

/// Sends a signal to the descendants in a process group. Launchers pass a signal on to their own groups.
pub fn signal_group(group: i32, signal: Signal) {
    for process in descendants().iter().filter(|process| process.group == group) {
        // A process that has ended in the meantime needs no signal.
        let _ = kill_process(process.pid, signal);
    }
}

/// What became of the descendants.
#[derive(Debug, Default)]
pub struct Ended {
    /// How many there were.
    pub processes: usize,
    pub children: Vec<(Pid, WaitStatus)>,
    /// Those that may not be ended, because they belong to somebody else.
    pub foreign: Vec<Pid>,
}

/// Ends all descendants: first by SIGTERM, so that launchers can end processes on other machines; after `grace`
/// by SIGKILL. Waits until they have ended; calls `waiting` once if that takes long.
pub fn end_descendants(grace: Duration, mut waiting: impl FnMut(&[Process])) -> Ended {
    const LONG: Duration = Duration::from_secs(10);
    let mut ended = Ended::default();
    let mut asked: Vec<Pid> = Vec::new();
    let mut killed_at = None;
    let mut is_reported = false;
    let start = Instant::now();
    loop {
        ended.children.extend(reap());
        let mut left = descendants();
        left.retain(|process| !ended.foreign.contains(&process.pid));
        if left.is_empty() {
            ended.children.extend(reap());
            return ended;
        }
        let signals: &[Signal] = if start.elapsed() < grace {
            // A stopped process handles a signal only when it continues.
            &[Signal::TERM, Signal::CONT]
        } else {
            killed_at.get_or_insert_with(Instant::now);
            &[Signal::KILL]
        };
        for process in &left {
            let is_new = !asked.contains(&process.pid);
            if is_new {
                asked.push(process.pid);
                ended.processes += 1;
            }
            for &signal in signals.iter().filter(|_| is_new || killed_at.is_some()) {
                if kill_process(process.pid, signal) == Err(rustix::io::Errno::PERM) {
                    ended.foreign.push(process.pid);
                }
            }
        }
        if !is_reported && killed_at.is_some_and(|killed_at| killed_at.elapsed() > LONG) {
            is_reported = true;
            waiting(&left);
        }
        std::thread::sleep(BETWEEN_LOOKS);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_with_parentheses_are_read() {
        let pid = Pid::from_raw(7).unwrap();
        let read = parse(pid, "7 (a) b (c)) S 3 5 5 34816 9 4194304 1 2").unwrap();
        assert_eq!((read.parent, read.group, read.foreground, read.has_ended), (3, 5, 9, false));
        assert!(parse(pid, "7 (a) Z 3 5 5 0 -1").unwrap().has_ended);
        assert_eq!(parse(pid, "7 (a"), None);
    }
}
