//! Checkpoints by time and on demand, with real processes: intervals, `cppc checkpoint`, signals, and kills at any moment.
//!
//! `CPPC_DEMAND_KILLS` is the number of kills of each story.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, ExitStatus, Output, Stdio};
use std::time::{Duration, Instant};

use anyhow::{ensure, Context, Result};
use cppc_prng::{from_environment, Random};
use cppc_tests::cases::{case, run};
use cppc_tests::matrix::in_memory;
use cppc_tests::process::{self, Victim};
use cppc_tests::product::{here, Product};
use cppc_tests::program::{Mpi, Program};
use cppc_tests::run::{several_processes_on_few_cores, without_settings};
use libtest_mimic::Trial;
use tempfile::TempDir;

type Story = fn(&Setup) -> Result<()>;

const STORIES: [(&str, Story); 9] = [
    ("interval", interval),
    ("default_is_announced", default_is_announced),
    ("command", command),
    ("command_and_end", command_and_end),
    ("mirror_at_the_end", mirror_at_the_end),
    ("mirror_is_locked", mirror_is_locked),
    ("signal", signal),
    ("without_shutdown", without_shutdown),
    ("kills", kills),
];

/// So many processes, if there are several.
const PROCESSES: u32 = 3;
const PATIENCE: Duration = Duration::from_secs(60);
const NAP: Duration = Duration::from_millis(5);
/// The program ends by itself after more than the patience.
const LONG: [&str; 2] = ["100000", "2000"];
/// No checkpoint is due by itself.
const ON_DEMAND: [(&str, &str); 2] = [("CPPC_INTERVAL", "none"), ("CPPC_EVERY", "1000000")];

fn main() -> ExitCode {
    run(Ok(cases()))
}

fn cases() -> Vec<Trial> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("demand");
    let mut kinds = vec![("alone", None), ("mpi", Some(Mpi::Default))];
    if Product::for_mpich().is_some() {
        kinds.push(("mpich", Some(Mpi::Mpich)));
    }
    let mut cases = Vec::new();
    for (kind, mpi) in kinds {
        for (name, story) in STORIES {
            cases.push(case(&scratch, format!("{name}_{kind}"), move |directory| {
                story(&Setup::new(directory, mpi)?)
            }));
        }
    }
    cases.push(case(&scratch, "nobody_runs".to_owned(), |directory| {
        nobody_runs(&Setup::new(directory, None)?)
    }));
    cases
}

/// A directory with a program, and one in memory for its state.
struct Setup {
    directory: PathBuf,
    memory: TempDir,
    program: Program,
}

/// A command that runs.
struct Started {
    child: Child,
    out: PathBuf,
    said: PathBuf,
}

#[derive(Debug)]
struct Ended {
    status: ExitStatus,
    results: BTreeSet<String>,
    said: String,
}

impl Setup {
    fn new(directory: &Path, mpi: Option<Mpi>) -> Result<Setup> {
        let mut program = Program::read("supervised", &here("programs/alone/supervised.c"))?;
        program.processes = mpi.map(|_| PROCESSES);
        program.mpi = mpi.unwrap_or(Mpi::Default);
        for (executable, option) in [("supervised", "-DWITH_SHUTDOWN"), ("endless", "-DWITHOUT_SHUTDOWN")] {
            let mut compile = Product::get()?.command("cppc-cc");
            compile.env("CPPC_PREFIX", program.product()?.prefix());
            compile.env("CPPC_CC", program.c_compiler()).arg(option).args(mpi.map(|_| "-DWITH_MPI"));
            compile.args(["-O1", "-o", executable]).args(&program.sources).current_dir(directory);
            let compiled = compile.output()?;
            ensure!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        }
        Ok(Setup { directory: directory.to_owned(), memory: in_memory(directory)?, program })
    }

    fn state(&self) -> PathBuf {
        self.memory.path().join("state")
    }

    fn words(&self, arguments: &[&str]) -> Vec<String> {
        self.program.launched("./supervised", arguments)
    }

    fn prepare(&self, command: &mut Command, variables: &[(&str, &str)]) -> Result<()> {
        without_settings(command);
        command.env("CPPC_DIR", self.state()).envs(variables.iter().copied());
        several_processes_on_few_cores(command, self.program.mpi)?;
        command.current_dir(&self.directory).stdin(Stdio::null());
        Ok(())
    }

    fn start(&self, words: &[String], variables: &[(&str, &str)]) -> Result<Started> {
        let number = fs::read_dir(&self.directory)?.count();
        let [out, said] = ["out", "said"].map(|name| self.directory.join(format!("{name}-{number}")));
        let mut command = match words[0].as_str() {
            "cppc" => Product::get()?.command("cppc"),
            program => Command::new(program),
        };
        self.prepare(command.args(&words[1..]), variables)?;
        command.process_group(0);
        let child = command.stdout(File::create(&out)?).stderr(File::create(&said)?).spawn()?;
        Ok(Started { child, out, said })
    }

    /// The output of a run without checkpoints.
    fn expected(&self, steps: &str) -> Result<BTreeSet<String>> {
        let ended = self.start(&self.words(&[steps, "0"]), &[("CPPC_EVERY", "0")])?.end()?;
        ensure!(ended.status.success(), "{ended:?}");
        Ok(ended.results)
    }

    /// `cppc checkpoint`, as soon as the program has locked its directory.
    fn checkpoint(&self, options: &[&str]) -> Result<Output> {
        let lock = self.state().join("supervised/rank-0000/lock");
        let start = Instant::now();
        while !lock.exists() {
            ensure!(start.elapsed() < PATIENCE, "the program does not start");
            std::thread::sleep(NAP);
        }
        let mut command = Product::get()?.command("cppc");
        command.args(["checkpoint", "--timeout", "50s"]).args(options).arg(self.state());
        Ok(command.output()?)
    }

    /// The newest line of rank 0.
    fn newest(&self) -> u64 {
        let names = fs::read_dir(self.state().join("supervised/rank-0000")).into_iter().flatten().flatten();
        let number = |name: &str| name.strip_prefix("line-")?.strip_suffix(".cppc")?.parse::<u64>().ok();
        names.filter_map(|entry| number(&entry.file_name().to_string_lossy())).max().unwrap_or(0)
    }

    /// Kills all processes of the program, and its launcher.
    fn kill_all(&self, started: Started) -> Result<Ended> {
        process::kill(started.child.id(), &self.directory.join("supervised"), Victim::All)?;
        let ended = started.end()?;
        process::await_orphans(&self.directory.join("supervised"), PATIENCE)?;
        Ok(ended)
    }
}

impl Started {
    fn end(mut self) -> Result<Ended> {
        let status = process::end_of(&mut self.child, PATIENCE, &self.said)?;
        let printed = fs::read_to_string(&self.out)?;
        let is_result =
            |line: &&str| line.split_once(": ").is_some_and(|(rank, _)| rank.parse::<u32>().is_ok());
        let results = printed.lines().filter(is_result).map(str::to_owned).collect();
        Ok(Ended { status, results, said: fs::read_to_string(&self.said)? })
    }

    fn wait_until(&mut self, condition: impl Fn() -> bool) -> Result<()> {
        let start = Instant::now();
        while !condition() {
            let said = || fs::read_to_string(&self.said).unwrap_or_default();
            ensure!(self.child.try_wait()?.is_none(), "the program has ended\n{}", said());
            ensure!(start.elapsed() < PATIENCE, "nothing happens\n{}", said());
            std::thread::sleep(NAP);
        }
        Ok(())
    }
}

/// State is written by time alone. A resumed run equals one without checkpoints.
fn interval(setup: &Setup) -> Result<()> {
    let expected = setup.expected("400")?;
    let variables = [("CPPC_INTERVAL", "50ms")];
    let mut started = setup.start(&setup.words(&["400", "5000"]), &variables)?;
    started.wait_until(|| setup.newest() >= 4)?;
    setup.kill_all(started)?;
    let ended = setup.start(&setup.words(&["400", "5000"]), &variables)?.end()?;
    ensure!(ended.said.contains("resuming from recovery line"), "{ended:?}");
    ensure!(ended.status.success() && ended.results == expected, "{ended:?}\nexpected {expected:?}");
    Ok(())
}

/// A run that ends before its first checkpoint reports how to change this.
fn default_is_announced(setup: &Setup) -> Result<()> {
    let ended = setup.start(&setup.words(&["20", "100"]), &[])?.end()?;
    let announced = ended.said.lines().filter(|line| line.contains("set `interval` or `every`")).count();
    ensure!(ended.status.success() && announced == 1, "{ended:?}");
    let ended = setup.start(&setup.words(&["20", "100"]), &[("CPPC_INTERVAL", "auto")])?.end()?;
    ensure!(ended.status.success() && !ended.said.contains("interval"), "{ended:?}");
    Ok(())
}

/// `cppc checkpoint` reports that the line is complete, and it is.
fn command(setup: &Setup) -> Result<()> {
    let started = setup.start(&setup.words(&LONG), &ON_DEMAND)?;
    for line in 1..=2 {
        let output = setup.checkpoint(&[])?;
        let wanted = format!("recovery line {line} is complete\n");
        ensure!(output.status.success() && output.stdout == wanted.as_bytes(), "{output:?}");
        ensure!(setup.newest() == line, "the newest line is {}", setup.newest());
    }
    setup.kill_all(started)?;
    let mut resumed = setup.start(&setup.words(&LONG), &ON_DEMAND)?;
    let said = resumed.said.clone();
    resumed
        .wait_until(|| fs::read_to_string(&said).is_ok_and(|said| said.contains("from recovery line 2 ")))?;
    setup.kill_all(resumed)?;
    Ok(())
}

/// `cppc checkpoint --end` ends the program. `cppc run` does not start it again, and the same command resumes it.
fn command_and_end(setup: &Setup) -> Result<()> {
    let expected = setup.expected("600")?;
    let words: Vec<String> = ["cppc", "run", "--"].map(str::to_owned).into_iter().collect();
    let command = [words, setup.words(&["600", "5000"])].concat();
    let started = setup.start(&command, &ON_DEMAND)?;
    let output = setup.checkpoint(&["--end"])?;
    ensure!(output.status.success() && output.stdout == b"recovery line 1 is complete\n", "{output:?}");
    let ended = started.end()?;
    ensure!(
        ended.status.code() == Some(75) && ended.said.contains("the same command resumes it"),
        "{ended:?}"
    );
    ensure!(ended.results.is_empty() && setup.newest() == 1, "{ended:?}");
    let ended = setup.start(&command, &ON_DEMAND)?.end()?;
    ensure!(ended.said.contains("resuming from recovery line 1"), "{ended:?}");
    ensure!(ended.status.success() && ended.results == expected, "{ended:?}\nexpected {expected:?}");
    Ok(())
}

/// A run that ends on request has its last line in the mirror, also if `dir` is lost directly afterwards.
fn mirror_at_the_end(setup: &Setup) -> Result<()> {
    let expected = setup.expected("600")?;
    let mirror = setup.memory.path().join("mirror").to_string_lossy().into_owned();
    let variables = [&ON_DEMAND[..], &[("CPPC_MIRROR", &*mirror)]].concat();
    let started = setup.start(&setup.words(&["600", "5000"]), &variables)?;
    let output = setup.checkpoint(&["--end"])?;
    ensure!(output.status.success() && output.stdout == b"recovery line 1 is complete\n", "{output:?}");
    let ended = started.end()?;
    ensure!(!ended.said.contains("is not in the mirror"), "{ended:?}");
    fs::remove_dir_all(setup.state())?;
    let ended = setup.start(&setup.words(&["600", "5000"]), &variables)?.end()?;
    ensure!(ended.said.contains("resuming from recovery line 1"), "{ended:?}");
    ensure!(ended.status.success() && ended.results == expected, "{ended:?}\nexpected {expected:?}");
    Ok(())
}

/// Another start with the same mirror and another `dir`, as on another node, is refused.
fn mirror_is_locked(setup: &Setup) -> Result<()> {
    let path = |name: &str| setup.memory.path().join(name).to_string_lossy().into_owned();
    let (mirror, elsewhere) = (path("mirror"), path("elsewhere"));
    let variables = [&ON_DEMAND[..], &[("CPPC_MIRROR", &*mirror)]].concat();
    let started = setup.start(&setup.words(&LONG), &variables)?;
    let output = setup.checkpoint(&[])?;
    ensure!(output.status.success(), "{output:?}");
    let others = [&variables[..], &[("CPPC_DIR", &*elsewhere)]].concat();
    let refused = setup.start(&setup.words(&LONG), &others)?.end()?;
    ensure!(!refused.status.success() && refused.said.contains(&mirror), "{refused:?}");
    let output = setup.checkpoint(&[])?;
    ensure!(output.status.success() && output.stdout == b"recovery line 2 is complete\n", "{output:?}");
    setup.kill_all(started)?;
    Ok(())
}

/// SIGUSR1 requests a checkpoint. With `on-sigterm = end`, SIGTERM requests the end after one.
fn signal(setup: &Setup) -> Result<()> {
    let variables = [&ON_DEMAND[..], &[("CPPC_ON_SIGTERM", "end")]].concat();
    let executable = setup.directory.join("supervised");
    let mut started = setup.start(&setup.words(&LONG), &variables)?;
    let lock = setup.state().join("supervised/rank-0000/lock");
    started.wait_until(|| lock.exists())?;
    let which = Victim::One(PROCESSES as usize - 1);
    // The lock is older than the handler of the runtime. Before there is a handler, a signal ends the program, or has
    // no effect if the MPI handles it.
    std::thread::sleep(Duration::from_secs(1));
    let process = started.child.id();
    let signalled = Instant::now();
    process::strike(process, &executable, which, libc::SIGUSR1)?;
    let _ = started.wait_until(|| setup.newest() > 0 || signalled.elapsed() > Duration::from_secs(10));
    if setup.newest() == 0 {
        process::strike(process, &executable, which, libc::SIGUSR1)?;
    }
    started.wait_until(|| setup.newest() > 0)?;
    let before = setup.newest();
    process::strike(started.child.id(), &executable, which, libc::SIGTERM)?;
    let ended = started.end()?;
    let newest = setup.newest();
    ensure!(ended.status.code() == Some(75) && newest > before, "{before} {newest} {ended:?}");
    ensure!(ended.said.contains(&format!("recovery line {newest} is complete")), "{ended:?}");
    Ok(())
}

/// A program that calls `MPI_Finalize` but not `shutdown` ends, although a round is pending.
fn without_shutdown(setup: &Setup) -> Result<()> {
    let mut words = setup.words(&["50", "100"]);
    let program = words.iter().position(|word| word == "./supervised").context("the program is started")?;
    words[program] = "./endless".to_owned();
    for settings in [[("CPPC_INTERVAL", "1ms")], [("CPPC_INTERVAL", "1h")]] {
        let _ = fs::remove_dir_all(setup.state());
        let ended = setup.start(&words, &settings)?.end()?;
        ensure!(ended.status.success() && !ended.results.is_empty(), "{ended:?}");
    }
    Ok(())
}

/// One process after the other is killed, at any moment of the agreement. The results are exact.
fn kills(setup: &Setup) -> Result<()> {
    let wanted = from_environment("CPPC_DEMAND_KILLS", 6);
    let expected = setup.expected("300")?;
    let seed = from_environment("CPPC_DEMAND_SEED", 5);
    let mut random = Random::new(seed);
    let variables = [("CPPC_INTERVAL", "10ms")];
    let words = setup.words(&["300", "3000"]);
    let mut killed = 0;
    while killed < wanted {
        let mut started = setup.start(&words, &variables)?;
        let before = setup.newest();
        // Some kills hit the start.
        if random.below(4) > 0 {
            started.wait_until(|| setup.newest() > before || before == 0)?;
        }
        std::thread::sleep(Duration::from_millis(random.number_below(300)));
        let which = Victim::One(random.below(PROCESSES as usize));
        process::kill(started.child.id(), &setup.directory.join("supervised"), which)?;
        let ended = started.end()?;
        process::await_orphans(&setup.directory.join("supervised"), PATIENCE)?;
        if ended.status.success() {
            // It had ended before.
            ensure!(ended.results == expected, "seed {seed}: {ended:?}\nexpected {expected:?}");
        } else {
            killed += 1;
        }
    }
    let ended = setup.start(&words, &variables)?.end()?;
    ensure!(
        ended.status.success() && ended.results == expected,
        "seed {seed}: {ended:?}\nexpected {expected:?}"
    );
    Ok(())
}

fn nobody_runs(setup: &Setup) -> Result<()> {
    let started = setup.start(&setup.words(&LONG), &[("CPPC_EVERY", "1")])?;
    let mut started = started;
    started.wait_until(|| setup.newest() > 2)?;
    setup.kill_all(started)?;
    let output = setup.checkpoint(&[])?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    ensure!(output.status.code() == Some(2) && said.contains("the last one has ended"), "{said}");
    Ok(())
}
