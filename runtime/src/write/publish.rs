//! Publishes a state file and removes old ones.
//!
//! Input: a manifest and its bytes, and the numbers of files that are no longer needed.
//! Output: the published file.
//! Postcondition: either the file is complete, durable and has its name, or it does not exist. The temporary
//! file is removed in either case, unless the storage refuses that too.
//!
//! # Why a crash at any instant leaves the newest complete line readable
//!
//! A publication has these steps: retired files are removed, except one, which is renamed to the temporary
//! name; the temporary file is written, truncated and synced; it is renamed to the name of its line; the
//! directory is synced. Assume that the machine stops
//!
//! - *before the last rename*: only retired names and the temporary name have changed. A retired line is
//!   older than `keep` lines that every process has durably, or it will never be complete, so it is not the
//!   newest complete one.
//! - *while a recycled file is overwritten*: the rename to the temporary name may not have reached the disk,
//!   so the name of the retired line may show a mixture of old and new bytes. The checksum of the index
//!   starts with the checksum of the header with which it was written, and the index contains the checksums
//!   of the pieces, so a mixture does not pass verification. If all of the content is new, its number is not
//!   the one in its name, and it does not pass either.
//! - *between the rename and the sync of the directory*: the file was synced before, so the name shows the
//!   complete file or does not exist. This process reports the file as published only after the sync of the
//!   directory, and no other process treats the line as complete before that.
//! - *during a removal*: it may or may not have happened; the argument for retired lines applies.
//!
//! A file may depend on earlier ones of this process. Those are durable before it is begun, and they are kept
//! as long as a line needs them, so the argument holds for the files together. A file that depends on others
//! is removed before them. If the machine stops in between, or if a removal did not reach the disk, a retired
//! line may lack a base file. It is then passed over like a damaged one. The index contains the checksum of
//! each base file's header, and each piece has its own checksum, so a file that has replaced a base file is
//! not accepted as the base file.
//!
//! A writer that is a shared object writes the temporary file by its path; everything else is done here. A
//! mixture does not pass verification in this case either, because the seal contains the checksums of header,
//! index and content.
//!
//! A failure without a crash (no space, no permission) ends the publication: the temporary file is removed. A
//! sync that failed is never repeated for the same content, and content whose sync failed is never treated as
//! durable. An operating system reports such an error once and may then treat the lost pages as clean. So,
//! except for a recycled file, each dump is written to a new file, and a line whose directory could not be
//! synced loses its name again.

use super::error::{storage_error, DumpError};
use super::state_writer::StateWriter;
use crate::format::binary::DumpContent;
use crate::format::history::{Account, Past};
use crate::lock::Lock;
use crate::machine::Machine;
use crate::manifest::Manifest;
use crate::storage::{Directory, EntryKind};
use std::collections::BTreeSet;
use std::io;
use std::path::Path;

/// What to do with files that are no longer needed.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Cleaning {
    /// Lines, oldest first. The newest one that can be overwritten is recycled.
    pub lines: Vec<u64>,
    /// Lines that are being copied to the mirror. They are removed, but not overwritten.
    pub in_use: BTreeSet<u64>,
    /// Whether set-aside files are removed too.
    pub aside: bool,
    /// Whether to write the marker file of a run that has had a complete line.
    pub notes_complete: bool,
}

/// Files that a restart does not need. They are removed if the disk is full.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Spare {
    /// Set-aside files. They are removed first.
    pub aside: bool,
    /// Lines in excess of those to be kept, oldest first.
    pub lines: Vec<u64>,
}

/// What was published.
#[derive(Debug)]
pub struct Published {
    pub size_bytes: u64,
    /// The pieces to which the next file may refer; `None` if there is no history.
    pub account: Option<Account>,
    /// Whether an old file was overwritten.
    pub recycled: bool,
}

/// The error, and whether the file has its name nevertheless.
#[derive(Debug)]
pub struct Unpublished {
    pub error: DumpError,
    /// If the file has its name: the lines that it needs.
    pub appeared: Option<Vec<u64>>,
}

impl From<DumpError> for Unpublished {
    fn from(error: DumpError) -> Self {
        Unpublished { error, appeared: None }
    }
}

/// Publishes one state file. `left` receives the errors of files that could not be removed.
pub fn publish(
    directory: &Directory,
    lock: Option<&Lock>,
    form: &StateWriter,
    manifest: &Manifest,
    content: &DumpContent,
    past: Option<Past>,
    cleaning: &Cleaning,
    mut left: impl FnMut(DumpError),
) -> Result<Published, Unpublished> {
    check(lock)?;
    directory.make().map_err(storage_error("make the directory", directory.path()))?;
    let temporary = directory.temporary();
    // A failed dump has left this file. An error of its earlier write-back is not reported again, so it is
    // not reused.
    remove_at_once(directory, &temporary)?;
    let recycled = clean(directory, form.recycles(), cleaning, &mut left);
    if cleaning.notes_complete {
        // Without this marker file a later start knows less, but that is no reason to skip the dump. The
        // directory is synced below.
        drop(directory.storage().open_for_writing(&directory.complete(manifest.provenance.run)));
    }
    let written = form.write(&**directory.storage(), &temporary, manifest, Machine::THIS, content, past);
    let (size_bytes, account) = match written {
        Ok(written) => written,
        Err(error) => {
            // The caller needs this error. An error of the removal would add nothing.
            let _ = directory.storage().remove(&temporary);
            return Err(error.into());
        }
    };
    // Writing may have taken long, and the process may have been stopped meanwhile.
    if let Err(error) = check(lock) {
        let _ = directory.storage().remove(&temporary);
        return Err(error.into());
    }
    let line = directory.line(manifest.provenance.number);
    if let Err(error) = directory.storage().rename(&temporary, &line) {
        let _ = directory.storage().remove(&temporary);
        return Err(storage_error("rename the state file to", &line)(error).into());
    }
    match directory.sync() {
        Ok(()) => Ok(Published { size_bytes, account, recycled }),
        Err(error) => {
            let is_gone = directory.storage().remove(&line).is_ok();
            Err(Unpublished {
                error: storage_error("sync the directory", directory.path())(error),
                appeared: (!is_gone).then(|| account.map_or(Vec::new(), |account| account.bases().to_vec())),
            })
        }
    }
}

/// Fails if this process no longer holds the lock of the directory.
fn check(lock: Option<&Lock>) -> Result<(), DumpError> {
    lock.map_or(Ok(()), |lock| lock.check().map_err(DumpError::NotHeld))
}

/// Removes files that a restart does not need. Returns the number of removed set-aside files, and the removed
/// lines.
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
    // A file that others need is removed after them.
    (0, spare.lines.iter().rev().copied().filter(is_removed).collect())
}

fn remove_at_once(directory: &Directory, path: &Path) -> Result<(), DumpError> {
    let mut failed = Ok(());
    remove(directory, path, &mut |error| failed = Err(error));
    failed
}

/// Removes files that are no longer needed. One file that can be overwritten gets the temporary name instead.
/// Returns whether there is such a file.
fn clean(
    directory: &Directory,
    recycles: bool,
    cleaning: &Cleaning,
    left: &mut impl FnMut(DumpError),
) -> bool {
    let mut recycled = false;
    for &number in cleaning.lines.iter().rev() {
        let path = directory.line(number);
        if !recycled && recycles && !cleaning.in_use.contains(&number) && recycle(directory, &path) {
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

/// A file with a second name, such as a backup, must not be overwritten.
fn recycle(directory: &Directory, path: &Path) -> bool {
    let storage = directory.storage();
    let ours = storage.entry(path).is_ok_and(|entry| entry.kind == EntryKind::File && entry.links == 1);
    ours && storage.rename(path, &directory.temporary()).is_ok()
}

/// Removes all set-aside files.
pub fn remove_aside(directory: &Directory, left: &mut impl FnMut(DumpError)) {
    match directory.lines_aside() {
        Ok(lines) => {
            lines.into_iter().for_each(|number| remove(directory, &directory.aside_line(number), left))
        }
        Err(error) => left(storage_error("list", &directory.aside())(error)),
    }
}

/// Removes a file that may not exist.
pub fn remove(directory: &Directory, path: &Path, left: &mut impl FnMut(DumpError)) {
    match directory.storage().remove(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => left(storage_error("remove", path)(error)),
        _ => {}
    }
}
