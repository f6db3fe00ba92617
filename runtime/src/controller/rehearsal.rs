//! The setting `kill-after`: the end of a run in a rehearsal.
//!
//! Input: the number of the recovery line that was just dumped.
//! Output: the process is killed, if the rehearsal ends the run here.
//! Postcondition: every process has published this line, and none has passed its checkpoint.

use super::Controller;
use crate::files::stdio::flush_all;
use rustix::process::{getpid, kill_process, Signal};

impl Controller {
    pub(super) fn end_rehearsal(&mut self, number: u64) {
        let Some(service) = self.service.as_mut().filter(|service| service.settings.kill_after == number)
        else {
            return;
        };
        service.dumper.wait();
        // The output up to this checkpoint is compared with that of other runs.
        flush_all();
        service.communicator.barrier();
        if let Err(error) = kill_process(getpid(), Signal::KILL) {
            self.messages.failure(&format!("`kill-after`: the process cannot be killed: {error}"));
        }
    }
}
