//! `CPPC_Shutdown`.
//!
//! In: a run that has come to its end. Out: state files removed or marked as the settings say. Holds
//! afterwards: the last dump is done with; no call does anything any more.

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
                return Err(Stop::restart("the program came to `CPPC_Shutdown` before the checkpoint of the state file"));
            }
            Mode::Normal => {}
        }
        self.mode = Mode::Finished;
        if let Some(service) = self.service.take() {
            let ending = if service.settings.delete { Ending::Delete } else { Ending::Keep };
            service.dumper.shutdown(&*service.communicator, ending);
        }
        Ok(Status::Success)
    }
}
