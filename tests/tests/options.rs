//! The options and directives for automatic registration, as a user gives them: in a directive, in the environment, file
//! by file, and as a patch. Each program is killed and resumed.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use anyhow::{ensure, Context, Result};
use cppc_tests::build::{self, Assembly};
use cppc_tests::cases::{case, run};
use cppc_tests::form::{Compiler, Dispatch, Form};
use cppc_tests::matrix::{in_memory, spread};
use cppc_tests::product::{here, Product};
use cppc_tests::program::{Language, Program};
use cppc_tests::run::Kill;
use cppc_tests::scenario::{same, Expect, Subject};
use libtest_mimic::Trial;

fn main() -> ExitCode {
    run(cases())
}

fn cases() -> Result<Vec<Trial>> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("options");
    let mut cases = Vec::new();
    for (name, folder) in [("c", "alone/automatic_c"), ("fortran", "alone/automatic_fortran")] {
        let program = Program::read(name, &here("programs").join(folder))?;
        for (kind, assembly) in [("objects", Assembly::Objects), ("archive", Assembly::Archive)] {
            let program = program.clone();
            cases.push(case(&scratch, format!("directive_{kind}/{name}"), move |directory| {
                let executable = build::assembled(&program, assembly, form(&program), directory)?;
                resumes(&program, &executable, directory)
            }));
        }
        cases.push(case(&scratch, format!("patch/{name}"), move |directory| patched(&program, directory)));
    }
    Ok(cases)
}

fn form(program: &Program) -> Form {
    let compiler = match program.language {
        Language::C => Compiler::C,
        Language::Fortran => Compiler::Gfortran,
    };
    Form { compiler, dispatch: Dispatch::Switch, optimisation: "-O2" }
}

/// Kills the program after its checkpoints. Each resumed run has the results of the program without CPPC.
fn resumes(program: &Program, executable: &Path, directory: &Path) -> Result<()> {
    const KILLS: usize = 4;
    let plain = build::plain(program, form(program), directory)?;
    let memory = in_memory(directory)?;
    let state = memory.path().join("state");
    let subject = Subject::new(program, executable, directory, &state)?;
    let reference = cppc_tests::run::Run::new(program, &plain, directory);
    let reference = reference.go()?.must_end_well("the plain program")?;
    same(&subject.unbroken.printed.concat(), &reference.stream)?;
    ensure!(subject.checkpoints() > 0, "there are no checkpoints");
    for number in spread(1, subject.checkpoints() as u64, KILLS) {
        subject.kill(subject.run(), Kill::AfterCheckpoint(number as usize))?;
        subject.resume(subject.run(), Expect::Line(number))?;
    }
    Ok(())
}

/// `patch -p1` applies the patch, and the patched sources without `auto` give the same translation.
fn patched(program: &Program, directory: &Path) -> Result<()> {
    let sources = directory.join("sources");
    std::fs::create_dir_all(&sources)?;
    for entry in std::fs::read_dir(&program.directory)? {
        let file = entry?.path();
        std::fs::copy(&file, sources.join(name(&file)?))?;
    }
    let names = program.sources.iter().map(|source| name(source)).collect::<Result<Vec<_>>>()?;
    translate(&sources, &names, &["--auto=register", "--out-dir", "../automatic"])?;
    translate(&sources, &names, &["--annotate=../patch"])?;
    let mut apply = Command::new("patch");
    build::succeed(apply.args(["-s", "-p1", "-i", "../patch"]).current_dir(&sources))?;
    translate(&sources, &names, &["--auto=none", "--out-dir", "../patched"])?;
    let read = |folder: &str, name: &PathBuf| -> Result<String> {
        Ok(without_line_numbers(&std::fs::read_to_string(directory.join(folder).join(name))?))
    };
    let mut is_translated = false;
    for name in &names {
        let (automatic, patched) = (read("automatic", name)?, read("patched", name)?);
        is_translated |= automatic.to_ascii_lowercase().contains("checkpoint_at(");
        ensure!(automatic == patched, "{}:\n{automatic}\n---\n{patched}", name.display());
    }
    ensure!(is_translated, "nothing was translated");
    let program = Program {
        sources: names.iter().map(|name| sources.join(name)).collect(),
        directory: sources.clone(),
        ..program.clone()
    };
    let executable = build::translated(&program, form(&program), directory)?;
    resumes(&program, &executable, directory)
}

fn translate(sources: &Path, names: &[PathBuf], options: &[&str]) -> Result<()> {
    let mut precompiler = Product::get()?.command("cppc-pp");
    build::succeed(precompiler.args(names).args(options).current_dir(sources)).map(drop)
}

fn name(source: &Path) -> Result<PathBuf> {
    Ok(source.file_name().context("a source has a name")?.into())
}

/// The places of checkpoints contain line numbers, and the patch adds lines.
fn without_line_numbers(text: &str) -> String {
    let mut kept = String::new();
    let mut parts = text.split_inclusive([':']);
    let mut after_name = false;
    for part in parts.by_ref() {
        let is_number = part.starts_with(|first: char| first.is_ascii_digit());
        let rest = if after_name && is_number {
            part.trim_start_matches(|one: char| one.is_ascii_digit())
        } else {
            part
        };
        kept.push_str(rest);
        after_name = [".c:", ".f90:"].iter().any(|ending| part.ends_with(ending));
    }
    kept
}
