//! `CPPC_Capture`.
//!
//! In: memory whose content an execute block or a call depends on. Out: nothing. Holds afterwards: the
//! content is recorded; in a replay the recorded content is in place.

use crate::boundary::pass;
use crate::text::Text;
use std::ffi::{c_int, c_void};

/// # Safety
/// `address` leads to `count` elements of the type, until the end of the block when `is_kept`.
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
