//! `cppc run` in jobs of a real Slurm: the time limit, `scancel`, job arrays, and the loss of a node. The result equals
//! that of a run in one job.
//!
//! Without the programs of Slurm, there are no tests here.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{ensure, Context, Result};
use cppc_tests::cases::{case, run};
use cppc_tests::product::{here, Product};
use cppc_tests::program::{Mpi, Program};
use cppc_tests::run::{several_processes_on_few_cores, without_settings};
use cppc_tests::slurm::Slurm;
use cppc_tests::state;
use libtest_mimic::Trial;
use serde_json::Value;

type Story = fn(&mut Setup) -> Result<()>;

fn main() -> ExitCode {
    run(Ok(cases()))
}

fn cases() -> Vec<Trial> {
    if !Slurm::is_installed() {
        return Vec::new();
    }
    let mut stories: Vec<(&str, Option<Mpi>, Story)> = vec![
        ("a_job_at_its_time_limit_is_queued_again", Some(Mpi::Default), time_limit),
        ("a_signal_announces_the_time_limit", Some(Mpi::Default), announced),
        ("a_run_survives_the_loss_of_the_node", Some(Mpi::Default), lost_node),
        ("tasks_of_an_array_are_separate", None, array),
        ("a_cancelled_job_does_not_come_back", None, cancelled),
        ("a_job_that_cannot_be_queued_again_is_refused", None, refused),
    ];
    if Product::for_mpich().is_some() {
        stories.push(("a_job_of_mpich_at_its_time_limit", Some(Mpi::Mpich), time_limit));
    }
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("slurm");
    let to_case = |(name, mpi, story): (&str, Option<Mpi>, Story)| {
        case(&scratch, name.to_owned(), move |directory| story(&mut Setup::new(directory, mpi)?))
    };
    stories.into_iter().map(to_case).collect()
}

/// A directory with a program and its jobs.
struct Setup {
    directory: PathBuf,
    mpi: Option<Mpi>,
    slurm: Slurm,
}

/// The number of steps, and the microseconds of each. A run takes some seconds.
const LONG: [&str; 2] = ["3000", "2000"];
const QUICK: [&str; 2] = ["3000", "0"];

impl Setup {
    fn new(directory: &Path, mpi: Option<Mpi>) -> Result<Setup> {
        let program = Program { processes: mpi.map(|_| 2), ..Program::read("supervised", &source())? };
        let program = Program { mpi: mpi.unwrap_or(Mpi::Default), ..program };
        let mut compile = Product::get()?.command("cppc-cc");
        compile.env("CPPC_PREFIX", program.product()?.prefix()).env("CPPC_CC", program.c_compiler());
        compile.args(mpi.map(|_| "-DWITH_MPI")).args(["-O1", "-o", "supervised"]).args(&program.sources);
        ensure!(compile.current_dir(directory).status()?.success(), "the program does not compile");
        Ok(Setup { directory: directory.to_owned(), mpi, slurm: Slurm::start(directory)? })
    }

    /// The launcher of a job.
    fn launcher(&self) -> &'static str {
        match self.mpi {
            None => "",
            Some(Mpi::Default) => "srun --mpi=pmix",
            Some(Mpi::Mpich) => "srun --mpi=pmi2",
        }
    }

    /// Submits a script that starts the program under `cppc run`.
    fn submit(&self, options: &str, run: &str, arguments: [&str; 2], every: &str) -> Result<String> {
        let tasks = if self.mpi.is_some() { 2 } else { 1 };
        let cppc = Product::get()?.command("cppc");
        // Slurm sends a signal with `B:` to the shell of the script, or to the program that it is replaced by.
        let cppc = format!("exec {}", cppc.get_program().to_string_lossy());
        let script = self.directory.join("script");
        fs::write(
            &script,
            format!(
                "#!/bin/sh\n#SBATCH --ntasks={tasks} --open-mode=append --output=out-%a {options}\n\
                 {cppc} run --log log-${{SLURM_ARRAY_TASK_ID}} --requeue {run} -- {} ./supervised {}\n",
                self.launcher(),
                arguments.join(" ")
            ),
        )?;
        let state = self.state().display().to_string();
        self.slurm.submit(&self.directory, &script, &[("CPPC_DIR", &state), ("CPPC_EVERY", every)])
    }

    fn state(&self) -> PathBuf {
        self.directory.join("state")
    }

    /// The output of a job or of a task of an array.
    fn printed(&self, task: &str) -> String {
        // Slurm writes the largest number for a job without an array.
        let task = if task.is_empty() { "4294967294" } else { task };
        fs::read_to_string(self.directory.join(format!("out-{task}"))).unwrap_or_default()
    }

    fn events(&self, task: &str) -> Vec<Value> {
        let text = fs::read_to_string(self.directory.join(format!("log-{task}"))).unwrap_or_default();
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    }

    fn count(&self, task: &str, event: &str) -> usize {
        self.events(task).iter().filter(|found| found["event"] == event).count()
    }

    /// Waits for recovery lines that were not there before.
    fn await_lines(&self, state: &Path) -> Result<()> {
        let has_lines = || Ok(state::lines_of(state, 0).is_ok_and(|lines| lines.len() > 1));
        self.slurm.wait_for("there are no recovery lines", has_lines).with_context(|| self.printed(""))
    }

    /// Compares the results with those of a run that is not in a job.
    fn check(&self, task: &str) -> Result<()> {
        let program = self.directory.join("supervised");
        let mut command = match self.mpi {
            None => std::process::Command::new(&program),
            Some(mpi) => {
                let name = if mpi == Mpi::Default { "mpirun" } else { "mpirun.mpich" };
                let mut command = std::process::Command::new(name);
                command.args(["-n", "2"]).arg(&program);
                command
            }
        };
        without_settings(&mut command);
        several_processes_on_few_cores(&mut command, self.mpi.unwrap_or(Mpi::Default))?;
        let unbroken = command.args(QUICK).env("CPPC_EVERY", "0").current_dir(&self.directory).output()?;
        let wanted = results(&String::from_utf8(unbroken.stdout)?);
        ensure!(!wanted.is_empty(), "{}", String::from_utf8_lossy(&unbroken.stderr));
        let printed = self.printed(task);
        ensure!(results(&printed) == wanted, "printed {printed}\nexpected {wanted:?}");
        Ok(())
    }
}

fn source() -> PathBuf {
    here("programs/alone/supervised.c")
}

fn results(printed: &str) -> BTreeSet<String> {
    let is_result = |line: &&str| line.split_once(": ").is_some_and(|(rank, _)| rank.parse::<u32>().is_ok());
    printed.lines().filter(is_result).map(str::to_owned).collect()
}

/// The shortest time limit is a minute. The run ends after 4 seconds of it.
fn time_limit(setup: &mut Setup) -> Result<()> {
    // Nothing else writes state.
    let job = setup.submit("--time=1", "--margin 56s", LONG, "1000000")?;
    let state = setup.slurm.end_of(&job)?;
    let printed = setup.printed("");
    ensure!(state == "COMPLETED", "{state}\n{printed}");
    let restarts: usize = setup.slurm.field(&job, "Restarts")?.parse()?;
    ensure!(restarts > 0 && setup.count("", "requeue") == restarts, "{restarts} restarts\n{printed}");
    ensure!(setup.count("", "failure") == 0, "{printed}");
    ensure!(printed.contains("is queued again, from recovery line 1"), "{printed}");
    setup.check("")
}

/// Slurm checks the time each 30 s, so the signal may come some time earlier. The margin alone would be too late.
fn announced(setup: &mut Setup) -> Result<()> {
    let arguments = ["3000", "15000"];
    let job = setup.submit("--time=1 --signal=B:USR1@35", "--margin 2s", arguments, "1000000")?;
    let state = setup.slurm.end_of(&job)?;
    let printed = setup.printed("");
    ensure!(state == "COMPLETED", "{state}\n{printed}");
    ensure!(setup.count("", "requeue") > 0 && setup.count("", "failure") == 0, "{printed}");
    let events = setup.events("");
    let notice = events.iter().find(|event| event["event"] == "time-limit").context("no notice")?;
    ensure!(notice["left_seconds"].as_f64().is_some_and(|left| left > 5.0), "{notice}");
    ensure!(printed.contains("is queued again, from recovery line 1"), "{printed}");
    setup.check("")
}

/// All processes on the node die, and Slurm queues the job again.
fn lost_node(setup: &mut Setup) -> Result<()> {
    let job = setup.submit("", "", LONG, "100")?;
    setup.await_lines(&setup.state())?;
    setup.slurm.lose_node()?;
    setup.slurm.start_node()?;
    let state = setup.slurm.end_of(&job)?;
    let printed = setup.printed("");
    ensure!(state == "COMPLETED" && setup.slurm.field(&job, "Restarts")? == "1", "{state}\n{printed}");
    ensure!(printed.contains("resuming from recovery line"), "{printed}");
    // `cppc run` died too. The first `srun` after that may fail, with exit status 0.
    ensure!(setup.count("", "start") > 1 && setup.count("", "end") == 1, "{printed}");
    setup.check("")
}

/// The last task of an array has the number of the whole array.
fn array(setup: &mut Setup) -> Result<()> {
    let job = setup.submit(
        "--time=1 --array=0-1",
        "--margin $((1 + 55 * SLURM_ARRAY_TASK_ID))s",
        LONG,
        "1000000",
    )?;
    for task in ["0", "1"] {
        let state = setup.slurm.end_of(&format!("{job}_{task}"))?;
        let printed = setup.printed(task);
        ensure!(state == "COMPLETED", "{state}\n{printed}");
        ensure!((setup.count(task, "requeue") > 0) == (task == "1"), "{printed}");
        setup.check(task)?;
    }
    ensure!(setup.count("0", "start") == 1, "{}", setup.printed("0"));
    Ok(())
}

fn cancelled(setup: &mut Setup) -> Result<()> {
    let job = setup.submit("--array=3", "", ["1000000", "1000"], "100")?;
    setup.await_lines(&setup.state().join("task-3"))?;
    setup.slurm.cancel(&job)?;
    let state = setup.slurm.end_of(&format!("{job}_3"))?;
    ensure!(state == "CANCELLED", "{state}");
    let has_ended = || Ok(setup.count("3", "end") == 1);
    setup.slurm.wait_for("`cppc run` has not ended", has_ended)?;
    let counts = ["start", "restart", "requeue"].map(|event| setup.count("3", event));
    ensure!(counts == [1, 0, 0], "{counts:?}\n{}", setup.printed("3"));
    ensure!(setup.slurm.field(&format!("{job}_3"), "Restarts")? == "0");
    Ok(())
}

fn refused(setup: &mut Setup) -> Result<()> {
    let job = setup.submit("--no-requeue", "", LONG, "100")?;
    let state = setup.slurm.end_of(&job)?;
    let printed = setup.printed("");
    ensure!(state == "FAILED" && printed.contains("#SBATCH --requeue"), "{state}\n{printed}");
    Ok(())
}
