//! Builds clients and runs them as processes.
//!
//! Input: the name of a source in `clients/`.
//! Output: what a run printed and how it ended.
//! Postcondition: each client has its own directory and state directories, which are removed with it.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

const SIGKILL: i32 = 9;
const FLAGS: &[&str] = &["-O2", "-Wall", "-Wno-maybe-uninitialized", "-Wno-unused-function", "-pthread"];

/// A compiled program.
pub struct Client {
    program: PathBuf,
    /// The directory that contains it and where it runs.
    directory: Directory,
    /// State directories.
    memory: Directory,
}

/// How a run ended.
#[derive(Debug)]
pub struct Run {
    pub out: String,
    pub err: String,
    pub code: Option<i32>,
    pub signal: Option<i32>,
}

impl Client {
    pub fn build(name: &str) -> Client {
        Client::build_with(
            name,
            &Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/clients/{name}.c")),
            &[],
        )
    }

    pub fn build_with(name: &str, source: &Path, more: &[&str]) -> Client {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        // Such as `clang` and `-fsanitize=thread`, for a library that was built with the same sanitizer.
        let mut compile = Command::new(std::env::var("CLIENT_CC").unwrap_or("cc".to_owned()));
        compile.args(FLAGS).args(more);
        compile.args(std::env::var("CLIENT_FLAGS").unwrap_or_default().split_whitespace());
        compile.arg("-I").arg(here.join("../runtime-ffi/include")).arg("-I").arg(here.join("tests/clients"));
        Client::build_by(name, compile.arg(source))
    }

    /// Builds with the command of a compiler, to which the library and the name of the program are added.
    pub fn build_by(name: &str, compile: &mut Command) -> Client {
        let directory = Directory::new(name, None);
        let program = directory.0.join(name);
        let library = library();
        under_its_name(&library, &directory.0);
        let output = compile
            .current_dir(&directory.0)
            .arg("-o")
            .arg(&program)
            .arg(&library)
            .arg(format!("-Wl,-rpath,{}", directory.0.display()))
            .arg("-lm")
            .output()
            .expect("a compiler");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        // In memory if possible: these tests do not concern the disk.
        Client { program, directory, memory: Directory::new(name, Some(Path::new("/dev/shm"))) }
    }

    /// Runs in a state directory of the client, with settings as environment variables.
    pub fn run(&self, state: &str, variables: &[(&str, &str)]) -> Run {
        self.run_with(state, variables, &[])
    }

    pub fn run_with(&self, state: &str, variables: &[(&str, &str)], arguments: &[&str]) -> Run {
        let output = self
            .command()
            .args(arguments)
            .env_remove("KILL_AT")
            .env("CPPC_DIR", self.state(state))
            .env("CPPC_EVERY", "1")
            .envs(variables.iter().copied())
            .current_dir(&self.directory.0)
            .stdin(Stdio::null())
            .output()
            .expect("the client runs");
        Run::new(output)
    }

    /// The program, under another one if `CLIENT_UNDER` names one, such as `valgrind -q --error-exitcode=99`.
    fn command(&self) -> Command {
        let under = std::env::var("CLIENT_UNDER").unwrap_or_default();
        let mut words = under.split_whitespace();
        let Some(first) = words.next() else { return Command::new(&self.program) };
        let mut command = Command::new(first);
        command.args(words).arg(&self.program);
        command
    }

    /// Kills the program from outside.
    pub fn kill_after(&self, state: &str, wait_ms: u64, variables: &[(&str, &str)]) {
        let mut child = self
            .command()
            .env("CPPC_DIR", self.state(state))
            .env("CPPC_EVERY", "1")
            .envs(variables.iter().copied())
            .current_dir(&self.directory.0)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("the client runs");
        std::thread::sleep(std::time::Duration::from_millis(wait_ms));
        let _ = child.kill();
        child.wait().expect("the client is gone");
    }

    /// Removes the marker file of a finished run, as if the program had been killed right before.
    pub fn forget_that_it_finished(&self, directory: &str) {
        let directory = self.state(directory);
        let entries = std::fs::read_dir(&directory).expect("the state is kept");
        let marks =
            entries.flatten().filter(|entry| entry.file_name().to_string_lossy().starts_with("finished-"));
        marks.for_each(|mark| std::fs::remove_file(mark.path()).expect("the mark can be removed"));
    }

    pub fn state(&self, state: &str) -> PathBuf {
        self.memory.0.join(state)
    }

    /// Kills at every checkpoint, each time in its own state directory, and resumes; then once more with a
    /// kill after every single checkpoint.
    pub fn survives_every_kill(&self) {
        let unbroken = self.run("unbroken", &[("CPPC_EVERY", "0")]);
        assert!(unbroken.is_success(), "{unbroken:?}");
        let checkpoints = self.kill_at_every_checkpoint(&unbroken.out, &[("CPPC_ASYNC", "false")]);
        assert!(checkpoints > 1, "the program has checkpoints");
        self.crawl(&unbroken.out);
        self.kill_at_every_checkpoint(&unbroken.out, &[("CPPC_EVERY", "2")]);
    }

    fn kill_at_every_checkpoint(&self, wanted: &str, settings: &[(&str, &str)]) -> u32 {
        for at in 1.. {
            let state = format!("at-{at}-{}", settings[0].0);
            let number = at.to_string();
            let mut variables = settings.to_vec();
            variables.push(("KILL_AT", &number));
            let killed = self.run(&state, &variables);
            if killed.signal != Some(SIGKILL) {
                assert!(killed.is_success(), "{killed:?}");
                return at - 1;
            }
            let resumed = self.run(&state, settings);
            assert!(resumed.is_success(), "killed at {at}: {resumed:?}");
            assert_eq!(resumed.out, wanted, "killed at {at}: {}", resumed.err);
            if settings.contains(&("CPPC_ASYNC", "false")) {
                assert!(resumed.err.contains("resuming from recovery line "), "{resumed:?}");
            }
        }
        unreachable!("the loop ends when the program does");
    }

    /// Resumes and kills at the next checkpoint, until there is none.
    fn crawl(&self, wanted: &str) {
        for _ in 0..1000 {
            let run = self.run("crawl", &[("CPPC_ASYNC", "false"), ("KILL_AT", "1")]);
            if run.signal != Some(SIGKILL) {
                assert!(run.is_success(), "{run:?}");
                assert_eq!(run.out, wanted);
                return;
            }
        }
        panic!("the program makes no progress");
    }
}

impl Run {
    pub fn new(output: Output) -> Run {
        use std::os::unix::process::ExitStatusExt;
        Run {
            out: String::from_utf8_lossy(&output.stdout).into_owned(),
            err: String::from_utf8_lossy(&output.stderr).into_owned(),
            code: output.status.code(),
            signal: output.status.signal(),
        }
    }

    pub fn is_success(&self) -> bool {
        self.code == Some(0)
    }
}

/// The library that Cargo has built for this test.
pub fn library() -> PathBuf {
    let test = std::env::current_exe().expect("the test has a path");
    let built = test.ancestors().skip(1).map(|directory| directory.join("libcppc.so"));
    built.take(2).find(|path| path.exists()).expect("`libcppc.so` is built beside its tests")
}

/// Puts the library into a directory under the name that programs load at run time.
pub fn under_its_name(library: &Path, directory: &Path) {
    let name = format!("libcppc.so.{}", env!("CARGO_PKG_VERSION_MAJOR"));
    for name in [name.as_str(), "libcppc.so"] {
        let link = directory.join(name);
        let _ = std::fs::remove_file(&link);
        std::os::unix::fs::symlink(library, link).expect("a link to the library");
    }
}

/// A directory that is removed when it is dropped.
struct Directory(PathBuf);

impl Directory {
    /// In the preferred directory if possible, otherwise in that of the build, from which programs can be
    /// run.
    fn new(name: &str, place: Option<&Path>) -> Directory {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let own = format!("cppc-client-{name}-{}-{number}", std::process::id());
        let made = |place: &Path| -> std::io::Result<Directory> {
            let path = place.join(&own);
            // A killed process with the same number may have left it.
            let _ = std::fs::remove_dir_all(&path);
            std::fs::create_dir_all(&path).map(|()| Directory(path))
        };
        let found = place.and_then(|place| made(place).ok());
        found.unwrap_or_else(|| {
            made(Path::new(env!("CARGO_TARGET_TMPDIR"))).expect("a directory for the test")
        })
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
