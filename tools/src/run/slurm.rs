//! The Slurm job that this process belongs to.
//!
//! Input: the environment, and the answers of `scontrol`.
//! Output: the name of the job, how to ask for its time, and the request to queue it again.
//! Postcondition: only this job is queued again, also in a job array.

use super::time_left::Question;
use anyhow::{bail, Context, Result};
use std::process::{Command, Stdio};

/// A job, or one task of a job array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    name: String,
    is_step: bool,
}

impl Job {
    /// The job of this process, if there is one.
    pub fn find() -> Option<Job> {
        Job::of(|variable| std::env::var(variable).ok().filter(|value| !value.is_empty()))
    }

    fn of(value: impl Fn(&str) -> Option<String>) -> Option<Job> {
        let number = value("SLURM_JOB_ID")?;
        // One task of an array has the number of the whole array, so the number alone is ambiguous.
        let task = value("SLURM_ARRAY_JOB_ID").zip(value("SLURM_ARRAY_TASK_ID"));
        let name = task.map_or(number, |(array, task)| format!("{array}_{task}"));
        Some(Job { name, is_step: value("SLURM_STEP_ID").is_some() })
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn time_left(&self) -> Question {
        Question::command(&["squeue", "--noheader", "--job", &self.name, "--format", "%L"])
    }

    /// Checks at the start what would fail hours later.
    ///
    /// # Errors
    /// Slurm would not queue this job again.
    pub fn check_requeue(&self) -> Result<()> {
        if self.is_step {
            bail!("`--requeue` is for `cppc run` in a batch script: call it there without `srun`");
        }
        let answer = scontrol(&["--oneliner", "show", "job", &self.name])?;
        if answer.contains(" BatchFlag=0 ") {
            bail!("job {} has no batch script, so Slurm cannot queue it again: use `sbatch`", self.name);
        }
        if answer.contains(" Requeue=0 ") {
            bail!("job {} may not be queued again: submit it with `#SBATCH --requeue`", self.name);
        }
        Ok(())
    }

    /// Queues the job again. Slurm then ends it.
    pub fn requeue(&self) -> Result<()> {
        scontrol(&["requeue", &self.name]).map(drop)
    }
}

fn scontrol(arguments: &[&str]) -> Result<String> {
    let shown = format!("scontrol {}", arguments.join(" "));
    let output = Command::new("scontrol").args(arguments).stdin(Stdio::null()).output();
    let output = output.with_context(|| format!("`{shown}` cannot be started"))?;
    if !output.status.success() {
        bail!("`{shown}` failed: {}", String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job(variables: &[(&str, &str)]) -> Option<Job> {
        Job::of(|name| {
            variables.iter().find(|(found, _)| *found == name).map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn a_task_of_an_array_is_named_by_the_array_and_its_index() {
        assert_eq!(job(&[]), None);
        let array = [("SLURM_JOB_ID", "7"), ("SLURM_ARRAY_JOB_ID", "7"), ("SLURM_ARRAY_TASK_ID", "2")];
        assert_eq!(job(&array).unwrap().name(), "7_2");
        assert_eq!(job(&array[..1]).unwrap().name(), "7");
    }

    #[test]
    fn a_step_is_not_queued_again() {
        let step = job(&[("SLURM_JOB_ID", "7"), ("SLURM_STEP_ID", "0")]).unwrap();
        assert!(step.check_requeue().unwrap_err().to_string().contains("batch script"));
    }
}
