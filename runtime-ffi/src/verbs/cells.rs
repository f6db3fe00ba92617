//! `CPPC_Save`, `CPPC_Take`, `CPPC_Loop` and `CPPC_Register_saved`.
//!
//! Input: variables, and the numbers of their cells.
//! Output: in a restart, the values of the checkpoint.
//! Postcondition: no address of a variable is kept.

use crate::boundary::{pass, pass_quickly};
use crate::text::Text;
use cppc_runtime::controller::cells::{Loop, Value};
use std::ffi::{c_int, c_void};

/// # Safety
/// `address` points to `count` elements of the type.
#[inline]
pub unsafe fn save(slot: c_int, address: *const c_void, count: usize, type_code: c_int, here: usize) {
    let Some(value) = value("CPPC_Save", slot, address, count, type_code, here) else { return };
    pass_quickly(
        "CPPC_Save",
        (),
        |controller| controller.save_at_once(value).then_some(()),
        |controller| {
            controller.save(value);
            Ok(())
        },
    );
}

/// # Safety
/// `address` points to `count` elements of the type, which can be written if they differ.
#[inline]
pub unsafe fn take(slot: c_int, address: *mut c_void, count: usize, type_code: c_int, here: usize) {
    let Some(value) = value("CPPC_Take", slot, address, count, type_code, here) else { return };
    pass("CPPC_Take", (), |controller| controller.take(value));
}

/// Whether a call that a restart has reached is replayed only for the blocks below it, so that an array
/// argument may get temporary memory. `lower` and `upper` are the bounds that it had; `upper` is less than
/// `lower - 1` if it was not allocated.
///
/// # Safety
/// The addresses point to integers.
pub unsafe fn lends(name: Text, lower: *const i64, upper: *const i64) -> c_int {
    if lower.is_null() || upper.is_null() {
        complain_of_null("CPPC_Lends");
        return 0;
    }
    // SAFETY: the caller guarantees the addresses.
    let was_allocated = unsafe { *upper >= (*lower).saturating_sub(1) };
    let name = name.unwrap_or_default();
    pass("CPPC_Lends", 0, |controller| Ok(c_int::from(controller.needs_array(&name, was_allocated))))
}

/// # Safety
/// Both addresses point to `count` elements of the type; those of the first can be written if they differ.
#[inline]
pub unsafe fn put_back(address: *mut c_void, value: *const c_void, count: usize, type_code: c_int) {
    if address.is_null() || value.is_null() {
        return complain_of_null("CPPC_Put_back");
    }
    pass("CPPC_Put_back", (), |controller| {
        controller.put_back(address as usize, value as usize, count, type_code);
        Ok(())
    });
}

/// # Safety
/// The addresses point to integers of the type, which can be written if they differ.
#[inline]
pub unsafe fn enter_loop(
    slot: c_int,
    first: *mut c_void,
    last: *mut c_void,
    step: *mut c_void,
    type_code: c_int,
    here: usize,
) {
    if first.is_null() || last.is_null() || step.is_null() {
        return complain_of_null("CPPC_Loop");
    }
    let (first, last, step) = (first as usize, last as usize, step as usize);
    let header = Loop { cell_number: slot, first, last, step, type_code, here };
    pass("CPPC_Loop", (), |controller| controller.enter_loop(header));
}

/// # Safety
/// `address` points to `count` elements of the type, which can be written if they differ.
#[allow(clippy::too_many_arguments)] // as the call has them
#[inline]
pub unsafe fn register_saved(
    section: c_int,
    slot: c_int,
    address: *mut c_void,
    count: usize,
    type_code: c_int,
    name: Text,
    storage: c_int,
    here: usize,
) -> c_int {
    let Some(value) = value("CPPC_Register_saved", slot, address, count, type_code, here) else { return 0 };
    let name = name.unwrap_or_default();
    pass("CPPC_Register_saved", 0, |controller| {
        controller
            .register_cell(value, section, &name, storage)
            .map(|register| c_int::from(register.is_delivered))
    })
}

#[inline(always)]
fn value(
    call: &'static str,
    slot: c_int,
    address: *const c_void,
    count: usize,
    type_code: c_int,
    here: usize,
) -> Option<Value> {
    if address.is_null() && count > 0 {
        complain_of_null(call);
        return None;
    }
    Some(Value { cell_number: slot, address: address as usize, count, type_code, here })
}

#[cold]
fn complain_of_null(call: &'static str) {
    pass(call, (), |controller| {
        controller.complain(&format!("`{call}` got a null pointer: it is ignored"));
        Ok(())
    });
}
