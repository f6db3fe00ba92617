//! `CPPC_Replays`, `CPPC_Element` and `CPPC_NEXT_ELEMENT`.
//!
//! In: a name with places for subscripts, and the subscripts. Out: whether there is something to register, and in
//! a replay the recorded subscripts. Holds afterwards: the next register of this name is that of the element.

use crate::boundary::pass;
use crate::text::Text;
use cppc_runtime::controller::elements::places_in;
use std::ffi::{c_int, c_longlong, c_void};

pub fn replays() -> c_int {
    pass("CPPC_Replays", 0, |controller| Ok(c_int::from(controller.replays())))
}

/// # Safety
/// `subscripts` leads to as many numbers as the name has places.
pub unsafe fn element(name: Text, subscripts: *mut c_void) -> c_int {
    let name = name.unwrap_or_default();
    // SAFETY: the caller vouches for the same.
    let subscripts = unsafe { numbers(&name, subscripts) };
    pass("CPPC_Element", 0, |controller| Ok(c_int::from(controller.element(&name, subscripts))))
}

/// # Safety
/// `subscripts` leads to as many numbers as the name has places.
pub unsafe fn next_element(name: Text, subscripts: *mut c_void) -> c_int {
    let name = name.unwrap_or_default();
    // SAFETY: the caller vouches for the same.
    let subscripts = unsafe { numbers(&name, subscripts) };
    pass("CPPC_NEXT_ELEMENT", 0, |controller| Ok(c_int::from(controller.next_element(&name, subscripts))))
}

/// # Safety
/// `subscripts` leads to as many numbers as the name has places, which nothing else uses for so long.
unsafe fn numbers<'a>(name: &str, subscripts: *mut c_void) -> &'a mut [c_longlong] {
    let count = places_in(name);
    match subscripts.cast::<c_longlong>() {
        null if null.is_null() || count == 0 => &mut [],
        // SAFETY: the caller vouches for so many.
        found => unsafe { std::slice::from_raw_parts_mut(found, count) },
    }
}
