//! The end of the job: the program writes state before it, and the job is queued again.
//!
//! Input: the options of `cppc run`, the time that is left, the state directory.
//! Output: notices for the supervisor, and a request to the program.
//! Postcondition: the program of this run gets the request, and no other one in the same directory.

use super::slurm::Job;
use super::time_left::{self, Left, Question, LONGEST_MARGIN};
use super::watch::{Running, StateLocation};
use super::RunArguments;
use crate::request;
use anyhow::{bail, Result};
use cppc_runtime::controller::requests::END;
use signal_hook::consts::SIGUSR1;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

/// What the supervisor waits for.
#[derive(Debug)]
pub enum Notice {
    Signal(i32),
    Time(time_left::Notice),
    /// The program has not written state in time.
    NotEnded(String),
}

#[derive(Debug)]
pub struct TimeLimit {
    job: Option<Job>,
    question: Option<Question>,
    requeue: bool,
    /// The end of the job, when it is near.
    end: Option<Instant>,
    /// Programs that ran before this one.
    others: BTreeSet<Running>,
}

/// The time before the end of the job at which a checkpoint is too late: at most this time, and at most one of so
/// many parts of the time that was left.
const LONGEST_RESERVE: Duration = Duration::from_secs(30);
const RESERVE_PARTS: u32 = 4;
const BETWEEN_REQUESTS: Duration = Duration::from_secs(1);

impl TimeLimit {
    /// Starts to watch the time, if the job has an end.
    ///
    /// # Errors
    /// The options cannot work in this job.
    pub fn watch(
        arguments: &RunArguments,
        location: &StateLocation,
        sender: &Sender<Notice>,
    ) -> Result<TimeLimit> {
        let job = Job::find();
        match &job {
            Some(job) if arguments.requeue => job.check_requeue()?,
            None if arguments.requeue => bail!(
                "`--requeue` is for a job of Slurm: in another batch system, submit the job again after exit status 75"
            ),
            Some(_) | None => {}
        }
        let question = match (&arguments.time_left, &job) {
            (Some(line), _) => Some(Question::shell(line)),
            (None, Some(job)) => Some(job.time_left()),
            (None, None) => None,
        };
        if let Some(question) = question.clone() {
            let (margin, sender) = (arguments.margin, sender.clone());
            std::thread::spawn(move || question.watch(margin, &sender, Notice::Time));
        } else if arguments.margin.is_some() {
            bail!("`--margin` has no effect without `--time-left`, because this is no job of Slurm");
        }
        let others = location.running().into_iter().map(|(_, running)| running).collect();
        Ok(TimeLimit { job, question, requeue: arguments.requeue, end: None, others })
    }

    /// The job to queue again, if the user wants that.
    pub fn job_to_requeue(&self) -> Option<&Job> {
        self.job.as_ref().filter(|_| self.requeue)
    }

    /// Whether a batch system may end the program together with this process.
    pub fn is_in_job(&self) -> bool {
        self.job.is_some()
    }

    /// Whether Slurm announces the end of the job by this signal, as with `#SBATCH --signal=B:USR1@300`. Without
    /// `--requeue`, the signal is one for the program.
    pub fn is_warning(&self, signal: i32) -> bool {
        signal == SIGUSR1 && self.job_to_requeue().is_some()
    }

    /// Sends a notice with the end of the job, after a signal has announced it.
    pub fn find_end(&self, sender: Sender<Notice>) {
        let question = self.question.clone();
        std::thread::spawn(move || {
            let asked = Instant::now();
            let left = match question.map(|question| question.ask()) {
                Some(Ok(Left::Time(left))) => left,
                Some(Ok(Left::Unlimited) | Err(_)) | None => LONGEST_MARGIN,
            };
            // The supervisor may have ended.
            let _ = sender.send(Notice::Time(time_left::Notice::Soon(asked + left)));
        });
    }

    pub fn is_near(&self) -> bool {
        self.end.is_some()
    }

    /// Notes the end of the job. Returns the time until then.
    pub fn approach(&mut self, end: Instant) -> Duration {
        self.end = Some(end);
        end.saturating_duration_since(Instant::now())
    }

    /// Asks the program to write state and end, until it does or it is too late.
    pub fn ask_to_end(&self, location: StateLocation, sender: Sender<Notice>) {
        let Some(end) = self.end else { return };
        let left = end.saturating_duration_since(Instant::now());
        let until = Instant::now() + left - (left / RESERVE_PARTS).min(LONGEST_RESERVE);
        let others = self.others.clone();
        std::thread::spawn(move || loop {
            let timeout = until.saturating_duration_since(Instant::now());
            let answer = program(&location, &others).and_then(|path| request::ask(&path, END, timeout));
            let failure = match answer {
                Ok((_, true)) => return,
                Ok((message, false)) => message.trim().to_owned(),
                Err(error) => format!("{error:#}"),
            };
            if Instant::now() + BETWEEN_REQUESTS >= until {
                // The supervisor may have ended.
                let _ = sender.send(Notice::NotEnded(failure));
                return;
            }
            std::thread::sleep(BETWEEN_REQUESTS);
        });
    }
}

/// The directory of rank 0 of the program that runs now.
fn program(location: &StateLocation, others: &BTreeSet<Running>) -> Result<PathBuf> {
    let mut found = location.running();
    found.retain(|(_, running)| !others.contains(running));
    match found.as_slice() {
        [] => bail!("no program that can write state runs in `{}`", location.dir.display()),
        [(path, _)] => Ok(path.clone()),
        _ => bail!("several programs run in `{}`, and each needs its own directory", location.dir.display()),
    }
}
