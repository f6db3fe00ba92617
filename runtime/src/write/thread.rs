//! The threads that write while the program computes.
//!
//! Input: one job at a time.
//! Output: what happens during a job, and its result, later.
//! Postcondition: the signals of the program are not delivered to these threads; a panic does not leave them.
//! A job opens no file in the descriptor table of the program.
//!
//! One thread works in the descriptor table of the runtime. Another one is in that of the program, where
//! standard error is. It receives the events and passes the result on, so an event is reported before the
//! program gets the result.

use crate::threads::{own_table, without_signals};
use std::any::Any;
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::mpsc::{channel, Receiver, Sender};
use std::thread::{Builder, JoinHandle};

/// Does jobs, one after the other.
#[derive(Debug)]
pub struct Worker<J, R> {
    jobs: Option<Sender<J>>,
    results: Receiver<R>,
    threads: Vec<JoinHandle<()>>,
    /// Whether there is a job whose result was not taken.
    busy: bool,
}

/// From the thread that works to the one that reports.
enum Report<E, R> {
    Event(E),
    Result(R),
    Panic(Box<dyn Any + Send>),
}

/// Receives the events of jobs.
pub struct Events<E, R>(Sender<Report<E, R>>);

impl<E, R> Events<E, R> {
    pub fn send(&self, event: E) {
        // Without a receiver, the job has no result either, and this is reported.
        let _ = self.0.send(Report::Event(event));
    }
}

/// Dropping a deep restart plan uses recursion.
const STACK_BYTES: usize = 16 << 20;

impl<J: Send + 'static, R: Send + 'static> Worker<J, R> {
    /// `work` makes the function that does the jobs. `listen` receives their events. Fails if the system
    /// provides no thread, or no descriptor table for it.
    pub fn start<E: Send + 'static, W: FnMut(J) -> R + Send + 'static>(
        work: impl FnOnce(Events<E, R>) -> W,
        mut listen: impl FnMut(E) + Send + 'static,
    ) -> std::io::Result<Worker<J, R>> {
        let (jobs, incoming) = channel::<J>();
        let (reports, reported) = channel();
        let (outgoing, results) = channel::<R>();
        let mut work = work(Events(reports.clone()));
        let run = move || {
            for job in incoming {
                let report = match catch_unwind(AssertUnwindSafe(|| work(job))) {
                    Ok(result) => Report::Result(result),
                    Err(panic) => Report::Panic(panic),
                };
                let is_last = matches!(report, Report::Panic(_));
                if reports.send(report).is_err() || is_last {
                    return;
                }
            }
        };
        let pass_on = move || {
            for report in reported {
                match report {
                    Report::Event(event) => listen(event),
                    Report::Result(result) => drop(outgoing.send(result)),
                    Report::Panic(panic) => own_table::raise(panic),
                }
            }
        };
        let builder = |name: &str| Builder::new().name(name.to_owned()).stack_size(STACK_BYTES);
        let writer = own_table::spawn(builder("cppc-writer"), run)?;
        let reporter = without_signals(|| builder("cppc-reporter").spawn(pass_on))?;
        Ok(Worker { jobs: Some(jobs), results, threads: vec![writer, reporter], busy: false })
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
        for thread in self.threads.drain(..) {
            // The thread has printed the panic message. There is nothing else to do.
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::threads::own_table::Table;
    use std::sync::{Arc, Mutex};

    #[test]
    fn jobs_come_back_in_order_after_their_events() {
        let heard = Arc::new(Mutex::new(Vec::new()));
        let list = Arc::clone(&heard);
        let work = |events: Events<u32, u32>| {
            move |job: u32| {
                assert!(matches!(Table::current(), Table::Runtime(_)));
                events.send(10 * job);
                job + 1
            }
        };
        let listen = move |event| {
            assert_eq!(Table::current(), Table::Program);
            list.lock().unwrap().push(event);
        };
        let mut worker = Worker::start(work, listen).unwrap();
        assert!(worker.wait().is_none());
        for job in 0..10 {
            assert!(worker.give(job));
            assert!(worker.is_busy());
            assert_eq!(worker.wait(), Some(job + 1));
            assert_eq!(heard.lock().unwrap().last(), Some(&(10 * job)));
            assert!(!worker.is_busy());
        }
    }

    #[test]
    fn a_job_that_panics_gives_no_result() {
        let work = |_: Events<(), u32>| {
            |job: u32| {
                assert!(job != 1, "a job of the test that panics");
                job
            }
        };
        let mut worker = Worker::start(work, |()| ()).unwrap();
        assert!(worker.give(1));
        assert_eq!(worker.wait(), None);
        assert!(!worker.is_busy());
    }
}
