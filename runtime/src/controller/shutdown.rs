//! `CPPC_Shutdown`.
//!
//! Input: a run that has ended.
//! Output: the state files are removed or marked, depending on the settings.
//! Postcondition: the last dump is finished, and later calls have no effect.

use super::attempt::Guard;
use super::{Controller, Mode, Stop};
use crate::write::Ending;
use cppc_abi::statuses::Status;

impl Controller {
    pub fn shutdown(&mut self) -> Result<Status, Stop> {
        match self.mode {
            Mode::Dormant => {
                self.complain("`CPPC_Shutdown` was called, but `CPPC_Init` was not");
                return Ok(Status::NotInitialised);
            }
            Mode::Finished => return Ok(Status::Finished),
            Mode::Restarting => {
                return Err(Stop::restart(
                    "the program reached `CPPC_Shutdown` before the checkpoint of the state file",
                ));
            }
            Mode::Normal => {}
        }
        if !self.is_own_process()? {
            return Ok(Status::Finished);
        }
        let locked = self.check_lock()?;
        self.mode = Mode::Finished;
        Controller::forget_exit();
        self.leave_rounds();
        self.end_message_check();
        if let Some(service) = self.service.take() {
            let all_locked = service.communicator.min_u64(locked.is_ok().into()) == 1;
            if let Err(reason) = locked {
                self.complain(&format!(
                    "{reason}: the state files of the finished run stay, and the next start resumes it"
                ));
            }
            if matches!(service.guard, Guard::Idle) || !all_locked {
                service.dumper.abandon(&*service.communicator);
                return Ok(Status::Success);
            }
            let ending = if service.settings.delete { Ending::Delete } else { Ending::Keep };
            service.dumper.shutdown(&*service.communicator, ending);
        }
        Ok(Status::Success)
    }
}
