//! Dumps with a mirror.
//!
//! Input: the directory with its mirror, and the results of rounds.
//! Output: copies of complete lines.
//! Postcondition: without a mirror, nothing happens.

use super::dumper::Dumper;
use super::mirror::Mirror;
use crate::lock::Lock;
use crate::storage::Directory;
use std::sync::Arc;

impl Dumper {
    /// Copies complete lines to the mirror of the directory. `resumed` is the line from which the run was resumed.
    pub fn mirrored(mut self, lock: Option<Arc<Lock>>, resumed: Option<u64>) -> Dumper {
        let start = |mirror: &Directory| {
            let (source, listener) = (self.directory.clone(), self.listener.clone());
            Mirror::start(source, mirror.clone(), lock, self.options.keep, self.run, resumed, listener)
        };
        self.mirror = self.directory.mirror().map(start);
        self
    }

    /// What this process contributes to a round about its mirror.
    pub fn mirror_state(&mut self) -> u64 {
        self.mirror.as_mut().map_or(0, Mirror::state)
    }

    /// The results of a round: the smallest state of a mirror, and the newest complete line; 0 for none.
    pub fn mirror_agreed(&mut self, smallest: u64, complete: u64) {
        if let Some(mirror) = &mut self.mirror {
            mirror.agreed(smallest, complete);
        }
    }

    /// Copies a complete line to the mirror, and waits for it. None if there is no mirror.
    pub fn mirror_now(&mut self, line: u64) -> Option<bool> {
        self.mirror.as_mut().map(|mirror| mirror.copy_now(line))
    }

    pub(super) fn end_mirror(&mut self) {
        self.mirror.iter_mut().for_each(Mirror::end);
    }
}
