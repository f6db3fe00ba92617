//! Variables whose derived types contain pointers: the roots of graphs.
//!
//! Generated code describes the types by their components, and passes the address of the variable. The runtime follows the
//! pointers.
//!
//! Input: an item with the types that it reaches.
//! Output: statements.
//! Postcondition: a pointer or an allocatable is passed to a routine with an explicit interface. So the compiler knows that the
//! routine may change where it points, and passes the address of its descriptor.

use cppc_abi::routines::ELEMENT_ROUTINES;
use cppc_abi::types::by_name;

use super::expression::{Expr, Name, Operator, Type};
use super::items::{is_contiguous, object, register_name, storage};
use super::statement::{Action, Declaration, Shape, Statement, Statements, Variable};
use crate::model::structured::{ReachedPart, ReachedType, ReachedTypes, RootForm};
use crate::model::{Item, ItemKind};

/// Registers a root.
pub(super) fn register(section: u32, item: &Item, reached: &ReachedTypes, statements: &mut Statements) {
    if item.traits.gaps {
        let write = |inner: &mut Statements| register_contiguous(section, item, reached, inner);
        return statements.if_else(is_contiguous(item), write, |inner| {
            inner.call("CPPC_NOT_CONTIGUOUS", [register_name(item)]);
        });
    }
    register_contiguous(section, item, reached, statements);
}

fn register_contiguous(section: u32, item: &Item, reached: &ReachedTypes, statements: &mut Statements) {
    let storage = storage(item).binary(Operator::Add, Expr::known("CPPC_DEEP"));
    let all = Statements::of(|inner| {
        let names = &["COMPILER_VERSION"];
        inner.push(Declaration::Use { module: "ISO_FORTRAN_ENV", names });
        declare_types(reached, inner);
        declare_routine(item, reached, inner);
        inner.call("CPPC_COMPILER", [Expr::function("COMPILER_VERSION", [])]);
        for (number, found) in (1..).zip(&reached.types) {
            describe(number, found, inner);
        }
        let (section, number) = (Expr::integer(section), Expr::integer(1));
        match reached.form {
            RootForm::InPlace => {
                let count = Expr::bound(&item.count);
                inner.call("CPPC_ANNOUNCE", [section, number, count, register_name(item), storage]);
            }
            RootForm::Pointer { rank } | RootForm::Allocatable { rank } => {
                let rank = Expr::integer(rank);
                inner.call("CPPC_ANNOUNCE_POINTER", [section, number, rank, register_name(item), storage]);
            }
        }
        inner.push(pass(item, reached));
        if let Some(shape) = &item.shape {
            let extents = Expr::bound(shape.parts.join(", "));
            inner.call("CPPC_SHAPE", [register_name(item), Expr::integer(shape.rank), extents]);
        }
    });
    statements.push(Statement::Block(all));
}

/// Re-passes a root, so that the compiler stores it in memory and loads it again.
pub(super) fn repass(item: &Item, reached: &ReachedTypes, statements: &mut Statements) {
    match (reached.form, item.kind) {
        (RootForm::InPlace, ItemKind::Array) => {
            let has_elements = Expr::counted("SIZE", [object(item)]).not_zero();
            match item.traits.assumed_size {
                true => statements.push(pass(item, reached)),
                false => statements.when(has_elements, pass(item, reached)),
            }
        }
        (RootForm::InPlace, _) => statements.push(pass(item, reached)),
        (RootForm::Pointer { .. } | RootForm::Allocatable { .. }, _) => {
            statements.push(Statement::Block(Statements::of(|inner| {
                declare_routine(item, reached, inner);
                inner.push(pass(item, reached));
            })));
        }
    }
}

/// Passes the address of the variable, or of its first element.
fn pass(item: &Item, reached: &ReachedTypes) -> Action {
    let argument = match (reached.form, &item.traits.first_element) {
        (RootForm::InPlace, Some(first)) => Expr::bound(first),
        (RootForm::InPlace, None) | (RootForm::Pointer { .. } | RootForm::Allocatable { .. }, _) => {
            object(item)
        }
    };
    Action::call(routine(reached), [argument])
}

/// The routine for variables of this type and form. Compilers check that all calls of one routine in a file pass the same
/// type.
fn routine(reached: &ReachedTypes) -> Name {
    let id = reached.types.first().map_or(0, |found| found.id);
    let (word, id) = match reached.form {
        RootForm::InPlace => ("ELEMENT", id),
        RootForm::Pointer { rank } => ("ROOT", 32 * id + 2 * rank),
        RootForm::Allocatable { rank } => ("ROOT", 32 * id + 2 * rank + 1),
    };
    Name::Known(format!("CPPC_{word}_{}", id % ELEMENT_ROUTINES + 1).into())
}

/// The interface of the routine for a pointer or an allocatable. Modules are used before it.
fn declare_routine(item: &Item, reached: &ReachedTypes, statements: &mut Statements) {
    let (rank, attribute) = match reached.form {
        RootForm::InPlace => return,
        RootForm::Pointer { rank } => (rank, "POINTER"),
        RootForm::Allocatable { rank } => (rank, "ALLOCATABLE"),
    };
    let Some((name, module)) = reached.types.first().and_then(|found| found.type_name.as_ref()) else {
        return;
    };
    let body = Statements::of(|inner| {
        let local = Name::hidden("TYPE");
        match module {
            Some(module) => {
                let (module, name) = (known(module), known(name));
                inner.push(Declaration::UseAs { module, local: local.clone(), name });
            }
            None => inner.push(Declaration::Import(known(name))),
        }
        let ty = Type::Derived(if module.is_some() { local } else { known(name) });
        let attributes: &[&str] = match (attribute, item.traits.read_only) {
            ("POINTER", true) => &["POINTER", "INTENT(IN)"],
            ("POINTER", false) => &["POINTER"],
            (_, true) => &["ALLOCATABLE", "INTENT(IN)"],
            (_, false) => &["ALLOCATABLE"],
        };
        let variables = vec![Variable { name: Name::hidden("ROOT"), shape: Shape::Deferred { rank } }];
        inner.push(Declaration::Variables { ty, attributes, variables });
    });
    let dummies = vec![Name::hidden("ROOT")];
    let procedure = Statement::Subroutine { name: routine(reached), dummies, binding: None, body };
    statements.push(Statement::Interface(Statements::of(|inner| inner.push(procedure))));
}

/// A pointer of each type that has a name, to ask for its size.
fn declare_types(reached: &ReachedTypes, statements: &mut Statements) {
    let named =
        || (1..).zip(&reached.types).filter_map(|(number, found)| Some((number, found.type_name.as_ref()?)));
    for (number, (name, module)) in named() {
        if let Some(module) = module {
            let (module, name) = (known(module), known(name));
            statements.push(Declaration::UseAs { module, local: local_type(number), name });
        }
    }
    for (number, (name, module)) in named() {
        let ty = Type::Derived(if module.is_some() { local_type(number) } else { known(name) });
        let variables = vec![Variable { name: sample(number), shape: Shape::Scalar }];
        statements.push(Declaration::Variables { ty, attributes: &["POINTER"], variables });
    }
}

/// The size of a type and its components.
fn describe(number: u32, found: &ReachedType, statements: &mut Statements) {
    let size = match &found.type_name {
        Some(_) => Expr::counted("STORAGE_SIZE", [Expr::Name(sample(number))])
            .binary(Operator::Divide, Expr::integer(8)),
        None => Expr::count(0),
    };
    statements.call("CPPC_DERIVED_TYPE", [Expr::text(&found.name), size]);
    for (name, part) in &found.parts {
        let name = Expr::text(name);
        let count = |count: &u64| Expr::count(i64::try_from(*count).unwrap_or(i64::MAX));
        match part {
            ReachedPart::Plain { code, count: elements } => {
                statements.call("CPPC_COMPONENT", [code_of(code), count(elements), name]);
            }
            ReachedPart::Inside { number, count: elements } => {
                statements.call("CPPC_COMPONENT_OF", [Expr::integer(*number), count(elements), name]);
            }
            ReachedPart::Pointer { code, rank } => {
                statements.call("CPPC_POINTER_COMPONENT", [code_of(code), Expr::integer(*rank), name]);
            }
            ReachedPart::PointerOf { number, rank } => {
                let arguments = [Expr::integer(*number), Expr::integer(*rank), name];
                statements.call("CPPC_POINTER_COMPONENT_OF", arguments);
            }
            ReachedPart::Procedure => {
                statements.call("CPPC_POINTER_COMPONENT", [Expr::integer(0), Expr::integer(0), name]);
            }
        }
    }
}

/// The number of a type, because not every place includes the names.
fn code_of(name: &str) -> Expr {
    Expr::integer(by_name(name).map_or(0, |found| found.code.unsigned_abs()))
}

fn local_type(number: u32) -> Name {
    Name::hidden(format!("TYPE_{number}"))
}

fn sample(number: u32) -> Name {
    Name::hidden(format!("SAMPLE_{number}"))
}

/// A name of the program.
fn known(name: &str) -> Name {
    Name::Known(name.to_ascii_uppercase().into())
}
