//! Derived types with pointers: `CPPC_COMPILER`, `CPPC_DERIVED_TYPE`, `CPPC_COMPONENT`, `CPPC_POINTER_COMPONENT`,
//! `CPPC_ANNOUNCE`, `CPPC_ANNOUNCE_POINTER` and `CPPC_ROOT_1`. Polymorphic variables: `CPPC_POLYMORPHIC_COMPONENT`,
//! `CPPC_TYPE_TABLE`, `CPPC_DEFINE_TYPES`, `CPPC_ANNOUNCE_POLYMORPHIC` and `CPPC_ANNOUNCE_PASSED`.
//!
//! Input: the components of derived types, and a variable of such a type.
//! Output: a register with everything that the pointers of the variable reach.
//! Postcondition: an invalid description is reported, and no state is written from then on.

use crate::boundary::{pass, pass_quickly};
use crate::text::Text;
use cppc_runtime::controller::graph_roots::RootForm;
use cppc_runtime::graph::derived_types::{PartKind, Pointed};
use std::ffi::{c_int, c_void};

pub fn begin_derived_types(compiler: Text) {
    let compiler = compiler.unwrap_or_default();
    pass("CPPC_COMPILER", (), |controller| {
        controller.begin_derived_types(&compiler);
        Ok(())
    });
}

/// The size is 0 if the program cannot name the type.
pub fn begin_derived_type(name: Text, size_bytes: usize) {
    let name = name.unwrap_or_default();
    pass("CPPC_DERIVED_TYPE", (), |controller| {
        controller.begin_derived_type(&name, size_bytes);
        Ok(())
    });
}

pub fn add_component(code: c_int, count: usize, name: Text) {
    add("CPPC_COMPONENT", name, PartKind::Plain { code, count });
}

pub fn add_component_of(number: c_int, count: usize, name: Text) {
    add("CPPC_COMPONENT_OF", name, PartKind::Inside { number: natural(number), count });
}

/// The code is 0 for a procedure.
pub fn add_pointer_component(code: c_int, rank: c_int, name: Text) {
    let kind = PartKind::Pointer { pointed: Pointed::Code(code), rank: natural(rank) };
    add("CPPC_POINTER_COMPONENT", name, kind);
}

pub fn add_pointer_component_of(number: c_int, rank: c_int, name: Text) {
    let kind = PartKind::Pointer { pointed: Pointed::Derived(natural(number)), rank: natural(rank) };
    add("CPPC_POINTER_COMPONENT_OF", name, kind);
}

fn add(call: &'static str, name: Text, kind: PartKind) {
    let name = name.unwrap_or_default();
    pass(call, (), |controller| {
        controller.add_component(&name, kind);
        Ok(())
    });
}

pub fn announce_elements(section: c_int, number: c_int, count: usize, name: Text, storage: c_int) {
    announce("CPPC_ANNOUNCE", section, number, RootForm::Elements(count), name, storage);
}

pub fn announce_pointer(section: c_int, number: c_int, rank: c_int, name: Text, storage: c_int) {
    let form = RootForm::Descriptor { rank: natural(rank) };
    announce("CPPC_ANNOUNCE_POINTER", section, number, form, name, storage);
}

/// The number is 0 for any type.
pub fn announce_polymorphic(section: c_int, number: c_int, name: Text, storage: c_int) {
    announce("CPPC_ANNOUNCE_POLYMORPHIC", section, number, RootForm::Polymorphic, name, storage);
}

pub fn announce_passed(section: c_int, number: c_int, name: Text, storage: c_int) {
    announce("CPPC_ANNOUNCE_PASSED", section, number, RootForm::Passed, name, storage);
}

/// Defines the types that were described. Types that cannot be defined are refused where they are needed.
pub fn define_types() {
    pass("CPPC_DEFINE_TYPES", (), |controller| {
        controller.define_types();
        Ok(())
    });
}

/// The number is that of a derived type, or 0 for a type that has a code.
///
/// # Safety
/// `variable` is the address of a polymorphic pointer.
pub unsafe fn type_table(number: c_int, code: c_int, variable: *const usize) {
    // SAFETY: the type table is after the address of the value.
    let address = unsafe { variable.add(1).read() };
    let pointed = match number {
        0 => Pointed::Code(code),
        _ => Pointed::Derived(natural(number)),
    };
    pass("CPPC_TYPE_TABLE", (), |controller| {
        controller.add_type_table(pointed, address);
        Ok(())
    });
}

/// The number is 0 for any type.
pub fn add_polymorphic_component(number: c_int, rank: c_int, name: Text) {
    let kind = PartKind::Pointer { pointed: Pointed::Class(natural(number)), rank: natural(rank) };
    add("CPPC_POLYMORPHIC_COMPONENT", name, kind);
}

fn announce(call: &'static str, section: c_int, number: c_int, form: RootForm, name: Text, storage: c_int) {
    let name = name.unwrap_or_default();
    pass(call, (), |controller| {
        controller.announce_root(section, natural(number), form, &name, storage);
        Ok(())
    });
}

/// Negative numbers mean nothing, and are refused with the description.
fn natural(number: c_int) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// # Safety
/// `address` is that of a pointer or an allocatable of Fortran, which lives as long as its register if it was announced.
pub unsafe fn root(address: *mut c_void, here: usize) {
    pass_quickly(
        "CPPC_ROOT_1",
        (),
        |controller| controller.expects_no_root().then_some(()),
        |controller| controller.pass_root(address as usize, here),
    );
}
