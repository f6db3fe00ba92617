//! Kills and resumes a program, and checks its output.
//!
//! Input: a translated program, and a run of it that was not killed.
//! Output: nothing, or why the check failed.
//! Postcondition: the output of each rank of the resumed run equals, byte for byte, the output of the other
//! run after the same checkpoint.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::{bail, ensure, Context, Result};

use crate::program::Program;
use crate::run::{Kill, Outcome, Run};
use crate::state;

/// A built program, a run of it that was not killed, and a directory for further runs.
pub struct Subject<'a> {
    pub program: &'a Program,
    pub executable: &'a Path,
    pub scratch: &'a Path,
    pub state: &'a Path,
    pub unbroken: Outcome,
}

/// How a run is compared with the one that was not killed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expect {
    /// The run was resumed from this line; 0 for a fresh start.
    Line(u64),
    /// The run was resumed from the line in its message, which is at most this one.
    UpTo(u64),
    /// The run was resumed from some line. If a run is resumed from a line that is not the newest, the
    /// numbers of the set-aside lines are not used again. So the number of a later line is larger than that
    /// of its checkpoint.
    Anywhere,
}

impl<'a> Subject<'a> {
    /// Runs the program without killing it.
    pub fn new(
        program: &'a Program,
        executable: &'a Path,
        scratch: &'a Path,
        state: &'a Path,
    ) -> Result<Subject<'a>> {
        state::forget(state)?;
        let run = Run { state: state.to_owned(), ..Run::new(program, executable, scratch) };
        run.clear_files()?;
        let unbroken = run.go()?.must_end_well("the unbroken run")?;
        Ok(Subject { program, executable, scratch, state, unbroken })
    }

    pub fn run(&self) -> Run<'a> {
        let run = Run::new(self.program, self.executable, self.scratch);
        Run { state: self.state.to_owned(), ..run }
    }

    /// The checkpoints that every rank passes.
    pub fn checkpoints(&self) -> usize {
        self.unbroken.traces.iter().map(|trace| trace.checkpoints.len()).min().unwrap_or(0)
    }

    /// Kills a fresh run.
    pub fn kill(&self, run: Run, kill: Kill) -> Result<Outcome> {
        state::forget(&run.state)?;
        run.clear_files()?;
        self.kill_again(run, kill)
    }

    /// Kills a run that may have been resumed.
    pub fn kill_again(&self, run: Run, kill: Kill) -> Result<Outcome> {
        run.kill(kill).go()?.must_be_killed(&format!("{kill:?}"))
    }

    /// Resumes the existing state, runs to the end, and compares.
    pub fn resume(&self, run: Run, expect: Expect) -> Result<Outcome> {
        if expect == Expect::Line(0) {
            run.clear_files()?;
        }
        let outcome = run.kill(Kill::Never).go()?.must_end_well("the resumed run")?;
        self.compare(&outcome, expect, 1)?;
        same_files(&outcome.files, &self.unbroken.files).with_context(|| outcome.said.clone())?;
        let left: Vec<_> = state::lines_of(self.state, 0)?;
        ensure!(left.is_empty(), "a run that ended well has left {left:?}");
        Ok(outcome)
    }

    /// Compares a resumed run with the one that was not killed, in which every `every`-th checkpoint wrote
    /// state.
    pub fn compare(&self, outcome: &Outcome, expect: Expect, every: usize) -> Result<()> {
        let line = outcome.resumed_from().unwrap_or(0);
        match expect {
            Expect::Line(wanted) => ensure!(
                line == wanted,
                "resumed from line {line}, not from {wanted} (0: afresh)\n{}",
                outcome.said
            ),
            Expect::UpTo(last) => ensure!(
                line <= last,
                "resumed from line {line}, where only {last} can have been written\n{}",
                outcome.said
            ),
            Expect::Anywhere => return self.goes_on_somewhere(outcome),
        }
        let number = line as usize * every;
        ensure!(number <= self.checkpoints(), "line {line} was never written");
        for (rank, (printed, unbroken)) in outcome.printed.iter().zip(&self.unbroken.printed).enumerate() {
            let from = self.unbroken.traces[rank].printed_at(number);
            same(printed, &unbroken[from..])
                .with_context(|| format!("rank {rank}, resumed from line {line}\n{}", outcome.said))?;
        }
        Ok(())
    }
}

impl Subject<'_> {
    /// Checks that the output equals that of the other run after one of its checkpoints: the one after
    /// which as many checkpoints follow as the resumed run has passed.
    fn goes_on_somewhere(&self, outcome: &Outcome) -> Result<()> {
        ensure!(outcome.resumed_from().is_some(), "not resumed\n{}", outcome.said);
        let is_after = |number: usize| {
            let ranks = outcome.printed.iter().zip(&outcome.traces).enumerate();
            ranks.into_iter().all(|(rank, (printed, trace))| {
                let unbroken = &self.unbroken.traces[rank];
                let left = unbroken.checkpoints.len() - number;
                // The checkpoint at which the restart ended is counted again.
                trace.checkpoints.len() == left + 1
                    && printed == &self.unbroken.printed[rank][unbroken.printed_at(number)..]
            })
        };
        let found = (1..=self.checkpoints()).any(is_after);
        let printed = || String::from_utf8_lossy(&outcome.printed.concat()).into_owned();
        ensure!(found, "goes on after no checkpoint:\n{}{}", outcome.said, printed());
        Ok(())
    }
}

/// Checks that the same files exist, with the same content.
pub fn same_files(found: &BTreeMap<String, Vec<u8>>, wanted: &BTreeMap<String, Vec<u8>>) -> Result<()> {
    let names = |files: &BTreeMap<String, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>().join(", ");
    ensure!(
        found.keys().eq(wanted.keys()),
        "the files are {}\nand should be {}",
        names(found),
        names(wanted)
    );
    for (name, content) in wanted {
        same(&found[name], content).with_context(|| format!("file `{name}`"))?;
    }
    Ok(())
}

/// Checks that two outputs are equal. The error has the first line that differs.
pub fn same(found: &[u8], wanted: &[u8]) -> Result<()> {
    if found == wanted {
        return Ok(());
    }
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).lines().map(str::to_owned).collect();
    let (found, wanted): (Vec<String>, Vec<String>) = (text(found), text(wanted));
    for (index, want) in wanted.iter().enumerate() {
        match found.get(index) {
            Some(line) if line == want => {}
            Some(line) => bail!("line {} is\n  {line}\nand should be\n  {want}", index + 1),
            None => bail!("the output ends before line {}\n  {want}", index + 1),
        }
    }
    bail!("the output goes on after its end:\n  {}", found.get(wanted.len()).map_or("", |line| line))
}
