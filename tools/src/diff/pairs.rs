//! Which files are compared with which.
//!
//! Input: two paths.
//! Output: pairs of files, by process.
//! Postcondition: of two directories, the newest recovery line that both have was chosen, unless one was
//! named.

use crate::scan::Application;
use crate::select::{application, split, Ranks, Selection};
use anyhow::{bail, Result};
use cppc_runtime::storage::Posix;
use cppc_runtime::verify::describe;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

#[derive(Debug)]
pub struct Pair {
    pub rank: Option<u32>,
    pub a: Option<PathBuf>,
    pub b: Option<PathBuf>,
}

pub fn pairs(a: &Path, b: &Path, app: Option<&str>, ranks: &Ranks) -> Result<Vec<Pair>> {
    let (own, others) = (split(a), split(b));
    match (own.0.is_dir(), others.0.is_dir()) {
        (false, false) => Ok(vec![Pair { rank: None, a: Some(own.0), b: Some(others.0) }]),
        (true, false) => {
            Ok(vec![Pair { rank: None, a: Some(counterpart(a, app, &others.0)?), b: Some(others.0) }])
        }
        (false, true) => Ok(vec![Pair { rank: None, b: Some(counterpart(b, app, &own.0)?), a: Some(own.0) }]),
        (true, true) => of_directories(own, others, app, ranks),
    }
}

/// The file in a directory that has the rank and, if possible, the line of another file.
fn counterpart(path: &Path, app: Option<&str>, other: &Path) -> Result<PathBuf> {
    let description = describe(&Posix, other)?;
    let said = &description.manifest().provenance;
    let ranks = Ranks::Some(vec![(said.rank, said.rank)]);
    let (directory, line) = split(path);
    let application = application(&directory, app)?;
    let has_line = line.is_none() && application.line(said.number).any(|(rank, _)| rank == said.rank);
    let selection = Selection { app: app.map(str::to_owned), line: has_line.then_some(said.number), ranks };
    match crate::select::files(path, &selection)?.pop() {
        Some(file) => Ok(file),
        None => bail!("there is no file of rank {} in `{}`", said.rank, path.display()),
    }
}

fn of_directories(
    a: (PathBuf, Option<u64>),
    b: (PathBuf, Option<u64>),
    app: Option<&str>,
    ranks: &Ranks,
) -> Result<Vec<Pair>> {
    let (own, others) = (application(&a.0, app)?, application(&b.0, app)?);
    let common = newest(&own).find(|number| newest(&others).any(|other| other == *number));
    let line = |application: &Application, named: Option<u64>, other: Option<u64>| {
        let line = named.or(common.filter(|_| other.is_none())).or(newest(application).next());
        match line.filter(|&line| application.line(line).next().is_some()) {
            Some(line) => Ok(line),
            None => bail!(
                "there are no files of recovery line {} in `{}`",
                line.unwrap_or(1),
                application.path.display()
            ),
        }
    };
    let (own_line, other_line) = (line(&own, a.1, b.1)?, line(&others, b.1, a.1)?);
    let mut pairs: BTreeMap<u32, (Option<PathBuf>, Option<PathBuf>)> = BTreeMap::new();
    for (rank, file) in own.line(own_line) {
        pairs.entry(rank).or_default().0 = Some(file.path.clone());
    }
    for (rank, file) in others.line(other_line) {
        pairs.entry(rank).or_default().1 = Some(file.path.clone());
    }
    let wanted = pairs.into_iter().filter(|(rank, _)| ranks.holds(*rank));
    Ok(wanted.map(|(rank, (a, b))| Pair { rank: Some(rank), a, b }).collect())
}

/// The lines for which every process in the directory has a file, newest first; all lines if there is no such
/// line.
fn newest(application: &Application) -> impl Iterator<Item = u64> + '_ {
    let numbers = application.numbers();
    let is_whole = |number: &u64| application.line(*number).count() == application.ranks.len();
    let any = numbers.iter().any(is_whole);
    numbers.into_iter().filter(move |number| !any || is_whole(number))
}
