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
use crate::model::structured::{ReachedPartKind, ReachedType, ReachedTypes, RootForm, TypeName};
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
        describe_types(reached, inner, |inner| declare_routine(item, reached, inner));
        let (section, number) = (Expr::integer(section), Expr::integer(u32::from(!reached.is_any)));
        match reached.form {
            RootForm::InPlace => {
                let count = Expr::bound(&item.count);
                inner.call("CPPC_ANNOUNCE", [section, number, count, register_name(item), storage]);
            }
            RootForm::Pointer { rank } | RootForm::Allocatable { rank } => {
                let rank = Expr::integer(rank);
                inner.call("CPPC_ANNOUNCE_POINTER", [section, number, rank, register_name(item), storage]);
            }
            // The runtime sees a structure that consists of the pointer.
            RootForm::Elements { .. } | RootForm::Procedure => {
                inner.call("CPPC_ANNOUNCE", [section, number, Expr::count(1), register_name(item), storage]);
            }
            RootForm::Polymorphic { .. } => {
                inner.call("CPPC_ANNOUNCE_POLYMORPHIC", [section, number, register_name(item), storage]);
            }
            RootForm::Passed => {
                inner.call("CPPC_ANNOUNCE_PASSED", [section, number, register_name(item), storage]);
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

/// Describes types that other files may need.
pub(super) fn describe_dynamic(reached: &ReachedTypes, statements: &mut Statements) {
    statements.push(Statement::Block(Statements::of(|inner| {
        describe_types(reached, inner, |_| ());
        inner.call("CPPC_DEFINE_TYPES", []);
    })));
}

fn describe_types(
    reached: &ReachedTypes,
    statements: &mut Statements,
    declare_more: impl FnOnce(&mut Statements),
) {
    statements.push(Declaration::Use { module: "ISO_FORTRAN_ENV", names: &["COMPILER_VERSION"] });
    declare_types(reached, statements);
    declare_dynamic(reached, statements);
    declare_more(statements);
    statements.call("CPPC_COMPILER", [Expr::function("COMPILER_VERSION", [])]);
    for (number, found) in (1..).zip(&reached.types) {
        describe(number, found, statements);
    }
    pass_type_tables(reached, statements);
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
        (
            RootForm::Pointer { .. }
            | RootForm::Allocatable { .. }
            | RootForm::Polymorphic { .. }
            | RootForm::Passed
            | RootForm::Procedure
            | RootForm::Elements { .. },
            _,
        ) => {
            statements.push(Statement::Block(Statements::of(|inner| {
                declare_routine(item, reached, inner);
                inner.push(pass(item, reached));
            })));
        }
    }
}

/// Passes the address of the variable, or of its first element.
fn pass(item: &Item, reached: &ReachedTypes) -> Action {
    let argument = match &item.traits.first_element {
        Some(first) if reached.form == RootForm::InPlace => Expr::bound(first),
        _ => object(item),
    };
    Action::call(routine(reached), [argument])
}

/// The routine for variables of this type and form. Compilers check that all calls of one routine in a file pass the same
/// type.
fn routine(reached: &ReachedTypes) -> Name {
    let id = reached.types.first().map_or(0, |found| found.id.0);
    let (word, id) = match reached.form {
        RootForm::InPlace => ("ELEMENT", id),
        RootForm::Pointer { rank } => ("ROOT", 5 * id + 16 * rank),
        RootForm::Allocatable { rank } => ("ROOT", 5 * id + 16 * rank + 1),
        RootForm::Polymorphic { is_pointer: true } => ("ROOT", 5 * id + 2),
        RootForm::Polymorphic { is_pointer: false } => ("ROOT", 5 * id + 3),
        RootForm::Passed => ("ROOT", 5 * id + 4),
        RootForm::Procedure => ("ROOT", 9),
        RootForm::Elements { rank, code } => {
            let number = INTRINSIC.iter().zip(0..).find(|((_, _, known), _)| *known == code);
            ("ROOT", 16 * rank + 11 + 5 * number.map_or(0, |(_, number)| number))
        }
    };
    Name::Known(format!("CPPC_{word}_{}", id % ELEMENT_ROUTINES + 1).into())
}

/// The interface of the routine for a pointer or an allocatable. Modules are used before it.
fn declare_routine(item: &Item, reached: &ReachedTypes, statements: &mut Statements) {
    let read_only = item.traits.read_only;
    let rank = match reached.form {
        RootForm::InPlace => return,
        RootForm::Pointer { rank } | RootForm::Allocatable { rank } | RootForm::Elements { rank, .. } => rank,
        RootForm::Polymorphic { .. } | RootForm::Passed | RootForm::Procedure => 0,
    };
    let is_pointer = matches!(
        reached.form,
        RootForm::Pointer { .. }
            | RootForm::Polymorphic { is_pointer: true }
            | RootForm::Elements { .. }
            | RootForm::Procedure
    );
    let attributes: &[&str] = match (is_pointer, read_only) {
        _ if reached.form == RootForm::Passed => {
            if read_only {
                &["INTENT(IN)"]
            } else {
                &["INTENT(INOUT)"]
            }
        }
        (true, true) => &["POINTER", "INTENT(IN)"],
        (true, false) => &["POINTER"],
        (false, true) => &["ALLOCATABLE", "INTENT(IN)"],
        (false, false) => &["ALLOCATABLE"],
    };
    let is_polymorphic = matches!(reached.form, RootForm::Polymorphic { .. } | RootForm::Passed);
    let declared = reached.types.first().filter(|_| !reached.is_any);
    let body = Statements::of(|inner| {
        let name =
            declared.and_then(|found| found.type_name.as_ref()).map(
                |TypeName { name, module }| match module {
                    Some(module) => {
                        let local = Name::hidden("TYPE");
                        let (module, name) = (known(module), known(name));
                        inner.push(Declaration::UseAs { module, local: local.clone(), name });
                        local
                    }
                    None => {
                        inner.push(Declaration::Import(known(name)));
                        known(name)
                    }
                },
            );
        let intrinsic = match reached.form {
            RootForm::Elements { code, .. } => INTRINSIC.iter().find(|(_, _, known)| *known == code),
            _ => None,
        };
        let ty = match name {
            _ if reached.form == RootForm::Procedure => Type::Known { word: "PROCEDURE()", kind: None },
            _ if intrinsic.is_some() => {
                let (word, kind, _) = intrinsic.copied().unwrap_or(INTRINSIC[0]);
                Type::Known { word, kind }
            }
            Some(name) if !is_polymorphic => Type::Derived(name),
            name => Type::Class(name),
        };
        let shape = if rank == 0 { Shape::Scalar } else { Shape::Deferred { rank } };
        let variables = vec![Variable { name: Name::hidden("ROOT"), shape }];
        inner.push(Declaration::Variables { ty, attributes, variables });
    });
    let dummies = vec![Name::hidden("ROOT")];
    let procedure = Statement::Subroutine { name: routine(reached), dummies, binding: None, body };
    statements.push(Statement::Interface(Statements::of(|inner| inner.push(procedure))));
}

/// The intrinsic types that a variable of `class(*)` may have, with their names in the runtime.
const INTRINSIC: [(&str, Option<&str>, &str); 13] = [
    ("INTEGER", Some("1"), "CPPC_INTEGER_1"),
    ("INTEGER", Some("2"), "CPPC_INTEGER_2"),
    ("INTEGER", Some("4"), "CPPC_INTEGER_4"),
    ("INTEGER", Some("8"), "CPPC_INTEGER_8"),
    ("REAL", Some("4"), "CPPC_REAL_4"),
    ("REAL", Some("8"), "CPPC_REAL_8"),
    ("COMPLEX", Some("4"), "CPPC_COMPLEX_4"),
    ("COMPLEX", Some("8"), "CPPC_COMPLEX_8"),
    ("LOGICAL", Some("1"), "CPPC_LOGICAL_1"),
    ("LOGICAL", Some("2"), "CPPC_LOGICAL_2"),
    ("LOGICAL", Some("4"), "CPPC_LOGICAL_4"),
    ("LOGICAL", Some("8"), "CPPC_LOGICAL_8"),
    ("CHARACTER", None, "CPPC_CHARACTER"),
];

/// Declares a pointer of each type that may be a dynamic type, and one that points to any of them.
fn declare_dynamic(reached: &ReachedTypes, statements: &mut Statements) {
    let pointer = |ty: Type, name: Name| {
        let variables = vec![Variable { name, shape: Shape::Scalar }];
        Declaration::Variables { ty, attributes: &["POINTER"], variables }
    };
    if !has_tables(reached) {
        return;
    }
    for (number, found) in (1..).zip(&reached.types).filter(|(_, found)| found.is_dynamic) {
        let Some(TypeName { name, module }) = &found.type_name else { continue };
        let name = if module.is_some() { local_type(number) } else { known(name) };
        statements.push(pointer(Type::Class(Some(name)), sample(number)));
    }
    for &(word, kind, code) in INTRINSIC.iter().filter(|_| reached.has_any) {
        statements.push(pointer(Type::Known { word, kind }, intrinsic_sample(code)));
    }
    statements.push(pointer(Type::Class(None), Name::hidden("ANY")));
    let names = ["NUMBER", "CODE", "ANY"].map(Name::hidden);
    let body = Statements::of(|inner| {
        let variable = |name: &'static str| vec![Variable { name: Name::hidden(name), shape: Shape::Scalar }];
        for name in ["NUMBER", "CODE"] {
            let variables = variable(name);
            inner.push(Declaration::Variables { ty: Type::Integer, attributes: &[], variables });
        }
        inner.push(pointer(Type::Class(None), Name::hidden("ANY")));
    });
    let name = Name::from("CPPC_TYPE_TABLE");
    let procedure = Statement::Subroutine { name, dummies: names.to_vec(), binding: None, body };
    statements.push(Statement::Interface(Statements::of(|inner| inner.push(procedure))));
}

fn has_tables(reached: &ReachedTypes) -> bool {
    reached.has_any || reached.types.iter().any(|found| found.is_dynamic)
}

/// Passes the type table of each type that may be a dynamic type. A pointer without a target has the table of its declared
/// type.
fn pass_type_tables(reached: &ReachedTypes, statements: &mut Statements) {
    let mut pass = |number: u32, code: Expr, sample: Name| {
        statements.push(Action::Nullify(Expr::Name(sample.clone())));
        let (pointer, target) = (Expr::Name(Name::hidden("ANY")), Expr::Name(sample));
        statements.push(Action::PointTo { pointer: pointer.clone(), target });
        statements.call("CPPC_TYPE_TABLE", [Expr::integer(number), code, pointer]);
    };
    for (number, found) in (1..).zip(&reached.types) {
        if found.is_dynamic && found.type_name.is_some() {
            pass(number, Expr::integer(0), sample(number));
        }
    }
    for (_, _, code) in INTRINSIC.iter().filter(|_| reached.has_any) {
        pass(0, code_of(code), intrinsic_sample(code));
    }
}

fn intrinsic_sample(code: &str) -> Name {
    Name::hidden(format!("SAMPLE_{}", code.trim_start_matches("CPPC_")))
}

/// A pointer of each type that has a name, to ask for its size.
fn declare_types(reached: &ReachedTypes, statements: &mut Statements) {
    let named =
        || (1..).zip(&reached.types).filter_map(|(number, found)| Some((number, found.type_name.as_ref()?)));
    for (number, TypeName { name, module }) in named() {
        if let Some(module) = module {
            let (module, name) = (known(module), known(name));
            statements.push(Declaration::UseAs { module, local: local_type(number), name });
        }
    }
    let declared = |number: &u32| has_sample(&reached.types[*number as usize - 1]);
    for (number, TypeName { name, module }) in named().filter(|(number, _)| declared(number)) {
        let ty = Type::Derived(if module.is_some() { local_type(number) } else { known(name) });
        let variables = vec![Variable { name: sample(number), shape: Shape::Scalar }];
        statements.push(Declaration::Variables { ty, attributes: &["POINTER"], variables });
    }
}

/// Whether generated code declares a pointer of the type, to ask for its size. The type table of a dynamic type has its size.
fn has_sample(found: &ReachedType) -> bool {
    !found.is_dynamic && !found.is_abstract
}

/// The size of a type and its components.
fn describe(number: u32, found: &ReachedType, statements: &mut Statements) {
    let size = match &found.type_name {
        Some(_) if has_sample(found) => Expr::counted("STORAGE_SIZE", [Expr::Name(sample(number))])
            .binary(Operator::Divide, Expr::integer(8)),
        Some(_) | None => Expr::count(0),
    };
    statements.call("CPPC_DERIVED_TYPE", [Expr::text(&found.name), size]);
    for part in &found.parts {
        let name = Expr::text(&part.name);
        let count = |count: &u64| Expr::count(i64::try_from(*count).unwrap_or(i64::MAX));
        match &part.kind {
            ReachedPartKind::Plain { code, count: elements } => {
                statements.call("CPPC_COMPONENT", [code_of(code), count(elements), name]);
            }
            ReachedPartKind::Inside { number, count: elements } => {
                statements.call("CPPC_COMPONENT_OF", [Expr::integer(*number), count(elements), name]);
            }
            ReachedPartKind::Pointer { code, rank } => {
                statements.call("CPPC_POINTER_COMPONENT", [code_of(code), Expr::integer(*rank), name]);
            }
            ReachedPartKind::PointerOf { number, rank } => {
                let arguments = [Expr::integer(*number), Expr::integer(*rank), name];
                statements.call("CPPC_POINTER_COMPONENT_OF", arguments);
            }
            ReachedPartKind::Polymorphic { number, rank } => {
                let arguments = [Expr::integer(*number), Expr::integer(*rank), name];
                statements.call("CPPC_POLYMORPHIC_COMPONENT", arguments);
            }
            ReachedPartKind::Procedure => {
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
