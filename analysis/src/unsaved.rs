//! Finds memory that is lost and not registered on the same path.
//!
//! Input: the memory that operations lose, and the memory that is certainly registered. Output: for each
//! point, the memory that some path has written after its last register, or without one.
//! Postcondition: memory that is not in the result is registered, or has its value in a restart, on every path.

use rustc_hash::FxHashMap;

use crate::held::Held;
use crate::points_to::{MemoryKind, Target};
use crate::problems::Effect;
use crate::program::{BlockId, Directive, OperationKind, ProcedureId, Site, Terminator};
use crate::reached::Holders;
use crate::register_state::Registered;
use crate::registered::{targets_of, unregistered, InForce};
use crate::sets::{Bytes, Memory, Range};
use crate::solver::{solve, Direction, Problem};
use crate::summary::Summaries;

/// The memory that a call leaves unsaved, if nothing was registered before it.
pub type Left = FxHashMap<ProcedureId, Bytes>;

pub struct Unsaved<'a> {
    pub registers: InForce<'a>,
    pub effects: &'a [Vec<Effect>],
    pub left: &'a Left,
    pub holders: &'a Holders,
    pub init: Range,
    pub before: &'a Bytes,
}

impl Problem for Unsaved<'_> {
    type State = Option<(Registered, Bytes)>;
    const DIRECTION: Direction = Direction::Forward;

    fn boundary(&self, block: BlockId) -> Option<Self::State> {
        self.registers.boundary(block).map(|state| Some((state?, self.before.clone())))
    }

    fn transfer(&self, block: BlockId, before: &Self::State) -> Self::State {
        let (mut registered, mut unsaved) = before.clone()?;
        let procedure = self.registers.summaries.procedure(self.registers.procedure);
        self.begin(block, &mut registered, &mut unsaved);
        for (operation, content) in procedure.blocks[block.0 as usize].operations.iter().enumerate() {
            let site = Site { procedure: self.registers.procedure, block, operation: operation as u32 };
            self.step(site, &content.kind, &mut registered, &mut unsaved);
            if self.effects[block.0 as usize][operation].ends {
                break;
            }
        }
        Some((registered, unsaved))
    }

    fn join(&self, state: &mut Self::State, other: &Self::State) -> bool {
        match (&mut *state, other) {
            (_, None) => false,
            (None, Some(_)) => {
                *state = other.clone();
                true
            }
            (Some(state), Some(other)) => {
                let mut held = Some(state.0.clone());
                let changed = self.registers.join(&mut held, &Some(other.0.clone()));
                state.0 = held.unwrap_or_default();
                state.1.add(&other.1) | changed
            }
        }
    }
}

impl Unsaved<'_> {
    pub fn begin(&self, block: BlockId, registered: &mut Registered, unsaved: &mut Bytes) {
        self.registers.begin(block, registered);
        let mut made = Registered::default();
        self.registers.begin(block, &mut made);
        self.remove_made(registered, &made, unsaved);
    }

    pub fn step(&self, site: Site, kind: &OperationKind, registered: &mut Registered, unsaved: &mut Bytes) {
        let summaries = self.registers.summaries;
        let effect = &self.effects[site.block.0 as usize][site.operation as usize];
        if effect.certain.covers(self.init) {
            *unsaved = Bytes::default();
        }
        unsaved.subtract(&effect.replayed());
        unsaved.subtract(&effect.restored);
        let before = registered.clone();
        self.registers.step(site, kind, registered);
        let ended = self.ended(site, kind);
        let mut new = self.left_by(site, kind).unwrap_or_else(|| effect.lost.clone());
        if !new.is_empty() {
            let mut held = before.all();
            held.subtract(&ended);
            self.remove(&held, &mut new);
            unsaved.add(&new);
        }
        // This memory is no longer registered.
        unsaved.add(&ended.bytes);
        add_targets(summaries, &ended, unsaved);
        if let OperationKind::Directive(_) | OperationKind::Call(_) = kind {
            let mut made = Registered::default();
            self.registers.step(site, kind, &mut made);
            self.remove_made(registered, &made, unsaved);
        }
    }

    /// Removes what is registered here. What another path has registered before may be unsaved on this one.
    fn remove_made(&self, registered: &Registered, made: &Registered, unsaved: &mut Bytes) {
        if *made != Registered::default() {
            let mut held = registered.all();
            held.bytes = made.all().bytes;
            self.remove(&held, unsaved);
        }
    }

    /// Removes registered memory, and heap memory to which only registered pointers point.
    fn remove(&self, held: &Held, bytes: &mut Bytes) {
        bytes.subtract(&held.bytes);
        let points = &self.registers.summaries.places.points;
        let mut heap: Vec<Memory> = bytes.iter().map(|range| range.memory).collect();
        heap.dedup();
        heap.retain(|memory| matches!(points.kind(*memory), MemoryKind::Heap(_)));
        for memory in heap {
            if self.holders.are_registered(memory, held) {
                bytes.remove_memory(memory);
            }
        }
    }

    /// The memory that a call leaves unsaved. `None` if it is not known, or if this is not a call.
    fn left_by(&self, site: Site, kind: &OperationKind) -> Option<Bytes> {
        let OperationKind::Call(call) = kind else { return None };
        let summaries = self.registers.summaries;
        let effect = &self.effects[site.block.0 as usize][site.operation as usize];
        let mut new = Bytes::default();
        for target in summaries.places.calls.targets(site) {
            let Target::Procedure(callee) = target else { return None };
            for range in self.left.get(callee)?.iter() {
                let places = summaries.at_call(*callee, call, range);
                places.iter().for_each(|place| new.insert(place.range));
            }
        }
        if let Some(result) = &call.result {
            let places = summaries.places.resolve(result, &mut Vec::new());
            places.iter().for_each(|place| new.insert(place.range));
        }
        Some(new.intersect(&effect.lost))
    }

    fn ended(&self, site: Site, kind: &OperationKind) -> Held {
        let summaries = self.registers.summaries;
        let mut ended = Held::default();
        match kind {
            OperationKind::Directive(directive) => {
                if let Directive::Unregister(items) = &**directive {
                    items.iter().for_each(|item| ended.add(&unregistered(&summaries.places, item)));
                }
                if let Directive::Register(_) = &**directive {
                    let mut made = Registered::default();
                    self.registers.step(site, kind, &mut made);
                    ended.bytes = self.registers.replaced(site.procedure, &made.all());
                }
            }
            OperationKind::Call(call) => {
                for target in summaries.places.calls.targets(site) {
                    let Target::Procedure(callee) = target else { continue };
                    let made = &self.registers.of[callee.0 as usize].made;
                    ended.bytes.add(&self.registers.replaced(*callee, made));
                    let below = &self.registers.of[callee.0 as usize].ended;
                    for (from, to) in [
                        (&below.bytes, &mut ended.bytes),
                        (&below.slots, &mut ended.slots),
                        (&below.roots, &mut ended.roots),
                    ] {
                        for range in from.iter() {
                            let places = summaries.at_call(*callee, call, range);
                            places.iter().for_each(|place| to.insert(place.range));
                        }
                    }
                }
            }
            OperationKind::Read(_)
            | OperationKind::Write { .. }
            | OperationKind::Begin(_)
            | OperationKind::Allocate { .. }
            | OperationKind::Free(_)
            | OperationKind::Opaque { .. } => {}
        }
        ended
    }

    /// The memory that is unsaved when the procedure returns, because the registers of its frame end.
    pub fn at_return(&self) -> Bytes {
        let summaries = self.registers.summaries;
        let procedure = summaries.procedure(self.registers.procedure);
        let solution = solve(procedure, self).entering;
        let mut all = Bytes::default();
        for (at, block) in procedure.blocks.iter().enumerate() {
            if let (Terminator::Return, Some(state)) = (&block.terminator, &solution[at]) {
                if let Some((registered, unsaved)) = self.transfer(BlockId(at as u32), state) {
                    all.add(&unsaved);
                    all.add(&registered.framed.bytes);
                    add_targets(summaries, &registered.framed, &mut all);
                }
            }
        }
        all
    }
}

fn add_targets(summaries: &Summaries, held: &Held, bytes: &mut Bytes) {
    for memory in targets_of(summaries, held) {
        bytes.insert(Range { memory, start: 0, end: crate::sets::END });
    }
}
