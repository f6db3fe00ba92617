//! Sets aside state files that are newer than the recovery line from which the run resumes.
//!
//! Input: the directory and the agreed number.
//! Output: a directory in which that line is the newest.
//! Postcondition: the set-aside files are durable and can still be inspected. They do not accumulate when a
//! run is started repeatedly without progress.
//!
//! A file that cannot be moved stays where it is. This is safe: on all processes, new lines get numbers that
//! no file in the directory or in the set-aside directory ever had. Old and new files therefore never form
//! one line.

use crate::storage::Directory;
use std::io;
use std::path::PathBuf;

/// What to do with newer files if there are set-aside files already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Earlier {
    /// Keep all of them. The run had complete lines, and the user may need one of them.
    Kept,
    /// Keep the set-aside files and remove the newer ones. These come from starts that never had a complete
    /// line, because a complete line removes the set-aside files.
    Enough,
}

/// Moves all lines above `agreed` to the directory for set-aside files, durably.
pub fn set_aside(directory: &Directory, agreed: u64, earlier: Earlier) -> io::Result<()> {
    directory.and_mirror().try_for_each(|directory| set_aside_in(directory, agreed, earlier))
}

fn set_aside_in(directory: &Directory, agreed: u64, earlier: Earlier) -> io::Result<()> {
    directory.check()?;
    // Remove the temporary file of an interrupted dump. If this fails, the next dump fails too and reports
    // the reason.
    for path in directory.temporaries() {
        let _ = directory.storage().remove(&path);
    }
    let newer: Vec<u64> = directory.lines()?.into_iter().filter(|&number| number > agreed).collect();
    if !newer.is_empty() {
        directory.make_aside()?;
    }
    let moves = earlier == Earlier::Kept || directory.lines_aside()?.is_empty();
    // Oldest first, so that an interruption leaves the newer ones, which no other process has.
    for &number in newer.iter().rev() {
        let line = directory.line(number);
        match moves {
            true => directory.storage().rename(&line, &directory.aside_line(number))?,
            false => directory.storage().remove(&line)?,
        }
    }
    // Even if nothing was moved: an earlier start may have moved files and been killed before it synced. After a loss of
    // power they would be back, without the marker file of their finished run.
    directory.sync_aside()
}

/// Removes, durably, the marker file that this run has finished; those of all runs if no run is resumed.
pub fn unmark_finished(directory: &Directory, resumed: Option<u64>) -> io::Result<()> {
    directory.and_mirror().try_for_each(|directory| unmark_finished_in(directory, resumed))
}

fn unmark_finished_in(directory: &Directory, resumed: Option<u64>) -> io::Result<()> {
    let is_over = |run: &u64| resumed.is_none() || resumed == Some(*run);
    let finished = directory.finished_runs()?.into_iter().filter(is_over).map(|run| directory.finished(run));
    let ended = directory.ended_runs()?.into_iter().filter(is_over).map(|run| directory.ended(run));
    remove_marks(directory, finished.chain(ended))
}

/// Removes, durably, the marker files of runs that have had a complete line. These runs are abandoned.
pub fn unmark_complete(directory: &Directory) -> io::Result<()> {
    directory.and_mirror().try_for_each(|directory| {
        remove_marks(directory, directory.complete_runs()?.into_iter().map(|run| directory.complete(run)))
    })
}

fn remove_marks(directory: &Directory, marks: impl Iterator<Item = PathBuf>) -> io::Result<()> {
    let mut removed = false;
    for path in marks {
        directory.storage().remove(&path)?;
        removed = true;
    }
    if removed {
        directory.sync()
    } else {
        Ok(())
    }
}
