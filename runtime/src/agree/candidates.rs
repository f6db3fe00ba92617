//! The state files of one process, as candidates for the line to resume from.
//!
//! Input: the directory, and what the program expects.
//! Output: proposals, then the state of the line that all processes agree on.
//! Postcondition: a damaged file was skipped with a note. An intact file of another program was not skipped,
//! nor one that cannot be read for a reason that may be temporary.

use super::common::{Candidates, Line, Refused};
use super::AgreeError;
use crate::storage::{Directory, EntryKind};
use crate::verify::{self, Description, Expectation, Reason, StateFile, Verified, VerifyError};

pub struct StateFiles<'a> {
    pub(super) directory: &'a Directory,
    expectation: &'a Expectation,
    /// Runs whose lines are skipped.
    pub(super) skipped_runs: Vec<u64>,
    /// The lines that were not inspected yet, newest first; none before the directory is listed.
    numbers: Option<Vec<(u64, EntryKind)>>,
    /// Lines whose content is damaged.
    damaged: Vec<u64>,
    proposed: Option<(Line, Verified<Description>)>,
    loaded: Option<Verified<StateFile>>,
    pub(super) notes: Vec<String>,
    /// The lines that were copied from the mirror, or could not be.
    pub(super) tried: Vec<u64>,
    pub(super) refusal: Option<AgreeError>,
    /// Why a fresh start is refused: it would replace a file of value.
    precious: Option<AgreeError>,
    pub(super) found_finished: bool,
}

impl<'a> StateFiles<'a> {
    pub fn new(directory: &'a Directory, expectation: &'a Expectation) -> StateFiles<'a> {
        StateFiles {
            directory,
            expectation,
            skipped_runs: Vec::new(),
            numbers: None,
            damaged: Vec::new(),
            proposed: None,
            loaded: None,
            notes: Vec::new(),
            tried: Vec::new(),
            refusal: None,
            precious: None,
            found_finished: false,
        }
    }

    pub fn skip_runs(&mut self, runs: impl IntoIterator<Item = u64>) {
        self.skipped_runs.extend(runs);
    }

    pub fn take_notes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notes)
    }

    pub fn loaded(&self) -> Option<&StateFile> {
        self.loaded.as_deref()
    }

    pub fn take_loaded(self) -> Option<Verified<StateFile>> {
        self.loaded
    }

    /// The newest intact line here of one of these runs, as far as is known.
    pub fn newest_intact(&mut self, runs: &[u64]) -> Result<Option<u64>, Refused> {
        for (number, kind) in self.listed()? {
            if kind != EntryKind::File || self.damaged.contains(&number) {
                continue;
            }
            let describe =
                |directory: &Directory| verify::describe(&**directory.storage(), &directory.line(number));
            let found = describe(self.directory);
            let found = match (found, self.directory.mirror()) {
                (Err(error), Some(mirror)) => describe(mirror).map_err(|_| error),
                (found, _) => found,
            };
            match found {
                Ok(found)
                    if !runs.contains(&found.manifest().provenance.run)
                        || found.meets(self.expectation).is_err() => {}
                Ok(_) => return Ok(Some(number)),
                Err(error) if error.reason.stops_the_run() => return self.judge(error).map(|()| None),
                // The damage was reported when the line was skipped.
                Err(_) => {}
            }
        }
        Ok(None)
    }

    pub fn take_refusal(&mut self) -> Option<AgreeError> {
        self.refusal.take()
    }

    /// The reason of this process, if all processes must stop.
    pub fn refusal(self) -> Option<AgreeError> {
        self.refusal
    }

    /// Whether a fresh start is allowed, as far as this process can see.
    pub fn may_start_fresh(&mut self) -> Result<(), Refused> {
        self.refusal = self.precious.take();
        self.refusal.as_ref().map_or(Ok(()), |_| Err(Refused))
    }

    /// The message about a fresh start, if the user may not expect one.
    pub fn fresh_start_note(&self) -> Option<String> {
        if self.found_finished || !self.directory.is_used().unwrap_or(true) {
            return None;
        }
        // If the directory cannot be listed, the run has already stopped.
        let found = self.directory.lines().unwrap_or_default().len();
        let shown = self.directory.path().display();
        Some(match found {
            0 => format!("there is no state file in `{shown}`, so the run starts from the beginning"),
            _ => format!(
                "no recovery line is complete on every process, so the run starts from the beginning; \
                 {found} state files in `{shown}` are set aside"
            ),
        })
    }

    fn listed(&mut self) -> Result<Vec<(u64, EntryKind)>, Refused> {
        let mut all: Vec<(u64, EntryKind)> = Vec::new();
        for directory in self.directory.and_mirror() {
            let names = directory.line_names().map_err(|source| {
                let path = directory.path().to_owned();
                self.refusal = Some(AgreeError::Unreadable { path, source });
                Refused
            })?;
            all.extend(names);
        }
        // The sort is stable: what is in `dir` decides.
        all.sort_by(|(a, _), (b, _)| b.cmp(a));
        all.dedup_by_key(|(number, _)| *number);
        Ok(all)
    }

    fn list(&mut self) -> Result<&mut Vec<(u64, EntryKind)>, Refused> {
        if self.numbers.is_none() {
            self.numbers = Some(self.listed()?);
        }
        Ok(self.numbers.get_or_insert_with(Vec::new))
    }

    /// Records damage as a note. Returns any other error as a refusal, because it must not be skipped.
    pub(super) fn judge(&mut self, error: VerifyError) -> Result<(), Refused> {
        if error.reason.stops_the_run() {
            self.refusal = Some(AgreeError::Refused(error));
            return Err(Refused);
        }
        self.notes.push(format!("{error}; it is ignored"));
        if error.reason.is_foreign() {
            self.precious.get_or_insert(AgreeError::Refused(error));
        }
        Ok(())
    }

    /// The line of one file; none if it cannot be used.
    fn inspect(
        &mut self,
        number: u64,
        kind: EntryKind,
    ) -> Result<Option<(Line, Verified<Description>)>, Refused> {
        let path = self.directory.line(number);
        if kind != EntryKind::File {
            return self.judge(VerifyError { path, reason: Reason::NoRegularFile }).map(|()| None);
        }
        let description = loop {
            match verify::describe(&**self.directory.storage(), &path) {
                Ok(description) => break description,
                Err(error) if self.repair(&error)? => {}
                // It is only in the mirror, and belongs to another run.
                Err(error) if error.is_missing() && self.directory.mirror().is_some() => return Ok(None),
                Err(error) => return self.judge(error).map(|()| None),
            }
        };
        let (run, attempt) =
            (description.manifest().provenance.run, description.manifest().provenance.attempt);
        if self.skipped_runs.contains(&run) {
            self.found_finished = true;
            return Ok(None);
        }
        match description.meets(self.expectation) {
            Ok(()) => Ok(Some((Line { number, run, attempt }, description))),
            Err(error) => self.judge(error).map(|()| None),
        }
    }
}

impl Candidates for StateFiles<'_> {
    fn newest(&mut self, at_most: u64) -> Result<Option<Line>, Refused> {
        // Another process could not read the line that this process has read.
        self.loaded = None;
        if let Some((line, _)) = &self.proposed {
            if line.number <= at_most {
                return Ok(Some(*line));
            }
        }
        self.proposed = None;
        self.list()?.retain(|&(number, _)| number <= at_most);
        while let Some((number, kind)) = self.list()?.first().copied() {
            self.list()?.remove(0);
            if let Some(found) = self.inspect(number, kind)? {
                let line = found.0;
                self.proposed = Some(found);
                return Ok(Some(line));
            }
        }
        Ok(None)
    }

    fn load(&mut self) -> Result<bool, Refused> {
        let Some((line, mut description)) = self.proposed.take() else { return Ok(false) };
        loop {
            match verify::load(description) {
                Ok(state) => {
                    self.loaded = Some(state);
                    return Ok(true);
                }
                Err(error) if self.repair(&error)? => match self.inspect(line.number, EntryKind::File)? {
                    // The other processes have the line of the attempt that was proposed.
                    Some((repaired, again)) if repaired == line => description = again,
                    _ => {
                        self.damaged.push(line.number);
                        return Ok(false);
                    }
                },
                Err(error) => {
                    self.damaged.push(line.number);
                    return self.judge(error).map(|()| false);
                }
            }
        }
    }
}
