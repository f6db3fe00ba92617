//! `CPPC_Capture`.
//!
//! Input: memory whose content an execute block or a call depends on.
//! Output: nothing.
//! Postcondition: the content is recorded; in a replay the memory has the recorded content.

use crate::boundary::pass;
use crate::text::Text;
use std::ffi::{c_int, c_void};

/// # Safety
/// `address` points to `count` elements of the type; if `is_kept`, until the end of the block.
#[inline]
pub unsafe fn capture(address: *mut c_void, count: usize, type_code: c_int, name: Text, is_kept: bool) {
    let name = name.unwrap_or_default();
    pass("CPPC_Capture", (), |controller| {
        if address.is_null() && count > 0 {
            controller.complain(&format!("`CPPC_Capture` of `{name}` got a null pointer: it is ignored"));
            return Ok(());
        }
        controller.capture(address as usize, count, type_code, &name, is_kept)
    });
}

/// # Safety
/// As [`capture`], until the end of the block.
#[inline]
pub unsafe fn capture_pointers(
    address: *mut c_void,
    count: usize,
    type_code: c_int,
    name: Text,
    elsewhere: c_int,
) {
    let name = name.unwrap_or_default();
    pass("CPPC_Capture_pointers", (), |controller| {
        if address.is_null() && count > 0 {
            controller
                .complain(&format!("`CPPC_Capture_pointers` of `{name}` got a null pointer: it is ignored"));
            return Ok(());
        }
        controller.capture_pointers(address as usize, count, type_code, &name, elsewhere)
    });
}
