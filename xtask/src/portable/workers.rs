//! Runs work in parallel.
//!
//! Input: a list, and a function for each entry.
//! Output: the results in order.
//! Postcondition: no worker is running. After the first failure no further entry was started.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::Mutex;

use anyhow::{bail, Context, Result};

pub fn in_parallel<T: Sync, R: Send>(list: &[T], work: impl Fn(&T) -> Result<R> + Sync) -> Result<Vec<R>> {
    let next = AtomicUsize::new(0);
    let failed = AtomicBool::new(false);
    let done: Mutex<Vec<(usize, R)>> = Mutex::new(Vec::new());
    let worker = || -> Result<()> {
        while !failed.load(Ordering::Relaxed) {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(item) = list.get(at) else { break };
            let result = work(item).inspect_err(|_| failed.store(true, Ordering::Relaxed))?;
            done.lock().ok().context("another worker failed")?.push((at, result));
        }
        Ok(())
    };
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(worker)).collect();
        threads
            .into_iter()
            .try_for_each(|thread| thread.join().unwrap_or_else(|_| bail!("a worker panicked")))
    })?;
    let mut done = done.into_inner().ok().context("a worker failed")?;
    done.sort_by_key(|(at, _)| *at);
    Ok(done.into_iter().map(|(_, result)| result).collect())
}
