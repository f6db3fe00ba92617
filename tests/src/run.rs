//! One run of a program: started, perhaps killed, and awaited.
//!
//! Input: an executable, settings, and when to kill it.
//! Output: what each rank printed, the messages on standard error, and the traces.
//! Postcondition: all processes of the run have ended.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::File;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{anyhow, bail, ensure, Context, Result};

use crate::process::{self, Victim};
use crate::program::{Mpi, Program};
use crate::support;
use crate::trace::Trace;

const PATIENCE: Duration = Duration::from_secs(120);
/// The time within which a launcher must end after its last process has ended.
const PATIENCE_WITH_LAUNCHER: Duration = Duration::from_secs(20);

/// When the program is killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kill {
    Never,
    /// All processes, after each has passed its N-th checkpoint.
    AfterCheckpoint(usize),
    /// One process, directly before its N-th call of the runtime.
    BeforeEvent(u64, u32),
    /// The victim, from outside, this time after the start.
    AfterMilliseconds(u64, Victim),
}

/// A program to run, with its settings.
#[derive(Debug, Clone)]
pub struct Run<'a> {
    pub program: &'a Program,
    pub executable: &'a Path,
    /// The directory for output and traces. Each run replaces those of the run before.
    pub scratch: &'a Path,
    pub state: PathBuf,
    pub kill: Kill,
    /// `CPPC_NAME=value`, in addition to `CPPC_DIR`.
    pub settings: Vec<(&'a str, String)>,
    pub processes: Option<u32>,
    /// The file size limit in bytes.
    pub file_limit_bytes: Option<u64>,
    /// The command that runs the program, such as `valgrind`, with its name first.
    pub under: Vec<String>,
    /// Processes whose launcher was killed are not waited for, and may still be alive when the run is over.
    pub leaves_orphans: bool,
}

/// The result of a run.
#[derive(Debug)]
pub struct Outcome {
    pub status: ExitStatus,
    /// The output of each rank, if the killer has stored it in separate files.
    pub printed: Vec<Vec<u8>>,
    /// The standard output of the program or its launcher.
    pub stream: Vec<u8>,
    pub said: String,
    pub traces: Vec<Trace>,
    /// The files that the program has written, by name.
    pub files: BTreeMap<String, Vec<u8>>,
}

impl<'a> Run<'a> {
    /// A run to the end with the default settings, with two exceptions: every checkpoint writes state, and
    /// returns when its state file is on disk. So a test knows which lines can be resumed.
    pub fn new(program: &'a Program, executable: &'a Path, scratch: &'a Path) -> Run<'a> {
        Run {
            program,
            executable,
            scratch,
            state: scratch.join("state"),
            kill: Kill::Never,
            settings: vec![("CPPC_ASYNC", "false".to_owned()), ("CPPC_EVERY", "1".to_owned())],
            processes: program.processes,
            file_limit_bytes: None,
            under: Vec::new(),
            leaves_orphans: false,
        }
    }

    pub fn kill(mut self, kill: Kill) -> Self {
        self.kill = kill;
        self
    }

    /// Adds a setting. It replaces an earlier value.
    pub fn set(mut self, name: &'a str, value: &str) -> Self {
        self.settings.retain(|(known, _)| *known != name);
        self.settings.push((name, value.to_owned()));
        self
    }

    /// Removes a setting.
    pub fn unset(mut self, name: &str) -> Self {
        self.settings.retain(|(known, _)| *known != name);
        self
    }

    /// Starts the program and waits for its end.
    pub fn go(&self) -> Result<Outcome> {
        let said_path = self.scratch.join("said");
        let stream_path = self.scratch.join("stream");
        let ranks = self.processes.map_or(0..1, |count| 0..count);
        for rank in ranks.clone() {
            let _ = std::fs::remove_file(self.scratch.join(format!("out.{rank}")));
            let _ = std::fs::remove_file(self.scratch.join(format!("trace.{rank}")));
        }
        std::fs::create_dir_all(self.directory())?;
        let mut command = self.command()?;
        command.stdin(Stdio::null());
        command.stdout(File::create(&stream_path)?).stderr(File::create(&said_path)?);
        let child = command.spawn().with_context(|| format!("cannot run {command:?}"))?;
        if let Kill::AfterMilliseconds(milliseconds, victim) = self.kill {
            std::thread::sleep(Duration::from_millis(milliseconds));
            process::kill(child.id(), self.executable, victim)?;
        }
        let has_begun = matches!(self.kill, Kill::AfterMilliseconds(..));
        let traces = ranks.clone().map(|rank| self.scratch.join(format!("trace.{rank}"))).collect();
        let launched =
            Launched { executable: self.executable, has_begun, traces, patience: PATIENCE_WITH_LAUNCHER };
        let status = wait(child, self.processes.map(|_| launched))?;
        if !self.leaves_orphans {
            self.await_orphans(status)?;
        }
        let said = String::from_utf8_lossy(&std::fs::read(&said_path)?).into_owned();
        let stream = std::fs::read(&stream_path)?;
        let mut outcome =
            Outcome { status, printed: Vec::new(), stream, said, traces: Vec::new(), files: self.files()? };
        for rank in ranks {
            let printed = std::fs::read(self.scratch.join(format!("out.{rank}")));
            outcome.printed.push(printed.unwrap_or_default());
            outcome.traces.push(Trace::read(&self.scratch.join(format!("trace.{rank}")))?);
        }
        Ok(outcome)
    }

    /// After the launcher was killed, the processes of an MPI program need some time to notice it and end.
    pub fn await_orphans(&self, launcher: ExitStatus) -> Result<()> {
        match launcher.signal() {
            Some(_) if self.processes.is_some() => {
                process::await_orphans(self.executable, PATIENCE_WITH_LAUNCHER)
            }
            _ => Ok(()),
        }
    }

    /// The working directory. A program that writes files has its own.
    pub fn directory(&self) -> PathBuf {
        if self.program.writes {
            self.scratch.join("files")
        } else {
            self.program.directory.clone()
        }
    }

    /// Removes the files of earlier runs.
    pub fn clear_files(&self) -> Result<()> {
        if self.program.writes && self.directory().exists() {
            std::fs::remove_dir_all(self.directory())?;
        }
        Ok(())
    }

    fn files(&self) -> Result<BTreeMap<String, Vec<u8>>> {
        let mut files = BTreeMap::new();
        if self.program.writes {
            for entry in std::fs::read_dir(self.directory())? {
                let entry = entry?;
                files.insert(entry.file_name().to_string_lossy().into_owned(), std::fs::read(entry.path())?);
            }
        }
        Ok(files)
    }

    fn command(&self) -> Result<Command> {
        let mut command = match self.processes {
            Some(count) => {
                let mut launcher = Command::new(self.program.launcher());
                launcher.args(["-n", &count.to_string()]).args(&self.under).arg(self.executable);
                launcher
            }
            None => match self.under.as_slice() {
                [] => Command::new(self.executable),
                [under, words @ ..] => {
                    let mut command = Command::new(under);
                    command.args(words).arg(self.executable);
                    command
                }
            },
        };
        command.args(&self.program.arguments).current_dir(self.directory());
        without_settings(&mut command);
        command.env("CPPC_DIR", &self.state).envs(self.settings.iter().cloned());
        // LLVM's Fortran library prints a message for every STOP.
        command.env("NO_STOP_MESSAGE", "1");
        command.env("KILLER_OUT", self.scratch).env("KILLER_TRACE", self.scratch);
        match self.kill {
            Kill::Never | Kill::AfterMilliseconds(..) => {}
            Kill::AfterCheckpoint(number) => {
                command.env("KILLER_ORDER", format!("checkpoint:{number}"));
            }
            Kill::BeforeEvent(number, rank) => {
                command.env("KILLER_ORDER", format!("event:{number}:{rank}"));
            }
        }
        several_processes_on_few_cores(&mut command, self.program.mpi)?;
        limit_files(&mut command, self.file_limit_bytes);
        // The process group allows the test to kill all processes of the run.
        command.process_group(0);
        Ok(command)
    }
}

impl Outcome {
    pub fn ended_well(&self) -> bool {
        self.status.success()
    }

    pub fn was_killed(&self) -> bool {
        // A launcher reports the signal of a rank in its exit status: Open MPI as 128 plus the number,
        // MPICH as the number. It may report the SIGPIPE of a rank that lost its connection to the killed one.
        // The trace is certain, but not every kill has one.
        let reported = [128 + libc::SIGKILL, libc::SIGKILL].map(Some);
        self.status.signal() == Some(libc::SIGKILL)
            || reported.contains(&self.status.code())
            || (!self.status.success() && self.traces.iter().any(|trace| trace.is_killed))
    }

    /// Fails with the messages of the run if the run did not end successfully.
    ///
    /// # Errors
    ///
    /// The error is a [`LauncherFailed`] if the launcher reports what is known to be its own fault.
    pub fn must_end_well(self, what: &str) -> Result<Outcome> {
        let error = || anyhow!("{what}: {}\n{}", self.status, self.said);
        match self.ended_well() {
            true => Ok(self),
            false if self.said.contains(LauncherFailed::MESSAGE) => Err(error().context(LauncherFailed)),
            false => Err(error()),
        }
    }

    pub fn must_be_killed(self, what: &str) -> Result<Outcome> {
        ensure!(self.was_killed(), "{what}: not killed but {}\n{}", self.status, self.said);
        Ok(self)
    }

    /// The recovery line from which the run was resumed, according to its message.
    pub fn resumed_from(&self) -> Option<u64> {
        let (_, rest) = self.said.split_once("resuming from recovery line ")?;
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        digits.parse().ok()
    }
}

/// `mpirun` of Open MPI 4.1 sometimes reports that a process "exited without calling finalize", although it
/// did. A process that finalizes waits only 2 s for mpirun's answer; under load the answer comes later. A
/// plain MPI program fails in the same way if mpirun is stopped (SIGSTOP) for 3 s while the program finalizes
/// (openpmix pull request 3650 makes this time a parameter).
#[derive(Debug, thiserror::Error)]
#[error("the launcher lost a process that had ended")]
pub struct LauncherFailed;

impl LauncherFailed {
    const MESSAGE: &str = "exited without calling \"finalize\"";
}

/// Variables that control the tests must not become settings of the program.
pub fn without_settings(command: &mut Command) {
    for (name, _) in std::env::vars_os() {
        // The tests may run in a job, whose end does not concern the programs.
        let name_bytes = name.as_encoded_bytes();
        let is_of_job = name_bytes.starts_with(b"SLURM_") && name != "SLURM_CONF";
        if name_bytes.starts_with(b"CPPC_") || is_of_job {
            command.env_remove(name);
        }
    }
}

/// Options that let four processes run on two cores, as any user and with this MPI. The variables of the command
/// are set before.
pub fn several_processes_on_few_cores(command: &mut Command, mpi: Mpi) -> Result<()> {
    command
        .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
        .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
        .env("OMPI_MCA_rmaps_base_oversubscribe", "1")
        .env("OMPI_MCA_mpi_yield_when_idle", "1")
        .env("OMPI_MCA_btl_vader_single_copy_mechanism", "none")
        // Without a search for networks, a program starts in half of the time.
        .env("OMPI_MCA_pml", "ob1")
        .env("UCX_TLS", "posix,self")
        // If one process was killed, the launcher need not wait a second for the others.
        .env("OMPI_MCA_odls_base_sigkill_timeout", "0")
        .env("PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe")
        .env("HYDRA_TOPO_DEBUG", "0");
    // `mpirun` must not wait for a disk that other tests sync: see [`LauncherFailed`].
    if Path::new("/dev/shm").is_dir() {
        command.env("OMPI_MCA_orte_tmpdir_base", "/dev/shm");
    }
    if mpi == Mpi::Mpich {
        let options = ["-shared", "-fPIC", "-O1"];
        let library = support::compiled(Command::new("cc"), &options, "idle_waits.c")?;
        let preload = OsStr::new("LD_PRELOAD");
        let others = command.get_envs().find(|(name, _)| *name == preload).and_then(|(_, value)| value);
        let mut libraries = others.map(OsStr::to_owned).unwrap_or_default();
        libraries.push(" ");
        libraries.push(library);
        command.env(preload, libraries);
    }
    Ok(())
}

fn limit_files(command: &mut Command, limit_bytes: Option<u64>) {
    let Some(limit_bytes) = limit_bytes else { return };
    let set = move || {
        let limit = libc::rlimit { rlim_cur: limit_bytes, rlim_max: limit_bytes };
        // SAFETY: the call is async-signal-safe and gets a valid argument. The action of the signal for
        // the limit is not changed: it would end the program.
        match unsafe { libc::setrlimit(libc::RLIMIT_FSIZE, &limit) } {
            0 => Ok(()),
            _ => Err(std::io::Error::last_os_error()),
        }
    };
    // SAFETY: the closure allocates nothing, and calls only functions that are allowed after a fork.
    unsafe { command.pre_exec(set) };
}

/// The processes that a launcher has started or is about to start.
struct Launched<'a> {
    executable: &'a Path,
    has_begun: bool,
    /// A killed process has recorded the kill in its trace.
    traces: Vec<PathBuf>,
    patience: Duration,
}

impl Launched<'_> {
    fn is_killed(&self) -> bool {
        self.traces.iter().any(|path| std::fs::read(path).is_ok_and(|trace| trace.ends_with(b"killed\n")))
    }
}

/// A launcher that does not end after its processes is killed too. Open MPI's launcher waits for ever if a
/// process was killed while it connected. Sometimes it then does not end the other processes either; they are
/// ended with it.
fn wait(mut child: Child, launched: Option<Launched>) -> Result<ExitStatus> {
    const BETWEEN_LOOKS: Duration = Duration::from_millis(250);
    let start = Instant::now();
    let mut looked = start;
    let mut seen = launched.as_ref().filter(|launched| launched.has_begun).map(|_| start);
    let mut killed = None;
    let mut pause = Duration::from_micros(500);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status);
        }
        if start.elapsed() > PATIENCE {
            end_group(&mut child)?;
            bail!("the run did not end within {PATIENCE:?}");
        }
        if let Some(launched) = launched.as_ref().filter(|_| looked.elapsed() > BETWEEN_LOOKS) {
            looked = Instant::now();
            if launched.is_killed() && killed.get_or_insert(looked).elapsed() > launched.patience {
                return end_group(&mut child);
            }
            if process::any(child.id(), launched.executable) {
                seen = Some(looked);
            } else if seen.is_some_and(|seen| seen.elapsed() > launched.patience) {
                child.kill()?;
            }
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(10));
    }
}

/// The first signal is SIGTERM, so that a launcher also ends its processes.
fn end_group(child: &mut Child) -> Result<ExitStatus> {
    let group = -(child.id() as libc::pid_t);
    for signal in [libc::SIGTERM, libc::SIGKILL] {
        // SAFETY: the group is that of a child which has not been waited for.
        unsafe { libc::kill(group, signal) };
        std::thread::sleep(Duration::from_secs(2));
    }
    Ok(child.wait()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_launcher_that_waits_for_the_dead_is_ended() {
        let started = |line: &str| Command::new("sh").args(["-c", line]).process_group(0).spawn().unwrap();
        let directory = tempfile::tempdir().unwrap();
        let trace = directory.path().join("trace.0");
        let waited = |child: Child| {
            let patience = Duration::from_millis(300);
            let (executable, traces) = (Path::new("/bin/sleep"), vec![trace.clone()]);
            wait(child, Some(Launched { executable, has_begun: false, traces, patience })).unwrap()
        };
        assert_eq!(waited(started("sleep 1; exec tail -f /dev/null")).signal(), Some(libc::SIGKILL));
        assert_eq!(waited(started("sleep 2; exit 3")).code(), Some(3));
        std::fs::write(&trace, "init 1\nkilled\n").unwrap();
        assert!(waited(started("sleep 60")).signal().is_some());
    }
}
