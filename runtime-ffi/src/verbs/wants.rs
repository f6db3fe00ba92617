//! `CPPC_Wants`.
//!
//! In: a name. Out: 1 when registering it now has an effect. Holds afterwards: nothing has changed.

use crate::boundary::pass;
use crate::text::text;
use std::ffi::{c_char, c_int};

/// # Safety
/// `name` is null or a text.
#[inline]
pub unsafe fn wants(name: *const c_char) -> c_int {
    // SAFETY: the caller vouches for it.
    let name = unsafe { text(name) }.unwrap_or_default();
    pass("CPPC_Wants", 1, |controller| Ok(c_int::from(controller.wants(&name))))
}
