//! A file that an execute block has opened, from then on.
//!
//! Input: its name and its handle.
//! Output: at each checkpoint, its entry in the state file, and what has to be on the disk before that file.
//! Postcondition: a file that a restart could not restore is an error with the reason.

use super::durable::{ContentStamp, Durability, UnsyncedFile};
use super::error::FileError;
use super::handle::{ends_line, OpenHandle, PipeHandle, ProgramHandle};
use super::path::{inspect, is_file_at, sync_names, Identity, PathContent};
use super::shared::number_while_written;
use crate::manifest::{Access, Condition, OpenFile};
use std::io;
use std::path::PathBuf;

#[derive(Debug)]
pub struct TrackedFile {
    /// The handle as it is in the source, such as `fp`.
    handle: String,
    path: PathBuf,
    /// The number of its descriptor or unit.
    number: Option<i32>,
    /// Set if a restart could not protect the file.
    fault: Option<String>,
    live: Option<OpenHandle>,
    /// Set if the block has opened a pipe or a socket instead of a file.
    pipe: Option<PipeHandle>,
    /// Set if the handle was closed before the restart and the block has opened it again: the position to
    /// which it was set. While the handle is there, the program has not used it.
    reopened_at: Option<u64>,
    /// The file that was opened; `None` for one that was not opened.
    identity: Option<Identity>,
    /// Whether this process has opened it. Otherwise the file has changed while the block ran in several processes.
    is_certain: bool,
    durable: Durability,
    /// The state of the file when it was last measured.
    measured: Option<ContentStamp>,
    /// Its content before the block, if any change since then shows.
    before: Option<ContentStamp>,
    saved: OpenFile,
}

/// What generated code in the language of the program has to do after a block of a restart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RemainingAction {
    Nothing,
    /// Begin the incomplete record again.
    BeginRecord,
    /// Close the unit, which was closed at the checkpoint.
    Close,
    /// Read or write nothing at the position of the unit, so that the unit records the position.
    GoTo {
        writing: bool,
        formatted: bool,
    },
    /// End the line before the position again, so that no line is incomplete.
    EndLine,
    /// Write the last record of the temporary file, so that the unit knows the number of records, and call
    /// again.
    LastRecord {
        formatted: bool,
    },
}

impl TrackedFile {
    pub fn new(handle: String, path: PathBuf, saved: OpenFile) -> TrackedFile {
        let (durable, measured) = (Durability::default(), None);
        TrackedFile {
            handle,
            path,
            number: None,
            fault: None,
            live: None,
            pipe: None,
            reopened_at: None,
            identity: None,
            is_certain: true,
            durable,
            measured,
            before: None,
            saved,
        }
    }

    /// Sets the content before the block.
    pub fn with_content_before(self, before: Option<ContentStamp>) -> TrackedFile {
        TrackedFile { before, ..self }
    }

    pub fn with(self, live: Option<OpenHandle>, identity: Option<Identity>) -> TrackedFile {
        TrackedFile { live, identity, ..self }
    }

    pub fn with_number(self, number: Option<i32>) -> TrackedFile {
        TrackedFile { number, ..self }
    }

    /// The number of its descriptor, or of a unit that NEWUNIT has chosen, if the program may have it open. Other units have the
    /// same number in each run.
    pub fn open_number(&self) -> Option<i32> {
        let is_chosen = |number: &i32| *number < 0 || !self.handle.starts_with("unit ");
        self.number.filter(|_| self.live.is_some()).filter(is_chosen)
    }

    /// The handle as an expression of the program.
    pub fn handle(&self) -> &str {
        self.handle.strip_prefix("unit ").unwrap_or(&self.handle)
    }

    pub fn with_pipe(self, pipe: Option<PipeHandle>) -> TrackedFile {
        TrackedFile { pipe, ..self }
    }

    pub fn with_fault(self, fault: Option<String>) -> TrackedFile {
        TrackedFile { fault, ..self }
    }

    pub fn with_certainty(self, is_certain: bool) -> TrackedFile {
        TrackedFile { is_certain, ..self }
    }

    pub fn is_certain(&self) -> bool {
        self.is_certain
    }

    /// Another process has written the file while the block ran.
    pub fn leave_alone(&mut self) {
        (self.identity, self.is_certain, self.saved.condition) = (None, true, Condition::LeftAlone);
        self.durable = Durability::default();
    }

    pub fn reopened(self) -> Result<TrackedFile, FileError> {
        let position = self.live.as_ref().map(OpenHandle::position).transpose();
        let position = position.map_err(|source| self.failed("cannot read the position of", source))?;
        Ok(TrackedFile { reopened_at: position.map(|(position, _)| position), ..self })
    }

    /// The block has run again: takes over the known durability of the content.
    pub fn take_over(&mut self, earlier: &mut TrackedFile) {
        if self.identity.is_some() && self.identity == earlier.identity {
            self.durable = std::mem::take(&mut earlier.durable);
        }
    }

    /// Whether only its name remains: it was closed when it was last measured.
    pub fn is_over(&self) -> bool {
        self.live.is_none() && matches!(self.saved.condition, Condition::Closed | Condition::Gone)
    }

    /// For a file that was opened for writing and still exists: a number that is equal in all processes that
    /// have it open.
    ///
    /// # Errors
    /// It is not known whether the file still exists, so it may be shared.
    pub fn number(&self) -> Result<Option<u64>, FileError> {
        match self.identity {
            Some(identity) if self.saved.access == Access::Writing && is_file_at(&self.path, identity)? => {
                match self.was_only_read()? {
                    true => Ok(None),
                    false => number_while_written(&self.path),
                }
            }
            _ => Ok(None),
        }
    }

    /// Whether it is closed, and has the content that it had before the block. So several processes may open one file for
    /// writing, and only read it.
    fn was_only_read(&self) -> Result<bool, FileError> {
        let is_closed = self.live.as_ref().is_none_or(|live| live.is_open().is_ok_and(|is_open| !is_open));
        Ok(match inspect(&self.path)? {
            PathContent::Regular(metadata) => is_closed && self.before == Some(ContentStamp::of(&metadata)),
            PathContent::Nothing | PathContent::Other(_) => false,
        })
    }

    pub fn name(&self) -> &str {
        &self.saved.name
    }

    /// In a restart: what only the program can do.
    pub fn remaining_action(&self, given: ProgramHandle) -> Result<RemainingAction, FileError> {
        self.find_remaining_action(given).map_err(|source| self.failed("cannot inspect the file of", source))
    }

    fn find_remaining_action(&self, given: ProgramHandle) -> io::Result<RemainingAction> {
        let is_closed = matches!(self.saved.condition, Condition::Closed | Condition::Gone);
        let position = self.saved.position_bytes;
        Ok(match &self.live {
            None if is_closed && given.can_be_closed() => RemainingAction::Close,
            Some(live) if live.is_within_record(&self.path, position)? => RemainingAction::BeginRecord,
            // Position 0 was set by the rewind.
            Some(live)
                if given.is_stream_unit() && self.saved.condition == Condition::Open && position > 0 =>
            {
                let (is_written, formatted) = (live.access() == Access::Writing, given.is_formatted());
                match is_written && formatted {
                    true if ends_line(&self.path, position)? => RemainingAction::EndLine,
                    // An incomplete line from an output statement is ended when the unit is closed.
                    true => {
                        RemainingAction::GoTo { writing: live.is_last(position)? || !live.reads(), formatted }
                    }
                    false => RemainingAction::GoTo { writing: is_written, formatted },
                }
            }
            _ => RemainingAction::Nothing,
        })
    }

    /// The state of the file when it was last measured.
    pub fn saved(&self) -> &OpenFile {
        &self.saved
    }

    /// Another file was opened by a block. If it has this file's handle, this file was closed.
    pub fn release_handle_to(&mut self, other: &TrackedFile) {
        if let (Some(live), Some(other)) = (&self.live, &other.live) {
            if live.is_replaced_by(other) {
                self.live = None;
            }
        }
    }

    /// Called before the first file is measured: passes the program's output to the system.
    pub fn flush(&mut self) -> Result<(), FileError> {
        let Some(live) = &self.live else { return Ok(()) };
        if !live.is_open().map_err(|source| self.failed("cannot inspect the file of", source))? {
            self.live = None;
            return Ok(());
        }
        live.flush().map_err(|source| self.failed("cannot flush", source))
    }

    /// Records the length of the file and the position of the program. Adds what is not on the disk yet to
    /// `unsynced`.
    pub fn measure(&mut self, unsynced: &mut Vec<UnsyncedFile>) -> Result<(), String> {
        self.pipe = self.pipe.filter(PipeHandle::is_open);
        match (&self.fault, &self.pipe) {
            (Some(fault), _) => Err(fault.clone()),
            (None, Some(_)) => {
                Err(FileError::Pipe { handle: self.handle.clone(), name: self.saved.name.clone() }
                    .to_string())
            }
            (None, None) => self.measure_sound(unsynced).map_err(|error| error.to_string()),
        }
    }

    fn measure_sound(&mut self, unsynced: &mut Vec<UnsyncedFile>) -> Result<(), FileError> {
        let Some(identity) = self.identity else { return Ok(()) };
        if self.reopened_at.is_some() && !is_file_at(&self.path, identity)? {
            self.live = None;
        }
        let Some(live) = &self.live else { return self.measure_closed(identity, unsynced) };
        if let Some(lent_at) = self.reopened_at {
            let (position, _) =
                live.position().map_err(|source| self.failed("cannot read the position of", source))?;
            if position == lent_at {
                return self.measure_closed(identity, unsynced);
            }
            self.reopened_at = None;
        }
        let Some(live) = &self.live else { return Ok(()) };
        let metadata = live.metadata().map_err(|source| self.failed("cannot inspect the file of", source))?;
        let (position, is_at_end) =
            live.position().map_err(|source| self.failed("cannot read the position of", source))?;
        if self.saved.is_written() {
            if !is_file_at(&self.path, identity)? {
                return Err(FileError::OtherFile {
                    handle: self.handle.clone(),
                    name: self.saved.name.clone(),
                });
            }
            self.durable.check(&self.path)?;
            let stamp = ContentStamp::of(&metadata);
            match self.durable.unsynced_open(&self.path, identity, stamp) {
                Ok(owed) => unsynced.extend(owed),
                // The runtime cannot open the file in its own descriptor table, or there is no such table. The
                // descriptor of the program is used.
                Err(_) => {
                    let synced = live.sync().map_err(|source| self.failed("cannot sync the file of", source));
                    synced
                        .and_then(|()| sync_names(&self.path))
                        .inspect_err(|error| self.durable.lose(error))?;
                    self.durable.reached(stamp);
                }
            }
            let saved = &mut self.saved;
            let has_changed = self.measured.is_some_and(|before| before != stamp);
            let has_grown = metadata.len() > saved.length_bytes || position > saved.position_bytes;
            saved.is_rewritten |= saved.condition == Condition::Open && has_changed && !has_grown;
            self.measured = Some(stamp);
        }
        let saved = &mut self.saved;
        saved.condition = Condition::Open;
        (saved.length_bytes, saved.position_bytes, saved.is_at_end) = (metadata.len(), position, is_at_end);
        Ok(())
    }

    fn measure_closed(
        &mut self,
        identity: Identity,
        unsynced: &mut Vec<UnsyncedFile>,
    ) -> Result<(), FileError> {
        let saved = &mut self.saved;
        (saved.position_bytes, saved.is_at_end) = (0, false);
        match inspect(&self.path)? {
            PathContent::Regular(metadata) if Identity::of(&metadata) == identity => {
                (saved.condition, saved.length_bytes) = (Condition::Closed, metadata.len());
                let stamp = ContentStamp::of(&metadata);
                if saved.access == Access::Writing && self.before == Some(stamp) {
                    // A restart need not protect it.
                    saved.access = Access::Reading;
                }
                if saved.is_written() {
                    self.durable.check(&self.path)?;
                    unsynced.extend(self.durable.unsynced_closed(&self.path, identity, stamp));
                }
            }
            _ => {
                (saved.condition, saved.length_bytes) = (Condition::Gone, 0);
                self.durable = Durability::default();
            }
        }
        Ok(())
    }

    fn failed(&self, doing: &'static str, source: io::Error) -> FileError {
        FileError::Handle { doing, name: self.handle.clone(), source }
    }
}
