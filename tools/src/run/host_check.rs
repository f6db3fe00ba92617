//! Which hosts have failed.
//!
//! Input: the names of hosts, and how to ask them.
//! Output: those that do not answer, or that Slurm reports as down.
//! Postcondition: a host that answers once is not among them. Each question ends after a limited time.

use super::slurm;
use anyhow::Result;
use std::collections::BTreeSet;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How a host is asked.
#[derive(Debug, Clone)]
pub enum Check {
    /// A shell command, which gets the host as its first argument.
    Shell(String),
    /// A login without a password, as the launchers of MPI do it.
    Login,
    /// The state of the node.
    Slurm,
}

/// One failed question may be an accident.
const QUESTIONS: u32 = 2;
const LONGEST_ANSWER: Duration = Duration::from_secs(20);
const BETWEEN_LOOKS: Duration = Duration::from_millis(10);
/// How many hosts are asked at the same time.
const AT_ONCE: usize = 32;

impl Check {
    /// The hosts that have failed.
    ///
    /// # Errors
    /// Slurm does not answer.
    pub fn failed(&self, hosts: &BTreeSet<String>) -> Result<BTreeSet<String>> {
        let is_checked = |host: &&String| !matches!(self, Check::Login) || !is_local(host);
        let asked: Vec<&String> = hosts.iter().filter(is_checked).collect();
        if matches!(self, Check::Slurm) {
            let failed = slurm::failed_nodes()?;
            return Ok(asked.into_iter().filter(|host| failed.contains(*host)).cloned().collect());
        }
        let mut failed = BTreeSet::new();
        for part in asked.chunks(AT_ONCE) {
            std::thread::scope(|scope| {
                let threads: Vec<_> =
                    part.iter().map(|host| scope.spawn(|| (*host, self.answers(host)))).collect();
                // A thread that panics has no answer. The host is used.
                let answers = threads.into_iter().filter_map(|thread| thread.join().ok());
                failed.extend(answers.filter(|(_, answers)| !answers).map(|(host, _)| (*host).clone()));
            });
        }
        Ok(failed)
    }

    fn answers(&self, host: &str) -> bool {
        (0..QUESTIONS).any(|_| self.ask(host))
    }

    fn ask(&self, host: &str) -> bool {
        let mut command = match self {
            Check::Shell(line) => {
                let mut command = Command::new("/bin/sh");
                command.args(["-c", line, "host-check", host]);
                command
            }
            Check::Login | Check::Slurm => {
                let mut command = Command::new("ssh");
                command.args(["-o", "BatchMode=yes", "-o", "ConnectTimeout=10", host, "true"]);
                command
            }
        };
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        // Without the program that asks, nothing is known about the host.
        let Ok(mut child) = command.spawn() else { return true };
        let start = Instant::now();
        while start.elapsed() < LONGEST_ANSWER {
            match child.try_wait() {
                Ok(Some(status)) => return status.success(),
                Ok(None) => std::thread::sleep(BETWEEN_LOOKS),
                Err(_) => return true,
            }
        }
        let _ = child.kill();
        let _ = child.wait();
        false
    }
}

/// Launchers start processes on this machine without a login.
fn is_local(host: &str) -> bool {
    let own = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let own = own.trim();
    let short = own.split('.').next().unwrap_or_default();
    host == "localhost" || host == own || host == short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_fails_if_it_does_not_answer_twice() {
        let directory = tempfile::tempdir().unwrap();
        let asked = directory.path().join("asked").display().to_string();
        let hosts = BTreeSet::from(["good", "bad", "late"].map(str::to_owned));
        let line =
            format!("case $1 in good) ;; bad) exit 1;; *) test -e {asked} || {{ >{asked}; exit 1; }};; esac");
        let failed = Check::Shell(line).failed(&hosts).unwrap();
        assert_eq!(failed, BTreeSet::from(["bad".to_owned()]));
    }

    #[test]
    fn this_machine_is_not_asked() {
        assert!(is_local("localhost") && !is_local("node17"));
    }
}
