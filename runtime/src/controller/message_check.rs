//! The setting `check = messages`: the messages in transit at each checkpoint.
//!
//! Input: the counts of the layer between the program and MPI.
//! Output: reports that name the checkpoint and the place of each message.
//! Postcondition: no state is written at a checkpoint at which something is in transit: a restart from it would not
//! send the message again.

use super::{Controller, Stop};
use crate::agree::communicator::{Communicator, Counting, InTransit};
use crate::settings::{Check, Settings};
use cppc_abi::exit_statuses::ExitStatus;

/// The state of the check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MessageCheck {
    Off,
    /// With the result for the latest checkpoint.
    On(InTransit),
}

const NOT_LINKED: &str = "the setting `check = messages` needs a library that the program is not linked with: link it with \
     `--cppc-check=messages`, or start it with `LD_PRELOAD` set to the path of `libcppc_messages.so` of this MPI";

impl Controller {
    pub(super) fn begin_message_check(
        &mut self,
        communicator: &dyn Communicator,
        settings: &Settings,
    ) -> Result<(), Stop> {
        let counting = communicator.counting();
        let is_missing = settings.check == Check::Messages && counting == Counting::NotLinked;
        if communicator.max_u64(is_missing.into()) == 1 {
            let message = is_missing.then(|| NOT_LINKED.to_owned());
            return Err(self.stop_together(communicator, message, ExitStatus::NotExecuted));
        }
        let wanted = settings.check != Check::None && counting == Counting::Possible;
        let is_everywhere = communicator.min_u64(wanted.into()) == 1;
        communicator.switch_counting(is_everywhere);
        if is_everywhere {
            self.messages_checked = MessageCheck::On(InTransit::Nothing);
        }
        Ok(())
    }

    pub(super) fn is_checking_messages(&self) -> bool {
        self.messages_checked != MessageCheck::Off
    }

    /// Compares the counts at a checkpoint at which all processes are.
    #[cold]
    pub(super) fn check_messages(&mut self, checkpoint: &str) {
        let Some(service) = &self.service else { return };
        let mut lines = Vec::new();
        let found = service.communicator.check_messages(&mut |is_note, line| {
            lines.push(match is_note {
                true => line.to_owned(),
                false => format!("checkpoint {checkpoint}: {line}"),
            });
        });
        self.messages_checked = MessageCheck::On(found);
        lines.iter().for_each(|line| self.complain(line));
    }

    /// Returns whether messages were checked until now.
    pub(super) fn end_message_check(&mut self) -> bool {
        if std::mem::replace(&mut self.messages_checked, MessageCheck::Off) == MessageCheck::Off {
            return false;
        }
        if let Some(service) = &self.service {
            service.communicator.switch_counting(false);
        }
        true
    }

    /// An error if something is in transit at this checkpoint.
    pub(super) fn refuse_in_transit(&self) -> Result<(), String> {
        match self.messages_checked {
            MessageCheck::On(InTransit::Something) => {
                Err("messages are in transit, or operations of MPI are not complete".to_owned())
            }
            MessageCheck::Off | MessageCheck::On(InTransit::Nothing) => Ok(()),
        }
    }
}
