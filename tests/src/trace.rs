//! Reads the trace that `support/killer.c` writes.
//!
//! Input: a trace file.
//! Output: the position of each checkpoint in the run and in its output.
//! Postcondition: checkpoints are in order. The trace of a killed run ends at the kill.

use std::path::Path;

use anyhow::{Context, Result};

#[derive(Debug, Default, Clone)]
pub struct Trace {
    /// The number of calls of the runtime, up to and including `CPPC_Init`.
    pub init: u64,
    pub checkpoints: Vec<Checkpoint>,
    /// The number of calls of the runtime, up to and including `CPPC_Shutdown`. None if the run ended
    /// before it.
    pub shutdown: Option<u64>,
    /// The process killed itself.
    pub is_killed: bool,
}

#[derive(Debug, Clone, Copy)]
pub struct Checkpoint {
    /// The number of calls of the runtime, up to and including this one.
    pub event: u64,
    /// The number of bytes that were printed before it returned.
    pub printed: usize,
}

impl Trace {
    /// Reads a trace. A run without the killer has an empty trace.
    pub fn read(path: &Path) -> Result<Trace> {
        let mut trace = Trace::default();
        for line in std::fs::read_to_string(path).unwrap_or_default().lines() {
            trace.note(line).with_context(|| format!("`{line}` in `{}`", path.display()))?;
        }
        Ok(trace)
    }

    fn note(&mut self, line: &str) -> Result<()> {
        match line.split(' ').collect::<Vec<_>>()[..] {
            ["init", event] => self.init = event.parse()?,
            ["shutdown", event] => self.shutdown = Some(event.parse()?),
            ["killed"] => self.is_killed = true,
            ["checkpoint", _, event, printed] => {
                let printed = printed.parse()?;
                self.checkpoints.push(Checkpoint { event: event.parse()?, printed });
            }
            _ => anyhow::bail!("not a line of a trace"),
        }
        Ok(())
    }

    /// The number of checkpoints that had returned before this call of the runtime.
    pub fn checkpoints_before(&self, event: u64) -> usize {
        self.checkpoints.iter().filter(|checkpoint| checkpoint.event < event).count()
    }

    /// The number of bytes that were printed before the N-th checkpoint returned. 0 before the first.
    pub fn printed_at(&self, number: usize) -> usize {
        number.checked_sub(1).map_or(0, |index| self.checkpoints[index].printed)
    }
}
