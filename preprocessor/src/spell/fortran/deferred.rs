//! Registers of static variables, which their procedure makes when it begins.
//!
//! Input: the items of a procedure.
//! Output: declarations and statements.
//! Postcondition: once the registers have an effect, the procedure tests only one variable each time that it begins.

use super::expression::{Expr, Name, Operator};
use super::registers;
use super::statement::{Action as Generated, Declaration, Statements};
use crate::plan::{Action, Registered};

const ACCEPTS: &str = "CPPC_ACCEPTS_DEFERRED";

fn ready() -> Name {
    Name::hidden("READY")
}

/// The declarations of a procedure with such registers, and where they go.
pub(super) fn declarations(action: &Action) -> Option<(u32, Statements)> {
    let Action::Defer { items, declarations_at, declares_externals } = action else { return None };
    let at = (*declarations_at)?;
    if items.is_empty() {
        return None;
    }
    let statements = Statements::of(|statements| {
        statements.push(Declaration::Include("cppcf.h"));
        if *declares_externals {
            let mut called = Statements::of(|inner| register(items, inner)).called();
            called.retain(|name| *name != Name::from(ACCEPTS));
            called.sort();
            called.dedup();
            if !called.is_empty() {
                statements.push(Declaration::External(called));
            }
        }
        statements.push(Declaration::SavedZero(ready()));
    });
    Some((at, statements))
}

pub(super) fn register(items: &[Registered], statements: &mut Statements) {
    if items.is_empty() {
        return;
    }
    let is_ready = || Expr::Name(ready());
    let accept = Expr::function(ACCEPTS, []);
    statements.if_then(is_ready().binary(Operator::Equal, Expr::integer(0)), |inner| {
        inner.if_then(accept.not_zero(), |inner| {
            items.iter().for_each(|registered| registers::register(0, registered, inner));
            // Other threads must not use the variables before.
            inner.push(Generated::assign(is_ready(), Expr::integer(1)));
        });
    });
}
