//! Finds what has changed when a restart replays an execute block.
//!
//! Input: the effects of operations. Output: the memory that the program may change between an execute block and a later
//! checkpoint, and the procedures that may have returned then.
//! Postcondition: at each checkpoint after the block, other memory has the value that it had in the block, and the
//! frames of other procedures still exist.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::live::{callees, top_down, Instrumented};
use crate::problems::Effect;
use crate::program::{
    BlockId, Directive, Item, Lifetime, OperationKind, Procedure, ProcedureId, Site, Step, Terminator,
};
use crate::sets::{Bytes, Range};
use crate::solver::{solve, Direction, Problem};
use crate::summary::{Mark, Summaries};

pub struct Replays<'a> {
    summaries: &'a Summaries<'a>,
    instrumented: &'a Instrumented,
    /// The memory that is changed after the return of a procedure, before a checkpoint. There is no entry if no
    /// checkpoint follows the return.
    after_return: FxHashMap<ProcedureId, Bytes>,
}

impl<'a> Replays<'a> {
    pub fn new(summaries: &'a Summaries<'a>, instrumented: &'a Instrumented) -> Replays<'a> {
        let mut replays = Replays { summaries, instrumented, after_return: FxHashMap::default() };
        let order = top_down(summaries, instrumented);
        // Again, because procedures may be recursive.
        loop {
            let mut has_changed = false;
            for &id in &order {
                replays.at_operations(id, None, |replays, site, later| {
                    let Some(later) = later else { return };
                    for callee in callees(summaries, instrumented, site) {
                        has_changed |= !replays.contains_key(&callee);
                        let changed = summaries.places.concretize(later);
                        has_changed |= replays.entry(callee).or_default().add(&changed);
                    }
                });
            }
            if !has_changed {
                return replays;
            }
        }
    }

    /// The memory that may be changed between an execute block and a checkpoint. `None` if no checkpoint follows.
    pub fn changed_after(&mut self, block: Site, captures: &[Item]) -> Option<Bytes> {
        // A later run of a block without captures takes the place of this one.
        let again = (captures.is_empty() && !self.sets_an_element(block)).then_some(block);
        let mut changed = None;
        self.at_operations(block.procedure, again, |_, site, later| {
            if site == block {
                changed = later.clone();
            }
        });
        changed.map(|changed| self.summaries.places.concretize(&changed))
    }

    /// Whether each run of the block sets an element that is not always the same. Then a later run does not set again what
    /// this one has set.
    fn sets_an_element(&self, begin: Site) -> bool {
        let procedure = self.summaries.procedure(begin.procedure);
        let effects = &self.instrumented[&begin.procedure];
        let within = procedure.blocks[begin.block.0 as usize].within;
        let mut waiting = vec![(begin.block, begin.operation as usize + 1)];
        let mut seen = FxHashSet::default();
        while let Some((block, start)) = waiting.pop() {
            let content = &procedure.blocks[block.0 as usize];
            let mut is_end = false;
            for (number, operation) in content.operations.iter().enumerate().skip(start) {
                if let Some(Directive::EndExecute) = operation.directive() {
                    is_end = true;
                    break;
                }
                let OperationKind::Write { to, .. } = &operation.kind else { continue };
                let effect = &effects[block.0 as usize][number];
                let is_element = to.path.iter().any(|step| matches!(step, Step::Elements(_)));
                let is_certain = effect.writes.iter().all(|range| effect.certain.covers(range));
                // A counted loop in the block can set all elements.
                if is_element && !is_certain && content.within == within {
                    return true;
                }
            }
            if !is_end {
                let next = content.terminator.successors(procedure.blocks.len());
                waiting.extend(next.into_iter().filter(|block| seen.insert(*block)).map(|block| (block, 0)));
            }
        }
        false
    }

    /// Whether the memory is a local variable of a procedure that may have returned at a checkpoint.
    pub fn is_gone(&self, range: Range) -> bool {
        let object = self.summaries.places.program.objects.get(range.memory.0 as usize);
        object.is_some_and(|object| match object.lifetime {
            Lifetime::Local(procedure) => self.after_return.contains_key(&procedure),
            Lifetime::Static => false,
        })
    }

    /// Whether a checkpoint may follow the return of the procedure.
    pub fn continues_after_return(&self, id: ProcedureId) -> bool {
        self.after_return.contains_key(&id)
    }

    /// Calls the function for each operation of the procedure, with what happens after it.
    fn at_operations(
        &mut self,
        id: ProcedureId,
        again: Option<Site>,
        mut visit: impl FnMut(&mut FxHashMap<ProcedureId, Bytes>, Site, &Option<Bytes>),
    ) {
        let procedure = self.summaries.procedure(id);
        let effects: &[Vec<Effect>] = &self.instrumented[&id];
        let after_return = self.after_return.get(&id).cloned();
        let checkpoint = self.summaries.mark(Mark::Checkpoint);
        let problem = Changed { procedure, effects, checkpoint, again, after_return };
        let entering = solve(procedure, &problem).entering;
        for (at, all) in effects.iter().enumerate() {
            let mut later = entering[at].clone().flatten();
            for (operation, effect) in all.iter().enumerate().rev() {
                let site = Site { procedure: id, block: BlockId(at as u32), operation: operation as u32 };
                visit(&mut self.after_return, site, &later);
                problem.before(site.block, operation, effect, &mut later);
            }
        }
    }
}

/// A backward problem: the memory that is changed before a checkpoint. The state `None` means that no checkpoint
/// follows.
struct Changed<'a> {
    procedure: &'a Procedure,
    effects: &'a [Vec<Effect>],
    checkpoint: Range,
    /// What follows this operation does not count before it.
    again: Option<Site>,
    after_return: Option<Bytes>,
}

impl Changed<'_> {
    fn before(&self, block: BlockId, operation: usize, effect: &Effect, later: &mut Option<Bytes>) {
        let is_again = |again: Site| again.block == block && again.operation as usize == operation;
        if effect.ends || self.again.is_some_and(is_again) {
            *later = None;
        }
        if effect.writes.overlaps(self.checkpoint) {
            later.get_or_insert_default();
        }
        if let Some(changed) = later {
            changed.add(&effect.lost);
        }
    }
}

impl Problem for Changed<'_> {
    type State = Option<Bytes>;
    const DIRECTION: Direction = Direction::Backward;

    fn boundary(&self, block: BlockId) -> Option<Option<Bytes>> {
        Some(match self.procedure.blocks[block.0 as usize].terminator {
            Terminator::Return => self.after_return.clone(),
            Terminator::Jump(_)
            | Terminator::Branch { .. }
            | Terminator::Succeeds { .. }
            | Terminator::Switch(_)
            | Terminator::Stop
            | Terminator::Anywhere => None,
        })
    }

    fn transfer(&self, block: BlockId, after: &Option<Bytes>) -> Option<Bytes> {
        let mut later = after.clone();
        for (operation, effect) in self.effects[block.0 as usize].iter().enumerate().rev() {
            self.before(block, operation, effect, &mut later);
        }
        later
    }

    fn join(&self, state: &mut Option<Bytes>, other: &Option<Bytes>) -> bool {
        match (&mut *state, other) {
            (_, None) => false,
            (Some(state), Some(other)) => state.add(other),
            (None, Some(_)) => {
                *state = other.clone();
                true
            }
        }
    }
}
