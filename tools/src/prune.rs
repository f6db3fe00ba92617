//! `cppc prune`: removes recovery lines that are no longer needed.
//!
//! Input: a directory, and the number of complete lines to keep.
//! Output: what was removed.
//! Postcondition: this number of the newest complete and undamaged lines remains, with all files that they
//! depend on, and so does everything newer. Nothing that does not have the name of a state file was changed.
//!
//! A program may run meanwhile: its next file depends on its newest file, or on what that file depends on,
//! and those remain.

use crate::display::{many, plain, ranges, size, styled, BAD, DOUBTFUL};
use crate::list::line;
use crate::progress::Progress;
use crate::scan::{self, Application, ScannedFile};
use crate::select::split;
use anyhow::{bail, Result};
use cppc_runtime::storage::{Posix, Storage};
use cppc_runtime::verify::{self, check_content, describe};
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt;
use std::io::ErrorKind;
use std::path::PathBuf;

#[derive(Debug, Clone)]
pub struct PruneOptions {
    pub keep: u64,
    pub app: Option<String>,
    /// Also remove set-aside files.
    pub aside: bool,
    pub dry_run: bool,
    /// Do not read the content of the lines that stay.
    pub quick: bool,
}

#[derive(Debug, Serialize)]
pub struct Report {
    pub dry_run: bool,
    pub freed_bytes: u64,
    pub applications: Vec<Pruned>,
}

#[derive(Debug, Default, Serialize)]
pub struct Pruned {
    pub name: String,
    #[serde(serialize_with = "crate::display::lossy")]
    pub path: PathBuf,
    /// Complete lines, newest first.
    pub kept_lines: Vec<u64>,
    /// Older lines that the kept ones need.
    pub base_lines: Vec<u64>,
    #[serde(serialize_with = "crate::display::lossy_list")]
    pub removed: Vec<PathBuf>,
    pub removed_lines: Vec<u64>,
    pub freed_bytes: u64,
    /// Why less was removed than requested.
    pub problems: Vec<String>,
}

pub fn prune(paths: &[PathBuf], wanted: &PruneOptions) -> Result<Report> {
    let mut applications = Vec::new();
    for path in paths {
        if let (directory, Some(line)) = split(path) {
            bail!(
                "`{}` is recovery line {line} alone; name `{}`, of which the newest lines stay",
                path.display(),
                directory.display()
            );
        }
        let found = scan::applications(path)?;
        applications.extend(
            found
                .into_iter()
                .filter(|application| wanted.app.as_ref().is_none_or(|app| *app == application.name)),
        );
    }
    if applications.is_empty() {
        bail!("there is no application `{}`", wanted.app.as_deref().unwrap_or_default());
    }
    let pruned: Vec<Pruned> = applications.iter().map(|application| pruned(application, wanted)).collect();
    let freed_bytes = pruned.iter().map(|application| application.freed_bytes).sum();
    Ok(Report { dry_run: wanted.dry_run, freed_bytes, applications: pruned })
}

impl Report {
    pub fn is_good(&self) -> bool {
        self.applications.iter().all(|application| application.problems.is_empty())
    }
}

fn pruned(application: &Application, wanted: &PruneOptions) -> Pruned {
    let mut pruned =
        Pruned { name: application.name.clone(), path: application.path.clone(), ..Pruned::default() };
    pruned.choose_kept(application, wanted);
    if pruned.kept_lines.len() as u64 == wanted.keep {
        match pruned.files_to_remove(application, wanted) {
            Ok(to_remove) => pruned.remove(&to_remove, wanted),
            Err(problem) => pruned.problems.push(problem),
        }
    } else {
        let found = pruned.kept_lines.len();
        let said = if found == 0 {
            "no complete recovery line".to_owned()
        } else {
            many(found as u64, "complete recovery line")
        };
        pruned.problems.push(format!("{said}: nothing is removed"));
    }
    pruned
}

impl Pruned {
    /// Chooses the newest lines from which a run could be resumed.
    fn choose_kept(&mut self, application: &Application, wanted: &PruneOptions) {
        let progress =
            Progress::new(if wanted.quick { 0 } else { wanted.keep.saturating_mul(line_bytes(application)) });
        for number in application.numbers() {
            if self.kept_lines.len() as u64 == wanted.keep {
                return;
            }
            progress.at(&format!("recovery line {number}"));
            let is_whole = || application.line(number).all(|(_, file)| is_whole(file, &progress));
            if line(application, number, &BTreeSet::new(), &Default::default()).complete
                && (wanted.quick || is_whole())
            {
                self.kept_lines.push(number);
            }
        }
    }

    /// The files that are older than the kept lines and that no remaining file needs.
    fn files_to_remove<'a>(
        &mut self,
        application: &'a Application,
        wanted: &PruneOptions,
    ) -> Result<Vec<&'a ScannedFile>, String> {
        let oldest = self.kept_lines.last().copied().unwrap_or(0);
        let mut needed = BTreeSet::new();
        for rank in &application.ranks {
            let newer = rank.files.iter().filter(|file| file.number >= oldest);
            let aside = rank.aside.iter().filter(|_| !wanted.aside);
            for file in newer.chain(aside) {
                // A damaged file may need files that are not known, so nothing is removed.
                let bases = verify::bases(&Posix, &file.path);
                needed.extend(bases.map_err(|reason| format!("`{}` {reason}: what it needs is not known, so nothing is removed; if it is of no use, remove it by hand", file.path.display()))?);
            }
        }
        self.base_lines = needed.iter().rev().copied().filter(|number| *number < oldest).collect();
        let mut to_remove: Vec<&ScannedFile> = Vec::new();
        for rank in &application.ranks {
            to_remove.extend(
                rank.files.iter().filter(|file| file.number < oldest && !needed.contains(&file.number)),
            );
            to_remove.extend(rank.aside.iter().filter(|_| wanted.aside));
        }
        // Files that depend on others are removed before those.
        to_remove.sort_by_key(|file| std::cmp::Reverse(file.number));
        Ok(to_remove)
    }

    fn remove(&mut self, to_remove: &[&ScannedFile], wanted: &PruneOptions) {
        let mut directories = BTreeSet::new();
        for file in to_remove {
            let removed = if wanted.dry_run { Ok(()) } else { Posix.remove(&file.path) };
            match removed {
                Ok(()) => {
                    self.removed.push(file.path.clone());
                    self.freed_bytes = self.freed_bytes.saturating_add(file.size_bytes);
                    self.removed_lines.push(file.number);
                    directories.extend(file.path.parent());
                }
                // The program itself has removed it.
                Err(error) if error.kind() == ErrorKind::NotFound => {}
                Err(error) => self.problems.push(format!("cannot remove `{}`: {error}", file.path.display())),
            }
        }
        self.removed_lines.dedup();
        for directory in directories.into_iter().filter(|_| !wanted.dry_run) {
            if let Err(error) = Posix.sync_dir(directory) {
                self.problems.push(format!("cannot sync `{}`: {error}", directory.display()));
            }
        }
    }
}

/// About the number of bytes to read for one line.
fn line_bytes(application: &Application) -> u64 {
    let newest = application.numbers().first().copied().unwrap_or(0);
    application.line(newest).map(|(_, file)| file.size_bytes).fold(0, u64::saturating_add)
}

fn is_whole(file: &ScannedFile, progress: &Progress) -> bool {
    let is_whole =
        describe(&Posix, &file.path).is_ok_and(|description| check_content(&description).is_empty());
    progress.advance(file.size_bytes);
    is_whole
}

impl fmt::Display for Report {
    fn fmt(&self, text: &mut fmt::Formatter) -> fmt::Result {
        for application in &self.applications {
            write!(text, "{}: ", plain(&application.name))?;
            let verb = if self.dry_run { "would remove" } else { "removed" };
            let mut lines = application.removed_lines.clone();
            lines.sort_unstable();
            match application.removed.len() {
                0 => write!(text, "{verb} nothing")?,
                files => write!(
                    text,
                    "{verb} {} of lines {}, {}",
                    many(files as u64, "file"),
                    ranges(&lines),
                    size(application.freed_bytes)
                )?,
            }
            let mut kept = application.kept_lines.clone();
            kept.reverse();
            if !kept.is_empty() {
                write!(text, "; kept lines {}", ranges(&kept))?;
            }
            writeln!(text)?;
            if !application.base_lines.is_empty() {
                let mut bases = application.base_lines.clone();
                bases.reverse();
                let said = format!("  lines {} stay, since others depend on them", ranges(&bases));
                writeln!(text, "{}", styled(&said, DOUBTFUL))?;
            }
            for problem in &application.problems {
                writeln!(text, "  {}", styled(&plain(problem), BAD))?;
            }
        }
        Ok(())
    }
}
