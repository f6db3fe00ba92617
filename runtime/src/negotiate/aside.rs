//! Puts away what is newer than the line to resume from.
//!
//! In: the directory and the agreed number. Out: a directory in which that line is the newest.
//! Holds afterwards: what was put away is durably so, and can still be looked at; what is put away
//! does not pile up when a run is started again and again without getting anywhere.
//!
//! A file that cannot be moved stays where it is. That is no danger: new lines get numbers that no
//! file here or aside ever had, on all processes, so old and new files never make one line.

use crate::storage::Directory;

/// When so many are there, what comes later is removed instead: it is the work of runs that did
/// not live to see one complete line, and the earlier ones may be worth more.
const MOST_ASIDE: usize = 16;

/// The largest number that any file here has.
pub fn newest_number(directory: &Directory) -> u64 {
    let lines = directory.lines().unwrap_or_default();
    let aside = directory.lines_aside().unwrap_or_default();
    lines.into_iter().chain(aside).max().unwrap_or(0)
}

/// Moves all lines above `agreed` to the directory for such things, durably.
pub fn set_aside(directory: &Directory, agreed: u64, notes: &mut Vec<String>) {
    // What an interrupted dump left.
    for path in directory.temporaries() {
        let _ = directory.storage().remove(&path);
    }
    let newer: Vec<u64> =
        directory.lines().unwrap_or_default().into_iter().filter(|&number| number > agreed).collect();
    if newer.is_empty() {
        return;
    }
    if let Err(error) = move_all(directory, &newer) {
        notes.push(format!(
            "cannot set aside the state files in `{}` that are newer than recovery line {agreed}: {error}",
            directory.path().display()
        ));
    }
}

fn move_all(directory: &Directory, numbers: &[u64]) -> std::io::Result<()> {
    directory.make_aside()?;
    let mut there = directory.lines_aside()?.len();
    // Oldest first, so that a stop in between leaves the newer ones, which no other process has.
    for &number in numbers.iter().rev() {
        if there < MOST_ASIDE {
            directory.storage().rename(&directory.line(number), &directory.aside_line(number))?;
            there += 1;
        } else {
            directory.storage().remove(&directory.line(number))?;
        }
    }
    directory.storage().sync_dir(&directory.aside())?;
    directory.sync()
}

/// Removes the marks of finished and ended runs: their lines are put away, or the run goes on.
pub fn unmark(directory: &Directory, notes: &mut Vec<String>) {
    let finished = directory.finished_runs().unwrap_or_default();
    let ended = directory.ended_runs().unwrap_or_default();
    let marks = finished.iter().map(|&run| directory.finished(run)).chain(ended.iter().map(|&run| directory.ended(run)));
    let marks: Vec<_> = marks.collect();
    for path in &marks {
        if let Err(error) = directory.storage().remove(path) {
            notes.push(format!("cannot remove `{}`: {error}", path.display()));
        }
    }
    if !marks.is_empty() {
        if let Err(error) = directory.sync() {
            notes.push(format!("cannot sync `{}`: {error}", directory.path().display()));
        }
    }
}
