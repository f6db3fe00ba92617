//! A file that an execute block has opened, from then on.
//!
//! In: its name before the block, its handle after it. Out: at each checkpoint what a state file says of it.
//! Holds afterwards: what has been measured is on the disk; a file of which a restart could not make what
//! it was is an error with the reason.

use super::aside::{set_aside, Aside, Owner};
use super::error::FileError;
use super::handle::{Given, Live};
use super::place::{look, resolve, sync_names, Found, Identity};
use crate::manifest::{Access, Before, Condition, OpenFile};
use std::fs::{File, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

#[derive(Debug)]
pub struct Watched {
    /// How the program writes its handle: `fp`.
    handle: String,
    path: PathBuf,
    /// Set when a restart could not protect the file.
    fault: Option<String>,
    live: Option<Live>,
    /// The handle was closed before the restart; the program may know, or ask the handle.
    is_lent: bool,
    /// Of the file that was opened; none for one that is left alone.
    identity: Option<Identity>,
    synced: Option<Stamp>,
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
}

/// What changes with a file's content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Stamp(u64, i64, i64);

impl Stamp {
    fn of(metadata: &Metadata) -> Stamp {
        Stamp(metadata.len(), metadata.mtime(), metadata.mtime_nsec())
    }
}

/// A file that the block that is under way is going to open.
#[derive(Debug)]
pub struct Announced {
    pub name: String,
    pub handle: String,
    path: Result<PathBuf, FileError>,
    /// How long it was before.
    length_before: Option<u64>,
    /// In a restart: what it was at the checkpoint.
    saved: Option<OpenFile>,
    aside: Option<Aside>,
}

impl Announced {
    pub fn new(name: &str, handle: &str) -> Announced {
        let path = resolve(Path::new(name));
        let length_before = path.as_deref().ok().and_then(|path| match look(path) {
            Ok(Found::Regular(metadata)) => Some(metadata.len()),
            _ => None,
        });
        Announced { name: name.to_owned(), handle: handle.to_owned(), path, length_before, saved: None, aside: None }
    }

    /// In a restart: what was being written is moved aside.
    pub fn protect(&mut self, saved: OpenFile, owner: Owner) -> Result<(), FileError> {
        if saved.condition != Condition::LeftAlone && saved.access == Access::Writing {
            let path = resolve(Path::new(&self.name))?;
            self.aside = Some(set_aside(&path, &saved, owner)?);
        }
        self.saved = Some(saved);
        Ok(())
    }

    pub fn note(&self) -> Option<String> {
        self.aside.as_ref()?.note()
    }

    /// Whether something waits to be moved back.
    pub fn is_aside(&self) -> bool {
        self.aside.is_some()
    }

    /// In a normal run: the block has opened it, or not.
    pub fn opened(self, given: Given, live: Option<Live>) -> Watched {
        let Announced { name, handle, path, length_before, .. } = self;
        let mut saved = OpenFile {
            name,
            handle: given.kind(),
            condition: Condition::LeftAlone,
            access: Access::Reading,
            before: Before::Missing,
            is_at_end: false,
            length_bytes: 0,
            position_bytes: 0,
        };
        let obstacle = given.obstacle().map(|reason| {
            let (handle, name) = (handle.clone(), saved.name.clone());
            FileError::Unplaceable { handle, name, reason }.to_string()
        });
        let live = live.filter(|_| obstacle.is_none());
        let mut fault = obstacle;
        if let Some(live) = &live {
            saved.access = live.access();
            saved.before = before(live, length_before);
            let is_named = path.as_deref().is_ok_and(|path| leads_to(path, live.identity()));
            if saved.access == Access::Writing && !is_named {
                fault = Some(FileError::OtherFile { handle: handle.clone(), name: saved.name.clone() }.to_string());
            }
        }
        let identity = live.as_ref().map(Live::identity);
        Watched { handle, path: path.unwrap_or_default(), fault, live, is_lent: false, identity, synced: None, saved }
    }

    /// In a restart: the block has run again; the file is what it was, and the handle leads to it.
    pub fn restored(self, given: Given, mut live: Option<Live>) -> Result<Watched, FileError> {
        let Announced { name, handle, path, saved, aside, .. } = self;
        let Some(saved) = saved else {
            return Err(FileError::NotOpen { handle, name });
        };
        if let Some(aside) = aside {
            aside.put_back(live.as_ref().map(Live::identity))?;
        }
        let path = path.unwrap_or_default();
        if saved.condition == Condition::Open {
            if let Some(reason) = given.obstacle() {
                return Err(FileError::Unplaceable { handle, name, reason });
            }
            let Some(live) = &mut live else { return Err(FileError::NotOpen { handle, name }) };
            restore(live, &handle, &path, &saved)?;
        }
        let is_lent = saved.condition == Condition::Closed && live.as_mut().is_some_and(|live| lend(live, given, &path, &saved));
        if matches!(saved.condition, Condition::Closed | Condition::Gone) && !is_lent {
            live = None;
        }
        let identity = match (&live, look(&path)) {
            (Some(live), _) => Some(live.identity()),
            (None, Ok(Found::Regular(metadata))) if saved.condition == Condition::Closed => Some(Identity::of(&metadata)),
            _ => None,
        };
        Ok(Watched { handle, path, fault: None, live, is_lent, identity, synced: None, saved })
    }
}

/// A handle that was closed, and that the block has opened again, leads to the end of its file: a program
/// that finds it open loses nothing that it writes. A unit with a number of the program's is closed again instead.
fn lend(live: &mut Live, given: Given, path: &Path, saved: &OpenFile) -> bool {
    !given.can_be_closed()
        && saved.access == Access::Writing
        && live.access() == Access::Writing
        && live.lead_to(path).is_ok()
        && live.go_to(saved.length_bytes, false).is_ok()
}

/// The handle goes on where it was.
fn restore(live: &mut Live, handle: &str, path: &Path, saved: &OpenFile) -> Result<(), FileError> {
    let failed = |doing: &'static str| {
        let name = handle.to_owned();
        move |source| FileError::Handle { doing, name, source }
    };
    if live.access() != saved.access {
        let (found, wanted) = (word(live.access()), word(saved.access));
        return Err(FileError::Access { handle: handle.to_owned(), found, wanted });
    }
    if saved.access == Access::Writing {
        live.lead_to(path).map_err(failed("cannot open again the file of"))?;
    }
    let found = live.metadata().map_err(failed("cannot look at the file of"))?.len();
    if found < saved.length_bytes {
        return Err(FileError::Shorter { path: path.to_owned(), found, wanted: saved.length_bytes });
    }
    live.go_to(saved.position_bytes, saved.is_at_end).map_err(failed("cannot set the place of"))?;
    let (found, _) = live.position().map_err(failed("cannot ask for the place of"))?;
    if found != saved.position_bytes {
        let (handle, name, wanted) = (handle.to_owned(), saved.name.clone(), saved.position_bytes);
        return Err(FileError::Misplaced { handle, name, found, wanted });
    }
    Ok(())
}

fn word(access: Access) -> &'static str {
    match access {
        Access::Reading => "reading",
        Access::Writing => "writing",
    }
}

/// What the block has found, as far as it matters when it runs again.
fn before(live: &Live, length_before: Option<u64>) -> Before {
    let length = live.metadata().map_or(0, |found| found.len());
    match length_before {
        None => Before::Missing,
        Some(before) if before > 0 && length >= before && live.reads() => Before::Kept,
        Some(_) => Before::Emptied,
    }
}

fn leads_to(path: &Path, identity: Identity) -> bool {
    matches!(look(path), Ok(Found::Regular(metadata)) if Identity::of(&metadata) == identity)
}

impl Watched {
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

    /// How long the file is, and where the program stands in it.
    pub fn measure(&mut self) -> Result<(), String> {
        match &self.fault {
            Some(fault) => Err(fault.clone()),
            None => self.measure_sound().map_err(|error| error.to_string()),
        }
    }

    fn measure_sound(&mut self) -> Result<(), FileError> {
        let Some(identity) = self.identity else { return Ok(()) };
        if self.is_lent && !leads_to(&self.path, identity) {
            self.live = None;
        }
        let Some(live) = &self.live else { return self.measure_closed(identity) };
        let metadata = live.metadata().map_err(|source| self.failed("cannot look at the file of", source))?;
        let (position, is_at_end) = live.position().map_err(|source| self.failed("cannot ask for the place of", source))?;
        if self.saved.access == Access::Writing {
            if !leads_to(&self.path, identity) {
                return Err(FileError::OtherFile { handle: self.handle.clone(), name: self.saved.name.clone() });
            }
            if self.synced != Some(Stamp::of(&metadata)) {
                live.sync().map_err(|source| self.failed("cannot sync the file of", source))?;
                if self.synced.is_none() {
                    sync_names(&self.path)?;
                }
                self.synced = Some(Stamp::of(&metadata));
            }
        }
        let saved = &mut self.saved;
        saved.condition = Condition::Open;
        (saved.length_bytes, saved.position_bytes, saved.is_at_end) = (metadata.len(), position, is_at_end);
        Ok(())
    }

    fn measure_closed(&mut self, identity: Identity) -> Result<(), FileError> {
        let saved = &mut self.saved;
        (saved.position_bytes, saved.is_at_end) = (0, false);
        match look(&self.path) {
            Ok(Found::Regular(metadata)) if Identity::of(&metadata) == identity => {
                (saved.condition, saved.length_bytes) = (Condition::Closed, metadata.len());
                let stamp = Stamp::of(&metadata);
                if saved.access == Access::Writing && self.synced != Some(stamp) {
                    // One that cannot be opened any more is as durable as its owner wanted it.
                    let _ = File::open(&self.path).and_then(|file| file.sync_data());
                    self.synced = Some(stamp);
                }
            }
            _ => (saved.condition, saved.length_bytes) = (Condition::Gone, 0),
        }
        Ok(())
    }

    fn failed(&self, doing: &'static str, source: std::io::Error) -> FileError {
        FileError::Handle { doing, name: self.handle.clone(), source }
    }
}
