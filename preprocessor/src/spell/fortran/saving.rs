//! Statements before a checkpoint or call, and after it if a restart has ended there.
//!
//! Input: the values and items that the plan lists for it.
//! Output: statements that save and re-pass variables before it, and restore them after it.
//! Postcondition: the compiler stores all registered memory before the call, and loads it after the call.

use std::sync::Arc;

use super::bundles::{can_be_passed, is_list};
use super::expression::{Expr, Name};
use super::followed::{follow, followed_rank};
use super::items::{if_present, register_name, At};
use super::names::cell;
use super::registers::{self, repass, wanted};
use super::statement::{Action, Statements};
use super::trees;
use super::Writer;
use crate::model::Item;
use crate::plan::fortran::{Repassed, Saving};
use crate::plan::{Registered, SavedValue};

/// A routine that returns whether a restart ended here, and the one that does the same without a result.
pub(super) struct Asked {
    pub function: &'static str,
    pub subroutine: &'static str,
}

impl Writer<'_> {
    /// Saves values in their cells, and re-passes memory.
    pub(super) fn keep(&self, saving: &Saving, at: At, statements: &mut Statements) {
        for name in &saving.ended {
            statements.call("CPPC_OUT_OF_SCOPE", [Expr::text(name)]);
        }
        for value in &saving.saved {
            statements.push(self.with_cell("CPPC_SAVE", value));
        }
        for value in &saving.loops {
            let arguments = [Expr::integer(value.cell), Expr::source(value.variable)];
            statements.call(Name::of_type("CPPC_SAVE", &value.code), arguments);
        }
        let (emptied, others): (Vec<_>, Vec<_>) =
            saving.repassed.iter().partition(|repassed| repassed.is_emptied);
        emptied.iter().for_each(|repassed| empty(&repassed.item, statements));
        for item in self.repass_list(others, statements) {
            match followed_rank(&item).filter(|_| item.tree.is_none() && !item.traits.unregistered) {
                Some(rank) => follow(&item, rank, at, statements),
                None => repass(&item, at, statements),
            }
        }
    }

    /// Reports the memory of variables whose registers may remain.
    pub(super) fn report_left(&self, statements: &mut Statements) {
        let end = self.frame.layout.end.start;
        let left = self.frame.layout.repassed.iter().filter(|kept| kept.is_left);
        for kept in left.filter(|kept| kept.scope.start <= end && end < kept.scope.end) {
            match followed_rank(&kept.item).filter(|_| kept.item.tree.is_none()) {
                Some(rank) => follow(&kept.item, rank, At::Elsewhere, statements),
                None => repass(&kept.item, At::Elsewhere, statements),
            }
        }
    }

    /// A register. If there are many of its kind, a contained procedure makes it.
    pub(super) fn register(&self, section: u32, registered: &Registered, statements: &mut Statements) {
        let place = self.frame.layout.contained.as_ref().filter(|_| self.uses_lists);
        let externals = self.frame.layout.declares_externals;
        let call = place
            .and_then(|place| self.bundles.register(self.letters, place, externals, section, registered));
        match (call, wanted(&registered.item)) {
            (None, _) => registers::register(section, registered, statements),
            (Some(call), Some(condition)) => statements.when(condition, call),
            (Some(call), None) => statements.push(call),
        }
    }

    /// Re-passes the items that can be in a list, and returns the others.
    fn repass_list<'a>(
        &self,
        repassed: impl IntoIterator<Item = &'a Repassed>,
        statements: &mut Statements,
    ) -> Vec<Arc<Item>> {
        let items = repassed.into_iter().map(written);
        let layout = &self.frame.layout;
        let Some(place) = layout.contained.as_ref().filter(|_| self.uses_lists) else {
            return items.collect();
        };
        let (list, mut others): (Vec<Arc<Item>>, Vec<Arc<Item>>) =
            items.partition(|item| can_be_passed(item));
        if is_list(&list) {
            statements.push(self.bundles.call(self.letters, place, layout.declares_externals, &list));
        } else {
            others.extend(list);
        }
        others
    }

    /// Asks the runtime whether a restart has ended here, and restores the variables if so.
    pub(super) fn take(
        &self,
        asked: Asked,
        arguments: Vec<Expr>,
        saving: &Saving,
        statements: &mut Statements,
    ) {
        if saving.taken.is_empty() && saving.repassed.is_empty() {
            return statements.call(asked.subroutine, arguments);
        }
        statements.if_then(Expr::function(asked.function, arguments).not_zero(), |inner| {
            for value in &saving.taken {
                inner.push(self.with_cell("CPPC_TAKE", value));
            }
            for item in self.repass_list(&saving.repassed, inner) {
                repass(&item, At::Elsewhere, inner);
            }
        });
    }

    fn with_cell(&self, routine: &str, value: &SavedValue) -> Action {
        let arguments = [Expr::integer(cell(value.slot)), Expr::bound(&value.name)];
        Action::call(Name::of_slot(routine, &self.plan.slots[value.slot.0]), arguments)
    }
}

/// Passes that an item has no memory from the next call on.
fn empty(item: &Item, statements: &mut Statements) {
    if_present(
        item,
        |inner| match &item.tree {
            Some(_) => trees::empty(item, inner),
            None => inner.call("CPPC_FOLLOW_NOTHING", [register_name(item)]),
        },
        statements,
    );
}

/// An item with the name that it has where it is re-passed.
fn written(repassed: &Repassed) -> Arc<Item> {
    let item = &repassed.item;
    let Some((number, name)) = &repassed.outer else { return item.clone() };
    let renamed = |text: &str| replaced(text, name, &format!("#outer_{number}"));
    Arc::new(Item { variable: None, ..item.with_designators(&renamed) })
}

/// Replaces the name of a variable in a text. Components with the same name are not changed.
fn replaced(text: &str, name: &str, new: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(is_word) {
        let word = &rest[start..];
        let word = &word[..word.find(|letter| !is_word(letter)).unwrap_or(word.len())];
        out.push_str(&rest[..start]);
        let component = out.trim_end().ends_with('%');
        out.push_str(if !component && word.eq_ignore_ascii_case(name) { new } else { word });
        rest = &rest[start + word.len()..];
    }
    out + rest
}

fn is_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_gets_another_name_and_components_keep_theirs() {
        assert_eq!(replaced("P(lbound(p, 1))%x%p", "p", "#outer_1"), "#outer_1(lbound(#outer_1, 1))%x%p");
        assert_eq!(replaced("px", "p", "#outer_1"), "px");
    }
}
