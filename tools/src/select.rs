//! Selects files of a directory.
//!
//! Input: a path from the user, and other criteria.
//! Output: state files.
//! Postcondition: what was named exists, or the message names what exists.

use crate::display::plain;
use crate::scan::{self, Application, ScannedFile};
use anyhow::{bail, Context, Result};
use std::path::{Path, PathBuf};

/// The criteria for a path that is a directory.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    pub app: Option<String>,
    /// `None` selects the newest.
    pub line: Option<u64>,
    pub ranks: Ranks,
}

/// A set of processes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ranks {
    All,
    /// The first and the last rank of each range.
    Some(Vec<(u32, u32)>),
}

impl Default for Ranks {
    fn default() -> Ranks {
        Ranks::Some(vec![(0, 0)])
    }
}

impl Ranks {
    pub fn holds(&self, rank: u32) -> bool {
        match self {
            Ranks::All => true,
            Ranks::Some(ranges) => ranges.iter().any(|(first, last)| (*first..=*last).contains(&rank)),
        }
    }

    /// `0-3,7` or `all`.
    pub fn parse(text: &str) -> Result<Ranks, String> {
        if text == "all" {
            return Ok(Ranks::All);
        }
        let range = |part: &str| {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let (first, last) = (first.trim().parse().ok()?, last.trim().parse().ok()?);
            (first <= last).then_some((first, last))
        };
        let ranges: Option<Vec<(u32, u32)>> = text.split(',').map(range).collect();
        ranges
            .map(Ranks::Some)
            .ok_or_else(|| format!("`{text}` names no processes; write for example 0-3,7 or all"))
    }
}

/// `DIR@7` is recovery line 7 in DIR, unless there is a file of that name.
pub fn split(path: &Path) -> (PathBuf, Option<u64>) {
    let text = path.to_str().filter(|_| std::fs::symlink_metadata(path).is_err());
    let parts = text.and_then(|text| text.rsplit_once('@'));
    match parts.and_then(|(path, line)| Some((path, line.parse().ok()?))) {
        Some((path, line)) => (PathBuf::from(if path.is_empty() { "." } else { path }), Some(line)),
        None => (path.to_owned(), None),
    }
}

/// The selected files, ordered by process.
pub fn files(path: &Path, selection: &Selection) -> Result<Vec<PathBuf>> {
    let (path, line) = split(path);
    let found = match std::fs::metadata(&path) {
        // A name with a suffix is that of a file.
        Err(error) if error.kind() == std::io::ErrorKind::NotFound && path.extension().is_none() => {
            return Err(scan::missing(&path))
        }
        found => found.with_context(|| format!("cannot look at `{}`", shown(&path)))?,
    };
    if !found.is_dir() {
        return Ok(vec![path]);
    }
    let application = application(&path, selection.app.as_deref())?;
    // The directory of one process selects that process.
    let is_alone = application.ranks.len() == 1;
    let ranks: Vec<&scan::Rank> =
        application.ranks.iter().filter(|rank| is_alone || selection.ranks.holds(rank.rank)).collect();
    if ranks.is_empty() {
        bail!("there is no state of the processes that were asked for in `{}`", shown(&application.path));
    }
    let line = line.or(selection.line);
    let of = |file: &&ScannedFile| line.is_none_or(|line| file.number == line);
    let newest =
        ranks.iter().filter_map(|rank| rank.files.iter().rev().find(of)).map(|file| file.number).max();
    let Some(number) = newest else {
        match line {
            Some(line) => bail!(
                "there is no file of recovery line {line} in `{}`; there are {}",
                shown(&application.path),
                line_ranges(&application)
            ),
            None => bail!("there are no state files in `{}`", shown(&application.path)),
        }
    };
    let mut found = Vec::new();
    for rank in ranks {
        found.extend(rank.files.iter().find(|file| file.number == number).map(|file| file.path.clone()));
    }
    Ok(found)
}

/// All applications at a path, and the line after `@` in it. Each application has files of that line.
pub fn applications(path: &Path) -> Result<(Vec<Application>, Option<u64>)> {
    let (path, line) = split(path);
    let mut applications = scan::applications(&path)?;
    if let Some(line) = line {
        applications.retain(|application| application.line(line).next().is_some());
        if applications.is_empty() {
            bail!("there are no files of recovery line {line} in `{}`", shown(&path));
        }
    }
    Ok((applications, line))
}

/// The one selected application.
pub fn application(path: &Path, app: Option<&str>) -> Result<Application> {
    let mut applications = scan::applications(path)?;
    if let Some(app) = app {
        applications.retain(|application| application.name == app);
    }
    if applications.len() > 1 {
        let names: Vec<String> =
            applications.iter().map(|application| format!("`{}`", plain(&application.name))).collect();
        bail!(
            "there are several applications in `{}`: choose one of {} with `--app`",
            shown(path),
            names.join(", ")
        );
    }
    match applications.pop() {
        Some(application) => Ok(application),
        None => bail!("there is no application `{}` in `{}`", plain(app.unwrap_or_default()), shown(path)),
    }
}

fn line_ranges(application: &Application) -> String {
    let mut numbers = application.numbers();
    numbers.reverse();
    let ranges = crate::display::ranges(&numbers);
    if ranges.is_empty() {
        "none".to_owned()
    } else {
        ranges
    }
}

fn shown(path: &Path) -> String {
    plain(&path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processes_are_named_by_ranges() {
        let some = Ranks::parse("0-3,7").unwrap();
        assert!(some.holds(2) && some.holds(7) && !some.holds(4));
        assert!(Ranks::parse("all").unwrap().holds(u32::MAX));
        assert!(Ranks::parse("3-1").is_err() && Ranks::parse("").is_err() && Ranks::parse("x").is_err());
    }

    #[test]
    fn a_line_may_stand_behind_the_path() {
        assert_eq!(split(Path::new("no/such@12")), (PathBuf::from("no/such"), Some(12)));
        assert_eq!(split(Path::new("no/such@x")), (PathBuf::from("no/such@x"), None));
        assert_eq!(split(Path::new("@3")), (PathBuf::from("."), Some(3)));
    }
}
