//! Starts that meet in one directory, and starts that must not resume the existing state. The tests use
//! real processes, like a user or a batch system.

use std::fs::{self, File};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use anyhow::{ensure, Context, Result};
use cppc_tests::cases::{case, run};
use cppc_tests::process;
use cppc_tests::product::{here, Product};
use cppc_tests::program::Mpi;
use cppc_tests::run::{several_processes_on_few_cores, without_settings};
use cppc_tests::state;
use libtest_mimic::Trial;

type Story = fn(&Setup) -> Result<()>;

const STORIES: &[(&str, &[&str], Story)] = &[
    ("second_start", &[], second_start),
    ("second_start_with_mpi", MPI, second_start),
    ("stopped_owner", &[], stopped_owner),
    ("stopped_owner_with_mpi", MPI, stopped_owner),
    ("storm_of_starts", &[], storm_of_starts),
    ("storm_of_starts_with_mpi", MPI, storm_of_starts),
    ("recycled_number", &[], recycled_number),
    ("owner_elsewhere", &[], owner_elsewhere),
    ("lost_lock", &[], lost_lock),
    ("wrong_launcher", &[], wrong_launcher),
    ("other_arguments", &[], other_arguments),
    ("other_arguments_of_one_rank", MPI, other_arguments_of_one_rank),
    ("other_input", &[], other_input),
    ("other_input_with_mpi", MPI, other_input),
    ("other_build", &[], other_build),
    ("unusable_directory", &[], unusable_directory),
    ("unusable_directory_with_mpi", MPI, unusable_directory),
    ("daemon", &["-DCHILD=1"], daemon),
    ("child_beside_its_parent", &["-DCHILD=2"], child_beside_its_parent),
];

const ENDINGS: [(&str, &[&str]); 2] = [
    ("end_without_shutdown", &["-DNO_SHUTDOWN"]),
    ("end_without_shutdown_with_mpi", &["-DNO_SHUTDOWN", "-DWITH_MPI"]),
];

const MPI: &[&str] = &["-DWITH_MPI"];

fn main() -> ExitCode {
    run(Ok(cases()))
}

fn cases() -> Vec<Trial> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("runs");
    let endings = ENDINGS.map(|(name, flags)| (name, flags, end_without_shutdown as Story));
    let all = STORIES.iter().copied().chain(endings);
    all.map(|(name, flags, story)| {
        case(&scratch, name.to_owned(), move |directory| story(&Setup::new(directory, flags)?))
    })
    .collect()
}

/// A directory with a program and the files of its runs.
struct Setup {
    directory: PathBuf,
    flags: Vec<&'static str>,
}

/// A run that has ended.
struct Ended {
    status: ExitStatus,
    printed: String,
    said: String,
}

/// A run that is under way.
struct Running {
    child: Child,
    out: PathBuf,
    said: PathBuf,
}

const PATIENCE: Duration = Duration::from_secs(120);

impl Setup {
    fn new(directory: &Path, flags: &[&'static str]) -> Result<Setup> {
        let setup = Setup { directory: directory.to_owned(), flags: flags.to_vec() };
        setup.build(&[])?;
        Ok(setup)
    }

    fn is_parallel(&self) -> bool {
        self.flags.contains(&"-DWITH_MPI")
    }

    fn build(&self, more: &[&str]) -> Result<()> {
        let mut compile = Product::get()?.command("cppc-cc");
        compile.env("CPPC_CC", if self.is_parallel() { "mpicc" } else { "cc" });
        compile.args(["-O1", "-o", "starts"]).args(&self.flags).args(more);
        let status = compile.arg(here("programs/alone/starts.c")).current_dir(&self.directory).status()?;
        ensure!(status.success(), "the program does not compile");
        Ok(())
    }

    /// Starts the program; two processes of it with MPI.
    fn start(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Result<Running> {
        let mut command = match self.is_parallel() {
            true => {
                let mut launcher = Command::new("mpirun");
                launcher.args(["-n", "2", "./starts"]);
                launcher
            }
            false => Command::new("./starts"),
        };
        command.args(arguments);
        self.spawn(command, variables)
    }

    fn spawn(&self, mut command: Command, variables: &[(&str, &str)]) -> Result<Running> {
        let number = fs::read_dir(&self.directory)?.count();
        let [out, said] = ["out", "said"].map(|name| self.directory.join(format!("{name}-{number}")));
        without_settings(&mut command);
        several_processes_on_few_cores(&mut command, Mpi::Default)?;
        command.env("CPPC_ASYNC", "false").env("CPPC_EVERY", "1");
        command.envs(variables.iter().copied()).current_dir(&self.directory).stdin(Stdio::null());
        command.stdout(File::create(&out)?).stderr(File::create(&said)?).process_group(0);
        let child = command.spawn().with_context(|| format!("cannot run {command:?}"))?;
        Ok(Running { child, out, said })
    }

    fn go(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Result<Ended> {
        self.start(arguments, variables)?.end()
    }

    /// The output of a run that was not killed.
    fn unbroken(&self, arguments: &[&str]) -> Result<String> {
        let ended = self.go(arguments, &[("CPPC_DIR", "elsewhere"), ("CPPC_EVERY", "0")])?;
        ensure!(ended.status.success() && !self.directory.join("elsewhere").exists(), "{}", ended.said);
        Ok(ended.printed)
    }

    /// Starts the program and waits until all its processes have reached the step.
    fn pause(&self, arguments: &[&str], variables: &[(&str, &str)], step: &str) -> Result<Running> {
        let before = self.paused()?.len();
        let variables: Vec<_> = variables.iter().copied().chain([("PAUSE_AT", step)]).collect();
        let mut running = self.start(arguments, &variables)?;
        let processes = if self.is_parallel() { 2 } else { 1 };
        self.until(|| {
            let has_ended = running.child.try_wait()?.is_some();
            Ok(has_ended || self.paused()?.len() == before + processes)
        })?;
        let ended = running.child.try_wait()?.is_some();
        ensure!(!ended, "it has ended: {}", fs::read_to_string(&running.said)?);
        Ok(running)
    }

    /// The processes that wait, or have waited, for `go`.
    fn paused(&self) -> Result<Vec<i32>> {
        let mut found = Vec::new();
        for entry in fs::read_dir(&self.directory)? {
            let name = entry?.file_name();
            found.extend(
                name.to_string_lossy().strip_prefix("paused-").and_then(|number| number.parse::<i32>().ok()),
            );
        }
        Ok(found)
    }

    fn let_go(&self) -> Result<()> {
        File::create(self.directory.join("go"))?;
        Ok(())
    }

    fn signal(&self, signal: i32) -> Result<()> {
        for process in self.paused()? {
            // SAFETY: sends a signal to a process that this test has started, and touches no memory.
            unsafe { libc::kill(process, signal) };
        }
        Ok(())
    }

    /// Kills the processes that wait, and removes them from the list.
    fn kill(&self, running: Running) -> Result<()> {
        self.signal(libc::SIGKILL)?;
        let ended = running.end()?;
        ensure!(!ended.status.success(), "it was not killed");
        for process in self.paused()? {
            fs::remove_file(self.directory.join(format!("paused-{process}")))?;
        }
        Ok(())
    }

    fn until(&self, mut holds: impl FnMut() -> Result<bool>) -> Result<()> {
        let start = Instant::now();
        while !holds()? {
            ensure!(start.elapsed() < PATIENCE, "it never came to be");
            std::thread::sleep(Duration::from_millis(5));
        }
        Ok(())
    }

    fn state(&self) -> PathBuf {
        self.directory.join("cppc-state")
    }

    fn lock(&self) -> PathBuf {
        self.state().join("starts/rank-0000/lock")
    }

    /// Changes a line of the lock of rank 0.
    fn edit_lock(&self, name: &str, value: &str) -> Result<()> {
        let text = fs::read_to_string(self.lock())?;
        let lines: Vec<String> = text
            .lines()
            .map(|line| {
                if line.starts_with(&format!("{name} ")) {
                    format!("{name} {value}")
                } else {
                    line.to_owned()
                }
            })
            .collect();
        fs::write(self.lock(), format!("{}\n", lines.join("\n")))?;
        Ok(())
    }

    fn content(&self) -> Result<Vec<(PathBuf, Vec<u8>)>> {
        let mut files = state::all_files(&self.state())?;
        files.retain(|path| path.file_name().is_some_and(|name| name != "lock"));
        files.sort();
        files.into_iter().map(|path| Ok((path.clone(), fs::read(path)?))).collect()
    }
}

impl Running {
    fn end(mut self) -> Result<Ended> {
        let status = process::end_of(&mut self.child, PATIENCE, &self.said)?;
        let mut printed: Vec<String> = fs::read_to_string(&self.out)?.lines().map(str::to_owned).collect();
        printed.sort();
        Ok(Ended { status, printed: printed.join("\n"), said: fs::read_to_string(&self.said)? })
    }
}

impl Ended {
    fn must_be_right(&self, wanted: &str) -> Result<&Ended> {
        ensure!(self.status.success(), "{}: {}", self.status, self.said);
        ensure!(self.printed == wanted, "printed {}, wanted {wanted}; {}", self.printed, self.said);
        Ok(self)
    }

    /// It stopped before it began, with exit status 1.
    fn must_be_refused(&self, words: &[&str]) -> Result<()> {
        ensure!(self.status.code() == Some(1), "{}: {}", self.status, self.said);
        ensure!(self.printed.is_empty(), "it has begun");
        self.must_say(words)
    }

    fn must_say(&self, words: &[&str]) -> Result<()> {
        for word in words {
            ensure!(self.said.contains(word), "`{word}` is not said:\n{}", self.said);
        }
        Ok(())
    }
}

/// A job was submitted twice. The second start is refused, and the first one is not affected.
fn second_start(setup: &Setup) -> Result<()> {
    let wanted = setup.unbroken(&["30"])?;
    let first = setup.pause(&["30"], &[], "20")?;
    let owners: Vec<String> = setup.paused()?.iter().map(|process| format!("process {process} ")).collect();
    let second = setup.go(&["30"], &[])?;
    second.must_be_refused(&["is in use", "`dir`", "`app`"])?;
    ensure!(owners.iter().any(|owner| second.said.contains(owner)), "{owners:?}: {}", second.said);
    setup.let_go()?;
    first.end()?.must_be_right(&wanted)?;
    ensure!(!setup.state().exists(), "the first one leaves nothing behind");
    setup.go(&["30"], &[])?.must_be_right(&wanted)?;
    Ok(())
}

/// A stopped job is started again. When the first one continues, it still has its lock.
fn stopped_owner(setup: &Setup) -> Result<()> {
    let wanted = setup.unbroken(&["30"])?;
    let first = setup.pause(&["30"], &[], "20")?;
    setup.signal(libc::SIGSTOP)?;
    setup.go(&["30"], &[])?.must_be_refused(&["which is stopped", "kill -CONT"])?;
    setup.let_go()?;
    setup.signal(libc::SIGCONT)?;
    first.end()?.must_be_right(&wanted)?;
    Ok(())
}

/// The first start runs. The others run after it or are refused. All are killed, and the next start gives
/// the right result.
fn storm_of_starts(setup: &Setup) -> Result<()> {
    let wanted = setup.unbroken(&["30"])?;
    let starts = if setup.is_parallel() { 3 } else { 6 };
    for turn in 0..3 {
        let running: Vec<Running> = (0..starts).map(|_| setup.start(&["30"], &[])).collect::<Result<_>>()?;
        for run in running {
            let ended = run.end()?;
            match ended.status.success() {
                true => drop(ended.must_be_right(&wanted)?),
                false => ended.must_be_refused(&["is in use"])?,
            }
        }
        ensure!(!setup.state().exists(), "turn {turn}");
        let waiting: Vec<Running> =
            (0..starts).map(|_| setup.start(&["30"], &[("PAUSE_AT", "17")])).collect::<Result<_>>()?;
        let processes = if setup.is_parallel() { 2 } else { 1 };
        setup.until(|| Ok(setup.paused()?.len() == processes))?;
        setup.signal(libc::SIGKILL)?;
        for run in &waiting {
            // SAFETY: the group is that of a child which has not been waited for.
            unsafe { libc::kill(-(run.child.id() as i32), libc::SIGKILL) };
        }
        waiting.into_iter().try_for_each(|run| run.end().map(|_| ()))?;
        let ended = setup.go(&["30"], &[])?;
        ended.must_be_right(&wanted)?.must_say(&["resuming from recovery line"])?;
        for process in setup.paused()? {
            fs::remove_file(setup.directory.join(format!("paused-{process}")))?;
        }
    }
    Ok(())
}

/// A live process now has the number of the killed process.
fn recycled_number(setup: &Setup) -> Result<()> {
    let wanted = setup.unbroken(&["30"])?;
    setup.kill(setup.pause(&["30"], &[], "20")?)?;
    setup.edit_lock("process", &std::process::id().to_string())?;
    let ended = setup.go(&["30"], &[])?;
    ended.must_be_right(&wanted)?.must_say(&["resuming"])?;
    ensure!(!ended.said.contains("waits"), "{}", ended.said);
    Ok(())
}

/// The state of a process on another host is unknown, so the start waits for a lease.
fn owner_elsewhere(setup: &Setup) -> Result<()> {
    let wanted = setup.unbroken(&["30"])?;
    let lease = [("CPPC_LOCK_LEASE", "1")];
    setup.kill(setup.pause(&["30"], &lease, "20")?)?;
    setup.edit_lock("host", "elsewhere")?;
    let ended = setup.go(&["30"], &lease)?;
    ended.must_be_right(&wanted)?.must_say(&["on host `elsewhere`", "waits up to 1 s", "resuming"])?;
    Ok(())
}

/// Another start has taken the lock. The run stops and has changed nothing.
fn lost_lock(setup: &Setup) -> Result<()> {
    let first = setup.pause(&["30"], &[], "20")?;
    setup.edit_lock("attempt", "00000000deadbeef")?;
    let before = setup.content()?;
    setup.let_go()?;
    let ended = first.end()?;
    ensure!(ended.status.code() == Some(1) && ended.printed.is_empty(), "{}: {}", ended.status, ended.said);
    ended.must_say(&["has lost its lock"])?;
    ensure!(setup.content()? == before, "it has changed something");
    ensure!(setup.lock().exists(), "the lock of the other one is gone");
    Ok(())
}

/// Each process believes that it is the only one.
fn wrong_launcher(setup: &Setup) -> Result<()> {
    let variables = [("OMPI_COMM_WORLD_SIZE", "4")];
    let first = setup.pause(&["30"], &variables, "3")?;
    setup.go(&["30"], &variables)?.must_be_refused(&["has started 4 processes", "`mpirun`"])?;
    setup.kill(first)
}

fn other_arguments(setup: &Setup) -> Result<()> {
    let wanted = setup.unbroken(&["30"])?;
    let kill = || setup.pause(&["30", "x y"], &[], "20").and_then(|running| setup.kill(running));
    kill()?;
    let before = setup.content()?;
    for other in [&["40", "x y"][..], &["30"], &["30", "x", "y"], &["30", "x y", ""]] {
        setup.go(other, &[])?.must_be_refused(&["`30 'x y'`", "`dir`", "`restart`", "`identity`"])?;
    }
    ensure!(setup.content()? == before, "something has changed");
    // Settings are not compared, wherever they are on the command line. The directory of the program is
    // not compared either.
    let mut command = Command::new(setup.directory.join("../other_arguments/starts"));
    command.args([
        "--cppc-keep=2",
        "30",
        "-CPPC,CPPC/Controller/StoredRecoverySets=2",
        "x y",
        "--cppc-delete",
        "true",
    ]);
    setup.spawn(command, &[])?.end()?.must_be_right(&wanted)?.must_say(&["resuming"])?;
    kill()?;
    // The number of steps is in the state, so the result is that of 30 steps.
    let ended = setup.go(&["40"], &[("CPPC_IDENTITY", "none")])?;
    ended.must_be_right(&wanted)?.must_say(&[
        "resuming",
        "this start has the arguments `40`",
        "`30 'x y'`",
    ])?;
    kill()?;
    let fresh = setup.unbroken(&["40"])?;
    setup.go(&["40"], &[("CPPC_RESTART", "never")])?.must_be_right(&fresh)?;
    Ok(())
}

/// The arguments of each rank are compared with those of the same rank.
fn other_arguments_of_one_rank(setup: &Setup) -> Result<()> {
    let start = |second: &str, variables: &[(&str, &str)]| {
        let mut command = Command::new("mpirun");
        command.args(["-n", "1", "./starts", "30", "first", ":", "-n", "1", "./starts", "30", second]);
        setup.spawn(command, variables)
    };
    let wanted = start("second", &[("CPPC_EVERY", "0")])?.end()?.printed;
    let first = start("second", &[("PAUSE_AT", "20")])?;
    setup.until(|| Ok(setup.paused()?.len() == 2))?;
    setup.kill(first)?;
    start("other", &[])?.end()?.must_be_refused(&["`30 second`", "`30 other`"])?;
    start("second", &[])?.end()?.must_be_right(&wanted)?.must_say(&["resuming"])?;
    Ok(())
}

/// Input files are compared by their content, and a start that cannot read one stops.
fn other_input(setup: &Setup) -> Result<()> {
    let inputs = ("CPPC_INPUTS", "mesh.dat:list.nml");
    let input = |text: &str| fs::write(setup.directory.join("mesh.dat"), text);
    fs::write(setup.directory.join("list.nml"), "&list n = 30 /\n")?;
    input("coarse")?;
    let wanted = setup.unbroken(&["30"])?;
    let kill =
        |variables: &[_]| setup.pause(&["30"], variables, "20").and_then(|running| setup.kill(running));
    kill(&[inputs])?;
    let before = setup.content()?;
    input("fine")?;
    setup.go(&["30"], &[inputs])?.must_be_refused(&[
        "another content",
        "`mesh.dat`",
        "`identity`",
        "`restart`",
    ])?;
    setup.go(&["30"], &[])?.must_be_refused(&["this start has no input files", "`mesh.dat`", "`inputs`"])?;
    fs::remove_file(setup.directory.join("mesh.dat"))?;
    setup.go(&["30"], &[inputs])?.must_be_refused(&["cannot read the input file `mesh.dat`"])?;
    ensure!(setup.content()? == before, "something has changed");
    input("coarse")?;
    let ended = setup.go(&["30"], &[inputs])?;
    ended.must_be_right(&wanted)?.must_say(&["resuming"])?;
    ensure!(ended.said.lines().count() == 1, "{}", ended.said);
    kill(&[])?;
    setup.go(&["30"], &[inputs])?.must_be_refused(&["has no input files, and this start has"])?;
    let ended = setup.go(&["30"], &[inputs, ("CPPC_IDENTITY", "none")])?;
    ended.must_be_right(&wanted)?.must_say(&["resuming", "the run that it resumes has no input files"])?;
    Ok(())
}

fn other_build(setup: &Setup) -> Result<()> {
    let wanted = setup.unbroken(&["30"])?;
    let kill = || setup.pause(&["30"], &[], "20").and_then(|running| setup.kill(running));
    kill()?;
    // The same source, built in the same way, is the same build.
    setup.build(&[])?;
    let ended = setup.go(&["30"], &[])?;
    ended.must_be_right(&wanted)?;
    ensure!(ended.said.lines().count() == 1, "{}", ended.said);
    kill()?;
    setup.build(&["-DOTHER=\"other\""])?;
    setup.go(&["30"], &[("CPPC_IDENTITY", "strict")])?.must_be_refused(&["another build", "`identity`"])?;
    let ended = setup.go(&["30"], &[])?;
    ended
        .must_be_right(&format!("{wanted}\nother"))?
        .must_say(&["resuming", "another build of the program"])?;
    setup.build(&[])?;
    for elements in ["-DEARLIER=3", "-DEARLIER=5"] {
        kill()?;
        setup.build(&[elements])?;
        setup.go(&["30"], &[])?.must_be_refused(&["`earlier` has", "4", "in the state file"])?;
        setup.build(&[])?;
        setup.go(&["30"], &[])?.must_be_right(&wanted)?;
    }
    Ok(())
}

/// A run that could never write state does not start.
fn unusable_directory(setup: &Setup) -> Result<()> {
    let wanted = setup.unbroken(&["30"])?;
    std::fs::write(setup.directory.join("file"), "")?;
    for directory in ["file/state", "/proc/state"] {
        for lock in ["true", "false"] {
            let settings = [("CPPC_DIR", directory), ("CPPC_LOCK", lock)];
            setup.go(&["30"], &settings)?.must_be_refused(&[
                "no state can be written to",
                directory,
                "`dir`",
            ])?;
        }
    }
    let ended = setup.go(&["30"], &[("CPPC_DIR", "/proc/state"), ("CPPC_EVERY", "0")])?;
    ended.must_be_right(&wanted)?;
    Ok(())
}

fn end_without_shutdown(setup: &Setup) -> Result<()> {
    let wanted = setup.unbroken(&["30"])?;
    let ended = setup.go(&["30"], &[])?;
    ended.must_be_right(&wanted)?.must_say(&["without `CPPC_Shutdown`", "`shutdown`"])?;
    let reports = ended.said.matches("without `CPPC_Shutdown`").count();
    ensure!(reports == 1, "it is said {reports} times: {}", ended.said);
    setup.go(&["30"], &[])?.must_be_refused(&["without `CPPC_Shutdown`", "`never`", "`always`"])?;
    setup.go(&["30"], &[("CPPC_RESTART", "always")])?.must_be_right(&wanted)?.must_say(&["resuming"])?;
    let fresh = setup.go(&["30"], &[("CPPC_RESTART", "never")])?;
    ensure!(!fresh.must_be_right(&wanted)?.said.contains("resuming"), "{}", fresh.said);
    // A killed run is resumed as usual.
    let variables = [("CPPC_RESTART", "never")];
    setup.kill(setup.pause(&["30"], &variables, "20")?)?;
    setup.go(&["30"], &[])?.must_be_right(&wanted)?.must_say(&["resuming"])?;
    Ok(())
}

/// The process that continues is a child of the one that called `init`.
fn daemon(setup: &Setup) -> Result<()> {
    let wanted = setup.unbroken_result(&["30"])?;
    let result = |number: &str| setup.directory.join(format!("result-{number}"));
    for (turn, setting) in [("1", "false"), ("2", "true")] {
        // Its parent ends at once, with status 0.
        let ended =
            setup.go(&["30"], &[("RESULT", &result(turn).display().to_string()), ("CPPC_ASYNC", setting)])?;
        ensure!(
            ended.status.success() && !ended.said.contains("CPPC_Shutdown"),
            "{}: {}",
            ended.status,
            ended.said
        );
        setup.until(|| Ok(fs::read_to_string(result(turn)).is_ok_and(|text| text.ends_with('\n'))))?;
        ensure!(fs::read_to_string(result(turn))? == wanted, "another result");
        setup.until(|| Ok(!setup.state().exists()))?;
    }
    // Its checkpoints are written, and the lock is its own.
    let name = result("3").display().to_string();
    setup.go(&["30"], &[("RESULT", &name), ("PAUSE_AT", "20"), ("CPPC_ASYNC", "true")])?;
    setup.until(|| Ok(!setup.paused()?.is_empty()))?;
    let lock = fs::read_to_string(setup.lock())?;
    ensure!(lock.contains(&format!("process {}\n", setup.paused()?[0])), "{lock}");
    setup.go(&["30"], &[])?.must_be_refused(&["is in use"])?;
    setup.signal(libc::SIGKILL)?;
    setup.until(|| Ok(!Path::new(&format!("/proc/{}", setup.paused()?[0])).exists()))?;
    let ended = setup.go(&["30"], &[("RESULT", &name)])?;
    ended.must_say(&["resuming from recovery line 2"])?;
    setup.until(|| Ok(fs::read_to_string(result("3")).is_ok_and(|text| text.ends_with('\n'))))?;
    ensure!(fs::read_to_string(result("3"))? == wanted, "another result");
    Ok(())
}

/// The parent waits for its child, and both continue.
fn child_beside_its_parent(setup: &Setup) -> Result<()> {
    for setting in ["false", "true"] {
        let ended = setup.go(&["30"], &[("CPPC_ASYNC", setting)])?;
        ensure!(ended.status.success(), "{}: {}", ended.status, ended.said);
        ended.must_say(&[
            "is alive, and this process is its child created by `fork`: the child writes no checkpoints",
            "the child has ended with 0",
        ])?;
        let printed: Vec<&str> = ended.printed.lines().collect();
        ensure!(printed.len() == 2 && printed[0] == printed[1], "{}", ended.printed);
        ensure!(!ended.said.contains("without"), "{}", ended.said);
        ensure!(!setup.state().exists(), "the parent removes its state at the end");
    }
    Ok(())
}

impl Setup {
    /// What a run without checkpoints leaves as its result.
    fn unbroken_result(&self, arguments: &[&str]) -> Result<String> {
        let path = self.directory.join("result");
        self.go(
            arguments,
            &[("RESULT", &path.display().to_string()), ("CPPC_EVERY", "0"), ("CPPC_DIR", "elsewhere")],
        )?;
        self.until(|| Ok(fs::read_to_string(&path).is_ok_and(|text| text.ends_with('\n'))))?;
        Ok(fs::read_to_string(&path)?)
    }
}
