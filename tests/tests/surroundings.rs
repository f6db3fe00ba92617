//! Unusual environments of a program: standard streams, descriptors, rights, disks that lose data. Each
//! case ends with the right files, or with a message that names the cause.

use std::collections::BTreeMap;
use std::os::unix::fs::{chown, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output};

use anyhow::{ensure, Context, Result};
use cppc_tests::build::{self, succeed};
use cppc_tests::cases::{case, run};
use cppc_tests::form::Form;
use cppc_tests::product::here;
use cppc_tests::program::Program;
use cppc_tests::state;
use cppc_tests::support::compiled;

type Check = fn(&Scene) -> Result<()>;

const CASES: [(&str, Check); 12] = [
    ("standard_error_is_closed_at_the_start", closed_at_the_start),
    ("standard_error_is_closed_by_the_program", closed_by_the_program),
    ("nobody_reads_standard_error", nobody_reads),
    ("all_descriptors_are_closed", all_descriptors_closed),
    ("few_descriptors", few_descriptors),
    ("mask_of_all_rights", mask_of_all_rights),
    ("directory_left_after_init", directory_left),
    ("sync_of_an_open_file_fails_once", sync_of_an_open_file),
    ("sync_of_a_closed_file_fails_once", sync_of_a_closed_file),
    ("rights_of_another_group", rights_of_another_group),
    ("descriptors_and_locks_during_dumps", descriptors_during_dumps),
    ("no_descriptor_table_for_the_runtime", no_descriptor_table),
];

/// Other programs, by the names of their files.
const PROGRAMS: [(&str, &str, Check); 2] = [
    ("output_in_buffers_of_c", "printed.c", output_in_buffers_of_c),
    ("output_in_buffers_of_fortran", "printed.f90", output_in_buffers),
];

fn main() -> ExitCode {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("surroundings");
    let cases = CASES.map(|(name, check)| (name, "surroundings.c", check)).into_iter().chain(PROGRAMS);
    let start = |(name, file, check): (&str, &'static str, Check)| {
        case(&scratch, name.to_owned(), move |directory| check(&Scene::of(file, directory)?))
    };
    run(Ok(cases.map(start).collect()))
}

/// The program, built, and a directory to run it in.
struct Scene {
    executable: PathBuf,
    scratch: PathBuf,
    room: PathBuf,
}

impl Scene {
    fn of(file: &str, scratch: &Path) -> Result<Scene> {
        let name = file.split('.').next().unwrap_or(file);
        let program = Program::read(name, &here(&format!("programs/alone/{file}")))?;
        let executable = build::translated(&program, Form::first(&program), scratch)?;
        let room = scratch.join("room");
        std::fs::create_dir_all(&room)?;
        Ok(Scene { executable, scratch: scratch.to_owned(), room })
    }

    /// Runs the program by a line of the shell, where it is `"$P"`.
    fn shell(&self, line: &str, variables: &[(&str, &str)]) -> Result<Output> {
        let mut command = Command::new("sh");
        command.args(["-c", line]).current_dir(&self.room);
        cppc_tests::run::without_settings(&mut command);
        command
            .env("P", &self.executable)
            .env("CPPC_ASYNC", "false")
            .env("CPPC_EVERY", "1")
            .envs(variables.iter().copied());
        command.output().context("cannot run sh")
    }

    fn files(&self) -> Result<BTreeMap<String, Vec<u8>>> {
        let mut files = BTreeMap::new();
        for entry in std::fs::read_dir(&self.room)? {
            let entry = entry?;
            if entry.file_type()?.is_file() {
                // Root can read it with any mode. Other users need the permission.
                std::fs::set_permissions(entry.path(), std::fs::Permissions::from_mode(0o600))?;
                files.insert(entry.file_name().to_string_lossy().into_owned(), std::fs::read(entry.path())?);
            }
        }
        Ok(files)
    }

    fn clear(&self) -> Result<()> {
        std::fs::remove_dir_all(&self.room)?;
        Ok(std::fs::create_dir_all(&self.room)?)
    }

    /// Compares the files of a run that was not killed with those of a run that is killed at each of these
    /// steps and resumed. Returns the messages of the last run on standard error.
    fn survives(&self, line: &str, variables: &[(&str, &str)]) -> Result<String> {
        self.clear()?;
        let unbroken = self.shell(line, variables)?;
        ensure!(unbroken.status.success(), "the unbroken run: {unbroken:?}");
        let wanted = self.files()?;
        ensure!(wanted.contains_key("log.txt"), "no log: {wanted:?}");
        let mut said = String::new();
        for step in ["1", "3", "5", "9"] {
            self.clear()?;
            let mut dying = variables.to_vec();
            dying.push(("DIE", step));
            let killed = self.shell(line, &dying)?;
            ensure!(!killed.status.success(), "not killed: {killed:?}");
            ensure!(!state::lines_of(&self.state(), 0)?.is_empty(), "no state at step {step}: {killed:?}");
            let resumed = self.shell(line, variables)?;
            said = String::from_utf8_lossy(&resumed.stderr).into_owned();
            ensure!(resumed.status.success(), "killed at {step}: {resumed:?}");
            let found = self.files()?;
            ensure!(found == wanted, "killed at {step}: {said}\n{}\n{}", listed(&found), listed(&wanted));
        }
        Ok(said)
    }

    fn state(&self) -> PathBuf {
        self.room.join("cppc-state")
    }

    fn messages(&self) -> Result<String> {
        let path = self.state().join("translated/rank-0000/messages");
        std::fs::read_to_string(&path).with_context(|| format!("`{}`", path.display()))
    }
}

fn listed(files: &BTreeMap<String, Vec<u8>>) -> String {
    files.iter().map(|(name, content)| format!("{name}: {:?}\n", String::from_utf8_lossy(content))).collect()
}

/// What the program printed before the checkpoint is in the file, though it flushed nothing.
fn output_in_buffers(scene: &Scene) -> Result<()> {
    scene.survives("exec \"$P\" >> log.txt", &[]).map(drop)
}

fn output_in_buffers_of_c(scene: &Scene) -> Result<()> {
    output_in_buffers(scene)?;
    scene.clear()?;
    let closed = scene.shell("exec \"$P\" >> log.txt", &[("CLOSE", "output")])?;
    ensure!(closed.status.success(), "standard output is closed: {closed:?}");
    Ok(())
}

/// The log gets the number of standard error: no message may go there.
fn closed_at_the_start(scene: &Scene) -> Result<()> {
    for line in ["exec \"$P\" 2>&-", "exec \"$P\" 1>&- 2>&-", "exec \"$P\" 0>&- 1>&- 2>&-"] {
        let said = scene.survives(line, &[("CPPC_LOG", "debug")])?;
        ensure!(!said.contains("cppc: "), "{said}");
        let log = std::fs::read_to_string(scene.room.join("log.txt"))?;
        ensure!(!log.contains("cppc: "), "{log}");
        let messages = scene.messages()?;
        ensure!(messages.contains("resuming from recovery line"), "{messages}");
    }
    Ok(())
}

fn closed_by_the_program(scene: &Scene) -> Result<()> {
    for when in ["early", "block"] {
        scene.survives("exec \"$P\"", &[("CPPC_LOG", "debug"), ("CLOSE", when)])?;
        let log = std::fs::read_to_string(scene.room.join("log.txt"))?;
        ensure!(!log.contains("cppc: ") && log.contains("at 9"), "{log}");
        let messages = scene.messages()?;
        ensure!(messages.contains("recovery line"), "{messages}");
    }
    Ok(())
}

/// The messages of the runtime must not end the program with SIGPIPE.
fn nobody_reads(scene: &Scene) -> Result<()> {
    for asynchronous in ["false", "true"] {
        scene.clear()?;
        let (ours, theirs) = std::os::unix::net::UnixStream::pair()?;
        drop(ours);
        let mut command = Command::new(&scene.executable);
        command
            .current_dir(&scene.room)
            .env("QUIET", "1")
            .env("CPPC_LOG", "debug")
            .env("CPPC_ASYNC", asynchronous);
        let status = command.stderr(std::os::fd::OwnedFd::from(theirs)).status()?;
        ensure!(status.success(), "{status}");
    }
    Ok(())
}

/// The descriptors of the runtime are closed too. It opens its files again, with numbers that the program
/// does not get.
fn all_descriptors_closed(scene: &Scene) -> Result<()> {
    for asynchronous in ["false", "true"] {
        scene.survives("exec \"$P\"", &[("CLOSE", "all"), ("CPPC_ASYNC", asynchronous)])?;
    }
    Ok(())
}

fn few_descriptors(scene: &Scene) -> Result<()> {
    for limit in ["16", "64"] {
        let said = scene.survives(&format!("ulimit -n {limit}; exec \"$P\""), &[])?;
        ensure!(!said.contains("Too many"), "with {limit}: {said}");
    }
    // A restart opens the files of all steps again, which may be too many.
    let wanted = scene.files()?;
    for limit in ["6", "7", "8", "10", "12"] {
        let line = format!("ulimit -n {limit}; exec \"$P\"");
        scene.clear()?;
        scene.shell(&line, &[("DIE", "5")])?;
        let resumed = scene.shell(&line, &[])?;
        let said = String::from_utf8_lossy(&resumed.stderr).into_owned();
        match resumed.status.success() {
            true => ensure!(scene.files()? == wanted, "with {limit}: {}", listed(&scene.files()?)),
            false => ensure!(said.contains("Too many open files"), "with {limit}: {resumed:?}"),
        }
        let resumed = scene.shell("exec \"$P\"", &[])?;
        ensure!(scene.files()? == wanted, "after {limit}: {resumed:?} {}", listed(&scene.files()?));
    }
    Ok(())
}

/// Only root can open the files of the program again.
fn mask_of_all_rights(scene: &Scene) -> Result<()> {
    // Otherwise the owner could not open the state directory either.
    scene.clear()?;
    let output = scene.shell("exec \"$P\"", &[("MASK", "0777")])?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    ensure!(output.status.success(), "{said}");
    scene.survives("exec \"$P\"", &[("MASK", "0077")]).map(|_| ())
}

fn directory_left(scene: &Scene) -> Result<()> {
    scene.survives("exec \"$P\"", &[("AWAY", "/")])?;
    ensure!(!Path::new("/cppc-state").exists(), "state was written elsewhere");
    Ok(())
}

fn sync_of_an_open_file(scene: &Scene) -> Result<()> {
    sync_fails(scene, "/log.txt:4", "log.txt")
}

fn sync_of_a_closed_file(scene: &Scene) -> Result<()> {
    sync_fails(scene, "/step-2.txt:1", "step-2.txt")
}

/// Linux reports a write that was lost once: from then on no line is published, and the lines before stay.
fn sync_fails(scene: &Scene, order: &str, name: &str) -> Result<()> {
    let shim = compiled(Command::new("cc"), &["-shared", "-fPIC", "-O1"], "sync_fails.c")?;
    let wanted = {
        scene.clear()?;
        let output = scene.shell("exec \"$P\"", &[])?;
        ensure!(output.status.success(), "{output:?}");
        scene.files()?
    };
    let shim = shim.display().to_string();
    for asynchronous in ["false", "true"] {
        scene.clear()?;
        let set = [("LD_PRELOAD", &*shim), ("SYNC_FAILS", order), ("DIE", "8"), ("CPPC_ASYNC", asynchronous)];
        let killed = scene.shell("exec \"$P\"", &set)?;
        let said = String::from_utf8_lossy(&killed.stderr).into_owned();
        ensure!(said.contains("a sync has failed") && said.contains(name), "not reported:\n{said}");
        let newest = state::newest_of(&scene.state(), 0)?;
        ensure!(newest.ends_with("line-000003.cppc"), "{asynchronous}: {newest:?}\n{said}");
        let resumed = scene.shell("exec \"$P\"", &[])?;
        let said = String::from_utf8_lossy(&resumed.stderr).into_owned();
        ensure!(resumed.status.success() && said.contains("resuming from recovery line 3 "), "{said}");
        let found = scene.files()?;
        ensure!(found == wanted, "{}\n{}", listed(&found), listed(&wanted));
    }
    Ok(())
}

/// A descriptor of the runtime must not take a number that the program could get, not even for a moment. The
/// runtime must not hold a pipe of the program, nor release its locks.
fn descriptors_during_dumps(scratch: &Scene) -> Result<()> {
    let scene = Scene::of("descriptors.c", &scratch.scratch)?;
    for _ in 0..3 {
        scene.clear()?;
        let output = scene.shell("exec \"$P\"", &[("CPPC_ASYNC", "true"), ("CPPC_LOCK_LEASE", "1")])?;
        let said = String::from_utf8_lossy(&output.stderr);
        ensure!(output.status.success() && said.is_empty(), "{output:?}");
        let found = String::from_utf8_lossy(&output.stdout);
        ensure!(found == "number 0 pipe 0 lock 0\n", "{found}");
    }
    Ok(())
}

/// The program waits for its dumps, and its descriptors and locks are untouched.
fn no_descriptor_table(scratch: &Scene) -> Result<()> {
    let scene = Scene::of("descriptors.c", &scratch.scratch)?;
    let refuse = scene.scratch.join("refuse_table");
    succeed(Command::new("cc").arg(here("support/refuse_table.c")).arg("-o").arg(&refuse))?;
    let refuse = refuse.display().to_string();
    let set = [("CPPC_ASYNC", "true"), ("REFUSE", &*refuse), ("CPPC_LOCK_LEASE", "1")];
    let output = scene.shell("exec \"$REFUSE\" \"$P\"", &set)?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(said.matches("the program waits while state files are written").count() == 1, "{output:?}");
    let found = String::from_utf8_lossy(&output.stdout);
    // Status 5: no thread was seen that writes.
    ensure!(output.status.code() == Some(5) && found == "number 0 pipe 0 lock 0\n", "{output:?}");
    Ok(())
}

/// The caller of a setgid program must not decide which code runs in it, nor what is in its memory.
fn rights_of_another_group(scene: &Scene) -> Result<()> {
    let Some(group) = another_group() else { return Ok(()) };
    chown(&scene.executable, None, Some(group)).context("the group cannot be given away")?;
    std::fs::set_permissions(&scene.executable, std::fs::Permissions::from_mode(0o2755))?;
    let elsewhere = scene.scratch.join("elsewhere").display().to_string();
    std::fs::write(scene.room.join("cppc.toml"), "writer = \"./evil.so\"\n")?;
    let output =
        scene.shell("exec \"$P\" --cppc-every=1", &[("CPPC_DIR", &elsewhere), ("CPPC_NONSENSE", "1")])?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    ensure!(output.status.success(), "{said}");
    ensure!(said.contains("rights that its caller does not have"), "not reported:\n{said}");
    ensure!(!Path::new(&elsewhere).exists() && !scene.state().exists(), "state was written");
    Ok(())
}

/// A group to which the test may give a file. None if there is no such group, and the test is not possible.
fn another_group() -> Option<u32> {
    // SAFETY: these only ask the system; the list has room for as many as are asked for.
    unsafe {
        if libc::geteuid() == 0 {
            return Some(65534);
        }
        let mut groups = [0; 64];
        let count = libc::getgroups(64, groups.as_mut_ptr());
        let own = libc::getegid();
        groups.into_iter().take(usize::try_from(count).unwrap_or(0)).find(|&group| group != own)
    }
}
