//! Finds the memory that each frame on the path to a checkpoint must have registered.
//!
//! Input: summaries, and the memory that a restart loses. Output: memory that is read after a checkpoint, is
//! lost in a restart, and is not registered.
//! Postcondition: each call of a procedure is considered separately. Memory that one caller needs does not
//! count for another one. Registers are subtracted in the frame that makes them.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use crate::effects::Assumptions;
use crate::live::{callees, Instrumented};
use crate::natural_loops::NaturalLoops;
use crate::points_to::MemoryKind;
use crate::problems::{meet, Certain, Composed, Effect, Exposed};
use crate::program::{BlockId, Call, Directive, OperationKind, ProcedureId, Site};
use crate::proof::Proofs;
use crate::reached::{argument_slots, Pointers, Reached, Saves};
use crate::register_sizes::{Gap, RegisterSizes};
use crate::registered::{Held, InForce, Registered};
use crate::restored::Restored;
use crate::sets::{Bytes, Memory, Range};
use crate::solver::{solve, solve_graph};
use crate::summary::{Mark, Summaries};

/// For each checkpoint, the memory that is needed there.
pub type Needs = BTreeMap<Site, Need>;

#[derive(Debug, Clone, Default)]
pub struct Need {
    pub bytes: Bytes,
    pub reached: Reached,
    /// Pointers that a replayed call evaluates again.
    passed: Bytes,
}

/// Memory that a restart does not restore.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Missing {
    pub checkpoint: Site,
    /// The checkpoint, or the call in the frame that has the memory.
    pub frame: Site,
    pub range: Range,
    /// For heap memory: a pointer whose target is not saved.
    pub pointer: Option<Range>,
    /// A register saves the memory, but perhaps not all of it.
    pub gap: Option<Gap>,
    /// A restart evaluates the memory again here, before a later register restores it.
    pub evaluation: Option<Site>,
}

pub struct Frames<'a> {
    pub summaries: &'a Summaries<'a>,
    pub instrumented: &'a Instrumented,
    pub restored: &'a Restored,
    pub proofs: Option<&'a Proofs<'a>>,
    /// The pointers whose targets callers still have to save.
    pointers: &'a Pointers,
    sizes: &'a RegisterSizes,
    unmet: FxHashMap<ProcedureId, Needs>,
    /// The memory that is certainly registered at a checkpoint, by the procedure and by those that it calls
    /// on the path.
    held: FxHashMap<ProcedureId, BTreeMap<Site, Held>>,
    /// The memory that is certainly written between each checkpoint below and the return.
    shield: FxHashMap<ProcedureId, Bytes>,
}

impl<'a> Frames<'a> {
    pub fn new(
        summaries: &'a Summaries<'a>,
        instrumented: &'a Instrumented,
        restored: &'a Restored,
        pointers: &'a Pointers,
        sizes: &'a RegisterSizes,
        proofs: Option<&'a Proofs<'a>>,
    ) -> Frames<'a> {
        let (unmet, held, shield) = (FxHashMap::default(), FxHashMap::default(), FxHashMap::default());
        Frames { summaries, instrumented, restored, proofs, pointers, sizes, unmet, held, shield }
    }

    /// The memory that is not restored, in the order of procedures.
    pub fn missing(mut self) -> Vec<Missing> {
        let mut missing = BTreeSet::new();
        for component in &self.summaries.places.calls.components {
            let rounds = if component.len() == 1 && !self.summaries.places.calls.recursive(component[0]) {
                1
            } else {
                component.len() + 2
            };
            for _ in 0..rounds {
                for &id in component {
                    if self.instrumented.contains_key(&id) && self.summaries.may(id, Mark::Checkpoint) {
                        self.procedure(id, &mut missing);
                    }
                }
            }
        }
        missing.into_iter().collect()
    }

    fn procedure(&mut self, id: ProcedureId, missing: &mut BTreeSet<Missing>) {
        let (procedure, effects) = (self.summaries.procedure(id), &self.instrumented[&id]);
        let blocks: Vec<_> = effects.iter().map(|effects| Composed::new(effects)).collect();
        let (none, empty) = (Bytes::default(), Registered::default());
        let live = solve(procedure, &Exposed { procedure, blocks: &blocks, after: &none }).entering;
        let certain = solve(procedure, &Certain { procedure, blocks: &blocks }).entering;
        let problem = InForce {
            summaries: self.summaries,
            of: &self.restored.registers,
            procedure: id,
            before: &empty,
        };
        let held = solve(procedure, &problem).entering;
        let first = match self.summaries.assumptions {
            // The first run of a checkpoint in a loop comes before the registers that follow it in the loop.
            Assumptions::Usual => {
                solve_graph(&NaturalLoops::new(procedure).one_iteration(), &problem).entering
            }
            Assumptions::Worst => held.clone(),
        };
        let mut unmet = Needs::new();
        let mut saved: BTreeMap<Site, Held> = BTreeMap::new();
        let mut shield: Option<Bytes> = None;
        for (at, block) in procedure.blocks.iter().enumerate() {
            let Some(Some(mut registered)) = held[at].clone() else { continue };
            let mut in_first = first[at].clone().flatten().unwrap_or_else(|| registered.clone());
            let held_before = held_before(&problem, BlockId(at as u32), &mut registered, &mut in_first);
            let Some(mut live) = live[at].clone() else { continue };
            let mut certain = certain[at].clone().flatten();
            for (operation, content) in block.operations.iter().enumerate().rev() {
                let site = Site { procedure: id, block: BlockId(at as u32), operation: operation as u32 };
                let effect = &effects[at][operation];
                let (needs, written) = match &content.kind {
                    OperationKind::Directive(directive) if matches!(**directive, Directive::Checkpoint) => {
                        let bytes = self.summaries.after_checkpoint(&self.proved(site, &live));
                        (Needs::from([(site, Need { bytes, ..Need::default() })]), certain.clone())
                    }
                    OperationKind::Call(call)
                        if callees(self.summaries, self.instrumented, site)
                            .any(|id| self.needs_memory(id)) =>
                    {
                        self.at_call(site, call, &self.proved(site, &live), certain.as_ref())
                    }
                    OperationKind::Read(_)
                    | OperationKind::Write { .. }
                    | OperationKind::Begin(_)
                    | OperationKind::Allocate { .. }
                    | OperationKind::Free(_)
                    | OperationKind::Call(_)
                    | OperationKind::Directive(_)
                    | OperationKind::Opaque { .. } => (Needs::new(), None),
                };
                if !needs.is_empty() {
                    shield = meet(shield, written, |a, b| a.intersect(b));
                    let mut held = needs.keys().map(|&one| (one, held_before[operation].clone())).collect();
                    if let OperationKind::Call(call) = &content.kind {
                        self.add_held_below(site, call, &mut held);
                    }
                    self.frame(site, effect, needs, &held, &mut unmet, missing);
                    for (checkpoint, held) in held {
                        let known = saved.remove(&checkpoint);
                        saved.extend(
                            meet(known, Some(held), |a, b| a.both(b, self.summaries.assumptions))
                                .map(|held| (checkpoint, held)),
                        );
                    }
                }
                effect.before(&mut live);
                certain = match (certain, effect.ends) {
                    (Some(mut certain), false) => {
                        certain.add(&effect.certain);
                        Some(certain)
                    }
                    (_, true) | (None, false) => None,
                };
            }
        }
        self.unmet.insert(id, unmet);
        self.held.insert(id, saved);
        self.shield.insert(id, shield.unwrap_or_default());
    }

    /// Whether the procedure leads to a checkpoint that needs memory of its callers. Others are not worth a proof.
    fn needs_memory(&self, id: ProcedureId) -> bool {
        self.unmet.get(&id).is_some_and(|needs| !needs.is_empty())
    }

    /// The memory that is live after the operation, after proofs have removed reads.
    fn proved(&self, site: Site, live: &Bytes) -> Bytes {
        match self.proofs {
            Some(proofs) => proofs.live(self.summaries, site, &self.instrumented[&site.procedure], live),
            None => live.clone(),
        }
    }

    /// The memory that is needed at the checkpoints below a call, and the memory that is certainly written
    /// before the procedure returns.
    fn at_call(
        &self,
        site: Site,
        call: &Call,
        live: &Bytes,
        certain: Option<&Bytes>,
    ) -> (Needs, Option<Bytes>) {
        let mut after = live.clone();
        if let Some(result) = &call.result {
            let places = self.summaries.places.resolve(result, &mut Vec::new());
            if let Some(range) = self.summaries.places.certain(&places) {
                after.remove(range);
            }
        }
        let mut needs = Needs::new();
        let mut written: Option<Bytes> = None;
        for callee in callees(self.summaries, self.instrumented, site) {
            let mut shield = Bytes::default();
            for range in self.shield.get(&callee).into_iter().flat_map(Bytes::iter) {
                // The variables of another activation are not those of this one.
                if self.may_be_another(range.memory) {
                    continue;
                }
                let places = self.summaries.at_call(callee, call, range);
                if let Some(range) = self.summaries.places.certain(&places) {
                    shield.insert(range);
                }
            }
            let mut own = after.clone();
            own.subtract(&shield);
            for (&checkpoint, below) in self.unmet.get(&callee).into_iter().flatten() {
                let here = needs.entry(checkpoint).or_default();
                here.bytes.add(&own);
                here.reached.add(&below.reached);
                here.passed.add(&self.passed(callee, call, &below.bytes));
                for range in below.bytes.iter() {
                    if self.summaries.places.ends_with(range.memory, callee, site.procedure) {
                        continue;
                    }
                    let places = self.summaries.at_call(callee, call, range);
                    places.iter().for_each(|place| here.bytes.insert(place.range));
                }
            }
            shield.add(certain.unwrap_or(&Bytes::default()));
            written = meet(written, Some(shield), |a, b| a.intersect(b));
        }
        (needs, written)
    }

    /// The pointers in the arguments whose targets the callee still needs.
    fn passed(&self, callee: ProcedureId, call: &Call, needed: &Bytes) -> Bytes {
        let mut passed = Bytes::default();
        for (number, &parameter) in self.summaries.procedure(callee).parameters.iter().enumerate() {
            let is_needed = match self.summaries.places.target_of(parameter) {
                Some(memory) => !needed.of(memory).is_empty(),
                None => true,
            };
            if is_needed {
                passed.add(&argument_slots(self.summaries, call, number));
            }
        }
        passed
    }

    /// Adds the memory that every path from the call to a checkpoint registers. A restart restores it for all
    /// frames.
    fn add_held_below(&self, site: Site, call: &Call, held: &mut BTreeMap<Site, Held>) {
        for (checkpoint, held) in held {
            let mut common: Option<Held> = None;
            for callee in callees(self.summaries, self.instrumented, site) {
                let Some(below) = self.held.get(&callee).and_then(|all| all.get(checkpoint)) else {
                    continue;
                };
                let here = below.translated(|range| {
                    let one = self.summaries.registered_at_call(callee, call, range);
                    one.into_iter().filter(|range| !self.may_be_another(range.memory)).collect()
                });
                common = meet(common, Some(here), |a, b| a.both(b, self.summaries.assumptions));
            }
            held.add(&common.unwrap_or_default());
        }
    }

    /// Whether a name may mean other memory in each activation of a recursive procedure.
    fn may_be_another(&self, memory: Memory) -> bool {
        let places = &self.summaries.places;
        places.private(memory) || !places.unique(memory)
    }

    /// The memory of all frames that is lost at a checkpoint.
    fn lost_at(&self, checkpoint: Site) -> Bytes {
        let point = self.restored.points.get(&checkpoint);
        point.map(|point| self.summaries.places.concretize(&point.unsaved)).unwrap_or_default()
    }

    /// Subtracts the memory that this frame has registered, and reports memory of the frame.
    fn frame(
        &self,
        site: Site,
        effect: &Effect,
        needs: Needs,
        held: &BTreeMap<Site, Held>,
        unmet: &mut Needs,
        missing: &mut BTreeSet<Missing>,
    ) {
        let places = &self.summaries.places;
        let Some(point) = self.restored.points.get(&site) else {
            // Control does not reach this point after `init`.
            for checkpoint in needs.into_keys() {
                unmet.entry(checkpoint).or_default();
            }
            return;
        };
        let kept = kept_loops(self.summaries, site);
        let mut lost = point.unsaved.clone();
        lost.add(&effect.lost);
        let mut written = places.concretize(&point.lost);
        written.add(&effect.lost);
        let main = self.summaries.procedure(site.procedure).main;
        for (checkpoint, need) in needs {
            let Some(held) = held.get(&checkpoint) else { continue };
            let Need { bytes: mut needed, mut reached, passed } = need;
            let saves = Saves::new(held, &written);
            for live in [&needed, &passed] {
                self.pointers.add(self.summaries, live, &saves, &mut reached);
            }
            needed.subtract(&held.bytes);
            let rest = unmet.entry(checkpoint).or_default();
            rest.reached.add(&reached);
            let open = reached.open_pointers(self.summaries);
            for range in needed.iter().filter(|range| !kept.contains(&range.memory)) {
                let own = places.local_to(range.memory, site.procedure);
                match places.points.kind(range.memory) {
                    MemoryKind::Object if own => {
                        let gone = Bytes::from_range(range).intersect(&lost);
                        missing.extend(gone.iter().map(|range| Missing {
                            checkpoint,
                            frame: site,
                            range,
                            pointer: None,
                            gap: None,
                            evaluation: None,
                        }));
                    }
                    MemoryKind::Heap(_) if main && reached.saves(self.summaries, &open, range.memory) => {
                        if let gap @ Some(_) = self.sizes.gap(checkpoint, range) {
                            missing.insert(Missing {
                                checkpoint,
                                frame: site,
                                range,
                                pointer: None,
                                gap,
                                evaluation: None,
                            });
                        }
                    }
                    MemoryKind::Object | MemoryKind::Heap(_) if main => {
                        let gone = self.lost_at(checkpoint).intersect(&Bytes::from_range(range));
                        let pointer = open.to(self.summaries, range.memory);
                        missing.extend(gone.iter().map(|range| Missing {
                            checkpoint,
                            frame: site,
                            range,
                            pointer,
                            gap: None,
                            evaluation: None,
                        }));
                    }
                    MemoryKind::Object | MemoryKind::Heap(_) | MemoryKind::Target { .. } => {
                        rest.bytes.insert(range);
                    }
                    MemoryKind::Code(..) | MemoryKind::Library | MemoryKind::Unknown => {}
                }
            }
        }
    }
}

/// What is registered before each operation of a block. `in_first`: in the first iteration of the loops around it.
fn held_before(
    problem: &InForce,
    block: BlockId,
    registered: &mut Registered,
    in_first: &mut Registered,
) -> Vec<Held> {
    let id = problem.procedure;
    let operations = &problem.summaries.procedure(id).blocks[block.0 as usize].operations;
    problem.begin(block, registered);
    problem.begin(block, in_first);
    let mut all = Vec::with_capacity(operations.len());
    for (operation, content) in operations.iter().enumerate() {
        // The header of a loop of C may call a procedure that leads to a checkpoint. The translation saves the variables of the
        // header around this call, if the body registers them.
        let mut held = if content.directive().is_some() { in_first.all() } else { registered.all() };
        held.subtract(&registered.ended);
        all.push(held);
        let site = Site { procedure: id, block, operation: operation as u32 };
        problem.step(site, &content.kind, registered);
        problem.step(site, &content.kind, in_first);
    }
    all
}

/// The variables of the enclosing loops, if the translation saves them.
pub fn kept_loops(summaries: &Summaries, site: Site) -> BTreeSet<Memory> {
    let mut kept = BTreeSet::new();
    let procedure = summaries.procedure(site.procedure);
    let mut within = procedure.blocks[site.block.0 as usize].within;
    while let (true, Some(id)) = (procedure.keeps_loops, within) {
        let entry = &procedure.loops[id.0 as usize];
        let variable = &summaries.places.program.variables[entry.variable.0 as usize];
        kept.insert(Memory::from(variable.object));
        within = entry.within;
    }
    kept
}
