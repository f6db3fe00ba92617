//! The operations of a program, with their sites.
//!
//! Input: a program. Output: all operations, calls, directives or checkpoints.
//! Postcondition: they are in the order of the program.

use cppc_source::Span;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::program::{
    Argument, BlockId, Call, Directive, Operation, OperationKind, Procedure, ProcedureId, Program, Region,
    Site, Value, TEXT,
};

impl Program {
    /// All operations, in the order of the program.
    pub fn operations(&self) -> impl Iterator<Item = (Site, &Operation)> {
        let procedures = (0..).map(ProcedureId).zip(&self.procedures);
        procedures.flat_map(|(id, procedure)| procedure.operations(id))
    }

    /// All calls, in the order of the program.
    pub fn calls(&self) -> impl Iterator<Item = (Site, Span, &Call)> {
        self.operations().filter_map(|(site, operation)| Some((site, operation.span, operation.call()?)))
    }

    /// The text of an argument that is a literal of C.
    pub fn text(&self, argument: &Argument) -> Option<&str> {
        let Argument::Value(Value::Address(access)) = argument else { return None };
        self.variables[access.root.0 as usize].name.strip_prefix(TEXT)
    }

    /// All directives, in the order of the program.
    pub fn directives(&self) -> impl Iterator<Item = (Site, &Directive)> {
        self.operations().filter_map(|(site, operation)| Some((site, operation.directive()?)))
    }

    /// The procedures that calls of each name mean, also of other entries: the first definition that is not weak.
    pub fn procedures_by_name(&self) -> FxHashMap<&str, ProcedureId> {
        let mut by_name: FxHashMap<&str, ProcedureId> = FxHashMap::default();
        for (id, procedure) in (0..).map(ProcedureId).zip(&self.procedures) {
            let entries = procedure.entries.iter().map(|entry| &*entry.0);
            for name in std::iter::once(&*procedure.name).chain(entries) {
                let known = by_name.entry(name).or_insert(id);
                if self.procedures[known.0 as usize].weak && !procedure.weak {
                    *known = id;
                }
            }
        }
        by_name
    }

    pub fn checkpoints(&self) -> impl Iterator<Item = Site> + '_ {
        self.operations().filter(|(_, operation)| operation.is_checkpoint()).map(|(site, _)| site)
    }

    pub fn operation(&self, site: Site) -> &Operation {
        let block = &self.procedures[site.procedure.0 as usize].blocks[site.block.0 as usize];
        &block.operations[site.operation as usize]
    }
}

impl Procedure {
    /// Its operations, block by block. `id` is its own.
    pub fn operations(&self, id: ProcedureId) -> impl Iterator<Item = (Site, &Operation)> {
        (0..).map(BlockId).zip(&self.blocks).flat_map(move |(block, content)| {
            (0..)
                .zip(&content.operations)
                .map(move |(operation, content)| (Site { procedure: id, block, operation }, content))
        })
    }
}

impl Procedure {
    /// The blocks to which control may come from the end of this one.
    pub fn reached_from(&self, block: BlockId) -> FxHashSet<BlockId> {
        let next = |block: BlockId| self.blocks[block.0 as usize].terminator.successors(self.blocks.len());
        let (mut waiting, mut seen) = (next(block), FxHashSet::default());
        while let Some(block) = waiting.pop() {
            if seen.insert(block) {
                waiting.extend(next(block));
            }
        }
        seen
    }
}

impl Operation {
    pub fn call(&self) -> Option<&Call> {
        match &self.kind {
            OperationKind::Call(call) => Some(call),
            _ => None,
        }
    }

    pub fn is_checkpoint(&self) -> bool {
        matches!(self.directive(), Some(Directive::Checkpoint))
    }

    pub fn directive(&self) -> Option<&Directive> {
        match &self.kind {
            OperationKind::Directive(directive) => Some(directive),
            _ => None,
        }
    }
}

impl Region {
    pub fn contains(&self, block: BlockId, operation: u32) -> bool {
        match (block == self.first.0, block == self.last.0) {
            (true, true) => self.first.1 <= operation && operation < self.last.1,
            (true, false) => self.first.1 <= operation,
            (false, true) => operation < self.last.1,
            (false, false) => self.blocks.contains(&block.0),
        }
    }
}
