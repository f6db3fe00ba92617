//! Checkpoints that are for some numbers of processes only.
//!
//! Input: the numbers, before each call of such a checkpoint.
//! Output: the checkpoint does nothing in a run with another number of processes. This is reported once.

use super::checkpoint::place_text;
use super::Controller;
use cppc_abi::ranks::Ranks;

#[derive(Debug, Default)]
pub(super) struct NextRanks {
    /// The next checkpoint does nothing.
    pub(super) is_next_excluded: bool,
    /// The text that was read last: its address, and whether it excludes this run.
    last: Option<(usize, bool)>,
}

impl Controller {
    /// Whether the text at this address was the last one. It then holds for the next checkpoint.
    #[inline]
    pub fn has_read_ranks(&mut self, address: usize) -> bool {
        match self.ranks.last {
            Some((last, is_excluded)) if last == address => {
                self.ranks.is_next_excluded = is_excluded;
                true
            }
            _ => false,
        }
    }

    /// Reads the numbers of processes of the next checkpoint. `address`: of the text.
    pub fn read_ranks(&mut self, address: usize, text: &str) {
        let Some(service) = &self.service else { return };
        let processes = service.communicator.processes();
        let Some(ranks) = Ranks::parse(text) else {
            return self.complain(&format!("`CPPC_Ranks`: `{text}` is not a list of numbers of processes"));
        };
        self.ranks.is_next_excluded = !ranks.contains(processes);
        self.ranks.last = Some((address, self.ranks.is_next_excluded));
    }

    pub(super) fn report_excluded(&mut self, id: i32, place: Option<&str>) {
        let Some(service) = self.service.as_ref().filter(|service| service.communicator.rank() == 0) else {
            return;
        };
        let processes = service.communicator.processes();
        let noun = if processes == 1 { "process" } else { "processes" };
        self.complain(&format!(
            "nothing is written at checkpoint {}: the directive excludes runs with {processes} {noun}. \
             If it was placed automatically, build with `--ranks={processes}`",
            place_text(id, place, self.procedure())
        ));
    }
}
