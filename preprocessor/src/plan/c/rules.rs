//! The rules of C for planning.

use crate::model::{Class, Expression, Program};
use crate::plan::builder::{PlanBuilder, Rules, Secured};
use crate::plan::{CallBlock, Hole};

pub(super) struct CRules;

impl Rules for CRules {
    fn evaluates_backwards(&self, program: &Program) -> bool {
        program.arguments_backwards
    }

    fn secured(&self, operand: &Expression) -> Secured {
        let nature = operand.nature;
        if nature.object && !nature.acts {
            return Secured::Parts;
        }
        let savable = match operand.ty.class {
            Class::Arithmetic => !nature.handle || nature.effects,
            // The address of a procedure differs in each run.
            Class::Pointer if nature.address => false,
            // A pointer is read again after the call, because a saved one would have to point into registered
            // memory.
            Class::Pointer | Class::Record => nature.effects,
            Class::Other | Class::Dynamic { .. } => nature.effects,
            Class::Void => false,
        };
        if savable {
            Secured::Value
        } else {
            Secured::Parts
        }
    }

    fn prepare(
        &self,
        builder: &mut PlanBuilder,
        argument: &Expression,
        holes: Vec<Hole>,
        is_needed: bool,
        block: &mut CallBlock,
    ) -> Vec<Hole> {
        builder.prepare_value(argument, holes, is_needed, block)
    }

    fn provide_memory(&self, _: &mut PlanBuilder, _: &Expression, _: &mut CallBlock) {}

    fn shows_entry_names(&self) -> bool {
        false
    }

    fn refusal_of_inner_call(&self) -> (&'static str, &'static str) {
        (
            "inside a statement expression or `_Generic`",
            "make the call a statement of its own, before this one",
        )
    }

    fn refusal_of_value(&self, _: Class) -> (&'static str, &'static str) {
        (
            "a variable for its value must be declared at the beginning of the procedure, and its type is not known there",
            "make it a statement of its own: assign it to a variable before this statement",
        )
    }

    fn help_for_lost_register(&self) -> &'static str {
        "register it in the procedure that owns it, or register what a pointer to it points to (`*p`, `(*p)[n]`)"
    }
}
