//! Meetings before dumps, and the end of the agreement on this process.
//!
//! Input: checkpoints at which state is due, `CPPC_Shutdown`.
//! Output: whether all processes are at this checkpoint, or a report why no more state is written.
//! Postcondition: a process waits for another one at a checkpoint for at most the time of the setting `patience`.
//!
//! # Processes that give up
//!
//! A program whose processes make different checkpoint calls can be correct without checkpoints. Then one process waits
//! in the agreement, and another one in MPI for this process. So a process that has waited too long gives up: it
//! continues, and leaves the agreement at its later checkpoint calls. What it has begun stays pending until then, because
//! MPI cannot cancel it. The others learn of it from the next result.
//!
//! A meeting is confirmed only by processes that have not given up. Its confirmation takes no longer than a message. If a
//! process was stopped during it for longer than the patience, the others may have dumped. Then this process takes part in
//! that dump later, as one that writes nothing. So all processes make the same collective operations.

use super::checkpoint::place_text;
use super::rounds::{wait, TooLong};
use super::Controller;
use crate::agree::communicator::Words;
use crate::agree::demand::{Closed, Meeting};
use crate::settings::duration;
use crate::threads::request_signals;
use libc::{SIGTERM, SIGUSR1};

impl Controller {
    /// Waits until all processes are at this checkpoint. Returns whether any of them writes new files. None if nothing is
    /// written, because not all of them come.
    pub(super) fn meet(&mut self, id: i32, place: Option<&str>, has_new_files: bool) -> Option<bool> {
        let call = self.schedule.calls();
        let service = self.service.as_mut()?;
        if service.communicator.processes() == 1 {
            return Some(has_new_files);
        }
        let words = service.rounds.as_mut()?.demand.meet(has_new_files, call)?;
        self.meet_with(&words, id, place)?;
        let words = self.service.as_mut()?.rounds.as_mut()?.demand.confirm(has_new_files, call)?;
        self.meet_with(&words, id, place)
    }

    fn meet_with(&mut self, words: &Words, id: i32, place: Option<&str>) -> Option<bool> {
        let service = self.service.as_mut()?;
        service.communicator.start_round(*words);
        let (frames, names) = (&self.frames, &self.registers.names);
        let at = || format!("checkpoint {}", place_text(id, place, names.text(frames.top().procedure)));
        let rounds = service.rounds.as_mut()?;
        let result = wait(&*service.communicator, &self.messages, rounds.patience(), &at);
        match result.map(|result| rounds.demand.end_meeting(&result)) {
            Ok(Meeting::Held { any_new_files }) => Some(any_new_files),
            Ok(Meeting::Closed(why)) => {
                self.close(why, id, place, true);
                None
            }
            Err(TooLong) => {
                self.stop_waiting(id, place);
                None
            }
        }
    }

    /// Writes no more state, because a process does not make the same calls as this one.
    pub(super) fn close(&mut self, why: Closed, id: i32, place: Option<&str>, was_due: bool) {
        self.schedule.stop();
        let skipped = match was_due {
            true => format!("nothing is written at checkpoint {}: ", place_text(id, place, self.procedure())),
            false => String::new(),
        };
        let reason = match why {
            Closed::Left => "a process makes no more checkpoint calls or waits no longer, so no more recovery lines can be \
                             complete and no more state is written: every process must make the same checkpoint calls"
                .to_owned(),
            Closed::Apart => format!(
                "the processes are at different checkpoint calls, and this process has made {} of them: no more state is \
                 written, because it could not be resumed: every process must make the same checkpoint calls",
                self.schedule.calls()
            ),
        };
        self.complain(&format!("{skipped}{reason}"));
        self.stop_checking();
        self.refuse_requests("no more recovery lines can be complete");
    }

    /// Continues without the others.
    pub(super) fn stop_waiting(&mut self, id: i32, place: Option<&str>) {
        let Some(rounds) = self.service.as_mut().and_then(|service| service.rounds.as_mut()) else { return };
        rounds.has_given_up = true;
        let patience = duration::shown(rounds.patience().unwrap_or_default());
        self.complain(&format!(
            "has waited for {patience} at checkpoint {} for another process: it continues, and no more state is written \
             until the next start; every process must make the same checkpoint calls; if a process only needs more time \
             between them, set `patience` to a longer time",
            place_text(id, place, self.procedure())
        ));
        self.stop_checking();
        self.schedule.stop();
        self.schedule.end_round_after(1);
        self.refuse_requests("a process has waited too long for the others");
    }

    pub(super) fn has_given_up(&self) -> bool {
        let rounds = self.service.as_ref().and_then(|service| service.rounds.as_ref());
        rounds.is_some_and(|rounds| rounds.has_given_up)
    }

    /// Informs the others that this process writes no more state, if they have come so far.
    pub(super) fn leave_without_waiting(&mut self) {
        if !self.leave_agreement(&|service, _| service.communicator.finished_round()) {
            self.schedule.end_round_after(1);
        }
    }

    /// Takes part in rounds until all processes know that this one makes no more calls.
    pub(super) fn leave_rounds(&mut self) {
        if let Some(service) = &mut self.service {
            service.dumper.wait();
        }
        let place = || "the end of the run".to_owned();
        self.leave_agreement(&|service, messages| wait(&*service.communicator, messages, None, &place).ok());
        let Some(service) = &mut self.service else { return };
        if let Some(rounds) = service.rounds.take() {
            rounds.reply(false, "the run has ended");
            [SIGUSR1, SIGTERM].into_iter().for_each(request_signals::release);
        }
    }

    /// Leaves the agreement. `result` returns the pending result; if it has none, this returns false.
    fn leave_agreement(
        &mut self,
        result: &dyn Fn(&super::Service, &super::Messages) -> Option<Words>,
    ) -> bool {
        loop {
            let Some(service) = &mut self.service else { return true };
            let Some(rounds) = &mut service.rounds else { return true };
            let (in_round, in_confirmation) =
                (rounds.demand.is_in_round(), rounds.demand.is_in_confirmation());
            if in_round || in_confirmation || rounds.demand.is_in_meeting() {
                let Some(words) = result(service, &self.messages) else { return false };
                if in_round {
                    service.end_round_with(&words, &self.messages);
                } else if let Some(rounds) = &mut service.rounds {
                    let meeting = rounds.demand.end_meeting(&words);
                    if let (Meeting::Held { any_new_files }, true) = (meeting, in_confirmation) {
                        self.abstain(any_new_files);
                    }
                }
            }
            let Some(service) = &mut self.service else { return true };
            let contribution = service.contribution();
            let rounds = service.rounds.as_mut().zip(contribution);
            let words = rounds.and_then(|(rounds, contribution)| rounds.demand.leave(&contribution));
            let Some(words) = words else { return true };
            service.communicator.start_round(words);
        }
    }

    /// Takes part in a dump without writing.
    fn abstain(&mut self, any_new_files: bool) {
        let written = self.written_files();
        // A reason to skip the dump is of no interest here.
        let _ = self.check_shared(written, any_new_files);
        let Some(service) = &mut self.service else { return };
        let number = service.next_number;
        service.next_number += 1;
        service.dumper.abstain(&*service.communicator, number);
    }

    /// The counts of processes that are at different checkpoints cannot be compared.
    fn stop_checking(&mut self) {
        if self.end_message_check() {
            self.complain("messages are not checked any more");
        }
    }

    fn refuse_requests(&self, answer: &str) {
        if let Some(rounds) = self.service.as_ref().and_then(|service| service.rounds.as_ref()) {
            rounds.reply(false, answer);
        }
    }
}
