//! What is recorded of the arguments of calls that a restart repeats.
//!
//! Input: an argument.
//! Output: slots that are filled in a normal run only, captures, and holes.
//! Postcondition: a replay of the call uses recorded values. It evaluates only addresses, pointers that are
//! set again or not needed, and values that the runtime cannot record.

use cppc_source::Diagnostic;

use super::builder::PlanBuilder;
use super::call_extraction::whole;
use super::{CallBlock, CapturedMember, Hole, Pointers, SavedMemberKind};
use crate::model::{Expression, ExpressionKind};

impl PlanBuilder<'_> {
    /// Prepares an argument, or a value from which the address of an argument is computed.
    pub(super) fn prepare(
        &mut self,
        argument: &Expression,
        holes: Vec<Hole>,
        is_needed: bool,
        block: &mut CallBlock,
    ) -> Vec<Hole> {
        self.rules.provide_memory(self, argument, block);
        // A value in a slot is already recorded.
        if let [hole] = &holes[..] {
            if Some(hole.span) == argument.place {
                block.captures.push(CapturedMember {
                    slot: hole.slot,
                    source: argument.anchor,
                    pointers: Pointers::Known,
                });
                return holes;
            }
        }
        self.rules.prepare(self, argument, holes, is_needed, block)
    }

    /// Evaluates an argument into a slot, whose value a replay gets from the state.
    pub(super) fn capture_value(
        &mut self,
        argument: &Expression,
        holes: Vec<Hole>,
        block: &mut CallBlock,
    ) -> Vec<Hole> {
        if argument.place.is_none() {
            self.warn_replayed(argument, "an argument made by a macro is evaluated again on a restart");
            return holes;
        }
        let Some(slot) = self.new_slot(argument, SavedMemberKind::Argument) else { return holes };
        let Some(value) = self.fragment(argument, holes) else { return Vec::new() };
        block.captures.push(CapturedMember { slot, source: argument.anchor, pointers: Pointers::Known });
        block.arguments.push((slot, value));
        whole(argument, slot)
    }

    pub(super) fn prepare_parts(
        &mut self,
        argument: &Expression,
        mut holes: Vec<Hole>,
        is_needed: bool,
        block: &mut CallBlock,
    ) -> Vec<Hole> {
        let parts: Vec<&Expression> = match &argument.kind {
            ExpressionKind::Operands(parts) => parts.iter().collect(),
            ExpressionKind::Call { arguments, .. } => arguments.iter().collect(),
            // The condition is the only part that is always evaluated.
            ExpressionKind::Choice { condition, .. } => vec![&**condition],
            _ => return holes,
        };
        for part in parts {
            let Some(place) = part.place else { continue };
            let (inside, outside) = holes.into_iter().partition(|hole| place.contains(hole.span));
            holes = outside;
            let prepared = if part.nature.object {
                self.prepare_parts(part, inside, is_needed, block)
            } else {
                self.prepare(part, inside, is_needed, block)
            };
            holes.extend(prepared);
        }
        holes
    }

    pub(super) fn warn_replayed(&mut self, argument: &Expression, message: &str) {
        self.diagnostics.push(
            Diagnostic::warning("C0512", argument.anchor, message)
                .note("it is not captured with the call, so the variables that it depends on must be registered")
                .help("pass a variable that is registered, or pass the address of the data"),
        );
    }
}
