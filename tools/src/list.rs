//! `cppc list`: applications and their recovery lines.
//!
//! Input: a path.
//! Output: for each line, whether every process has its file.
//! Postcondition: headers and manifests have been verified; the content has not (`cppc verify` does that).

use crate::display::{
    age, epoch, many, plain, ranges, size, styled, wrong, TableCell, BAD, DOUBTFUL, FAINT, GOOD, HEADING,
};
use crate::scan::Application;
use crate::select;
use crate::table::{heading, table, width, Column};
use anyhow::Result;
use cppc_runtime::storage::Posix;
use cppc_runtime::verify::{bases, describe, Reason};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::PathBuf;
use std::time::SystemTime;

#[derive(Debug, Serialize)]
pub struct Listing {
    pub applications: Vec<ListedApplication>,
}

#[derive(Debug, Serialize)]
pub struct ListedApplication {
    pub name: String,
    #[serde(serialize_with = "crate::display::lossy")]
    pub path: PathBuf,
    pub processes: Option<u32>,
    /// Newest first.
    pub lines: Vec<ListedLine>,
    pub set_aside: usize,
    /// Temporary files of dumps, in progress or interrupted.
    pub unfinished_files: usize,
}

#[derive(Debug, Serialize)]
pub struct ListedLine {
    pub number: u64,
    pub run: Option<String>,
    /// Every process has a file with a sound description, all of one run and one attempt.
    pub complete: bool,
    /// The run has ended, so it is not resumed automatically.
    pub finished: bool,
    pub files: usize,
    pub processes: Option<u32>,
    pub missing_ranks: Vec<u32>,
    pub size_bytes: u64,
    /// Older lines without which this one cannot be read.
    pub bases: Vec<u64>,
    /// Newer lines that cannot be read without this one.
    pub base_of: Vec<u64>,
    /// It is kept only for those lines: what it needs itself was retired.
    pub left_behind: bool,
    /// Seconds since 1970.
    pub written: Option<u64>,
    #[serde(skip)]
    pub modified: Option<SystemTime>,
    pub problems: Vec<String>,
}

/// Lists everything at the paths.
pub fn list(paths: &[PathBuf]) -> Result<Listing> {
    let mut applications = Vec::new();
    for path in paths {
        let (found, wanted) = select::applications(path)?;
        applications.extend(found.iter().map(|application| listed(application, wanted)));
    }
    Ok(Listing { applications })
}

/// All lines, or only `wanted`.
fn listed(application: &Application, wanted: Option<u64>) -> ListedApplication {
    let finished: BTreeSet<u64> =
        application.ranks.iter().flat_map(|rank| rank.finished_runs.iter().copied()).collect();
    let base_lines = base_lines(application);
    let numbers =
        application.numbers().into_iter().filter(|number| wanted.is_none_or(|wanted| wanted == *number));
    let lines: Vec<ListedLine> =
        numbers.map(|number| line(application, number, &finished, &base_lines)).collect();
    ListedApplication {
        name: application.name.clone(),
        path: application.path.clone(),
        processes: lines.iter().find_map(|line| line.processes),
        lines,
        set_aside: application.ranks.iter().map(|rank| rank.aside.len()).sum(),
        unfinished_files: application.ranks.iter().filter(|rank| rank.temporary).count(),
    }
}

/// For each line, the lines whose files it depends on.
pub type BaseLines = BTreeMap<u64, BTreeSet<u64>>;

pub fn base_lines(application: &Application) -> BaseLines {
    let mut base_lines = BaseLines::new();
    for file in application.ranks.iter().flat_map(|rank| &rank.files) {
        // Problems with a file are reported elsewhere.
        base_lines.entry(file.number).or_default().extend(bases(&Posix, &file.path).unwrap_or_default());
    }
    base_lines
}

/// One line, as far as descriptions show it.
pub fn line(
    application: &Application,
    number: u64,
    finished: &BTreeSet<u64>,
    base_lines: &BaseLines,
) -> ListedLine {
    let mut problems = Vec::new();
    let mut runs = BTreeSet::new();
    let mut attempts = BTreeSet::new();
    let mut sizes = BTreeSet::new();
    let mut good = BTreeSet::new();
    let mut left_behind = false;
    for (rank, file) in application.line(number) {
        match describe(&Posix, &file.path) {
            Ok(description) => {
                let said = &description.manifest().provenance;
                if said.rank == rank {
                    good.insert(rank);
                } else {
                    problems.push(plain(&format!(
                        "`{}` is the file of rank {}",
                        file.path.display(),
                        said.rank
                    )));
                }
                runs.insert(said.run);
                attempts.insert(said.attempt);
                sizes.insert(said.processes);
            }
            Err(error) if is_left_behind(&error.reason) && is_base_line(base_lines, number) => {
                left_behind = true
            }
            Err(error) => problems.push(wrong(&error)),
        }
    }
    if runs.len() > 1 {
        problems.push("the files are of different runs".to_owned());
    } else if attempts.len() > 1 {
        problems.push("the files are of different starts of the run".to_owned());
    }
    if sizes.len() > 1 {
        problems.push("the files disagree on the number of processes".to_owned());
    }
    let processes = sizes.last().copied();
    // A forged number of processes must not cause a long loop.
    let most = processes.unwrap_or(0).min(good.last().map_or(0, |last| last + 1).saturating_add(1 << 16));
    let missing_ranks: Vec<u32> = (0..most).filter(|rank| !good.contains(rank)).collect();
    let whole = processes.is_some_and(|processes| good.len() as u64 == u64::from(processes));
    let files: Vec<_> = application.line(number).map(|(_, file)| file.clone()).collect();
    let modified = files.iter().filter_map(|file| file.modified).max();
    ListedLine {
        number,
        run: runs.first().map(|run| format!("{run:016x}")),
        complete: whole && runs.len() == 1 && sizes.len() == 1 && problems.is_empty(),
        finished: runs.iter().any(|run| finished.contains(run)),
        files: files.len(),
        processes,
        missing_ranks,
        size_bytes: files.iter().map(|file| file.size_bytes).sum(),
        written: epoch(modified),
        modified,
        bases: base_lines.get(&number).map_or(Vec::new(), |bases| bases.iter().copied().collect()),
        base_of: base_lines
            .iter()
            .filter(|(_, bases)| bases.contains(&number))
            .map(|(line, _)| *line)
            .collect(),
        left_behind,
        problems,
    }
}

/// Whether the only problem is a missing base file.
pub fn is_left_behind(reason: &Reason) -> bool {
    let is_gone = |reason: &Reason| matches!(reason, Reason::Unreadable(error) if error.kind() == std::io::ErrorKind::NotFound);
    matches!(reason, Reason::Base { reason, .. } if is_gone(reason))
}

/// Whether files of other lines need those of this one.
pub fn is_base_line(base_lines: &BaseLines, number: u64) -> bool {
    base_lines.values().any(|bases| bases.contains(&number))
}

impl ListedLine {
    /// A short description of the state of the line.
    pub fn state(&self) -> String {
        if self.complete {
            return if self.finished { "complete, of a finished run" } else { "complete" }.to_owned();
        }
        if self.left_behind && self.problems.is_empty() {
            return format!("kept for {} only", ranges(&self.base_of));
        }
        if self.missing_ranks.is_empty() {
            return "not usable".to_owned();
        }
        let noun = if self.missing_ranks.len() == 1 { "rank" } else { "ranks" };
        format!("incomplete: no good file of {noun} {}", ranges(&self.missing_ranks))
    }
}

impl fmt::Display for Listing {
    fn fmt(&self, text: &mut fmt::Formatter) -> fmt::Result {
        for (index, application) in self.applications.iter().enumerate() {
            if index > 0 {
                writeln!(text)?;
            }
            application.fmt(text)?;
        }
        Ok(())
    }
}

const COLUMNS: [Column; 7] = [
    Column::Number,
    Column::Number,
    Column::Number,
    Column::Number,
    Column::Values,
    Column::Values,
    Column::Text,
];

impl fmt::Display for ListedApplication {
    fn fmt(&self, text: &mut fmt::Formatter) -> fmt::Result {
        let processes = match self.processes {
            Some(1) => "1 process".to_owned(),
            Some(processes) => format!("{processes} processes"),
            None => "no readable files".to_owned(),
        };
        writeln!(
            text,
            "{} ({processes}, {})",
            styled(&plain(&self.name), HEADING),
            plain(&self.path.display().to_string())
        )?;
        let mut rows = vec![heading(["line", "files", "size", "age", "run", "needs", "state"])];
        for line in &self.lines {
            let state = match (line.complete, line.finished) {
                (true, false) => GOOD,
                (true, true) => FAINT,
                (false, _) if line.left_behind && line.problems.is_empty() => FAINT,
                (false, _) if line.problems.is_empty() => DOUBTFUL,
                (false, _) => BAD,
            };
            rows.push(vec![
                line.number.to_string().into(),
                line.files.to_string().into(),
                size(line.size_bytes).into(),
                age(line.modified).into(),
                line.run.clone().unwrap_or_else(|| "-".to_owned()).into(),
                ranges(&line.bases).into(),
                TableCell::new(line.state(), state),
            ]);
        }
        if self.lines.is_empty() {
            writeln!(text, "  no recovery lines")?;
        } else {
            write!(text, "{}", table(&rows, &COLUMNS, width(text)))?;
        }
        for problem in self.lines.iter().flat_map(|line| &line.problems) {
            writeln!(text, "  {}", styled(problem, BAD))?;
        }
        if !self.lines.is_empty() && !self.lines.iter().any(|line| line.complete) {
            writeln!(text, "  no line is complete, so a run cannot resume from any of them")?;
        }
        if self.set_aside > 0 {
            writeln!(text, "  {} set aside", many(self.set_aside as u64, "file"))?;
        }
        if self.unfinished_files > 0 {
            writeln!(
                text,
                "  {} being written, or left by a stop",
                many(self.unfinished_files as u64, "file")
            )?;
        }
        Ok(())
    }
}
