//! The content of a state directory.
//!
//! Input: a path of any of the levels.
//! Output: applications, processes, files, in order.
//! Postcondition: no file was opened; names that do not have the form of the runtime are left out.

use anyhow::{anyhow, bail, Error, Result};
use cppc_runtime::storage::directory::{
    is_temporary, parse_ended, parse_finished, parse_line, parse_rank, ASIDE,
};
use cppc_runtime::storage::{Entry, EntryKind, Posix, Storage};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

#[derive(Debug)]
pub struct Application {
    pub name: String,
    pub path: PathBuf,
    pub ranks: Vec<Rank>,
}

#[derive(Debug)]
pub struct Rank {
    pub rank: u32,
    /// Oldest line first.
    pub files: Vec<ScannedFile>,
    /// Set-aside files.
    pub aside: Vec<ScannedFile>,
    pub finished_runs: Vec<u64>,
    /// Runs whose program ended with exit status 0 and without `shutdown`.
    pub ended_runs: Vec<u64>,
    /// When the newest temporary file was last changed.
    pub being_written: Option<SystemTime>,
    pub temporary: bool,
}

#[derive(Debug, Clone)]
pub struct ScannedFile {
    pub number: u64,
    pub path: PathBuf,
    pub size_bytes: u64,
    pub modified: Option<SystemTime>,
}

impl Application {
    /// The numbers of all lines with a file, newest first.
    pub fn numbers(&self) -> Vec<u64> {
        let files = self.ranks.iter().flat_map(|rank| &rank.files);
        let mut numbers: Vec<u64> = files.map(|file| file.number).collect();
        numbers.sort_unstable_by(|a, b| b.cmp(a));
        numbers.dedup();
        numbers
    }

    /// All files, including set-aside ones.
    pub fn files(&self) -> impl Iterator<Item = &ScannedFile> {
        self.ranks.iter().flat_map(|rank| rank.files.iter().chain(&rank.aside))
    }

    /// The files of one line, with their ranks.
    pub fn line(&self, number: u64) -> impl Iterator<Item = (u32, &ScannedFile)> {
        self.ranks.iter().filter_map(move |rank| {
            rank.files.iter().find(|file| file.number == number).map(|file| (rank.rank, file))
        })
    }
}

/// The applications at a path: a state directory, or a directory of one application or process.
pub fn applications(path: &Path) -> Result<Vec<Application>> {
    let inside = list(path)?;
    let absolute = path.canonicalize().unwrap_or(path.to_owned());
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    if let Some(rank) = parse_rank(&name(&absolute)) {
        let above = absolute.parent().map(&name).unwrap_or_default();
        return Ok(vec![Application {
            name: above,
            path: path.to_owned(),
            ranks: vec![scan_rank(path, rank)?],
        }]);
    }
    if inside.iter().any(is_rank) {
        return Ok(vec![scan_application(path, name(&absolute))?]);
    }
    let mut found = Vec::new();
    for entry in inside.iter().filter(|entry| entry.kind == EntryKind::Directory) {
        let application = path.join(&entry.name);
        // An unreadable directory is ignored unless the user named it.
        let Ok(inside) = Posix.list(&application) else { continue };
        if inside.iter().any(is_rank) {
            found.push(scan_application(&application, entry.name.to_string_lossy().into_owned())?);
        }
    }
    found.sort_by(|a, b| a.name.cmp(&b.name));
    if found.is_empty() {
        bail!(
            "there is no state of any application in `{}`: {}; no run has written there yet, or its runs have ended and removed their \
             state; run the program first, or name the directory in its setting `dir`",
            path.display(),
            content(&inside)
        );
    }
    Ok(found)
}

fn is_rank(entry: &Entry) -> bool {
    entry.kind == EntryKind::Directory && entry.name.to_str().and_then(parse_rank).is_some()
}

fn list(path: &Path) -> Result<Vec<Entry>> {
    Posix.list(path).map_err(|error| match error.kind() {
        ErrorKind::NotADirectory => {
            anyhow!("`{}` is a file, and a directory is wanted; `cppc show` looks into files", path.display())
        }
        ErrorKind::NotFound => missing(path),
        _ => Error::from(error).context(format!("cannot read the directory `{}`", path.display())),
    })
}

/// The message about a path that does not exist.
pub fn missing(path: &Path) -> Error {
    let here = match std::env::current_dir() {
        Ok(here) if path.is_relative() => format!(" in `{}`", here.display()),
        _ => String::new(),
    };
    anyhow!(
        "there is no directory `{}`{here}: runs write to the directory in the setting `dir`, by default to `cppc-state` in their \
         working directory; run the program first, or name its state directory",
        path.display()
    )
}

/// What a directory without state contains.
fn content(inside: &[Entry]) -> String {
    const MOST_NAMES: usize = 3;
    if inside.is_empty() {
        return "it is empty".to_owned();
    }
    let mut names: Vec<String> =
        inside.iter().map(|entry| format!("`{}`", entry.name.to_string_lossy())).collect();
    names.sort();
    let more = names.len().saturating_sub(MOST_NAMES);
    names.truncate(MOST_NAMES);
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    format!(
        "it contains {}{more}, and no directory of an application with directories like `rank-0000`",
        names.join(", ")
    )
}

fn scan_application(path: &Path, name: String) -> Result<Application> {
    let mut ranks = Vec::new();
    for entry in list(path)?.iter().filter(|entry| is_rank(entry)) {
        if let Some(rank) = entry.name.to_str().and_then(parse_rank) {
            ranks.push(scan_rank(&path.join(&entry.name), rank)?);
        }
    }
    ranks.sort_by_key(|rank| rank.rank);
    Ok(Application { name, path: path.to_owned(), ranks })
}

fn is_unpublished(entry: &Entry) -> bool {
    entry.name.to_str().is_some_and(is_temporary)
}

fn scan_rank(path: &Path, rank: u32) -> Result<Rank> {
    let inside = list(path)?;
    // A symbolic link could point outside of the state directory.
    let aside = if inside.iter().any(|entry| entry.name == ASIDE && entry.kind == EntryKind::Directory) {
        files_in(&path.join(ASIDE), &list(&path.join(ASIDE))?)
    } else {
        Vec::new()
    };
    Ok(Rank {
        rank,
        files: files_in(path, &inside),
        aside,
        finished_runs: inside.iter().filter_map(|entry| parse_finished(entry.name.to_str()?)).collect(),
        ended_runs: inside.iter().filter_map(|entry| parse_ended(entry.name.to_str()?)).collect(),
        being_written: inside
            .iter()
            .filter(|entry| is_unpublished(entry))
            .filter_map(|entry| entry.modified)
            .max(),
        temporary: inside.iter().any(is_unpublished),
    })
}

fn files_in(path: &Path, inside: &[Entry]) -> Vec<ScannedFile> {
    let files = inside.iter().filter(|entry| entry.kind == EntryKind::File);
    let mut files: Vec<ScannedFile> = files
        .filter_map(|entry| {
            Some(ScannedFile {
                number: parse_line(entry.name.to_str()?)?,
                path: path.join(&entry.name),
                size_bytes: entry.size_bytes,
                modified: entry.modified,
            })
        })
        .collect();
    files.sort_by_key(|file| file.number);
    files
}
