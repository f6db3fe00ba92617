//! `CPPC_Replays` and `CPPC_Element`.
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
    let count = places_in(&name);
    let subscripts = match subscripts.cast::<c_longlong>() {
        null if null.is_null() || count == 0 => &mut [],
        // SAFETY: the caller vouches for so many numbers, which nothing else uses meanwhile.
        found => unsafe { std::slice::from_raw_parts_mut(found, count) },
    };
    pass("CPPC_Element", 0, |controller| Ok(c_int::from(controller.element(&name, subscripts))))
}
