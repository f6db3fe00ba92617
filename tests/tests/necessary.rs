//! Removes one precaution of the Fortran translation at a time. Then some resumed run must give a wrong
//! result. If none does with some compiler, this test needs another program for it.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{ensure, Context, Result};
use cppc_tests::build;
use cppc_tests::cases::{case, run};
use cppc_tests::form::{Compiler, Dispatch, Form};
use cppc_tests::matrix::{at_checkpoint, in_memory};
use cppc_tests::product::here;
use cppc_tests::program::Program;
use cppc_tests::scenario::Subject;
use libtest_mimic::Trial;

/// Statements, each on lines of its own, to statements.
type Change = fn(Vec<String>) -> Result<Vec<String>>;

const CHANGES: [(&str, &str, Change); 2] = [
    ("variables_are_named_again", "fortran/stale_scalars.f90", without_names),
    ("loops_are_entered_by_their_headers", "alone/entered.f90", straight_to_the_checkpoint),
];

fn main() -> ExitCode {
    run(Ok(cases()))
}

fn cases() -> Vec<Trial> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("necessary");
    let case = |(name, file, change): (&str, &'static str, Change)| {
        case(&scratch, name.to_owned(), move |directory| {
            let program = Program::read("necessary", &here("programs").join(file))?;
            let mut goes_wrong = false;
            for optimisation in ["-O2", "-O3"] {
                let form = Form { compiler: Compiler::Gfortran, dispatch: Dispatch::Switch, optimisation };
                let sources = build::translate(&program, form, directory)?.files;
                ensure!(resumes(&program, &sources, form, directory)?, "the translation itself is wrong");
                let changed = change_all(&sources, change, directory)?;
                goes_wrong |= !resumes(&program, &changed, form, directory)?;
            }
            ensure!(goes_wrong, "the program is resumed well without it");
            Ok(())
        })
    };
    CHANGES.into_iter().map(case).collect()
}

/// Whether the program is exact at all of its checkpoints.
fn resumes(program: &Program, sources: &[PathBuf], form: Form, directory: &Path) -> Result<bool> {
    let executable = build::as_it_stands(program, sources, form, directory)?;
    let memory = in_memory(directory)?;
    let state = memory.path().join("state");
    let subject = Subject::new(program, &executable, directory, &state)?;
    let last = subject.checkpoints() as u64;
    ensure!(last > 0, "no checkpoint was reached");
    Ok((1..=last).all(|number| at_checkpoint(&subject, number).is_ok()))
}

fn change_all(sources: &[PathBuf], change: Change, directory: &Path) -> Result<Vec<PathBuf>> {
    let into = directory.join("changed");
    std::fs::create_dir_all(&into)?;
    let mut changed = Vec::new();
    for source in sources {
        let text = std::fs::read_to_string(source)?;
        let path = into.join(source.file_name().context("a source has a name")?);
        let statements = change(statements(&text))?;
        std::fs::write(&path, statements.join("\n") + "\n")?;
        changed.push(path);
    }
    Ok(changed)
}

/// The statements of a text in free form, with their continuation lines.
fn statements(text: &str) -> Vec<String> {
    let mut statements: Vec<String> = Vec::new();
    for line in text.lines() {
        match statements.last_mut() {
            Some(open) if open.trim_end().ends_with('&') => {
                open.push('\n');
                open.push_str(line);
            }
            _ => statements.push(line.to_owned()),
        }
    }
    statements
}

/// The calls directly before a checkpoint that save or re-pass variables, except loop variables.
fn without_names(statements: Vec<String>) -> Result<Vec<String>> {
    let is_name = |statement: &String| {
        let upper = statement.to_uppercase();
        let is_of_loop = [", I)", ", K)"].iter().any(|end| upper.trim_end().ends_with(end));
        upper.contains("CALL CPPC_NAME_") || upper.contains("CALL CPPC_SAVE_") && !is_of_loop
    };
    ensure!(statements.iter().any(is_name), "nothing is named");
    let plain = |statement: String| {
        if !is_name(&statement) {
            return statement;
        }
        // The statement may have a label that is the target of a jump, so the label stays.
        let label: String = statement.trim_start().chars().take_while(char::is_ascii_digit).collect();
        format!("{label} continue")
    };
    Ok(statements.into_iter().map(plain).collect())
}

/// The first dispatch jumps directly to the checkpoint, and not to the header of the loop around it.
fn straight_to_the_checkpoint(mut statements: Vec<String>) -> Result<Vec<String>> {
    let mut label = None;
    let mut found = None;
    for statement in &statements {
        let upper = statement.to_uppercase();
        let digits: String = upper.trim_start().chars().take_while(char::is_ascii_digit).collect();
        if !digits.is_empty() {
            label = Some(digits);
        }
        if let Some((_, rest)) =
            upper.split_once("CPPC_DO_CHECKPOINT(").or_else(|| upper.split_once("CPPC_DO_CHECKPOINT_AT("))
        {
            let block: String = rest.chars().take_while(char::is_ascii_digit).collect();
            found = label.clone().zip(block.parse::<usize>().ok());
            break;
        }
    }
    let (inner, block) = found.context("no checkpoint with a label")?;
    let jump = format!("== {block}) GOTO ");
    let dispatch = statements.iter_mut().find_map(|statement| {
        let at = statement.to_uppercase().find(&jump)?;
        Some((at + jump.len(), statement))
    });
    let (label, dispatch) = dispatch.with_context(|| format!("the dispatch has no block {block}"))?;
    dispatch.replace_range(label.., &inner);
    Ok(statements)
}
