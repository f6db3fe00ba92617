//! Finds the memory that exists at the checkpoints of a program.
//!
//! Input: summaries. Output: the memory to which a name or a pointer leads at a checkpoint.
//! Postcondition: other memory is not read after a checkpoint before the program has made it anew. This is memory of
//! local variables of procedures that have returned or are not called yet, and heap memory to which only pointers in such
//! memory lead.

use rustc_hash::FxHashSet;

use crate::points_to::MemoryKind;
use crate::program::Lifetime;
use crate::sets::Memory;
use crate::summary::{Mark, Summaries};

/// `None` if only a part of the program is known: then any memory may exist.
pub fn existing_at_checkpoints(summaries: &Summaries) -> Option<FxHashSet<Memory>> {
    let places = &summaries.places;
    if !places.program.whole {
        return None;
    }
    let may_exist = |memory: Memory| match places.points.kind(memory) {
        MemoryKind::Object => match places.program.objects[memory.0 as usize].lifetime {
            Lifetime::Static => true,
            // Its procedure is active at a checkpoint only if it may call one.
            Lifetime::Local(owner) => summaries.may(owner, Mark::Checkpoint),
        },
        MemoryKind::Heap(_)
        | MemoryKind::Code(..)
        | MemoryKind::Target { .. }
        | MemoryKind::Library
        | MemoryKind::Unknown => true,
    };
    // Code without source may have pointers to all escaped memory.
    let all = (0..places.points.count()).map(Memory);
    let mut waiting: Vec<Memory> = all
        .filter(|&memory| !matches!(places.points.kind(memory), MemoryKind::Heap(_)) && may_exist(memory))
        .collect();
    let mut found: FxHashSet<Memory> = waiting.iter().copied().collect();
    while let Some(memory) = waiting.pop() {
        // The unknown memory leads to all escaped memory, and is in the list by itself.
        for offset in places.points.pointers(memory) {
            let targets = places.points.memories_to_unknown(memory, offset).into_iter();
            waiting.extend(targets.filter(|&target| may_exist(target) && found.insert(target)));
        }
    }
    Some(found)
}
