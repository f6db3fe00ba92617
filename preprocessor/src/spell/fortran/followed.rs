//! Followed arrays: where their memory is, and memory for them in a restart.
//!
//! Input: a followed item. Its type has a code, since a restart cannot allocate a derived type.
//! Output: statements.
//! Postcondition: in a restart it has the bounds and the state that it had at the checkpoint. The state of a
//! pointer is not read before the pointer was set.

use super::expression::{kind_word, Expr, Name, Operator, Type};
use super::items::{
    each_element, has_memory, if_present, if_reached, is_contiguous, is_followed, object, register_name,
    storage, At,
};
use super::statement::{Action, Declaration, Shape, Statement, Statements, Variable};
use crate::model::{Item, ItemKind};
use crate::plan::Registered;

/// The arguments of a register call.
pub(super) struct Register {
    pub section: Expr,
    pub name: Expr,
    pub storage: Expr,
}

impl Register {
    pub fn of(section: u32, registered: &Registered) -> Register {
        let item = &registered.item;
        let mut storage = storage(item);
        for (holds, flag) in
            [(registered.parameter, "CPPC_PARAMETER"), (item.traits.pointer, "CPPC_ASSOCIATED")]
        {
            if holds {
                storage = storage.binary(Operator::Add, Expr::known(flag));
            }
        }
        Register { section: Expr::integer(section), name: register_name(item), storage }
    }
}

pub(super) fn register_followed(register: &Register, item: &Item, rank: u32, statements: &mut Statements) {
    let code = Expr::Name(Name::Known(format!("CPPC_{}", kind_word(&item.code)).into()));
    let Register { section, name, storage } = register;
    let bounds = [Expr::hidden("LOWER"), Expr::hidden("UPPER")];
    let mut arguments = vec![section.clone(), code, Expr::integer(rank)];
    arguments.extend(bounds);
    arguments.extend([name.clone(), storage.clone()]);
    statements.assign(Expr::hidden("FOUND"), Expr::function("CPPC_REGISTER_FOLLOWED", arguments));
    if !item.traits.read_only {
        bring_back(item, rank, name, statements);
    }
    follow_here(item, rank, name, statements);
}

/// In a restart, allocates memory with the earlier bounds, and restores the content.
pub(super) fn bring_back(item: &Item, rank: u32, name: &Expr, statements: &mut Statements) {
    let was_empty = found(-1);
    if item.traits.pointer {
        statements.when(was_empty, Action::Nullify(object(item)));
    } else {
        statements.when(was_empty.and(has_memory(item)), Action::Deallocate(object(item)));
    }
    let allocate = Statements::of(|inner| {
        if !item.traits.pointer {
            free_unless_alike(item, rank, name, inner);
        }
        let mut target =
            object(item).shaped((1..=rank).map(|i| bound("LOWER", i).to(bound("UPPER", i))).collect());
        if has_length_of_its_own(item) {
            target = target.typed(Type::Character(Box::new(followed_length(name))));
        }
        match item.traits.pointer {
            true => inner.push(Action::Allocate(target)),
            false => inner.when(has_memory(item).not(), Action::Allocate(target)),
        }
        let routine = if rank == 0 { "CPPC_DELIVER_FIRST" } else { "CPPC_DELIVER" };
        inner.call(Name::of_type(routine, &item.code), [object(item), name.clone()]);
    });
    let mut branches = vec![(found(1), allocate)];
    // Before Fortran 2018, C_F_POINTER did not accept such an array.
    let is_refused = item.traits.old_standard && rank > 0 && has_length_of_its_own(item);
    if item.traits.pointer && !is_refused {
        branches.push((found(2), Statements::of(|inner| share(item, rank, name, inner))));
    }
    statements.push(Statement::If { branches, otherwise: None });
}

/// Compares the result of the register call with a number.
pub(super) fn found(answer: i64) -> Expr {
    Expr::hidden("FOUND").binary(Operator::Equal, Expr::Integer { value: answer, kind: None })
}

pub(super) fn bound(word: &'static str, dimension: u32) -> Expr {
    Expr::hidden(word).at([Expr::integer(dimension)])
}

/// All bounds of one side.
fn bounds(word: &'static str, rank: u32) -> Expr {
    Expr::hidden(word).at([Expr::integer(1).to(Expr::integer(rank))])
}

fn followed_length(name: &Expr) -> Expr {
    Expr::function("CPPC_FOLLOWED_LENGTH", [name.clone()])
}

/// If the item is allocated with the bounds that it had at the checkpoint, it stays at its address, because
/// pointers that were set before `init` may point to it. Otherwise it is freed.
pub(super) fn free_unless_alike(item: &Item, rank: u32, name: &Expr, statements: &mut Statements) {
    let mut differs = Vec::new();
    if rank > 0 {
        for (function, word) in [("LBOUND", "LOWER"), ("UBOUND", "UPPER")] {
            let others =
                Expr::counted(function, [object(item)]).binary(Operator::NotEqual, bounds(word, rank));
            differs.push(Expr::function("ANY", [others]));
        }
    }
    if has_length_of_its_own(item) {
        differs.push(Expr::function("LEN", [object(item)]).binary(Operator::NotEqual, followed_length(name)));
    }
    let Some(differs) = differs.into_iter().reduce(|left, right| left.binary(Operator::Or, right)) else {
        return;
    };
    statements.if_then(has_memory(item), |inner| {
        inner.if_then(differs, |inner| {
            inner.call("CPPC_MOVED", [name.clone()]);
            inner.push(Action::Deallocate(object(item)));
        });
    });
}

/// Points a pointer to memory that exists already.
fn share(item: &Item, rank: u32, name: &Expr, statements: &mut Statements) {
    statements.push(Statement::Block(Statements::of(|inner| {
        inner.push(Declaration::Use { module: "ISO_C_BINDING", names: &["C_F_POINTER", "C_NULL_PTR"] });
        inner.push(Declaration::function(Type::Count, "CPPC_PLACE"));
        let place = Expr::function("CPPC_PLACE", [name.clone()]);
        let address = Expr::function("TRANSFER", [place, Expr::known("C_NULL_PTR")]);
        if !has_length_of_its_own(item) {
            return point_to(item, rank, address, object(item), inner);
        }
        // `C_F_POINTER` does not set the length of a pointer with `LEN=:`.
        let length = Name::hidden("LENGTH");
        let variables = vec![Variable { name: length.clone(), shape: Shape::Scalar }];
        inner.push(Declaration::Variables { ty: Type::Count, attributes: &[], variables });
        inner.assign(Expr::Name(length.clone()), followed_length(name));
        inner.push(Statement::Block(Statements::of(|inner| {
            let fixed = Name::hidden("FIXED");
            let shape = if rank == 0 { Shape::Scalar } else { Shape::Deferred { rank } };
            let variables = vec![Variable { name: fixed.clone(), shape }];
            let ty = Type::Character(Box::new(Expr::Name(length)));
            inner.push(Declaration::Variables { ty, attributes: &["POINTER"], variables });
            point_to(item, rank, address, Expr::Name(fixed), inner);
        })));
    })));
}

/// Points a pointer to memory at an address, by a pointer that `C_F_POINTER` can set.
fn point_to(item: &Item, rank: u32, address: Expr, pointer: Expr, statements: &mut Statements) {
    if rank == 0 {
        statements.call("C_F_POINTER", [address, pointer.clone()]);
        if has_length_of_its_own(item) {
            statements.push(Action::PointTo { pointer: object(item), target: pointer });
        }
        return;
    }
    let extents = bounds("UPPER", rank).binary(Operator::Subtract, bounds("LOWER", rank));
    let extents = extents.binary(Operator::Add, Expr::integer(1));
    statements.call("C_F_POINTER", [address, pointer.clone(), extents]);
    let shaped = object(item).shaped((1..=rank).map(|i| bound("LOWER", i).upwards()).collect());
    statements.push(Action::PointTo { pointer: shaped, target: pointer });
}

/// Passes the current address and bounds.
pub(super) fn follow(item: &Item, rank: u32, at: At, statements: &mut Statements) {
    let again = |inner: &mut Statements| follow_again(item, rank, inner);
    let nothing = |inner: &mut Statements| inner.call("CPPC_FOLLOW_NOTHING", [register_name(item)]);
    let write = |inner: &mut Statements| if_reached(item, again, nothing, inner);
    if_present(item, |inner| each_element(item, at, write, inner), statements);
}

/// The state of a pointer may be read only after the pointer was set. If it is registered, it was set.
pub(super) fn follow_again(item: &Item, rank: u32, statements: &mut Statements) {
    let condition = may_be_undefined(item).then(|| is_followed(item));
    statements.under(condition, |inner| follow_here(item, rank, &register_name(item), inner));
}

/// Elements are re-passed only if they are registered, so each of them was set.
pub(super) fn may_be_undefined(item: &Item) -> bool {
    item.traits.pointer && item.indexed.is_none()
}

pub(super) fn follow_here(item: &Item, rank: u32, name: &Expr, statements: &mut Statements) {
    let [lower, upper] = match rank {
        0 => [Expr::Array(vec![Expr::count(0)]), Expr::Array(vec![Expr::count(0)])],
        _ => ["LBOUND", "UBOUND"].map(|function| Expr::counted(function, [object(item)])),
    };
    let routine = if rank == 0 { "CPPC_FOLLOW_FIRST" } else { "CPPC_FOLLOW" };
    let arguments = [object(item), Expr::integer(rank), lower, upper, name.clone()];
    let call = Action::call(Name::of_type(routine, &item.code), arguments);
    statements.if_else(
        has_memory(item),
        |inner| match item.traits.gaps && rank > 0 {
            true => inner.if_else(
                is_contiguous(item),
                |inner| inner.push(call),
                |inner| inner.call("CPPC_NOT_CONTIGUOUS", [name.clone()]),
            ),
            false => inner.push(call),
        },
        |inner| inner.call("CPPC_FOLLOW_NOTHING", [name.clone()]),
    );
}

/// A character variable whose length is not a constant.
pub(super) fn has_length_of_its_own(item: &Item) -> bool {
    let is_number = |length: &String| length.strip_suffix("_8").unwrap_or(length).parse::<u64>().is_ok();
    item.traits.length.as_ref().is_some_and(|length| !is_number(length))
}

/// The rank of a followed item.
pub(super) fn followed_rank(item: &Item) -> Option<u32> {
    match item.kind {
        ItemKind::Followed { rank } => Some(rank),
        ItemKind::Memory | ItemKind::Array | ItemKind::Target => None,
    }
}
