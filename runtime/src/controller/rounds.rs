//! Checkpoints by time and on demand: the rounds of the agreement at checkpoint calls.
//!
//! Input: checkpoint calls at which a round ends or state is due, the clock, requests.
//! Output: dumps that all processes make at the same call, or the end of the run there.
//! Postcondition: every process has taken part in the same rounds. When the service has ended, no round is
//! pending.

use super::checkpoint::place_text;
use super::messages::Messages;
use super::requests::RequestFiles;
use super::{Controller, Service, Stop};
use crate::agree::communicator::Words;
use crate::agree::demand::{Contribution, Decision, Demand, Newest, Outcome, Request};
use crate::agree::Communicator;
use crate::checkpoint::{Due, IntervalClock};
use crate::settings::{duration, OnSignal, Settings};
use crate::threads::request_signals;
use cppc_abi::exit_statuses::ExitStatus;
use libc::{SIGTERM, SIGUSR1};
use std::time::{Duration, Instant};

/// What a process needs for rounds.
pub struct Rounds {
    pub(super) demand: Demand,
    clock: IntervalClock,
    /// When the last round began, and the time that was spent in the agreement since.
    began: Instant,
    spent: Duration,
    /// The time for which the last dump held the program.
    held: Duration,
    /// The line of a request whose end was not reported yet.
    awaited: Option<u64>,
    files: Option<RequestFiles>,
    /// The time after which a process does not wait any longer at a checkpoint; none for never.
    patience: Option<Duration>,
    /// Whether this process has waited longer. It takes part in no more dumps.
    pub(super) has_given_up: bool,
}

/// A process has waited too long for the others.
pub struct TooLong;

/// The time after which a process reports that it waits for others.
const REPORTED_AFTER: Duration = Duration::from_secs(60);
/// For this time, a waiting process does not sleep.
const BUSY: Duration = Duration::from_micros(200);
const LONGEST_NAP: Duration = Duration::from_millis(1);
/// A step of waiting that takes longer counts as this.
const LONGEST_STEP: Duration = Duration::from_millis(100);

impl Rounds {
    /// None if no dump is ever due, and nothing else needs all processes.
    pub fn start(
        settings: &Settings,
        is_checking_messages: bool,
        files: impl FnOnce() -> Option<RequestFiles>,
    ) -> Option<Rounds> {
        if settings.never_dumps() {
            // No round begins, but processes meet.
            return is_checking_messages.then(|| Rounds::of(settings, None));
        }
        for (signal, effect) in [(SIGUSR1, settings.on_sigusr1), (SIGTERM, settings.on_sigterm)] {
            match effect {
                OnSignal::Default => {}
                OnSignal::Checkpoint => drop(request_signals::catch(signal, false)),
                OnSignal::End => drop(request_signals::catch(signal, true)),
            }
        }
        Some(Rounds::of(settings, files()))
    }

    fn of(settings: &Settings, files: Option<RequestFiles>) -> Rounds {
        Rounds {
            demand: Demand::default(),
            clock: IntervalClock::start(settings.interval, settings.mtbf),
            began: Instant::now(),
            spent: Duration::ZERO,
            held: Duration::ZERO,
            awaited: None,
            files,
            patience: settings.patience,
            has_given_up: false,
        }
    }

    /// A dump has begun at this time, and the program continues.
    pub fn dumped(&mut self, start: Instant) {
        self.clock.reset(start);
        self.held = start.elapsed();
    }

    fn contribution(
        &mut self,
        newest: Newest,
        complete: u64,
        written: Duration,
        mirrored: u64,
    ) -> Contribution {
        let now = Instant::now();
        let request = match request_signals::take_requests() {
            (_, true) => Some(Request::End),
            (true, false) => Some(Request::Checkpoint),
            (false, false) => None,
        };
        let contribution = Contribution {
            request,
            until_due: self.clock.until_due(now),
            dump_cost: self.held + written,
            newest,
            complete,
            mirrored,
            elapsed: now.saturating_duration_since(self.began),
            spent: self.spent,
        };
        (self.began, self.spent) = (now, Duration::ZERO);
        contribution
    }

    fn end(&mut self, result: &Words, messages: &Messages) -> Outcome {
        let outcome = self.demand.end(result);
        self.clock.set_cost(outcome.dump_cost);
        if let Some(awaited) = self.awaited {
            let is_complete = outcome.newest_complete() >= awaited;
            if is_complete || outcome.complete.is_some() {
                self.awaited = None;
                self.answer(awaited, is_complete, messages);
            }
        }
        outcome
    }

    /// Reports the end of a requested dump.
    fn answer(&self, line: u64, is_complete: bool, messages: &Messages) {
        let answer = match is_complete {
            true => format!("recovery line {line} is complete"),
            false => {
                format!("recovery line {line} is not complete: a process could not write its state file")
            }
        };
        messages.restart(&answer);
        request_signals::forget_termination();
        self.reply(is_complete, &answer);
    }

    pub(super) fn patience(&self) -> Option<Duration> {
        self.patience
    }

    pub(super) fn reply(&self, is_good: bool, answer: &str) {
        if let Some(files) = &self.files {
            files.answer(is_good, answer);
        }
    }
}

impl Service {
    /// Returns after how many calls the round ends.
    fn begin_round(&mut self, call: u64) -> Option<u64> {
        if self.settings.never_dumps() {
            return None;
        }
        let contribution = self.contribution()?;
        let (words, calls) = self.rounds.as_mut()?.demand.begin(&contribution, call)?;
        self.communicator.start_round(words);
        Some(calls)
    }

    pub(super) fn contribution(&mut self) -> Option<Contribution> {
        let (newest, written) = (self.dumper.newest(), self.dumper.written());
        let mirrored = self.dumper.mirror_state();
        let complete = self.dumper.newest_complete();
        Some(self.rounds.as_mut()?.contribution(newest, complete, written, mirrored))
    }

    /// The outcome of the round that ends here; none if no round has begun.
    fn end_round(
        &mut self,
        messages: &Messages,
        place: &dyn Fn() -> String,
    ) -> Result<Option<Outcome>, TooLong> {
        let Some(rounds) = self.rounds.as_ref().filter(|rounds| rounds.demand.is_in_round()) else {
            return Ok(None);
        };
        let result = wait(&*self.communicator, messages, rounds.patience, place)?;
        Ok(self.end_round_with(&result, messages))
    }

    pub(super) fn end_round_with(&mut self, result: &Words, messages: &Messages) -> Option<Outcome> {
        let outcome = self.rounds.as_mut()?.end(result, messages);
        self.dumper.mirror_agreed(outcome.mirrored, outcome.newest_complete());
        Some(outcome)
    }
}

/// Waits for the result of a round or a meeting, but not longer than `patience`. A process that waits long reports
/// this, because the cause may be a program whose processes make different checkpoint calls.
pub(super) fn wait(
    communicator: &dyn Communicator,
    messages: &Messages,
    patience: Option<Duration>,
    place: &dyn Fn() -> String,
) -> Result<Words, TooLong> {
    let mut waited = Duration::ZERO;
    let mut is_reported = false;
    loop {
        let began = Instant::now();
        if let Some(result) = communicator.finished_round() {
            return Ok(result);
        }
        if patience.is_some_and(|patience| waited > patience) {
            return Err(TooLong);
        }
        if waited < BUSY {
            std::thread::yield_now();
        } else {
            std::thread::sleep((waited / 20).min(LONGEST_NAP));
        }
        if waited > REPORTED_AFTER && !is_reported {
            is_reported = true;
            let rest = patience.map(|patience| {
                format!(
                    ": every process must make the same checkpoint calls; after {} it continues, and no more state is written",
                    duration::shown(patience)
                )
            });
            messages.failure(&format!(
                "has waited for {} at {} for another process{}",
                duration::shown(REPORTED_AFTER),
                place(),
                rest.unwrap_or_default()
            ));
        }
        // If all processes of a job are stopped for some time, none of them is late.
        waited += began.elapsed().min(LONGEST_STEP);
    }
}

impl Controller {
    /// A call at which a round ends, at which state is due by number, or at which messages are checked. Dumps if that
    /// was decided, or if it is due.
    #[cold]
    pub(super) fn checkpoint_with_round(
        &mut self,
        id: i32,
        place: Option<&str>,
        here: usize,
        due: Due,
    ) -> Result<(), Stop> {
        if !self.is_own_process()? {
            return Ok(());
        }
        if self.has_given_up() {
            self.leave_without_waiting();
            return Ok(());
        }
        let start = Instant::now();
        let decision = match self.outcome(id, place) {
            Ok(outcome) => outcome.map_or(Decision::Continue, |outcome| outcome.decision),
            Err(TooLong) => {
                self.stop_waiting(id, place);
                return Ok(());
            }
        };
        let waited = start.elapsed();
        if let (Decision::Requested(_), Some(service)) = (decision, &mut self.service) {
            // With `busy = skip`, a request must not be skipped.
            service.dumper.wait();
        }
        if let Decision::Closed(why) = decision {
            self.close(why, id, place, due.dumps);
            return Ok(());
        }
        if self.is_checking_messages() {
            if self.meet(id, place, false).is_none() {
                return Ok(());
            }
            self.check_messages(&place_text(id, place, self.procedure()));
        }
        let is_decided = matches!(decision, Decision::Due | Decision::Requested(_));
        if is_decided || due.dumps {
            let number = self.dump(id, place, here)?;
            if let (Decision::Requested(request), Some(number)) = (decision, number) {
                self.await_line(request, number);
            }
        }
        self.begin_round(waited);
        Ok(())
    }

    fn outcome(&mut self, id: i32, place: Option<&str>) -> Result<Option<Outcome>, TooLong> {
        let (frames, names) = (&self.frames, &self.registers.names);
        let procedure = || names.text(frames.top().procedure);
        let Some(service) = self.service.as_mut() else { return Ok(None) };
        if service.communicator.processes() == 1 {
            // Nothing has to be communicated: what is known now is decided now.
            service.begin_round(self.schedule.calls());
        }
        service.end_round(&self.messages, &|| format!("checkpoint {}", place_text(id, place, procedure())))
    }

    fn begin_round(&mut self, waited: Duration) {
        let Some(service) = &mut self.service else { return };
        let start = Instant::now();
        let calls = match service.communicator.processes() {
            1 => service.rounds.as_ref().map(|rounds| rounds.demand.period()),
            _ => service.begin_round(self.schedule.calls()),
        };
        if let Some(calls) = calls {
            self.schedule.end_round_after(calls);
        }
        if let Some(rounds) = &mut service.rounds {
            rounds.spent = waited + start.elapsed();
        }
    }

    fn await_line(&mut self, request: Request, number: u64) {
        if request == Request::End {
            return self.end_run(number);
        }
        if let Some(rounds) = self.service.as_mut().and_then(|service| service.rounds.as_mut()) {
            rounds.awaited = Some(number);
        }
    }

    /// Ends all processes if this line is complete. Otherwise the run continues, because its work would be
    /// lost.
    fn end_run(&mut self, number: u64) {
        let Some(service) = &mut self.service else { return };
        service.dumper.wait();
        let is_durable = service.dumper.newest() == Newest::Ended(number);
        let is_complete = service.communicator.min_u64(is_durable.into()) == 1;
        let Some(rounds) = &mut service.rounds else { return };
        rounds.answer(number, is_complete, &self.messages);
        if !is_complete {
            self.messages.restart("the run continues, because it could not be resumed from here");
            return;
        }
        // The disk of this node may be lost at the end of the job.
        if let Some(is_mirrored) = service.dumper.mirror_now(number) {
            if service.communicator.min_u64(is_mirrored.into()) == 0 {
                self.messages.failure(&format!(
                    "warning: recovery line {number} is not in the mirror on all processes"
                ));
            }
        }
        self.messages.restart("the run ends as requested: start it again with the same command to resume it");
        Controller::forget_exit();
        service.release_locks();
        service.communicator.end(ExitStatus::Suspended as i32)
    }
}
