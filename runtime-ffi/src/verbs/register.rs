//! `CPPC_Register`, `CPPC_Register_value` and `CPPC_Register_pointer`.
//!
//! Input: memory, or the slot of a pointer to it.
//! Output: the address of the memory.
//! Postcondition: the memory is saved at checkpoints; in a restart its content is restored.

use crate::boundary::pass;
use crate::text::Text;
use cppc_runtime::controller::registers::Registration;
use cppc_runtime::manifest::Kind;
use std::ffi::{c_int, c_void};

/// # Safety
/// `address` is null or points to `count` elements of the type, which live as long as the register.
#[inline]
pub unsafe fn register(
    section: c_int,
    address: *mut c_void,
    count: usize,
    type_code: c_int,
    name: Text,
    storage: c_int,
    here: usize,
) -> *mut c_void {
    let name = name.unwrap_or_default();
    let (kind, address) = (Kind::Memory, address as usize);
    let made = Registration { section, address, count, type_code, name: &name, storage, kind, here };
    pass("CPPC_Register", address, |controller| Ok(controller.register(made)?.address)) as *mut c_void
}

/// Reports an array that cannot be registered.
pub fn not_contiguous(name: Text) {
    let name = name.unwrap_or_default();
    pass("CPPC_Not_contiguous", (), |controller| {
        let reason = "it is not contiguous in memory; if it is a pointer that was never set, nullify it first, or declare it with `=> null()`";
        controller.give_up(&name, reason);
        Ok(())
    });
}

/// # Safety
/// `address` is null or points to one element of the type, which lives as long as the register.
#[inline]
pub unsafe fn register_value(
    section: c_int,
    address: *mut c_void,
    type_code: c_int,
    name: Text,
    storage: c_int,
    here: usize,
) -> c_int {
    let name = name.unwrap_or_default();
    let (kind, address) = (Kind::Memory, address as usize);
    let made = Registration { section, address, count: 1, type_code, name: &name, storage, kind, here };
    pass("CPPC_Register_value", 0, |controller| {
        controller.register(made).map(|register| c_int::from(register.is_delivered))
    })
}

/// # Safety
/// `slot` is null or points to a pointer that lives as long as the register and that, at each checkpoint, is
/// null or points to `count` elements of the type.
#[inline]
pub unsafe fn register_pointer(
    section: c_int,
    slot: *mut c_void,
    count: usize,
    type_code: c_int,
    name: Text,
    storage: c_int,
    here: usize,
) -> *mut c_void {
    let name = name.unwrap_or_default();
    let (kind, address) = (Kind::Pointer, slot as usize);
    let made = Registration { section, address, count, type_code, name: &name, storage, kind, here };
    pass("CPPC_Register_pointer", 0, |controller| Ok(controller.register(made)?.address)) as *mut c_void
}
