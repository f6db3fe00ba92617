//! Compares the diagnostics of the precompiler for a fixture with the marks of the fixture.
//!
//! Input: a fixture: a file or a directory of files.
//! Output: nothing, or each difference.
//! Postcondition: the marks are those of all diagnostics. An input with errors has no output.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{ensure, Context, Result};
use cppc_fixtures::marks::{self, Mark};
use serde_json::Value;

use crate::form::Form;
use crate::product::Product;
use crate::program::{Language, Program};
use crate::state::all_files;

/// Runs `cppc-pp` on a fixture. Returns its status, its messages, and the path of its output.
fn ask(fixture: &Program, format: &str, into: &Path) -> Result<(Option<i32>, String)> {
    let mut precompiler = Product::get()?.command("cppc-pp");
    precompiler.current_dir(&fixture.directory);
    precompiler.args(names(fixture)).arg("--out-dir").arg(into);
    let compiler = Form::first(fixture).compiler;
    precompiler.args(["--cc", &compiler.words(fixture, Language::C).join(" "), "--message-format", format]);
    if fixture.language == Language::Fortran {
        precompiler.args(["--fc", &compiler.words(fixture, Language::Fortran).join(" ")]);
    }
    // The check of directives has fixtures of its own (`preprocessor/tests/live`).
    precompiler.arg("--check=none").args(&fixture.flags);
    let output = precompiler.output().context("cannot run `cppc-pp`")?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    Ok((output.status.code(), said))
}

/// The sources without their directory, so that messages do not depend on its path.
fn names(fixture: &Program) -> Vec<PathBuf> {
    fixture.sources.iter().filter_map(|source| source.file_name()).map(PathBuf::from).collect()
}

/// The diagnostics in the form for users.
pub fn as_text(fixture: &Program, scratch: &Path) -> Result<String> {
    Ok(ask(fixture, "text", &scratch.join("text"))?.1)
}

/// Checks one fixture.
pub fn check(fixture: &Program, scratch: &Path) -> Result<()> {
    let into = scratch.join("out");
    std::fs::create_dir_all(&into)?;
    let (status, text) = ask(fixture, "json", &into)?;
    let mut marks: BTreeMap<PathBuf, Vec<Mark>> = BTreeMap::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let value = serde_json::from_str(line).with_context(|| format!("not a line of JSON: {line}"))?;
        let (file, mark) =
            parse(&value).with_context(|| format!("not a diagnostic with a position: {line}"))?;
        marks.entry(fixture.directory.join(file)).or_default().push(mark);
    }
    ensure!(!marks.is_empty(), "the fixture has no diagnostics");
    let has_errors = marks.values().flatten().any(|mark| mark.severity == "error");
    let mut faults = Vec::new();
    for file in all_files_of(fixture)? {
        faults.extend(marks::compare(&file, marks.remove(&file).unwrap_or_default()));
    }
    faults
        .extend(marks.iter().map(|(file, marks)| format!("in another file, {}: {marks:?}", file.display())));
    let expected = i32::from(has_errors);
    if status != Some(expected) {
        faults.push(format!("the exit code is {status:?} and should be {expected}"));
    }
    if has_errors && !all_files(&into)?.is_empty() {
        faults.push("there is an output file".to_owned());
    }
    ensure!(faults.is_empty(), "{}\nreported:\n{text}", faults.join("\n"));
    Ok(())
}

fn all_files_of(fixture: &Program) -> Result<Vec<PathBuf>> {
    let mut sources = fixture.sources.iter().filter_map(|source| source.file_stem());
    // A fixture of Fortran is recognised by its name.
    let is_single = sources.any(|stem| {
        let stem = stem.to_string_lossy();
        fixture.name == stem || fixture.name.strip_prefix("fortran_") == Some(stem.as_ref())
    });
    match is_single {
        true => Ok(fixture.sources.clone()),
        false => all_files(&fixture.directory),
    }
}

/// The mark of a diagnostic in the form of `--message-format=json`, and its file.
fn parse(value: &Value) -> Option<(PathBuf, Mark)> {
    let span = value["spans"].get(0)?;
    let number = |key: &str| span[key].as_u64().and_then(|number| usize::try_from(number).ok());
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let (line, column) = (number("line")?, number("column")?);
    let width = match number("end_line")? == line {
        true => number("end_column")?.saturating_sub(column).max(1),
        false => 1,
    };
    let (severity, code, message) =
        (text(&value["severity"])?, text(&value["code"])?, text(&value["message"])?);
    Some((span["file"].as_str()?.into(), Mark { line, column, width, severity, code, message }))
}
