//! Large local arrays from which a procedure reads what its last call has written.
//!
//! Some compilers make large local variables static: gfortran those of more than 65,536 bytes. Old programs depend on this,
//! although the values are undefined in the standard of Fortran.
//!
//! Input: the paths through the program.
//! Output: the arrays of `Program::kept` that each call reads, on a path on which it has not written them. A call before a
//! checkpoint writes them, and a call after it reads them.
//! Postcondition: a loop that writes an array in any iteration counts as a write, and so does a call that may write it. An array
//! that only some calls read is not reported. So other arrays may be kept as well.

use rustc_hash::FxHashSet;

use crate::natural_loops::NaturalLoops;
use crate::paths::Paths;
use crate::problems::Effect;
use crate::program::{BlockId, Lifetime, ProcedureId, Site, Terminator, VariableId};
use crate::sets::Memory;

/// A value that a compiler may keep from one call to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeptArray {
    pub checkpoint: Site,
    pub variable: VariableId,
    pub read: Site,
    pub written: Site,
}

pub fn kept_arrays(paths: &Paths) -> Vec<KeptArray> {
    let program = paths.summaries.places.program;
    let mut found = Vec::new();
    for &variable in &program.kept {
        let object = program.variables[variable.0 as usize].object;
        let Lifetime::Local(procedure) = program.objects[object.0 as usize].lifetime else { continue };
        let array = LocalArray::new(paths, procedure, Memory(object.0));
        let Some(read) = array.read_before_written() else { continue };
        let checkpoint = array.writes.iter().find_map(|&written| {
            let after = paths.after(written);
            let checkpoints = program.checkpoints().filter(|site| after.contain(*site));
            let lost = checkpoints.filter(|site| array.is_called_after(paths, *site)).min();
            lost.map(|checkpoint| KeptArray { checkpoint, variable, read, written })
        });
        found.extend(checkpoint);
    }
    found
}

/// A local array, with the operations that use it.
struct LocalArray<'a> {
    paths: &'a Paths<'a>,
    procedure: ProcedureId,
    memory: Memory,
    writes: Vec<Site>,
    /// The blocks that read it. The heads of loops that write it count as blocks that write it.
    reading: FxHashSet<BlockId>,
    heads: FxHashSet<BlockId>,
}

impl<'a> LocalArray<'a> {
    fn new(paths: &'a Paths<'a>, procedure: ProcedureId, memory: Memory) -> LocalArray<'a> {
        let mut array = LocalArray {
            paths,
            procedure,
            memory,
            writes: Vec::new(),
            reading: FxHashSet::default(),
            heads: FxHashSet::default(),
        };
        for (block, effects) in (0..).map(BlockId).zip(array.effects()) {
            for (operation, effect) in (0..).zip(effects) {
                if array.is_written(effect) {
                    array.writes.push(Site { procedure, block, operation });
                }
                if array.is_read(effect) {
                    array.reading.insert(block);
                }
            }
        }
        let loops = NaturalLoops::new(paths.summaries.procedure(procedure)).loops;
        let writes = |blocks: &std::collections::BTreeSet<BlockId>| {
            array.writes.iter().any(|site| blocks.contains(&site.block))
        };
        array.heads =
            loops.iter().filter(|natural| writes(&natural.blocks)).map(|natural| natural.head).collect();
        array
    }

    fn effects(&self) -> &'a [Vec<Effect>] {
        self.paths.summaries.effects_of(self.procedure)
    }

    fn is_written(&self, effect: &Effect) -> bool {
        !effect.writes.of(self.memory).is_empty()
    }

    /// A called procedure may write the array before it reads it.
    fn is_read(&self, effect: &Effect) -> bool {
        !effect.reads.of(self.memory).is_empty() && !self.is_written(effect)
    }

    /// A read that a call comes to before it writes, if each call that returns reads.
    fn read_before_written(&self) -> Option<Site> {
        let is_always_read = !self.returns_without_read();
        let first = is_always_read && !self.writes.is_empty();
        first.then(|| self.first_read()).flatten()
    }

    fn first_read(&self) -> Option<Site> {
        let mut waiting = vec![self.paths.summaries.procedure(self.procedure).entry];
        let mut seen = FxHashSet::default();
        while let Some(block) = waiting.pop() {
            if self.heads.contains(&block) || !seen.insert(block) {
                continue;
            }
            let effects = (0..).zip(&self.effects()[block.0 as usize]);
            let mut uses = effects.filter(|(_, effect)| self.is_read(effect) || self.is_written(effect));
            match uses.next() {
                Some((operation, effect)) if self.is_read(effect) => {
                    return Some(Site { procedure: self.procedure, block, operation });
                }
                Some(_) => {}
                None => waiting.extend(self.next(block)),
            }
        }
        None
    }

    fn returns_without_read(&self) -> bool {
        let procedure = self.paths.summaries.procedure(self.procedure);
        let mut waiting = vec![procedure.entry];
        let mut seen = FxHashSet::default();
        while let Some(block) = waiting.pop() {
            if self.reading.contains(&block) || !seen.insert(block) {
                continue;
            }
            if matches!(procedure.blocks[block.0 as usize].terminator, Terminator::Return) {
                return true;
            }
            waiting.extend(self.next(block));
        }
        false
    }

    fn next(&self, block: BlockId) -> Vec<BlockId> {
        let blocks = &self.paths.summaries.procedure(self.procedure).blocks;
        let ends = self.effects()[block.0 as usize].iter().any(|effect| effect.ends);
        if ends {
            return Vec::new();
        }
        blocks[block.0 as usize].terminator.successors(blocks.len())
    }

    fn is_called_after(&self, paths: &Paths, checkpoint: Site) -> bool {
        let after = paths.after(checkpoint);
        let calls = &paths.summaries.places.calls.callers[self.procedure.0 as usize];
        calls.iter().any(|call| after.contain(*call))
    }
}
