//! The statements in which a pointer takes over memory from another one.
//!
//! Input: a program, and the memory that accesses denote. Output: for a register, whether its pointer may take over other
//! memory afterwards.
//! Postcondition: an allocation is no such statement.

use rustc_hash::FxHashSet;

use crate::program::{BlockId, Content, OperationKind, Site, Value, POINTER_BYTES};
use crate::sets::{Bytes, Range};
use crate::summary::Summaries;

pub struct Handovers<'a> {
    summaries: &'a Summaries<'a>,
    found: Vec<(Site, Range)>,
}

impl<'a> Handovers<'a> {
    pub fn new(summaries: &'a Summaries<'a>) -> Handovers<'a> {
        let mut found = Vec::new();
        for (site, operation) in summaries.places.program.operations() {
            let OperationKind::Write { to, value } = &operation.kind else { continue };
            let may_hold_pointer = match to.content {
                Content::Pointer => true,
                Content::Record | Content::Unknown => to.size.is_none_or(|size| size >= POINTER_BYTES),
                Content::Integer { .. }
                | Content::Data
                | Content::Descriptor
                | Content::Reference { .. }
                | Content::Handle(_) => false,
            };
            if may_hold_pointer && matches!(value, Value::Copy(_) | Value::Data | Value::Unknown) {
                let places = summaries.places.resolve(to, &mut Vec::new());
                found.extend(places.into_iter().map(|place| (site, place.range)));
            }
        }
        Handovers { summaries, found }
    }

    /// Whether a pointer in these bytes may take over memory after the operation.
    pub fn comes_after(&self, site: Site, pointers: &Bytes) -> bool {
        let own = self.found.iter().filter(|(_, range)| pointers.overlaps(*range));
        let mut later: Option<FxHashSet<BlockId>> = None;
        own.into_iter().any(|(at, _)| {
            at.procedure != site.procedure
                || at.block == site.block && at.operation > site.operation
                || later.get_or_insert_with(|| self.reached(site)).contains(&at.block)
        })
    }

    /// The blocks to which control may come from the end of the block.
    fn reached(&self, site: Site) -> FxHashSet<BlockId> {
        let blocks = &self.summaries.procedure(site.procedure).blocks;
        let next = |block: BlockId| blocks[block.0 as usize].terminator.successors(blocks.len());
        let (mut waiting, mut seen) = (next(site.block), FxHashSet::default());
        while let Some(block) = waiting.pop() {
            if seen.insert(block) {
                waiting.extend(next(block));
            }
        }
        seen
    }
}
