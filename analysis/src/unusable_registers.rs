//! Registers of memory that a restart cannot restore.
//!
//! Input: the registers, and where pointers point to.
//! Output: the items, each with the reason.
//! Postcondition: an item is found if some memory that it may save is that of `alloca`, or is saved as bytes and contains a
//! pointer to a variable or to heap memory. The target of such a pointer has another address in the next run.

use crate::nameless::Nameless;
use crate::points_to::MemoryKind;
use crate::program::{Directive, Item};
use crate::registered::targets_of_item;
use crate::sets::Memory;
use crate::summary::Summaries;

/// Why a restart cannot restore memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unusable {
    /// Its type is not known, and it contains pointers.
    PointersInBytes,
    /// It is a part of the stack.
    Stack,
}

/// The items of the program, each with a memory that a restart cannot restore.
pub fn unusable_registers<'a>(summaries: &'a Summaries) -> Vec<(&'a Item, Memory, Unusable)> {
    let registered = summaries.places.program.directives().filter_map(|(_, directive)| match directive {
        Directive::Register(items) => Some(items),
        _ => None,
    });
    let found = |item: &'a Item| {
        let mut targets = targets_of_item(summaries, item).into_iter();
        targets.find_map(|memory| Some((item, memory, unusable(summaries, item, memory)?)))
    };
    registered.flatten().filter_map(found).collect()
}

fn unusable(summaries: &Summaries, item: &Item, memory: Memory) -> Option<Unusable> {
    let points = &summaries.places.points;
    if summaries.nameless(memory) == Some(Nameless::Stack) {
        return Some(Unusable::Stack);
    }
    let is_lost = |target: Memory| matches!(points.kind(target), MemoryKind::Object | MemoryKind::Heap(_));
    let has_pointers = item.is_untyped
        && points
            .pointers(memory)
            .into_iter()
            .any(|offset| points.memories_to_unknown(memory, offset).into_iter().any(is_lost));
    has_pointers.then_some(Unusable::PointersInBytes)
}
