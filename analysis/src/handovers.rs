//! The statements in which a pointer takes over memory from another one, and those that move it within its memory.
//!
//! Input: a program, and the memory that accesses denote. Output: for a register, whether its pointer may take over other
//! memory afterwards; for a pointer, whether it may come to a checkpoint moved.
//! Postcondition: an allocation is no such statement.

use rustc_hash::FxHashSet;

use crate::points_to::Target;
use crate::program::{
    Access, BlockId, Content, Dimension, Directive, Index, Item, OperationKind, Site, Step, Terminator,
    Value, POINTER_BYTES,
};
use crate::registered::Parts;
use crate::sets::{Bytes, Range};
use crate::summary::{Mark, Summaries};

pub struct Handovers<'a> {
    summaries: &'a Summaries<'a>,
    found: Vec<(Site, Range)>,
    /// `p++`, `v = malloc(n) - 1`
    moves: Vec<(Site, Range)>,
}

impl<'a> Handovers<'a> {
    pub fn new(summaries: &'a Summaries<'a>) -> Handovers<'a> {
        let (mut found, mut moves) = (Vec::new(), Vec::new());
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
            let statements = match value {
                Value::Copy(_) | Value::Data | Value::Unknown if may_hold_pointer => &mut found,
                Value::Address(address) if is_inside(address) => &mut moves,
                _ => continue,
            };
            let places = summaries.places.resolve(to, &mut Vec::new());
            let ranges: Bytes = places.into_iter().map(|place| place.range).collect();
            // The pointer may belong to a caller.
            statements.extend(summaries.places.concretize(&ranges).iter().map(|range| (site, range)));
        }
        Handovers { summaries, found, moves }
    }

    /// Whether a pointer in these bytes may be moved, and come to a checkpoint without a new register.
    pub fn may_be_moved(&self, pointers: &Bytes) -> bool {
        let mut own = self.moves.iter().filter(|(_, range)| pointers.overlaps(*range));
        own.any(|(at, _)| self.meets_checkpoint(*at, pointers))
    }

    /// Whether a pointer in these bytes may take over memory after the operation, and is not registered again.
    pub fn comes_after(&self, site: Site, pointers: &Bytes) -> bool {
        let mut own = self.found.iter().filter(|(_, range)| pointers.overlaps(*range));
        let procedure = self.summaries.procedure(site.procedure);
        let mut later: Option<FxHashSet<BlockId>> = None;
        own.any(|(at, _)| {
            let is_later = at.procedure != site.procedure
                || at.block == site.block && at.operation > site.operation
                || later.get_or_insert_with(|| procedure.reached_from(site.block)).contains(&at.block);
            is_later && self.meets_checkpoint(*at, pointers)
        })
    }

    /// Whether control may come from the operation to a checkpoint without a new register of the pointers.
    fn meets_checkpoint(&self, site: Site, pointers: &Bytes) -> bool {
        let first = (site.procedure, site.block, site.operation + 1);
        let (mut waiting, mut seen) = (vec![first], FxHashSet::default());
        while let Some((procedure, block, start)) = waiting.pop() {
            if !seen.insert((procedure, block, start)) {
                continue;
            }
            let blocks = &self.summaries.procedure(procedure).blocks;
            let content = &blocks[block.0 as usize];
            let mut is_registered = false;
            for (operation, one) in content.operations.iter().enumerate().skip(start as usize) {
                let at = Site { procedure, block, operation: operation as u32 };
                match one.directive() {
                    Some(Directive::Checkpoint) => return true,
                    Some(Directive::Register(items)) => is_registered = self.registers(items, pointers),
                    _ if self.may_pass_checkpoint(at) => return true,
                    _ => {}
                }
                if is_registered {
                    break;
                }
            }
            if is_registered {
                continue;
            }
            if let Terminator::Return = content.terminator {
                let callers = self.summaries.places.calls.callers[procedure.0 as usize].iter();
                waiting.extend(callers.map(|caller| (caller.procedure, caller.block, caller.operation + 1)));
            }
            let next = content.terminator.successors(blocks.len());
            waiting.extend(next.into_iter().map(|block| (procedure, block, 0)));
        }
        false
    }

    fn registers(&self, items: &[Item], pointers: &Bytes) -> bool {
        items.iter().any(|item| {
            let slots = Parts::new(&self.summaries.places, item).slot;
            slots.iter().any(|slot| pointers.overlaps(slot.range))
        })
    }

    fn may_pass_checkpoint(&self, site: Site) -> bool {
        let is_call = self.summaries.places.program.operation(site).call().is_some();
        is_call
            && self.summaries.places.calls.targets(site).iter().any(|target| match target {
                Target::Procedure(id) => self.summaries.may(*id, Mark::Checkpoint),
                Target::Outside(_) | Target::Unknown => false,
            })
    }
}

/// Whether this is the address of an element behind a pointer, and perhaps not of the one to which the pointer points.
fn is_inside(address: &Access) -> bool {
    let [.., Step::Dereference, Step::Elements(dimensions)] = &address.path[..] else { return false };
    let is_first = |dimension: &Dimension| matches!(&dimension.index, Index::At(index) if index.as_constant() == Some(0));
    !dimensions.iter().all(is_first)
}
