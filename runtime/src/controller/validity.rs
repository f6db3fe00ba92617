//! Whether a register that another call made is still valid.
//!
//! Input: a register, the table, the position of the stack.
//! Output: whether its memory can still be read at a checkpoint, as far as this can be known. It can if the
//! register is a variable or is inside other registered memory.

use crate::manifest::Kind;
use crate::register::memory::pointer_at;
use crate::register::segments::{Segment, Segments};
use crate::register::{Register, Table};

/// `here` is the address of a local of the innermost call, `base` the upper end of the stack.
pub fn is_still_valid(table: &Table, register: &Register, here: usize, base: usize) -> bool {
    match Segments::now(here, base).of(register.address) {
        // Registers on the stack end with their frames.
        Segment::Stack | Segment::Object => true,
        // Allocated memory may have been freed. Registered memory must not have been.
        Segment::Heap => {
            table.live().any(|(_, other)| other.serial != register.serial && holds(other, register.address))
        }
    }
}

/// Whether an address is in the memory of a register.
fn holds(register: &Register, address: usize) -> bool {
    let start = match register.kind {
        Kind::Memory => register.address,
        // SAFETY: the slot of a live register is readable.
        Kind::Pointer => unsafe { pointer_at(register.address) },
    };
    // Between fields there is memory that is not registered.
    register.fields.is_none()
        && start != 0
        && address.checked_sub(start).is_some_and(|offset| offset < register.size_bytes())
}
