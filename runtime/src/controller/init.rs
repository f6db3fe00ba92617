//! `CPPC_Init`: settings, agreement, the beginning of a restart.
//!
//! Input: the command line, the environment, the other processes, the state files.
//! Output: the service, and the mode in which the program continues.
//! Postcondition: all processes are in the same mode.

use super::attempt::{fresh_attempt, fresh_number, input_files, objection, report_differences, Guard};
use super::deferred::begin_deferred;
use super::messages::Messages;
use super::reports::reporter;
use super::requests::RequestFiles;
use super::rounds::Rounds;
use super::{files, Controller, Mode, Resumption, Service, Stop};
use crate::agree::{agree_unless, first_text, Agreement, Communicator};
use crate::checkpoint::interval::{SHARE, SHORTEST};
use crate::checkpoint::Schedule;
use crate::codec::crc32::crc32;
use crate::codec::CompressionOptions;
use crate::files::Openings;
use crate::graph::start_texts::StartTexts;
use crate::loaded_objects::EXECUTABLE;
use crate::lock::Owner;
use crate::manifest::RunIdentity;
use crate::plan::Replay;
use crate::plugin;
use crate::register::segments::{mappings, stack_base, Mapping};
use crate::restore::{native_plan, Delivery, Undo};
use crate::run_identity::shared_libraries;
use crate::settings::table::TABLE;
use crate::settings::{trust, Interval, Settings, Writer};
use crate::standard_error;
use crate::storage::directory::DEFAULT_DIR;
use crate::storage::{Directory, Posix};
use crate::verify::{Expectation, Machine, StateFile, Verified};
use crate::write::{Dumper, Options, Resumed};
use cppc_abi::exit_statuses::ExitStatus;
use cppc_abi::statuses::Status;
use std::collections::HashMap;
use std::ffi::OsString;
use std::path::Path;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// Connects to the other processes, or returns why that is impossible.
pub type Connect = fn() -> Result<Box<dyn Communicator>, String>;

/// The data of a start before the agreement.
struct Start {
    settings: Settings,
    directory: Directory,
    guard: Guard,
    mirror_guard: Option<Guard>,
    attempt: u64,
    identity: RunIdentity,
}

impl Controller {
    /// Starts the service. Removes the settings of CPPC from `arguments`.
    pub fn init(
        &mut self,
        arguments: &mut Vec<OsString>,
        connect: Connect,
        here: usize,
    ) -> Result<Status, Stop> {
        match self.mode {
            Mode::Dormant => {}
            Mode::Normal | Mode::Restarting => {
                self.complain("`CPPC_Init` was called again: the runtime is already started");
                return Ok(Status::AlreadyInitialised);
            }
            Mode::Finished => {
                self.complain(
                    "`CPPC_Init` was called after `CPPC_Shutdown`: a program can start the runtime only once",
                );
                return Ok(Status::Finished);
            }
        }
        if trust::is_privileged() {
            return Ok(self.stay_out(arguments));
        }
        let directory = std::env::current_dir().unwrap_or_default();
        standard_error::otherwise_into(directory.join(DEFAULT_DIR).join("messages"));
        let mapped = mappings();
        let communicator = match connect() {
            Ok(communicator) => communicator,
            Err(reason) => {
                self.complain(&format!("{reason}; no checkpoints are written"));
                return Ok(Status::Communicator);
            }
        };
        self.stack_base = stack_base(here);
        // The program may divide the texts later, for example by `strtok`.
        StartTexts::get();
        self.messages = Arc::new(Messages {
            rank: communicator.rank(),
            processes: communicator.processes(),
            ..Messages::default()
        });
        if arguments.is_empty() && self.startup.set_aside.is_empty() {
            // `main` does not declare the command line, but the user may have given settings there.
            self.set_aside(&mut own_command_line());
        }
        let settings = match self.startup.set_aside.is_empty() {
            true => self.gather(arguments, &*communicator)?,
            // The program may have changed its `argv` since.
            false => self.gather(&mut self.startup.set_aside.clone(), &*communicator)?,
        };
        self.begin_message_check(&*communicator, &settings)?;
        let words = if self.startup.set_aside.is_empty() { &*arguments } else { &self.startup.command_line };
        let inputs = input_files(&*communicator, &settings.inputs)
            .map_err(|message| self.stop_together(&*communicator, message, ExitStatus::Fault))?;
        let libraries = shared_libraries(Path::new(EXECUTABLE));
        if communicator.max_u64(libraries.is_err().into()) == 1 {
            return Err(self.stop_together(&*communicator, libraries.err(), ExitStatus::Fault));
        }
        let identity = RunIdentity { inputs, ..RunIdentity::here(words, &libraries.unwrap_or_default()) };
        self.messages = Arc::new(Messages { log: settings.log, ..(*self.messages).clone() });
        // The writer must be loaded to recognise its files too.
        let missing = match &settings.writer {
            Writer::Plugin(wanted) => plugin::find(wanted).err(),
            _ => None,
        };
        let missing = missing.filter(|_| !settings.never_dumps()).map(|error| error.to_string());
        if communicator.max_u64(missing.is_some().into()) == 1 {
            return Err(self.stop_together(&*communicator, missing, ExitStatus::Fault));
        }
        let attempt = fresh_attempt(&*communicator);
        let place = |dir: &Path| Directory::new(Arc::new(Posix), dir, &settings.app, communicator.rank());
        let mirror = settings.mirror.as_deref().map(place);
        let directory = place(&settings.dir).with_mirror(mirror).of_attempt(attempt);
        standard_error::otherwise_into(directory.messages());
        let guard = self.lock(&*communicator, &settings, &directory, attempt)?;
        let mirror_guard = match directory.mirror() {
            Some(mirror) => Some(self.lock(&*communicator, &settings, mirror, attempt)?),
            None => None,
        };
        let start = Start { settings, directory, guard, mirror_guard, attempt, identity };
        let agreement = match self.agree(&*communicator, &start) {
            Ok(agreement) => agreement,
            Err(message) => {
                let guards = [Some(&start.guard), start.mirror_guard.as_ref()];
                guards.into_iter().flatten().filter_map(Guard::lock).for_each(|lock| lock.release());
                return Err(self.stop_together(&*communicator, Some(message), ExitStatus::Fault));
            }
        };
        begin_deferred();
        self.begin(communicator, start, agreement, mapped)
    }

    fn agree(&self, communicator: &dyn Communicator, start: &Start) -> Result<Agreement, String> {
        let Start { settings, directory, identity, .. } = start;
        let expectation = Expectation {
            application: settings.app.clone(),
            fingerprint: self.startup.fingerprint.clone(),
            processes: communicator.processes(),
            rank: communicator.rank(),
        };
        let objection = |file: &StateFile| objection(communicator, directory, settings, identity, file);
        agree_unless(communicator, directory, &expectation, settings.restart, fresh_number(), objection)
            .map_err(|error| error.to_string())
    }

    /// Disables the service in a setuid program, because its caller controls the command line, the
    /// environment, the working directory and the files there.
    fn stay_out(&mut self, arguments: &mut Vec<OsString>) -> Status {
        let _ = Settings::set_aside(arguments);
        self.complain(
            "the program has rights that its caller does not have (setuid, setgid or capabilities): settings of the caller \
             are not used, no checkpoints are written and no run is resumed",
        );
        self.mode = Mode::Finished;
        Status::BadSettings
    }

    /// Removes the settings of CPPC from `arguments` and keeps them for `init`.
    pub fn set_aside(&mut self, arguments: &mut Vec<OsString>) {
        self.startup.set_aside = Settings::set_aside(arguments);
        self.startup.command_line.clone_from(arguments);
    }

    fn gather(
        &self,
        arguments: &mut Vec<OsString>,
        communicator: &dyn Communicator,
    ) -> Result<Settings, Stop> {
        if arguments.is_empty() {
            arguments.push(std::env::current_exe().unwrap_or_default().into_os_string());
        }
        let directory = std::env::current_dir().unwrap_or_default();
        let found = Settings::gather(arguments, std::env::vars_os(), &directory);
        let (settings, error) = match found {
            Ok(settings) => (Some(settings), None),
            Err(error) => (None, Some(error.to_string())),
        };
        let all_good = communicator.min_u64(u64::from(settings.is_some())) == 1;
        let Some(settings) = settings.filter(|_| all_good) else {
            return Err(self.stop_together(communicator, error, ExitStatus::NotExecuted));
        };
        let different =
            TABLE.iter().find_map(|row| difference(communicator, row.name, &row.common?(&settings)));
        match different {
            Some(message) => Err(self.stop_together(communicator, Some(message), ExitStatus::NotExecuted)),
            None => Ok(settings),
        }
    }

    /// Stops all processes. The first process that has a message prints it.
    pub(super) fn stop_together(
        &self,
        communicator: &dyn Communicator,
        message: Option<String>,
        status: ExitStatus,
    ) -> Stop {
        let rank = u64::from(communicator.rank());
        let sender = communicator.min_u64(if message.is_some() { rank } else { u64::MAX });
        if let (true, Some(message)) = (sender == rank, message) {
            Messages { processes: 1, ..(*self.messages).clone() }.failure(&message);
        }
        communicator.barrier();
        communicator.stop(status as i32)
    }

    fn begin(
        &mut self,
        communicator: Box<dyn Communicator>,
        start: Start,
        agreement: Agreement,
        mapped: Vec<Mapping>,
    ) -> Result<Status, Stop> {
        let Start { settings, directory, guard, mirror_guard, attempt, identity } = start;
        for note in &agreement.notes {
            self.messages.failure(note);
        }
        let resumed = agreement
            .resume
            .as_ref()
            .map(|file| Resumed { number: file.manifest().provenance.number, bases: file.bases() });
        if let Some(file) = &agreement.resume {
            if let Some(message) = files::shared(&*communicator, agreement.run, &file.manifest().plan) {
                return Err(self.stop_together(&*communicator, message, ExitStatus::Fault));
            }
            report_differences(
                &*communicator,
                &self.messages,
                &identity,
                &file.manifest().provenance.identity,
            );
            self.messages.restart(&announcement(file, &settings, &directory));
        }
        let mirror_lock = mirror_guard.as_ref().and_then(Guard::lock);
        guard.lock().into_iter().chain(mirror_lock).for_each(|lock| lock.name_run(agreement.run));
        let number = resumed.as_ref().map(|line| line.number);
        let openings = Openings::start(directory.clone(), agreement.run, number).map_err(Stop::restart)?;
        self.files.start(&*communicator, openings, number.is_some());
        let options = Options {
            writer: settings.writer.clone(),
            keep: settings.keep,
            full_every: settings.full_every,
            compression: CompressionOptions {
                compress: settings.compress,
                from_elements: settings.compress_min,
                threads: settings.compress_threads,
            },
            asynchronous: settings.asynchronous,
            busy: settings.busy,
        };
        let messages = Arc::clone(&self.messages);
        let dumper = Dumper::start(directory.clone(), options, agreement.run, resumed, reporter(messages))
            .guarded_by(guard.lock().cloned())
            .mirrored(mirror_lock.cloned(), number);
        let (every, first_touch) = (settings.every, settings.first_touch);
        let rounds = self.start_rounds(&settings, &*communicator, &directory, number.is_none());
        let has_rounds = rounds.is_some() && !settings.never_dumps();
        self.service = Some(Service {
            communicator,
            settings,
            dumper,
            guard,
            mirror_guard,
            directory,
            process: std::process::id(),
            started: Owner::this_process(attempt, 0).started,
            run: agreement.run,
            attempt,
            identity,
            next_number: agreement.next_number,
            rounds,
        });
        self.prepare_exit();
        match agreement.resume {
            None => {
                self.schedule = Schedule::new(every, 0, first_touch.then(Vec::new));
                self.mode = Mode::Normal;
            }
            Some(file) => {
                let provenance = file.manifest().provenance.clone();
                let touched = provenance
                    .touched
                    .iter()
                    .map(|(procedure, id)| (self.registers.names.symbol(procedure), *id))
                    .collect();
                self.schedule = Schedule::new(every, provenance.calls, first_touch.then_some(touched));
                let (replay, arithmetic) = (self.start_replay(&file)?, provenance.arithmetic);
                self.resumption = Some(Resumption {
                    replay,
                    delivery: self.delivery(file).with_memory(mapped),
                    undo: Undo::default(),
                    followed: HashMap::new(),
                    passed: None,
                    fruitless: 0,
                    arithmetic,
                });
                self.mode = Mode::Restarting;
                (0..=self.frames.depth() as usize).for_each(|depth| self.fill_cells(depth));
            }
        }
        if has_rounds {
            self.schedule.end_round_after(1);
        }
        self.frames.init();
        Ok(Status::Success)
    }

    fn delivery(&self, file: Verified<StateFile>) -> Delivery {
        let here = self.service.as_ref().map(|service| &service.identity);
        let there = &file.manifest().provenance.identity;
        let is_same_build = here.is_some_and(|here| here.has_same_build(there));
        let is_other_build = here.is_some_and(|here| here.has_other_build(there));
        Delivery::new(file).with_build(is_same_build, is_other_build)
    }

    fn start_rounds(
        &self,
        settings: &Settings,
        communicator: &dyn Communicator,
        directory: &Directory,
        is_fresh: bool,
    ) -> Option<Rounds> {
        if settings.interval == Interval::Unset && is_fresh {
            self.announce_interval();
        }
        let is_first = communicator.rank() == 0;
        Rounds::start(settings, self.is_checking_messages(), || {
            if is_first {
                RequestFiles::start(directory)
            } else {
                None
            }
        })
    }

    /// The user has not chosen when state is written.
    fn announce_interval(&self) {
        self.messages.restart(&format!(
            "state is written after {} s and then for about {} % of the time; set `interval` or `every` to change this",
            SHORTEST.as_secs(),
            SHARE * 100.0
        ));
    }

    fn start_replay(&self, file: &StateFile) -> Result<Replay, Stop> {
        let open = self.frames.open();
        let above = &open[..open.len() - 1];
        let path: Vec<(i32, &str)> = above
            .iter()
            .map(|frame| (frame.call.block, self.registers.names.text(frame.call.callee)))
            .collect();
        let plan = native_plan(file).map_err(Stop::restart)?;
        Replay::new(&plan, &path).map_err(Stop::restart)
    }
}

/// The command line of this process; empty if the system does not provide it.
pub fn own_command_line() -> Vec<OsString> {
    use std::os::unix::ffi::OsStringExt;
    let bytes = std::fs::read("/proc/self/cmdline").unwrap_or_default();
    let words = bytes.split(|&byte| byte == 0).map(|word| OsString::from_vec(word.to_vec()));
    let mut words: Vec<OsString> = words.collect();
    // The last argument is terminated by a zero byte too.
    words.pop();
    words
}

/// The message for a setting that is not equal on all processes, with the value of rank 0 and the first
/// different value.
fn difference(communicator: &dyn Communicator, name: &str, value: &str) -> Option<String> {
    // The checksum is the same on all architectures.
    let sum = u64::from(crc32(value.as_bytes()));
    let first_sum = communicator.broadcast_u64(0, sum);
    if communicator.max_u64((sum != first_sum).into()) == 0 {
        return None;
    }
    let (_, first) = first_text(communicator, (communicator.rank() == 0).then_some(value));
    let (rank, other) = first_text(communicator, (sum != first_sum).then_some(value));
    Some(format!("the processes have different values of `{name}`: rank 0 has `{first}`, rank {rank} has `{other}`: give all of them the same"))
}

fn announcement(file: &StateFile, settings: &Settings, directory: &Directory) -> String {
    let provenance = &file.manifest().provenance;
    let processes = match provenance.processes {
        1 => "1 process".to_owned(),
        processes => format!("{processes} processes"),
    };
    let modified = directory.storage().entry(file.path()).ok().and_then(|entry| entry.modified);
    let written = modified.map_or(String::new(), |time| format!("written {}, ", minute(time)));
    let make =
        if *file.machine() == Machine::THIS { "" } else { "by a machine of a different architecture, " };
    let place = shown(&settings.dir.join(&settings.app));
    format!("resuming from recovery line {} ({processes}, {written}{make}{place})", provenance.number)
}

/// The path relative to the working directory, if it is inside.
fn shown(path: &Path) -> String {
    let directory = std::env::current_dir().unwrap_or_default();
    path.strip_prefix(directory).unwrap_or(path).display().to_string()
}

/// The local time to the minute, such as `2026-11-20 08:12`.
pub(super) fn minute(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs() as libc::time_t;
    let mut parts = std::mem::MaybeUninit::<libc::tm>::zeroed();
    // SAFETY: both arguments are valid for the call; zeros are a valid `tm` should it fail.
    let parts = unsafe {
        libc::localtime_r(&seconds, parts.as_mut_ptr());
        parts.assume_init()
    };
    let (year, month) = (parts.tm_year + 1900, parts.tm_mon + 1);
    format!("{year:04}-{month:02}-{:02} {:02}:{:02}", parts.tm_mday, parts.tm_hour, parts.tm_min)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agree::ThreadedProcess;

    #[test]
    fn a_setting_that_differs_is_named_with_two_of_its_values() {
        let differences = ThreadedProcess::run(4, |all| {
            let value = ["5", "5", "70", "1"][all.rank() as usize];
            (difference(all, "keep", "2"), difference(all, "every", value))
        });
        for (same, different) in differences {
            assert_eq!(same, None);
            let different = different.unwrap_or_default();
            assert!(different.contains("`every`: rank 0 has `5`, rank 2 has `70`"), "{different}");
        }
    }
}
