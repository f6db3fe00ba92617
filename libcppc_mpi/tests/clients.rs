//! C and Fortran programs that use MPI, on four processes, killed and resumed.
//!
//! Input: the sources in `clients/`, `mpicc`, `mpifort`, `mpirun`.
//! Output: the output of the programs.
//! Postcondition: whichever process was killed, all processes resume from the same line.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const PROCESSES: &str = "4";

#[test]
fn a_run_on_four_processes_resumes_from_every_checkpoint() {
    let client = Client::build("heat");
    let unbroken = client.run("unbroken", &[("CPPC_EVERY", "0")]);
    assert!(unbroken.status.success(), "{unbroken:?}");
    assert!(text(&unbroken.stdout).contains("4 processes, 1 argument"), "{unbroken:?}");
    for (at, rank) in [("1", "0"), ("3", "2"), ("6", "3")] {
        let killed = client.run(at, &[("KILL_AT", at), ("KILL_RANK", rank), ("CPPC_ASYNC", "false")]);
        assert!(!killed.status.success(), "{killed:?}");
        let resumed = client.run(at, &[]);
        assert_eq!(text(&resumed.stdout), text(&unbroken.stdout), "killed at {at}: {resumed:?}");
        let announced = text(&resumed.stderr);
        assert_eq!(announced.matches("cppc: resuming from recovery line").count(), 1, "{announced}");
        assert!(announced.contains("(4 processes, written "), "{announced}");
    }
}

/// Fortran's `MPI_INIT` initializes MPI.
#[test]
fn a_fortran_run_on_four_processes_resumes_from_every_checkpoint() {
    let client = Client::build("ring.f90");
    let unbroken = client.run("unbroken", &[("CPPC_EVERY", "0")]);
    assert!(unbroken.status.success(), "{unbroken:?}");
    for (at, rank) in [("1", "1"), ("2", "0"), ("5", "3")] {
        let killed = client.run(at, &[("KILL_AT", at), ("KILL_RANK", rank), ("CPPC_ASYNC", "false")]);
        assert!(!killed.status.success(), "{killed:?}");
        let resumed = client.run(at, &[]);
        assert_eq!(text(&resumed.stdout), text(&unbroken.stdout), "killed at {at}: {resumed:?}");
        assert!(text(&resumed.stderr).contains("(4 processes, written "), "{resumed:?}");
    }
}

/// Both libraries have every routine of the table, under both of its names.
#[test]
fn fortran_finds_every_routine() {
    let shared = library();
    let archive = ["libcppc_mpi.a", "../libcppc_mpi.a"].map(|name| shared.with_file_name(name));
    let archive =
        archive.into_iter().find(|path| path.exists()).expect("`libcppc_mpi.a` is built beside the tests");
    for (library, table) in [(shared, "-D"), (archive, "-g")] {
        let output =
            Command::new("nm").args([table, "--defined-only", "--format=posix"]).arg(&library).output();
        let shown = text(&output.expect("`nm` is there").stdout);
        let found: std::collections::HashSet<&str> =
            shown.lines().filter_map(|line| line.split(' ').next()).collect();
        for symbol in cppc_abi::routines::names().iter().flat_map(|name| cppc_abi::routines::symbols(name)) {
            assert!(found.contains(&*symbol), "`{symbol}` is not in `{}`", library.display());
        }
    }
}

#[test]
fn a_run_that_is_killed_while_it_writes_falls_back() {
    let client = Client::build("heat");
    let unbroken = client.run("unbroken", &[("CPPC_EVERY", "0")]);
    for _ in 0..2 {
        let killed = client.run("broken", &[("KILL_AT", "3"), ("KILL_RANK", "1")]);
        assert!(!killed.status.success(), "{killed:?}");
    }
    let resumed = client.run("broken", &[]);
    assert_eq!(text(&resumed.stdout), text(&unbroken.stdout), "{resumed:?}");
}

#[test]
fn init_outside_of_mpi_is_refused() {
    let client = Client::build("early");
    let run = client.run("early", &[]);
    assert_eq!(text(&run.stdout).lines().next(), Some("10 10"), "{run:?}");
    let said = text(&run.stderr);
    assert!(said.contains("cppc: `CPPC_Init` was called before `MPI_Init`"), "{said}");
    assert!(said.contains("cppc: `CPPC_Init` was called after `MPI_Finalize`"), "{said}");
}

#[test]
fn a_program_that_never_starts_mpi_has_state() {
    for option in ["-DSERIAL", "-DREPLACED"] {
        let client = Client::build_with("serial", &[option]);
        let killed = client.run_alone();
        assert!(!killed.status.success() && killed.stderr.is_empty(), "{option}: {killed:?}");
        let resumed = client.run_alone();
        assert!(text(&resumed.stderr).contains("resuming from recovery line 4 (1 process"), "{resumed:?}");
        assert_eq!(text(&resumed.stdout), "3\n4\n5\n", "{option}: {resumed:?}");
    }
}

#[test]
fn memory_of_mpi_is_saved_unless_it_belongs_to_a_window() {
    let names = cppc_abi::WRAPPED_FUNCTIONS.iter().chain(cppc_abi::WRAPPED_FUNCTIONS_OF_MPI);
    let options: Vec<String> = names.map(|name| format!("-Wl,--wrap={name}")).collect();
    let client = Client::build_with("memory", &options.iter().map(String::as_str).collect::<Vec<_>>());
    let killed = client.run_alone();
    assert!(!killed.status.success(), "{killed:?}");
    let resumed = client.run_alone();
    let said = text(&resumed.stderr);
    assert!(said.contains("resuming from recovery line 4"), "{resumed:?}");
    assert_eq!(text(&resumed.stdout), "22\n", "{resumed:?}");
    let skipped: Vec<&str> = said.lines().filter(|line| line.contains("nothing is written")).collect();
    assert!(
        matches!(skipped[..], [one] if one.contains("`of_window` points to memory of a window")),
        "{resumed:?}"
    );
}

#[test]
fn a_checkpoint_after_mpi_has_ended_is_skipped() {
    let client = Client::build("late");
    let run = client.run("late", &[]);
    assert!(run.status.success(), "{run:?}");
    assert_eq!(text(&run.stdout).matches("the end").count(), 4, "{run:?}");
    let said = text(&run.stderr);
    assert!(said.contains("`MPI_Finalize` was called before `CPPC_Shutdown`"), "{said}");
}

struct Client {
    program: PathBuf,
    directory: PathBuf,
    /// State directories.
    memory: PathBuf,
}

impl Client {
    fn build(name: &str) -> Client {
        Client::build_with(name, &[])
    }

    fn build_with(name: &str, options: &[&str]) -> Client {
        use std::sync::atomic::{AtomicU32, Ordering};
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let own = format!("cppc-mpi-{name}-{}-{number}", std::process::id());
        let made = |place: &str| -> std::io::Result<PathBuf> {
            let path = Path::new(place).join(&own);
            // A killed process with the same number may have left it.
            let _ = std::fs::remove_dir_all(&path);
            std::fs::create_dir_all(path.join("state")).map(|()| path)
        };
        // The directory of the build, from which programs can be run.
        let directory = made(env!("CARGO_TARGET_TMPDIR")).expect("a directory for the test");
        // In memory if possible: these tests do not concern the disk.
        let memory = made("/dev/shm").unwrap_or_else(|_| directory.clone()).join("state");
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let program = directory.join(name);
        let library = library();
        for name in
            [format!("libcppc_mpi.so.{}", env!("CARGO_PKG_VERSION_MAJOR")), "libcppc_mpi.so".to_owned()]
        {
            std::os::unix::fs::symlink(&library, directory.join(name)).expect("a link to the library");
        }
        let mut compile = if name.ends_with(".f90") {
            let mut compile = Command::new("mpifort");
            compile.args(["-O2", "-Wall", "-I"]).arg(here.join("../fortran-bindings/include"));
            compile.arg(here.join("tests/clients").join(name));
            compile
        } else {
            let mut compile = Command::new("mpicc");
            compile
                .args(["-O2", "-Wall", "-Wno-maybe-uninitialized", "-I"])
                .arg(here.join("../runtime-ffi/include"));
            compile.arg(here.join(format!("tests/clients/{name}.c")));
            compile
        };
        let output = compile
            .args(options)
            .arg("-o")
            .arg(&program)
            .arg(&library)
            .arg(format!("-Wl,-rpath,{}", directory.display()))
            .output()
            .expect("an MPI compiler is installed");
        assert!(output.status.success(), "{}", text(&output.stderr));
        Client { program, directory, memory }
    }

    /// Runs the program as one process.
    fn run_alone(&self) -> Output {
        Command::new(&self.program)
            .env("CPPC_DIR", self.memory.join("alone"))
            .env("CPPC_EVERY", "1")
            .env("CPPC_ASYNC", "false")
            .current_dir(&self.directory)
            .stdin(Stdio::null())
            .output()
            .expect("the program can be started")
    }

    fn run(&self, state: &str, variables: &[(&str, &str)]) -> Output {
        Command::new("mpirun")
            .args(["-n", PROCESSES, "--oversubscribe", "--allow-run-as-root"])
            .arg(&self.program)
            .env_remove("KILL_AT")
            .env("CPPC_DIR", self.memory.join(state))
            .env("CPPC_EVERY", "1")
            .envs(variables.iter().copied())
            .current_dir(&self.directory)
            .stdin(Stdio::null())
            .output()
            .expect("`mpirun` is installed")
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        for place in [self.memory.parent(), Some(&*self.directory)].into_iter().flatten() {
            let _ = std::fs::remove_dir_all(place);
        }
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The library that Cargo has built for this test.
fn library() -> PathBuf {
    let test = std::env::current_exe().expect("the test has a path");
    let built = test.ancestors().skip(1).map(|directory| directory.join("libcppc_mpi.so"));
    built.take(2).find(|path| path.exists()).expect("`libcppc_mpi.so` is built beside its tests")
}
