//! Blocks that a restart must run as often as the program.
//!
//! Input: the calls that create handles, and the statements that copy them.
//! Output: for those that take over a handle from an earlier run of such a statement, the variables of the loops around them.
//! Postcondition: a statement of which a restart would need several runs, and that has no such variables, gets no block.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use cppc_analysis::captured_values::CapturedValues;
use cppc_analysis::natural_loops::NaturalLoops;
use cppc_analysis::process_values::values_of_processes;
use cppc_analysis::program::{Access, Argument, Call, Callee, ProcedureId, Site, Value};
use cppc_analysis::replaced_runs::{Repeated, ReplacedRuns};
use cppc_analysis::replays::Replays;
use cppc_analysis::sets::Bytes;
use cppc_analysis::unequal_runs::{are_runs_unequal, is_collective};

use super::super::handles::{Creation, FileName};
use super::captures::indices;
use super::Search;

/// For each statement, what its block must capture in addition. `None`: it must not get a block.
pub(super) type RepeatedRuns = BTreeMap<Site, Option<Vec<String>>>;

/// A restart repeats at most as many runs of which the program has freed the handles.
const FEW_RUNS: i64 = 1000;

/// What is known about the values that blocks with collective calls capture.
struct Collective<'a> {
    values: CapturedValues<'a>,
    of_processes: OnceCell<Bytes>,
}

impl Search<'_> {
    /// What the block of a statement must capture, so that a restart repeats each run. `None`: that is not possible.
    pub(super) fn distinguishing(&self, site: Site) -> Option<Vec<String>> {
        let known = self.repeated_runs.get_or_init(|| self.repeated_runs());
        known.get(&site).cloned().unwrap_or(Some(Vec::new()))
    }

    fn repeated_runs(&self) -> RepeatedRuns {
        let summaries = &self.analysis.summaries;
        let mut of: BTreeMap<ProcedureId, Vec<&Creation>> = BTreeMap::new();
        for creation in self.handles.creations() {
            let is_other = creation.file == FileName::NotNeeded && !creation.is_unit;
            if is_other && !self.is_in_block(creation.site) {
                of.entry(creation.site.procedure).or_default().push(creation);
            }
        }
        let mut found = RepeatedRuns::new();
        let collective = Collective { values: CapturedValues::new(summaries), of_processes: OnceCell::new() };
        for creation in of.values().flatten() {
            let counters = self.counters_of_collective(creation, &collective);
            found.extend(counters.map(|names| (creation.site, Some(names))));
        }
        for creations in of.values() {
            self.use_counters_of_writers(creations, &mut found);
        }
        if of.values().flatten().all(|creation| creation.sources.is_empty()) {
            return found;
        }
        let replays = Replays::new(summaries, &self.analysis.instrumented);
        let runs = ReplacedRuns::new(summaries, &replays);
        for (id, creations) in of {
            let mut blocks: Vec<Repeated> =
                creations.iter().map(|creation| self.repeated(creation)).collect();
            blocks.extend(runs.blocks_of(id));
            loop {
                let pairs = runs.replaced(id, &blocks);
                let mut is_changed = false;
                for writer in pairs.iter().map(|pair| pair.writer).filter(|writer| *writer < creations.len())
                {
                    let site = creations[writer].site;
                    found.insert(site, self.counters(site));
                    is_changed |= !std::mem::replace(&mut blocks[writer].is_distinct, true);
                }
                if !is_changed {
                    break;
                }
            }
        }
        found
    }

    /// In a loop, a call that completes a handle, such as `MPI_Type_commit`, has a block of its own. It must run as often as the
    /// block that creates the handle.
    fn use_counters_of_writers(&self, creations: &[&Creation], found: &mut RepeatedRuns) {
        let sets = |creation: &Creation| self.handles.ranges(&creation.receiver);
        let counters = |creation: &Creation| self.counters(creation.site).filter(|names| !names.is_empty());
        let distinct: Vec<(Bytes, &Creation)> = creations
            .iter()
            .filter(|creation| counters(creation).is_some() && self.repeated(creation).is_distinct)
            .map(|creation| (sets(creation), *creation))
            .collect();
        for creation in creations.iter().filter(|_| !distinct.is_empty()) {
            let Some(names) = counters(creation) else { continue };
            let is_completed = distinct.iter().any(|(set, writer)| {
                writer.site != creation.site && sets(creation).iter().any(|range| set.overlaps(range))
            });
            if is_completed && !self.repeated(creation).is_distinct {
                found.entry(creation.site).or_insert(Some(names));
            }
        }
    }

    /// The variables of the loops around a collective call, if the processes may have different numbers of distinct captured values.
    fn counters_of_collective(&self, creation: &Creation, collective: &Collective) -> Option<Vec<String>> {
        let site = creation.site;
        let call = self.program.operation(site).call()?;
        let Callee::Named(name) = &call.callee else { return None };
        let effects = self.analysis.summaries.effects.effects(name)?;
        let kinds = effects.parameters.iter().filter_map(|effect| effect.creates.as_deref());
        if !kinds.into_iter().any(is_collective) {
            return None;
        }
        let counters = self.counters(site).filter(|counters| !counters.is_empty())?;
        let mut changing = self.captured(site, Some(call), Some(&creation.receiver));
        changing.retain(|(access, _)| collective.values.may_change(site, access));
        let summaries = &self.analysis.summaries;
        let captured: Vec<Bytes> = changing.iter().map(|(access, _)| self.handles.ranges(access)).collect();
        let is_unequal = !captured.is_empty() && {
            let of_processes = collective.of_processes.get_or_init(|| values_of_processes(summaries));
            are_runs_unequal(summaries, &captured, of_processes)
        };
        // The handles that the program has freed would all be created again.
        let is_too_many = || self.is_freed_outside_of_blocks(creation) && !self.has_few_runs(site);
        (is_unequal && !is_too_many()).then_some(counters)
    }

    /// Whether the program may free the handle before it runs the statement again, and a restart does not.
    fn is_freed_outside_of_blocks(&self, creation: &Creation) -> bool {
        let created = self.handles.ranges(&creation.receiver);
        let (site, effects) = (creation.site, &self.analysis.summaries.effects);
        let procedure = self.procedure(site.procedure);
        let is_in_loop = |other: Site| {
            other.procedure != site.procedure
                || (procedure.reached_from(site.block).contains(&other.block)
                    && procedure.reached_from(other.block).contains(&site.block))
        };
        let ends = |call: &Call| {
            let Callee::Named(name) = &call.callee else { return false };
            let Some(effects) = effects.effects(name) else { return false };
            call.arguments.iter().enumerate().any(|(number, argument)| match argument {
                Argument::Reference(access)
                | Argument::Value(Value::Address(access) | Value::Copy(access))
                    if effects.parameter(number).ends =>
                {
                    self.handles.ranges(access).iter().any(|range| created.overlaps(range))
                }
                Argument::Reference(_) | Argument::Value(_) | Argument::Absent => false,
            })
        };
        self.program
            .calls()
            .any(|(other, _, call)| ends(call) && is_in_loop(other) && !self.is_in_block(other))
    }

    /// Whether the loops around the statement have constant bounds and few iterations.
    fn has_few_runs(&self, site: Site) -> bool {
        let procedure = self.procedure(site.procedure);
        let loops = NaturalLoops::new(procedure);
        let (mut runs, mut around) = (1, loops.innermost[site.block.0 as usize]);
        while let Some(number) = around {
            let head = loops.loops[number].head;
            let counted = procedure.loops.iter().find(|counted| counted.header == head && counted.step != 0);
            let distance =
                counted.and_then(|counted| Some((counted.last.sub(&counted.first)?, counted.step)));
            let Some((distance, step)) = distance.filter(|(distance, _)| distance.terms.is_empty()) else {
                return false;
            };
            let iterations = distance.constant.checked_div(step).unwrap_or(i64::MAX).saturating_add(1);
            runs = iterations.max(0).saturating_mul(runs);
            around = loops.loops[number].parent;
        }
        runs <= FEW_RUNS
    }

    /// A statement, as if it had a block.
    fn repeated(&self, creation: &Creation) -> Repeated {
        let call = self.program.operation(creation.site).call();
        let captures = self.captures(creation.site, call, Some(&creation.receiver));
        let is_captured = |name: &String| captures.contains(name);
        let is_distinct = match self.counters(creation.site) {
            Some(counters) => counters.iter().all(is_captured),
            // Each run may set another element.
            None => indices(&creation.receiver).any(|index| is_captured(&self.variable(index).name)),
        };
        let bytes = |access: &Access| -> Bytes {
            let places = self.analysis.summaries.places.resolve(access, &mut Vec::new());
            places.iter().map(|place| place.range).collect()
        };
        let mut takes = Bytes::default();
        for source in &creation.sources {
            takes.add(&bytes(source));
        }
        let sets = bytes(&creation.receiver);
        Repeated { operations: vec![creation.site], takes, sets, is_distinct }
    }
}
