//! The rules of Fortran for planning.

use crate::model::{Class, Expression, Program};
use crate::plan::builder::{PlanBuilder, Rules, Secured};
use crate::plan::{CallBlock, Hole};

pub(super) struct FortranRules;

impl Rules for FortranRules {
    fn evaluates_backwards(&self, _: &Program) -> bool {
        false
    }

    /// Fortran does not allow a function to change the other operands of its statement, so only the order of
    /// calls matters. If no variable can have the value of the operand, it is computed after the call.
    fn secured(&self, operand: &Expression) -> Secured {
        let nature = operand.nature;
        if !nature.effects || operand.ty.pattern.is_none() {
            return Secured::Nothing;
        }
        if nature.object && !nature.acts {
            Secured::Parts
        } else {
            Secured::Value
        }
    }

    fn prepare(
        &self,
        builder: &mut PlanBuilder,
        argument: &Expression,
        holes: Vec<Hole>,
        _: bool,
        block: &mut CallBlock,
    ) -> Vec<Hole> {
        builder.prepare_reference(argument, holes, block)
    }

    fn provide_memory(&self, builder: &mut PlanBuilder, argument: &Expression, block: &mut CallBlock) {
        if let Some(array) = &argument.local {
            builder.lend(array, block);
        }
    }

    fn shows_entry_names(&self) -> bool {
        true
    }

    fn refusal_of_inner_call(&self) -> (&'static str, &'static str) {
        (
            "inside an implied DO, a statement function, an operator or the like",
            "call it by its name in a statement of its own: `c = add(a, b)`, `call set(a, b)`",
        )
    }

    fn refusal_of_value(&self, class: Class) -> (&'static str, &'static str) {
        match class {
            Class::Pointer => (
                "a pointer is needed here, and the value of the call cannot replace it",
                "set a pointer in a statement before this one, `p => …`, and write `p` here",
            ),
            Class::Void | Class::Arithmetic | Class::Record | Class::Dynamic { .. } | Class::Other => (
                "no variable for its value can be declared: it is an array, or its type or length is not known",
                "make it a statement of its own: assign it to a variable before this statement",
            ),
        }
    }

    fn help_for_lost_register(&self) -> &'static str {
        "register it in the procedure that owns it, or in one that leads to a checkpoint"
    }
}
