//! `check-memory`: files with `unsafe` under Miri, and the library with C programs under the sanitizers of
//! nightly Rust.
//!
//! Input: the workspace, and nightly Rust with `miri` and `rust-src`.
//! Output: the tools' reports.
//! Postcondition: Miri has found no undefined behaviour in the tests that it can run; AddressSanitizer and
//! ThreadSanitizer have found nothing in C programs that are stopped and resumed, with the threads that
//! write and that keep the lock.

use std::process::{Command, Stdio};

use anyhow::{bail, Result};

use crate::workspace::{output, run as run_command, Workspace};

/// One of the tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Tool {
    Miri,
    /// AddressSanitizer.
    Address,
    /// ThreadSanitizer.
    Thread,
}

const ALL: [Tool; 3] = [Tool::Miri, Tool::Address, Tool::Thread];

/// The tests that Miri can run: package, target, names of tests.
const INTERPRETED: &[(&str, &[&str], &[&str])] = &[
    ("cppc-runtime", &["--lib"], &["memory::", "register::", "write::buffer", "restore::", "threads::"]),
    ("cppc-fortran-bindings", &["--lib"], &[]),
    ("cppc-runtime-ffi", &["--lib"], &[]),
];

/// Tests that request more memory than any machine has, fill megabytes, or need system calls that Miri does
/// not support.
const NOT_INTERPRETED: &[&str] = &[
    "memory_that_was_not_opened",
    "memory_is_zero_and_can_be_written",
    "used_memory_becomes_zero",
    "large_memory_is_copied",
    "stack_data_and_heap_are_told_apart",
    "more_than_the_machine_has_is_not_possible",
];

/// Tests that have their own allocator, that need the usual layout of memory, that search all memory for pointers
/// (sanitizers map terabytes), or that use types that clang does not support.
const NOT_SANITIZED: &[&str] = &[
    "a_call_in_a_signal_handler",
    "pointers_that_a_restart_leaves_behind",
    "pointers_into_memory_that_was_left",
    "stack_data_and_heap_are_told_apart",
    "a_registered_pointer_that",
    "types",
];

pub fn run(workspace: &Workspace, tools: &[Tool]) -> Result<()> {
    let tools = if tools.is_empty() { &ALL } else { tools };
    let is_there = |words: &[&str]| {
        let asked = nightly().args(words).stdout(Stdio::null()).stderr(Stdio::null()).status();
        asked.is_ok_and(|status| status.success())
    };
    let has_miri = !tools.contains(&Tool::Miri) || is_there(&["cargo", "miri", "--version"]);
    if !has_miri || !is_there(&["rustc", "--version"]) {
        bail!("nightly Rust with Miri is missing: rustup toolchain install nightly --component miri --component rust-src");
    }
    for tool in tools {
        println!("check-memory: {tool:?}");
        match tool {
            Tool::Miri => interpret(workspace)?,
            Tool::Address => {
                sanitize(workspace, "address", &["-fsanitize=address".to_owned()])?;
                sanitize_tests(workspace)?;
            }
            Tool::Thread => sanitize(workspace, "thread", &runtime_of_thread_sanitizer()?)?,
        }
    }
    Ok(())
}

fn nightly() -> Command {
    let mut rustup = Command::new("rustup");
    rustup.args(["run", "nightly"]);
    rustup
}

fn interpret(workspace: &Workspace) -> Result<()> {
    for (package, target, names) in INTERPRETED {
        let mut miri = nightly();
        miri.args(["cargo", "miri", "test", "--package", package]).args(*target).arg("--").args(*names);
        miri.args(NOT_INTERPRETED.iter().flat_map(|name| ["--skip", name]));
        run_command(miri.current_dir(&workspace.root).env("MIRIFLAGS", "-Zmiri-disable-isolation"))?;
    }
    Ok(())
}

/// The C programs of `libcppc/tests/clients`, killed at each checkpoint and resumed. For ThreadSanitizer, the
/// standard library of Rust is built with it too, so that it knows the channels and locks. The lock is
/// renewed very often.
fn sanitize(workspace: &Workspace, sanitizer: &str, client_flags: &[String]) -> Result<()> {
    let mut tests = nightly();
    tests.args(["cargo", "test", "--target", &target(), "--package", "libcppc", "--test", "clients"]);
    if sanitizer == "thread" {
        tests.arg("-Zbuild-std");
    }
    tests.env("RUSTFLAGS", format!("-Zsanitizer={sanitizer}"));
    tests.env("CARGO_TARGET_DIR", workspace.target().join(format!("sanitize-{sanitizer}")));
    tests.env("CLIENT_CC", if sanitizer == "thread" { "clang" } else { "cc" });
    tests.env("CLIENT_FLAGS", format!("-g {}", client_flags.join(" ")));
    tests
        .env("TSAN_OPTIONS", "halt_on_error=1")
        .env("ASAN_OPTIONS", "detect_leaks=0")
        .env("CPPC_LOCK_LEASE", "1");
    tests.arg("--").args(NOT_SANITIZED.iter().flat_map(|name| ["--skip", name]));
    run_command(tests.current_dir(&workspace.root))
}

/// The tests in Rust of what the C programs do not use: files of a program, and writers. The HDF5 writer is a
/// shared object, which does not find the symbols of the sanitizer; libFuzzer runs its reader with them.
fn sanitize_tests(workspace: &Workspace) -> Result<()> {
    let mut tests = nightly();
    tests.args(["cargo", "test", "--target", &target(), "--package", "cppc-runtime", "--lib", "--tests"]);
    tests.env("RUSTFLAGS", "-Zsanitizer=address");
    // Some tests request more memory than there is.
    tests.env("ASAN_OPTIONS", "detect_leaks=0:allocator_may_return_null=1");
    tests.env("CARGO_TARGET_DIR", workspace.target().join("sanitize-address"));
    tests.arg("--").args(NOT_SANITIZED.iter().flat_map(|name| ["--skip", name]));
    run_command(tests.current_dir(&workspace.root))
}

fn target() -> String {
    format!("{}-unknown-linux-gnu", std::env::consts::ARCH)
}

/// The runtime of Rust, because those of C compilers are older than the code that the Rust compiler emits.
fn runtime_of_thread_sanitizer() -> Result<Vec<String>> {
    let sysroot = output(nightly().args(["rustc", "--print", "sysroot"]))?;
    let archive = format!("{}/lib/rustlib/{}/lib/librustc-nightly_rt.tsan.a", sysroot.trim(), target());
    let linked = format!("-Wl,--whole-archive {archive} -Wl,--no-whole-archive -rdynamic -ldl -lrt -lresolv");
    Ok(vec!["-fsanitize=thread -fno-sanitize-link-runtime".to_owned(), linked])
}
