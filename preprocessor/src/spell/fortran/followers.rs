//! Procedures of modules that report the memory of allocatables and pointers.
//!
//! Input: a follower, or the items of a register directive.
//! Output: the procedure, or statements that pass it to the runtime.
//! Postcondition: a procedure is passed by the name of an external procedure, which calls it. If a procedure with `BIND(C)`
//! is passed, gfortran 12 and flang need different declarations of it.

use super::changes::{Changes, Generated, Indentation};
use super::expression::{Expr, Name, Type};
use super::followed::{follow, followed_rank, may_be_undefined};
use super::items::At;
use super::names::hash_of_module;
use super::registers::repass;
use super::statement::{Action, Declaration, Statement, Statements};
use super::text::Text;
use super::words::Letters;
use crate::model::{Follower, FollowerName};
use crate::plan::Registered;

/// Passes the followers of the items of a directive to the runtime.
pub(super) fn pass_followers(items: &[Registered], statements: &mut Statements) {
    let mut passed: Vec<&FollowerName> = Vec::new();
    for follower in items.iter().filter_map(|registered| registered.item.follower.as_ref()) {
        if passed.contains(&follower) {
            continue;
        }
        passed.push(follower);
        if follower.is_submodule {
            statements.call("CPPC_FOLLOWER", [Expr::Name(inner(follower))]);
            continue;
        }
        statements.push(Statement::Block(Statements::of(|block| {
            block.push(Declaration::External(vec![outer(follower)]));
            block.call("CPPC_FOLLOWER", [Expr::Name(outer(follower))]);
        })));
    }
}

/// Adds a follower to its module.
pub(super) fn add(follower: &Follower, text: &Text, changes: &mut Changes) {
    let letters = if follower.capitals { Letters::Capitals } else { Letters::Small };
    let generated = |statements| Generated { statements, letters, indentation: Indentation::AsLine };
    let end = text.line_at(follower.end);
    let procedure = Statements::of(|statements| {
        if !follower.has_contains {
            statements.push(Statement::Contains);
        }
        statements.push(procedure(follower));
    });
    changes.before(end, generated(procedure));
    if !follower.name.is_submodule {
        changes
            .behind(end, generated(Statements::of(|statements| statements.push(external(&follower.name)))));
    }
}

/// Its name in the module.
fn inner(follower: &FollowerName) -> Name {
    Name::hidden(format!("FOLLOW_{}", hash_of_module(&follower.module)))
}

/// Its name elsewhere. The same in all files, so it has no prefix of a file.
fn outer(follower: &FollowerName) -> Name {
    Name::Known(format!("CPPC_FOLLOWER_{}", hash_of_module(&follower.module)).into())
}

fn procedure(follower: &Follower) -> Statement {
    let reports = Statements::of(|body| {
        for item in &follower.items {
            match followed_rank(item).filter(|_| item.tree.is_none()) {
                Some(rank) => follow(item, rank, At::Checkpoint, body),
                None => repass(item, At::Checkpoint, body),
            }
        }
    });
    let mut body = Statements::default();
    if follower.items.iter().any(may_be_undefined) {
        body.push(Declaration::function(Type::Integer, "CPPC_FOLLOWS"));
    }
    let mut called = reports.called();
    called.sort();
    called.dedup();
    body.push(Declaration::External(called));
    body.append(reports);
    let binding = (!follower.name.is_submodule).then(|| binding(&follower.name));
    Statement::Subroutine { name: inner(&follower.name), dummies: Vec::new(), binding, body }
}

fn external(follower: &FollowerName) -> Statement {
    let subroutine = |name, binding, body| Statement::Subroutine { name, dummies: Vec::new(), binding, body };
    let body = Statements::of(|body| {
        body.push(Statement::Interface(Statements::of(|interface| {
            interface.push(subroutine(inner(follower), Some(binding(follower)), Statements::default()));
        })));
        body.push(Action::call(inner(follower), []));
    });
    subroutine(outer(follower), None, body)
}

/// Its name for the linker. When the module is compiled again at the link, gfortran reads the module from the first
/// compilation, which has no follower. So `USE` cannot be used.
fn binding(follower: &FollowerName) -> String {
    format!("cppc_follow_{}", hash_of_module(&follower.module).to_ascii_lowercase())
}
