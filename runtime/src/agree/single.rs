//! The communicator of a program with one process.
//!
//! Input: its own values.
//! Output: the same values, without waiting.

use super::communicator::Words;
use super::Communicator;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;

#[derive(Debug, Default)]
pub struct SingleProcess {
    results: RefCell<VecDeque<u64>>,
    round: Cell<Option<Words>>,
}

impl SingleProcess {
    pub fn new() -> Self {
        Self::default()
    }
}

impl Communicator for SingleProcess {
    fn rank(&self) -> u32 {
        0
    }

    fn processes(&self) -> u32 {
        1
    }

    fn min_u64(&self, value: u64) -> u64 {
        value
    }

    fn max_u64(&self, value: u64) -> u64 {
        value
    }

    fn broadcast_u64(&self, _root: u32, value: u64) -> u64 {
        value
    }

    fn barrier(&self) {}

    fn start_min(&self, value: u64) {
        self.results.borrow_mut().push_back(value);
    }

    fn finished_min(&self) -> Option<u64> {
        self.results.borrow_mut().pop_front()
    }

    fn wait_mins(&self) {}

    fn start_round(&self, words: Words) {
        self.round.set(Some(words));
    }

    fn finished_round(&self) -> Option<Words> {
        self.round.take()
    }

    fn survives_fork(&self) -> bool {
        true
    }

    fn end(&self, code: i32) -> ! {
        std::process::exit(code)
    }

    fn stop(&self, code: i32) -> ! {
        std::process::exit(code)
    }
}
