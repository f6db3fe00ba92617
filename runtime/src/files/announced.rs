//! A file that the block that is under way is going to open.
//!
//! In: its name before the block, its handle after it. Out: the file, to be watched from then on. Holds afterwards: in a
//! restart the file is what it was at the checkpoint, and the handle leads to it; handles of one block that had one
//! place together have it again.

use super::aside::{set_aside, Aside, Owner};
use super::error::FileError;
use super::handle::{Given, Live};
use super::place::{leads_to, look, resolve, Found, Identity};
use super::watched::Watched;
use crate::manifest::{Access, Before, Condition, OpenFile};
use std::fs::File;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

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
    /// The last record has been written in its place.
    has_last_record: bool,
}

/// A handle that has its place again, and what it led to before it was led to its file.
#[derive(Debug)]
pub struct Led {
    live: Live,
    before: Option<File>,
}

impl Announced {
    pub fn new(name: &str, handle: &str) -> Announced {
        let path = resolve(Path::new(name));
        let length_before = path.as_deref().ok().and_then(|path| match look(path) {
            Ok(Found::Regular(metadata)) => Some(metadata.len()),
            _ => None,
        });
        Announced { name: name.to_owned(), handle: handle.to_owned(), path, length_before, saved: None, aside: None, has_last_record: false }
    }

    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref().ok()
    }

    pub fn length_before(&self) -> Option<u64> {
        self.length_before
    }

    /// In a restart: what the file was at the checkpoint.
    pub fn remember(&mut self, saved: OpenFile) {
        self.saved = Some(saved);
    }

    /// In a restart: whether there was no such file any more at the checkpoint.
    pub fn was_gone(&self) -> bool {
        self.saved.as_ref().is_some_and(|saved| saved.condition == Condition::Gone)
    }

    /// In a restart: what was being written is moved aside, if no other handle of the block has seen to it. One that
    /// `is_opened_again` since the checkpoint may have been emptied.
    pub fn protect(&mut self, owner: Owner, is_opened_again: bool) -> Result<(), FileError> {
        let Some(saved) = &self.saved else { return Ok(()) };
        if saved.condition != Condition::LeftAlone && saved.access == Access::Writing {
            let path = resolve(Path::new(&self.name))?;
            self.aside = Some(set_aside(&path, saved, owner, is_opened_again)?);
        }
        Ok(())
    }

    /// Whether a file at this path waits to be moved back.
    pub fn has_aside(&self, path: &Path) -> bool {
        self.aside.is_some() && self.path() == Some(path)
    }

    /// Of a unit of direct access that leads to what lies in the file's place: how many bytes its records have to make, which
    /// it learns by writing the last one. Asked once.
    pub fn records_bytes(&mut self, given: Given, live: &Live) -> Option<u64> {
        let wanted = self.saved.as_ref().filter(|saved| saved.condition == Condition::Open && saved.length_bytes > 0)?.length_bytes;
        let is_in_its_place = self.path().is_some_and(|path| leads_to(path, live.identity()));
        let is_wanted = given.is_direct_unit() && live.access() == Access::Writing && is_in_its_place;
        (is_wanted && !std::mem::replace(&mut self.has_last_record, true)).then_some(wanted)
    }

    /// Moves it back, when a handle of the block leads to what lies in its place.
    pub fn put_back(&mut self, opened: Option<Identity>) -> Result<(), FileError> {
        self.aside.take().map_or(Ok(()), |aside| aside.put_back(opened))
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
            is_rewritten: false,
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
            if saved.access == Access::Writing {
                fault = match &path {
                    Ok(path) if leads_to(path, live.identity()) => None,
                    Ok(_) => Some(FileError::OtherFile { handle: handle.clone(), name: saved.name.clone() }.to_string()),
                    Err(error) => Some(error.to_string()),
                };
            }
        }
        let identity = live.as_ref().map(Live::identity);
        Watched::new(handle, path.unwrap_or_default(), saved).with(live, identity).with_fault(fault)
    }

    /// In a restart: the block has run again; the file is what it was, and the handle leads to it.
    pub fn restored(mut self, given: Given, mut live: Option<Live>, led: &mut Vec<Led>) -> Result<Watched, FileError> {
        self.put_back(live.as_ref().map(Live::identity))?;
        let Announced { name, handle, path, saved, .. } = self;
        let Some(saved) = saved else {
            return Err(FileError::NotOpen { handle, name });
        };
        let path = path.unwrap_or_default();
        if saved.condition == Condition::Open {
            if let Some(reason) = given.obstacle() {
                return Err(FileError::Unplaceable { handle, name, reason });
            }
            let Some(live) = &mut live else { return Err(FileError::NotOpen { handle, name }) };
            restore(live, &handle, &path, &saved, led)?;
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
        let watched = Watched::new(handle, path, saved).with(live, identity);
        Ok(if is_lent { watched.lent() } else { watched })
    }
}

/// A handle that was closed, and that the block has opened again, leads to the end of its file: a program
/// that finds it open loses nothing that it writes. A unit with a number of the program's is closed again instead. One that
/// has the number of a standard stream leads nowhere: what the program prints must not go into the file.
fn lend(live: &mut Live, given: Given, path: &Path, saved: &OpenFile) -> bool {
    if given.can_be_closed() || saved.access != Access::Writing || live.access() != Access::Writing {
        return false;
    }
    if live.is_standard() {
        // A failure leaves it on the throw-away of the block, which nobody reads.
        let _ = live.lead_nowhere();
        return false;
    }
    live.lead_to(path).is_ok() && live.metadata().is_ok_and(|found| live.go_to(saved.length_bytes.min(found.len()), false).is_ok())
}

/// The handle goes on where it was.
fn restore(live: &mut Live, handle: &str, path: &Path, saved: &OpenFile, led: &mut Vec<Led>) -> Result<(), FileError> {
    let failed = |doing: &'static str| {
        let name = handle.to_owned();
        move |source| FileError::Handle { doing, name, source }
    };
    if live.access() != saved.access {
        let (found, wanted) = (word(live.access()), word(saved.access));
        return Err(FileError::Access { handle: handle.to_owned(), found, wanted });
    }
    // A stream over the descriptor has set the place of both.
    let is_placed = live.has_no_buffer() && led.iter().any(|other| other.live.is_one_with(live));
    let before = lead(live, path, led).map_err(failed("cannot open again the file of"))?;
    led.push(Led { live: live.clone(), before });
    let found = live.metadata().map_err(failed("cannot look at the file of"))?.len();
    if found < saved.length_bytes {
        return Err(FileError::Shorter { path: path.to_owned(), found, wanted: saved.length_bytes });
    }
    if is_placed {
        return Ok(());
    }
    live.go_to(saved.position_bytes, saved.is_at_end).map_err(failed("cannot set the place of"))?;
    let (found, _) = live.position().map_err(failed("cannot ask for the place of"))?;
    if found != saved.position_bytes {
        let (handle, name, wanted) = (handle.to_owned(), saved.name.clone(), saved.position_bytes);
        return Err(FileError::Misplaced { handle, name, found, wanted });
    }
    Ok(())
}

/// Lets the handle lead to the file, unless it does: one that is written always, one that is read when another handle
/// of the block writes what it has found there. A duplicate stays a duplicate. Returns what it led to before.
fn lead(live: &mut Live, path: &Path, led: &[Led]) -> io::Result<Option<File>> {
    let is_lost = live.metadata()?.nlink() == 0;
    if leads_to(path, live.identity()) || (live.access() == Access::Reading && !is_lost) {
        return Ok(None);
    }
    let is_shared = |other: &&Led| other.before.as_ref().is_some_and(|before| live.shares_place(before));
    if let Some(other) = led.iter().find(is_shared) {
        live.join(&other.live)?;
        return Ok(None);
    }
    let before = live.duplicate()?;
    live.lead_to(path)?;
    Ok(Some(before))
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
