//! The attempts of one run.
//!
//! Input: the arguments of `cppc run`.
//! Output: the exit status of the last attempt.
//! Postcondition: before an attempt begins, all processes of the attempt before it on this machine have ended.

use super::ending::{name, of_signal, Ending};
use super::events::{Event, LineOfLog, Log};
use super::hosts::Hosts;
use super::policy::{Decision, GiveUp, Policy};
use super::signals::{comes_from_keyboard, meaning, receive, Meaning};
use super::status_line::StatusLine;
use super::time_left;
use super::time_limit::{Notice, TimeLimit};
use super::watch::{Line, StateLocation, Watch};
use super::{processes, RunArguments};
use crate::display::plain;
use anyhow::{bail, Context, Result};
use cppc_abi::exit_statuses::ExitStatus;
use cppc_runtime::settings::{duration::shown, Restart};
use rustix::process::{Pid, Signal, WaitStatus};
use std::io::IsTerminal;
use std::os::unix::process::CommandExt;
use std::process::Command;
use std::sync::mpsc::{channel, Receiver, RecvTimeoutError, Sender};
use std::time::{Duration, Instant};

/// The time that processes of a failed attempt get to end after SIGTERM. A launcher needs some of it.
const GRACE: Duration = Duration::from_secs(10);

/// The time in which a signal to all processes of a job reaches this one too.
const SIGNALS_ARRIVE: Duration = Duration::from_millis(500);

struct Supervisor<'a> {
    arguments: &'a RunArguments,
    command: Vec<String>,
    sender: Sender<Notice>,
    notices: Receiver<Notice>,
    time_limit: TimeLimit,
    hosts: Hosts,
    watch: Watch,
    policy: Policy,
    log: Log,
    status_line: StatusLine,
    newest: Option<Line>,
    attempt: u32,
    /// The signal by which the user has ended the run.
    stop: Option<i32>,
    /// The program shares the terminal with this process, because it may read from it.
    is_in_foreground: bool,
    /// The settings would start each attempt from the beginning.
    starts_anew: bool,
    /// There is a newer recovery line than at the start.
    has_advanced: bool,
}

/// An attempt that is under way.
struct Attempt {
    child: Pid,
    /// The process group that gets the signals of the user.
    group: i32,
    status: Option<WaitStatus>,
}

/// Runs the command until it ends well, is stopped, or is given up.
///
/// # Errors
/// The command could not be started.
pub fn run(arguments: &RunArguments) -> Result<u8> {
    let location = StateLocation::find(&arguments.command, arguments.dir.as_deref())?;
    let starts_anew = location.restart == Restart::Never;
    if starts_anew && arguments.command.iter().any(|word| word.to_string_lossy().contains("cppc-restart")) {
        bail!(
            "with `--cppc-restart=never`, each restart would begin the run again: set `CPPC_RESTART=never` in \
             the environment instead, which then counts for the first start only"
        );
    }
    if starts_anew && arguments.requeue {
        bail!(
            "with `CPPC_RESTART=never`, each job would begin the run again: choose a new state directory for a new \
             run instead"
        );
    }
    let (sender, notices) = channel();
    let time_limit = TimeLimit::watch(arguments, &location, &sender)?;
    let hosts = Hosts::find(&arguments.command, arguments.host_check.as_deref(), time_limit.is_in_job())?;
    receive(sender.clone(), Notice::Signal)?;
    processes::adopt_orphans().context("this system cannot keep track of the processes of a command")?;
    let supervisor = Supervisor {
        arguments,
        command: arguments.command.iter().map(|word| word.to_string_lossy().into_owned()).collect(),
        sender,
        notices,
        time_limit,
        hosts,
        watch: Watch::new(location),
        policy: Policy::new(arguments.restart_on.clone(), arguments.max_restarts, arguments.pause),
        log: Log::open(arguments.log.as_deref())?,
        status_line: StatusLine::new(),
        newest: None,
        attempt: 0,
        stop: None,
        is_in_foreground: std::io::stdin().is_terminal() && processes::is_in_foreground(),
        starts_anew,
        has_advanced: false,
    };
    supervisor.supervise()
}

impl Supervisor<'_> {
    fn supervise(mut self) -> Result<u8> {
        if !self.starts_anew {
            self.find_line();
        }
        loop {
            let ending = self.run_attempt()?;
            let status = ending.status();
            if ending.is_success() || self.stop.is_some() {
                return Ok(self.end(status));
            }
            if self.time_limit.is_near() {
                return Ok(self.leave(ending));
            }
            if ending.is_suspended() && !self.arguments.restart_on.includes(ending) {
                self.report(&format!(
                    "the program has ended with exit status {status}: it was asked to end after a checkpoint, and \
                     the same command resumes it"
                ));
                return Ok(self.end(status));
            }
            let Decision::Restart(pause) = self.decide(ending) else { return Ok(self.end(status)) };
            self.exclude_hosts();
            self.log.write(&Event::Restart { attempt: self.attempt + 1, pause_seconds: pause.as_secs_f64() });
            if let Some(signal) = self.pause(pause) {
                self.report(&format!("not started again because of {}", name(signal)));
                return Ok(self.end(of_signal(signal)));
            }
            if self.time_limit.is_near() {
                return Ok(self.leave(ending));
            }
            // Another start may have used the state, and finished the run in the meantime.
            if self.is_finished() {
                self.give_up(&format!("`{}` {ending}", plain(&self.command[0])), GiveUp::Finished);
                return Ok(self.end(status));
            }
        }
    }

    /// Whether the run had a recovery line, and nothing is left of it: that is so only after `shutdown`.
    fn is_finished(&self) -> bool {
        self.policy.has_reached() && self.watch.newest().is_none() && self.watch.is_empty()
    }

    /// Starts the program and waits until it has ended.
    fn run_attempt(&mut self) -> Result<Ending> {
        let mut attempt = self.start()?;
        self.watch.restart_clock();
        let ending = loop {
            if let Some(status) = attempt.status {
                break Ending::of(status);
            }
            match self.notices.recv_timeout(self.watch.due_in().max(Duration::from_millis(1))) {
                Ok(Notice::Signal(signal)) => self.handle(signal, &attempt),
                // The end was found by the time that is left and by a signal.
                Ok(Notice::Time(_)) if self.time_limit.is_near() => {}
                Ok(Notice::Time(notice)) => {
                    self.note_time(notice);
                    self.time_limit.ask_to_end(self.watch.location().clone(), self.sender.clone());
                }
                Ok(Notice::NotEnded(reason)) => {
                    if self.must_end_now(&reason) {
                        break Ending::OutOfTime;
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => bail!("signals can no longer be received"),
            }
            attempt.collect(processes::reap());
            let is_due = attempt.status.is_none() && self.watch.due_in().is_zero();
            if is_due && self.look_around() {
                let idle = shown(self.watch.idle());
                self.report(&format!("no newer state file and no output for {idle}: the program is ended"));
                break Ending::Stalled;
            }
        };
        let ending = match ending.is_success() && self.is_unfinished() {
            true => Ending::Unfinished,
            false => ending,
        };
        if !ending.is_success() {
            self.end_descendants();
            // `scancel` may end the program before its signal reaches this process.
            if self.time_limit.is_in_job() && self.stop.is_none() {
                self.stop = self.pause(SIGNALS_ARRIVE);
            }
        }
        Ok(ending)
    }

    /// Whether a recovery line of this run is left, although the program did not end by itself: it would have called
    /// `shutdown`, or left a marker file.
    fn is_unfinished(&mut self) -> bool {
        self.watch.look();
        self.find_line();
        self.stop.is_none()
            && self.watch.newest().is_some_and(|line| {
                !line.has_ended && (self.has_advanced || self.watch.location().is_named(&line.application))
            })
    }

    fn start(&mut self) -> Result<Attempt> {
        self.attempt += 1;
        let command = self.hosts.command(&self.arguments.command)?;
        let (program, words) = command.split_first().context("there is no command")?;
        let mut command = Command::new(program);
        command.args(words);
        if !self.is_in_foreground {
            command.process_group(0);
        }
        if self.starts_anew && self.attempt > 1 {
            command.env("CPPC_RESTART", "auto");
        }
        let shown = plain(&program.to_string_lossy());
        // The child is awaited together with its orphans.
        let child = command.spawn().with_context(|| format!("cannot start `{shown}`"))?;
        let child =
            i32::try_from(child.id()).ok().and_then(Pid::from_raw).context("a process has a number")?;
        let group = match self.is_in_foreground {
            true => rustix::process::getpgrp(),
            false => child,
        };
        self.log.write(&Event::Start {
            attempt: self.attempt,
            process: child.as_raw_nonzero().get(),
            command: &self.command,
            line: self.newest.as_ref().map(LineOfLog::from),
        });
        Ok(Attempt { child, group: group.as_raw_nonzero().get(), status: None })
    }

    /// A signal from the user goes to the process group of the program. One from the keyboard is already there.
    fn handle(&mut self, signal: i32, attempt: &Attempt) {
        if self.time_limit.is_warning(signal) {
            return self.time_limit.find_end(self.sender.clone());
        }
        let is_stop = match meaning(signal) {
            Meaning::Child => return,
            Meaning::Continue => return self.watch.restart_clock(),
            Meaning::Stop => true,
            Meaning::Other => false,
        };
        let is_passed_on = !self.is_in_foreground || !comes_from_keyboard(signal) || self.stop.is_some();
        if is_stop {
            self.stop.get_or_insert(signal);
        }
        if let Some(signal) = Signal::from_named_raw(signal).filter(|_| is_passed_on) {
            processes::signal_group(attempt.group, signal);
        }
        self.log.write(&Event::Signal { attempt: self.attempt, signal: &name(signal), stop: is_stop });
    }

    /// Looks for new state files. Returns whether the program has stalled.
    fn look_around(&mut self) -> bool {
        let start = Instant::now();
        if self.watch.look() {
            self.find_line();
        }
        self.watch.rest(start.elapsed());
        self.status_line.update(self.newest.as_ref(), self.attempt.saturating_sub(1));
        self.stop.is_none() && self.arguments.stall.is_some_and(|limit| self.watch.idle() >= limit)
    }

    /// Notes the newest line. Returns whether it is newer than before.
    fn find_line(&mut self) -> bool {
        let Some(line) = self.watch.newest() else { return false };
        let is_newer = self.policy.reach(line.reached);
        if is_newer && self.attempt > 0 {
            self.has_advanced = true;
            self.log.write(&Event::Checkpoint { attempt: self.attempt, line: LineOfLog::from(&line) });
        }
        self.newest = Some(line);
        is_newer
    }

    /// After a failure: whether to start the program again.
    fn decide(&mut self, ending: Ending) -> Decision {
        self.watch.look();
        self.find_line();
        let left = self.watch.newest();
        let decision = self.policy.decide(ending, self.is_finished());
        let signal = match ending {
            Ending::Signalled(signal) => Some(name(signal)),
            Ending::Exited(_) | Ending::Stalled | Ending::OutOfTime | Ending::Unfinished => None,
        };
        self.log.write(&Event::Failure {
            attempt: self.attempt,
            status: ending.status(),
            signal: signal.as_deref(),
            stalled: ending == Ending::Stalled,
            line: left.as_ref().map(LineOfLog::from),
        });
        let what = format!("`{}` {ending}", plain(&self.command[0]));
        match decision {
            Decision::Restart(pause) => {
                let from = match &left {
                    Some(line) => format!("from recovery line {}", line.reached.number),
                    None => "from the beginning, because there is no recovery line".to_owned(),
                };
                self.report(&format!("{what}; it is started again in {}, {from}", shown(pause)));
            }
            Decision::GiveUp(reason) => self.give_up(&what, reason),
        }
        decision
    }

    fn give_up(&mut self, what: &str, reason: GiveUp) {
        let message = format!("{what}; it is not started again: {reason}");
        self.report(&message);
        self.log.write(&Event::GiveUp { attempt: self.attempt, reason: reason.word(), message });
    }

    /// Ends what a failed attempt has left.
    fn end_descendants(&mut self) {
        let status_line = &self.status_line;
        let ended = processes::end_descendants(GRACE, |left| {
            status_line.clear();
            let numbers: Vec<String> = left.iter().map(|process| process.pid.to_string()).collect();
            anstream::eprintln!(
                "cppc run: waiting for killed processes that do not end: {}",
                numbers.join(", ")
            );
        });
        for process in &ended.foreign {
            self.report(&format!("process {process} belongs to another user and cannot be ended"));
        }
        if ended.processes > 0 {
            self.log.write(&Event::LeftOver { attempt: self.attempt, processes: ended.processes });
        }
    }

    /// Asks the hosts of the launcher whether they can be used.
    fn exclude_hosts(&mut self) {
        let message = match self.hosts.look(&self.arguments.command) {
            Ok(None) => return,
            Ok(Some(excluded)) => {
                let hosts: Vec<&str> = excluded.iter().map(String::as_str).collect();
                let list = plain(&hosts.join("`, `"));
                self.log.write(&Event::Exclude { attempt: self.attempt + 1, hosts });
                match list.is_empty() {
                    true => "all hosts can be used again".to_owned(),
                    false => format!("excluded from the next attempt, because they cannot be used: `{list}`"),
                }
            }
            Err(error) => format!("the hosts cannot be checked: {error:#}"),
        };
        self.report(&message);
    }

    /// Waits before a restart. Returns the signal by which the user ends the run.
    fn pause(&mut self, pause: Duration) -> Option<i32> {
        let end = Instant::now() + pause;
        loop {
            match self.notices.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(Notice::Signal(signal)) if meaning(signal) == Meaning::Stop => return Some(signal),
                Ok(Notice::Signal(signal)) if self.time_limit.is_warning(signal) => {
                    self.time_limit.find_end(self.sender.clone());
                }
                Ok(Notice::Signal(_)) => drop(processes::reap()),
                Ok(Notice::Time(notice)) => {
                    self.note_time(notice);
                    if self.time_limit.is_near() {
                        return None;
                    }
                }
                // The request was for an attempt that has ended.
                Ok(Notice::NotEnded(_)) => {}
                Err(_) => return None,
            }
        }
    }

    /// Notes that the end of the job is near.
    fn note_time(&mut self, notice: time_left::Notice) {
        match notice {
            time_left::Notice::Soon(end) => {
                let left = self.time_limit.approach(end);
                let attempt = self.attempt;
                self.log.write(&Event::TimeLimit { attempt, left_seconds: left.as_secs_f64() });
                let left = shown(left);
                self.report(&format!("the job ends in {left}: the program is asked to write state and end"));
            }
            time_left::Notice::Unknown(message) => {
                self.report(&format!("the time that is left to the job cannot be found: {message}"));
            }
        }
    }

    /// The program has not written state before the end of the job. Returns whether to end it, so that the job can be
    /// queued again.
    fn must_end_now(&mut self, reason: &str) -> bool {
        self.report(&format!("no state was written before the end of the job: {reason}"));
        self.watch.look();
        self.find_line();
        self.stop.is_none()
            && self.time_limit.job_to_requeue().is_some()
            && self.has_advanced
            && self.watch.newest().is_some()
    }

    /// Ends the run near the end of the job, and lets Slurm queue the job again if that leads further.
    fn leave(&mut self, ending: Ending) -> u8 {
        self.watch.look();
        self.find_line();
        let status = ending.status();
        let what = format!("`{}` {ending}", plain(&self.command[0]));
        let Some(job) = self.time_limit.job_to_requeue() else {
            self.report(&format!(
                "{what} near the end of the job; the same command resumes it in the next job"
            ));
            return self.end(status);
        };
        let job = job.clone();
        let name = job.name();
        // All processes have ended. Without a line, the run is finished, or would begin again.
        let line = match self.watch.newest() {
            Some(line) if self.has_advanced => line,
            Some(_) | None => {
                self.report(&format!(
                    "{what} near the end of the job; job {name} is not queued again, because there is no newer \
                     recovery line than at its start"
                ));
                return self.end(status);
            }
        };
        let number = line.reached.number;
        match job.requeue() {
            Ok(()) => {
                self.report(&format!("{what}; job {name} is queued again, from recovery line {number}"));
                let attempt = self.attempt;
                self.log.write(&Event::Requeue { attempt, job: name, line: LineOfLog::from(&line) });
                self.end(ExitStatus::Suspended as u8)
            }
            Err(error) => {
                self.report(&format!(
                    "{what}; job {name} cannot be queued again, so submit it again: {error:#}"
                ));
                self.end(status)
            }
        }
    }

    fn end(&mut self, status: u8) -> u8 {
        self.status_line.clear();
        self.log.write(&Event::End { attempts: self.attempt, status });
        status
    }

    fn report(&self, message: &str) {
        self.status_line.clear();
        anstream::eprintln!("cppc run: {message}");
    }
}

impl Attempt {
    fn collect(&mut self, ended: Vec<(Pid, WaitStatus)>) {
        for (process, status) in ended {
            if process == self.child {
                self.status = Some(status);
            }
        }
    }
}
