//! Calls that change settings of the process.
//!
//! Input: the settings that a restart lacks.
//! Output: blocks around the statements that set them.
//! Postcondition: a block contains only the call, and captures the values that it reads.

use std::collections::BTreeSet;

use cppc_analysis::check::FindingKind;
use cppc_analysis::effects::LibraryState;
use cppc_analysis::program::{Argument, Call, Callee, Content, Value};

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
                let captures = self.captures(site, Some(call), None);
                wanted.insert(Wanted::Setting { at, captures });
            }
        }
    }
}
