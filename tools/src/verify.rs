//! `cppc verify`: every byte of every file, and complete recovery lines.
//!
//! Input: a file, a directory, or a line in one.
//! Output: the damaged files, and the lines from which a run could be resumed.
//! Postcondition: the verdict is good if no file is damaged and each application has a complete line.

use crate::display::{many, plain, size, styled, wrong, BAD, DOUBTFUL, GOOD};
use crate::list::{base_lines, is_base_line, is_left_behind, line, BaseLines, ListedLine};
use crate::progress::Progress;
use crate::scan::Application;
use crate::select::{self, split};
use anyhow::{Context, Result};
use cppc_runtime::storage::{Posix, Storage};
use cppc_runtime::verify::{check_content_reporting, describe, Reason};
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
    pub applications: Vec<VerifiedApplication>,
}

#[derive(Debug, Serialize)]
pub struct DamagedFile {
    #[serde(serialize_with = "crate::display::lossy")]
    pub path: PathBuf,
    pub problems: Vec<String>,
}

#[derive(Debug, Serialize)]
pub struct VerifiedApplication {
    pub name: String,
    /// Newest first.
    pub complete_lines: Vec<u64>,
    pub incomplete_lines: Vec<ListedLine>,
}

/// Verifies everything at the paths.
pub fn verify(paths: &[PathBuf]) -> Result<Verdict> {
    let mut applications = Vec::new();
    let mut single = Vec::new();
    for path in paths {
        let directory = split(path).0;
        let entry = std::fs::metadata(&directory)
            .with_context(|| format!("cannot look at `{}`", directory.display()))?;
        if entry.is_dir() {
            let (found, line) = select::applications(path)?;
            applications.extend(found.into_iter().map(|application| (application, line)));
        } else {
            Posix.open_for_reading(path).with_context(|| format!("cannot open `{}`", path.display()))?;
            single.push((path, entry.len()));
        }
    }
    let sizes = applications.iter().flat_map(|(application, line)| {
        let files = application.files().filter(move |file| line.is_none_or(|line| line == file.number));
        files.map(|file| file.size_bytes)
    });
    let total = sizes.chain(single.iter().map(|(_, size_bytes)| *size_bytes)).fold(0, u64::saturating_add);
    let mut work = Verification {
        verdict: Verdict { good: true, files: 0, bytes: 0, damaged: Vec::new(), applications: Vec::new() },
        progress: Progress::new(total),
    };
    for (path, size_bytes) in single {
        work.file(path, size_bytes, None);
    }
    for (application, line) in &applications {
        work.application(application, *line);
    }
    let mut verdict = work.verdict;
    verdict.good = verdict.damaged.is_empty()
        && verdict.applications.iter().all(|application| !application.complete_lines.is_empty());
    Ok(verdict)
}

struct Verification {
    verdict: Verdict,
    progress: Progress,
}

impl Verification {
    /// Verifies the whole application, or one line.
    fn application(&mut self, application: &Application, wanted: Option<u64>) {
        let is_wanted = |number: u64| wanted.is_none_or(|wanted| wanted == number);
        let base_lines = base_lines(application);
        let mut bad_lines = BTreeSet::new();
        for rank in &application.ranks {
            for file in rank.files.iter().filter(|file| is_wanted(file.number)) {
                if !self.file(&file.path, file.size_bytes, Some((file.number, &base_lines))) {
                    bad_lines.insert(file.number);
                }
            }
            for file in rank.aside.iter().filter(|_| wanted.is_none()) {
                self.file(&file.path, file.size_bytes, None);
            }
        }
        let mut judged = VerifiedApplication {
            name: application.name.clone(),
            complete_lines: Vec::new(),
            incomplete_lines: Vec::new(),
        };
        for number in application.numbers().into_iter().filter(|&number| is_wanted(number)) {
            let mut line = line(application, number, &BTreeSet::new(), &base_lines);
            line.complete &= !bad_lines.contains(&number);
            if line.complete {
                judged.complete_lines.push(number);
            } else {
                judged.incomplete_lines.push(line);
            }
        }
        self.verdict.applications.push(judged);
    }

    /// Verifies one file. False if it is damaged. `line` is given for files that may be base files.
    fn file(&mut self, path: &Path, size_bytes: u64, line: Option<(u64, &BaseLines)>) -> bool {
        self.progress.at(&path.display().to_string());
        let problems: Vec<String> = match describe(&Posix, path) {
            Ok(description) => {
                let mut left = size_bytes;
                let mut told = |bytes: u64| {
                    // Content in base files was counted with those files.
                    self.progress.advance(bytes.min(left));
                    left = left.saturating_sub(bytes);
                };
                let damaged = check_content_reporting(&description, &mut told);
                self.progress.advance(left);
                damaged.iter().map(wrong).collect()
            }
            // It was retired meanwhile.
            Err(error) if is_gone(&error.reason) => return true,
            // The part for which it is kept is read with the files that need it.
            Err(error)
                if is_left_behind(&error.reason)
                    && line.is_some_and(|(number, base_lines)| is_base_line(base_lines, number)) =>
            {
                Vec::new()
            }
            Err(error) => vec![wrong(&error)],
        };
        self.verdict.files += 1;
        self.verdict.bytes += size_bytes;
        let good = problems.is_empty();
        if !good {
            self.verdict.damaged.push(DamagedFile { path: path.to_owned(), problems });
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
            writeln!(text, "{}", styled(problem, BAD))?;
        }
        for application in &self.applications {
            let name = plain(&application.name);
            let lines: Vec<String> = application.complete_lines.iter().map(u64::to_string).collect();
            if lines.is_empty() {
                writeln!(text, "{}", styled(&format!("{name}: no complete recovery line"), BAD))?;
            } else {
                let said = format!("{name}: complete recovery lines {}", lines.join(", "));
                writeln!(text, "{}", styled(&said, GOOD))?;
            }
            for line in &application.incomplete_lines {
                let said = format!("{name}: recovery line {} is {}", line.number, line.state());
                writeln!(text, "{}", styled(&said, DOUBTFUL))?;
            }
        }
        let verdict = match self.damaged.len() {
            0 => "none of them damaged".to_owned(),
            damaged => format!("{damaged} of them damaged"),
        };
        writeln!(text, "{}, {}: {verdict}", many(self.files as u64, "file"), size(self.bytes))
    }
}
