//! Arguments of calls that a restart goes through again: what is recorded of them.
//!
//! In: an argument. Out: slots that are filled in a normal run only, captures, and holes. Holds afterwards:
//! a replay of the call evaluates nothing of its arguments that it has no recorded value for, but for
//! places, pointers that are set again or not needed, and what the runtime cannot be told of.

use cppc_source::Diagnostic;

use super::draft::Draft;
use super::lift::whole;
use super::{CallBlock, CapturedSlot, Fragment, Hole, InPlace, Lent, Pointers, Role, SlotId, SlotKind, SubstituteKind, Substituted};
use crate::model::{Class, Expression, ExpressionKind, FortranShape, FortranType, Language, LocalArray, Origin, Pattern, Substitute, Through, TypeCode, VariableId};

impl Draft<'_> {
    /// Prepares an argument, or what an argument's place is computed from.
    pub(super) fn prepare(
        &mut self,
        argument: &Expression,
        holes: Vec<Hole>,
        is_needed: bool,
        block: &mut CallBlock,
    ) -> Vec<Hole> {
        if let Some(array) = &argument.local {
            self.lend(array, block);
        }
        // What stands in a slot already has a value of its own.
        if let [hole] = &holes[..] {
            if Some(hole.span) == argument.place {
                block.captures.push(CapturedSlot { slot: hole.slot, source: argument.anchor, pointers: Pointers::Known });
                return holes;
            }
        }
        match self.procedure.language {
            Language::C => self.prepare_value(argument, holes, is_needed, block),
            Language::Fortran => self.prepare_reference(argument, holes, block),
        }
    }

    /// A call that has returned is repeated for what runs again below it: then the array may not be there.
    fn lend(&mut self, array: &LocalArray, block: &mut CallBlock) {
        if block.lent.iter().any(|lent| lent.array == *array) {
            return;
        }
        if let Some(known) = self.lent.iter().find(|lent| lent.array == *array) {
            return block.lent.push(known.clone());
        }
        let bounds = self.hidden(Role::Bounds, counts(2 * array.rank));
        let is_lent = self.hidden(Role::Lent, Pattern::FORTRAN_LOGICAL);
        let lent = Lent { array: array.clone(), bounds, is_lent };
        self.lent.push(lent.clone());
        block.lent.push(lent);
    }

    /// An argument of Fortran: one element is captured where it is, after what its place is computed
    /// from; the value of an expression goes into a slot.
    fn prepare_reference(
        &mut self,
        argument: &Expression,
        holes: Vec<Hole>,
        block: &mut CallBlock,
    ) -> Vec<Hole> {
        let nature = argument.nature;
        if nature.constant {
            return holes;
        }
        if let Some(through) = argument.through.as_deref().filter(|_| argument.place.is_some() && !nature.handle) {
            if through.is_read {
                return self.capture_value(argument, holes, block);
            }
            if (block.may_be_repeated || through.unset.is_some()) && !self.branches {
                return self.substitute(argument, through, holes, block);
            }
        }
        if nature.by_reference || nature.object || nature.handle {
            let holes = self.prepare_parts(argument, holes, false, block);
            if let (true, false, Some(span), Some(code)) =
                (nature.by_reference, nature.handle, argument.place, &argument.ty.code)
            {
                let place = Fragment { span, holes: holes.clone() };
                block.in_place.push(InPlace { place, code: code.clone() });
            }
            return holes;
        }
        if argument.ty.pattern.is_some() {
            return self.capture_value(argument, holes, block);
        }
        if !nature.composed && depends_on_memory(argument) {
            self.warn_unknown(argument);
        }
        self.prepare_parts(argument, holes, false, block)
    }

    /// An argument that a repetition of a returned call must not evaluate: where it was, there may be nothing.
    fn substitute(
        &mut self,
        argument: &Expression,
        through: &Through,
        holes: Vec<Hole>,
        block: &mut CallBlock,
    ) -> Vec<Hole> {
        let holes = self.prepare_parts(argument, holes, false, block);
        let Some(place) = self.fragment(argument, holes.clone()) else { return holes };
        let (slot, kind) = match &through.substitute {
            Substitute::Value => {
                let Some(slot) = self.new_slot(argument, SlotKind::Argument) else { return holes };
                if !through.is_written {
                    block.captures.push(CapturedSlot { slot, source: argument.anchor, pointers: Pointers::Known });
                    block.arguments.push((slot, place.clone()));
                }
                (slot, SubstituteKind::Value { goes_back: !through.is_written })
            }
            Substitute::Array { rank, pattern, presence } => {
                let (slot, extents) = self.substitute_array(pattern, *rank);
                (slot, SubstituteKind::Array { extents, rank: *rank, presence: *presence })
            }
            Substitute::Elements { base, pattern } => {
                let (slot, extents) = self.substitute_array(pattern, 1);
                let inside = holes.iter().filter(|hole| base.contains(hole.span)).cloned().collect();
                (slot, SubstituteKind::Elements { extents, base: Fragment { span: *base, holes: inside } })
            }
            Substitute::Address => return holes,
            Substitute::None => {
                if block.may_be_repeated {
                    self.warn_through(argument);
                }
                return holes;
            }
        };
        if block.is_repeated.is_none() {
            let known = self.is_repeated;
            let flag = known.unwrap_or_else(|| self.hidden(Role::Repeated, Pattern::FORTRAN_LOGICAL));
            self.is_repeated = Some(flag);
            block.is_repeated = Some(flag);
        }
        self.unset.extend(through.unset.clone());
        block.substitutes.push(Substituted { place, unset: through.unset.clone(), slot, kind });
        holes
    }

    fn substitute_array(&mut self, pattern: &Pattern, rank: u32) -> (SlotId, SlotId) {
        let slot = self.hidden(Role::Substitute, pattern.clone());
        (slot, self.hidden(Role::Shape, counts(rank.max(1))))
    }

    /// Evaluates what a replay cannot evaluate again: arithmetic and pointers go into captured slots. A repeated call
    /// that does not need a pointer gets anything.
    fn prepare_value(
        &mut self,
        argument: &Expression,
        holes: Vec<Hole>,
        is_needed: bool,
        block: &mut CallBlock,
    ) -> Vec<Hole> {
        let plain = argument.nature.constant || argument.nature.handle;
        let by_value = match argument.ty.class {
            Class::Arithmetic => !plain,
            // What the address of a procedure is computed from is noted, not the address.
            Class::Pointer => acts_inside(argument) && !argument.nature.address,
            Class::Record => self.is_noted(argument),
            Class::Other => argument.ty.pattern.is_some() && argument.ty.code.is_some() && !argument.nature.address,
            Class::Void | Class::Dynamic { .. } => false,
        };
        if by_value {
            return self.capture_value(argument, holes, block);
        }
        if argument.ty.class == Class::Arithmetic {
            return holes;
        }
        match self.keeping(argument, is_needed) {
            None => self.prepare_parts(argument, holes, is_needed, block),
            Some(Keeping::Again) => {
                let holes = self.prepare_parts(argument, holes, false, block);
                self.note_pointers(argument, holes, Pointers::Again, block)
            }
            Some(Keeping::Noted { needed }) => {
                self.note_pointers(argument, holes, |_| Pointers::Lost { needed }, block)
            }
        }
    }

    /// Whether the value of a structure is noted as it is. One that a call makes is made again.
    fn is_noted(&self, argument: &Expression) -> bool {
        let is_plain = !argument.ty.code.as_ref().is_some_and(has_pointers);
        let is_made = matches!(argument.kind, ExpressionKind::Call { .. });
        argument.ty.pattern.is_some()
            && !argument.nature.address
            && (is_plain || acts_inside(argument))
            && !(is_made && !is_plain)
    }

    /// How a pointer, or a structure with pointers, is noted: where a repeated call needs it, or where evaluating it again
    /// would follow a pointer that nobody has set.
    fn keeping(&self, argument: &Expression, needed: bool) -> Option<Keeping> {
        let Origin::Values(variables) = &argument.origin else { return None };
        let can_be = argument.place.is_some() && argument.ty.pattern.is_some() && !argument.nature.address && !argument.nature.handle;
        let is_set = variables.iter().all(|&id| self.restored.restores(id));
        let is_same = is_set && variables.len() == 1 && self.is_parameter(argument, variables[0]);
        match (is_set, needed || argument.nature.through_local) {
            _ if !can_be || is_same => None,
            (true, _) => needed.then_some(Keeping::Again),
            (false, true) => Some(Keeping::Noted { needed }),
            (false, false) => None,
        }
    }

    fn note_pointers(
        &mut self,
        argument: &Expression,
        holes: Vec<Hole>,
        pointers: impl FnOnce(Fragment) -> Pointers,
        block: &mut CallBlock,
    ) -> Vec<Hole> {
        let Some(slot) = self.new_slot(argument, SlotKind::Argument) else { return holes };
        let Some(value) = self.fragment(argument, holes) else { return Vec::new() };
        let pointers = pointers(value.clone());
        if matches!(pointers, Pointers::Lost { .. }) {
            block.arguments.push((slot, value));
        }
        block.captures.push(CapturedSlot { slot, source: argument.anchor, pointers });
        whole(argument, slot)
    }

    /// Whether the argument is a parameter by its name, which has its value from the repeated call.
    fn is_parameter(&self, argument: &Expression, id: VariableId) -> bool {
        self.procedure.variable(id).parameter && matches!(argument.kind, ExpressionKind::Leaf)
    }

    /// Evaluates an argument into a slot, whose value a replay gets from the state.
    fn capture_value(
        &mut self,
        argument: &Expression,
        holes: Vec<Hole>,
        block: &mut CallBlock,
    ) -> Vec<Hole> {
        if argument.place.is_none() {
            self.warn_replayed(argument);
            return holes;
        }
        let Some(slot) = self.new_slot(argument, SlotKind::Argument) else { return holes };
        let Some(value) = self.fragment(argument, holes) else { return Vec::new() };
        block.captures.push(CapturedSlot { slot, source: argument.anchor, pointers: Pointers::Known });
        block.arguments.push((slot, value));
        whole(argument, slot)
    }

    fn prepare_parts(
        &mut self,
        argument: &Expression,
        mut holes: Vec<Hole>,
        is_needed: bool,
        block: &mut CallBlock,
    ) -> Vec<Hole> {
        let parts: Vec<&Expression> = match &argument.kind {
            ExpressionKind::Operands(parts) => parts.iter().collect(),
            ExpressionKind::Call { arguments, .. } => arguments.iter().collect(),
            // Only the condition is evaluated in any case.
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

    fn warn_through(&mut self, argument: &Expression) {
        let message = "this argument is evaluated again on a restart";
        self.diagnostics.push(
            Diagnostic::warning("C0512", argument.anchor, message)
                .because("it is reached through a pointer or an allocatable, and no variable of its type can be declared")
                .note("a restart repeats this call for an execute block or a register below it, also after it has returned: what the argument is reached through must exist then")
                .help("set and register what it is reached through before this call, and keep it until the end of the program"),
        );
    }

    fn warn_unknown(&mut self, argument: &Expression) {
        let message = "this argument is evaluated again on a restart";
        self.diagnostics.push(
            Diagnostic::warning("C0512", argument.anchor, message)
                .because("it is no variable, and none can be declared for its value")
                .note("what it is computed from must have the same values when the program is resumed")
                .help("assign it to a variable before the call, and pass and register this variable"),
        );
    }

    fn warn_replayed(&mut self, argument: &Expression) {
        let message = "an argument made by a macro is evaluated again on a restart";
        self.diagnostics.push(
            Diagnostic::warning("C0512", argument.anchor, message)
                .note("it is not captured with the call: what it is computed from must be registered")
                .help("write the call out, without the macro"),
        );
    }
}

/// Numbers of elements, or bounds.
fn counts(count: u32) -> Pattern {
    Pattern::Fortran { ty: FortranType::Count, shape: FortranShape::Extent(count) }
}

/// How the pointers in an argument are kept for a replayed call.
enum Keeping {
    /// They are evaluated again, but for those into registered memory.
    Again,
    /// Nothing of it can be evaluated again.
    Noted { needed: bool },
}

fn has_pointers(code: &TypeCode) -> bool {
    match code {
        TypeCode::Named(name) => *name == "CPPC_POINTER",
        TypeCode::Record(record) => record.fields.iter().any(|field| has_pointers(&field.code)),
    }
}

/// Whether something besides calls changes state inside.
fn acts_inside(expression: &Expression) -> bool {
    let call = matches!(expression.kind, ExpressionKind::Call { .. });
    (expression.nature.acts && !call) || expression.children().into_iter().any(acts_inside)
}

/// Whether the value may differ from one time to the next.
fn depends_on_memory(expression: &Expression) -> bool {
    let nature = expression.nature;
    let leaf = matches!(expression.kind, ExpressionKind::Leaf);
    let calls = matches!(expression.kind, ExpressionKind::Call { .. } | ExpressionKind::Statements(_));
    calls || (leaf && !nature.constant) || expression.children().into_iter().any(depends_on_memory)
}
