//! The communication that the runtime needs between the processes of a run.
//!
//! Input: unsigned numbers of 64 bits.
//! Output: the combined result of all processes.
//! Postcondition: every process has made the same calls in the same order. All calls come from one thread. If
//! the communication itself fails, the call does not return but stops the run.

/// The number of values in a round of the agreement on demand.
pub const WORDS: usize = 14;

/// The values of one process in a round, or the smallest values of all processes.
pub type Words = [u64; WORDS];

/// Whether messages of the program can be counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counting {
    /// The program has no messages.
    Needless,
    /// The layer that counts is not linked.
    NotLinked,
    Possible,
}

/// What is in transit at a checkpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InTransit {
    Nothing,
    Something,
}

/// Takes the lines of a report. The first argument is true for a line that is no reason to skip a checkpoint.
pub type Report<'a> = &'a mut dyn FnMut(bool, &str);

/// The processes of the run, as seen from one of them.
pub trait Communicator {
    /// The rank of this process, from 0.
    fn rank(&self) -> u32;

    /// The number of processes, at least 1.
    fn processes(&self) -> u32;

    /// The smallest value of all processes. Blocks.
    fn min_u64(&self, value: u64) -> u64;

    /// The largest value of all processes. Blocks.
    fn max_u64(&self, value: u64) -> u64;

    /// The value of the process `root`. Blocks.
    fn broadcast_u64(&self, root: u32, value: u64) -> u64;

    /// Waits until every process has called it.
    fn barrier(&self);

    /// Starts to compute the smallest value, without waiting. Several such operations may be pending. Every
    /// process starts them in the same order.
    fn start_min(&self, value: u64);

    /// The result of the oldest pending operation, if it is complete. Does not block.
    fn finished_min(&self) -> Option<u64>;

    /// Waits for all pending operations. After that, `finished_min` has a result for each.
    fn wait_mins(&self);

    /// Starts to compute the smallest value of each word, without waiting. At most one such operation is
    /// pending. Its order relative to the other operations need not be the same on all processes.
    fn start_round(&self, words: Words);

    /// The result of the pending operation of `start_round`, if it is complete. Does not block.
    fn finished_round(&self) -> Option<Words>;

    /// Whether a child of `fork` can make these calls in place of its parent.
    fn survives_fork(&self) -> bool {
        false
    }

    /// Whether the program has ended the communication, so that no call is possible any more.
    fn has_ended(&self) -> bool {
        false
    }

    /// Whether messages of the program can be counted.
    fn counting(&self) -> Counting {
        Counting::Needless
    }

    /// Turns counting on or off.
    fn switch_counting(&self, _is_on: bool) {}

    /// Compares the counts of all processes. Every process calls it at the same checkpoint.
    fn check_messages(&self, _report: Report) -> InTransit {
        InTransit::Nothing
    }

    /// Ends this process with this status, without the rest of the program. Every process calls it.
    fn end(&self, code: i32) -> !;

    /// Stops all processes of the run.
    fn stop(&self, code: i32) -> !;
}
