//! A file that the current execute block is going to open.
//!
//! Input: its name before the block, its handle after it.
//! Output: the file, which is tracked from then on.
//! Postcondition: in a restart, the file is what it was at the checkpoint, and the handle refers to it.
//! Handles of one block that shared one position share it again.

use super::aside::{set_aside, RunProcess, SetAsideFile};
use super::durable::ContentStamp;
use super::error::FileError;
use super::handle::{OpenHandle, ProgramHandle};
use super::path::{inspect, is_file_at, is_of_kernel, resolve, Identity, PathContent};
use super::tracked::TrackedFile;
use crate::manifest::{Access, Before, Condition, OpenFile};
use std::fs::File;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

#[derive(Debug)]
pub struct AnnouncedFile {
    pub name: String,
    pub handle: String,
    path: Result<PathBuf, FileError>,
    /// The file before the block.
    found: Result<Option<FileAtPath>, String>,
    /// Its content then, if any change since then shows.
    settled: Option<ContentStamp>,
    /// In a restart: the file at the checkpoint.
    saved: Option<OpenFile>,
    aside: Option<SetAsideFile>,
    /// The last record was written to the file that replaces it during the block.
    has_last_record: bool,
}

/// The file at a path, at one moment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FileAtPath {
    pub identity: Identity,
    stamp: ContentStamp,
}

impl FileAtPath {
    fn look(path: &Path) -> Result<Option<FileAtPath>, FileError> {
        Ok(match inspect(path)? {
            PathContent::Regular(metadata) => {
                Some(FileAtPath { identity: Identity::of(&metadata), stamp: ContentStamp::of(&metadata) })
            }
            PathContent::Nothing | PathContent::Other(_) => None,
        })
    }
}

/// A handle whose position is restored, and the file to which it referred before it was redirected.
#[derive(Debug)]
pub struct RedirectedHandle {
    live: OpenHandle,
    before: Option<File>,
}

impl AnnouncedFile {
    pub fn new(name: &str, handle: &str) -> AnnouncedFile {
        let path = resolve(Path::new(name));
        let found = path.as_deref().map_or(Ok(None), FileAtPath::look).map_err(|error| error.to_string());
        let settled = found.as_ref().ok().and_then(|found| found.map(|found| found.stamp));
        AnnouncedFile {
            name: name.to_owned(),
            handle: handle.to_owned(),
            path,
            settled: settled.filter(|stamp| stamp.is_settled()),
            found,
            saved: None,
            aside: None,
            has_last_record: false,
        }
    }

    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref().ok()
    }

    /// The length of the file before the block, in bytes.
    pub fn length_before(&self) -> Result<Option<u64>, String> {
        self.found.clone().map(|found| found.map(|found| found.stamp.length_bytes()))
    }

    /// The file after the block, if it has changed while the block ran. A block that closes its file leaves no
    /// other trace.
    pub fn changed(&self) -> Result<Option<FileAtPath>, String> {
        let Some(path) = self.path() else { return Ok(None) };
        let now = FileAtPath::look(path).map_err(|error| error.to_string())?;
        Ok(if now == self.found.clone()? { None } else { now })
    }

    /// In a restart: stores what the file was at the checkpoint.
    pub fn remember(&mut self, saved: OpenFile) {
        self.saved = Some(saved);
    }

    /// In a restart: whether the file no longer existed at the checkpoint.
    pub fn was_gone(&self) -> bool {
        self.saved.as_ref().is_some_and(|saved| saved.condition == Condition::Gone)
    }

    /// In a restart: moves a file that was being written aside, unless another handle of the block has done
    /// so. A file that `is_opened_again` since the checkpoint may have been emptied. `known` files at the path are of
    /// this run.
    pub fn protect(
        &mut self,
        owner: RunProcess,
        is_opened_again: bool,
        known: &[Identity],
    ) -> Result<(), FileError> {
        let Some(saved) = &self.saved else { return Ok(()) };
        if saved.condition != Condition::LeftAlone && saved.is_written() {
            let path = resolve(Path::new(&self.name))?;
            self.aside = Some(set_aside(&path, saved, owner, is_opened_again, known)?);
        }
        Ok(())
    }

    /// Whether a file at this path is set aside.
    pub fn has_aside(&self, path: &Path) -> bool {
        self.aside.is_some() && self.path() == Some(path)
    }

    /// For a unit of direct access that refers to the file that replaces the original: the number of bytes of
    /// its records. The unit learns the number of records when the last one is written. Returns it once.
    pub fn records_bytes(
        &mut self,
        given: ProgramHandle,
        live: &OpenHandle,
    ) -> Result<Option<u64>, FileError> {
        let saved =
            self.saved.as_ref().filter(|saved| saved.condition == Condition::Open && saved.length_bytes > 0);
        let Some(wanted) = saved.map(|saved| saved.length_bytes) else { return Ok(None) };
        let is_in_its_place = self.path().map_or(Ok(false), |path| is_file_at(path, live.identity()))?;
        let is_wanted = given.is_direct_unit() && live.access() == Access::Writing && is_in_its_place;
        Ok((is_wanted && !std::mem::replace(&mut self.has_last_record, true)).then_some(wanted))
    }

    /// Moves the file back. `opened` is the file to which a handle of the block refers; `None` if the block has closed
    /// its file.
    pub fn put_back(&mut self, opened: Option<Identity>) -> Result<(), FileError> {
        self.aside.take().map_or(Ok(()), |aside| aside.put_back(opened))
    }

    /// In a restart: the file that was put at the path for the block, and the length of the file at the checkpoint.
    pub fn placed(&self) -> Option<(Identity, u64)> {
        Some((self.aside.as_ref()?.placed()?, self.saved.as_ref()?.length_bytes))
    }

    pub fn notes(&self) -> impl Iterator<Item = String> {
        let aside = self.aside.as_ref();
        aside.and_then(SetAsideFile::note_moved).into_iter().chain(aside.and_then(SetAsideFile::note))
    }

    /// Whether a file is set aside.
    pub fn is_aside(&self) -> bool {
        self.aside.is_some()
    }

    /// In a normal run: the block has ended, and may have opened the file. The only process `is_alone`.
    pub fn opened(
        self,
        given: ProgramHandle,
        live: io::Result<Option<OpenHandle>>,
        is_alone: bool,
    ) -> TrackedFile {
        let changed = self.changed();
        let length_before = self.length_before();
        let AnnouncedFile { name, handle, path, settled, .. } = self;
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
            FileError::NoPosition { handle, name, reason }.to_string()
        });
        // Without an answer, no state can be written that depends on the file.
        let unknown = |source| {
            FileError::Handle { doing: "cannot inspect the file of", name: handle.clone(), source }
                .to_string()
        };
        let (live, unknown) = match live.map_err(unknown) {
            Ok(live) => (live, None),
            Err(fault) => (None, Some(fault)),
        };
        let live = live.filter(|_| obstacle.is_none());
        let mut fault = obstacle.or(unknown);
        let mut identity = live.as_ref().map(OpenHandle::identity);
        let mut is_certain = true;
        match (&live, changed) {
            (Some(live), changed) => {
                saved.access = match path.as_deref().is_ok_and(is_of_kernel) {
                    true => Access::Reading,
                    false => live.access(),
                };
                let found =
                    length_before.and_then(|length| before(live, length).map_err(|error| error.to_string()));
                fault = fault.or(found.map(|before| saved.before = before).err());
                let changed = if is_alone { changed } else { Ok(None) };
                saved.is_rewritten = saved.access == Access::Reading && matches!(changed, Ok(Some(_)));
                fault = fault.or(changed.err());
                if saved.is_written() {
                    let is_in_its_place = path.as_ref().map_err(ToString::to_string);
                    let is_in_its_place = is_in_its_place.and_then(|path| {
                        is_file_at(path, live.identity()).map_err(|error| error.to_string())
                    });
                    fault = fault.or(match is_in_its_place {
                        Ok(true) => None,
                        Ok(false) => Some(
                            FileError::OtherFile { handle: handle.clone(), name: saved.name.clone() }
                                .to_string(),
                        ),
                        Err(error) => Some(error),
                    });
                }
            }
            // The block has closed what it has written. Another process may have written it instead.
            (None, Ok(Some(now))) if fault.is_none() => {
                (saved.condition, saved.access, saved.length_bytes) =
                    (Condition::Closed, Access::Writing, now.stamp.length_bytes());
                saved.before = found_by_block(length_before.unwrap_or_default(), saved.length_bytes, true);
                (identity, is_certain) = (Some(now.identity), is_alone);
            }
            (None, Ok(_)) => {}
            (None, Err(error)) => fault = fault.or(Some(error)),
        }
        TrackedFile::new(handle, path.unwrap_or_default(), saved)
            .with(live, identity)
            .with_content_before(settled)
            .with_fault(fault)
            .with_certainty(is_certain)
    }

    /// In a restart: the block has run again. Restores the file, and makes the handle refer to it.
    pub fn restored(
        mut self,
        given: ProgramHandle,
        mut live: Option<OpenHandle>,
        led: &mut Vec<RedirectedHandle>,
    ) -> Result<TrackedFile, FileError> {
        self.put_back(live.as_ref().map(OpenHandle::identity))?;
        let AnnouncedFile { name, handle, path, saved, .. } = self;
        let Some(saved) = saved else {
            return Err(FileError::NotOpen { handle, name });
        };
        let path = path.unwrap_or_default();
        if saved.condition == Condition::Open {
            if let Some(reason) = given.obstacle() {
                return Err(FileError::NoPosition { handle, name, reason });
            }
            let Some(live) = &mut live else { return Err(FileError::NotOpen { handle, name }) };
            restore(live, &handle, &path, &saved, led)?;
        }
        let is_lent =
            match live.as_mut().filter(|_| saved.condition == Condition::Closed) {
                Some(live) => reopen_at_end(live, given, &path, &saved).map_err(|source| {
                    FileError::Handle { doing: "cannot open again the file of", name: handle.clone(), source }
                })?,
                None => false,
            };
        if matches!(saved.condition, Condition::Closed | Condition::Gone) && !is_lent {
            live = None;
        }
        let identity = match &live {
            Some(live) => Some(live.identity()),
            None if saved.condition == Condition::Closed => match inspect(&path)? {
                PathContent::Regular(metadata) => Some(Identity::of(&metadata)),
                PathContent::Nothing | PathContent::Other(_) => None,
            },
            None => None,
        };
        let watched = TrackedFile::new(handle, path, saved).with(live, identity);
        if is_lent {
            watched.reopened()
        } else {
            Ok(watched)
        }
    }
}

/// A handle that was closed, and that the block has opened again, is set to the end of its file: if the
/// program finds it open and writes, nothing is lost. A unit whose number the program chose is closed again
/// instead. A handle with the number of a standard stream is redirected to `/dev/null`: the output of the
/// program must not be written to the file.
fn reopen_at_end(
    live: &mut OpenHandle,
    given: ProgramHandle,
    path: &Path,
    saved: &OpenFile,
) -> io::Result<bool> {
    if given.can_be_closed() || saved.access != Access::Writing || live.access() != Access::Writing {
        return Ok(false);
    }
    if live.is_standard() {
        // If this fails, it refers to the temporary file of the block, which nothing reads.
        let _ = live.redirect_to_null();
        return Ok(false);
    }
    match live.redirect_to(path) {
        // The lost run has removed it since.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        redirected => redirected?,
    }
    live.go_to(saved.length_bytes.min(live.metadata()?.len()), false)?;
    Ok(true)
}

/// Restores the position of a handle.
fn restore(
    live: &mut OpenHandle,
    handle: &str,
    path: &Path,
    saved: &OpenFile,
    led: &mut Vec<RedirectedHandle>,
) -> Result<(), FileError> {
    let failed = |doing: &'static str| {
        let name = handle.to_owned();
        move |source| FileError::Handle { doing, name, source }
    };
    if live.access() != saved.access {
        let (found, wanted) = (word(live.access()), word(saved.access));
        return Err(FileError::Access { handle: handle.to_owned(), found, wanted });
    }
    // A stream over the same descriptor has set the position of both.
    let is_placed = live.has_no_buffer() && led.iter().any(|other| other.live.has_same_number(live));
    let before = redirect(live, path, led).map_err(failed("cannot open again the file of"))?;
    led.push(RedirectedHandle { live: live.clone(), before });
    let found = live.metadata().map_err(failed("cannot inspect the file of"))?.len();
    if found < saved.length_bytes {
        return Err(FileError::Shorter { path: path.to_owned(), found, wanted: saved.length_bytes });
    }
    if is_placed {
        return Ok(());
    }
    live.go_to(saved.position_bytes, saved.is_at_end).map_err(failed("cannot set the position of"))?;
    let (found, _) = live.position().map_err(failed("cannot read the position of"))?;
    if found != saved.position_bytes {
        let (handle, name, wanted) = (handle.to_owned(), saved.name.clone(), saved.position_bytes);
        return Err(FileError::WrongPosition { handle, name, found, wanted });
    }
    Ok(())
}

/// Redirects the handle to the file unless it refers to it already: always if it is written, and if it is
/// read when another handle of the block has replaced the file that it refers to. A duplicate remains a
/// duplicate. Returns the file to which it referred before.
fn redirect(live: &mut OpenHandle, path: &Path, led: &[RedirectedHandle]) -> io::Result<Option<File>> {
    let is_lost = live.metadata()?.nlink() == 0;
    if is_file_at(path, live.identity()).map_err(io::Error::other)?
        || (live.access() == Access::Reading && !is_lost)
    {
        return Ok(None);
    }
    for other in led {
        let is_shared = other.before.as_ref().map_or(Ok(false), |before| live.shares_place(before))?;
        if is_shared {
            live.join(&other.live)?;
            return Ok(None);
        }
    }
    let before = live.duplicate()?;
    live.redirect_to(path)?;
    Ok(Some(before))
}

fn word(access: Access) -> &'static str {
    match access {
        Access::Reading => "reading",
        Access::Writing => "writing",
    }
}

/// What the block found, as far as it matters when it runs again.
fn before(live: &OpenHandle, length_before: Option<u64>) -> io::Result<Before> {
    Ok(found_by_block(length_before, live.metadata()?.len(), live.reads()))
}

fn found_by_block(length_before: Option<u64>, length: u64, may_read: bool) -> Before {
    match length_before {
        None => Before::Missing,
        Some(before) if before > 0 && length >= before && may_read => Before::Kept,
        Some(_) => Before::Emptied,
    }
}
