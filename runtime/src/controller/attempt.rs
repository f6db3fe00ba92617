//! The steps of one start before it resumes: its number, its lock, and the check whether it may resume the
//! run in the directory.
//!
//! Input: the settings, the other processes, the state file to resume from.
//! Output: a lock, or a reason to stop that is the same on all processes.
//! Postcondition: at most one start works in a directory.

use super::messages::Messages;
use super::{Controller, Service, Stop};
use crate::agree::{first_text, Communicator};
use crate::lock::{
    acquire, Heartbeat, Linux, Lock, LockError, LockWait, NotHeld, Owner, ProcessStatus, System,
};
use crate::manifest::{InputFile, Provenance, RunIdentity};
use crate::run_identity::{hash_inputs, input_names, OtherInputs};
use crate::settings::{Identity, Settings};
use crate::storage::{Directory, EntryKind};
use crate::verify::StateFile;
use cppc_abi::exit_statuses::ExitStatus;
use std::io::{self, Read};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Whether the directory of this process is protected from other starts.
#[derive(Debug)]
pub enum Guard {
    Locked {
        lock: Arc<Lock>,
        _heart: Option<Heartbeat>,
    },
    /// The setting `lock` is `false`.
    Unlocked,
    /// There is no state, and none will be written.
    Idle,
}

impl Guard {
    fn of(lock: Lock) -> Guard {
        let lock = Arc::new(lock);
        let heart = Heartbeat::start(&lock);
        Guard::Locked { lock, _heart: heart }
    }

    pub fn lock(&self) -> Option<&Arc<Lock>> {
        match self {
            Guard::Locked { lock, .. } => Some(lock),
            Guard::Unlocked | Guard::Idle => None,
        }
    }
}

/// The number of this start. It is the same on all processes and not 0.
pub fn fresh_attempt(communicator: &dyn Communicator) -> u64 {
    communicator.broadcast_u64(0, fresh_number())
}

/// A random number. No other start has it.
pub fn fresh_number() -> u64 {
    let mut random = [0; 8];
    let drawn = std::fs::File::open("/dev/urandom").and_then(|mut file| file.read_exact(&mut random));
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
    let number = match drawn {
        Ok(()) => u64::from_ne_bytes(random),
        Err(_) => (now.as_nanos() as u64) ^ (u64::from(std::process::id()) << 48),
    };
    number.max(1)
}

impl Controller {
    /// Locks the directory of each process. Rank 0 locks its directory first. If several starts run at the
    /// same time, one of them gets that lock, and the others have not locked anything.
    pub(super) fn lock(
        &self,
        communicator: &dyn Communicator,
        settings: &Settings,
        directory: &Directory,
        attempt: u64,
    ) -> Result<Guard, Stop> {
        if settings.never_dumps() {
            let is_there = directory.storage().entry(directory.path()).is_ok();
            if communicator.max_u64(is_there.into()) == 0 {
                return Ok(Guard::Idle);
            }
        }
        if !settings.lock {
            self.messages.restart("`lock` is `false`: nothing keeps a second start of this run from writing to the same state files");
            let made = if settings.never_dumps() { Ok(()) } else { directory.make() };
            let refusal = made.err().filter(is_permanent).map(|error| cannot_be_used(directory, &error));
            return match communicator.max_u64(refusal.is_some().into()) {
                0 => Ok(Guard::Unlocked),
                _ => Err(self.stop_together(communicator, refusal, ExitStatus::Fault)),
            };
        }
        let me = Owner::this_process(attempt, settings.lock_lease);
        let mut outcome = None;
        if communicator.rank() == 0 {
            outcome = Some(self.lock_directory(directory, &me, !settings.never_dumps()));
        }
        let is_first_locked = communicator.broadcast_u64(0, u64::from(!matches!(outcome, Some(Err(_)))));
        if is_first_locked == 1 && outcome.is_none() {
            outcome = Some(self.lock_directory(directory, &me, !settings.never_dumps()));
        }
        let (guard, refusal) = match outcome {
            Some(Ok(guard)) => (Some(guard), None),
            Some(Err(message)) => (None, Some(message)),
            None => (None, None),
        };
        if communicator.max_u64(refusal.is_some().into()) == 1 {
            if let Some(lock) = guard.as_ref().and_then(Guard::lock) {
                lock.release();
            }
            return Err(self.stop_together(communicator, refusal, ExitStatus::Fault));
        }
        Ok(guard.unwrap_or(Guard::Idle))
    }

    /// If the run must be able to write, a directory that can never be used is an error.
    fn lock_directory(&self, directory: &Directory, me: &Owner, must_write: bool) -> Result<Guard, String> {
        let system = Arc::new(Linux::new(me));
        let path = directory.lock().display().to_string();
        let mut tell = |waiting: LockWait| {
            self.messages.failure(&format!(
                "`{path}` is the lock of {}: this start waits up to {} s to see whether that process is alive",
                waiting.found,
                waiting.most.as_secs()
            ));
        };
        let is_held = match acquire(directory, me, &*system, &mut tell) {
            Ok(()) => true,
            Err(LockError::Held(found)) => return Err(self.in_use(directory, me, &found)),
            Err(LockError::Storage(error)) if must_write && is_permanent(&error) => {
                return Err(cannot_be_used(directory, &error))
            }
            Err(LockError::Storage(error)) => {
                self.messages.failure(&format!(
                    "cannot lock `{}`: {error}: no state is written until it is locked; if the file system has no hard links, which locks \
                     need, set `lock` to `false`",
                    directory.path().display()
                ));
                false
            }
        };
        Ok(Guard::of(Lock::new(directory.clone(), me.clone(), system, is_held)))
    }

    fn in_use(&self, directory: &Directory, me: &Owner, found: &crate::lock::LockFile) -> String {
        let owner = found.owner.as_ref();
        let since = owner.map_or(String::new(), |owner| {
            format!(
                " since {}",
                super::init::minute(std::time::UNIX_EPOCH + Duration::from_secs(owner.since))
            )
        });
        let here = owner.is_some_and(|owner| owner.is_on_same_system(me));
        let process = owner.map_or(0, |owner| owner.process);
        let advice = match here {
            true => format!(
                "end it first (`kill {process}`; if it is stopped, `kill -CONT {process}` lets it continue)"
            ),
            false => "end it first".to_owned(),
        };
        let launcher = match launched_processes() {
            Some(processes) if self.messages.processes == 1 => format!(
                "; the launcher has started {processes} processes, and each of them assumes that it is the only one: \
                 start the program with the `mpirun` of the MPI that it is linked with"
            ),
            _ => String::new(),
        };
        format!(
            "`{}` is in use{since} by {found}. This process has not ended: {advice}, or give this start another directory with `dir` or another \
             name with `app`{launcher}",
            directory.path().display(),
        )
    }

    /// Checks whether this process may write now. Stops the run if another start holds its lock.
    pub(super) fn check_lock(&self) -> Result<Result<(), String>, Stop> {
        let lock = self.service.as_ref().and_then(|service| service.guard.lock());
        // The program does not wait for the disk of the mirror.
        if let Some(lost) = self.service.as_ref().and_then(|service| service.mirror_lock()?.found_lost()) {
            return Err(Stop { message: lost.to_string(), status: ExitStatus::Fault });
        }
        match lock.map_or(Ok(()), |lock| lock.check()) {
            Ok(()) => Ok(Ok(())),
            Err(NotHeld::Lost(lost)) => Err(Stop { message: lost.to_string(), status: ExitStatus::Fault }),
            Err(unknown) => Ok(Err(unknown.to_string())),
        }
    }

    /// Whether this process called `CPPC_Init`, or is a child that continues for it. In any other child the
    /// runtime does nothing from now on.
    pub(super) fn is_own_process(&mut self) -> Result<bool, Stop> {
        let Some(service) = &self.service else { return Ok(true) };
        if service.process == std::process::id() {
            let has_ended = service.communicator.has_ended();
            if has_ended {
                self.leave_after_end();
            }
            return Ok(!has_ended);
        }
        let parent = service.process;
        let reason = if !service.communicator.survives_fork() {
            format!("process {parent} called `CPPC_Init`, and its child created by `fork` cannot use MPI")
        } else if !has_ended(service) {
            format!("process {parent} called `CPPC_Init` and is alive, and this process is its child created by `fork`")
        } else {
            self.take_over()?;
            return Ok(true);
        };
        self.leave_to_parent(&reason)?;
        Ok(false)
    }

    /// The program has ended the communication with other processes. The state files stay.
    fn leave_after_end(&mut self) {
        self.mode = super::Mode::Finished;
        self.resumption = None;
        if let Some(mut service) = self.service.take() {
            service.dumper.wait();
            // The lock is released when the process ends.
            std::mem::forget(service);
        }
        self.complain(
            "`MPI_Finalize` was called before `CPPC_Shutdown`: no more state is written, and the state files stay; place the \
             directive `shutdown` before the call of `MPI_Finalize`",
        );
    }

    fn leave_to_parent(&mut self, reason: &str) -> Result<(), Stop> {
        // Dropping the service would wait forever for its threads, because `fork` does not copy them.
        std::mem::forget(self.service.take());
        self.resumption = None;
        if std::mem::replace(&mut self.mode, super::Mode::Finished) == super::Mode::Restarting {
            return Err(Stop::restart(format!(
                "{reason}: it cannot continue without the state that is being restored"
            )));
        }
        self.complain(&format!(
            "{reason}: the child writes no checkpoints; call `CPPC_Init` in the process that continues"
        ));
        Ok(())
    }

    /// The parent has ended, for example after `daemon`. This process continues in its place.
    fn take_over(&mut self) -> Result<(), Stop> {
        let Some(service) = &self.service else { return Ok(()) };
        let directory = service.directory.unshared();
        let me =
            Owner { run: service.run, ..Owner::this_process(service.attempt, service.settings.lock_lease) };
        let (own, of_mirror) = (&service.guard, &service.mirror_guard);
        let guard = self.guard_of_child(own, &directory, &me)?;
        let mirror_guard = match of_mirror.as_ref().zip(directory.mirror()) {
            Some((guard, mirror)) => Some(self.guard_of_child(guard, mirror, &me)?),
            None => None,
        };
        let Some(service) = &mut self.service else { return Ok(()) };
        service.process = std::process::id();
        let mirror_lock = mirror_guard.as_ref().and_then(Guard::lock).cloned();
        service.dumper.restart_in_child(guard.lock().cloned(), mirror_lock);
        service.directory = directory;
        std::mem::forget(std::mem::replace(&mut service.guard, guard));
        std::mem::forget(std::mem::replace(&mut service.mirror_guard, mirror_guard));
        self.prepare_exit();
        Ok(())
    }
}

impl Controller {
    /// The lock of a child that continues for its parent.
    fn guard_of_child(&self, parent: &Guard, directory: &Directory, me: &Owner) -> Result<Guard, Stop> {
        match parent {
            Guard::Locked { .. } => self
                .lock_directory(directory, me, false)
                .map_err(|message| Stop { message, status: ExitStatus::Fault }),
            Guard::Unlocked => Ok(Guard::Unlocked),
            Guard::Idle => Ok(Guard::Idle),
        }
    }
}

/// Waits for a parent that is about to end.
fn has_ended(service: &Service) -> bool {
    const AT_MOST: Duration = Duration::from_secs(2);
    let me = Owner::this_process(service.attempt, service.settings.lock_lease);
    let system = Linux::new(&me);
    let parent = Owner { process: service.process, started: service.started, ..me };
    let start = Instant::now();
    loop {
        match system.status(&parent) {
            ProcessStatus::Dead => return true,
            ProcessStatus::Stopped => return false,
            ProcessStatus::Alive | ProcessStatus::Ending | ProcessStatus::Unknown
                if start.elapsed() > AT_MOST =>
            {
                return false
            }
            ProcessStatus::Alive | ProcessStatus::Ending | ProcessStatus::Unknown => {
                system.wait(Duration::from_millis(10))
            }
        }
    }
}

/// The number of processes that a launcher reports in the environment, if it is more than one.
fn launched_processes() -> Option<u32> {
    const VARIABLES: [&str; 4] =
        ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS", "SLURM_STEP_NUM_TASKS"];
    let number = |name: &&str| std::env::var(name).ok()?.parse().ok();
    VARIABLES.iter().filter_map(number).max().filter(|&processes: &u32| processes > 1)
}

fn cannot_be_used(directory: &Directory, error: &io::Error) -> String {
    format!(
        "no state can be written to `{}`: {error}. Set `dir` (or `mirror`) to a directory that this process can create or write to; if its file \
         system has no hard links, which locks need, set `lock` to `false`",
        directory.path().display()
    )
}

/// Whether a directory stays unusable until somebody changes the settings or the directory. A full or slow disk may
/// recover during the run.
fn is_permanent(error: &io::Error) -> bool {
    use io::ErrorKind::{NotADirectory, NotFound, PermissionDenied, ReadOnlyFilesystem, Unsupported};
    // Rust 1.86 has no kind for a name that is too long.
    error.raw_os_error() == Some(libc::ENAMETOOLONG)
        || matches!(
            error.kind(),
            NotADirectory | NotFound | PermissionDenied | ReadOnlyFilesystem | Unsupported
        )
}

/// The input files, which rank 0 reads for all processes. If it cannot, it gets the reason, and the others get nothing.
pub fn input_files(
    communicator: &dyn Communicator,
    names: &[String],
) -> Result<Vec<InputFile>, Option<String>> {
    let hashes = match communicator.rank() {
        0 => hash_inputs(names),
        _ => Ok(vec![0; names.len()]),
    };
    if communicator.max_u64(hashes.is_err().into()) == 1 {
        return Err(hashes.err());
    }
    let broadcast = |hash: u128| {
        let half = |half: u128| u128::from(communicator.broadcast_u64(0, half as u64));
        half(hash >> 64) << 64 | half(hash)
    };
    let hashes = hashes.unwrap_or_default().into_iter().map(broadcast);
    Ok(names.iter().cloned().zip(hashes).map(InputFile::from).collect())
}

/// The reason why this start must not resume from this state, on any process. All processes get the same kind
/// of answer.
pub fn objection(
    communicator: &dyn Communicator,
    directory: &Directory,
    settings: &Settings,
    here: &RunIdentity,
    file: &StateFile,
) -> Option<String> {
    let provenance = &file.manifest().provenance;
    let marks: Vec<_> = directory.and_mirror().map(|directory| directory.ended(provenance.run)).collect();
    let ended = marks
        .into_iter()
        .any(|mark| directory.storage().entry(&mark).is_ok_and(|entry| entry.kind == EntryKind::File));
    let all_ended = communicator.min_u64(ended.into()) == 1;
    if all_ended && settings.restart == crate::settings::Restart::Auto {
        return Some(format!(
            "the run in `{}` ended without `CPPC_Shutdown`: its program ended with exit status 0. Add the directive \
             `shutdown` at the end of the program; set `restart` to `never` for a fresh start, or to `always` to resume it anyway",
            directory.path().display()
        ));
    }
    if let Some(message) = different_calls(communicator, provenance) {
        return Some(message);
    }
    let choices = "set `dir` to another directory to keep both runs, `restart` to `never` for a fresh start";
    let place = directory.path().display();
    if settings.identity != Identity::None && here.has_other_arguments(&provenance.identity) {
        return Some(format!(
            "the run in `{place}` has {}, and this start has {}: give it the same arguments to resume that run; {choices}, or \
             `identity` to `none` to resume it with other arguments",
            provenance.identity.command_line(),
            here.command_line()
        ));
    }
    let other = here.other_inputs(&provenance.identity).filter(|_| settings.identity != Identity::None);
    if let Some(other) = other {
        let (difference, remedy) = match other {
            OtherInputs::Names { here, there } => (
                format!("has {}, and this start has {}", input_names(&there), input_names(&here)),
                "give `inputs` the same value to resume that run",
            ),
            OtherInputs::Content(names) => (
                format!("read another content of {}", input_names(&names)),
                "restore that content to resume that run",
            ),
        };
        return Some(format!(
            "the run in `{place}` {difference}: {remedy}; {choices}, or `identity` to `none` to resume it with this input"
        ));
    }
    if settings.identity == Identity::Strict && here.has_other_build(&provenance.identity) {
        return Some(format!(
            "the run in `{place}` is one of another build of the program, and `identity` is `strict`: run that build; {choices}, or \
             `identity` to `arguments` to resume it with this one"
        ));
    }
    None
}

/// Messages between the calls of different processes would be lost or repeated.
fn different_calls(communicator: &dyn Communicator, provenance: &Provenance) -> Option<String> {
    let (first, last) = (communicator.min_u64(provenance.calls), communicator.max_u64(provenance.calls));
    (first != last).then(|| {
        format!(
            "the processes wrote recovery line {} at different checkpoint calls, from call {first} to call {last}, so the run cannot be \
             resumed: every process must make the same checkpoint calls; set `restart` to `never` for a fresh start",
            provenance.number
        )
    })
}

/// Reports differences that do not prevent the restart. The first process that finds a difference reports it.
pub fn report_differences(
    communicator: &dyn Communicator,
    messages: &Messages,
    here: &RunIdentity,
    found: &RunIdentity,
) {
    let arguments = here.has_other_arguments(found).then(|| {
        format!(
            "this start has {}, and the run that it resumes has {}",
            here.command_line(),
            found.command_line()
        )
    });
    let inputs = here.other_inputs(found).map(|other| match other {
        OtherInputs::Names { here, there } => {
            format!(
                "this start has {}, and the run that it resumes has {}",
                input_names(&here),
                input_names(&there)
            )
        }
        OtherInputs::Content(names) => {
            format!("the run that this start resumes read another content of {}", input_names(&names))
        }
    });
    let build = here.has_other_build(found).then(|| {
        "the run is resumed with another build of the program than the one that wrote its state: results may differ from those of \
         either build"
            .to_owned()
    });
    for difference in [arguments, inputs, build] {
        let (rank, message) = first_text(communicator, difference.as_deref());
        if !message.is_empty() && rank == communicator.rank() {
            messages.failure(&message);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agree::ThreadedProcess;

    #[test]
    fn a_line_of_different_checkpoint_calls_is_not_resumed() {
        for (calls, is_refused) in [([4, 4, 4], false), ([4, 5, 4], true)] {
            let refusals = ThreadedProcess::run(3, |all| {
                let calls = calls[all.rank() as usize];
                different_calls(all, &Provenance { number: 2, calls, ..Provenance::default() })
            });
            for refusal in refusals {
                assert_eq!(refusal.is_some(), is_refused);
                assert!(refusal.is_none_or(
                    |text| text.contains("line 2 at different checkpoint calls, from call 4 to call 5")
                ));
            }
        }
    }
}
