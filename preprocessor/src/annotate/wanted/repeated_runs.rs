//! Blocks that a restart must run as often as the program.
//!
//! Input: the calls that create handles, and the statements that copy them.
//! Output: for those that take over a handle from an earlier run of such a statement, the variables of the loops around them.
//! Postcondition: a statement of which a restart would need several runs, and that has no such variables, gets no block.

use std::collections::BTreeMap;

use cppc_analysis::program::{Access, Argument, Callee, OperationKind, ProcedureId, Site, Value};
use cppc_analysis::replaced_runs::{Repeated, ReplacedRuns};
use cppc_analysis::replays::Replays;
use cppc_analysis::sets::Bytes;
use cppc_analysis::unequal_runs::is_collective;

use super::super::handles::{Creation, FileName};
use super::captures::indices;
use super::Search;

/// For each statement, what its block must capture in addition. `None`: it must not get a block.
pub(super) type RepeatedRuns = BTreeMap<Site, Option<Vec<String>>>;

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
        for creation in of.values().flatten() {
            found.extend(self.counters_of_collective(creation).map(|names| (creation.site, Some(names))));
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

    /// The variables of the loops around a collective call, if other captured values change in these loops. They may change in
    /// some processes only, and each process counts its own values.
    fn counters_of_collective(&self, creation: &Creation) -> Option<Vec<String>> {
        let site = creation.site;
        let call = self.program.operation(site).call()?;
        let Callee::Named(name) = &call.callee else { return None };
        let effects = self.analysis.summaries.effects.effects(name)?;
        let kinds = effects.parameters.iter().filter_map(|effect| effect.creates.as_deref());
        if !kinds.into_iter().any(is_collective) {
            return None;
        }
        let counters = self.counters(site).filter(|counters| !counters.is_empty())?;
        let mut others = self.captures(site, Some(call), Some(&creation.receiver));
        others.retain(|name| !counters.contains(name));
        let procedure = self.procedure(site.procedure);
        let after = procedure.reached_from(site.block);
        let is_other = |access: &Access| others.contains(&self.variable(access.root).name);
        let changes = |kind: &OperationKind| match kind {
            OperationKind::Write { to, .. } => is_other(to),
            OperationKind::Call(call) => {
                let is_set = |argument: &Argument| match argument {
                    Argument::Reference(access) | Argument::Value(Value::Address(access)) => is_other(access),
                    Argument::Value(_) | Argument::Absent => false,
                };
                call.result.as_ref().is_some_and(is_other) || call.arguments.iter().any(is_set)
            }
            _ => false,
        };
        let mut operations = procedure.operations(site.procedure);
        let is_changed = operations.any(|(other, operation)| {
            changes(&operation.kind)
                && after.contains(&other.block)
                && procedure.reached_from(other.block).contains(&site.block)
        });
        is_changed.then_some(counters)
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
