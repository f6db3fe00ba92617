//! What the system says of processes.
//!
//! In: `/proc`. Out: who this process is, and what has become of another. Holds afterwards: a process that may be
//! alive is never called dead.

use super::owner::Owner;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// What has become of the owner of a lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    Dead,
    Alive,
    /// It was killed, and the system takes its memory away, which may take long.
    Ending,
    /// By a signal, as a debugger or a batch system does it.
    Stopped,
    /// It is, or was, on another system.
    Unknown,
}

/// Processes and time; a simulation has its own.
pub trait System: Send + Sync {
    fn fate(&self, owner: &Owner) -> Fate;

    /// A clock that nobody sets. Of its own process only: two systems' clocks are never compared.
    fn now(&self) -> Duration;

    /// The clock on the wall, which goes on while a machine sleeps.
    fn wall(&self) -> Duration;

    fn wait(&self, time: Duration);
}

/// The system that this process runs on.
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
    fn fate(&self, owner: &Owner) -> Fate {
        if owner.is_of_earlier_boot(&self.me) {
            return Fate::Dead;
        }
        if !owner.is_on_same_system(&self.me) {
            return Fate::Unknown;
        }
        // `exec` has replaced the program that locked.
        if owner.is_same_process(&self.me) {
            return Fate::Dead;
        }
        match Status::of(owner.process) {
            Some(status) if status.started != owner.started || status.is_over => Fate::Dead,
            Some(status) if status.is_ending || is_killed(owner.process) => Fate::Ending,
            Some(status) if status.is_stopped => Fate::Stopped,
            Some(_) => Fate::Alive,
            // Some systems hide the processes of other users.
            None if fs::read("/proc/1/stat").is_ok() => Fate::Dead,
            None => Fate::Unknown,
        }
    }

    fn now(&self) -> Duration {
        self.start.elapsed()
    }

    fn wall(&self) -> Duration {
        SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
    }

    fn wait(&self, time: Duration) {
        std::thread::sleep(time);
    }
}

impl Owner {
    /// This process.
    pub fn here(attempt: u64, lease: u64) -> Owner {
        let process = std::process::id();
        Owner {
            host: line("/proc/sys/kernel/hostname"),
            machine: line("/etc/machine-id"),
            boot: line("/proc/sys/kernel/random/boot_id"),
            numbers: fs::read_link("/proc/self/ns/pid").unwrap_or_default().display().to_string(),
            process,
            started: Status::of(process).map_or(0, |status| status.started),
            since: SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs(),
            run: 0,
            attempt,
            lease,
            beat: 0,
        }
    }
}

fn line(path: &str) -> String {
    fs::read_to_string(path).unwrap_or_default().trim().to_owned()
}

/// Whether SIGKILL is on its way to the process, which waits for a disk perhaps.
fn is_killed(process: u32) -> bool {
    let text = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let has_kill = |digits: &str| u64::from_str_radix(digits.trim(), 16).is_ok_and(|signals| signals & KILL != 0);
    text.lines().any(|line| {
        let pending = line.strip_prefix("ShdPnd:").or(line.strip_prefix("SigPnd:"));
        pending.is_some_and(has_kill)
    })
}

/// In a set of signals.
const KILL: u64 = 1 << 8;
/// In the flags of a process: it is ending.
const EXITING: u64 = 4;

struct Status {
    started: u64,
    is_ending: bool,
    is_stopped: bool,
    /// It only waits for its parent to notice.
    is_over: bool,
}

impl Status {
    fn of(process: u32) -> Option<Status> {
        let directory = format!("/proc/{process}");
        let text = fs::read(Path::new(&directory).join("stat")).ok()?;
        let text = String::from_utf8_lossy(&text);
        // The name of the program, in parentheses, may hold anything.
        let fields: Vec<&str> = text.get(text.rfind(')')? + 1..)?.split_ascii_whitespace().collect();
        let state = *fields.first()?;
        // When only its first thread has ended, it lives on.
        let threads = || fs::read_dir(Path::new(&directory).join("task")).map_or(0, Iterator::count);
        Some(Status {
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
        let me = Owner::here(1, 60);
        let system = Linux::new(&me);
        let mut child = Command::new("cat").stdin(Stdio::piped()).spawn().unwrap();
        let process = child.id();
        let owner = Owner { process, started: Status::of(process).unwrap().started, ..me.clone() };
        assert_eq!(system.fate(&owner), Fate::Alive);
        let signal = |name: &str| assert!(Command::new("kill").args([name, &process.to_string()]).status().unwrap().success());
        signal("-STOP");
        while system.fate(&owner) == Fate::Alive {}
        assert_eq!(system.fate(&owner), Fate::Stopped);
        signal("-KILL");
        // Before and after its parent has heard of it.
        while system.fate(&owner) != Fate::Dead {
            assert!(system.fate(&owner) != Fate::Stopped, "it has been killed");
        }
        child.wait().unwrap();
        assert_eq!(system.fate(&owner), Fate::Dead);
    }

    #[test]
    fn the_number_of_a_dead_process_does_not_stand_for_another_one() {
        let me = Owner::here(1, 60);
        let mut child = Command::new("cat").stdin(Stdio::piped()).spawn().unwrap();
        let recycled = Owner { process: child.id(), started: 1, ..me.clone() };
        assert_eq!(Linux::new(&me).fate(&recycled), Fate::Dead);
        drop(child.stdin.take());
        child.wait().unwrap();
    }

    #[test]
    fn of_another_system_nothing_is_known() {
        let me = Owner::here(1, 60);
        let system = Linux::new(&me);
        assert_eq!(system.fate(&Owner { host: "elsewhere".to_owned(), ..me.clone() }), Fate::Unknown);
        assert_eq!(system.fate(&Owner { numbers: "pid:[2]".to_owned(), ..me.clone() }), Fate::Unknown);
        assert_eq!(system.fate(&Owner { boot: String::new(), ..me.clone() }), Fate::Unknown);
        let rebooted = Owner { machine: "m".to_owned(), boot: "before".to_owned(), ..me.clone() };
        assert_eq!(Linux::new(&Owner { machine: "m".to_owned(), ..me }).fate(&rebooted), Fate::Dead);
    }
}
