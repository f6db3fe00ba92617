//! `cppc verify`: every byte of every file, and whole recovery lines.
//!
//! In: a file or a directory. Out: what is damaged, and which lines a run could be resumed from.
//! Holds afterwards: the verdict is good when no file is damaged and, for each application, there
//! is a complete line.

use crate::list::{line, ListedLine};
use crate::scan::{self, Application};
use crate::words::{many, plain, size};
use anyhow::{Context, Result};
use cppc_runtime::storage::{Posix, Storage};
use cppc_runtime::verify::{check_content, describe, Reason};
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt;
use std::path::{Path, PathBuf};

#[derive(Debug, Serialize)]
pub struct Verdict {
    pub good: bool,
    pub files: usize,
    pub bytes: u64,
    pub damaged: Vec<DamagedFile>,
    pub applications: Vec<JudgedApplication>,
}

#[derive(Debug, Serialize)]
pub struct DamagedFile {
    pub path: PathBuf,
    pub problems: Vec<String>,
}

#[derive(Debug, Serialize)]
pub struct JudgedApplication {
    pub name: String,
    /// Newest first.
    pub complete_lines: Vec<u64>,
    pub incomplete_lines: Vec<ListedLine>,
}

/// Verifies everything at the path.
pub fn verify(path: &Path) -> Result<Verdict> {
    let mut verdict = Verdict { good: true, files: 0, bytes: 0, damaged: Vec::new(), applications: Vec::new() };
    let entry = std::fs::metadata(path).with_context(|| format!("cannot look at `{}`", path.display()))?;
    if !entry.is_dir() {
        Posix.open_for_reading(path).with_context(|| format!("cannot open `{}`", path.display()))?;
        verdict.file(path, entry.len());
    } else {
        for application in scan::applications(path)? {
            verdict.application(&application);
        }
    }
    verdict.good = verdict.damaged.is_empty()
        && verdict.applications.iter().all(|application| !application.complete_lines.is_empty());
    Ok(verdict)
}

impl Verdict {
    fn application(&mut self, application: &Application) {
        let mut bad_lines = BTreeSet::new();
        for rank in &application.ranks {
            for file in &rank.files {
                if !self.file(&file.path, file.size_bytes) {
                    bad_lines.insert(file.number);
                }
            }
            for file in &rank.aside {
                self.file(&file.path, file.size_bytes);
            }
        }
        let mut judged = JudgedApplication {
            name: plain(&application.name),
            complete_lines: Vec::new(),
            incomplete_lines: Vec::new(),
        };
        for number in application.numbers() {
            let mut line = line(application, number, &BTreeSet::new());
            line.complete &= !bad_lines.contains(&number);
            if line.complete {
                judged.complete_lines.push(number);
            } else {
                judged.incomplete_lines.push(line);
            }
        }
        self.applications.push(judged);
    }

    /// Verifies one file; false when it is damaged.
    fn file(&mut self, path: &Path, size_bytes: u64) -> bool {
        let problems: Vec<String> = match describe(&Posix, path) {
            Ok(description) => check_content(&description).iter().map(ToString::to_string).collect(),
            // It was retired while we looked.
            Err(error) if is_gone(&error.reason) => return true,
            Err(error) => vec![error.to_string()],
        };
        self.files += 1;
        self.bytes += size_bytes;
        let good = problems.is_empty();
        if !good {
            let problems = problems.iter().map(|problem| plain(problem)).collect();
            self.damaged.push(DamagedFile { path: path.to_owned(), problems });
        }
        good
    }
}

fn is_gone(reason: &Reason) -> bool {
    matches!(reason, Reason::Unreadable(error) if error.kind() == std::io::ErrorKind::NotFound)
}

impl fmt::Display for Verdict {
    fn fmt(&self, text: &mut fmt::Formatter) -> fmt::Result {
        for problem in self.damaged.iter().flat_map(|file| &file.problems) {
            writeln!(text, "{problem}")?;
        }
        for application in &self.applications {
            let lines: Vec<String> = application.complete_lines.iter().map(u64::to_string).collect();
            if lines.is_empty() {
                writeln!(text, "{}: no complete recovery line", application.name)?;
            } else {
                writeln!(text, "{}: complete recovery lines {}", application.name, lines.join(", "))?;
            }
            for line in &application.incomplete_lines {
                writeln!(text, "{}: recovery line {} is {}", application.name, line.number, line.state())?;
            }
        }
        let verdict = match self.damaged.len() {
            0 => "none of them damaged".to_owned(),
            damaged => format!("{damaged} of them damaged"),
        };
        writeln!(text, "{}, {}: {verdict}", many(self.files, "file"), size(self.bytes))
    }
}
