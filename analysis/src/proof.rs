//! Removes reads for which array regions prove that they see only values that were written after a point.
//!
//! Input: the effects of a procedure, and a point in it. Output: the effects without these reads.
//! Postcondition: a read stays unless each byte that it may read was certainly written on every path from the
//! point to it.

use std::cell::RefCell;

use rustc_hash::FxHashMap;

use crate::points_to::MemoryKind;
use crate::problems::{Composed, Effect, Exposed};
use crate::program::{BlockId, ObjectId, OperationKind, Program, Site};
use crate::region::{Effects, Exposure, Regions};
use crate::sets::{Bytes, Memory};
use crate::solver::solve;
use crate::summary::Summaries;

/// The maximum number of operations of a procedure for which proofs are tried.
const OPERATIONS: usize = 20_000;

pub struct Proofs<'p> {
    /// As the front ends made it, without copies of blocks.
    program: &'p Program,
    regions: Regions<'p>,
    /// For each operation that reads through a pointer, what it may read. None if that is not known.
    origins: RefCell<FxHashMap<Site, Option<Bytes>>>,
}

impl<'p> Proofs<'p> {
    pub fn new(program: &'p Program, effects: &'p dyn Effects) -> Proofs<'p> {
        Proofs { program, regions: Regions::new(program, effects), origins: RefCell::default() }
    }

    /// The memory that is live after the operation in its procedure. `after`: the same without proofs.
    pub fn live(&self, summaries: &Summaries, from: Site, effects: &[Vec<Effect>], after: &Bytes) -> Bytes {
        let operations: usize = effects.iter().map(Vec::len).sum();
        if after.is_empty() || operations > OPERATIONS {
            return after.clone();
        }
        let Some(effects) = self.remaining(summaries, from, effects) else { return after.clone() };
        let procedure = summaries.procedure(from.procedure);
        let blocks: Vec<_> = effects.iter().map(|effects| Composed::new(effects)).collect();
        let none = Bytes::default();
        let solution = solve(procedure, &Exposed { procedure, blocks: &blocks, after: &none });
        let at = from.block.0 as usize;
        let mut live = solution.entering[at].clone().unwrap_or_default();
        for effect in effects[at][from.operation as usize + 1..].iter().rev() {
            effect.before(&mut live);
        }
        live
    }

    /// The effects after the operation, without reads of memory that was written since. `None` if nothing is
    /// proved.
    pub fn remaining(
        &self,
        summaries: &Summaries,
        from: Site,
        effects: &[Vec<Effect>],
    ) -> Option<Vec<Vec<Effect>>> {
        let original = &self.program.procedures[from.procedure.0 as usize];
        let start = Site { block: original.original(from.block), ..from };
        let exposure = self.regions.after(&[start]).pop()?;
        if exposure.everything {
            return None;
        }
        let procedure = summaries.procedure(from.procedure);
        let mut effects = effects.to_vec();
        for (at, block) in procedure.blocks.iter().enumerate() {
            for (operation, content) in block.operations.iter().enumerate() {
                let proved = match &content.kind {
                    OperationKind::Read(_)
                    | OperationKind::Write { .. }
                    | OperationKind::Free(_)
                    | OperationKind::Call(_) => true,
                    // Regions have no reads of these.
                    OperationKind::Begin(_)
                    | OperationKind::Allocate { .. }
                    | OperationKind::Directive(_)
                    | OperationKind::Opaque { .. } => false,
                };
                if !proved {
                    continue;
                }
                let block = original.original(BlockId(at as u32));
                let site = Site { procedure: from.procedure, block, operation: operation as u32 };
                let reads = &mut effects[at][operation].reads;
                let covered: Vec<_> = reads
                    .iter()
                    .filter(|range| !self.may_read(summaries, &exposure, site, range.memory))
                    .collect();
                covered.into_iter().for_each(|range| reads.remove(range));
            }
        }
        Some(effects)
    }

    fn may_read(&self, summaries: &Summaries, exposure: &Exposure, site: Site, memory: Memory) -> bool {
        let reaches = |origin: Site| self.reaches(summaries, origin, memory);
        match summaries.places.points.kind(memory) {
            MemoryKind::Object => {
                exposure.may_read(summaries.places.program, site, ObjectId(memory.0), &reaches)
            }
            MemoryKind::Heap(_) => exposure.may_read_target(site, &reaches),
            MemoryKind::Target { .. } => exposure.may_read_target(site, &|_| true),
            MemoryKind::Code(..) | MemoryKind::Library | MemoryKind::Unknown => true,
        }
    }

    /// Whether the operation may read the memory, by what its pointers may point to.
    fn reaches(&self, summaries: &Summaries, origin: Site, memory: Memory) -> bool {
        let mut origins = self.origins.borrow_mut();
        let read = origins.entry(origin).or_insert_with(|| {
            let blocks = summaries.effects_of(origin.procedure);
            let effect = blocks.get(origin.block.0 as usize)?.get(origin.operation as usize)?;
            Some(summaries.places.concretize(&effect.reads))
        });
        let points = &summaries.places.points;
        read.as_ref().is_none_or(|read| {
            read.iter().any(|range| {
                range.memory == memory || matches!(points.kind(range.memory), MemoryKind::Unknown)
            })
        })
    }
}
