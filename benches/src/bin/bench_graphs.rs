//! Measures checkpoints of a list and of a tree with ten million nodes each.
//!
//! Input: `benches/programs/graph.c`.
//! Output: three rows for each: the time for which a checkpoint holds the program, relative to a copy of the nodes by a
//! loop of the program; the time until the state is on the disk, relative to a serialiser of the program; the time of a
//! restart, relative to reading the serialised nodes.
//! Postcondition: the files are removed.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use cppc_benches::pairs::{median, row, LEAST_PAIRS};
use cppc_benches::product::{command, source, succeed};

const NODES: &str = "10000000";
const HELD_GOAL: f64 = 3.0;
const SERIALISER_GOAL: f64 = 1.5;

fn main() -> Result<()> {
    let scratch = tempfile::tempdir()?;
    let program = scratch.path().join("graph");
    succeed(command("cppc-cc")?.arg("-O2").arg(source("graph.c")).arg("-o").arg(&program))?;
    for kind in ["list", "tree"] {
        let graph = Graph { program: program.clone(), kind, directory: scratch.path() };
        row(&format!("{kind}-held"), graph.ratio("held", &[])?, HELD_GOAL);
        row(&format!("{kind}-dumped"), graph.ratio("dumped", &[("CPPC_ASYNC", "false")])?, SERIALISER_GOAL);
        // The first run ends after its checkpoint, and the others resume it.
        let again = [("CPPC_ASYNC", "false"), ("CPPC_RESTART", "always"), ("CPPC_DIR", kind)];
        graph.run("restored", &again)?;
        row(&format!("{kind}-restored"), graph.ratio("restored", &again)?, SERIALISER_GOAL);
    }
    Ok(())
}

struct Graph<'a> {
    program: PathBuf,
    kind: &'static str,
    directory: &'a Path,
}

impl Graph<'_> {
    /// The median of the ratios of several runs. Each run measures both times.
    fn ratio(&self, compared: &str, settings: &[(&str, &str)]) -> Result<f64> {
        let ratios: Result<Vec<f64>> = (0..LEAST_PAIRS).map(|_| self.run(compared, settings)).collect();
        Ok(median(ratios?))
    }

    fn run(&self, compared: &str, settings: &[(&str, &str)]) -> Result<f64> {
        let mut run = Command::new(&self.program);
        run.args([self.kind, NODES, compared]).current_dir(self.directory);
        run.envs(settings.iter().copied()).env("CPPC_EVERY", "1").env("CPPC_LOG", "quiet");
        let printed = succeed(&mut run)?;
        let (measured, reference) = printed.trim().split_once(' ').context("two numbers")?;
        Ok(measured.parse::<f64>()? / reference.parse::<f64>()?)
    }
}
