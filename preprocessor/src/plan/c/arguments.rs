//! Arguments of calls in C that a restart repeats.
//!
//! Input: an argument.
//! Output: the part of it that is captured.
//! Postcondition: a replay that needs a pointer gets one that is valid in the new run.

use crate::model::{Class, Expression, ExpressionKind, Origin, TypeCode, VariableId};
use crate::plan::builder::PlanBuilder;
use crate::plan::call_extraction::whole;
use crate::plan::{CallBlock, CapturedMember, Fragment, Hole, Pointers, SavedMemberKind};

impl PlanBuilder<'_> {
    /// Evaluates values that a replay cannot evaluate again: arithmetic and pointers go into captured slots.
    /// If a repeated call does not need a pointer, it gets any value.
    pub(super) fn prepare_value(
        &mut self,
        argument: &Expression,
        holes: Vec<Hole>,
        is_needed: bool,
        block: &mut CallBlock,
    ) -> Vec<Hole> {
        let plain = argument.nature.constant
            || argument.nature.handle
            || (argument.nature.from_caller && !self.program.starts_below_main);
        let by_value = match argument.ty.class {
            Class::Arithmetic => !plain,
            // The values from which the address of a procedure is computed are recorded, not the address.
            Class::Pointer => acts_inside(argument) && !argument.nature.address,
            Class::Record => self.is_noted(argument),
            Class::Other => {
                argument.ty.pattern.is_some() && argument.ty.code.is_some() && !argument.nature.address
            }
            Class::Void | Class::Dynamic { .. } => false,
        };
        if by_value {
            return self.capture_value(argument, holes, block);
        }
        if argument.ty.class == Class::Arithmetic {
            return holes;
        }
        match self.pointer_treatment(argument, is_needed) {
            None => {
                if self.is_lost(argument) {
                    let message =
                        "an argument with an address that cannot be recorded is evaluated again on a restart";
                    self.warn_replayed(argument, message);
                }
                self.prepare_parts(argument, holes, is_needed, block)
            }
            Some(PointerTreatment::Again) => {
                let holes = self.prepare_parts(argument, holes, false, block);
                let follows_pointer = argument.nature.follows_pointer;
                let pointers = |value| Pointers::Again { value, follows_pointer };
                self.note_pointers(argument, holes, pointers, block)
            }
            Some(PointerTreatment::Noted { needed }) => {
                self.note_pointers(argument, holes, |_| Pointers::Lost { needed }, block)
            }
        }
    }

    /// Whether the value of a structure is recorded unchanged. If it is the result of a call, the call is
    /// repeated instead.
    fn is_noted(&self, argument: &Expression) -> bool {
        let is_plain = !argument.ty.code.as_ref().is_some_and(TypeCode::has_pointers);
        let is_made = matches!(argument.kind, ExpressionKind::Call { .. });
        argument.ty.pattern.is_some()
            && !argument.nature.address
            && (is_plain || acts_inside(argument))
            && (is_plain || !is_made)
    }

    /// How a pointer, or a structure with pointers, is recorded. A repeated call gets the recorded value.
    fn pointer_treatment(&self, argument: &Expression, needed: bool) -> Option<PointerTreatment> {
        let Origin::Values(variables) = &argument.origin else { return None };
        let can_be = argument.place.is_some()
            && argument.ty.pattern.is_some()
            && !argument.nature.address
            && !argument.nature.handle;
        let is_set = variables.iter().all(|&id| self.restored.restores(id));
        let is_same = is_set && variables.len() == 1 && self.is_parameter(argument, variables[0]);
        match is_set {
            _ if !can_be || is_same => None,
            // Nothing may have restored a static pointer. The procedure may also change the variable before it reaches its
            // checkpoint.
            true => Some(PointerTreatment::Again),
            false => Some(PointerTreatment::Noted { needed }),
        }
    }

    /// Whether a restart evaluates the argument again although the variables that it reads may not have their values.
    fn is_lost(&self, argument: &Expression) -> bool {
        let Origin::Values(variables) = &argument.origin else { return false };
        argument.nature.address && !variables.iter().all(|&id| self.restored.restores(id))
    }

    fn note_pointers(
        &mut self,
        argument: &Expression,
        holes: Vec<Hole>,
        pointers: impl FnOnce(Fragment) -> Pointers,
        block: &mut CallBlock,
    ) -> Vec<Hole> {
        let Some(slot) = self.new_slot(argument, SavedMemberKind::Argument) else { return holes };
        let Some(value) = self.fragment(argument, holes) else { return Vec::new() };
        let pointers = pointers(value.clone());
        if matches!(pointers, Pointers::Lost { .. }) {
            block.arguments.push((slot, value));
        }
        block.captures.push(CapturedMember { slot, source: argument.anchor, pointers });
        whole(argument, slot)
    }

    /// Whether the argument is a parameter by its name, which has its value from the repeated call.
    fn is_parameter(&self, argument: &Expression, id: VariableId) -> bool {
        self.procedure.variable(id).parameter && matches!(argument.kind, ExpressionKind::Leaf)
    }
}

/// How the pointers in an argument are kept for a replayed call.
enum PointerTreatment {
    /// They are evaluated again, except those that point into registered memory.
    Again,
    /// No part of it can be evaluated again.
    Noted { needed: bool },
}

/// Whether an operation other than a call changes state inside.
fn acts_inside(expression: &Expression) -> bool {
    let call = matches!(expression.kind, ExpressionKind::Call { .. });
    (expression.nature.acts && !call) || expression.children().into_iter().any(acts_inside)
}
