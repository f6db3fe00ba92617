//! Finds the memory that a program can still reach at its checkpoints.
//!
//! Input: summaries. Output: the memory that exists at a checkpoint, and to which a name or a pointer leads.
//! Postcondition: other memory is not read after a checkpoint before the program has made it anew. This is memory of
//! local variables of procedures that have returned or are not called yet, and heap memory to which only pointers in such
//! memory lead.

use rustc_hash::FxHashSet;

use crate::points_to::MemoryKind;
use crate::program::Lifetime;
use crate::sets::Memory;
use crate::summary::{Mark, Summaries};

/// `None` if only a part of the program is known: then any memory may be reached.
pub fn reachable_at_checkpoints(summaries: &Summaries) -> Option<FxHashSet<Memory>> {
    let places = &summaries.places;
    if !places.program.whole {
        return None;
    }
    let exists = |memory: Memory| match places.points.kind(memory) {
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
        .filter(|&memory| !matches!(places.points.kind(memory), MemoryKind::Heap(_)) && exists(memory))
        .collect();
    let mut found: FxHashSet<Memory> = waiting.iter().copied().collect();
    while let Some(memory) = waiting.pop() {
        let targets = places.points.reachable(memory).into_iter();
        waiting.extend(targets.filter(|&target| exists(target) && found.insert(target)));
    }
    Some(found)
}
