//! The thread that writes the heartbeat of a lock.
//!
//! Input: a lock.
//! Output: periodic heartbeats.
//! Postcondition: heartbeats continue while the program computes and while a dump waits for a slow disk, and
//! end when the value is dropped. This needs a thread of its own, because the thread that writes dumps may be
//! busy with one file for longer than a lease.

use super::Lock;
use crate::threads::own_table;
use std::sync::mpsc::{channel, RecvTimeoutError, Sender};
use std::sync::Arc;
use std::thread::Builder;

/// Writes heartbeats as long as it exists.
#[derive(Debug)]
pub struct Heartbeat {
    _alive: Sender<()>,
}

const STACK_BYTES: usize = 256 << 10;

impl Heartbeat {
    /// `None` if no such thread can be started: then only the checks at dumps update the lock.
    pub fn start(lock: &Arc<Lock>) -> Option<Heartbeat> {
        let (alive, ended) = channel::<()>();
        let lock = Arc::clone(lock);
        let interval = lock.interval();
        let beats = move || {
            while ended.recv_timeout(interval) == Err(RecvTimeoutError::Timeout) {
                lock.write_heartbeat();
            }
        };
        let builder = Builder::new().name("cppc-lock".to_owned()).stack_size(STACK_BYTES);
        own_table::spawn(builder, beats).ok().map(|_| Heartbeat { _alive: alive })
    }
}
