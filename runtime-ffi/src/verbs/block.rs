//! Blocks: `CPPC_Block`, `CPPC_Execute`, `CPPC_Call`, `CPPC_Return`, `CPPC_Capture`, `CPPC_Jump_next`.
//!
//! Input: the number of a block, and memory whose content it depends on.
//! Output: 1 in a normal run, 0 in a replay; after a call, 1 if saved values have to be restored; at the end of a
//! block, the block to jump to in a restart, else 0.
//! Postcondition: registers and captures belong to the block. The block is in the restart plan if a restart needs it.

use crate::boundary::{pass, pass_quickly};
use crate::text::Text;
use cppc_abi::statuses::Status;
use std::ffi::{c_int, c_void};

#[inline]
pub fn block(block: c_int, here: usize) -> c_int {
    pass("CPPC_Block", Status::WrongThread, |controller| controller.block(block, here)) as c_int
}

#[inline]
pub fn execute(block: c_int, here: usize) -> c_int {
    pass("CPPC_Execute", 1, |controller| controller.execute(block, here).map(c_int::from))
}

#[inline]
pub fn call(block: c_int, callee: Text, here: usize) -> c_int {
    pass("CPPC_Call", 1, |controller| controller.call(block, callee.as_deref(), here).map(c_int::from))
}

#[inline]
pub fn return_from(block: c_int, here: usize) -> c_int {
    pass("CPPC_Return", 0, |controller| controller.return_from(block, here).map(c_int::from))
}

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

#[inline]
pub fn evaluates(name: Text) -> c_int {
    pass_quickly(
        "CPPC_Evaluates",
        1,
        |controller| (!controller.is_restarting()).then_some(1),
        |controller| controller.evaluates(&name.unwrap_or_default()).map(c_int::from),
    )
}

#[inline]
pub fn jump_next() -> c_int {
    pass_quickly(
        "CPPC_Jump_next",
        0,
        |controller| controller.is_jump_idle().then_some(0),
        |controller| controller.jump_next(),
    )
}
