//! Programs without one part of a directive: whether this is reported, and whether a restart is still exact.
//!
//! Input: a program. Output: the result for the unchanged program, and for each removal.
//! Postcondition: a removal with the result `Missed` was not reported, and the resumed run was wrong.

use std::path::{Path, PathBuf};

use anyhow::{ensure, Context, Result};

use crate::build;
use crate::form::{Compiler, Dispatch, Form};
use crate::matrix::{in_memory, spread};
use crate::product::{here, Product};
use crate::program::{Language, Program};
use crate::removal::{removals, Removal};
use crate::run::{Kill, LauncherFailed, Run};
use crate::scenario::{same_files, Expect, Subject};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fate {
    /// The precompiler has an error or a warning that it does not have for the whole program.
    Reported,
    /// The runtime skips the checkpoint, and gives the reason.
    Skipped,
    /// Each resumed run is right.
    Needless,
    /// A resumed run is wrong, or fails.
    Missed(String),
}

/// The number of attempts.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// One of this number of removals is tried.
    pub one_of: usize,
    /// The number of checkpoints at which a run is killed.
    pub kills: usize,
}

/// The result for each part that is removed from the program.
pub fn fates(program: &Program, effort: Effort, scratch: &Path) -> Result<Vec<(Removal, Fate)>> {
    let before = reports(program, scratch)?.context("the program itself has errors")?;
    let mut all = Vec::new();
    for at in 0..program.sources.len() {
        let text = std::fs::read(&program.sources[at])?;
        let text = String::from_utf8_lossy(&text);
        all.extend(removals(&text).into_iter().map(|removal| (at, removal)));
    }
    let whole = Removal { kind: "nothing", name: String::new(), line: 0, text: String::new() };
    let mut fates = vec![(whole, resumed(program, effort, scratch)?)];
    // Other programs begin at another removal.
    let first = match effort.one_of {
        usize::MAX => all.len(),
        one_of => program.name.len() % one_of,
    };
    for (at, removal) in all.into_iter().skip(first).step_by(effort.one_of) {
        let changed = without(program, at, &removal, scratch)?;
        let fate = match reports(&changed, scratch)? {
            Some(after) if !is_new(&before, &after) => resumed(&changed, effort, scratch)
                .with_context(|| format!("{} {} in line {}", removal.kind, removal.name, removal.line))?,
            _ => Fate::Reported,
        };
        fates.push((removal, fate));
    }
    Ok(fates)
}

fn without(program: &Program, at: usize, removal: &Removal, scratch: &Path) -> Result<Program> {
    let directory = scratch.join("changed");
    std::fs::create_dir_all(&directory)?;
    let mut changed = program.clone();
    let path = directory.join(program.sources[at].file_name().context("a source has a name")?);
    std::fs::write(&path, &removal.text)?;
    changed.sources[at] = path;
    Ok(changed)
}

/// The reports that `after` has and `before` does not.
fn is_new(before: &[String], after: &[String]) -> bool {
    let count = |all: &[String], one: &String| all.iter().filter(|other| *other == one).count();
    after.iter().any(|one| count(after, one) > count(before, one))
}

/// The messages of the precompiler. `None` if there are errors.
fn reports(program: &Program, scratch: &Path) -> Result<Option<Vec<String>>> {
    let form = form(program);
    let mut precompiler = Product::get()?.command("cppc-pp");
    precompiler.args(&program.sources).arg("--check=live").arg("--out-dir").arg(scratch.join("checked"));
    precompiler.args(["--cc", &form.compiler.words(program, Language::C).join(" ")]);
    precompiler.arg(format!("-I{}", program.directory.display()));
    precompiler.arg(format!("-I{}", here("programs/include").display()));
    if program.language == Language::Fortran {
        precompiler.args(["--fc", &form.compiler.words(program, Language::Fortran).join(" ")]);
        precompiler.args(&program.flags);
    }
    let output = precompiler.output().with_context(|| format!("cannot run {precompiler:?}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    ensure!(!said.contains("panicked"), "{precompiler:?}\n{said}");
    let is_message = |line: &&str| line.starts_with("warning[") || line.starts_with("error[");
    let all = said.lines().filter(is_message).map(str::to_owned).collect();
    Ok(output.status.success().then_some(all))
}

/// Local variables are in memory, as far as the compiler allows.
fn form(program: &Program) -> Form {
    match program.language {
        Language::C => Form { compiler: Compiler::C, dispatch: Dispatch::Switch, optimisation: "-O0" },
        Language::Fortran => Form::first(program),
    }
}

/// For removals from all parts of a program, at most so many: the changed program, and whether its restarts are right.
/// Those that the translation refuses are left out.
pub fn changed_builds(
    program: &Program,
    most: usize,
    kills: usize,
    scratch: &Path,
) -> Result<Vec<(Removal, PathBuf, Fate)>> {
    let mut found = Vec::new();
    for at in 0..program.sources.len() {
        let text = std::fs::read(&program.sources[at])?;
        for removal in removals(&String::from_utf8_lossy(&text)).into_iter().take(most) {
            let own = scratch.join(format!("changed-{}", found.len()));
            std::fs::create_dir(&own)?;
            let changed = without(program, at, &removal, &own)?;
            let Ok(executable) = build::translated(&changed, form(&changed), &own) else { continue };
            let fate = fate(&changed, &executable, kills, &own)?;
            found.push((removal, executable, fate));
        }
    }
    Ok(found)
}

/// Kills and resumes the program.
fn resumed(program: &Program, effort: Effort, scratch: &Path) -> Result<Fate> {
    match build::translated(program, form(program), scratch) {
        Ok(executable) => fate(program, &executable, effort.kills, scratch),
        Err(_) => Ok(Fate::Missed("the translation does not compile".to_owned())),
    }
}

fn fate(program: &Program, executable: &Path, kills: usize, scratch: &Path) -> Result<Fate> {
    let memory = in_memory(scratch)?;
    let state = memory.path().join("state");
    let subject = Subject::new(program, executable, scratch, &state)?;
    let mut is_skipped = false;
    for number in spread(1, subject.checkpoints() as u64, kills) {
        let run = || -> Run { subject.run() };
        let killed = subject.kill(run(), Kill::AfterCheckpoint(number as usize))?;
        is_skipped |= killed.said.contains("nothing is written at checkpoint");
        if let Err(error) = try_resume(&subject, run(), number) {
            if error.is::<LauncherFailed>() {
                return Err(error);
            }
            return Ok(Fate::Missed(format!("checkpoint {number}: {error:#}")));
        }
    }
    Ok(if is_skipped { Fate::Skipped } else { Fate::Needless })
}

/// A checkpoint may be skipped, so the run may be resumed from an earlier line.
fn try_resume(subject: &Subject, run: Run, number: u64) -> Result<()> {
    let outcome = run.kill(Kill::Never).go()?.must_end_well("the resumed run")?;
    // A fresh start finds other files than those of the unbroken run.
    if outcome.resumed_from().is_some() {
        same_files(&outcome.files, &subject.unbroken.files)?;
    }
    subject.compare(&outcome, Expect::UpTo(number), 1)
}
