//! Calls that change settings of the process.
//!
//! Input: the settings that a restart lacks.
//! Output: blocks around the statements that set them.
//! Postcondition: a block contains only the call, and captures the values that it reads.

use std::collections::BTreeSet;

use cppc_analysis::check::FindingKind;
use cppc_analysis::effects::{CallEffects, LibraryState};
use cppc_analysis::instances::Repeats;
use cppc_analysis::natural_loops::NaturalLoops;
use cppc_analysis::program::{Argument, Call, Callee, Content, Site, Value};

use super::{Search, Wanted};

impl Search<'_> {
    /// The calls that change settings of the process. A restart makes them again.
    pub(super) fn settings(&self, wanted: &mut BTreeSet<Wanted>) {
        let effects_of = |call: &Call| match &call.callee {
            Callee::Named(name) => self.analysis.summaries.effects.effects(name),
            Callee::Indirect(_) | Callee::OneOf(_) => None,
        };
        let changed = |call: &Call| {
            let effects = effects_of(call).into_iter().flat_map(|effects| &effects.states);
            let changed = effects.filter(|effect| effect.writes && effect.may_apply(call, self.program));
            changed.map(|effect| effect.state).collect::<Vec<_>>()
        };
        let may_change = |call: &Call| changed(call).into_iter().any(LibraryState::is_setting);
        // Most programs need no check.
        if !self.program.calls().any(|(_, _, call)| may_change(call)) {
            return;
        }
        let findings = self.analysis.check();
        let lost: Vec<LibraryState> = findings
            .iter()
            .filter_map(|finding| match finding.kind {
                // A block that redirects a stream needs the name of the file.
                FindingKind::LostState(LibraryState::Streams) => None,
                // The value of an attribute is often a pointer, which a block cannot capture.
                FindingKind::LostState(LibraryState::Attributes) => None,
                FindingKind::LostState(state) if state.is_setting() => Some(state),
                _ => None,
            })
            .collect();
        let changes = |call: &Call| changed(call).iter().any(|state| lost.contains(state));
        for (site, at, call) in self.program.calls() {
            // A block cannot capture a structure.
            let has_structure = call.arguments.iter().any(|argument| match argument {
                Argument::Reference(access) | Argument::Value(Value::Address(access)) => {
                    let variable = self.variable(access.root);
                    // A constant of a library, such as `MPI_COMM_WORLD`, is not captured.
                    let is_constant = self.program.objects[variable.object.0 as usize].constant;
                    variable.content == Content::Record && !is_constant
                }
                _ => false,
            });
            if changes(call) && !has_structure && !self.is_in_block(site) {
                let mut captures = self.captures(site, Some(call), None);
                let adds = |effects: &CallEffects| {
                    effects.states.iter().any(|effect| effect.adds && effect.may_apply(call, self.program))
                };
                if effects_of(call).is_some_and(adds) {
                    // The block must run as often as in the program.
                    let Some(counters) = self.counters(site) else { continue };
                    captures.extend(counters);
                    captures.sort();
                    captures.dedup();
                }
                wanted.insert(Wanted::Setting { at, captures });
            }
        }
    }

    /// The variables of counted loops that have other values in each run of an operation. None: there are no such variables.
    pub(super) fn counters(&self, site: Site) -> Option<Vec<String>> {
        let procedure = self.procedure(site.procedure);
        let repeats = Repeats::new(self.program, &self.analysis.summaries.places.calls);
        if repeats.is_in_repeated_procedure(site.procedure) {
            return None;
        }
        let mut names = Vec::new();
        let loops = NaturalLoops::new(procedure);
        let mut around = loops.innermost[site.block.0 as usize];
        while let Some(number) = around {
            let head = loops.loops[number].head;
            let counted = procedure.loops.iter().find(|counted| counted.header == head && counted.regular)?;
            let variable = self.variable(counted.variable);
            variable.declared?;
            names.push(variable.name.clone());
            around = loops.loops[number].parent;
        }
        // A cycle that is not a natural loop.
        (!names.is_empty() || !repeats.may_repeat(site)).then_some(names)
    }
}
