//! Items of directives: how each is registered, unregistered, captured, and re-passed.
//!
//! Input: an item.
//! Output: statements.
//! Postcondition: no statement uses an absent argument, and the address of memory with gaps is not passed.

use super::expression::{Expr, Name, Operator};
use super::followed::{may_be_undefined, register_followed, Register};
use super::items::{
    component, describe, each_element, has_memory, if_present, if_reached, is_contiguous, is_followed,
    object, of_element, register_name, storage, this_element, At,
};
use super::names::cell;
use super::statement::{Action, Statement, Statements};
use super::{graphs, trees};
use crate::model::{FieldStructures, Fields, Item, ItemKind, TypeCode};
use crate::plan::Registered;

pub(super) fn register(section: u32, registered: &Registered, statements: &mut Statements) {
    let item = &registered.item;
    let now = |inner: &mut Statements| register_now(section, registered, inner);
    let absent = |inner: &mut Statements| inner.call("CPPC_NOT_ALLOCATED", [register_name(item)]);
    let write =
        |inner: &mut Statements| inner.under(wanted(item), |inner| if_reached(item, now, absent, inner));
    if_present(item, |inner| of_element(item, write, inner), statements);
}

/// The condition that is tested first: the state of a pointer may be read only after the pointer was set.
pub(super) fn wanted(item: &Item) -> Option<Expr> {
    let moves = matches!(item.kind, ItemKind::Followed { .. });
    let asks = item.indexed.is_none() && (item.through_pointer || (moves && item.traits.pointer));
    asks.then(|| Expr::function("CPPC_WANTS", [register_name(item)]).not_zero())
}

fn register_now(section: u32, registered: &Registered, statements: &mut Statements) {
    let item = &registered.item;
    if let Some(tree) = &item.tree {
        return trees::register(section, registered, tree, statements);
    }
    if let Some(reached) = &item.reached {
        return graphs::register(section, item, reached, statements);
    }
    match (item.kind, registered.slot) {
        (ItemKind::Followed { rank }, _) => {
            register_followed(&Register::of(section, registered), item, rank, statements);
        }
        (ItemKind::Memory | ItemKind::Array | ItemKind::Target, Some(slot)) => {
            let cell = Expr::integer(cell(slot));
            let arguments = [Expr::integer(section), cell, object(item), register_name(item), storage(item)];
            statements.call(Name::of_type("CPPC_REGISTER_VALUE", &item.code), arguments);
        }
        (ItemKind::Memory | ItemKind::Array | ItemKind::Target, None) => {
            if_contiguous(section, item, statements)
        }
    }
}

/// Registers an array in place if there are no gaps between its elements.
fn if_contiguous(section: u32, item: &Item, statements: &mut Statements) {
    if !item.traits.gaps {
        return in_place(section, item, statements);
    }
    statements.if_else(
        is_contiguous(item),
        |inner| in_place(section, item, inner),
        |inner| inner.call("CPPC_NOT_CONTIGUOUS", [register_name(item)]),
    );
}

/// Announces the other elements of a section, if there are elements.
fn in_place(section: u32, item: &Item, statements: &mut Statements) {
    let Some(fields) = item.fields.as_ref().and_then(Fields::structures) else {
        return whole(section, item, statements);
    };
    let FieldStructures { first, second, structures, code } = fields;
    let is_constant = structures.strip_suffix("_8").is_some_and(|digits| digits.parse::<u64>().is_ok());
    let is_restart = || Expr::function("CPPC_RESTARTING", []).not_zero();
    let count = Expr::bound(structures);
    // In a restart, the number comes from the state file: the variables from which it is computed may not be restored yet.
    let (is_any, count) = match is_constant {
        true => (None, count),
        false => {
            let is_any = count.clone().binary(Operator::AtLeast, Expr::count(1));
            let known = Expr::function("MERGE", [Expr::count(0), count, is_restart()]);
            (Some(is_any.binary(Operator::Or, is_restart())), known)
        }
    };
    let write = |inner: &mut Statements| {
        let arguments = [Expr::bound(first), Expr::bound(second), count, register_name(item)];
        inner.call(Name::of_type("CPPC_FIELDS", code), arguments);
        whole(section, item, inner);
    };
    statements.under(is_any, write);
}

fn whole(section: u32, item: &Item, statements: &mut Statements) {
    let (section, name, storage) = (Expr::integer(section), register_name(item), storage(item));
    let count = Expr::bound(&item.count);
    match (&item.code, item.kind) {
        (TypeCode::Record(record), _) => {
            describe(item, record, None, statements);
            statements.call("CPPC_REGISTER_TYPE", [section, count, name, storage]);
        }
        (code, ItemKind::Array) => {
            statements.call(
                Name::of_type("CPPC_REGISTER_ARRAY", code),
                [section, object(item), count, name, storage],
            );
        }
        (code, ItemKind::Memory | ItemKind::Target | ItemKind::Followed { .. }) => {
            statements.call(Name::of_type("CPPC_REGISTER", code), [section, object(item), name, storage]);
        }
    }
    if let Some(shape) = &item.shape {
        let extents = Expr::bound(shape.parts.join(", "));
        statements.call("CPPC_SHAPE", [register_name(item), Expr::integer(shape.rank), extents]);
    }
}

/// Re-passes a variable, so that the compiler stores it in memory and loads it again.
pub(super) fn repass(item: &Item, at: At, statements: &mut Statements) {
    if let Some(tree) = &item.tree {
        let walk = |inner: &mut Statements| trees::walk(item, tree, at, inner);
        let reached = |inner: &mut Statements| if_reached(item, walk, |_| {}, inner);
        return if_present(item, reached, statements);
    }
    if let Some(reached) = &item.reached {
        let pass = |inner: &mut Statements| graphs::repass(item, reached, inner);
        let pass = |inner: &mut Statements| if_reached(item, pass, |_| {}, inner);
        return if_present(item, pass, statements);
    }
    let (code, place, is_array) = match (&item.code, item.kind) {
        (TypeCode::Record(record), _) => match record.fields.first() {
            Some(field) => (&field.code, component(item, field), false),
            None => return,
        },
        (code, ItemKind::Array) => (code, object(item), true),
        (code, ItemKind::Followed { rank }) => (code, object(item), rank > 0),
        (code, ItemKind::Memory | ItemKind::Target) => (code, object(item), false),
    };
    let mut conditions = Vec::new();
    if let ItemKind::Followed { .. } = item.kind {
        conditions.extend(may_be_undefined(item).then(|| is_followed(item)));
        conditions.push(has_memory(item));
    }
    conditions.extend((item.traits.gaps && is_array).then(|| is_contiguous(item)));
    let routine = if is_array { "CPPC_NAME_ARRAY" } else { "CPPC_NAME" };
    let call = Action::call(Name::of_type(routine, code), [place]);
    let pass = |inner: &mut Statements| under_all(conditions, call, inner);
    let write = |inner: &mut Statements| if_reached(item, pass, |_| {}, inner);
    if_present(item, |inner| each_element(item, at, write, inner), statements);
}

/// An action that runs if all conditions are true. A condition may be evaluated only if those before it are
/// true.
fn under_all(conditions: Vec<Expr>, action: Action, statements: &mut Statements) {
    let mut innermost_first = conditions.into_iter().rev();
    let innermost = match innermost_first.next() {
        Some(condition) => Statement::When { condition, action },
        None => Statement::Action(action),
    };
    statements.push(innermost_first.fold(innermost, |inner, condition| {
        let branches = vec![(condition, Statements::of(|body| body.push(inner)))];
        Statement::If { branches, otherwise: None }
    }));
}

pub(super) fn unregister(item: &Item, statements: &mut Statements) {
    this_element(item, |inner| inner.call("CPPC_UNREGISTER", [register_name(item)]), statements);
}

/// Captures a variable in place.
pub(super) fn capture(item: &Item, statements: &mut Statements) {
    let write = |inner: &mut Statements| match item.kind {
        ItemKind::Array | ItemKind::Followed { .. } => {
            let arguments = [object(item), Expr::bound(&item.count), register_name(item)];
            inner.call(Name::of_type("CPPC_CAPTURE_ARRAY", &item.code), arguments);
        }
        ItemKind::Memory | ItemKind::Target => {
            inner.call(Name::of_type("CPPC_CAPTURE", &item.code), [object(item), register_name(item)]);
        }
    };
    if_present(item, write, statements);
}
