//! Puts a state file under its name, and takes old ones away.
//!
//! In: a manifest and its bytes, and the numbers of files that are of no more use. Out: the
//! published file. Holds afterwards: either the file is whole, durable and under its name, or it is
//! not there; the temporary file is gone in either case, unless the storage refuses even that.
//!
//! # Why a crash at any instant leaves the newest complete line readable
//!
//! A publication is: retired files are removed, but one is renamed to the temporary name; the
//! temporary file is written, cut and synced; it is renamed to its line's name; the directory is
//! synced. Let the machine stop
//!
//! - *before the last rename*: only retired names and the temporary name were touched. A retired
//!   line is older than `keep` lines that every process has durably, or will never be complete, so
//!   it is not the newest complete one.
//! - *while a recycled file is overwritten*: the rename to the temporary name may not have reached
//!   the disk, so the retired line's name may show a mixture of old and new bytes. The index
//!   carries the checksum of the header it was written with, and the pieces' checksums stand in the
//!   index, so a mixture does not pass verification; if all of it is new, its number is not the
//!   one in its name, and it does not pass either.
//! - *between the rename and the sync of the directory*: the file was synced before, so the name
//!   shows the whole file or is not there. This process counts the file as its own only after the
//!   sync of the directory; no other process takes the line for complete before that.
//! - *in a removal*: it may or may not have happened; the same argument as for retired lines.
//!
//! A file may point into earlier ones of this process. Those are durable when it is begun, and stay as
//! long as a line that needs them does, so all of the above holds of the files together. A file that
//! needs others goes before them; stopped in between, or with a removal that did not reach the disk, a
//! retired line may be left without what it needs: it is passed over, as a damaged one is. Into which file
//! is pointed is bound by the checksum of its header, and each piece by its own, so what has taken the
//! place of a base is not taken for it.
//!
//! A writer that is a shared object writes the temporary file by its path; all the rest is done here.
//! What it gives back of a mixture does not pass either: the seal carries the checksums of header,
//! index and content.
//!
//! What fails without a crash (no space, no permission) ends the publication: what has the
//! temporary name is removed. A sync that failed is never tried again on the same content, nor is what it was to make
//! durable ever counted upon: a system reports such an error once, and may take the lost pages for clean. So a file that
//! takes the place of a retired one apart, each dump is written to a file that is new, and a line whose directory could not
//! be synced loses its name again.

use super::error::{trying, DumpError};
use super::form::Form;
use crate::format::binary::Content;
use crate::format::history::{Account, Past};
use crate::lock::Lock;
use crate::machine::Machine;
use crate::manifest::Manifest;
use crate::storage::{Directory, EntryKind};
use std::io;
use std::path::Path;

/// What to do with files that are of no more use.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Cleaning {
    /// Lines, oldest first; the last one that can be is overwritten.
    pub lines: Vec<u64>,
    /// Also what was set aside.
    pub aside: bool,
    /// Whether to note that the run has had a complete line.
    pub notes_complete: bool,
}

/// Files that a restart does not need, for when the disk is full.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Spare {
    /// What was set aside; it goes first.
    pub aside: bool,
    /// Lines beyond those to be kept, oldest first.
    pub lines: Vec<u64>,
}

/// What was published.
#[derive(Debug)]
pub struct Published {
    pub size_bytes: u64,
    /// What the next file may lean on; none when there is no history.
    pub account: Option<Account>,
    /// Whether it took the place of an old file.
    pub recycled: bool,
}

/// What went wrong, and whether the file has its name nevertheless.
#[derive(Debug)]
pub struct Unpublished {
    pub error: DumpError,
    /// The lines that it needs, if it has its name.
    pub appeared: Option<Vec<u64>>,
}

impl From<DumpError> for Unpublished {
    fn from(error: DumpError) -> Self {
        Unpublished { error, appeared: None }
    }
}

/// Publishes one state file. Files that could not be cleaned away are told to `left`.
pub fn publish(
    directory: &Directory,
    lock: Option<&Lock>,
    form: &Form,
    manifest: &Manifest,
    content: &Content,
    past: Option<Past>,
    cleaning: &Cleaning,
    mut left: impl FnMut(DumpError),
) -> Result<Published, Unpublished> {
    check(lock)?;
    directory.make().map_err(trying("make the directory", directory.path()))?;
    let temporary = directory.temporary();
    // Left by a dump that failed: what may be lost of it, nobody says a second time.
    remove_at_once(directory, &temporary)?;
    let recycled = clean(directory, form.recycles(), cleaning, &mut left);
    if cleaning.notes_complete {
        // Without the mark a later start knows less; that is no reason to write nothing. The directory's sync is to come.
        drop(directory.storage().open_for_writing(&directory.complete(manifest.provenance.run)));
    }
    let written = form.write(&**directory.storage(), &temporary, manifest, Machine::THIS, content, past);
    let (size_bytes, account) = match written {
        Ok(written) => written,
        Err(error) => {
            // The reason is what the caller needs; that removing failed as well adds nothing.
            let _ = directory.storage().remove(&temporary);
            return Err(error.into());
        }
    };
    // It may have taken long, and the process may have been stopped meanwhile.
    if let Err(error) = check(lock) {
        let _ = directory.storage().remove(&temporary);
        return Err(error.into());
    }
    let line = directory.line(manifest.provenance.number);
    if let Err(error) = directory.storage().rename(&temporary, &line) {
        let _ = directory.storage().remove(&temporary);
        return Err(trying("rename the state file to", &line)(error).into());
    }
    match directory.sync() {
        Ok(()) => Ok(Published { size_bytes, account, recycled }),
        Err(error) => {
            let is_gone = directory.storage().remove(&line).is_ok();
            Err(Unpublished {
                error: trying("sync the directory", directory.path())(error),
                appeared: (!is_gone).then(|| account.map_or(Vec::new(), |account| account.bases().to_vec())),
            })
        }
    }
}

/// Whether the directory is still that of this process.
fn check(lock: Option<&Lock>) -> Result<(), DumpError> {
    lock.map_or(Ok(()), |lock| lock.check().map_err(DumpError::NotHeld))
}

/// Removes files that a restart does not need; returns how many were aside, and the lines.
pub fn make_room(directory: &Directory, spare: &Spare) -> (usize, Vec<u64>) {
    let mut failed = 0;
    let aside = directory.lines_aside().map_or(0, |lines| lines.len());
    if spare.aside && aside > 0 {
        remove_aside(directory, &mut |_| failed += 1);
        if failed < aside {
            return (aside - failed, Vec::new());
        }
    }
    let is_removed = |line: &u64| directory.storage().remove(&directory.line(*line)).is_ok();
    // One that others need goes after them.
    (0, spare.lines.iter().rev().copied().filter(is_removed).collect())
}

fn remove_at_once(directory: &Directory, path: &Path) -> Result<(), DumpError> {
    let mut failed = Ok(());
    remove(directory, path, &mut |error| failed = Err(error));
    failed
}

/// Removes what is of no more use, but for one file that gets the temporary name if it can be
/// overwritten; says whether there is one.
fn clean(
    directory: &Directory,
    recycles: bool,
    cleaning: &Cleaning,
    left: &mut impl FnMut(DumpError),
) -> bool {
    let mut recycled = false;
    for &number in cleaning.lines.iter().rev() {
        let path = directory.line(number);
        if !recycled && recycles && recycle(directory, &path) {
            recycled = true;
        } else {
            remove(directory, &path, left);
        }
    }
    if cleaning.aside {
        remove_aside(directory, left);
    }
    recycled
}

/// Content that has a second name, a backup perhaps, must not change.
fn recycle(directory: &Directory, path: &Path) -> bool {
    let storage = directory.storage();
    let ours = storage.entry(path).is_ok_and(|entry| entry.kind == EntryKind::File && entry.links == 1);
    ours && storage.rename(path, &directory.temporary()).is_ok()
}

/// Removes all that was set aside.
pub fn remove_aside(directory: &Directory, left: &mut impl FnMut(DumpError)) {
    match directory.lines_aside() {
        Ok(lines) => lines.into_iter().for_each(|number| remove(directory, &directory.aside_line(number), left)),
        Err(error) => left(trying("list", &directory.aside())(error)),
    }
}

/// Removes a file that may be gone already.
pub fn remove(directory: &Directory, path: &Path, left: &mut impl FnMut(DumpError)) {
    match directory.storage().remove(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => left(trying("remove", path)(error)),
        _ => {}
    }
}
