//! The parts that every form of a register needs: whether the item is present, its subscripts, its type.
//!
//! Input: an item, and the statements for it.
//! Output: statements around them, and expressions of the item.
//! Postcondition: no statement uses an absent argument. Computed subscripts are in an array, which is
//! declared in a separate BLOCK. In a restart, they are the recorded ones.

use super::expression::{is_normal, Expr, Name, Operator, Type};
use super::statement::{Declaration, Statement, Statements};
use crate::model::{Indexed, Item, RecordField, RecordType, TypeCode};

/// Statements for an item, under the condition that it is present.
pub(super) fn if_present(item: &Item, write: impl FnOnce(&mut Statements), statements: &mut Statements) {
    let present = item.traits.optional.then(|| Expr::function("PRESENT", [object(item)]));
    statements.under(present, write);
}

/// Statements for an item under the condition that each allocatable on its access path is allocated, and others if not.
pub(super) fn if_reached(
    item: &Item,
    write: impl FnOnce(&mut Statements),
    otherwise: impl Fn(&mut Statements),
    statements: &mut Statements,
) {
    let mut inner = Statements::of(write);
    // Fortran may evaluate both operands of `.and.`, so the conditions are nested.
    for &parts in item.traits.holders.iter().rev() {
        let condition = Expr::function("ALLOCATED", [Expr::bound(first_parts(&item.lvalue, parts))]);
        let branches = vec![(condition, inner)];
        let otherwise = Some(Statements::of(&otherwise)).filter(|others| !others.list().is_empty());
        inner = Statements::of(|outer| outer.push(Statement::If { branches, otherwise }));
    }
    statements.append(inner);
}

/// The beginning of a designator, without the subscripts at its end: `x%y` is the first two parts of `x%y(3)%z`.
fn first_parts(designator: &str, parts: u32) -> &str {
    let (mut depth, mut found, mut end) = (0, 1, designator.len());
    // Where the subscripts of the present part begin.
    let mut subscripts = None;
    for (index, byte) in designator.bytes().enumerate() {
        match byte {
            b'(' => {
                if depth == 0 {
                    subscripts = Some(index);
                }
                depth += 1;
            }
            b')' => depth -= 1,
            b'%' if depth == 0 && found == parts => {
                end = index;
                break;
            }
            b'%' if depth == 0 => (found, subscripts) = (found + 1, None),
            _ => {}
        }
    }
    designator[..subscripts.unwrap_or(end)].trim_end()
}

/// The variable, component or element.
pub(super) fn object(item: &Item) -> Expr {
    Expr::bound(&item.lvalue)
}

/// The name of its register, which is also shown to users.
pub(super) fn register_name(item: &Item) -> Expr {
    Expr::text(&item.name)
}

pub(super) fn storage(item: &Item) -> Expr {
    let storage = Expr::known(if item.automatic { "CPPC_AUTOMATIC" } else { "CPPC_STATIC" });
    match &item.traits.deferred {
        Some(_) => storage.binary(Operator::Add, Expr::known("CPPC_DEFERRED")),
        None => storage,
    }
}

/// Whether an allocatable or pointer has memory now.
pub(super) fn has_memory(item: &Item) -> Expr {
    Expr::function(if item.traits.pointer { "ASSOCIATED" } else { "ALLOCATED" }, [object(item)])
}

/// Whether an allocatable or pointer is registered now.
pub(super) fn is_followed(item: &Item) -> Expr {
    Expr::function("CPPC_FOLLOWS", [register_name(item)]).not_zero()
}

pub(super) fn is_contiguous(item: &Item) -> Expr {
    Expr::function("IS_CONTIGUOUS", [object(item)])
}

/// A component of the first element.
pub(super) fn component(item: &Item, field: &RecordField) -> Expr {
    first_element(item).component(&field.path)
}

fn first_element(item: &Item) -> Expr {
    Expr::bound(item.traits.first_element.as_ref().unwrap_or(&item.lvalue))
}

/// A derived type, by the components of one element. `element`: a routine that receives the element.
pub(super) fn describe(
    item: &Item,
    record: &RecordType,
    element: Option<(Name, Expr)>,
    statements: &mut Statements,
) {
    let first = element.as_ref().map_or_else(|| first_element(item), |(_, first)| first.clone());
    let bits = Expr::counted("STORAGE_SIZE", [first.clone()]);
    let size = bits.binary(Operator::Divide, Expr::integer(8));
    statements.call("CPPC_TYPE", [Expr::text(&record.word), size]);
    if let Some((routine, first)) = element {
        statements.call(routine, [first]);
    }
    for field in &record.fields {
        let place = first.clone().component(&field.path);
        let mut count = Expr::count(field.count as i64);
        // The count is in bytes, because the routine passes the length itself.
        if let TypeCode::Named("CPPC_CHARACTER") = field.code {
            let length = Expr::function("LEN", [place.clone()]);
            count = count.binary(Operator::Divide, Expr::function("MAX", [Expr::integer(1), length]));
        }
        statements.call(Name::of_type("CPPC_FIELD", &field.code), [place, count, Expr::text(&field.path)]);
    }
}

/// Statements for the element with these subscripts, under the condition that it can be registered now.
pub(super) fn of_element(item: &Item, write: impl FnOnce(&mut Statements), statements: &mut Statements) {
    let Some(indexed) = &item.indexed else { return write(statements) };
    block(indexed, Some("CPPC_ELEMENT"), statements, |inner| {
        inner.if_then(is_normal(), |normal| set_subscripts(indexed, normal));
        inner.if_then(element("CPPC_ELEMENT", item).not_zero(), write);
    });
}

/// Statements for the element with these subscripts, at a place that is not replayed.
pub(super) fn this_element(item: &Item, write: impl FnOnce(&mut Statements), statements: &mut Statements) {
    let Some(indexed) = &item.indexed else { return write(statements) };
    block(indexed, None, statements, |inner| {
        set_subscripts(indexed, inner);
        inner.call("CPPC_SET_ELEMENT", [register_name(item), Expr::hidden("AT")]);
        write(inner);
    });
}

/// Where statements for each registered element are.
#[derive(Clone, Copy)]
pub(super) enum At {
    /// Before a checkpoint. If it does not dump, nothing is read from the elements.
    Checkpoint,
    /// Before a call, or after a restart.
    Elsewhere,
}

/// Statements for each element that is registered.
pub(super) fn each_element(
    item: &Item,
    at: At,
    write: impl FnOnce(&mut Statements),
    statements: &mut Statements,
) {
    let Some(indexed) = &item.indexed else { return write(statements) };
    let function = match at {
        At::Checkpoint => "CPPC_NEXT_DUE_ELEMENT",
        At::Elsewhere => "CPPC_NEXT_ELEMENT",
    };
    block(indexed, Some(function), statements, |inner| {
        let condition = element(function, item).not_zero();
        inner.push(Statement::DoWhile { condition, body: Statements::of(write) });
    });
}

fn block(
    indexed: &Indexed,
    function: Option<&'static str>,
    statements: &mut Statements,
    write: impl FnOnce(&mut Statements),
) {
    statements.push(Statement::Block(Statements::of(|inner| {
        inner.push(Declaration::of(Type::Count, &["AT"], Some(indexed.subscripts.len() as u32)));
        function.into_iter().for_each(|name| inner.push(Declaration::function(Type::Integer, name)));
        write(inner);
    })));
}

fn element(function: &'static str, item: &Item) -> Expr {
    Expr::function(function, [register_name(item), Expr::hidden("AT")])
}

fn set_subscripts(indexed: &Indexed, statements: &mut Statements) {
    for (number, subscript) in (1..).zip(&indexed.subscripts) {
        statements.assign(Expr::hidden("AT").at([Expr::integer(number)]), Expr::bound(subscript));
    }
}

#[cfg(test)]
mod tests {
    use super::first_parts;

    #[test]
    fn the_beginning_of_a_designator_ends_before_subscripts() {
        for (parts, found) in [(1, "x"), (2, "x(a%b(1), 2)%y"), (3, "x(a%b(1), 2)%y (3)%z")] {
            assert_eq!(first_parts("x(a%b(1), 2)%y (3)%z", parts), found);
        }
        assert_eq!(first_parts("tiles(#at(1))", 1), "tiles");
    }
}
