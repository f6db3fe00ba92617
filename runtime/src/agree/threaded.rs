//! Processes that are threads of one process, for simulations and tests.
//!
//! Input: the number of processes.
//! Output: a communicator for each.
//! Postcondition: collectives are matched by their order alone, as between real processes. A process that
//! stops also stops all others, so that none waits forever.

use super::communicator::{Words, WORDS};
use super::Communicator;
use std::cell::{Cell, RefCell};
use std::collections::{HashMap, VecDeque};
use std::panic::{catch_unwind, panic_any, resume_unwind, AssertUnwindSafe};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// One of the threads that simulate processes.
#[derive(Debug)]
pub struct ThreadedProcess {
    rank: u32,
    shared: Arc<Shared>,
    /// The number of collectives that this process has begun.
    begun: Cell<u64>,
    outstanding: RefCell<VecDeque<u64>>,
    /// The number of rounds that this process has begun, and whether one is pending.
    rounds: Cell<(u64, bool)>,
}

/// One of the processes stopped the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stopped(pub i32);

#[derive(Debug)]
struct Shared {
    processes: u32,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct State {
    /// The values in each collective, by its number in the order.
    open: HashMap<u64, Collective>,
    /// The same for rounds.
    rounds: HashMap<u64, Round>,
    stopped: Option<i32>,
}

#[derive(Debug)]
struct Collective {
    min: u64,
    max: u64,
    root: Option<u64>,
    arrived: u32,
    left: u32,
}

#[derive(Debug)]
struct Round {
    smallest: Words,
    arrived: u32,
    left: u32,
}

impl ThreadedProcess {
    /// Runs the same function as every process, and returns their results. If one process stops the run or
    /// panics, all processes end, and so does this call.
    pub fn run<T: Send>(processes: u32, process: impl Fn(&ThreadedProcess) -> T + Sync) -> Vec<T> {
        let results = Self::try_run(processes, process);
        results.into_iter().map(|result| result.unwrap_or_else(|panic| resume_unwind(panic))).collect()
    }

    /// The same, but returns for each process its result or its panic.
    pub fn try_run<T: Send>(
        processes: u32,
        process: impl Fn(&ThreadedProcess) -> T + Sync,
    ) -> Vec<std::thread::Result<T>> {
        let shared = Arc::new(Shared { processes, state: Mutex::default(), changed: Condvar::new() });
        std::thread::scope(|scope| {
            let threads: Vec<_> = (0..processes)
                .map(|rank| {
                    let (shared, process) = (shared.clone(), &process);
                    scope.spawn(move || {
                        let communicator = ThreadedProcess {
                            rank,
                            shared: shared.clone(),
                            begun: Cell::new(0),
                            outstanding: RefCell::default(),
                            rounds: Cell::default(),
                        };
                        let result = catch_unwind(AssertUnwindSafe(|| process(&communicator)));
                        if result.is_err() {
                            shared.stop(1);
                        }
                        result
                    })
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().and_then(|result| result)).collect()
        })
    }

    fn begin(&self, value: u64, is_root: bool) -> u64 {
        let number = self.begun.get();
        self.begun.set(number + 1);
        let mut state = self.shared.lock();
        let collective = state.open.entry(number).or_insert(Collective {
            min: u64::MAX,
            max: 0,
            root: None,
            arrived: 0,
            left: 0,
        });
        collective.min = collective.min.min(value);
        collective.max = collective.max.max(value);
        collective.arrived += 1;
        if is_root {
            collective.root = Some(value);
        }
        self.shared.changed.notify_all();
        number
    }

    /// The result that `take` reads from the collective after all processes have arrived; none if they have
    /// not and `blocks` is false.
    fn end(&self, number: u64, blocks: bool, take: impl Fn(&Collective) -> u64) -> Option<u64> {
        let mut state = self.shared.lock();
        loop {
            if let Some(code) = state.stopped {
                drop(state);
                panic_any(Stopped(code));
            }
            match state.open.get_mut(&number) {
                Some(collective) if collective.arrived == self.shared.processes => {
                    let value = take(collective);
                    collective.left += 1;
                    if collective.left == self.shared.processes {
                        state.open.remove(&number);
                    }
                    return Some(value);
                }
                _ if !blocks => return None,
                _ => {
                    state = self.shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }

    fn run_collective(&self, value: u64, is_root: bool, take: impl Fn(&Collective) -> u64) -> u64 {
        let number = self.begin(value, is_root);
        self.end(number, true, take).unwrap_or(0)
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn stop(&self, code: i32) {
        self.lock().stopped.get_or_insert(code);
        self.changed.notify_all();
    }
}

impl Communicator for ThreadedProcess {
    fn rank(&self) -> u32 {
        self.rank
    }

    fn processes(&self) -> u32 {
        self.shared.processes
    }

    fn min_u64(&self, value: u64) -> u64 {
        self.run_collective(value, false, |collective| collective.min)
    }

    fn max_u64(&self, value: u64) -> u64 {
        self.run_collective(value, false, |collective| collective.max)
    }

    fn broadcast_u64(&self, root: u32, value: u64) -> u64 {
        self.run_collective(value, root == self.rank, |collective| collective.root.unwrap_or(0))
    }

    fn barrier(&self) {
        self.run_collective(0, false, |_| 0);
    }

    fn start_min(&self, value: u64) {
        let number = self.begin(value, false);
        self.outstanding.borrow_mut().push_back(number);
    }

    fn finished_min(&self) -> Option<u64> {
        let number = *self.outstanding.borrow().front()?;
        let result = self.end(number, false, |collective| collective.min)?;
        self.outstanding.borrow_mut().pop_front();
        Some(result)
    }

    fn wait_mins(&self) {
        let mut state = self.shared.lock();
        let last = self.outstanding.borrow().back().copied();
        let Some(last) = last else { return };
        while state.stopped.is_none()
            && state.open.get(&last).is_some_and(|collective| collective.arrived < self.shared.processes)
        {
            state = self.shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn start_round(&self, words: Words) {
        let (begun, is_pending) = self.rounds.get();
        assert!(!is_pending, "a round is pending");
        self.rounds.set((begun + 1, true));
        let mut state = self.shared.lock();
        let round =
            state.rounds.entry(begun).or_insert(Round { smallest: [u64::MAX; WORDS], arrived: 0, left: 0 });
        round.smallest.iter_mut().zip(words).for_each(|(smallest, word)| *smallest = word.min(*smallest));
        round.arrived += 1;
        self.shared.changed.notify_all();
    }

    fn finished_round(&self) -> Option<Words> {
        let (begun, is_pending) = self.rounds.get();
        let number = begun.checked_sub(1).filter(|_| is_pending)?;
        let mut state = self.shared.lock();
        if let Some(code) = state.stopped {
            drop(state);
            panic_any(Stopped(code));
        }
        let round = state.rounds.get_mut(&number)?;
        if round.arrived < self.shared.processes {
            return None;
        }
        let smallest = round.smallest;
        round.left += 1;
        if round.left == self.shared.processes {
            state.rounds.remove(&number);
        }
        self.rounds.set((begun, false));
        Some(smallest)
    }

    fn end(&self, code: i32) -> ! {
        panic_any(Stopped(code))
    }

    fn stop(&self, code: i32) -> ! {
        self.shared.stop(code);
        panic_any(Stopped(code))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn collectives_pair_up_by_their_order() {
        let results = ThreadedProcess::run(4, |all| {
            let rank = u64::from(all.rank());
            all.start_min(rank + 10);
            all.start_min(rank + 20);
            let largest = all.max_u64(rank);
            let smallest = all.min_u64(rank + 5);
            let root = all.broadcast_u64(2, rank * 100);
            all.barrier();
            all.wait_mins();
            (largest, smallest, root, all.finished_min(), all.finished_min(), all.finished_min())
        });
        assert!(results.iter().all(|result| *result == (3, 5, 200, Some(10), Some(20), None)));
    }

    #[test]
    fn one_that_stops_ends_all() {
        let results = ThreadedProcess::try_run(3, |all| {
            if all.rank() == 1 {
                all.stop(7);
            }
            all.barrier();
        });
        for result in results {
            assert_eq!(result.unwrap_err().downcast_ref(), Some(&Stopped(7)));
        }
    }
}
