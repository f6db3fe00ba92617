//! `CPPC_Wants`.
//!
//! Input: a name.
//! Output: 1 if registering it now has an effect.
//! Postcondition: nothing has changed.

use crate::boundary::pass;
use crate::text::Text;
use std::ffi::c_int;

#[inline]
pub fn wants(name: Text) -> c_int {
    let name = name.unwrap_or_default();
    pass("CPPC_Wants", 1, |controller| Ok(c_int::from(controller.needs(&name))))
}
