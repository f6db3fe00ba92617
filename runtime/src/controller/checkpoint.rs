//! `CPPC_Do_checkpoint`.
//!
//! Input: the number of a checkpoint.
//! Output: a dump if one is due, or the end of a restart.
//! Postcondition: every process has taken part in the same dumps, including processes that could not write.

use super::{Controller, Mode, Resumption, Service, Stop};
use crate::arithmetic::Arithmetic;
use crate::checkpoint::snapshot::SnapshotInput;
use crate::checkpoint::Snapshot;
use crate::files::{stdio, unit};
use crate::manifest::Provenance;
use crate::plan::replay::BlockKind;
use crate::register::memory::Range;
use crate::register::segments::Segments;
use crate::restore::DeliveryError;
use std::time::Instant;

/// In a program without numbered blocks: after this many checkpoints that recovered nothing, the restart has
/// failed.
const FRUITLESS_LIMIT: u32 = 10_000;

impl Controller {
    /// Counts a checkpoint at which nothing is due. Returns false if the caller must use `checkpoint`.
    #[inline]
    pub fn is_checkpoint_idle(&mut self) -> bool {
        self.mode == Mode::Normal
            && !self.ranks.is_next_excluded
            && !self.is_checking_messages()
            && self.schedule.skip()
    }

    /// Whether the next checkpoint only counts.
    #[inline]
    pub fn will_checkpoint_be_idle(&self) -> bool {
        self.mode == Mode::Normal && (self.ranks.is_next_excluded || self.schedule.is_next_idle())
    }

    /// Whether no checkpoint of the rest of the run dumps.
    #[inline]
    pub fn never_dumps(&self) -> bool {
        self.mode == Mode::Normal && self.schedule.is_off()
    }

    /// A checkpoint whose position in the source is unknown.
    #[inline]
    pub fn checkpoint(&mut self, id: i32, here: usize) -> Result<bool, Stop> {
        self.checkpoint_at(id, None, here)
    }

    /// A checkpoint. Returns whether a restart has ended here.
    #[inline]
    pub fn checkpoint_at(&mut self, id: i32, place: Option<&str>, here: usize) -> Result<bool, Stop> {
        let is_excluded = std::mem::take(&mut self.ranks.is_next_excluded);
        match self.mode {
            Mode::Normal if is_excluded => {
                self.report_excluded(id, place);
                Ok(false)
            }
            Mode::Normal => {
                crate::allocations::at_checkpoint();
                let procedure = self.frames.top().procedure;
                let due = self.schedule.count(procedure, id);
                if due.ends_round || due.dumps || self.is_checking_messages() {
                    self.checkpoint_with_round(id, place, here, due)?;
                }
                Ok(false)
            }
            Mode::Restarting => self.checkpoint_in_restart(id, here),
            Mode::Dormant | Mode::Finished => Ok(false),
        }
    }

    /// Returns the number of the recovery line; none if no line is made here.
    pub(super) fn dump(&mut self, id: i32, place: Option<&str>, here: usize) -> Result<Option<u64>, Stop> {
        if !self.is_own_process()? {
            return Ok(None);
        }
        let start = Instant::now();
        let locked = self.check_lock()?;
        self.take_from_other_threads()?;
        self.frames.checkpoint(&mut self.registers.table, here);
        self.frames.prune(&mut self.registers.table);
        self.prune_trees();
        let written = self.written_files();
        let Some(any_new_files) = self.meet(id, place, written.are_new) else { return Ok(None) };
        let shared = self.check_shared(written, any_new_files);
        let snapshot = shared
            .and_then(|()| self.refuse_in_transit())
            .and_then(|()| {
                // A restart does not print again what was printed before the checkpoint.
                stdio::flush_standard_output();
                unit::flush_standard_output();
                self.measure_files()
            })
            .and_then(|unsynced| Ok((self.snapshot(id, here)?, unsynced)));
        let snapshot = locked.and(snapshot);
        if let Ok((snapshot, _)) = &snapshot {
            self.report_hidden_addresses(snapshot, here);
        }
        let Some(service) = &mut self.service else { return Ok(None) };
        let number = service.next_number;
        service.next_number += 1;
        let reached = self.files.openings.begin_line(number, || service.dumper.oldest());
        if let Err(error) = reached {
            self.messages.failure(&format!("the list of opened files cannot be written: {error}"));
        }
        match snapshot {
            Ok((Snapshot { manifest, memory, graph, fields, symbols, null_arguments: _ }, unsynced)) => {
                let memory: Vec<(*const u8, usize)> =
                    memory.iter().map(|range| pointer_and_size(*range)).collect();
                // SAFETY: the ranges are those of live registers, and the program waits until they are
                // copied.
                let outcome =
                    unsafe { service.dumper.dump_after(&*service.communicator, manifest, &memory, unsynced) };
                drop((graph, fields, symbols));
                self.messages.debug(&format!("recovery line {number}: {outcome:?}"));
            }
            Err(reason) => {
                service.dumper.abstain(&*service.communicator, number);
                self.complain(&format!(
                    "nothing is written at checkpoint {}: {reason}",
                    place_text(id, place, self.procedure())
                ));
            }
        }
        self.end_rehearsal(number);
        if let Some(rounds) = self.service.as_mut().and_then(|service| service.rounds.as_mut()) {
            rounds.dumped(start);
        }
        Ok(Some(number))
    }

    fn snapshot(&self, id: i32, here: usize) -> Result<Snapshot, String> {
        if let Some(reason) = &self.registers.incomplete {
            return Err(reason.clone());
        }
        if let Some(reason) = self.early_register() {
            return Err(reason);
        }
        let Some(service) = &self.service else { return Err("there is no service".to_owned()) };
        let segments = Segments::with_readable(here, self.stack_base);
        if let Some(name) = self.changed_tree(&segments) {
            return Err(format!(
                "a component of `{name}` was allocated, freed or moved in a procedure that does not see this variable: \
                 make it a variable of a module, or place the checkpoint in the procedure that registers it"
            ));
        }
        if let Some(name) = self.ambiguous_member() {
            return Err(format!(
                "`{name}` is a component of a registered variable, and another register has this name: \
                 give the dummy argument or the local variable another name, or register the whole variable once"
            ));
        }
        if let Some(reason) = self.unlinked_array() {
            return Err(reason);
        }
        let scene = SnapshotInput {
            table: &self.registers.table,
            frames: &self.frames,
            names: &self.registers.names,
            layouts: &self.registers.layouts,
            graph_types: &self.registers.graph_types,
            segments: &segments,
            positions: self.positions_in_trees(),
            names_stale: !self.address_search.has_named_stale(),
        };
        scene.snapshot(self.provenance(service), id).map_err(|refusal| refusal.to_string())
    }

    fn provenance(&self, service: &Service) -> Provenance {
        let touched = self.schedule.touched();
        Provenance {
            application: service.settings.app.clone(),
            fingerprint: self.startup.fingerprint.clone(),
            run: service.run,
            attempt: service.attempt,
            identity: service.identity.clone(),
            number: service.next_number,
            rank: service.communicator.rank(),
            processes: service.communicator.processes(),
            calls: self.schedule.calls(),
            touched: touched
                .iter()
                .map(|(procedure, id)| (self.registers.names.text(*procedure).to_owned(), *id))
                .collect(),
            arithmetic: Arithmetic::current(),
        }
    }

    fn checkpoint_in_restart(&mut self, id: i32, here: usize) -> Result<bool, Stop> {
        if self.is_in_unrecorded_frame() {
            return Ok(false);
        }
        let procedure = self.registers.names.text(self.frames.top().procedure);
        let Some(resumption) = &mut self.resumption else { return Ok(false) };
        resumption.replay.truncate(self.frames.depth());
        if self.frames.depth() == 0 && resumption.replay.is_unnumbered() {
            if !resumption.is_over(id)? {
                return Ok(false);
            }
        } else {
            resumption.replay.begin(procedure, BlockKind::Checkpoint, id).map_err(Stop::restart)?;
        }
        self.keep_deferred()?;
        let Some(resumption) = &mut self.resumption else { return Ok(false) };
        resumption.delivery.finish().map_err(Stop::restart)?;
        resumption.undo.forget();
        let stack = Range { address: here, size_bytes: self.stack_base.saturating_sub(here) };
        resumption.delivery.stale(stack).iter().for_each(|stale| self.messages.failure(&stale.to_string()));
        let arithmetic = resumption.arithmetic;
        self.check_numbers()?;
        self.resumption = None;
        self.undo_openings()?;
        self.mode = Mode::Normal;
        self.frames.resume();
        self.messages.info("the state is restored");
        if let Some(reason) = arithmetic.and_then(Arithmetic::set) {
            self.messages.failure(reason);
        }
        Ok(true)
    }
}

impl Resumption {
    /// In a program without numbered blocks: whether the restart ends at this checkpoint.
    fn is_over(&mut self, id: i32) -> Result<bool, Stop> {
        let recovered = self.delivery.recovered();
        let missing = self.delivery.missing();
        let is_here = self.replay.checkpoint() == Some(id);
        if is_here && missing.is_empty() {
            return Ok(true);
        }
        let is_stuck = is_here && self.passed == Some(recovered);
        if is_here && self.passed != Some(recovered) {
            (self.passed, self.fruitless) = (Some(recovered), 0);
        }
        self.fruitless += 1;
        if is_stuck || self.fruitless > FRUITLESS_LIMIT {
            if missing.is_empty() {
                let wanted = self.replay.checkpoint().unwrap_or_default();
                return Err(Stop::restart(format!(
                    "the state file was written at checkpoint {wanted}, which the program does not reach"
                )));
            }
            let names = missing.iter().take(8).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
            return Err(Stop::restart(DeliveryError::NotRecovered { names }));
        }
        Ok(false)
    }
}

/// Describes a checkpoint for the user: its file and line (or its number, if they are unknown) and its
/// procedure.
pub(super) fn place_text(id: i32, place: Option<&str>, procedure: &str) -> String {
    let place = place.map_or_else(|| id.to_string(), str::to_owned);
    match procedure {
        "" => place,
        procedure => format!("{place} in `{procedure}`"),
    }
}

fn pointer_and_size(range: Range) -> (*const u8, usize) {
    (range.address as *const u8, range.size_bytes)
}
