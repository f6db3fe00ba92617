//! A file that an execute block has opened, from then on.
//!
//! In: its name and its handle. Out: at each checkpoint what a state file says of it, and what has to be on the disk before
//! that. Holds afterwards: a file of which a restart could not make what it was is an error with the reason.

use super::durable::{Durable, Stamp, Unsynced};
use super::error::FileError;
use super::handle::{ends_line, Given, Live};
use super::shared::number_while_written;
use super::place::{leads_to, look, sync_names, Found, Identity};
use crate::manifest::{Access, Condition, OpenFile};
use std::path::PathBuf;

#[derive(Debug)]
pub struct Watched {
    /// How the program writes its handle: `fp`.
    handle: String,
    path: PathBuf,
    /// Set when a restart could not protect the file.
    fault: Option<String>,
    live: Option<Live>,
    /// The handle was closed before the restart; the program may know, or ask the handle. Where the handle was put: as long
    /// as it stays there, the program has not used it.
    lent_at: Option<u64>,
    /// Of the file that was opened; none for one that is left alone.
    identity: Option<Identity>,
    durable: Durable,
    /// What it was when it was measured last.
    measured: Option<Stamp>,
    saved: OpenFile,
}

/// What is left to do for the program after a block of a restart, with statements of its language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rest {
    Nothing,
    /// To begin the record again that it was in.
    BeginRecord,
    /// To close the unit, which was closed at the checkpoint.
    Close,
    /// To read or write nothing at the place where the unit stands, so that the unit knows of it.
    GoTo { writing: bool, formatted: bool },
    /// To end the line before the place again, which leaves no line begun.
    EndLine,
    /// To write the last record of what lies in the file's place, so that the unit knows how many there are, and to come
    /// again.
    LastRecord { formatted: bool },
}

impl Watched {
    pub fn new(handle: String, path: PathBuf, saved: OpenFile) -> Watched {
        let (durable, measured) = (Durable::default(), None);
        Watched { handle, path, fault: None, live: None, lent_at: None, identity: None, durable, measured, saved }
    }

    pub fn with(self, live: Option<Live>, identity: Option<Identity>) -> Watched {
        Watched { live, identity, ..self }
    }

    pub fn with_fault(self, fault: Option<String>) -> Watched {
        Watched { fault, ..self }
    }

    pub fn lent(self) -> Watched {
        let lent_at = self.live.as_ref().and_then(|live| live.position().ok()).map(|(position, _)| position);
        Watched { lent_at, ..self }
    }

    /// The block has run again: what is known of the file's content goes on.
    pub fn take_over(&mut self, earlier: &mut Watched) {
        if self.identity.is_some() && self.identity == earlier.identity {
            self.durable = std::mem::take(&mut earlier.durable);
        }
    }

    /// Whether nothing is left of it but its name: closed when it was measured last.
    pub fn is_over(&self) -> bool {
        self.live.is_none() && matches!(self.saved.condition, Condition::Closed | Condition::Gone)
    }

    /// Of a file that was opened for writing and is still there: the same number in all processes that have this one.
    pub fn number(&self) -> Option<u64> {
        let is_there = self.saved.access == Access::Writing && self.identity.is_some_and(|identity| leads_to(&self.path, identity));
        if is_there { number_while_written(&self.path) } else { None }
    }

    pub fn name(&self) -> &str {
        &self.saved.name
    }

    /// In a restart: what the program has to do that only it can.
    pub fn rest(&self, given: Given) -> Rest {
        let is_closed = matches!(self.saved.condition, Condition::Closed | Condition::Gone);
        let position = self.saved.position_bytes;
        match &self.live {
            None if is_closed && given.can_be_closed() => Rest::Close,
            Some(live) if live.is_within_record(&self.path, position) => Rest::BeginRecord,
            // Where it begins it was put by going back.
            Some(live) if given.is_stream_unit() && self.saved.condition == Condition::Open && position > 0 => {
                let (is_written, formatted) = (live.access() == Access::Writing, given.is_formatted());
                match is_written && formatted {
                    true if ends_line(&self.path, position) => Rest::EndLine,
                    // A line that is begun by writing is ended when the unit is closed.
                    true => Rest::GoTo { writing: live.is_last(position) || !live.reads(), formatted },
                    false => Rest::GoTo { writing: is_written, formatted },
                }
            }
            _ => Rest::Nothing,
        }
    }

    /// What it was when it was measured last.
    pub fn saved(&self) -> &OpenFile {
        &self.saved
    }

    /// Another file was opened by a block: it may have taken this one's handle, which then is closed.
    pub fn give_way(&mut self, other: &Watched) {
        if let (Some(live), Some(other)) = (&self.live, &other.live) {
            if live.is_replaced_by(other) {
                self.live = None;
            }
        }
    }

    /// Before anything is measured: what the program has written goes to the system.
    pub fn flush(&mut self) -> Result<(), FileError> {
        if self.live.as_ref().is_some_and(|live| !live.is_open()) {
            self.live = None;
        }
        let Some(live) = &self.live else { return Ok(()) };
        live.flush().map_err(|source| self.failed("cannot flush", source))
    }

    /// How long the file is, and where the program stands in it. What is not on the disk yet is added to `unsynced`.
    pub fn measure(&mut self, unsynced: &mut Vec<Unsynced>) -> Result<(), String> {
        match &self.fault {
            Some(fault) => Err(fault.clone()),
            None => self.measure_sound(unsynced).map_err(|error| error.to_string()),
        }
    }

    fn measure_sound(&mut self, unsynced: &mut Vec<Unsynced>) -> Result<(), FileError> {
        let Some(identity) = self.identity else { return Ok(()) };
        if self.lent_at.is_some() && !leads_to(&self.path, identity) {
            self.live = None;
        }
        let Some(live) = &self.live else { return self.measure_closed(identity, unsynced) };
        if let Some(lent_at) = self.lent_at {
            if live.position().is_ok_and(|(position, _)| position == lent_at) {
                return self.measure_closed(identity, unsynced);
            }
            self.lent_at = None;
        }
        let Some(live) = &self.live else { return Ok(()) };
        let metadata = live.metadata().map_err(|source| self.failed("cannot look at the file of", source))?;
        let (position, is_at_end) = live.position().map_err(|source| self.failed("cannot ask for the place of", source))?;
        if self.saved.access == Access::Writing {
            if !leads_to(&self.path, identity) {
                return Err(FileError::OtherFile { handle: self.handle.clone(), name: self.saved.name.clone() });
            }
            self.durable.check(&self.path)?;
            let stamp = Stamp::of(&metadata);
            match self.durable.owed(&self.path, identity, stamp) {
                Ok(owed) => unsynced.extend(owed),
                // Descriptors are scarce, or the file may not be read: it is synced through the program's own.
                Err(_) => {
                    let synced = live.sync().map_err(|source| self.failed("cannot sync the file of", source));
                    synced.and_then(|()| sync_names(&self.path)).inspect_err(|error| self.durable.lose(error))?;
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

    fn measure_closed(&mut self, identity: Identity, unsynced: &mut Vec<Unsynced>) -> Result<(), FileError> {
        let saved = &mut self.saved;
        (saved.position_bytes, saved.is_at_end) = (0, false);
        match look(&self.path) {
            Ok(Found::Regular(metadata)) if Identity::of(&metadata) == identity => {
                (saved.condition, saved.length_bytes) = (Condition::Closed, metadata.len());
                if saved.access == Access::Writing {
                    self.durable.check(&self.path)?;
                    unsynced.extend(self.durable.closed(&self.path, identity, Stamp::of(&metadata)));
                }
            }
            _ => {
                (saved.condition, saved.length_bytes) = (Condition::Gone, 0);
                self.durable = Durable::default();
            }
        }
        Ok(())
    }

    fn failed(&self, doing: &'static str, source: std::io::Error) -> FileError {
        FileError::Handle { doing, name: self.handle.clone(), source }
    }
}
