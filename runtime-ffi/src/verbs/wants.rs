//! `CPPC_Wants`.
//!
//! In: a name. Out: 1 when registering it now has an effect. Holds afterwards: nothing has changed.

use crate::boundary::pass;
use crate::text::Text;
use std::ffi::c_int;

#[inline]
pub fn wants(name: Text) -> c_int {
    let name = name.unwrap_or_default();
    pass("CPPC_Wants", 1, |controller| Ok(c_int::from(controller.wants(&name))))
}
