//! Hidden variables that are captured with a call, and temporary memory for a call.
//!
//! Input: a hidden variable.
//! Output: statements.
//! Postcondition: in a replay, an allocatable is allocated with the recorded size before its content is
//! restored.

use super::expression::{is_sent, Expr, Name, Type};
use super::statement::{Action, Statements};
use crate::model::{Class, TypeCode};

/// The number of extents of a value whose size is known only at run time.
pub(super) fn extents(class: Class) -> Option<u32> {
    match class {
        Class::Dynamic { rank, text } => Some(rank + u32::from(text)),
        Class::Void | Class::Arithmetic | Class::Pointer | Class::Record | Class::Other => None,
    }
}

/// Captures a hidden variable. `title` is the text that is shown for its value.
pub(super) fn capture(
    variable: &Expr,
    class: Class,
    code: &TypeCode,
    title: &Expr,
    statements: &mut Statements,
) {
    let Class::Dynamic { rank, text } = class else {
        return statements.call(Name::of_type("CPPC_CAPTURE", code), [variable.clone(), title.clone()]);
    };
    record_extents(variable, rank, text, title, statements);
    if rank == 0 {
        statements.call(Name::of_type("CPPC_CAPTURE", code), [variable.clone(), title.clone()]);
    } else {
        let count = Expr::counted("SIZE", [variable.clone()]);
        statements.call(Name::of_type("CPPC_CAPTURE_ARRAY", code), [variable.clone(), count, title.clone()]);
    }
}

/// Its size is captured, and in a replay it gets memory of this size.
fn record_extents(variable: &Expr, rank: u32, text: bool, title: &Expr, statements: &mut Statements) {
    let extent = |number: u32| Expr::hidden("EXTENTS").at([Expr::integer(number)]);
    let length = text.then(|| Expr::counted("LEN", [variable.clone()]));
    let sizes = (1..=rank).map(|i| Expr::counted("SIZE", [variable.clone(), Expr::integer(i)]));
    let is_allocated = Expr::function("ALLOCATED", [variable.clone()]);
    statements.if_then(is_allocated.clone(), |inner| {
        for (number, size) in (1..).zip(length.into_iter().chain(sizes)) {
            inner.assign(extent(number), size);
        }
    });
    let count = Expr::count((rank + u32::from(text)).into());
    statements.call("CPPC_CAPTURE_ARRAY_INTEGER_8", [Expr::hidden("EXTENTS"), count, title.clone()]);
    statements.if_then(is_sent(), |inner| {
        inner.when(is_allocated, Action::Deallocate(variable.clone()));
        let first = 1 + u32::from(text);
        let object = variable.clone().shaped((first..first + rank).map(extent).collect());
        inner.push(Action::Allocate(match text {
            true => object.typed(Type::Character(Box::new(extent(1)))),
            false => object,
        }));
    });
}

/// If an array is not allocated when a call is replayed, it gets memory of the size that it had. What the
/// replayed call writes to it is not used, but compilers use its address.
pub(super) struct Loan {
    pub array: Expr,
    pub name: String,
    pub rank: u32,
    /// The hidden variables for its bounds, and for whether it got memory.
    pub bounds: Expr,
    pub is_lent: Expr,
}

impl Loan {
    pub fn begin(&self, statements: &mut Statements) {
        let Loan { array, name, rank, bounds, is_lent } = self;
        let bound = |number: u32| bounds.clone().at([Expr::integer(number)]);
        let is_allocated = || Expr::function("ALLOCATED", [array.clone()]);
        // The bounds that mean an array without memory.
        let nothing = (0..2 * rank).map(|index| Expr::count(if index < *rank { 0 } else { -5 }));
        statements.assign(bounds.clone(), Expr::Array(nothing.collect()));
        let now = ["LBOUND", "UBOUND"].map(|function| Expr::counted(function, [array.clone()]));
        statements.when(is_allocated(), Action::assign(bounds.clone(), Expr::Array(now.into())));
        let arguments =
            [bounds.clone(), Expr::count((2 * rank).into()), Expr::text(format!("bounds of {name}"))];
        statements.call("CPPC_CAPTURE_ARRAY_INTEGER_8", arguments);
        statements.assign(is_lent.clone(), is_sent().and(is_allocated().not()));
        let lends = Expr::function("CPPC_LENDS", [Expr::text(name), bound(1), bound(rank + 1)]);
        statements.when(is_lent.clone(), Action::assign(is_lent.clone(), lends.not_zero()));
        let shape = (1..=*rank).map(|i| bound(i).to(bound(i + rank)));
        statements.when(is_lent.clone(), Action::Allocate(array.clone().shaped(shape.collect())));
    }

    /// Ends the loan after the call has returned. If a restart is still in progress, the call was a replay.
    pub fn end(&self, statements: &mut Statements) {
        let repeated = Expr::function("CPPC_RESTARTING", []).not_zero();
        statements.when(self.is_lent.clone().and(repeated), Action::Deallocate(self.array.clone()));
    }
}
