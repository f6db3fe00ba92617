//! `CPPC_Identify`.
//!
//! In: the fingerprint of the program's instrumented procedures. Out: nothing. Holds afterwards: state
//! files of a program with another one are refused.

use crate::boundary::pass;
use crate::text::text;
use std::ffi::c_char;

/// # Safety
/// `fingerprint` is null or a text.
pub unsafe fn identify(fingerprint: *const c_char) {
    // SAFETY: the caller vouches for it.
    let fingerprint = unsafe { text(fingerprint) }.unwrap_or_default();
    pass("CPPC_Identify", (), |controller| {
        controller.identify(&fingerprint);
        Ok(())
    });
}
