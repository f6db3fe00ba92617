//! Puts away what is newer than the line to resume from.
//!
//! In: the directory and the agreed number. Out: a directory in which that line is the newest.
//! Holds afterwards: what was put away is durably so, and can still be looked at; what is put away
//! does not pile up when a run is started again and again without getting anywhere.
//!
//! A file that cannot be moved stays where it is. That is no danger: new lines get numbers that no
//! file here or aside ever had, on all processes, so old and new files never make one line.

use crate::storage::Directory;
use std::io;
use std::path::PathBuf;

/// What is done about files for which there is a place aside already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Earlier {
    /// All of it is kept: it was a run with complete lines, and one of them may be wanted back.
    Kept,
    /// What is there stays, and what comes now is removed: it is the work of starts that did not live to see one
    /// complete line, which removes what is aside.
    Enough,
}

/// Moves all lines above `agreed` to the directory for such things, durably.
pub fn set_aside(directory: &Directory, agreed: u64, earlier: Earlier) -> io::Result<()> {
    directory.check()?;
    // What an interrupted dump left. The next one fails, and says why, if it cannot be removed.
    for path in directory.temporaries() {
        let _ = directory.storage().remove(&path);
    }
    let newer: Vec<u64> = directory.lines()?.into_iter().filter(|&number| number > agreed).collect();
    if newer.is_empty() {
        return Ok(());
    }
    directory.make_aside()?;
    let moves = earlier == Earlier::Kept || directory.lines_aside()?.is_empty();
    // Oldest first, so that a stop in between leaves the newer ones, which no other process has.
    for &number in newer.iter().rev() {
        let line = directory.line(number);
        match moves {
            true => directory.storage().rename(&line, &directory.aside_line(number))?,
            false => directory.storage().remove(&line)?,
        }
    }
    directory.storage().sync_dir(&directory.aside())?;
    directory.sync()
}

/// Removes, durably, the marks that the run with this identity is finished; of all runs when none goes on.
pub fn unmark_finished(directory: &Directory, resumed: Option<u64>) -> io::Result<()> {
    let is_over = |run: &u64| resumed.is_none() || resumed == Some(*run);
    let finished = directory.finished_runs()?.into_iter().filter(is_over).map(|run| directory.finished(run));
    let ended = directory.ended_runs()?.into_iter().filter(is_over).map(|run| directory.ended(run));
    remove_marks(directory, finished.chain(ended))
}

/// Removes, durably, the marks of runs that have had a complete line: they are given up.
pub fn unmark_complete(directory: &Directory) -> io::Result<()> {
    remove_marks(directory, directory.complete_runs()?.into_iter().map(|run| directory.complete(run)))
}

fn remove_marks(directory: &Directory, marks: impl Iterator<Item = PathBuf>) -> io::Result<()> {
    let mut removed = false;
    for path in marks {
        directory.storage().remove(&path)?;
        removed = true;
    }
    if removed { directory.sync() } else { Ok(()) }
}
