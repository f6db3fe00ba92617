//! Files that execute blocks open.
//!
//! Input: a file name before the statements of a block, and a handle after them.
//! Output: at a checkpoint, the state of the files; in a restart, the file as it was and the handle on it.
//! Postcondition: a checkpoint is skipped if a restart could not restore the files.

use super::{Controller, Mode, Service, Stop};
use crate::agree::Communicator;
use crate::files::shared::{numbered, written};
use crate::files::Identity;
use crate::files::{
    AnnouncedFile, FileError, OpenHandle, Openings, PipeHandle, ProgramHandle, RedirectedHandle,
    RemainingAction, RunProcess, UnsyncedFile,
};
use crate::manifest::{Access, PlanEntry};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// The files that the current execute block opens.
#[derive(Debug, Default)]
pub struct Files {
    announced: Vec<Option<AnnouncedFile>>,
    led: Vec<RedirectedHandle>,
    /// Files that no state file describes any more, until their content is on the disk.
    owed: Vec<UnsyncedFile>,
    pub(super) openings: Openings,
    /// The handles that have been numbers, so that most captures need no search.
    pub(super) numbered_handles: Vec<String>,
    /// Why no state is written any more.
    refusal: Option<String>,
    /// The position in the file that was opened last.
    position_bytes: u64,
    /// The numbers of the files that this process was writing at the last comparison between the processes, and whether
    /// this is uncertain.
    compared_numbers: Vec<(u64, bool)>,
    /// The message for files that several processes write.
    shared: Option<String>,
}

/// A file that this process writes, or may have written. A certain one is before an uncertain one.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct WrittenFile {
    number: u64,
    is_uncertain: bool,
    name: String,
}

/// The files that this process has open for writing at a dump.
pub(super) struct WrittenFiles {
    own: Vec<WrittenFile>,
    numbers: Vec<(u64, bool)>,
    /// Whether they are others than at the last comparison.
    pub(super) are_new: bool,
    /// Whether all of them could be looked at.
    visited: Result<(), String>,
}

impl Controller {
    /// The block is about to open the file with this name. Files are numbered from 1.
    pub fn file(&mut self, number: i32, name: &[u8], handle: &str) -> Result<(), Stop> {
        if !matches!(self.mode, Mode::Normal | Mode::Restarting) {
            return Ok(());
        }
        if self.is_in_unrecorded_frame() {
            self.give_up_files(&FileError::Nested { handle: handle.to_owned() });
            return Ok(());
        }
        let Some(index) = usize::try_from(number).ok().and_then(|number| number.checked_sub(1)) else {
            return Ok(());
        };
        if index == 0 {
            self.files.announced.clear();
            self.files.led.clear();
        }
        if self.mode == Mode::Restarting {
            return self.file_in_restart(index, name, handle);
        }
        let name = match name_of_file(name) {
            Ok(name) => name,
            Err(reason) => {
                let (handle, name) = (handle.to_owned(), shown(name));
                self.give_up_files(&FileError::Name { handle, name, reason });
                return Ok(());
            }
        };
        if !self.is_in_order(index, handle) {
            return Ok(());
        }
        let mut announced = AnnouncedFile::new(name, handle);
        if let Some(path) = announced.path().map(Path::to_owned) {
            announced = self.take_note(announced, &path)?;
        }
        self.files.announced.push(Some(announced));
        Ok(())
    }

    fn is_in_order(&mut self, index: usize, handle: &str) -> bool {
        let is_in_place = index == self.files.announced.len() && self.frames.top().is_executing;
        if !is_in_place {
            self.complain(&format!("`CPPC_File` of `{handle}` is out of place: it is ignored"));
        }
        is_in_place
    }

    /// Compares the names of all files of the block before it moves the first file aside.
    fn file_in_restart(&mut self, index: usize, name: &[u8], handle: &str) -> Result<(), Stop> {
        if !self.is_in_order(index, handle) {
            return Ok(());
        }
        let procedure = self.registers.names.text(self.frames.top().procedure);
        let Some(resumption) = &self.resumption else { return Ok(()) };
        let known = name_of_file(name).map_or_else(|_| shown(name), str::to_owned);
        let saved = resumption.replay.file(procedure, index, &known).map_err(Stop::restart)?;
        let is_last = resumption.replay.count_files() == index + 1;
        let mut announced = AnnouncedFile::new(&known, handle);
        announced.remember(saved);
        self.files.announced.push(Some(announced));
        if !is_last {
            return Ok(());
        }
        let owner =
            self.service.as_ref().map(Service::owner).ok_or_else(|| Stop::restart("there is no service"))?;
        let all = std::mem::take(&mut self.files.announced);
        for announced in all {
            let announced = announced.map(|announced| self.protect(announced, owner)).transpose()?;
            self.files.announced.push(announced);
        }
        Ok(())
    }

    /// In a restart, moves the file aside so that the block cannot change it.
    fn protect(&mut self, mut announced: AnnouncedFile, owner: RunProcess) -> Result<AnnouncedFile, Stop> {
        let path = announced.path().map(Path::to_owned);
        let (is_opened_again, known) = match &path {
            // A file that did not exist at the checkpoint may exist now, if the lost run or an interrupted
            // restart created it.
            Some(path) if announced.was_gone() => {
                if let Some(note) = self.files.openings.undo(path).map_err(Stop::restart)? {
                    self.complain(&note);
                }
                let before = AnnouncedFile::new(&announced.name, &announced.handle)
                    .length_before()
                    .map_err(Stop::restart)?;
                self.note(path, before, None);
                (false, Vec::new())
            }
            Some(path) => self.files.openings.forget(path),
            None => (false, Vec::new()),
        };
        let is_aside = |path| self.files.announced.iter().flatten().any(|other| other.has_aside(path));
        if path.as_deref().is_some_and(is_aside) {
            return Ok(announced);
        }
        announced.protect(owner, is_opened_again, &known).map_err(Stop::restart)?;
        // If this restart is stopped, the next one removes the file.
        if let (Some(path), Some((placed, length))) = (&path, announced.placed()) {
            self.note(path, Some(length), Some(placed));
        }
        announced.notes().for_each(|note| self.complain(&note));
        Ok(announced)
    }

    /// After the restart has ended: undoes what the lost run has done since the checkpoint to files that are
    /// not in the plan. A program may test whether a file exists before a block opens it.
    pub(super) fn undo_openings(&mut self) -> Result<(), Stop> {
        let lost: Vec<PathBuf> = self.files.openings.lost().map(Path::to_owned).collect();
        for path in lost {
            if let Some(note) = self.files.openings.undo(&path).map_err(Stop::restart)? {
                self.complain(&note);
            }
        }
        Ok(())
    }

    /// In a normal run: undoes what a lost run has done to the file since the checkpoint, and records the
    /// present file.
    fn take_note(&mut self, announced: AnnouncedFile, path: &Path) -> Result<AnnouncedFile, Stop> {
        let announced = match self.files.openings.undo(path) {
            Ok(None) => AnnouncedFile::new(&announced.name, &announced.handle),
            Ok(Some(note)) => {
                self.complain(&note);
                announced
            }
            Err(error) => return Err(Stop::restart(error)),
        };
        // An unknown length is a fault of the file, and no state is written that depends on it.
        if let Ok(before) = announced.length_before() {
            self.note(path, before, None);
        }
        Ok(announced)
    }

    fn note(&mut self, path: &Path, length_before: Option<u64>, opened: Option<Identity>) {
        if let Err(error) = self.files.openings.note(path, length_before, opened) {
            self.complain(&format!("the list of opened files cannot be written: {error}"));
        }
    }

    /// The block has opened a file, or has failed to. Returns what remains to be done for the program.
    ///
    /// # Safety
    /// If the stream is not null, it is open until its descriptor is closed.
    pub unsafe fn opened(&mut self, number: i32, given: ProgramHandle) -> Result<RemainingAction, Stop> {
        if self.is_in_unrecorded_frame() {
            return Ok(RemainingAction::Nothing);
        }
        let index = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
        let announced = index.and_then(|index| self.files.announced.get_mut(index)).and_then(Option::take);
        let Some(mut announced) = announced else { return Ok(RemainingAction::Nothing) };
        let given = announced.path().map_or(given, |path| given.after_opening(path));
        // SAFETY: the caller guarantees it.
        let (live, pipe) = unsafe { (OpenHandle::of(given), PipeHandle::of(given)) };
        let (live, pipe) = match pipe {
            Ok(pipe) => (live, pipe),
            Err(error) => (live.and(Err(error)), None),
        };
        let live = match (live, self.mode) {
            (Err(source), Mode::Restarting) => {
                let name = announced.handle;
                return Err(Stop::restart(FileError::Handle {
                    doing: "cannot inspect the file of",
                    name,
                    source,
                }));
            }
            (live, _) => live,
        };
        let length_bytes = match &live {
            Ok(Some(live)) => self.files.records_bytes(&mut announced, given, live).map_err(Stop::restart)?,
            Ok(None) | Err(_) => None,
        };
        if let Some(length_bytes) = length_bytes {
            self.files.position_bytes = length_bytes;
            if let Some(place) = index.and_then(|index| self.files.announced.get_mut(index)) {
                *place = Some(announced);
            }
            return Ok(RemainingAction::LastRecord { formatted: given.is_formatted() });
        }
        if let Some(path) = announced.path().map(Path::to_owned) {
            match (&live, self.mode) {
                (Ok(Some(live)), Mode::Restarting) => {
                    if announced.was_gone() {
                        self.note(
                            &path,
                            announced.length_before().map_err(Stop::restart)?,
                            Some(live.identity()),
                        );
                    }
                    self.files.put_back(&path, live).map_err(Stop::restart)?;
                }
                (Ok(live), Mode::Normal) => {
                    let written = live
                        .as_ref()
                        .filter(|live| live.access() == Access::Writing)
                        .map(OpenHandle::identity);
                    // What cannot be determined is a fault of the file.
                    let changed = || announced.changed().ok().flatten().map(|changed| changed.identity);
                    if let (Some(identity), Ok(before)) =
                        (written.or_else(changed), announced.length_before())
                    {
                        self.note(&path, before, Some(identity));
                    }
                }
                _ => {}
            }
        }
        let watched = match self.mode {
            Mode::Restarting => announced
                .restored(given, live.unwrap_or_default(), &mut self.files.led)
                .map_err(Stop::restart)?,
            _ => announced.opened(given, live, self.is_alone()),
        };
        let watched = watched.with_pipe(pipe).with_number(given.number());
        let known = &mut self.files.numbered_handles;
        if given.number().is_some() && !known.iter().any(|handle| handle == watched.handle()) {
            known.push(watched.handle().to_owned());
        }
        let rest = if self.mode == Mode::Restarting {
            watched.remaining_action(given).map_err(Stop::restart)?
        } else {
            RemainingAction::Nothing
        };
        let position = watched.saved().position_bytes;
        self.files.position_bytes =
            if rest == RemainingAction::EndLine { position.saturating_sub(1) } else { position };
        self.frames.add_file(watched);
        Ok(rest)
    }

    fn is_alone(&self) -> bool {
        self.service.as_ref().is_none_or(|service| service.communicator.processes() == 1)
    }

    /// The position in the file that was opened last, counted from 1 as in Fortran.
    pub fn file_position(&self) -> i64 {
        i64::try_from(self.files.position_bytes.saturating_add(1)).unwrap_or(i64::MAX)
    }

    /// The block has ended. Each file must have been moved back.
    pub(super) fn end_of_files(&mut self) -> Result<(), Stop> {
        if self.is_in_unrecorded_frame() {
            return Ok(());
        }
        self.files.led.clear();
        let left = self.files.announced.drain(..).flatten().find(AnnouncedFile::is_aside);
        match left {
            Some(left) => Err(Stop::restart(FileError::NotOpen { handle: left.handle, name: left.name })),
            None => Ok(()),
        }
    }

    /// Flushes all files before it measures them, because several handles may refer to one file. Returns the
    /// files that must be synced before the state file is published.
    pub(super) fn measure_files(&mut self) -> Result<Vec<UnsyncedFile>, String> {
        if let Some(refusal) = &self.files.refusal {
            return Err(refusal.clone());
        }
        self.frames.each_file(&mut |file| file.flush()).map_err(|error| error.to_string())?;
        let mut unsynced = Vec::new();
        self.frames.each_file(&mut |file| file.measure(&mut unsynced))?;
        self.frames.forget_closed();
        unsynced.append(&mut self.files.owed);
        unsynced.retain(|file| file.is_owed() || file.is_open());
        self.files.owed.extend(unsynced.iter().filter(|file| file.is_owed()).cloned());
        Ok(unsynced)
    }

    /// The files that blocks of this process have opened for writing.
    pub(super) fn written_files(&mut self) -> WrittenFiles {
        let mut own = Vec::new();
        let visited = self.frames.each_file(&mut |file| {
            own.extend(file.number()?.map(|number| WrittenFile {
                number,
                is_uncertain: !file.is_certain(),
                name: file.name().to_owned(),
            }));
            Ok::<(), FileError>(())
        });
        own.sort();
        own.dedup_by_key(|file| file.number);
        let numbers: Vec<(u64, bool)> = own.iter().map(|file| (file.number, file.is_uncertain)).collect();
        let are_new = numbers != self.files.compared_numbers;
        WrittenFiles { own, numbers, are_new, visited: visited.map_err(|error| error.to_string()) }
    }

    /// Whether several processes write one file. A restart could not restore such a file. Every process calls
    /// this at every dump. Files are compared only if a process has opened another file since the last
    /// comparison.
    pub(super) fn check_shared(&mut self, written: WrittenFiles, any_are_new: bool) -> Result<(), String> {
        let Some(service) = self.service.as_ref().filter(|service| service.communicator.processes() > 1)
        else {
            return Ok(());
        };
        let communicator = &*service.communicator;
        let WrittenFiles { own, numbers, visited, are_new: _ } = written;
        // The others wait for this process, even if it cannot look at a file.
        if any_are_new {
            let certain: Vec<(u64, String)> = own
                .iter()
                .filter(|file| !file.is_uncertain)
                .map(|file| (file.number, file.name.clone()))
                .collect();
            self.files.shared = shared_by_several(communicator, &certain).map(|(name, first, last)| {
                let name = name.map_or("one file".to_owned(), |name| format!("`{name}`"));
                format!(
                    "{name} is being written by processes {first} and {last}, and a restart could not separate what each of them wrote: let one \
                     process write it, or give each process a file of its own"
                )
            });
            let (of_others, in_doubt) = compare_uncertain(communicator, &own);
            self.files.shared = self.files.shared.take().or(in_doubt);
            self.files.compared_numbers =
                numbers.into_iter().filter(|(number, _)| !of_others.contains(number)).collect();
            let left_alone = self.frames.each_file(&mut |file| {
                if !file.is_certain() && file.number()?.is_some_and(|number| of_others.contains(&number)) {
                    file.leave_alone();
                }
                Ok::<(), FileError>(())
            });
            left_alone.map_err(|error| error.to_string())?;
        }
        visited?;
        self.files.shared.clone().map_or(Ok(()), Err)
    }

    fn give_up_files(&mut self, error: &FileError) {
        let message = error.to_string();
        self.complain(&message);
        self.files.refusal = Some(message);
    }
}

/// The name as text that a state file can contain.
fn name_of_file(name: &[u8]) -> Result<&str, &'static str> {
    match std::str::from_utf8(name) {
        Err(_) => Err("is not UTF-8 text"),
        Ok("") => Err("is empty"),
        Ok(_) if name.len() > libc::PATH_MAX as usize => Err("is longer than any path of the system"),
        Ok(name) => Ok(name),
    }
}

/// A name of arbitrary bytes, for messages.
fn shown(name: &[u8]) -> String {
    const MOST_BYTES: usize = 80;
    match name.get(..MOST_BYTES) {
        Some(beginning) => format!("{}...", beginning.escape_ascii()),
        None => name.escape_ascii().to_string(),
    }
}

impl Files {
    /// Takes the list of files that a lost run has opened. If several processes have opened a file, no
    /// process knows its earlier content, so the file is removed from the list.
    pub(super) fn start(&mut self, communicator: &dyn Communicator, openings: Openings, is_resumed: bool) {
        self.openings = openings;
        if !is_resumed || communicator.processes() == 1 {
            return;
        }
        let own = numbered(self.openings.lost());
        let mut left = own.iter().peekable();
        while let Some((number, ranks)) = next_of_all(communicator, left.peek().map(|(number, _)| *number)) {
            if let Some((_, path)) = left.next_if(|(own, _)| *own == number) {
                if ranks.0 != ranks.1 {
                    self.openings.forget(path);
                }
            }
        }
    }

    /// Applies only if the file itself was moved aside.
    fn records_bytes(
        &self,
        announced: &mut AnnouncedFile,
        given: ProgramHandle,
        live: &OpenHandle,
    ) -> Result<Option<u64>, FileError> {
        let Some(path) = announced.path() else { return Ok(None) };
        let is_away =
            announced.has_aside(path) || self.announced.iter().flatten().any(|other| other.has_aside(path));
        if is_away {
            announced.records_bytes(given, live)
        } else {
            Ok(None)
        }
    }

    /// Another handle of the block may have moved the file aside.
    fn put_back(&mut self, path: &Path, live: &OpenHandle) -> Result<(), FileError> {
        let mut others = self.announced.iter_mut().flatten();
        others
            .find(|other| other.has_aside(path))
            .map_or(Ok(()), |other| other.put_back(Some(live.identity())))
    }
}

/// The smallest number that any process has, with the first and the last process that has it; none if no
/// number is left.
fn next_of_all(communicator: &dyn Communicator, own: Option<u64>) -> Option<(u64, (u64, u64))> {
    let smallest = communicator.min_u64(own.unwrap_or(u64::MAX));
    if smallest == u64::MAX {
        return None;
    }
    let (is_mine, rank) = (own == Some(smallest), u64::from(communicator.rank()));
    let first = communicator.min_u64(if is_mine { rank } else { u64::MAX });
    let last = communicator.max_u64(if is_mine { rank } else { 0 });
    Some((smallest, (first, last)))
}

/// Whether more than one process was writing a file. All processes get the same answer; those that wrote the
/// file also get its name. Each process would truncate what another process has written.
pub(super) fn shared(
    communicator: &dyn Communicator,
    run: u64,
    plan: &[PlanEntry],
) -> Option<Option<String>> {
    if communicator.processes() == 1 {
        return None;
    }
    let owner = RunProcess { run, rank: communicator.rank(), processes: communicator.processes() };
    let (name, first, last) = shared_by_several(communicator, &written(plan, owner))?;
    Some(name.map(|name| {
        format!("cannot resume: `{name}` was being written by processes {first} and {last}: a file that is written must be opened by one process only")
    }))
}

/// The first file that more than one process has, with its name on the processes that have it, and the first
/// and the last of them. `own` is sorted by number.
fn shared_by_several(
    communicator: &dyn Communicator,
    own: &[(u64, String)],
) -> Option<(Option<String>, u64, u64)> {
    let mut left = own.iter().peekable();
    while let Some((number, (first, last))) =
        next_of_all(communicator, left.peek().map(|(number, _)| *number))
    {
        let mine = left.next_if(|(own, _)| *own == number);
        if first != last {
            return Some((mine.map(|(_, name)| name.clone()), first, last));
        }
    }
    None
}

/// Compares the files that have changed while a block ran that has closed its file: any process may have written
/// them. Returns the files of this process that another one certainly writes, and a message for files that several
/// processes may have written. All processes get the same answer about the message.
fn compare_uncertain(communicator: &dyn Communicator, own: &[WrittenFile]) -> (HashSet<u64>, Option<String>) {
    let (mut of_others, mut in_doubt) = (HashSet::new(), None);
    if communicator.max_u64(u64::from(own.iter().any(|file| file.is_uncertain))) == 0 {
        return (of_others, in_doubt);
    }
    let mut left = own.iter().peekable();
    while let Some((number, (first, last))) = next_of_all(communicator, left.peek().map(|file| file.number)) {
        let mine = left.next_if(|file| file.number == number);
        let is_certain = communicator.max_u64(u64::from(mine.is_some_and(|file| !file.is_uncertain))) == 1;
        if is_certain {
            of_others.extend(mine.filter(|file| file.is_uncertain).map(|file| file.number));
        } else if first != last && in_doubt.is_none() {
            let name = mine.map_or("one file".to_owned(), |file| format!("`{}`", file.name));
            in_doubt = Some(format!(
                "{name} has changed while an execute block ran in processes {first} and {last}, and the block has closed it, so it is not known which \
                 of them wrote it: close the file after the block, or run the block only in the process that writes"
            ));
        }
    }
    (of_others, in_doubt)
}

impl Service {
    fn owner(&self) -> RunProcess {
        RunProcess { run: self.run, rank: self.communicator.rank(), processes: self.communicator.processes() }
    }
}
