//! The state files of one process, as candidates for the line to resume from.
//!
//! In: the directory and what the program expects. Out: proposals, then the state of the one that
//! all agree on. Holds afterwards: a damaged file was passed over with a note; a whole file that is
//! not this program's, or one that cannot be read for a reason that may pass, was not passed over.

use super::common::{Candidates, Line, Refused};
use super::AgreeError;
use crate::storage::Directory;
use crate::verify::{self, Description, Expectation, StateFile, Verified, VerifyError};

pub struct Files<'a> {
    directory: &'a Directory,
    expectation: &'a Expectation,
    /// Runs whose lines are of no interest.
    passed_over: Vec<u64>,
    /// What is left to look at, newest first; none when it was not listed yet.
    numbers: Option<Vec<u64>>,
    proposed: Option<(Line, Verified<Description>)>,
    loaded: Option<Verified<StateFile>>,
    notes: Vec<String>,
    refusal: Option<AgreeError>,
    /// A file that nobody should start afresh over.
    precious: Option<AgreeError>,
    met_finished: bool,
}

impl<'a> Files<'a> {
    pub fn new(directory: &'a Directory, expectation: &'a Expectation) -> Files<'a> {
        Files {
            directory,
            expectation,
            passed_over: Vec::new(),
            numbers: None,
            proposed: None,
            loaded: None,
            notes: Vec::new(),
            refusal: None,
            precious: None,
            met_finished: false,
        }
    }

    pub fn pass_over(&mut self, runs: impl IntoIterator<Item = u64>) {
        self.passed_over.extend(runs);
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

    /// What this process has to say when all must stop.
    pub fn refusal(self) -> Option<AgreeError> {
        self.refusal
    }

    /// Whether the run may start from the beginning, as far as this process can see.
    pub fn may_start_afresh(&mut self) -> Result<(), Refused> {
        self.refusal = self.precious.take();
        self.refusal.as_ref().map_or(Ok(()), |_| Err(Refused))
    }

    /// What this process has to say to a start from the beginning, if that may surprise.
    pub fn why_afresh(&self) -> Option<String> {
        let found = self.directory.lines().ok()?.len();
        if found == 0 || self.met_finished {
            return None;
        }
        Some(format!(
            "no recovery line is complete on every process, so the run starts from the beginning; \
             {found} state files here are set aside"
        ))
    }

    fn list(&mut self) -> Result<&mut Vec<u64>, Refused> {
        if self.numbers.is_none() {
            let lines = self.directory.lines().map_err(|source| {
                let path = self.directory.path().to_owned();
                self.refusal = Some(AgreeError::Unreadable { path, source });
                Refused
            })?;
            self.numbers = Some(lines);
        }
        Ok(self.numbers.get_or_insert_with(Vec::new))
    }

    /// Notes damage; hands anything that must not be passed over on as a refusal.
    fn judge(&mut self, error: VerifyError) -> Result<(), Refused> {
        if error.reason.stops_the_run() {
            self.refusal = Some(AgreeError::Refused(error));
            return Err(Refused);
        }
        self.notes.push(format!("{error}; it is passed over"));
        if error.reason.is_foreign() {
            self.precious.get_or_insert(AgreeError::Refused(error));
        }
        Ok(())
    }

    /// The line of one file; none when it is of no use.
    fn look_at(&mut self, number: u64) -> Result<Option<(Line, Verified<Description>)>, Refused> {
        let path = self.directory.line(number);
        let description = match verify::describe(&**self.directory.storage(), &path) {
            Ok(description) => description,
            Err(error) => return self.judge(error).map(|()| None),
        };
        let (run, attempt) = (description.manifest().provenance.run, description.manifest().provenance.attempt);
        if self.passed_over.contains(&run) {
            self.met_finished = true;
            return Ok(None);
        }
        match description.meets(self.expectation) {
            Ok(()) => Ok(Some((Line { number, run, attempt }, description))),
            Err(error) => self.judge(error).map(|()| None),
        }
    }
}

impl Candidates for Files<'_> {
    fn newest(&mut self, at_most: u64) -> Result<Option<Line>, Refused> {
        // Another process could not read what this one has read.
        self.loaded = None;
        if let Some((line, _)) = &self.proposed {
            if line.number <= at_most {
                return Ok(Some(*line));
            }
        }
        self.proposed = None;
        self.list()?.retain(|&number| number <= at_most);
        while let Some(number) = self.list()?.first().copied() {
            self.list()?.remove(0);
            if let Some(found) = self.look_at(number)? {
                let line = found.0;
                self.proposed = Some(found);
                return Ok(Some(line));
            }
        }
        Ok(None)
    }

    fn load(&mut self) -> Result<bool, Refused> {
        let Some((_, description)) = self.proposed.take() else { return Ok(false) };
        match verify::load(description) {
            Ok(state) => {
                self.loaded = Some(state);
                Ok(true)
            }
            Err(error) => self.judge(error).map(|()| false),
        }
    }
}
