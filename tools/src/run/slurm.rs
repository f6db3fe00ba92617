//! The Slurm job that this process belongs to.
//!
//! Input: the environment, and the answers of `scontrol`.
//! Output: the name of the job, how to ask for its time, and the request to queue it again.
//! Postcondition: only this job is queued again, also in a job array.

use super::time_left::Question;
use anyhow::{bail, Context, Result};
use std::collections::BTreeSet;
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

/// The nodes of the job of this process.
///
/// # Errors
/// `scontrol` failed, or this is no job.
pub fn nodes() -> Result<Vec<String>> {
    let list = std::env::var("SLURM_JOB_NODELIST").context("`SLURM_JOB_NODELIST` is not set")?;
    Ok(scontrol(&["show", "hostnames", &list])?.lines().map(str::to_owned).collect())
}

/// The nodes that are down, that are about to fail, or that do not respond.
///
/// # Errors
/// `sinfo` failed.
pub fn failed_nodes() -> Result<BTreeSet<String>> {
    let states = output("sinfo", &["--noheader", "--Node", "--format=%N %T"])?;
    Ok(states.lines().filter_map(failed_node).map(str::to_owned).collect())
}

/// The name in a line of `sinfo`, if the node has failed. A star means that it does not respond.
fn failed_node(line: &str) -> Option<&str> {
    let (name, state) = line.trim().split_once(' ')?;
    let has_failed = state.ends_with('*') || ["down", "fail"].iter().any(|word| state.starts_with(word));
    has_failed.then_some(name)
}

fn scontrol(arguments: &[&str]) -> Result<String> {
    output("scontrol", arguments)
}

fn output(program: &str, arguments: &[&str]) -> Result<String> {
    let shown = format!("{program} {}", arguments.join(" "));
    let output = Command::new(program).args(arguments).stdin(Stdio::null()).output();
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
    fn nodes_that_are_down_or_do_not_respond_have_failed() {
        for (line, expected) in [
            ("n1 idle", None),
            ("n1 allocated*", Some("n1")),
            ("n2 down", Some("n2")),
            ("n2 failing", Some("n2")),
            ("n3 drained", None),
            ("n3 mixed", None),
        ] {
            assert_eq!(failed_node(line), expected, "{line}");
        }
    }

    #[test]
    fn a_step_is_not_queued_again() {
        let step = job(&[("SLURM_JOB_ID", "7"), ("SLURM_STEP_ID", "0")]).unwrap();
        assert!(step.check_requeue().unwrap_err().to_string().contains("batch script"));
    }
}
