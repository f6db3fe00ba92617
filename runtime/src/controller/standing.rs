//! Whether a register that another call made is still of use.
//!
//! In: a register, the table, where the stack is. Out: the answer. Holds afterwards: one that stands can be read
//! at a checkpoint as far as anybody can know: it is a variable, or lies in other registered memory.

use crate::manifest::Kind;
use crate::register::memory::pointer_at;
use crate::register::whereabouts::{Segment, Segments};
use crate::register::{Register, Table};

/// `here` is the address of a local of the innermost call, `base` the upper end of the stack.
pub fn stands(table: &Table, register: &Register, here: usize, base: usize) -> bool {
    match Segments::now(here, base).of(register.address) {
        // Those of the stack end with their frames.
        Segment::Stack | Segment::Object => true,
        // What was allocated may have been freed; what is registered must not have been.
        Segment::Heap => table.live().any(|(_, other)| other.serial != register.serial && holds(other, register.address)),
    }
}

/// Whether an address lies in the memory of a register.
fn holds(register: &Register, address: usize) -> bool {
    let start = match register.kind {
        Kind::Memory => register.address,
        // SAFETY: the slot of a live register is readable.
        Kind::Pointer => unsafe { pointer_at(register.address) },
    };
    start != 0 && address.checked_sub(start).is_some_and(|offset| offset < register.size_bytes())
}
