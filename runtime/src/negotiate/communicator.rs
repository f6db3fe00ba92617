//! What the runtime asks of the processes that run together.
//!
//! In: small unsigned numbers. Out: what all processes together say. Holds afterwards: every
//! process has made the same calls in the same order. All calls come from one thread, and a
//! failure of the communication itself does not return: it stops the run.

/// The processes of the run, as seen from one of them.
pub trait Communicator {
    /// This process, from 0.
    fn rank(&self) -> u32;

    /// How many there are, at least 1.
    fn processes(&self) -> u32;

    /// The smallest of the values that the processes bring. Blocks.
    fn min_u64(&self, value: u64) -> u64;

    /// The largest of the values that the processes bring. Blocks.
    fn max_u64(&self, value: u64) -> u64;

    /// The value that `root` brings. Blocks.
    fn broadcast_u64(&self, root: u32, value: u64) -> u64;

    /// Returns when every process is here.
    fn barrier(&self);

    /// Begins to find the smallest value and does not wait. Several may be under way; the order in
    /// which they were begun is the same on every process.
    fn start_min(&self, value: u64);

    /// The result of the oldest one that was begun and not yet fetched, if it is there. Never
    /// blocks.
    fn finished_min(&self) -> Option<u64>;

    /// Waits for all that were begun; afterwards `finished_min` has a result for each.
    fn wait_mins(&self);

    /// Whether a child of `fork` can make these calls in place of its parent.
    fn survives_fork(&self) -> bool {
        false
    }

    /// Ends the run of all processes.
    fn stop(&self, code: i32) -> !;
}
