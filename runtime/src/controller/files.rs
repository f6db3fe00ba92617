//! Files that execute blocks open.
//!
//! In: before the statements of a block a name, after them a handle. Out: at a checkpoint, what there is to
//! save; in a restart, the file as it was and the handle on it. Holds afterwards: nothing is written at a
//! checkpoint that a restart could not make true again.

use super::{Controller, Mode, Service, Stop};
use crate::files::shared::written;
use crate::files::{Announced, FileError, Given, Live, Owner, Rest};
use crate::manifest::PlanEntry;
use crate::negotiate::Communicator;

/// What the execute block that is under way opens.
#[derive(Debug, Default)]
pub struct Files {
    announced: Vec<Option<Announced>>,
    /// Why nothing is written any more.
    refusal: Option<String>,
}

impl Controller {
    /// The block is going to open the file with this name; none when it is no text. Files are counted from 1.
    pub fn file(&mut self, number: i32, name: Option<&str>, handle: &str) -> Result<(), Stop> {
        if !matches!(self.mode, Mode::Normal | Mode::Restarting) {
            return Ok(());
        }
        if self.is_in_free_code() {
            self.give_up_files(&FileError::Nested { handle: handle.to_owned() });
            return Ok(());
        }
        let Some(name) = name else {
            self.give_up_files(&FileError::Name { handle: handle.to_owned() });
            return Ok(());
        };
        let Some(index) = usize::try_from(number).ok().and_then(|number| number.checked_sub(1)) else { return Ok(()) };
        if index == 0 {
            self.files.announced.clear();
        }
        if index != self.files.announced.len() || !self.frames.top().is_executing {
            self.complain(&format!("`CPPC_File` of `{handle}` is out of place: it is ignored"));
            return Ok(());
        }
        let mut announced = Announced::new(name, handle);
        if self.mode == Mode::Restarting {
            let procedure = self.names.text(self.frames.top().procedure);
            let Some(resumption) = &self.resumption else { return Ok(()) };
            let saved = resumption.replay.file(procedure, index, name).map_err(Stop::restart)?;
            let owner = self.service.as_ref().map(Service::owner).ok_or_else(|| Stop::restart("there is no service"))?;
            announced.protect(saved, owner).map_err(Stop::restart)?;
            if let Some(note) = announced.note() {
                self.complain(&note);
            }
        }
        self.files.announced.push(Some(announced));
        Ok(())
    }

    /// The block has opened a file, or has not. Returns what is left to do for the program.
    ///
    /// # Safety
    /// A stream that is not null is open, until its descriptor is closed.
    pub unsafe fn opened(&mut self, number: i32, given: Given) -> Result<Rest, Stop> {
        if self.is_in_free_code() {
            return Ok(Rest::Nothing);
        }
        let index = usize::try_from(number).ok().and_then(|number| number.checked_sub(1));
        let announced = index.and_then(|index| self.files.announced.get_mut(index)).and_then(Option::take);
        let Some(announced) = announced else { return Ok(Rest::Nothing) };
        // SAFETY: the caller vouches for it.
        let live = unsafe { Live::of(given) };
        let watched = match self.mode {
            Mode::Restarting => announced.restored(given, live).map_err(Stop::restart)?,
            _ => announced.opened(given, live),
        };
        let rest = if self.mode == Mode::Restarting { watched.rest(given) } else { Rest::Nothing };
        self.frames.add_file(watched);
        Ok(rest)
    }

    /// The block has come to its end: each file must have been moved back.
    pub(super) fn end_of_files(&mut self) -> Result<(), Stop> {
        if self.is_in_free_code() {
            return Ok(());
        }
        let left = self.files.announced.drain(..).flatten().find(Announced::is_aside);
        match left {
            Some(left) => Err(Stop::restart(FileError::NotOpen { handle: left.handle, name: left.name })),
            None => Ok(()),
        }
    }

    /// Flushes all files, and only then measures them: several handles may lead to one.
    pub(super) fn measure_files(&mut self) -> Result<(), String> {
        if let Some(refusal) = &self.files.refusal {
            return Err(refusal.clone());
        }
        self.frames.each_file(&mut |file| file.flush()).map_err(|error| error.to_string())?;
        self.frames.each_file(&mut |file| file.measure())
    }

    fn give_up_files(&mut self, error: &FileError) {
        let message = error.to_string();
        self.complain(&message);
        self.files.refusal = Some(message);
    }
}

/// Whether a file was being written by more than one process; the same on all of them, with its name on those
/// that had it. Each of them would cut off what another one wrote.
pub(super) fn shared(communicator: &dyn Communicator, run: u64, plan: &[PlanEntry]) -> Option<Option<String>> {
    if communicator.processes() == 1 {
        return None;
    }
    let owner = Owner { run, rank: communicator.rank(), processes: communicator.processes() };
    let own = written(plan, owner);
    let mut left = own.iter();
    let mut next = left.next();
    loop {
        let smallest = communicator.min_u64(next.map_or(u64::MAX, |(number, _)| *number));
        if smallest == u64::MAX {
            return None;
        }
        let mine = next.filter(|(number, _)| *number == smallest);
        let rank = u64::from(owner.rank);
        let first = communicator.min_u64(if mine.is_some() { rank } else { u64::MAX });
        let last = communicator.max_u64(if mine.is_some() { rank } else { 0 });
        if first != last {
            return Some(mine.map(|(_, name)| {
                format!("cannot resume: `{name}` was being written by processes {first} and {last}: a file that is written must be opened by one process only")
            }));
        }
        if mine.is_some() {
            next = left.next();
        }
    }
}

impl Service {
    fn owner(&self) -> Owner {
        Owner { run: self.run, rank: self.communicator.rank(), processes: self.communicator.processes() }
    }
}
