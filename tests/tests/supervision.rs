//! `cppc run` with real processes: failures of one process, of all, of the launcher, processes that are stopped,
//! failures in restarts and at the end. The result equals that of a run without failures, and nobody acts.
//!
//! `CPPC_RUN_FAILURES` is the number of failures of each story.

#[path = "supervision/hosts.rs"]
mod hosts;

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ExitCode, ExitStatus, Stdio};
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
use serde_json::Value;
use tempfile::TempDir;

type Story = fn(&Setup) -> Result<()>;

const STORIES: [(&str, Story); 20] = [
    ("output_and_status_are_those_of_the_program", output_and_status),
    ("a_stop_by_the_user_is_passed_on", stop_by_the_user),
    ("a_stop_between_two_attempts", stop_between_attempts),
    ("the_same_failure_is_given_up", same_failure),
    ("restarts_without_progress_are_limited", no_progress),
    ("restart_on_selects_failures", restart_on),
    ("left_over_processes_end_before_the_next_attempt", left_over),
    ("a_command_that_cannot_be_started", not_started),
    ("a_finished_run_is_not_repeated", finished),
    ("a_run_that_another_start_finishes_is_not_repeated", finished_elsewhere),
    ("a_fresh_start_counts_once", fresh_start),
    ("a_stopped_program_is_a_stall", stopped),
    ("a_launcher_that_hides_a_failure", hidden_failure),
    ("the_program_ends_with_a_checkpoint_before_the_end_of_the_job", end_of_job),
    ("a_program_without_checkpoints_runs_to_the_end_of_the_job", no_checkpoint_before_the_end),
    ("a_job_is_queued_again_without_a_checkpoint_at_its_end_if_it_has_advanced", late_requeue),
    ("options_for_jobs_outside_of_a_job", not_in_a_job),
    ("a_node_that_is_down_is_excluded_until_it_is_up", hosts::excluded_node),
    ("a_check_of_hosts_needs_hosts", hosts::not_named),
    ("a_wrong_setting_is_reported_before_the_start", wrong_setting),
];

fn main() -> ExitCode {
    run(Ok(cases()))
}

fn cases() -> Vec<Trial> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("supervision");
    let mut cases: Vec<Trial> = STORIES
        .into_iter()
        .map(|(name, story)| {
            case(&scratch, name.to_owned(), move |directory| story(&Setup::new(directory, None)?))
        })
        .collect();
    let mut storms = vec![("failures", None), ("failures_with_mpi", Some(Mpi::Default))];
    if Product::for_mpich().is_some() {
        storms.push(("failures_with_mpich", Some(Mpi::Mpich)));
    }
    let mut launchers = vec![("lost_host", Mpi::Default)];
    if Product::for_mpich().is_some() {
        launchers.push(("lost_host_with_mpich", Mpi::Mpich));
    }
    for (name, mpi) in launchers {
        cases.push(case(&scratch, name.to_owned(), move |directory| {
            hosts::lost_host(&Setup::new(directory, Some(mpi))?, mpi)
        }));
    }
    for (index, (name, mpi)) in storms.into_iter().enumerate() {
        cases.push(case(&scratch, name.to_owned(), move |directory| {
            let seed = from_environment("CPPC_STORM_SEED", 14) + index as u64;
            storm(&Setup::new(directory, mpi)?, Random::new(seed)).with_context(|| format!("seed {seed}"))
        }));
    }
    cases
}

/// A directory with a program, and one in memory for its state.
struct Setup {
    directory: PathBuf,
    memory: TempDir,
    program: Program,
}

/// `cppc run`, under way.
struct Supervised {
    child: Child,
    out: PathBuf,
    said: PathBuf,
    log: PathBuf,
}

struct Ended {
    status: ExitStatus,
    printed: String,
    said: String,
    events: Vec<Value>,
}

const PATIENCE: Duration = Duration::from_secs(60);
const NAP: Duration = Duration::from_millis(2);

impl Setup {
    fn new(directory: &Path, mpi: Option<Mpi>) -> Result<Setup> {
        let mut program = Program::read("supervised", &here("programs/alone/supervised.c"))?;
        program.processes = mpi.map(|_| 2);
        program.mpi = mpi.unwrap_or(Mpi::Default);
        let mut compile = Product::get()?.command("cppc-cc");
        compile.env("CPPC_PREFIX", program.product()?.prefix());
        compile.env("CPPC_CC", program.c_compiler());
        compile.args(mpi.map(|_| "-DWITH_MPI"));
        compile.args(["-O1", "-o", "supervised"]).args(&program.sources);
        ensure!(compile.current_dir(directory).status()?.success(), "the program does not compile");
        Ok(Setup { directory: directory.to_owned(), memory: in_memory(directory)?, program })
    }

    fn executable(&self) -> PathBuf {
        self.directory.join("supervised")
    }

    /// The command that starts the program.
    fn command(&self, arguments: &[&str]) -> Vec<String> {
        self.program.launched("./supervised", arguments)
    }

    fn start<S: AsRef<str>>(
        &self,
        options: &[&str],
        command: &[S],
        variables: &[(&str, &str)],
    ) -> Result<Supervised> {
        let number = fs::read_dir(&self.directory)?.count();
        let [out, said, log] =
            ["out", "said", "log"].map(|name| self.directory.join(format!("{name}-{number}")));
        let mut supervisor = Product::get()?.command("cppc");
        supervisor.args(["run", "--log"]).arg(&log).args(options);
        if !options.contains(&"--pause") {
            supervisor.args(["--pause", "10ms"]);
        }
        supervisor.arg("--");
        supervisor.args(command.iter().map(AsRef::as_ref));
        without_settings(&mut supervisor);
        supervisor.env("CPPC_DIR", self.memory.path().join("state")).env("CPPC_EVERY", "1");
        supervisor.envs(variables.iter().copied());
        several_processes_on_few_cores(&mut supervisor, self.program.mpi)?;
        supervisor.current_dir(&self.directory).stdin(Stdio::null());
        let child = supervisor.stdout(File::create(&out)?).stderr(File::create(&said)?).spawn()?;
        Ok(Supervised { child, out, said, log })
    }

    fn run<S: AsRef<str>>(&self, options: &[&str], command: &[S]) -> Result<Ended> {
        self.start(options, command, &[])?.end()
    }

    /// The output without failures.
    fn expected(&self, arguments: &[&str]) -> Result<BTreeSet<String>> {
        let ended = self.run(&[], &self.command(arguments))?;
        ensure!(ended.status.success(), "{}: {}", ended.status, ended.said);
        Ok(results(&ended.printed))
    }
}

impl Supervised {
    fn end(mut self) -> Result<Ended> {
        let status = process::end_of(&mut self.child, PATIENCE, &self.said)?;
        Ok(Ended {
            status,
            printed: fs::read_to_string(&self.out)?,
            said: fs::read_to_string(&self.said)?,
            events: events(&self.log),
        })
    }

    fn signal(&self, signal: i32) -> Result<()> {
        // SAFETY: sends a signal to a child that was not waited for.
        ensure!(unsafe { libc::kill(self.child.id() as libc::pid_t, signal) } == 0, "no signal was sent");
        Ok(())
    }

    /// Waits for a condition. False if `cppc run` has ended.
    fn wait_until(&mut self, condition: impl Fn(&Supervised) -> bool) -> Result<bool> {
        let start = Instant::now();
        loop {
            if condition(self) {
                return Ok(true);
            }
            if self.child.try_wait()?.is_some() {
                return Ok(false);
            }
            ensure!(start.elapsed() < PATIENCE, "nothing happens\n{}", fs::read_to_string(&self.said)?);
            std::thread::sleep(NAP);
        }
    }

    fn count(&self, event: &str) -> usize {
        count(&events(&self.log), event)
    }

    fn has_result(&self) -> bool {
        !results(&fs::read_to_string(&self.out).unwrap_or_default()).is_empty()
    }

    fn printed(&self) -> usize {
        fs::read_to_string(&self.out).unwrap_or_default().lines().count()
    }
}

/// The lines of the program. Those of a rank that ended before a failure of another one are printed again, and MPICH's
/// launcher prints about failures.
fn results(printed: &str) -> BTreeSet<String> {
    let is_result = |line: &&str| line.split_once(": ").is_some_and(|(rank, _)| rank.parse::<u32>().is_ok());
    printed.lines().filter(is_result).map(str::to_owned).collect()
}

/// The complete lines of a log.
fn events(log: &Path) -> Vec<Value> {
    let text = fs::read_to_string(log).unwrap_or_default();
    text.split_inclusive('\n')
        .filter_map(|line| serde_json::from_str(line.strip_suffix('\n')?).ok())
        .collect()
}

fn count(events: &[Value], event: &str) -> usize {
    events.iter().filter(|found| found["event"] == event).count()
}

/// When and whom a failure hits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Failure {
    /// While the program runs.
    Running(Victim),
    /// While it starts again.
    Resuming(Victim),
    /// After the result was printed, before or after `shutdown`.
    Ending(Victim),
    /// A process is stopped.
    Stop,
}

const FAILURES: [Failure; 8] = [
    Failure::Running(Victim::One(1)),
    Failure::Resuming(Victim::All),
    Failure::Running(Victim::Launcher),
    Failure::Stop,
    Failure::Running(Victim::All),
    Failure::Resuming(Victim::One(0)),
    Failure::Running(Victim::One(0)),
    Failure::Resuming(Victim::Launcher),
];

/// Failures of every kind, in runs that last as long as it takes.
fn storm(setup: &Setup, mut random: Random) -> Result<()> {
    const ARGUMENTS: &[&str] = &["400", "2000"];
    const IN_ONE_RUN: usize = 9;
    let wanted = from_environment("CPPC_RUN_FAILURES", 12) as usize;
    let expected = setup.expected(&["400", "0"])?;
    let (mut failures, mut runs, mut finished) = (0, 0, 0);
    let started = Instant::now();
    while failures < wanted {
        runs += 1;
        let options = ["--stall", "2s", "--max-restarts", "20"];
        let mut supervised = setup.start(&options, &setup.command(ARGUMENTS), &[("ENDING", "100")])?;
        let first = random.below(FAILURES.len());
        for index in 0..IN_ONE_RUN.min(wanted - failures) {
            let failure = match index {
                8 => Failure::Ending(Victim::One(0)),
                _ => FAILURES[(first + index) % FAILURES.len()],
            };
            let before = supervised.count("failure");
            if !strike(setup, &mut supervised, failure, &mut random)? {
                break;
            }
            if !supervised.wait_until(|supervised| supervised.count("failure") > before)? {
                break;
            }
        }
        let ended = supervised.end()?;
        failures += count(&ended.events, "failure");
        let printed = results(&ended.printed);
        ensure!(printed == expected, "printed {printed:?}, expected {expected:?}\n{}", ended.said);
        if !ended.status.success() {
            let is_over = ended.events.iter().any(|event| event["reason"] == "finished");
            ensure!(is_over, "{}\n{}", ended.status, ended.said);
            finished += 1;
        }
        let left = process::running(&setup.executable())?;
        ensure!(left.is_empty(), "processes are left: {left:?}\n{}", ended.said);
        let _ = fs::remove_dir_all(setup.memory.path().join("state"));
    }
    println!(
        "{failures} failures in {runs} runs, {finished} of them after `shutdown`; {:.0} s",
        started.elapsed().as_secs_f64()
    );
    Ok(())
}

/// Causes a failure. False if `cppc run` has ended before.
fn strike(setup: &Setup, supervised: &mut Supervised, failure: Failure, random: &mut Random) -> Result<bool> {
    let executable = setup.executable();
    let root = supervised.child.id();
    let attempts = supervised.count("failure") + 1;
    let is_running =
        |supervised: &Supervised| supervised.count("start") == attempts && process::any(root, &executable);
    if !supervised.wait_until(is_running)? {
        return Ok(false);
    }
    // MPI needs some time to start.
    let start_ms = if setup.program.processes.is_some() { 400 } else { 50 };
    let (victim, delay_ms) = match failure {
        Failure::Running(victim) => (victim, start_ms + random.number_below(400)),
        Failure::Resuming(victim) => (victim, random.number_below(40)),
        Failure::Stop => (Victim::One(random.below(2)), random.number_below(200)),
        Failure::Ending(victim) => {
            if !supervised.wait_until(Supervised::has_result)? {
                return Ok(false);
            }
            (victim, random.number_below(250))
        }
    };
    std::thread::sleep(Duration::from_millis(delay_ms));
    let signal = if failure == Failure::Stop { libc::SIGSTOP } else { libc::SIGKILL };
    match victim {
        // The launcher is the child of `cppc run`.
        Victim::Launcher => {
            for child in process::children(root) {
                process::signal(child, signal)?;
            }
        }
        Victim::One(_) | Victim::All => process::strike(root, &executable, victim, signal)?,
    }
    Ok(true)
}

fn shell(line: &str) -> [&str; 3] {
    ["sh", "-c", line]
}

fn output_and_status(setup: &Setup) -> Result<()> {
    let ended = setup.run(&[], &shell("echo result; echo message >&2"))?;
    ensure!(
        ended.status.success() && ended.printed == "result\n" && ended.said == "message\n",
        "{}",
        ended.said
    );
    let ended = setup.run(&["--max-restarts", "0"], &shell("exit 7"))?;
    ensure!(ended.status.code() == Some(7), "{}", ended.status);
    let ended = setup.run(&["--max-restarts", "0"], &shell("kill -SEGV $$"))?;
    ensure!(ended.status.code() == Some(128 + libc::SIGSEGV), "{}", ended.status);
    ensure!(ended.said.contains("SIGSEGV"), "{}", ended.said);
    Ok(())
}

fn stop_by_the_user(setup: &Setup) -> Result<()> {
    for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
        // The inner process is in the same process group.
        let line = "trap 'echo stopped; exit 5' INT TERM HUP; \
                    sh -c 'trap \"echo inner; exit\" INT TERM HUP; echo ready; while :; do sleep 0.01; done'";
        let mut supervised = setup.start(&[], &shell(line), &[])?;
        ensure!(supervised.wait_until(|supervised| supervised.printed() > 0)?, "it has ended");
        supervised.signal(signal)?;
        let ended = supervised.end()?;
        ensure!(ended.status.code() == Some(5), "{signal}: {}\n{}", ended.status, ended.said);
        ensure!(ended.printed == "ready\ninner\nstopped\n", "{signal}: {}", ended.printed);
        ensure!(count(&ended.events, "start") == 1, "{:?}", ended.events);
    }
    Ok(())
}

fn stop_between_attempts(setup: &Setup) -> Result<()> {
    let mut supervised = setup.start(&["--pause", "1h"], &shell("exit 3"), &[])?;
    ensure!(supervised.wait_until(|supervised| supervised.count("restart") == 1)?, "it has ended");
    supervised.signal(libc::SIGTERM)?;
    let ended = supervised.end()?;
    ensure!(ended.status.code() == Some(128 + libc::SIGTERM), "{}", ended.status);
    Ok(())
}

fn same_failure(setup: &Setup) -> Result<()> {
    let ended = setup.run(&[], &shell("exit 3"))?;
    ensure!(ended.status.code() == Some(3) && count(&ended.events, "start") == 3, "{}", ended.said);
    ensure!(ended.said.contains("this has happened 3 times without a newer recovery line"), "{}", ended.said);
    Ok(())
}

fn no_progress(setup: &Setup) -> Result<()> {
    let ended = setup.run(&["--max-restarts", "4"], &shell("kill -KILL $$"))?;
    ensure!(ended.status.code() == Some(137) && count(&ended.events, "start") == 5, "{}", ended.said);
    ensure!(ended.said.contains("no newer recovery line after 4 restarts"), "{}", ended.said);
    Ok(())
}

fn restart_on(setup: &Setup) -> Result<()> {
    let ended = setup.run(&["--restart-on", "75,signals"], &shell("exit 3"))?;
    ensure!(ended.status.code() == Some(3) && count(&ended.events, "start") == 1, "{}", ended.said);
    let line = "test -e second && exit 0; touch second; exit 75";
    let ended = setup.run(&["--restart-on", "75,signals"], &shell(line))?;
    ensure!(ended.status.success() && count(&ended.events, "start") == 2, "{}", ended.said);
    Ok(())
}

/// A process in a session of its own is found, although its parent has ended. The next attempt reports whether it is alive.
fn left_over(setup: &Setup) -> Result<()> {
    let line = "if [ -e pid ]; then kill -0 $(cat pid) 2>/dev/null && echo alive; exit 0; fi; \
                setsid sh -c 'echo $$ >pid.new; mv pid.new pid; exec sleep 1000' & \
                while [ ! -e pid ]; do sleep 0.01; done; kill -KILL $$";
    let ended = setup.run(&[], &shell(line))?;
    ensure!(ended.status.success() && ended.printed.is_empty(), "{}{}", ended.printed, ended.said);
    ensure!(count(&ended.events, "left-over") == 1, "{:?}", ended.events);
    Ok(())
}

fn not_started(setup: &Setup) -> Result<()> {
    let ended = setup.run(&[], &["./missing"])?;
    ensure!(ended.status.code() == Some(2), "{}", ended.status);
    ensure!(ended.said.contains("cannot start `./missing`"), "{}", ended.said);
    Ok(())
}

/// The program dies after `shutdown`: its run would begin again.
fn finished(setup: &Setup) -> Result<()> {
    // `cppc run` sees recovery lines that exist for some time.
    let command = setup.command(&["2500", "1000"]);
    let mut supervised = setup.start(&[], &command, &[("ENDING", "400"), ("CPPC_EVERY", "100")])?;
    let state = setup.memory.path().join("state");
    ensure!(supervised.wait_until(|supervised| supervised.printed() > 0)?, "it has ended");
    let is_over = |_: &Supervised| cppc_tests::state::all_files(&state).is_ok_and(|files| files.is_empty());
    ensure!(supervised.wait_until(is_over)?, "it has ended");
    process::strike(supervised.child.id(), &setup.executable(), Victim::All, libc::SIGKILL)?;
    let ended = supervised.end()?;
    ensure!(ended.status.code() == Some(137) && count(&ended.events, "start") == 1, "{}", ended.said);
    ensure!(ended.said.contains("its run was finished before"), "{}", ended.said);
    Ok(())
}

/// Another start is in the directory, makes progress, and finishes the run during a pause.
/// The processes are stopped and continued, so that the test does not depend on the speed of the machine.
fn finished_elsewhere(setup: &Setup) -> Result<()> {
    let state = setup.memory.path().join("state");
    let command = setup.command(&["3000", "1000"]);
    let slowly = [("CPPC_EVERY", "100")];
    let mut first = setup.start(&[], &command, &slowly)?;
    let has_lines =
        |_: &Supervised| cppc_tests::state::lines_of(&state, 0).is_ok_and(|lines| lines.len() > 1);
    ensure!(first.wait_until(has_lines)?, "it has ended");
    process::strike(first.child.id(), &setup.executable(), Victim::All, libc::SIGSTOP)?;
    ensure!(!first.has_result(), "the first run was too fast to be stopped");
    // The second run cannot use the state of the first one, and waits.
    let mut second = setup.start(&["--pause", "5s"], &command, &slowly)?;
    ensure!(second.wait_until(|second| second.count("failure") == 1)?, "it has ended");
    second.signal(libc::SIGSTOP)?;
    process::strike(first.child.id(), &setup.executable(), Victim::All, libc::SIGCONT)?;
    let first = first.end()?;
    second.signal(libc::SIGCONT)?;
    ensure!(first.status.success() && results(&first.printed).len() == 1, "{}", first.said);
    let second = second.end()?;
    ensure!(
        second.status.code() == Some(1) && second.printed.is_empty(),
        "{}\n{}",
        second.status,
        second.said
    );
    ensure!(second.said.contains("its run was finished before"), "{}", second.said);
    Ok(())
}

/// `CPPC_RESTART=never` is for the first attempt. The next one continues it.
fn fresh_start(setup: &Setup) -> Result<()> {
    let command = setup.command(&["1500", "1000"]);
    let mut supervised = setup.start(&[], &command, &[("CPPC_RESTART", "never")])?;
    let state = setup.memory.path().join("state");
    let has_lines =
        |_: &Supervised| cppc_tests::state::lines_of(&state, 0).is_ok_and(|lines| lines.len() > 1);
    ensure!(supervised.wait_until(has_lines)?, "it has ended");
    process::strike(supervised.child.id(), &setup.executable(), Victim::All, libc::SIGKILL)?;
    let ended = supervised.end()?;
    ensure!(
        ended.status.success() && count(&ended.events, "failure") == 1,
        "{}\n{:?}",
        ended.said,
        ended.events
    );
    ensure!(ended.said.contains("resuming from recovery line"), "{}", ended.said);
    let command = setup.command(&["10", "0", "--cppc-restart=never"]);
    let ended = setup.run(&[], &command)?;
    ensure!(ended.status.code() == Some(2) && ended.printed.is_empty(), "{}", ended.said);
    Ok(())
}

fn stopped(setup: &Setup) -> Result<()> {
    let line = "test -e second && exit 0; touch second; kill -STOP $$";
    let ended = setup.run(&["--stall", "500ms", "--restart-on", "stall"], &shell(line))?;
    ensure!(ended.status.success() && count(&ended.events, "start") == 2, "{}", ended.said);
    let failure = ended.events.iter().find(|event| event["event"] == "failure").context("no failure")?;
    ensure!(failure["stalled"] == true, "{failure}");
    ensure!(ended.said.contains("no newer state file and no output for"), "{}", ended.said);
    Ok(())
}

fn wrong_setting(setup: &Setup) -> Result<()> {
    let ended = setup.start(&[], &setup.command(&["10", "0"]), &[("CPPC_EVRY", "1")])?.end()?;
    ensure!(ended.status.code() == Some(2) && ended.status.signal().is_none(), "{}", ended.status);
    ensure!(ended.said.contains("CPPC_EVERY") && ended.events.is_empty(), "{}", ended.said);
    Ok(())
}

/// A launcher such as `srun` may end with exit status 0 if it could not start the program.
fn hidden_failure(setup: &Setup) -> Result<()> {
    let line = "./supervised 1500 1000; exit 0";
    let mut supervised = setup.start(&[], &shell(line), &[])?;
    let state = setup.memory.path().join("state");
    let has_lines =
        |_: &Supervised| cppc_tests::state::lines_of(&state, 0).is_ok_and(|lines| lines.len() > 1);
    ensure!(supervised.wait_until(has_lines)?, "it has ended");
    process::strike(supervised.child.id(), &setup.executable(), Victim::All, libc::SIGKILL)?;
    let ended = supervised.end()?;
    ensure!(ended.status.success() && count(&ended.events, "start") == 2, "{}", ended.said);
    ensure!(ended.said.contains("its run is not finished"), "{}", ended.said);
    ensure!(results(&ended.printed) == setup.expected(&["1500", "0"])?, "{}", ended.printed);
    Ok(())
}

fn end_of_job(setup: &Setup) -> Result<()> {
    let command = setup.command(&["2000", "1000"]);
    let never_else = [("CPPC_EVERY", "1000000")];
    // The first answer is above the margin.
    let time_left = "test -e asked && echo 9 || { touch asked; echo 12; }";
    let options = ["--time-left", time_left, "--margin", "10s"];
    let ended = setup.start(&options, &command, &never_else)?.end()?;
    ensure!(ended.status.code() == Some(75) && ended.printed.is_empty(), "{}\n{}", ended.status, ended.said);
    let counts = ["start", "time-limit", "failure", "requeue"].map(|event| count(&ended.events, event));
    ensure!(counts == [1, 1, 0, 0], "{:?}", ended.events);
    let ended = setup.start(&["--time-left", "echo UNLIMITED"], &command, &never_else)?.end()?;
    ensure!(ended.status.success() && ended.said.contains("resuming from recovery line 1"), "{}", ended.said);
    ensure!(results(&ended.printed) == setup.expected(&["2000", "0"])?, "{}", ended.printed);
    Ok(())
}

fn no_checkpoint_before_the_end(setup: &Setup) -> Result<()> {
    let ended = setup.run(&["--time-left", "echo 1", "--margin", "5s"], &shell("sleep 3; exit 4"))?;
    ensure!(ended.status.code() == Some(4) && count(&ended.events, "start") == 1, "{}", ended.said);
    ensure!(ended.said.contains("no state was written before the end of the job"), "{}", ended.said);
    Ok(())
}

/// The batch system is a script. `tests/tests/slurm.rs` has the real one.
fn late_requeue(setup: &Setup) -> Result<()> {
    let scontrol = setup.directory.join("scontrol");
    executable(&scontrol, "echo \"$@\" >>scontrol-calls\necho ' BatchFlag=1 Requeue=1 '\n")?;
    let path = format!("{}:{}", setup.directory.display(), std::env::var("PATH")?);
    let job = [
        ("PATH", path.as_str()),
        ("SLURM_JOB_ID", "9"),
        ("SLURM_ARRAY_JOB_ID", "9"),
        ("SLURM_ARRAY_TASK_ID", "2"),
    ];
    let options = ["--requeue", "--time-left", "echo 2", "--margin", "5s"];
    let calls = || fs::read_to_string(setup.directory.join("scontrol-calls")).unwrap_or_default();
    // It stops after some lines.
    let stops = "./supervised 1000000 1000 & sleep 1; kill -STOP $!; wait";
    let ended = setup.start(&options, &shell(stops), &job)?.end()?;
    ensure!(ended.status.code() == Some(75) && count(&ended.events, "requeue") == 1, "{}", ended.said);
    ensure!(calls().lines().last() == Some("requeue 9_2"), "{}", calls());
    ensure!(process::running(&setup.executable())?.is_empty(), "processes are left");
    // There is no newer line than at the start.
    let ended = setup.start(&options, &shell("sleep 4; exit 5"), &job)?.end()?;
    ensure!(ended.status.code() == Some(5) && count(&ended.events, "requeue") == 0, "{}", ended.said);
    ensure!(ended.said.contains("there is no newer recovery line"), "{}", ended.said);
    ensure!(!calls().lines().last().is_some_and(|call| call.starts_with("requeue")), "{}", calls());
    let never = [&job[..], &[("CPPC_RESTART", "never")]].concat();
    let ended = setup.start(&options, &shell("exit 0"), &never)?.end()?;
    ensure!(ended.status.code() == Some(2) && ended.said.contains("new state directory"), "{}", ended.said);
    Ok(())
}

fn executable(path: &Path, script: &str) -> Result<()> {
    fs::write(path, format!("#!/bin/sh\n{script}"))?;
    fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
    Ok(())
}

fn not_in_a_job(setup: &Setup) -> Result<()> {
    for options in [&["--requeue"][..], &["--margin", "1m"]] {
        let ended = setup.run(options, &shell("echo started"))?;
        ensure!(ended.status.code() == Some(2) && ended.printed.is_empty(), "{}", ended.said);
    }
    Ok(())
}
