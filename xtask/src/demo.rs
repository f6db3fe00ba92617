//! `demo`: translates, runs, kills and resumes a real MPI program.
//!
//! Input: an installed product and the heat example.
//! Output: a report on standard output.
//! Postcondition: the resumed run printed the same digits as the uninterrupted run, or the task failed and
//! reported the step.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{bail, ensure, Context, Result};

use crate::workspace::Workspace;

const PROCESSES: &str = "4";
/// Rows, columns and steps. The run is long enough to be killed and short enough for a demonstration.
const ARGUMENTS: [&str; 3] = ["512", "512", "6000"];
/// Number of steps between two dumps.
const EVERY: &str = "200";
/// The recovery line after which the run is killed.
const LINE: u32 = 14;
const PATIENCE: Duration = Duration::from_secs(120);

pub fn run(workspace: &Workspace) -> Result<()> {
    let demo = DemoRun::new(workspace)?;

    say("A heat equation in C and MPI with these directives:");
    show_directives(&demo.source)?;

    say("`cppc-cc` replaces the compiler: it translates, compiles and links.");
    demo.shell("CPPC_CC=mpicc cppc-cc -O2 -o heat heat.c -lm")?;

    say("An uninterrupted run, for comparison.");
    let unbroken = demo.finish(demo.start("unbroken.txt")?, "unbroken.txt")?;
    print!("{}", tail(&unbroken));

    say("The same run again. Every process is killed with SIGKILL in the middle of it.");
    let started = demo.start("killed.txt")?;
    demo.kill_after_a_dump(started)?;
    let killed = demo.read("killed.txt")?;
    ensure!(tail(&killed) != tail(&unbroken), "the run ended before it could be killed");
    print!("{killed}");
    demo.shell("cppc list cppc-state")?;

    say("The same command once more. It finds the state and continues from there.");
    let resumed = demo.finish(demo.start("resumed.txt")?, "resumed.txt")?;
    print!("{resumed}");

    if tail(&resumed) != tail(&unbroken) {
        bail!("the result of the resumed run differs from that of the uninterrupted run");
    }
    say("The result is bit for bit that of the uninterrupted run.");
    println!("The files of this demo are in {}", demo.shown.display());
    Ok(())
}

/// The directory of the demo, and the environment of its commands.
struct DemoRun {
    directory: PathBuf,
    shown: PathBuf,
    source: PathBuf,
    path: std::ffi::OsString,
}

impl DemoRun {
    fn new(workspace: &Workspace) -> Result<DemoRun> {
        let directory = workspace.target().join("demo");
        let _ = std::fs::remove_dir_all(&directory);
        std::fs::create_dir_all(&directory)
            .with_context(|| format!("cannot create `{}`", directory.display()))?;
        let source = directory.join("heat.c");
        let example = workspace.root.join("examples/c/heat/heat.c");
        std::fs::copy(&example, &source).with_context(|| format!("cannot copy `{}`", example.display()))?;
        let mut path = workspace.stage().join("bin").into_os_string();
        if let Some(rest) = std::env::var_os("PATH") {
            path.push(":");
            path.push(rest);
        }
        let shown = directory.strip_prefix(&workspace.root).unwrap_or(&directory).to_owned();
        Ok(DemoRun { directory, shown, source, path })
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.directory).env("PATH", &self.path).stdin(Stdio::null());
        // Four processes on any number of cores, also as root.
        command
            .env("OMPI_ALLOW_RUN_AS_ROOT", "1")
            .env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
            .env("OMPI_MCA_rmaps_base_oversubscribe", "1")
            .env("OMPI_MCA_mpi_yield_when_idle", "1")
            .env("OMPI_MCA_btl_vader_single_copy_mechanism", "none")
            .env("PRTE_MCA_rmaps_default_mapping_policy", ":oversubscribe");
        command
    }

    fn shell(&self, line: &str) -> Result<()> {
        println!("$ {line}");
        let status = self.command("sh").args(["-c", line]).status().context("cannot run `sh`")?;
        ensure!(status.success(), "`{line}` failed: {status}");
        Ok(())
    }

    /// Starts the program. Its standard output goes to a file, its standard error to the terminal.
    fn start(&self, into: &str) -> Result<Child> {
        let size = ARGUMENTS.join(" ");
        println!("$ CPPC_EVERY={EVERY} mpirun -np {PROCESSES} ./heat {size} > {into}");
        let file =
            File::create(self.directory.join(into)).with_context(|| format!("cannot write `{into}`"))?;
        self.command("mpirun")
            .args(["-np", PROCESSES, "./heat"])
            .args(ARGUMENTS)
            .env("CPPC_EVERY", EVERY)
            .stdout(file)
            .spawn()
            .context("cannot run `mpirun`")
    }

    fn finish(&self, mut child: Child, output: &str) -> Result<String> {
        let status = child.wait()?;
        ensure!(status.success(), "`mpirun` failed: {status}");
        self.read(output)
    }

    fn read(&self, name: &str) -> Result<String> {
        std::fs::read_to_string(self.directory.join(name)).with_context(|| format!("cannot read `{name}`"))
    }

    /// Waits until every process has published the state file of a recovery line, then kills all processes.
    fn kill_after_a_dump(&self, mut child: Child) -> Result<()> {
        let start = Instant::now();
        let line = format!("line-{LINE:06}");
        while count_directories(&self.directory.join("cppc-state"), &line) < PROCESSES.parse()? {
            if let Some(status) = child.try_wait()? {
                bail!("the run ended before it could be killed: {status}");
            }
            ensure!(start.elapsed() < PATIENCE, "no recovery line after {PATIENCE:?}");
            std::thread::sleep(Duration::from_millis(20));
        }
        let line = format!("kill -KILL {}", join(&descendants(child.id())));
        println!("$ {line}");
        // The `kill` of the shell, because a minimal system has no other.
        let mut kill = self.command("sh");
        kill.args(["-c", &line]).stderr(Stdio::null()).status().context("cannot run `sh`")?;
        // The launcher ends and cleans up after its processes have ended.
        let start = Instant::now();
        while child.try_wait()?.is_none() {
            if start.elapsed() > PATIENCE {
                child.kill()?;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        Ok(())
    }
}

fn say(line: &str) {
    println!("\n-- {line}");
    let _ = std::io::stdout().flush();
}

fn show_directives(source: &Path) -> Result<()> {
    let text = std::fs::read_to_string(source)?;
    for (index, line) in text.lines().enumerate() {
        if line.trim_start().starts_with("#pragma cppc") {
            println!("{:>5} {line}", index + 1);
        }
    }
    Ok(())
}

/// The last lines of an output, which contain the result.
fn tail(output: &str) -> String {
    let lines: Vec<&str> = output.lines().collect();
    let first = lines.len().saturating_sub(4);
    lines[first..].iter().map(|line| format!("{line}\n")).collect()
}

/// The number of directories, including this one, that contain the state file of a line or of a later one.
fn count_directories(directory: &Path, line: &str) -> usize {
    let Ok(entries) = std::fs::read_dir(directory) else { return 0 };
    let mut is_here = false;
    let mut below = 0;
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => below += count_directories(&entry.path(), line),
            _ => is_here |= name.starts_with("line-") && *name >= *line,
        }
    }
    below + usize::from(is_here)
}

/// The descendants of a process, children before grandchildren.
fn descendants(process: u32) -> Vec<u32> {
    let children = std::fs::read_to_string(format!("/proc/{process}/task/{process}/children"));
    let mut found: Vec<u32> =
        children.unwrap_or_default().split_whitespace().filter_map(|number| number.parse().ok()).collect();
    for child in found.clone() {
        found.extend(descendants(child));
    }
    found
}

fn join(processes: &[u32]) -> String {
    processes.iter().map(u32::to_string).collect::<Vec<_>>().join(" ")
}
