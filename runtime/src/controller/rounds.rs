//! Checkpoints by time and on demand: the rounds of the agreement at checkpoint calls.
//!
//! Input: checkpoint calls at which a round ends, the clock, requests.
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
use crate::settings::{OnSignal, Settings};
use crate::threads::request_signals;
use cppc_abi::exit_statuses::ExitStatus;
use libc::{SIGTERM, SIGUSR1};
use std::time::{Duration, Instant};

/// What a process needs for rounds.
pub struct Rounds {
    demand: Demand,
    clock: IntervalClock,
    /// When the last round began, and the time that was spent in the agreement since.
    began: Instant,
    spent: Duration,
    /// The time for which the last dump held the program.
    held: Duration,
    /// The line of a request whose end was not reported yet.
    awaited: Option<u64>,
    files: Option<RequestFiles>,
}

/// The time after which a process reports that it waits for others.
const PATIENCE: Duration = Duration::from_secs(60);
/// For this time, a waiting process does not sleep.
const BUSY: Duration = Duration::from_micros(200);
const LONGEST_NAP: Duration = Duration::from_millis(1);

impl Rounds {
    /// None if no dump is ever due.
    pub fn start(settings: &Settings, files: impl FnOnce() -> Option<RequestFiles>) -> Option<Rounds> {
        if settings.never_dumps() {
            return None;
        }
        for (signal, effect) in [(SIGUSR1, settings.on_sigusr1), (SIGTERM, settings.on_sigterm)] {
            match effect {
                OnSignal::Default => {}
                OnSignal::Checkpoint => drop(request_signals::catch(signal, false)),
                OnSignal::End => drop(request_signals::catch(signal, true)),
            }
        }
        Some(Rounds {
            demand: Demand::default(),
            clock: IntervalClock::start(settings.interval, settings.mtbf),
            began: Instant::now(),
            spent: Duration::ZERO,
            held: Duration::ZERO,
            awaited: None,
            files: files(),
        })
    }

    /// A dump has begun at this time, and the program continues.
    pub fn dumped(&mut self, start: Instant) {
        self.clock.reset(start);
        self.held = start.elapsed();
    }

    fn contribution(&mut self, newest: Newest, written: Duration, mirrored: u64) -> Contribution {
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
        if let (Some(awaited), Some(complete)) = (self.awaited, outcome.complete) {
            self.awaited = None;
            self.answer(awaited, complete >= awaited, messages);
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

    fn reply(&self, is_good: bool, answer: &str) {
        if let Some(files) = &self.files {
            files.answer(is_good, answer);
        }
    }
}

impl Service {
    fn begin_round(&mut self) -> Option<u64> {
        let contribution = self.contribution()?;
        let (words, calls) = self.rounds.as_mut()?.demand.begin(&contribution)?;
        self.communicator.start_round(words);
        Some(calls)
    }

    fn contribution(&mut self) -> Option<Contribution> {
        let (newest, written) = (self.dumper.newest(), self.dumper.written());
        let mirrored = self.dumper.mirror_state();
        Some(self.rounds.as_mut()?.contribution(newest, written, mirrored))
    }

    /// The outcome of the round that ends here; none if no round has begun.
    fn end_round(&mut self, messages: &Messages, place: &dyn Fn() -> String) -> Option<Outcome> {
        if !self.rounds.as_ref()?.demand.is_in_round() {
            return None;
        }
        let result = wait(&*self.communicator, messages, place);
        let outcome = self.rounds.as_mut()?.end(&result, messages);
        self.dumper.mirror_agreed(outcome.mirrored, outcome.complete);
        Some(outcome)
    }

    /// Takes part in rounds until all processes know that this one makes no more calls.
    pub fn leave_rounds(&mut self, messages: &Messages) {
        self.dumper.wait();
        let place = || "the end of the run".to_owned();
        self.end_round(messages, &place);
        while let Some(contribution) = self.contribution() {
            let Some(words) = self.rounds.as_mut().and_then(|rounds| rounds.demand.leave(&contribution))
            else {
                break;
            };
            self.communicator.start_round(words);
            self.end_round(messages, &place);
        }
        if let Some(rounds) = self.rounds.take() {
            rounds.reply(false, "the run has ended");
            [SIGUSR1, SIGTERM].into_iter().for_each(request_signals::release);
        }
    }
}

/// Waits for the result of a round. A process that waits long reports this, because the cause may be a program
/// whose processes make different checkpoint calls.
fn wait(communicator: &dyn Communicator, messages: &Messages, place: &dyn Fn() -> String) -> Words {
    let mut start = None;
    let mut is_reported = false;
    loop {
        if let Some(result) = communicator.finished_round() {
            return result;
        }
        let waited = start.get_or_insert_with(Instant::now).elapsed();
        if waited < BUSY {
            std::thread::yield_now();
        } else {
            std::thread::sleep((waited / 20).min(LONGEST_NAP));
        }
        if waited > PATIENCE && !is_reported {
            is_reported = true;
            messages.failure(&format!(
                "has waited for {} s at {} for a process that has made fewer checkpoint calls: every process must make the same calls",
                PATIENCE.as_secs(),
                place()
            ));
        }
    }
}

impl Controller {
    /// A call at which a round ends. Dumps if that was decided, or if it is due by number.
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
        let start = Instant::now();
        let outcome = self.outcome(id, place);
        let decision = outcome.map_or(Decision::Continue, |outcome| outcome.decision);
        let waited = start.elapsed();
        if let (Decision::Requested(_), Some(service)) = (decision, &mut self.service) {
            // With `busy = skip`, a request must not be skipped.
            service.dumper.wait();
        }
        if decision == Decision::Closed {
            self.schedule.stop();
            self.complain(
                "a process makes no more checkpoint calls, so no more recovery lines can be complete and no more state is \
                 written: every process must make the same checkpoint calls",
            );
            return Ok(());
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

    fn outcome(&mut self, id: i32, place: Option<&str>) -> Option<Outcome> {
        let (frames, names) = (&self.frames, &self.registers.names);
        let procedure = || names.text(frames.top().procedure);
        let service = self.service.as_mut()?;
        if service.communicator.processes() == 1 {
            // Nothing has to be communicated: what is known now is decided now.
            service.begin_round();
        }
        service.end_round(&self.messages, &|| format!("checkpoint {}", place_text(id, place, procedure())))
    }

    fn begin_round(&mut self, waited: Duration) {
        let Some(service) = &mut self.service else { return };
        let start = Instant::now();
        let calls = match service.communicator.processes() {
            1 => service.rounds.as_ref().map(|rounds| rounds.demand.period()),
            _ => service.begin_round(),
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
