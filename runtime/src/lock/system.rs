//! Information of the system about processes.
//!
//! Input: `/proc`.
//! Output: the identity of this process, and the status of another.
//! Postcondition: a process that may be alive is never reported as dead.

use super::owner::Owner;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The status of the owner of a lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProcessStatus {
    Dead,
    Alive,
    /// It was killed, and the system is releasing its memory, which may take long.
    Ending,
    /// Stopped by a signal, for example from a debugger or a batch system.
    Stopped,
    /// It is, or was, on another system.
    Unknown,
}

/// Processes and time. A simulation implements it differently.
pub trait System: Send + Sync {
    fn status(&self, owner: &Owner) -> ProcessStatus;

    /// A clock that is never set. Only for this process: clocks of two systems are never compared.
    fn now(&self) -> Duration;

    /// The time of day, which advances while a machine sleeps.
    fn wall_clock(&self) -> Duration;

    fn wait(&self, time: Duration);
}

/// The system on which this process runs.
#[derive(Debug)]
pub struct Linux {
    me: Owner,
    start: Instant,
}

impl Linux {
    pub fn new(me: &Owner) -> Linux {
        Linux { me: me.clone(), start: Instant::now() }
    }
}

impl System for Linux {
    fn status(&self, owner: &Owner) -> ProcessStatus {
        if owner.is_of_earlier_boot(&self.me) {
            return ProcessStatus::Dead;
        }
        if !owner.is_on_same_system(&self.me) {
            return ProcessStatus::Unknown;
        }
        // `exec` has replaced the program that took the lock.
        if owner.is_same_process(&self.me) {
            return ProcessStatus::Dead;
        }
        match ProcessStat::of(owner.process) {
            Some(status) if status.started != owner.started || status.is_over => ProcessStatus::Dead,
            Some(status) if status.is_ending || is_killed(owner.process) => ProcessStatus::Ending,
            Some(status) if status.is_stopped => ProcessStatus::Stopped,
            Some(_) => ProcessStatus::Alive,
            // Some systems hide the processes of other users.
            None if fs::read("/proc/1/stat").is_ok() => ProcessStatus::Dead,
            None => ProcessStatus::Unknown,
        }
    }

    fn now(&self) -> Duration {
        self.start.elapsed()
    }

    fn wall_clock(&self) -> Duration {
        SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
    }

    fn wait(&self, time: Duration) {
        std::thread::sleep(time);
    }
}

impl Owner {
    /// The identity of this process.
    pub fn this_process(attempt: u64, lease: u64) -> Owner {
        let process = std::process::id();
        Owner {
            host: line("/proc/sys/kernel/hostname"),
            machine: line("/etc/machine-id"),
            boot: line("/proc/sys/kernel/random/boot_id"),
            numbers: fs::read_link("/proc/self/ns/pid").unwrap_or_default().display().to_string(),
            process,
            started: ProcessStat::of(process).map_or(0, |status| status.started),
            since: SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs(),
            run: 0,
            attempt,
            lease,
            heartbeats: 0,
        }
    }
}

fn line(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_default().trim().to_owned()
}

/// Whether SIGKILL is pending for the process, which may be waiting for a disk.
fn is_killed(process: u32) -> bool {
    let text = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let has_kill =
        |digits: &str| u64::from_str_radix(digits.trim(), 16).is_ok_and(|signals| signals & KILL != 0);
    text.lines().any(|line| {
        let pending = line.strip_prefix("ShdPnd:").or(line.strip_prefix("SigPnd:"));
        pending.is_some_and(has_kill)
    })
}

/// The bit of SIGKILL in a set of signals.
const KILL: u64 = 1 << 8;
/// The flag of a process that is ending.
const EXITING: u64 = 4;

struct ProcessStat {
    started: u64,
    is_ending: bool,
    is_stopped: bool,
    /// It has ended, and only its parent has not noticed yet.
    is_over: bool,
}

impl ProcessStat {
    fn of(process: u32) -> Option<ProcessStat> {
        let directory = format!("/proc/{process}");
        let text = fs::read(Path::new(&directory).join("stat")).ok()?;
        let text = String::from_utf8_lossy(&text);
        // The name of the program, in parentheses, may contain any character.
        let fields: Vec<&str> = text.get(text.rfind(')')? + 1..)?.split_ascii_whitespace().collect();
        let state = *fields.first()?;
        // If only its first thread has ended, the process is still alive.
        let threads = || fs::read_dir(Path::new(&directory).join("task")).map_or(0, Iterator::count);
        Some(ProcessStat {
            started: fields.get(19)?.parse().ok()?,
            is_ending: fields.get(6)?.parse::<u64>().ok()? & EXITING != 0,
            is_stopped: matches!(state, "T" | "t"),
            is_over: matches!(state, "Z" | "X" | "x") && threads() <= 1,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    #[test]
    fn a_child_is_alive_then_stopped_then_dead() {
        let me = Owner::this_process(1, 60);
        let system = Linux::new(&me);
        let mut child = Command::new("cat").stdin(Stdio::piped()).spawn().unwrap();
        let process = child.id();
        let owner = Owner { process, started: ProcessStat::of(process).unwrap().started, ..me.clone() };
        assert_eq!(system.status(&owner), ProcessStatus::Alive);
        let signal = |name: &str| {
            assert!(Command::new("kill").args([name, &process.to_string()]).status().unwrap().success())
        };
        signal("-STOP");
        while system.status(&owner) == ProcessStatus::Alive {}
        assert_eq!(system.status(&owner), ProcessStatus::Stopped);
        signal("-KILL");
        // Before and after its parent has noticed that.
        while system.status(&owner) != ProcessStatus::Dead {
            assert!(system.status(&owner) != ProcessStatus::Stopped, "it has been killed");
        }
        child.wait().unwrap();
        assert_eq!(system.status(&owner), ProcessStatus::Dead);
    }

    #[test]
    fn the_number_of_a_dead_process_does_not_stand_for_another_one() {
        let me = Owner::this_process(1, 60);
        let mut child = Command::new("cat").stdin(Stdio::piped()).spawn().unwrap();
        let recycled = Owner { process: child.id(), started: 1, ..me.clone() };
        assert_eq!(Linux::new(&me).status(&recycled), ProcessStatus::Dead);
        drop(child.stdin.take());
        child.wait().unwrap();
    }

    #[test]
    fn of_another_system_nothing_is_known() {
        let me = Owner::this_process(1, 60);
        let system = Linux::new(&me);
        assert_eq!(
            system.status(&Owner { host: "elsewhere".to_owned(), ..me.clone() }),
            ProcessStatus::Unknown
        );
        assert_eq!(
            system.status(&Owner { numbers: "pid:[2]".to_owned(), ..me.clone() }),
            ProcessStatus::Unknown
        );
        assert_eq!(system.status(&Owner { boot: String::new(), ..me.clone() }), ProcessStatus::Unknown);
        let rebooted = Owner { machine: "m".to_owned(), boot: "before".to_owned(), ..me.clone() };
        assert_eq!(
            Linux::new(&Owner { machine: "m".to_owned(), ..me }).status(&rebooted),
            ProcessStatus::Dead
        );
    }
}
