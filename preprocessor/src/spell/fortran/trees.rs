//! Trees: variables of derived types that are saved with their allocatable components.
//!
//! Generated code walks through the variable: once where it is registered, and again before each checkpoint and call. A
//! restart allocates all components in the first walk.
//!
//! Input: an item with its parts.
//! Output: statements.
//! Postcondition: no component is used that is not allocated. The subscripts of the elements are in an array, which is declared
//! in a separate BLOCK.

use cppc_abi::routines::ELEMENT_ROUTINES;
use cppc_abi::types::by_name;

use super::expression::{kind_word, Expr, Name, Operator, Type};
use super::followed::{
    bound, follow_here, followed_rank, found, free_unless_alike, register_followed, Register,
};
use super::items::{describe, has_memory, is_contiguous, object, register_name, At};
use super::nodes::{self, MOST_DIMENSIONS};
use super::statement::{Action, Declaration, Statement, Statements};
use crate::model::structured::Tree;
use crate::model::{Item, TypeCode};
use crate::plan::Registered;

/// What a walk does with each member.
enum Task<'r> {
    /// Registers it, and allocates it in a restart.
    Register { section: &'r Expr, storage: &'r Expr },
    /// Registers it if it is new, and passes its memory.
    Follow,
}

/// Registers a tree.
pub(super) fn register(section: u32, registered: &Registered, tree: &Tree, statements: &mut Statements) {
    let item = &registered.item;
    let Register { section, name, storage } = Register::of(section, registered);
    let task = Task::Register { section: &section, storage: &storage };
    let all = Statements::of(|inner| {
        declare(item, &task, inner);
        let begin = |body: &mut Statements| body.call("CPPC_TREE", []);
        match followed_rank(item) {
            Some(_) => {
                begin(inner);
                member(item, tree, &task, inner);
                end(item, tree, &task, inner);
            }
            None => {
                let write = |body: &mut Statements| {
                    begin(body);
                    in_place(item, tree, &section, &storage, body);
                    elements(item, tree, &task, body);
                    end(item, tree, &task, body);
                };
                match item.traits.gaps {
                    false => write(inner),
                    true => inner.if_else(is_contiguous(item), write, |body| {
                        body.call("CPPC_NOT_CONTIGUOUS", [name.clone()]);
                    }),
                }
            }
        }
    });
    statements.push(Statement::Block(all));
}

/// Passes the memory of all components.
pub(super) fn walk(item: &Item, tree: &Tree, at: At, statements: &mut Statements) {
    let function = match at {
        At::Checkpoint => "CPPC_WALK_DUE",
        At::Elsewhere => "CPPC_WALK",
    };
    // The variable may be registered under another name, so it is passed in any case.
    pass_root(item, tree, statements);
    if item.traits.unregistered {
        return;
    }
    let all = Statements::of(|inner| {
        declare(item, &Task::Follow, inner);
        inner.push(Declaration::function(Type::Integer, function));
        inner.if_then(Expr::function(function, [register_name(item)]).not_zero(), |body| {
            match followed_rank(item) {
                Some(_) => report(item, tree, &Task::Follow, body),
                None => elements(item, tree, &Task::Follow, body),
            }
            end(item, tree, &Task::Follow, body);
        });
    });
    statements.push(Statement::Block(all));
}

/// Passes that no component has memory. The root has none either if it is allocatable.
pub(super) fn empty(item: &Item, statements: &mut Statements) {
    let all = Statements::of(|inner| {
        inner.push(Declaration::function(Type::Integer, "CPPC_WALK"));
        inner.if_then(Expr::function("CPPC_WALK", [register_name(item)]).not_zero(), |body| {
            if followed_rank(item).is_some() {
                body.call("CPPC_FOLLOW_NOTHING", [register_name(item)]);
            }
            body.call("CPPC_END_WALK", []);
        });
    });
    statements.push(Statement::Block(all));
}

/// Visits the nodes, and ends the walk.
fn end(item: &Item, tree: &Tree, task: &Task, statements: &mut Statements) {
    if !tree.nodes.is_empty() {
        nodes::visit(tree, |kind, body| elements_of(kind, task, body), statements);
        // The nodes were accessed through pointers.
        pass_root(item, tree, statements);
    }
    statements.call("CPPC_END_WALK", []);
}

fn elements_of(item: &Item, task: &Task, statements: &mut Statements) {
    if let Some(tree) = &item.tree {
        elements(item, tree, task, statements);
    }
}

/// The subscripts, and the bounds of what a restart allocates.
fn declare(item: &Item, task: &Task, statements: &mut Statements) {
    item.tree.iter().for_each(|tree| nodes::declare(tree, statements));
    let (levels, rank) = extent(item);
    if levels > 0 {
        // flang warns if calls of one procedure pass arrays of different extents.
        let extent = levels.next_multiple_of(MOST_DIMENSIONS);
        statements.push(Declaration::of(Type::Count, &["AT"], Some(extent)));
    }
    match (task, rank) {
        (Task::Register { .. }, Some(rank)) => {
            statements.push(Declaration::of(Type::Count, &["LOWER", "UPPER"], Some(rank.max(1))));
            statements.push(Declaration::of(Type::Integer, &["FOUND"], None));
        }
        (Task::Register { .. }, None) | (Task::Follow, _) => {}
    }
}

/// The number of subscripts, and the largest rank of what is allocated.
fn extent(item: &Item) -> (u32, Option<u32>) {
    let own = followed_rank(item);
    let Some(tree) = &item.tree else { return (0, own) };
    let used = if tree.parts.is_empty() { tree.level } else { tree.level + tree.rank };
    let parts = tree.parts.iter().chain(tree.nodes.iter().map(|kind| &kind.item)).map(extent);
    parts.fold((used, own), |(levels, rank), (inner, other)| (levels.max(inner), rank.max(other)))
}

/// The root, if its memory does not move.
fn in_place(item: &Item, tree: &Tree, section: &Expr, storage: &Expr, statements: &mut Statements) {
    describe_elements(item, tree, statements);
    let storage = partial(storage);
    let arguments = [section.clone(), Expr::bound(&item.count), register_name(item), storage];
    statements.call("CPPC_REGISTER_TYPE", arguments);
    if let Some(shape) = &item.shape {
        let extents = Expr::bound(shape.parts.join(", "));
        statements.call("CPPC_SHAPE", [register_name(item), Expr::integer(shape.rank), extents]);
    }
}

fn partial(storage: &Expr) -> Expr {
    storage.clone().binary(Operator::Add, Expr::known("CPPC_PARTIAL"))
}

/// An allocatable of a derived type, with its elements.
fn member(item: &Item, tree: &Tree, task: &Task, statements: &mut Statements) {
    let Some(rank) = followed_rank(item) else { return };
    select(item, tree.level, statements);
    match task {
        Task::Follow => statements.call("CPPC_MEMBER", [Expr::integer(0), register_name(item)]),
        Task::Register { section, storage } => {
            let code = Expr::known("CPPC_INTEGER_1");
            let bounds = [Expr::hidden("LOWER"), Expr::hidden("UPPER")];
            let mut arguments = vec![(*section).clone(), code, Expr::integer(rank)];
            arguments.extend(bounds);
            arguments.extend([register_name(item), partial(storage)]);
            statements.assign(Expr::hidden("FOUND"), Expr::function("CPPC_REGISTER_FOLLOWED", arguments));
            if !item.traits.read_only {
                bring_back(item, rank, statements);
            }
        }
    }
    report(item, tree, task, statements);
}

/// In a restart, allocates memory with the earlier bounds.
fn bring_back(item: &Item, rank: u32, statements: &mut Statements) {
    statements.when(found(-1).and(has_memory(item)), Action::Deallocate(object(item)));
    statements.if_then(found(1), |inner| {
        free_unless_alike(item, rank, &register_name(item), inner);
        let bounds = (1..=rank).map(|i| bound("LOWER", i).to(bound("UPPER", i))).collect();
        inner.when(has_memory(item).not(), Action::Allocate(object(item).shaped(bounds)));
    });
}

/// Passes the memory of an allocatable of a derived type, and walks through its elements.
fn report(item: &Item, tree: &Tree, task: &Task, statements: &mut Statements) {
    let rank = tree.rank;
    let [lower, upper] = match rank {
        0 => [Expr::Array(vec![Expr::count(0)]), Expr::Array(vec![Expr::count(0)])],
        _ => ["LBOUND", "UBOUND"].map(|function| Expr::counted(function, [object(item)])),
    };
    statements.if_else(
        has_memory(item),
        |inner| {
            let described = Statements::of(|body| describe_elements(item, tree, body));
            match rank {
                0 => inner.append(described),
                _ => inner.if_then(has_elements(item), |body| body.append(described)),
            }
            inner.call("CPPC_FOLLOW_TYPE", [Expr::integer(rank), lower, upper, register_name(item)]);
            match tree.later {
                Some(kind) => inner.call("CPPC_LATER", [Expr::integer(kind)]),
                None => elements(item, tree, task, inner),
            }
        },
        |inner| inner.call("CPPC_FOLLOW_NOTHING", [register_name(item)]),
    );
}

fn has_elements(item: &Item) -> Expr {
    Expr::counted("SIZE", [object(item)]).not_zero()
}

/// The parts of all elements.
fn elements(item: &Item, tree: &Tree, task: &Task, statements: &mut Statements) {
    if tree.parts.is_empty() {
        return;
    }
    let mut body = Statements::of(|inner| tree.parts.iter().for_each(|part| component(part, task, inner)));
    for dimension in 1..=tree.rank {
        let subscript = || Expr::hidden("AT").at([Expr::integer(tree.level + dimension)]);
        let edge = |function| Expr::counted(function, [object(item), Expr::integer(dimension)]);
        body.assign(subscript(), subscript().binary(Operator::Add, Expr::integer(1)));
        let condition = subscript().binary(Operator::AtMost, edge("UBOUND"));
        body = Statements::of(|outer| {
            outer.assign(subscript(), edge("LBOUND"));
            outer.push(Statement::DoWhile { condition, body });
        });
    }
    statements.append(body);
}

/// One part of an element.
fn component(part: &Item, task: &Task, statements: &mut Statements) {
    match &part.tree {
        Some(tree) if tree.is_inside => elements(part, tree, task, statements),
        Some(tree) => member(part, tree, task, statements),
        None => leaf(part, task, statements),
    }
}

/// An allocatable component of an intrinsic type.
fn leaf(part: &Item, task: &Task, statements: &mut Statements) {
    let Some(rank) = followed_rank(part) else { return };
    let name = register_name(part);
    select(part, part.name.matches('?').count() as u32, statements);
    match task {
        Task::Register { section, storage } => {
            let register = Register { section: (*section).clone(), name, storage: (*storage).clone() };
            register_followed(&register, part, rank, statements);
        }
        Task::Follow => {
            // The number itself, because a follower does not include the names.
            let code =
                by_name(&format!("CPPC_{}", kind_word(&part.code))).map_or(0, |ty| ty.code.unsigned_abs());
            statements.call("CPPC_MEMBER", [Expr::integer(code), name.clone()]);
            follow_here(part, rank, &name, statements);
        }
    }
}

/// The next calls with this name mean the element with the present subscripts.
fn select(item: &Item, level: u32, statements: &mut Statements) {
    if level > 0 {
        statements.call("CPPC_SELECT", [register_name(item), Expr::hidden("AT")]);
    }
}

fn first_element(item: &Item, tree: &Tree) -> Expr {
    let lower = |dimension| Expr::function("LBOUND", [object(item), Expr::integer(dimension)]);
    object(item).shaped((1..=tree.rank).map(lower).collect())
}

/// The routine for elements of this type. Compilers check that all calls of one routine in a file pass the same type.
fn element_routine(tree: &Tree) -> Name {
    Name::Known(format!("CPPC_ELEMENT_{}", tree.type_id % ELEMENT_ROUTINES + 1).into())
}

/// Passes an element of a root, if there is one.
fn pass_root(item: &Item, tree: &Tree, statements: &mut Statements) {
    let pass = |body: &mut Statements| pass_element(item, tree, body);
    match followed_rank(item) {
        Some(_) => statements.if_then(has_memory(item), pass),
        None => pass(statements),
    }
}

/// Passes an element, so that the compiler stores it in memory and loads it again.
fn pass_element(item: &Item, tree: &Tree, statements: &mut Statements) {
    let call = Action::call(element_routine(tree), [first_element(item, tree)]);
    match tree.rank {
        0 => statements.push(call),
        _ => statements.when(has_elements(item), call),
    }
}

/// The type of the elements: the components that are in their own memory.
fn describe_elements(item: &Item, tree: &Tree, statements: &mut Statements) {
    let TypeCode::Record(record) = &item.code else { return };
    describe(item, record, Some((element_routine(tree), first_element(item, tree))), statements);
}
