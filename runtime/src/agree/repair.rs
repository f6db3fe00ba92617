//! Copies state files from the mirror that are missing or damaged.
//!
//! Input: why a state file of `dir` cannot be used.
//! Output: the file of the mirror in its place, if the mirror has it.
//! Postcondition: the copy is durable. It is verified like every other file before anything is restored from it.
//! A file of another run was not copied.

use super::candidates::StateFiles;
use super::common::Refused;
use super::AgreeError;
use crate::storage::copy::copy;
use crate::storage::directory::parse_line;
use crate::storage::{Directory, EntryKind};
use crate::verify::{self, Reason, VerifyError};
use std::io;
use std::path::Path;

impl StateFiles<'_> {
    /// Copies the file that has this error from the mirror. False if that is not possible, or was done before.
    pub(super) fn repair(&mut self, error: &VerifyError) -> Result<bool, Refused> {
        let (path, reason) = match &error.reason {
            Reason::Base { path, reason } => (path, &**reason),
            reason => (&error.path, reason),
        };
        let is_possible = matches!(reason, Reason::Unreadable(error) if error.raw_os_error() == Some(libc::EIO))
            || !reason.stops_the_run() && !reason.is_foreign();
        let number = path.file_name().and_then(|name| name.to_str()).and_then(parse_line);
        let (Some(mirror), Some(number), true) = (self.directory.mirror(), number, is_possible) else {
            return Ok(false);
        };
        if self.tried.contains(&number) {
            return Ok(false);
        }
        self.tried.push(number);
        if !self.is_wanted(mirror, number)? {
            return Ok(false);
        }
        match put(mirror, self.directory, number) {
            Ok(()) => {
                let what = match reason {
                    Reason::Unreadable(error) if error.kind() == io::ErrorKind::NotFound => {
                        "is missing".to_owned()
                    }
                    reason => reason.to_string(),
                };
                self.notes.push(format!(
                    "state file `{}` {what}; it was replaced by its copy in the mirror `{}`",
                    path.display(),
                    mirror.path().display()
                ));
                Ok(true)
            }
            Err(source) => {
                let path = mirror.line(number);
                self.refusal =
                    Some(AgreeError::NotCopied { path, to: self.directory.path().to_owned(), source });
                Err(Refused)
            }
        }
    }

    /// Whether the mirror has the file, and it belongs to the run in `dir`.
    fn is_wanted(&mut self, mirror: &Directory, number: u64) -> Result<bool, Refused> {
        let path = mirror.line(number);
        let manifest = match verify::manifest_of(&**mirror.storage(), &path) {
            Ok(manifest) => manifest,
            Err(error) if error.is_missing() => return Ok(false),
            Err(error) => return self.judge(error).map(|()| false),
        };
        let run = manifest.provenance.run;
        if self.skipped_runs.contains(&run) {
            self.found_finished = true;
            return Ok(false);
        }
        let runs = self.runs_here();
        if !runs.is_empty() && !runs.contains(&run) {
            self.notes.push(format!(
                "`{}` belongs to another run than the state files in `{}`; it is ignored",
                path.display(),
                self.directory.path().display()
            ));
            return Ok(false);
        }
        Ok(true)
    }

    /// The unfinished runs of the files in `dir`.
    fn runs_here(&self) -> Vec<u64> {
        let lines = self.directory.lines().unwrap_or_default();
        let run = |line: u64| {
            let manifest = verify::manifest_of(&**self.directory.storage(), &self.directory.line(line));
            manifest.ok().map(|manifest| manifest.provenance.run)
        };
        lines.into_iter().filter_map(run).filter(|run| !self.skipped_runs.contains(run)).collect()
    }
}

/// Copies the file of a line durably, and replaces a file of that name.
fn put(mirror: &Directory, directory: &Directory, number: u64) -> io::Result<()> {
    directory.make()?;
    let (storage, temporary, path) = (directory.storage(), directory.temporary(), directory.line(number));
    let from = mirror.storage().open_for_reading(&mirror.line(number))?;
    let write = |temporary: &Path| -> io::Result<()> {
        match storage.entry(temporary) {
            Ok(entry) if entry.kind == EntryKind::File => storage.remove(temporary)?,
            _ => {}
        }
        let to = storage.open_for_writing(temporary)?;
        copy(&*from, &*to, || true)?;
        storage.rename(temporary, &path)
    };
    if let Err(error) = write(&temporary) {
        let _ = storage.remove(&temporary);
        return Err(error);
    }
    directory.sync()
}
