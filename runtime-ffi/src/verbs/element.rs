//! `CPPC_Replays`, `CPPC_Element`, `CPPC_NEXT_ELEMENT` and `CPPC_NEXT_DUE_ELEMENT`.
//!
//! Input: a name with empty brackets for subscripts, and the subscripts.
//! Output: whether there is something to register, and in a replay the recorded subscripts.
//! Postcondition: the next register of this name is that of the element.

use crate::boundary::{pass, pass_quickly};
use crate::text::Text;
use cppc_runtime::controller::elements::count_placeholders;
use cppc_runtime::controller::Controller;
use std::ffi::{c_int, c_longlong, c_void};

pub fn replays() -> c_int {
    pass("CPPC_Replays", 0, |controller| Ok(c_int::from(controller.replays())))
}

/// # Safety
/// `subscripts` points to as many numbers as the name has empty brackets.
pub unsafe fn element(name: Text, subscripts: *mut c_void) -> c_int {
    let name = name.unwrap_or_default();
    // SAFETY: the caller guarantees the same.
    let subscripts = unsafe { numbers(&name, subscripts) };
    pass("CPPC_Element", 0, |controller| Ok(c_int::from(controller.element(&name, subscripts))))
}

/// The next calls with this name mean the element with these subscripts, also in a replay.
///
/// # Safety
/// `subscripts` points to as many numbers as the name has placeholders.
pub unsafe fn select_element(name: Text, subscripts: *mut c_void) {
    let name = name.unwrap_or_default();
    // SAFETY: the caller guarantees the same.
    let subscripts = unsafe { numbers(&name, subscripts) };
    pass("CPPC_SELECT", (), |controller| {
        controller.select_element(&name, subscripts);
        Ok(())
    });
}

/// The name is read only if some checkpoint of the run may dump.
///
/// # Safety
/// `subscripts` points to as many numbers as the name has placeholders.
pub unsafe fn next_element<'a>(name: impl FnOnce() -> Text<'a>, subscripts: *mut c_void) -> c_int {
    pass_quickly(
        "CPPC_NEXT_ELEMENT",
        0,
        |controller| controller.never_dumps().then_some(0),
        // SAFETY: the caller guarantees the same.
        |controller| Ok(unsafe { next(controller, name(), subscripts) }),
    )
}

/// The name is read only if the next checkpoint may dump.
///
/// # Safety
/// That of `next_element`.
pub unsafe fn next_due_element<'a>(name: impl FnOnce() -> Text<'a>, subscripts: *mut c_void) -> c_int {
    pass_quickly(
        "CPPC_NEXT_DUE_ELEMENT",
        0,
        |controller| controller.will_checkpoint_be_idle().then_some(0),
        // SAFETY: the caller guarantees the same.
        |controller| Ok(unsafe { next(controller, name(), subscripts) }),
    )
}

/// # Safety
/// That of `next_element`.
unsafe fn next(controller: &mut Controller, name: Text, subscripts: *mut c_void) -> c_int {
    let name = name.unwrap_or_default();
    // SAFETY: the caller guarantees the same.
    let subscripts = unsafe { numbers(&name, subscripts) };
    c_int::from(controller.next_element(&name, subscripts))
}

/// # Safety
/// `subscripts` points to as many numbers as the name has empty brackets; nothing else uses them during `'a`.
unsafe fn numbers<'a>(name: &str, subscripts: *mut c_void) -> &'a mut [c_longlong] {
    let count = count_placeholders(name);
    match subscripts.cast::<c_longlong>() {
        null if null.is_null() || count == 0 => &mut [],
        // SAFETY: the caller guarantees the number.
        found => unsafe { std::slice::from_raw_parts_mut(found, count) },
    }
}
