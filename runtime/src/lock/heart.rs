//! The thread that shows that a process is there.
//!
//! In: a lock. Out: a beat now and then. Holds afterwards: it beats also while the program computes and while a dump
//! waits for a slow disk, and ends with the value that stands for it. It is a thread of its own for that reason: the
//! one that writes may be at one file for longer than a lease.

use super::Lock;
use crate::threads::without_signals;
use std::sync::mpsc::{channel, RecvTimeoutError, Sender};
use std::sync::Arc;
use std::thread::Builder;

/// Beats as long as it lives.
#[derive(Debug)]
pub struct Heart {
    _alive: Sender<()>,
}

const STACK_BYTES: usize = 256 << 10;

impl Heart {
    /// None when there is no thread to be had: then the checks at dumps are the only beats.
    pub fn start(lock: &Arc<Lock>) -> Option<Heart> {
        let (alive, ended) = channel::<()>();
        let lock = Arc::clone(lock);
        let interval = lock.interval();
        let beats = move || {
            while ended.recv_timeout(interval) == Err(RecvTimeoutError::Timeout) {
                lock.beat();
            }
        };
        let builder = Builder::new().name("cppc-lock".to_owned()).stack_size(STACK_BYTES);
        without_signals(|| builder.spawn(beats)).ok().map(|_| Heart { _alive: alive })
    }
}
