//! The data-flow problems of memory: the memory that is read before it is written, that is written on every
//! path, and that a restart loses.
//!
//! Input: the effects of operations. Output: problems for the solver.

use crate::program::{BlockId, Directive, Item, OperationKind, Procedure, Terminator};
use crate::sets::{Bytes, Range};
use crate::solver::{Direction, Graph, Problem};

/// The effect of an operation. It reads first, and then it writes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Effect {
    pub reads: Bytes,
    /// The memory that it may write.
    pub writes: Bytes,
    /// The memory that it writes outside of execute blocks, or that the execute block captures. A restart does not write it
    /// again, or undoes the write at the end of the block.
    pub lost: Bytes,
    /// The memory that it certainly defines.
    pub certain: Bytes,
    /// Memory that it writes in an execute block, possibly in one of several steps that define all of it.
    pub restored: Bytes,
    /// It does not return.
    pub ends: bool,
}

impl Effect {
    /// Changes the live memory after the operation to that before it.
    pub fn before(&self, live: &mut Bytes) {
        if self.ends {
            *live = Bytes::default();
        }
        live.subtract(&self.certain);
        live.add(&self.reads);
    }

    /// Changes the lost memory before the operation to that after it. `init` is the mark of that directive.
    pub fn lose(&self, lost: &mut Bytes, init: Range) {
        if self.certain.covers(init) {
            *lost = Bytes::default();
        }
        lost.subtract(&self.replayed());
        lost.subtract(&self.restored);
        lost.add(&self.lost);
    }

    /// The memory that it certainly defines in a restart too.
    pub fn replayed(&self) -> Bytes {
        let mut replayed = self.certain.clone();
        replayed.subtract(&self.lost);
        replayed
    }
}

/// A sequence of operations as one.
#[derive(Debug, Clone, Default)]
pub struct Composed {
    /// Read before it is certainly written.
    reads: Bytes,
    certain: Bytes,
    ends: bool,
}

impl Composed {
    pub fn new(effects: &[Effect]) -> Composed {
        let mut all = Composed::default();
        for effect in effects {
            let mut reads = effect.reads.clone();
            reads.subtract(&all.certain);
            all.reads.add(&reads);
            all.certain.add(&effect.certain);
            if effect.ends {
                all.ends = true;
                break;
            }
        }
        all
    }

    pub fn before(&self, after: &Bytes) -> Bytes {
        let mut live = if self.ends { Bytes::default() } else { after.clone() };
        live.subtract(&self.certain);
        live.add(&self.reads);
        live
    }

    /// The memory that is written on every path. `None` if no path returns.
    pub fn certain_before(&self, after: &Option<Bytes>) -> Option<Bytes> {
        let mut certain = after.clone().filter(|_| !self.ends)?;
        certain.add(&self.certain);
        Some(certain)
    }
}

/// A backward problem: the memory that is read later before it is certainly written.
pub struct Exposed<'e> {
    pub procedure: &'e Procedure,
    pub blocks: &'e [Composed],
    /// The memory that is read after the procedure has returned.
    pub after: &'e Bytes,
}

impl Problem for Exposed<'_> {
    type State = Bytes;
    const DIRECTION: Direction = Direction::Backward;

    fn boundary(&self, block: BlockId) -> Option<Bytes> {
        match self.procedure.blocks[block.0 as usize].terminator {
            Terminator::Return => Some(self.after.clone()),
            Terminator::Jump(_)
            | Terminator::Branch { .. }
            | Terminator::Succeeds { .. }
            | Terminator::Switch(_)
            | Terminator::Stop
            | Terminator::Anywhere => Some(Bytes::default()),
        }
    }

    fn transfer(&self, block: BlockId, after: &Bytes) -> Bytes {
        self.blocks[block.0 as usize].before(after)
    }

    fn join(&self, state: &mut Bytes, other: &Bytes) -> bool {
        state.add(other)
    }
}

/// A backward problem: the memory that is written on every path to the return. The state `None` means that no
/// path returns.
pub struct Certain<'e> {
    pub procedure: &'e Procedure,
    pub blocks: &'e [Composed],
}

impl Problem for Certain<'_> {
    type State = Option<Bytes>;
    const DIRECTION: Direction = Direction::Backward;

    fn boundary(&self, block: BlockId) -> Option<Option<Bytes>> {
        match self.procedure.blocks[block.0 as usize].terminator {
            Terminator::Return => Some(Some(Bytes::default())),
            Terminator::Jump(_)
            | Terminator::Branch { .. }
            | Terminator::Succeeds { .. }
            | Terminator::Switch(_)
            | Terminator::Stop
            | Terminator::Anywhere => Some(None),
        }
    }

    fn transfer(&self, block: BlockId, after: &Option<Bytes>) -> Option<Bytes> {
        self.blocks[block.0 as usize].certain_before(after)
    }

    fn join(&self, state: &mut Option<Bytes>, other: &Option<Bytes>) -> bool {
        let joined = meet(state.clone(), other.clone(), |a, b| a.intersect(b));
        let changed = joined != *state;
        *state = joined;
        changed
    }
}

/// The meet of two states, where `None` is the greatest.
pub fn meet<T>(a: Option<T>, b: Option<T>, both: impl Fn(&T, &T) -> T) -> Option<T> {
    match (a, b) {
        (Some(a), Some(b)) => Some(both(&a, &b)),
        (a, b) => a.or(b),
    }
}

/// A forward problem: the memory whose value a restart would not have, unless it is registered.
pub struct Lost<'e> {
    pub entry: BlockId,
    pub before: &'e Bytes,
    pub effects: &'e [Vec<Effect>],
    pub init: Range,
}

impl Problem for Lost<'_> {
    type State = Bytes;
    const DIRECTION: Direction = Direction::Forward;

    fn boundary(&self, block: BlockId) -> Option<Bytes> {
        (block == self.entry).then(|| self.before.clone())
    }

    fn transfer(&self, block: BlockId, before: &Bytes) -> Bytes {
        let mut lost = before.clone();
        for effect in &self.effects[block.0 as usize] {
            effect.lose(&mut lost, self.init);
            if effect.ends {
                break;
            }
        }
        lost
    }

    fn join(&self, state: &mut Bytes, other: &Bytes) -> bool {
        state.add(other)
    }
}

/// An execute block.
#[derive(Debug, Clone, Copy)]
pub struct Execute<'p> {
    pub captures: &'p [Item],
    /// A restart opens a file in it again, and does not restore the file.
    pub leaves_files: bool,
}

/// For each block that begins inside an execute block, that execute block.
pub fn execute_blocks(procedure: &Procedure) -> Vec<Option<Execute<'_>>> {
    let graph = Graph::new(procedure);
    let mut inside = vec![None; procedure.blocks.len()];
    for &block in graph.postorder.iter().rev() {
        let mut execute = inside[block.0 as usize];
        for operation in &procedure.blocks[block.0 as usize].operations {
            execute = execute_after(execute, &operation.kind);
        }
        for next in &graph.successors[block.0 as usize] {
            inside[next.0 as usize] = inside[next.0 as usize].or(execute);
        }
    }
    inside
}

/// The execute block that the next operation is in.
pub fn execute_after<'p>(before: Option<Execute<'p>>, kind: &'p OperationKind) -> Option<Execute<'p>> {
    match kind {
        OperationKind::Directive(directive) => match &**directive {
            Directive::BeginExecute { captures, has_files, on_restart, .. } => {
                Some(Execute { captures, leaves_files: !has_files && !on_restart })
            }
            Directive::EndExecute => None,
            Directive::Init
            | Directive::Shutdown
            | Directive::Checkpoint
            | Directive::Register(_)
            | Directive::Unregister(_) => before,
        },
        OperationKind::Read(_)
        | OperationKind::Write { .. }
        | OperationKind::Begin(_)
        | OperationKind::Allocate { .. }
        | OperationKind::Free(_)
        | OperationKind::Call(_)
        | OperationKind::Opaque { .. } => before,
    }
}
