//! `CPPC_Frame`, `CPPC_Land`, `CPPC_Jump_point`.
//!
//! Input: the actions of a procedure that calls `setjmp`.
//! Output: the number of the innermost frame.
//! Postcondition: frames that a `longjmp` has left are closed.

use crate::boundary::pass;
use crate::text::Text;
use std::ffi::c_int;

#[inline]
pub fn frame() -> c_int {
    pass("CPPC_Frame", 0, |controller| Ok(controller.frame()))
}

#[inline]
pub fn land(frame: c_int) {
    pass("CPPC_Land", (), |controller| {
        controller.land(frame);
        Ok(())
    });
}

#[inline]
pub fn jump_point(place: Text) {
    let place = place.unwrap_or_default();
    pass("CPPC_Jump_point", (), |controller| {
        controller.jump_point(&place);
        Ok(())
    });
}
