//! Frames: `CPPC_Enter`, `CPPC_Leave`, and `CPPC_Frame`, `CPPC_Land`, `CPPC_Jump_point` for procedures that call
//! `setjmp`; `CPPC_Size_variable`.
//!
//! Input: the name of a procedure and the number of its blocks, or the number of a frame.
//! Output: in a restart the block to jump to, else 0; the number of the innermost frame.
//! Postcondition: the frames are those of the procedures that have not returned, and not of those that a `longjmp` has
//! left.

use crate::boundary::pass;
use crate::text::Text;
use cppc_runtime::register::memory::Range;
use std::ffi::{c_int, c_void};

#[inline]
pub fn enter(procedure: Text, blocks: c_int, here: usize) -> c_int {
    let procedure = procedure.unwrap_or_default();
    pass("CPPC_Enter", 0, |controller| controller.enter(&procedure, blocks, here))
}

/// In a restart, a construct whose parts depend on a dynamic type was entered by another part than before.
pub fn other_part(place: Text) {
    let place = place.unwrap_or_default();
    pass("CPPC_OTHER_PART", (), |controller| Err(controller.other_part(&place)));
}

#[inline]
pub fn leave(here: usize) {
    pass("CPPC_Leave", (), |controller| controller.leave(here));
}

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

/// Records the value of a variable that determines a size in the declarations of the procedure.
///
/// # Safety
/// There are `size_bytes` readable bytes at `address`.
pub unsafe fn size_variable(address: *const c_void, size_bytes: usize, name: Text) {
    let range = Range { address: address as usize, size_bytes };
    if address.is_null() {
        return;
    }
    let name = name.unwrap_or_default();
    pass("CPPC_Size_variable", (), |controller| {
        // SAFETY: the caller guarantees it.
        unsafe { controller.size_variable(&name, range) };
        Ok(())
    });
}
