//! Runs the program for all processes together, one path at a time.
//!
//! Input: a program and a number of processes.
//! Output: what is in transit at each checkpoint.
//! Postcondition: all processes are at the same operation, except that those of a branch on the rank run one class
//! after the other. This is no restriction: what is in transit depends only on what each process has done. A branch
//! whose condition is not known is followed on both sides. A loop is followed until nothing changes.

use std::collections::{BTreeMap, BTreeSet};

use super::groups::Groups;
use super::relevant::{Input, Relevant};
use super::shape::RETURN;
use super::store::Store;
use super::traffic::{Doubt, Traffic, Transit};
use super::value::{truth, Constant, Vals};
use super::{Evidence, Flavour, Outcome};
use crate::program::{BlockId, Directive, OperationKind, ProcedureId, Site, Terminator};
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

/// The maximum number of iterations of a loop that are followed one by one.
const ITERATIONS: u32 = 200;
/// The maximum number of rounds until the state at a loop must be stable.
const ROUNDS: usize = 12;
/// The copy of so many values counts as one block. With 8 instead, the main loop of NPB MG (class A, 4 processes) is not
/// proved to be safe any longer.
const VALUES_PER_BLOCK: usize = 32;

impl Machine<'_, '_> {
    /// Follows the procedure from a block to the stops.
    pub fn walk(&mut self, id: ProcedureId, start: BlockId, state: State, stops: &[BlockId]) -> Arrivals {
        let mut arrivals = Arrivals::default();
        let mut visits: FxHashMap<BlockId, u32> = FxHashMap::default();
        let (mut at, mut state) = (start, state);
        loop {
            if stops.contains(&at) {
                self.arrive(&mut arrivals, at, state, 0, true);
                return arrivals;
            }
            if self.fuel == 0 {
                return arrivals;
            }
            self.fuel -= 1;
            match self.operations(id, at, state) {
                Some(after) => state = after,
                None => return arrivals,
            }
            let count = visits.entry(at).or_default();
            *count += 1;
            let found = match self.next(id, at, &state, *count) {
                Next::Block(next) => {
                    at = next;
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
            match next {
                Some(found) => (at, state) = (meeting, found),
                None => return arrivals,
            }
        }
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
                OperationKind::Directive(directive) if matches!(**directive, Directive::Checkpoint) => {
                    self.checkpoint(site, state)
                }
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
        let (then, otherwise, condition) = match &content.terminator {
            Terminator::Jump(to) | Terminator::Succeeds { then: to, .. } => return Next::Block(*to),
            Terminator::Return => return Next::Block(RETURN),
            Terminator::Stop => return Next::Ends,
            Terminator::Anywhere => return Next::Either { same: false, is_long: false },
            Terminator::Switch(targets) => {
                if !self.relevant.branches(id, block) || targets.len() < 2 {
                    return Next::Block(if targets.len() == 1 { targets[0] } else { shape.meeting(block) });
                }
                let selected = content.condition.as_ref().map(|condition| self.expression(condition, state));
                let active = state.active().count();
                let same = active == 1 || selected.is_some_and(|value| value.is_same());
                return Next::Either { same, is_long: false };
            }
            Terminator::Branch { condition, then, otherwise } => (*then, *otherwise, condition),
        };
        if then == otherwise {
            return Next::Block(then);
        }
        let value = match (condition, &content.condition) {
            (Some(condition), _) => self.condition(condition, state),
            (None, Some(condition)) => self.expression(condition, state),
            (None, None) => Vals::different(self.count),
        };
        let decided: Vec<Option<bool>> =
            state.active().map(|process| truth(value.of_process(process))).collect();
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
            let repeats = self.relevant.has_checkpoint(id, block) || is_long;
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
        inner.extend([shape.meeting(block), block, RETURN]);
        let before = state.store.stamp();
        let mut entry = state;
        if !same {
            if let Some(site) = self.relevant.first_communication(self.input, id, block) {
                entry.traffic.doubt(
                    site,
                    "whether it is reached is decided by a value that may differ between processes",
                );
            }
        }
        for round in 0..=ROUNDS {
            let mut arrivals = Arrivals::default();
            let mut back = Arrivals::default();
            for &next in &shape.successors[block.0 as usize] {
                self.fuel = self.fuel.saturating_sub(entry.copy_cost());
                for (stop, found) in self.walk(id, next, entry.clone(), &inner).0 {
                    let to = if stop == block { &mut back } else { &mut arrivals };
                    self.arrive(to, stop, found, before, same);
                }
            }
            let Some((_, again)) = back.0.pop_first() else { return arrivals };
            let mut joined = Arrivals::default();
            self.arrive(&mut joined, block, entry.clone(), before, same);
            self.arrive(&mut joined, block, again, before, same);
            let Some((_, next)) = joined.0.pop_first() else { return arrivals };
            let has_new_doubts = next.traffic.doubts != entry.traffic.doubts;
            if next.agrees(&entry) && !has_new_doubts {
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

    /// All processes are at the same place again: they must have passed the same checkpoints.
    fn converge(&mut self, site: Site, state: &mut State) {
        if state.traffic.passed.is_empty() {
            return;
        }
        let passed = std::mem::take(&mut state.traffic.passed);
        let of = |process: usize| passed.get(&process).map_or(&[][..], |sites| sites);
        let lists: Vec<&[Site]> = (0..self.count).map(of).collect();
        let first = passed.values().flatten().next().copied().unwrap_or(site);
        let Some(other) = lists.iter().position(|list| list.len() != lists[0].len()) else {
            let sites: BTreeSet<Site> = passed.values().flatten().copied().collect();
            for site in sites {
                state.traffic.doubt(site, "processes pass this checkpoint in different branches");
                self.note(site, Outcome::Unknown(state.traffic.doubts.clone()));
            }
            return;
        };
        let evidence = Evidence::NotAll {
            passes: if lists[0].len() > lists[other].len() { 0 } else { other },
            skips: if lists[0].len() > lists[other].len() { other } else { 0 },
            branch: site,
        };
        let outcome = match state.traffic.doubts.is_empty() {
            true => Outcome::Unsafe(evidence),
            false => Outcome::Unknown(state.traffic.doubts.clone()),
        };
        self.note(first, outcome);
        state.traffic.doubt(first, "not all processes pass this checkpoint");
    }

    fn checkpoint(&mut self, site: Site, mut state: State) -> State {
        if !state.is_full() {
            let active: Vec<usize> = state.active().collect();
            for process in active {
                let list = state.traffic.passed.entry(process).or_default();
                list.push(site);
                if list.len() > 64 {
                    state.traffic.doubt(site, "processes pass this checkpoint in different branches");
                    return state;
                }
            }
            return state;
        }
        let outcome = match state.traffic.transit() {
            Transit::Quiet => Outcome::Safe,
            Transit::Unknown => {
                let mut doubts = state.traffic.doubts.clone();
                if let Some(message) = state.traffic.receive_from_any() {
                    let reason =
                        "a receive from any source, and no synchronisation of all processes after it";
                    doubts.insert(Doubt { site: message.site, reason: reason.to_owned() });
                }
                Outcome::Unknown(doubts)
            }
            Transit::Sent(channel, message) => Outcome::Unsafe(Evidence::Sent(channel, message)),
            Transit::Awaited(channel, message) => Outcome::Unsafe(Evidence::Awaited(channel, message)),
            Transit::Request(process, opened) => Outcome::Unsafe(Evidence::Request(process, opened)),
            Transit::Epoch(process, opened) => Outcome::Unsafe(Evidence::Epoch(process, opened)),
        };
        self.note(site, outcome);
        state
    }

    fn note(&mut self, site: Site, outcome: Outcome) {
        let known = self.outcomes.remove(&site);
        let worse = match (known, outcome) {
            (None, outcome) => outcome,
            (Some(Outcome::Unsafe(evidence)), _) | (_, Outcome::Unsafe(evidence)) => {
                Outcome::Unsafe(evidence)
            }
            (Some(Outcome::Unknown(mut doubts)), Outcome::Unknown(more)) => {
                doubts.extend(more);
                Outcome::Unknown(doubts)
            }
            (Some(Outcome::Unknown(doubts)), Outcome::Safe | Outcome::SafeWithout(_))
            | (Some(Outcome::Safe | Outcome::SafeWithout(_)), Outcome::Unknown(doubts)) => {
                Outcome::Unknown(doubts)
            }
            (Some(Outcome::Safe | Outcome::SafeWithout(_)), Outcome::Safe | Outcome::SafeWithout(_)) => {
                Outcome::Safe
            }
        };
        self.outcomes.insert(site, worse);
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
                    let reason = "it is not known which processes pass this checkpoint";
                    known.traffic.doubt(site, reason);
                    // The paths that meet here forget it.
                    self.note(
                        site,
                        Outcome::Unknown(BTreeSet::from([Doubt { site, reason: reason.to_owned() }])),
                    );
                }
            }
        }
        for doubt in std::mem::take(&mut state.traffic.doubts) {
            known.traffic.doubt(doubt.site, doubt.reason);
        }
        known.store.join(&state.store, before, same);
        known.allocated.extend(&state.allocated);
    }
}
