//! The thread that writes while the program computes.
//!
//! Input: one job at a time.
//! Output: its result, later.
//! Postcondition: the signals of the program are not delivered to this thread; a panic does not leave it.

use crate::threads::without_signals;
use std::sync::mpsc::{channel, Receiver, Sender};
use std::thread::{Builder, JoinHandle};

/// Does jobs, one after the other.
#[derive(Debug)]
pub struct Worker<J, R> {
    jobs: Option<Sender<J>>,
    results: Receiver<R>,
    thread: Option<JoinHandle<()>>,
    /// Whether there is a job whose result was not taken.
    busy: bool,
}

/// Dropping a deep restart plan uses recursion.
const STACK_BYTES: usize = 16 << 20;

impl<J: Send + 'static, R: Send + 'static> Worker<J, R> {
    pub fn start(mut work: impl FnMut(J) -> R + Send + 'static) -> std::io::Result<Worker<J, R>> {
        let (jobs, incoming) = channel::<J>();
        let (outgoing, results) = channel::<R>();
        let run = move || {
            for job in incoming {
                if outgoing.send(work(job)).is_err() {
                    return;
                }
            }
        };
        let thread = without_signals(|| {
            Builder::new().name("cppc-writer".to_owned()).stack_size(STACK_BYTES).spawn(run)
        })?;
        Ok(Worker { jobs: Some(jobs), results, thread: Some(thread), busy: false })
    }

    /// Gives the thread a job. It must not have one. False if the thread has ended.
    pub fn give(&mut self, job: J) -> bool {
        self.busy = self.jobs.as_ref().is_some_and(|jobs| jobs.send(job).is_ok());
        self.busy
    }

    /// The result, if it is available.
    pub fn finished(&mut self) -> Option<R> {
        let result = self.results.try_recv().ok()?;
        self.busy = false;
        Some(result)
    }

    /// Waits for the result. `None` if there is no job, or if the thread ended during it.
    pub fn wait(&mut self) -> Option<R> {
        if !self.busy {
            return None;
        }
        self.busy = false;
        self.results.recv().ok()
    }

    pub fn is_busy(&self) -> bool {
        self.busy
    }
}

impl<J, R> Drop for Worker<J, R> {
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            // The thread has printed the panic message. There is nothing else to do.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_come_back_in_order() {
        let mut worker = Worker::start(|job: u32| job + 1).unwrap();
        assert!(worker.wait().is_none());
        for job in 0..10 {
            assert!(worker.give(job));
            assert!(worker.is_busy());
            assert_eq!(worker.wait(), Some(job + 1));
            assert!(!worker.is_busy());
        }
    }

    #[test]
    fn a_job_that_panics_gives_no_result() {
        let mut worker = Worker::start(|job: u32| {
            assert!(job != 1, "a job of the test that panics");
            job
        })
        .unwrap();
        assert!(worker.give(1));
        assert_eq!(worker.wait(), None);
        assert!(!worker.is_busy());
    }
}
