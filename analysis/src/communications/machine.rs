//! Runs the program for all processes together, one path at a time.
//!
//! Input: a program and a number of processes.
//! Output: what is in transit at each checkpoint.
//! Postcondition: all processes are at the same operation, except that those of a branch on the rank run one class
//! after the other. This is no restriction: what is in transit depends only on what each process has done. A branch
//! whose condition is not known is followed on both sides. A loop is followed until nothing changes.

use std::collections::{BTreeMap, BTreeSet};

use super::groups::Groups;
use super::input::Input;
use super::relevant::Relevant;
use super::shape::RETURN;
use super::store::Store;
use super::traffic::{Doubt, Traffic};
use super::value::{truth, Constant, Vals};
use super::{Flavour, Outcome};
use crate::program::{Block, BlockId, ProcedureId, Site, Terminator};
use crate::sets::Memory;
use rustc_hash::FxHashMap;

/// All processes at one place.
#[derive(Debug, Clone)]
pub struct State {
    pub store: Store,
    pub traffic: Traffic,
    /// The processes that are here.
    pub mask: Vec<bool>,
    pub allocated: BTreeSet<Memory>,
    /// Each process by itself has decided to come here, and others may be in other iterations of a loop.
    pub is_apart: bool,
}

impl State {
    pub fn is_full(&self) -> bool {
        self.mask.iter().all(|&is_in| is_in)
    }

    pub fn active(&self) -> impl Iterator<Item = usize> + '_ {
        self.mask.iter().enumerate().filter(|(_, &is_in)| is_in).map(|(process, _)| process)
    }

    /// The work of a copy. The memory of a store is copied when it is written again.
    fn copy_cost(&self) -> usize {
        (self.store.size() + self.traffic.size()) / VALUES_PER_BLOCK
    }

    fn agrees(&self, other: &State) -> bool {
        self.mask == other.mask
            && self.allocated == other.allocated
            && self.traffic.agrees(&other.traffic)
            && self.store.equals(&other.store)
    }
}

/// The states that leave a part of a procedure, by the block where they go.
#[derive(Debug, Default)]
pub struct Arrivals(BTreeMap<BlockId, State>);

pub struct Machine<'i, 'p> {
    pub input: &'i Input<'p>,
    pub relevant: &'i Relevant,
    pub count: usize,
    pub groups: Groups,
    pub constants: &'i FxHashMap<Memory, Constant>,
    pub flavour: Flavour,
    pub outcomes: BTreeMap<Site, Outcome>,
    pub stack: Vec<Frame>,
    /// The work that may still be done, in blocks that are followed. Copies of states count, too.
    pub fuel: usize,
    pub assumed: Assumed,
    pub observed: Observed,
    /// The checkpoints that some processes have passed without the others.
    pub partly: BTreeSet<Site>,
    /// Procedures that were called and not followed, with the calls.
    pub not_followed: BTreeMap<ProcedureId, Doubt>,
    /// Branches of loops whose iterations are followed one by one, because processes may pass other numbers of them.
    one_by_one: BTreeSet<(ProcedureId, BlockId)>,
}

/// A call that has not returned.
#[derive(Debug, Clone, Copy)]
pub struct Frame {
    pub procedure: ProcedureId,
    /// Whether control may come to a checkpoint after the return.
    pub is_before_checkpoint: bool,
    /// The number of nested loops with many iterations around the present operation. Loops of callers do not count: a
    /// procedure that is called in such a loop may have loops that communicate.
    pub long_loops: u32,
}

/// What is taken for granted, and must be verified or reported.
#[derive(Debug, Clone, Default)]
pub struct Assumed {
    /// No optional input file exists.
    pub no_input_files: bool,
    /// The only process that sends such a message in the whole run.
    pub senders: BTreeMap<Kind, usize>,
}

/// Messages by communicator, receiver and tag.
pub type Kind = (u32, usize, i64);

/// What the program does on all paths.
#[derive(Debug, Clone, Default)]
pub struct Observed {
    pub senders: BTreeMap<Kind, BTreeSet<usize>>,
    /// Receives from any source.
    pub from_any: BTreeSet<Kind>,
    /// Other messages may be sent, too.
    pub is_incomplete: bool,
}

/// Where control goes after a block.
enum Next {
    Block(BlockId),
    Ends,
    /// Both sides are possible. `same`: all processes take the same one.
    Either {
        same: bool,
        /// The branch decides about a loop of many iterations.
        is_long: bool,
    },
    /// Classes of processes take different sides.
    Classes(Vec<(BlockId, Vec<bool>)>),
}

pub const NOT_KNOWN_WHICH: &str = "it is not known which processes pass this checkpoint";

/// What a condition is in each process that is here, if that is known.
fn decisions(value: &Vals, state: &State) -> Vec<Option<bool>> {
    state.active().map(|process| truth(value.of_process(process))).collect()
}

/// The maximum number of iterations of a loop that are followed one by one.
const ITERATIONS: u32 = 200;
/// The maximum number of rounds until the state at a loop must be stable.
const ROUNDS: usize = 12;
/// The copy of so many values counts as one block. With 8 instead, the main loop of NPB MG (class A, 4 processes) is not
/// proved to be safe any longer.
const VALUES_PER_BLOCK: usize = 32;

impl<'i, 'p> Machine<'i, 'p> {
    pub fn new(
        input: &'i Input<'p>,
        relevant: &'i Relevant,
        constants: &'i FxHashMap<Memory, Constant>,
        count: usize,
        (fuel, assumed): (usize, Assumed),
    ) -> Machine<'i, 'p> {
        Machine {
            input,
            relevant,
            count,
            groups: Groups::new(count),
            constants,
            flavour: super::flavour(input.program),
            outcomes: BTreeMap::new(),
            stack: Vec::new(),
            fuel,
            assumed,
            observed: Observed::default(),
            partly: BTreeSet::new(),
            not_followed: BTreeMap::new(),
            one_by_one: BTreeSet::new(),
        }
    }

    /// Follows the procedure from a block to the stops.
    pub fn walk(&mut self, id: ProcedureId, start: BlockId, state: State, stops: &[BlockId]) -> Arrivals {
        let mut arrivals = Arrivals::default();
        match self.enter(id, start, state, stops, &mut arrivals) {
            Some(after) => self.walk_from_end(id, start, after, stops),
            None => arrivals,
        }
    }

    /// The same from the end of a block.
    fn walk_from_end(
        &mut self,
        id: ProcedureId,
        block: BlockId,
        state: State,
        stops: &[BlockId],
    ) -> Arrivals {
        let mut arrivals = Arrivals::default();
        let mut visits: FxHashMap<BlockId, u32> = FxHashMap::default();
        let (mut at, mut state) = (block, state);
        loop {
            let count = visits.entry(at).or_default();
            *count += 1;
            let found = match self.next(id, at, &state, *count) {
                Next::Block(next) => {
                    at = next;
                    match self.enter(id, at, state, stops, &mut arrivals) {
                        Some(after) => state = after,
                        None => return arrivals,
                    }
                    continue;
                }
                Next::Ends => return arrivals,
                Next::Either { same, is_long } => {
                    self.enter_long_loop(is_long, 1);
                    let arrivals = self.either(id, at, state, stops, same);
                    self.enter_long_loop(is_long, -1);
                    arrivals
                }
                Next::Classes(classes) => self.classes(id, at, state, stops, classes),
            };
            let meeting = self.input.shapes[id.0 as usize].meeting(at);
            let mut next = None;
            for (stop, found) in found.0 {
                if stop == meeting && !stops.contains(&meeting) {
                    next = Some(found);
                } else {
                    self.arrive(&mut arrivals, stop, found, 0, true);
                }
            }
            let Some(found) = next else { return arrivals };
            at = meeting;
            match self.enter(id, at, found, stops, &mut arrivals) {
                Some(after) => state = after,
                None => return arrivals,
            }
        }
    }

    /// The state at the end of a block. None if no process comes there, or if the block is a stop.
    fn enter(
        &mut self,
        id: ProcedureId,
        at: BlockId,
        state: State,
        stops: &[BlockId],
        arrivals: &mut Arrivals,
    ) -> Option<State> {
        if stops.contains(&at) {
            self.arrive(arrivals, at, state, 0, true);
            return None;
        }
        if self.fuel == 0 {
            return None;
        }
        self.fuel -= 1;
        self.operations(id, at, state)
    }

    pub fn returned(arrivals: Arrivals) -> Option<State> {
        arrivals.0.into_iter().find(|(stop, _)| *stop == RETURN).map(|(_, state)| state)
    }

    fn operations(&mut self, id: ProcedureId, block: BlockId, state: State) -> Option<State> {
        let program = self.input.program;
        let mut state = state;
        let content = &program.procedures[id.0 as usize].blocks[block.0 as usize];
        for &at in self.relevant.operations(id, block) {
            let site = Site { procedure: id, block, operation: at };
            let operation = &content.operations[at as usize];
            state = match &operation.kind {
                _ if operation.is_checkpoint() => self.checkpoint(site, state),
                _ => {
                    let doubts = state.traffic.doubts.len();
                    let after = self.operation(site, operation, state)?;
                    self.observed.is_incomplete |= after.traffic.doubts.len() != doubts;
                    after
                }
            };
        }
        Some(state)
    }

    fn next(&mut self, id: ProcedureId, block: BlockId, state: &State, visits: u32) -> Next {
        let program = self.input.program;
        let content = &program.procedures[id.0 as usize].blocks[block.0 as usize];
        let shape = &self.input.shapes[id.0 as usize];
        let (then, otherwise) = match &content.terminator {
            Terminator::Jump(to) | Terminator::Succeeds { then: to, .. } => return Next::Block(*to),
            Terminator::Return => return Next::Block(RETURN),
            Terminator::Stop => return Next::Ends,
            Terminator::Anywhere => return Next::Either { same: false, is_long: false },
            Terminator::Switch(targets) => {
                if !self.relevant.branches(id, block) || targets.len() < 2 {
                    return Next::Block(if targets.len() == 1 { targets[0] } else { shape.meeting(block) });
                }
                let same = state.active().count() == 1 || self.deciding(content, state).is_same();
                return Next::Either { same, is_long: false };
            }
            Terminator::Branch { then, otherwise, .. } => (*then, *otherwise),
        };
        if then == otherwise {
            return Next::Block(then);
        }
        let value = self.deciding(content, state);
        let decided = decisions(&value, state);
        let same = value.is_same() || decided.len() == 1;
        let all = |wanted: bool| decided.iter().all(|one| *one == Some(wanted));
        if !self.relevant.branches(id, block) {
            // Only whether the program ends here matters.
            return match self.relevant.ends(id, block) && (all(true) || all(false)) {
                true => Next::Block(if all(true) { then } else { otherwise }),
                false => Next::Block(shape.meeting(block)),
            };
        }
        let is_long =
            self.relevant.is_loop(id, block) && visits > ITERATIONS || self.is_part_of_long_loop(id, block);
        if all(true) || all(false) {
            let is_followed = self.one_by_one.contains(&(id, block));
            let repeats = self.relevant.has_checkpoint(id, block) && !is_followed || is_long;
            return match repeats {
                true => {
                    Next::Either { same: true, is_long: is_long && self.relevant.only_computes(id, block) }
                }
                false => Next::Block(if all(true) { then } else { otherwise }),
            };
        }
        if let Some(side) = self.only_side(id, block, (then, otherwise), &decided).filter(|_| !same) {
            self.observed.is_incomplete = true;
            return Next::Block(side);
        }
        if decided.iter().all(Option::is_some) && !is_long {
            let class = |wanted: bool| -> Vec<bool> {
                let of = |process: usize| truth(value.of_process(process)) == Some(wanted);
                (0..self.count).map(|process| state.mask[process] && of(process)).collect()
            };
            return Next::Classes(vec![(then, class(true)), (otherwise, class(false))]);
        }
        Next::Either { same, is_long: false }
    }

    /// The value that decides where control goes after a block.
    fn deciding(&self, content: &Block, state: &State) -> Vals {
        match (&content.terminator, &content.condition) {
            (Terminator::Branch { .. } | Terminator::Switch(_), Some(condition)) => {
                self.expression(condition, state)
            }
            (Terminator::Branch { condition: Some(condition), .. }, None) => self.condition(condition, state),
            _ => Vals::different(self.count),
        }
    }

    /// Whether all processes take the same side of the branch.
    fn is_agreed(&self, id: ProcedureId, block: BlockId, state: &State) -> bool {
        let content = &self.input.program.procedures[id.0 as usize].blocks[block.0 as usize];
        let value = self.deciding(content, state);
        let decided = decisions(&value, state);
        let all = |wanted: bool| decided.iter().all(|one| *one == Some(wanted));
        let is_branch = matches!(content.terminator, Terminator::Branch { .. });
        value.is_same() || decided.len() == 1 || is_branch && (all(true) || all(false))
    }

    /// Whether the branch decides about a loop in a loop of many iterations. If such inner loops were followed one by one,
    /// nests over all points of a grid would take most of the time.
    fn is_part_of_long_loop(&self, id: ProcedureId, block: BlockId) -> bool {
        let is_in_long_loop = self.stack.last().is_some_and(|frame| frame.long_loops > 0);
        is_in_long_loop && self.relevant.only_computes(id, block)
    }

    fn enter_long_loop(&mut self, is_long: bool, step: i32) {
        if let (true, Some(frame)) = (is_long, self.stack.last_mut()) {
            frame.long_loops = frame.long_loops.saturating_add_signed(step);
        }
    }

    /// The side of a branch that all processes take which pass another checkpoint. A process that leaves the program passes
    /// none. So no later recovery line is complete without it, and nothing has to be proved for this case.
    fn only_side(
        &self,
        id: ProcedureId,
        block: BlockId,
        (then, otherwise): (BlockId, BlockId),
        decided: &[Option<bool>],
    ) -> Option<BlockId> {
        let is_later = self.stack.last().is_some_and(|frame| frame.is_before_checkpoint);
        let passes = |side| is_later || self.relevant.is_before_checkpoint(id, side);
        let (side, wanted) = match (passes(then), passes(otherwise)) {
            (true, false) => (then, true),
            (false, true) => (otherwise, false),
            _ => return None,
        };
        let may_stay = decided.contains(&None) && !decided.contains(&Some(!wanted));
        (may_stay && !self.relevant.repeats_checkpoint(self.input, id, block)).then_some(side)
    }

    /// Follows all sides of a branch, and a loop until the state at its branch is stable.
    fn either(
        &mut self,
        id: ProcedureId,
        block: BlockId,
        state: State,
        stops: &[BlockId],
        same: bool,
    ) -> Arrivals {
        let shape = &self.input.shapes[id.0 as usize];
        let mut inner = stops.to_vec();
        let meeting = shape.meeting(block);
        inner.extend([meeting, block, RETURN]);
        let before = state.store.stamp();
        let first = state.clone();
        let (mut entry, mut same) = (state, same);
        for round in 0..=ROUNDS {
            if round > 0 && same && !self.is_agreed(id, block, &entry) {
                // The first iterations are the same in all processes, and later ones may not be.
                if self.relevant.has_checkpoint(id, block) && self.one_by_one.insert((id, block)) {
                    inner.retain(|&stop| stop != block);
                    let found = self.walk_from_end(id, block, first, &inner);
                    self.one_by_one.remove(&(id, block));
                    return found;
                }
                same = false;
            }
            if !same {
                if let Some(site) = self.relevant.first_communication(self.input, id, block) {
                    entry.traffic.doubt(
                        site,
                        "whether it is reached is decided by a value that may differ between processes",
                    );
                }
            }
            let mut arrivals = Arrivals::default();
            let mut back = Arrivals::default();
            for &next in &shape.successors[block.0 as usize] {
                self.fuel = self.fuel.saturating_sub(entry.copy_cost());
                for (stop, mut found) in self.walk(id, next, entry.clone(), &inner).0 {
                    if found.is_apart && stop != block {
                        found.store.differ_since(&first.store, before);
                        found.is_apart = first.is_apart || stop != meeting;
                    }
                    let to = if stop == block { &mut back } else { &mut arrivals };
                    self.arrive(to, stop, found, before, same);
                }
            }
            // If all of them come to the meeting, they are together there, and what differs was found where paths joined.
            if !same && arrivals.0.len() + back.0.len() > 1 && arrivals.0.keys().any(|stop| *stop != meeting)
            {
                arrivals.0.values_mut().for_each(|state| state.is_apart = true);
            }
            let Some((_, again)) = back.0.pop_first() else { return arrivals };
            if self.fuel == 0 {
                return arrivals;
            }
            self.fuel -= 1;
            // The branch is at the end of its block.
            let Some(again) = self.operations(id, block, again) else { return arrivals };
            let mut joined = Arrivals::default();
            self.arrive(&mut joined, block, entry.clone(), before, same);
            self.arrive(&mut joined, block, again, before, same);
            let Some((_, next)) = joined.0.pop_first() else { return arrivals };
            let has_new_doubts = next.traffic.doubts != entry.traffic.doubts;
            let has_new_accesses = entry.traffic.clone().add_accesses(&next.traffic);
            if next.agrees(&entry) && !has_new_doubts && !has_new_accesses {
                return arrivals;
            }
            if round == ROUNDS {
                self.observed.is_incomplete = true;
                let site = Site { procedure: id, block, operation: 0 };
                arrivals
                    .0
                    .values_mut()
                    .for_each(|state| state.traffic.doubt(site, "a loop whose values do not settle"));
                return arrivals;
            }
            entry = next;
        }
        Arrivals::default()
    }

    /// Follows each class of processes to the place where they meet.
    fn classes(
        &mut self,
        id: ProcedureId,
        block: BlockId,
        state: State,
        stops: &[BlockId],
        classes: Vec<(BlockId, Vec<bool>)>,
    ) -> Arrivals {
        let meeting = self.input.shapes[id.0 as usize].meeting(block);
        let mut inner = stops.to_vec();
        inner.extend([meeting, RETURN]);
        let mut all = state.mask.clone();
        let mut current = state;
        let mut arrivals = Arrivals::default();
        let site = Site { procedure: id, block, operation: 0 };
        for (next, mask) in classes {
            self.fuel = self.fuel.saturating_sub(current.copy_cost());
            let before = current.clone();
            current.mask = mask.clone();
            let mut found = self.walk(id, next, current, &inner).0;
            if found.is_empty() {
                // These processes end here.
                all.iter_mut().zip(&mask).for_each(|(is_in, &ends)| *is_in &= !ends);
                current = before;
                continue;
            }
            let met = found.remove(&meeting);
            let is_apart = !found.is_empty();
            for (stop, mut state) in found {
                state.mask = all.clone();
                state.traffic.doubt(site, "processes continue at different places");
                self.arrive(&mut arrivals, stop, state, 0, true);
            }
            current = met.unwrap_or(before);
            if is_apart {
                current.traffic.doubt(site, "processes continue at different places");
            }
        }
        if all.iter().any(|&is_in| is_in) {
            current.mask = all;
            if current.is_full() {
                self.converge(site, &mut current);
            }
            self.arrive(&mut arrivals, meeting, current, 0, true);
        }
        arrivals
    }

    /// Another state comes to this place.
    fn arrive(&mut self, arrivals: &mut Arrivals, at: BlockId, mut state: State, before: u64, same: bool) {
        let Some(known) = arrivals.0.get_mut(&at) else {
            arrivals.0.insert(at, state);
            return;
        };
        if known.mask != state.mask {
            let site = known.traffic.first_site().or_else(|| state.traffic.first_site());
            let site = site.unwrap_or(Site { procedure: ProcedureId(0), block: BlockId(0), operation: 0 });
            known.traffic.doubt(site, "processes continue at different places");
            known.mask.iter_mut().zip(&state.mask).for_each(|(mine, &its)| *mine |= its);
        }
        if !known.traffic.agrees(&state.traffic) {
            if let Some(site) = known.traffic.difference(&state.traffic) {
                known.traffic.doubt(site, "what is in transit differs between the paths that meet after it");
            } else if known.traffic.passed != state.traffic.passed {
                let sites = known.traffic.passed.values().chain(state.traffic.passed.values()).flatten();
                let sites: BTreeSet<Site> = sites.copied().collect();
                for site in sites {
                    let reason = NOT_KNOWN_WHICH;
                    known.traffic.doubt(site, reason);
                    // The paths that meet here forget it.
                    self.doubt_checkpoint(site, site, reason);
                }
            }
        }
        for doubt in std::mem::take(&mut state.traffic.doubts) {
            known.traffic.doubt(doubt.site, doubt.reason);
        }
        known.traffic.add_accesses(&state.traffic);
        known.store.join(&state.store, before, same);
        known.allocated.extend(&state.allocated);
        known.is_apart |= state.is_apart;
    }
}
