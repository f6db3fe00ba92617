//! Trees: `CPPC_TREE`, `CPPC_WALK`, `CPPC_WALK_DUE`, `CPPC_MEMBER`, `CPPC_FOLLOW_TYPE`, `CPPC_LATER`, `CPPC_NODE`, `CPPC_END_WALK`
//! and `CPPC_ELEMENT_1`.
//!
//! Input: the components of a variable, as the program walks through it.
//! Output: whether there is something to walk through.
//! Postcondition: each component that exists is registered at the address that the program passed last.

use super::followed::ArrayBounds;
use crate::boundary::{pass, pass_quickly};
use crate::text::Text;
use cppc_runtime::register::bounds::MOST_DIMENSIONS;
use std::ffi::{c_int, c_void};

pub fn begin_tree() {
    pass("CPPC_TREE", (), |controller| {
        controller.begin_tree();
        Ok(())
    });
}

/// The name is read only if some checkpoint of the run may dump.
pub fn walk_tree<'a>(name: impl FnOnce() -> Text<'a>) -> c_int {
    pass_quickly(
        "CPPC_WALK",
        0,
        |controller| controller.never_dumps().then_some(0),
        |controller| Ok(c_int::from(controller.walk_tree(&name().unwrap_or_default()))),
    )
}

/// The name is read only if the next checkpoint may dump.
pub fn walk_due_tree<'a>(name: impl FnOnce() -> Text<'a>) -> c_int {
    pass_quickly(
        "CPPC_WALK_DUE",
        0,
        |controller| controller.will_checkpoint_be_idle().then_some(0),
        |controller| Ok(c_int::from(controller.walk_tree(&name().unwrap_or_default()))),
    )
}

pub fn end_walk() {
    pass("CPPC_END_WALK", (), |controller| {
        controller.end_walk();
        Ok(())
    });
}

/// The type code is 0 for a derived type.
pub fn visit_member(type_code: c_int, name: Text) {
    let name = name.unwrap_or_default();
    pass("CPPC_MEMBER", (), |controller| controller.visit_member(type_code, &name));
}

/// The memory at `address` is not accessed, unless it was announced as a root of the graph.
pub fn element_address(address: *const c_void, here: usize) {
    pass("CPPC_ELEMENT_1", (), |controller| {
        controller.set_element_address(address as usize);
        controller.pass_root(address as usize, here)
    });
}

/// # Safety
/// The array that was described just before has these bounds; each pointer of `bounds` that is not null points to `rank`
/// integers.
pub unsafe fn follow_structures(bounds: ArrayBounds, name: Text) {
    let name = name.unwrap_or_default();
    // SAFETY: the caller guarantees it.
    let pairs = unsafe { bounds.pairs(None) };
    pass("CPPC_FOLLOW_TYPE", (), |controller| match pairs {
        Some(pairs) => controller.follow_structures(&name, pairs),
        None => {
            controller.give_up(&name, "its rank is not one that an array can have, or it has no bounds");
            Ok(())
        }
    });
}

/// The array that was passed last is visited later, as a node of this kind.
pub fn visit_later(kind: c_int) {
    pass("CPPC_LATER", (), |controller| {
        controller.visit_later(kind);
        Ok(())
    });
}

/// The kind of the next node, or 0 if none is left. Sets its number, its address and its bounds.
///
/// # Safety
/// `number` and `place` point to integers, and `lower` and `upper` to as many as an array can have dimensions.
pub unsafe fn next_node(number: *mut i64, place: *mut i64, lower: *mut i64, upper: *mut i64) -> c_int {
    pass("CPPC_NODE", 0, |controller| {
        let Some((count, node)) = controller.next_node() else { return Ok(0) };
        // SAFETY: the caller guarantees it.
        unsafe {
            number.write_unaligned(count);
            place.write_unaligned(node.address as i64);
            ArrayBounds { rank: MOST_DIMENSIONS as c_int, lower, upper }.set(node.pairs.as_slice());
        }
        Ok(node.kind)
    })
}
