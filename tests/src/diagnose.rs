//! Compares the diagnostics of the precompiler for a fixture with those that the fixture expects.
//!
//! Input: a fixture: a file or a directory of files.
//! Output: nothing, or each difference.
//! Postcondition: every expected diagnostic was reported at its position, and no other error was. An input
//! with errors has no output.

use std::path::{Path, PathBuf};

use anyhow::{bail, ensure, Context, Result};
use serde_json::Value;

use crate::form::Form;
use crate::marks::{marks_in, with_code, Mark};
use crate::product::Product;
use crate::program::{Language, Program};
use crate::state::all_files;

/// A diagnostic in the form of `--message-format=json`.
#[derive(Debug)]
pub struct Said {
    pub severity: String,
    pub code: String,
    /// Message, labels, notes and help.
    pub text: String,
    pub spans: Vec<Span>,
}

#[derive(Debug)]
pub struct Span {
    pub file: String,
    pub line: u64,
    pub columns: std::ops::Range<u64>,
    pub end_line: u64,
}

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
    precompiler.args(&fixture.flags);
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
    let said = parse(&text)?;
    let mut expected = Vec::new();
    for file in all_files_of(fixture)? {
        let content = std::fs::read(&file)?;
        for mark in marks_in(&String::from_utf8_lossy(&content))? {
            expected.push((file.clone(), mark));
        }
    }
    ensure!(!expected.is_empty(), "the fixture expects nothing");
    let mut faults = Vec::new();
    let mut matched = vec![false; said.len()];
    for (file, mark) in &expected {
        match find(&said, file, mark) {
            Ok(index) => {
                matched[index] = true;
                update(file, mark, &said[index].code)?;
            }
            Err(error) => faults.push(format!("{error:#}")),
        }
    }
    for (diagnostic, _) in said.iter().zip(matched).filter(|(_, matched)| !matched) {
        if diagnostic.severity == "error" {
            faults.push(format!("not expected: {diagnostic:?}"));
        }
    }
    let has_errors = expected.iter().any(|(_, mark)| mark.severity == "error");
    let wanted = i32::from(has_errors);
    if status != Some(wanted) {
        faults.push(format!("the exit code is {status:?} and should be {wanted}"));
    }
    if has_errors && !all_files(&into)?.is_empty() {
        faults.push("there is an output file".to_owned());
    }
    if !faults.is_empty() {
        bail!("{}\nsaid:\n{text}", faults.join("\n"));
    }
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

/// The diagnostic that a mark expects.
fn find(said: &[Said], file: &Path, mark: &Mark) -> Result<usize> {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let place = format!("{name}:{}:{:?}", mark.line, mark.columns);
    let is_there = |span: &Span| {
        Path::new(&span.file).file_name().is_some_and(|found| found == name.as_ref())
            && (span.line, span.end_line) == (mark.line as u64, mark.line as u64)
            && span.columns == (mark.columns.start as u64..mark.columns.end as u64)
    };
    // Several diagnostics may have this position. The one with the code of the mark is meant. The main
    // span comes first. A mark may also be at another span.
    let speaks = |spans: usize, any_code: bool| {
        said.iter().position(|diagnostic| {
            let mut spans = diagnostic.spans.iter().take(spans);
            let is_meant = any_code || diagnostic.code == mark.code;
            diagnostic.severity == mark.severity && is_meant && spans.any(is_there)
        })
    };
    let there = speaks(1, false).or_else(|| speaks(1, true)).or_else(|| speaks(usize::MAX, true));
    let index = there.with_context(|| format!("no {} at {place}", mark.severity))?;
    let text = said[index].text.to_lowercase();
    for word in &mark.words {
        ensure!(text.contains(&word.to_lowercase()), "{place}: no word of `{word}` in:\n{text}");
    }
    let known = mark.code == said[index].code || cppc_fixtures::accepts();
    ensure!(known, "{place}: the code is {} and should be {}", said[index].code, mark.code);
    Ok(index)
}

fn update(file: &Path, mark: &Mark, code: &str) -> Result<()> {
    if !cppc_fixtures::accepts() || mark.code == code {
        return Ok(());
    }
    let text = std::fs::read_to_string(file)?;
    std::fs::write(file, with_code(&text, mark, code))?;
    Ok(())
}

/// One JSON object per line.
fn parse(text: &str) -> Result<Vec<Said>> {
    let mut said = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let value: Value =
            serde_json::from_str(line).with_context(|| format!("not a line of JSON: {line}"))?;
        said.push(Said {
            severity: string(&value, "severity"),
            code: string(&value, "code"),
            text: words(&value),
            spans: spans(&value)?,
        });
    }
    Ok(said)
}

fn spans(value: &Value) -> Result<Vec<Span>> {
    let list = value["spans"].as_array().context("no `spans`")?;
    let number =
        |span: &Value, key: &str| span[key].as_u64().with_context(|| format!("no `{key}` in {span}"));
    list.iter()
        .map(|span| {
            Ok(Span {
                file: string(span, "file"),
                line: number(span, "line")?,
                columns: number(span, "column")?..number(span, "end_column")?,
                end_line: number(span, "end_line")?,
            })
        })
        .collect()
}

fn string(value: &Value, key: &str) -> String {
    value[key].as_str().unwrap_or_default().to_owned()
}

/// Every text in a value, one after another.
fn words(value: &Value) -> String {
    match value {
        Value::String(text) => format!("{text}\n"),
        Value::Array(list) => list.iter().map(words).collect(),
        Value::Object(fields) => fields.values().map(words).collect(),
        _ => String::new(),
    }
}
