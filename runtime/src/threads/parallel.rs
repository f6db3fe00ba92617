//! Runs the same function on several threads.
//!
//! Input: the amount of work, and a function that takes parts of it until none is left.
//! Postcondition: no part is left. If there is little work, or no other thread can be started, the calling
//! thread did all of it.

use super::own_table::inherit;
use super::without_signals;
use std::num::NonZeroUsize;

/// Less work than this is finished before another thread would begin.
const ALONE_BELOW_BYTES: usize = 8 << 20;
/// More threads would only wait for memory.
const MOST_THREADS: usize = 4;

/// Calls `work` on a suitable number of threads for this number of bytes.
pub fn in_parallel(bytes: usize, work: impl Fn() + Sync) {
    on_threads(threads_for(bytes), work);
}

/// Calls `work` on this number of threads, including the calling thread.
pub fn on_threads(threads: usize, work: impl Fn() + Sync) {
    std::thread::scope(|scope| {
        let start = || without_signals(|| std::thread::Builder::new().spawn_scoped(scope, inherit(&work)));
        for _ in 1..threads {
            if start().is_err() {
                break;
            }
        }
        work();
    });
}

/// The suitable number of threads for reading or changing this number of bytes.
pub fn threads_for(bytes: usize) -> usize {
    if bytes < ALONE_BELOW_BYTES {
        return 1;
    }
    std::thread::available_parallelism().map_or(1, NonZeroUsize::get).min(MOST_THREADS)
}
