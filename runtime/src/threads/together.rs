//! The same work on several threads.
//!
//! In: how much there is to do, and a function that takes parts of it until none is left. Out: nothing.
//! Holds afterwards: no part is left; little work, and work for which no other thread is to be had, was done
//! by the thread that asked.

use super::without_signals;
use std::num::NonZeroUsize;

/// Less is done sooner than another thread would begin.
const ALONE_BELOW_BYTES: usize = 8 << 20;
/// More would wait for memory.
const MOST_THREADS: usize = 4;

/// Calls `work` on as many threads as so many bytes are worth.
pub fn together(bytes: usize, work: impl Fn() + Sync) {
    on_threads(threads_for(bytes), work);
}

/// Calls `work` on so many threads, of which this one is the first.
pub fn on_threads(threads: usize, work: impl Fn() + Sync) {
    std::thread::scope(|scope| {
        let start = || without_signals(|| std::thread::Builder::new().spawn_scoped(scope, &work));
        for _ in 1..threads {
            if start().is_err() {
                break;
            }
        }
        work();
    });
}

/// How many threads so many bytes are worth, where reading or changing them is the work.
pub fn threads_for(bytes: usize) -> usize {
    if bytes < ALONE_BELOW_BYTES {
        return 1;
    }
    std::thread::available_parallelism().map_or(1, NonZeroUsize::get).min(MOST_THREADS)
}
