//! Programs that are built in other ways: file by file, from an archive, with the calls of the runtime
//! written by hand. Each is killed and resumed like the others.

use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{ensure, Result};
use cppc_tests::build::{self, Assembly};
use cppc_tests::cases::{case, run};
use cppc_tests::form::{Compiler, Dispatch, Form};
use cppc_tests::matrix::{at_checkpoint, in_memory, spread};
use cppc_tests::product::{here, workspace, Product};
use cppc_tests::program::{in_folder, in_fortran, Language, Program};
use cppc_tests::run::{without_settings, Run};
use cppc_tests::scenario::{same, Subject};
use libtest_mimic::Trial;

/// Programs whose main file calls the other files, and is not called by them.
const IN_SHARED_LIBRARIES: [&str; 6] = [
    "files_deep_calls",
    "files_function_table",
    "files_globals",
    "files_static_names",
    "fortran_files_deep_calls",
    "fortran_mixed_c_main",
];

fn main() -> ExitCode {
    run(cases())
}

fn cases() -> Result<Vec<Trial>> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("builds");
    let mut cases = Vec::new();
    for program in in_folder(&here("programs/c"))?.into_iter().chain(in_fortran()?) {
        if program.sources.len() == 1 {
            continue;
        }
        if IN_SHARED_LIBRARIES.contains(&program.name.as_str()) {
            let program = program.clone();
            cases.push(case(&scratch, format!("shared/{}", program.name), move |directory| {
                shared(&program, directory)
            }));
        }
        for (name, assembly) in [("objects", Assembly::Objects), ("archive", Assembly::Archive)] {
            let program = program.clone();
            cases.push(case(&scratch, format!("{name}/{}", program.name), move |directory| {
                let plain = build::plain(&program, second(&program), directory)?;
                let executable = build::assembled(&program, assembly, second(&program), directory)?;
                resumes(&program, &plain, &executable, directory)
            }));
        }
    }
    for optimisation in ["-O0", "-O3"] {
        cases.push(case(&scratch, format!("by_hand{optimisation}"), move |directory| {
            by_hand(optimisation, directory)
        }));
    }
    cases.push(case(&scratch, "static_library_leaves_arithmetic_alone".to_owned(), arithmetic));
    cases.push(case(&scratch, "static_pie".to_owned(), static_pie));
    cases.push(case(&scratch, "static_program_with_allocations".to_owned(), static_program_with_allocations));
    cases.push(case(&scratch, "program_that_wraps_malloc".to_owned(), program_that_wraps_malloc));
    Ok(cases)
}

/// A program and its shared library are translated separately, and fit together.
fn shared(program: &Program, directory: &Path) -> Result<()> {
    const KILLS: [u32; 3] = [1, 2, 3];
    let plain = build::plain(program, second(program), directory)?;
    let executable = build::with_shared_library(program, second(program), directory)?;
    let expected = Command::new(plain).current_dir(directory).output()?;
    ensure!(expected.status.success() && !expected.stdout.is_empty(), "the reference: {expected:?}");
    let expected = String::from_utf8_lossy(&expected.stdout).into_owned();
    for kill in KILLS {
        let start = |after: Option<u32>| {
            let mut run = Command::new(&executable);
            without_settings(&mut run);
            run.current_dir(directory).env("CPPC_DIR", format!("state-{kill}")).env("CPPC_EVERY", "1");
            run.envs(after.map(|number| ("CPPC_KILL_AFTER", number.to_string()))).output()
        };
        let killed = start(Some(kill))?;
        ensure!(killed.status.signal() == Some(9), "not killed after line {kill}: {killed:?}");
        let resumed = start(None)?;
        let said = String::from_utf8_lossy(&resumed.stderr).into_owned();
        ensure!(resumed.status.success(), "{resumed:?}");
        ensure!(said.contains(&format!("resuming from recovery line {kill} ")), "{said}");
        let printed = String::from_utf8_lossy(&resumed.stdout).into_owned();
        ensure!(
            !printed.is_empty() && expected.ends_with(&printed),
            "{printed}instead of the end of\n{expected}"
        );
    }
    Ok(())
}

/// The C library ends a static PIE before `main` if it has a search path for libraries.
fn static_pie(directory: &Path) -> Result<()> {
    let program = Program::read("static_pie", &here("programs/c/settings_every.c"))?;
    let plain = build::plain(&program, second(&program), directory)?;
    let linked = Program { flags: vec!["-fPIE".into(), "-static-pie".into()], ..program.clone() };
    let executable = build::translated(&linked, second(&program), directory)?;
    resumes(&program, &plain, &executable, directory)
}

/// In a static program, only the runtime refers to the original `malloc`.
fn static_program_with_allocations(directory: &Path) -> Result<()> {
    let program = Program::read("static_allocations", &here("programs/c/heap_allocations.c"))?;
    let plain = build::plain(&program, second(&program), directory)?;
    let linked = Program { flags: vec!["-static".into()], ..program.clone() };
    let executable = build::translated(&linked, second(&program), directory)?;
    resumes(&program, &plain, &executable, directory)
}

fn program_that_wraps_malloc(directory: &Path) -> Result<()> {
    let program = Program::read("own_wrapper", &here("programs/alone/own_wrapper.c"))?;
    let program = Program { flags: vec!["-Wl,--wrap=malloc".into()], ..program };
    let plain = build::plain(&program, second(&program), directory)?;
    let executable = build::translated(&program, second(&program), directory)?;
    resumes(&program, &plain, &executable, directory)
}

/// Builds that the matrix does not try.
fn second(program: &Program) -> Form {
    let compiler = match program.language {
        Language::C => Compiler::C,
        Language::Fortran => Compiler::Gfortran,
    };
    Form { compiler, dispatch: Dispatch::Switch, optimisation: "-O2" }
}

/// The example in the form of the papers; it prints nothing that depends on the runtime.
fn by_hand(optimisation: &'static str, directory: &Path) -> Result<()> {
    let program = Program::read("by_hand", &workspace().join("examples/c/by-hand"))?;
    let form = Form { compiler: Compiler::C, dispatch: Dispatch::Switch, optimisation };
    let executable = build::as_it_stands(&program, &program.sources, form, directory)?;
    resumes(&program, &executable, &executable, directory)
}

fn resumes(program: &Program, reference: &Path, executable: &Path, directory: &Path) -> Result<()> {
    const KILLS: usize = 12;
    let memory = in_memory(directory)?;
    let state = memory.path().join("state");
    let reference = Run { state: state.clone(), ..Run::new(program, reference, directory) };
    let reference = reference.go()?.must_end_well("the reference")?;
    let subject = Subject::new(program, executable, directory, &state)?;
    // A program that contains the killer prints to its own file.
    let printed = if reference.stream.is_empty() { reference.printed.concat() } else { reference.stream };
    same(&subject.unbroken.printed.concat(), &printed)?;
    ensure!(!subject.unbroken.said.contains("cppc: "), "says\n{}", subject.unbroken.said);
    ensure!(subject.checkpoints() > 0, "no checkpoint was reached");
    for number in spread(1, subject.checkpoints() as u64, KILLS) {
        at_checkpoint(&subject, number)?;
    }
    Ok(())
}

/// The Rust code in the static library has its own routines for `_Float128`, `fma` and others, which round
/// differently.
fn arithmetic(directory: &Path) -> Result<()> {
    let source = here("programs/alone/arithmetic.c");
    let library = Product::get()?.library().join("libcppc.a");
    let mut printed = Vec::new();
    for (name, libraries) in [("without", vec![]), ("with", vec![library.into_os_string()])] {
        let executable = directory.join(name);
        let mut compile = Command::new("cc");
        compile.arg("-O0").arg(&source).arg("-o").arg(&executable).args(libraries).args([
            "-lpthread",
            "-ldl",
            "-lm",
        ]);
        let compiled = compile.output()?;
        ensure!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        printed.push(Command::new(&executable).output()?.stdout);
    }
    same(&printed[1], &printed[0])
}
