//! What is done before a checkpoint or call, and after it when a restart ended there.
//!
//! Input: the values and items that the plan lists for it.
//! Output: statements that save and re-pass before it, and take back after it.
//! Postcondition: the compiler has all registered memory stored at the call, and reloads it after it.

use std::sync::Arc;

use super::bundles::can_be_passed;
use super::expression::{Expr, Name};
use super::followed::{follow, followed_rank};
use super::names::cell;
use super::registers::{self, repass, wanted};
use super::statement::{Action, Statements};
use super::Writer;
use crate::model::Item;
use crate::plan::fortran::Keeping;
use crate::plan::{Registered, SavedValue};

impl Writer<'_> {
    /// Values go into their cells, memory is re-passed.
    pub(super) fn keep(&self, keeping: &Keeping, statements: &mut Statements) {
        for value in &keeping.saved {
            statements.push(self.with_cell("CPPC_SAVE", value));
        }
        for value in &keeping.loops {
            let arguments = [Expr::integer(value.cell), Expr::source(value.variable)];
            statements.call(Name::of_type("CPPC_SAVE", &value.code), arguments);
        }
        self.repass_bundle(keeping, statements);
        for item in keeping.named.iter().filter(|item| !self.is_bundled(item)) {
            match followed_rank(item) {
                Some(rank) => follow(item, rank, statements),
                None => repass(item, statements),
            }
        }
    }

    /// A register, by a procedure where there are many of its kind.
    pub(super) fn register(&self, section: u32, registered: &Registered, statements: &mut Statements) {
        let place = self.frame.layout.contained.as_ref().filter(|_| self.bundles_arrays);
        let externals = self.frame.layout.declares_externals;
        let call = place
            .and_then(|place| self.bundles.register(self.letters, place, externals, section, registered));
        match (call, wanted(&registered.item)) {
            (None, _) => registers::register(section, registered, statements),
            (Some(call), Some(condition)) => statements.when(condition, call),
            (Some(call), None) => statements.push(call),
        }
    }

    fn is_bundled(&self, item: &Item) -> bool {
        self.bundles_arrays && can_be_passed(item)
    }

    /// Re-passes at once what can be.
    fn repass_bundle(&self, keeping: &Keeping, statements: &mut Statements) {
        let items: Vec<&Arc<Item>> = keeping.named.iter().filter(|item| self.is_bundled(item)).collect();
        let layout = &self.frame.layout;
        let Some(place) = layout.contained.as_ref().filter(|_| !items.is_empty()) else { return };
        statements.push(self.bundles.call(self.letters, place, layout.declares_externals, &items));
    }

    /// Asks the function whether a restart ended here, and takes back what it brought.
    pub(super) fn take(&self, function: Expr, keeping: &Keeping, statements: &mut Statements) {
        if keeping.taken.is_empty() && keeping.named.is_empty() {
            return statements.when(function.is_set(), Action::Continue);
        }
        statements.if_then(function.is_set(), |inner| {
            for value in &keeping.taken {
                inner.push(self.with_cell("CPPC_TAKE", value));
            }
            self.repass_bundle(keeping, inner);
            for item in keeping.named.iter().filter(|item| !self.is_bundled(item)) {
                repass(item, inner);
            }
        });
    }

    fn with_cell(&self, routine: &str, value: &SavedValue) -> Action {
        let arguments = [Expr::integer(cell(value.slot)), Expr::bound(&value.name)];
        Action::call(Name::of_slot(routine, &self.plan.slots[value.slot.0]), arguments)
    }
}
