//! `demo`: a real MPI program is translated, run, killed and resumed.
//!
//! In: an installed product and the heat example. Out: a story on standard output. Holds
//! afterwards: the resumed run ended with the same digits as the one that was never stopped, or the
//! task failed and said where.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{bail, ensure, Context, Result};

use crate::workspace::Workspace;

const PROCESSES: &str = "4";
/// Rows, columns and steps: long enough to be killed, short enough to be waited for.
const ARGUMENTS: [&str; 3] = ["512", "512", "6000"];
/// A dump every so many steps.
const EVERY: &str = "200";
/// The recovery line after which the run is killed, in the middle of it.
const LINE: u32 = 14;
const PATIENCE: Duration = Duration::from_secs(120);

pub fn run(workspace: &Workspace) -> Result<()> {
    let stage = Stage::new(workspace)?;

    say("A heat equation in C and MPI, with these directives in it:");
    show_directives(&stage.source)?;

    say("`cppc-cc` stands in for the compiler; it translates, compiles and links.");
    stage.shell("CPPC_CC=mpicc cppc-cc -O2 -o heat heat.c -lm")?;

    say("One run without a stop, for the result.");
    let unbroken = stage.finish(stage.start("unbroken.txt")?, "unbroken.txt")?;
    print!("{}", tail(&unbroken));

    say("The same again; in the middle of it every process gets SIGKILL.");
    let started = stage.start("killed.txt")?;
    stage.kill_after_a_dump(started)?;
    let killed = stage.read("killed.txt")?;
    ensure!(tail(&killed) != tail(&unbroken), "the run had come to its end before it could be killed");
    print!("{killed}");
    stage.shell("cppc list cppc-state")?;

    say("The same command once more. It finds the state and goes on from there.");
    let resumed = stage.finish(stage.start("resumed.txt")?, "resumed.txt")?;
    print!("{resumed}");

    if tail(&resumed) != tail(&unbroken) {
        bail!("the resumed run ended otherwise than the unbroken one");
    }
    say("Bit for bit the result of the run that was never stopped.");
    println!("The files of this demo are in {}", stage.shown.display());
    Ok(())
}

/// The directory in which the demo plays, with what its commands need around them.
struct Stage {
    directory: PathBuf,
    shown: PathBuf,
    source: PathBuf,
    path: std::ffi::OsString,
}

impl Stage {
    fn new(workspace: &Workspace) -> Result<Stage> {
        let directory = workspace.target().join("demo");
        let _ = std::fs::remove_dir_all(&directory);
        std::fs::create_dir_all(&directory)
            .with_context(|| format!("cannot make `{}`", directory.display()))?;
        let source = directory.join("heat.c");
        let example = workspace.root.join("examples/c/heat/heat.c");
        std::fs::copy(&example, &source)
            .with_context(|| format!("cannot copy `{}`", example.display()))?;
        let mut path = workspace.stage().join("bin").into_os_string();
        if let Some(rest) = std::env::var_os("PATH") {
            path.push(":");
            path.push(rest);
        }
        let shown = directory.strip_prefix(&workspace.root).unwrap_or(&directory).to_owned();
        Ok(Stage { directory, shown, source, path })
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.directory).env("PATH", &self.path).stdin(Stdio::null());
        // Four processes on however few cores there are, and as whoever runs this.
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

    /// Starts the program; its standard output goes to a file, its standard error is shown.
    fn start(&self, into: &str) -> Result<Child> {
        let size = ARGUMENTS.join(" ");
        println!("$ CPPC_EVERY={EVERY} mpirun -np {PROCESSES} ./heat {size} > {into}");
        let file = File::create(self.directory.join(into))
            .with_context(|| format!("cannot write `{into}`"))?;
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
        std::fs::read_to_string(self.directory.join(name))
            .with_context(|| format!("cannot read `{name}`"))
    }

    /// Waits until every process has published the state file of a line, then kills them all.
    fn kill_after_a_dump(&self, mut child: Child) -> Result<()> {
        let start = Instant::now();
        let line = format!("line-{LINE:06}");
        while count_places(&self.directory.join("cppc-state"), &line) < PROCESSES.parse()? {
            if let Some(status) = child.try_wait()? {
                bail!("the run ended before it could be killed: {status}");
            }
            ensure!(start.elapsed() < PATIENCE, "no recovery line after {PATIENCE:?}");
            std::thread::sleep(Duration::from_millis(20));
        }
        let line = format!("kill -KILL {}", join(&descendants(child.id())));
        println!("$ {line}");
        // The shell's own: a bare machine has no other.
        let mut kill = self.command("sh");
        kill.args(["-c", &line]).stderr(Stdio::null()).status().context("cannot run `sh`")?;
        // The launcher ends by itself, and tidies up, when its processes have.
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

/// The last lines of an output, where the result stands.
fn tail(output: &str) -> String {
    let lines: Vec<&str> = output.lines().collect();
    let first = lines.len().saturating_sub(4);
    lines[first..].iter().map(|line| format!("{line}\n")).collect()
}

/// How many directories, this one and those below, hold the state file of a line or of a later one.
fn count_places(directory: &Path, line: &str) -> usize {
    let Ok(entries) = std::fs::read_dir(directory) else { return 0 };
    let mut is_here = false;
    let mut below = 0;
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => below += count_places(&entry.path(), line),
            _ => is_here |= name.starts_with("line-") && *name >= *line,
        }
    }
    below + usize::from(is_here)
}

/// The processes below one, children before grandchildren.
fn descendants(process: u32) -> Vec<u32> {
    let children = std::fs::read_to_string(format!("/proc/{process}/task/{process}/children"));
    let mut found: Vec<u32> = children
        .unwrap_or_default()
        .split_whitespace()
        .filter_map(|number| number.parse().ok())
        .collect();
    for child in found.clone() {
        found.extend(descendants(child));
    }
    found
}

fn join(processes: &[u32]) -> String {
    processes.iter().map(u32::to_string).collect::<Vec<_>>().join(" ")
}
