//! `tidy`: rules of the project that no compiler checks.
//!
//! Input: every file of the project.
//! Output: findings, one line each, as `path:line: what`.
//! Postcondition if there are none: modules import only modules above them, every Rust file has a header,
//! files and functions are not too long, `unsafe` is only where it is expected, no unfinished work is in the
//! text, every fault of the fault model has its test, and links between documents have a target.

mod faults;
mod links;
mod order;
mod plan_text;
mod prose;
mod rust;
mod unsafe_code;
mod words;

use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::{bail, Context, Result};

use crate::workspace::Workspace;
use links::Links;
use unsafe_code::UnsafeCode;

/// A violation of a rule.
#[derive(Debug, PartialEq)]
struct Finding {
    path: PathBuf,
    line: usize,
    what: String,
}

impl Finding {
    fn new(path: &Path, line: usize, what: impl Into<String>) -> Finding {
        Finding { path: path.to_owned(), line, what: what.into() }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}:{}: {}", self.path.display(), self.line, self.what)
    }
}

pub fn run(workspace: &Workspace) -> Result<()> {
    let files = workspace.files()?;
    let mut findings = Vec::new();
    let mut unsafe_code = UnsafeCode::default();
    let mut links = Links::default();
    let mut checked = 0;
    for path in &files {
        if !words::is_text(path) {
            continue;
        }
        let text = std::fs::read_to_string(workspace.root.join(path))
            .with_context(|| format!("cannot read `{}`", path.display()))?;
        checked += 1;
        findings.extend(words::check(path, &text));
        if path.extension().is_some_and(|extension| extension == "md") {
            findings.extend(prose::check(path, &text));
            links.add(path, &text);
        }
        if path.extension().is_some_and(|extension| extension == "rs") {
            findings.extend(rust::check(path, &text));
            findings.extend(plan_text::check(path, &text));
            findings.extend(unsafe_code.check(path, &text));
        }
    }
    for root in files.iter().filter(|path| path.ends_with("src/lib.rs")) {
        findings.extend(order::check(&workspace.root, root, &files)?);
    }
    findings.extend(unsafe_code.finish());
    findings.extend(links.finish(&workspace.root));
    findings.extend(faults::check(&workspace.root));
    findings.dedup();
    for finding in &findings {
        println!("{finding}");
    }
    match findings.len() {
        0 => println!("tidy: no findings in {checked} files"),
        1 => bail!("1 finding"),
        count => bail!("{count} findings"),
    }
    Ok(())
}
