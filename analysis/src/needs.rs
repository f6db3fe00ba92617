//! Finds the memory that each frame on the path to a checkpoint must have registered.
//!
//! Input: summaries, and the memory that a restart loses. Output: memory that is read after a checkpoint, is
//! lost in a restart, and is not registered.
//! Postcondition: each call of a procedure is considered separately. Memory that one caller needs does not
//! count for another one. Registers are subtracted in the frame that makes them.

use std::collections::BTreeSet;

use cppc_source::Span;
use rustc_hash::FxHashMap;

use crate::effects::Assumptions;
use crate::held::Held;
use crate::live::{callees, Instrumented};
use crate::natural_loops::NaturalLoops;
use crate::per_checkpoint::PerCheckpoint;
use crate::points_to::MemoryKind;
use crate::problems::{meet, Certain, Composed, Effect, Exposed};
use crate::program::{BlockId, Call, Directive, LoopStatement, OperationKind, ProcedureId, Site};
use crate::proof::Proofs;
use crate::reached::{argument_slots, Pointers, Reached, Saves};
use crate::register_sizes::{Gap, RegisterSizes};
use crate::register_state::Registered;
use crate::registered::{Binding, InForce};
use crate::restored::Restored;
use crate::sets::{Bytes, Memory, Range};
use crate::solver::{solve, solve_graph};
use crate::summary::{Mark, Summaries};

/// The memory that is needed at a checkpoint.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Need {
    bytes: Bytes,
    reached: Reached,
    /// Pointers that a replayed call evaluates again.
    passed: Bytes,
}

/// What the callers of a procedure have to know about a checkpoint below it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Below {
    /// What the procedure and those that it calls on the path do not register.
    need: Need,
    /// The memory that they certainly register.
    held: Held,
    /// The memory that registers of parameters save. Another call of the same procedure may pass other memory.
    arguments: Held,
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
    /// Whether each checkpoint counts. Otherwise, only the first one of those that lack the same memory of a frame.
    every_checkpoint: bool,
    below: FxHashMap<ProcedureId, PerCheckpoint<Below>>,
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
        let (below, shield) = (FxHashMap::default(), FxHashMap::default());
        let every_checkpoint = true;
        Frames { summaries, instrumented, restored, proofs, pointers, sizes, every_checkpoint, below, shield }
    }

    /// Without memory of a frame that an earlier checkpoint lacks too.
    pub fn first_checkpoints(self) -> Frames<'a> {
        Frames { every_checkpoint: false, ..self }
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
            binding: Binding::RunningCall,
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
        let mut here = PerCheckpoint::default();
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
                        let need = Need { bytes, ..Need::default() };
                        (PerCheckpoint::of(site, Below { need, ..Below::default() }), certain.clone())
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
                    | OperationKind::Opaque { .. } => (PerCheckpoint::default(), None),
                };
                if !needs.is_empty() {
                    shield = meet(shield, written, |a, b| a.intersect(b));
                    let above = self.frame(site, effect, needs, &held_before[operation], missing);
                    here = here.merged(above, |a, b| self.either(a, b));
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
        self.below.insert(id, here);
        self.shield.insert(id, shield.unwrap_or_default());
    }

    /// Whether the procedure leads to a checkpoint that needs memory of its callers. Others are not worth a proof.
    fn needs_memory(&self, id: ProcedureId) -> bool {
        self.below.get(&id).is_some_and(|below| !below.is_empty())
    }

    /// What is needed on one of two paths to a checkpoint, and registered on both.
    fn either(&self, a: &Below, b: &Below) -> Below {
        let mut need = a.need.clone();
        need.add(&b.need);
        let held = a.held.both(&b.held, self.summaries.assumptions);
        Below { need, held, arguments: a.arguments.both(&b.arguments, Assumptions::Worst) }
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
    ) -> (PerCheckpoint<Below>, Option<Bytes>) {
        let mut after = live.clone();
        if let Some(result) = &call.result {
            let places = self.summaries.places.resolve(result, &mut Vec::new());
            if let Some(range) = self.summaries.places.certain(&places) {
                after.remove(range);
            }
        }
        let mut needs = PerCheckpoint::default();
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
            if let Some(below) = self.below.get(&callee) {
                let here = below.map(|below| self.in_caller((site, callee), call, below, &own));
                needs = needs.merged(here, |a, b| self.either(a, b));
            }
            shield.add(certain.unwrap_or(&Bytes::default()));
            written = meet(written, Some(shield), |a, b| a.intersect(b));
        }
        (needs, written)
    }

    /// The pointers in the arguments whose targets the callee still needs. `held`: what it has registered. In C, a register of a
    /// parameter sets it, whatever the repeated call passes.
    fn passed(&self, callee: ProcedureId, call: &Call, needed: &Bytes, held: &Held) -> Bytes {
        let mut passed = Bytes::default();
        let sets_parameters =
            self.summaries.assumptions == Assumptions::Usual && !self.summaries.procedure(callee).keeps_loops;
        for (number, &parameter) in self.summaries.procedure(callee).parameters.iter().enumerate() {
            let is_needed = match self.summaries.places.target_of(parameter) {
                Some(memory) => !needed.of(memory).is_empty(),
                None => {
                    let own = self.summaries.places.range_of(parameter);
                    !(sets_parameters && held.slots.covers(own))
                }
            };
            if is_needed {
                passed.add(&argument_slots(self.summaries, call, number));
            }
        }
        passed
    }

    /// What is known of a checkpoint below the callee, in terms of the caller. `live`: what the caller needs itself.
    fn in_caller(
        &self,
        (site, callee): (Site, ProcedureId),
        call: &Call,
        Below { need, held, arguments }: &Below,
        live: &Bytes,
    ) -> Below {
        let (places, mut bytes) = (&self.summaries.places, live.clone());
        for range in need.bytes.iter() {
            if !places.ends_with(range.memory, callee, site.procedure) {
                let places = self.summaries.at_call(callee, call, range);
                places.iter().for_each(|place| bytes.insert(place.range));
            }
        }
        let passed = self.passed(callee, call, &need.bytes, held);
        // A restart restores the memory for all frames.
        let (own, of_parameters) = held.of_parameters(self.summaries, callee);
        let in_caller = |held: &Held| {
            let mut held = held.at_call(self.summaries, callee, call);
            held.retain(|range| !self.may_be_another(range.memory));
            held
        };
        let mut arguments = in_caller(arguments);
        arguments.add(&in_caller(&of_parameters));
        let need = Need { bytes, reached: need.reached.clone(), passed };
        Below { need, held: in_caller(&own), arguments }
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

    /// Subtracts the memory that this frame has registered, and reports memory of the frame. Returns what is left for the
    /// callers.
    fn frame(
        &self,
        site: Site,
        effect: &Effect,
        needs: PerCheckpoint<Below>,
        held_before: &Held,
        missing: &mut BTreeSet<Missing>,
    ) -> PerCheckpoint<Below> {
        let places = &self.summaries.places;
        let needs = needs.map(|below| {
            let mut held = held_before.clone();
            held.add(&below.held);
            Below { held, ..below.clone() }
        });
        let Some(point) = self.restored.points.get(&site) else {
            // Control does not reach this point after `init`.
            return needs.map(|below| Below { need: Need::default(), ..below.clone() });
        };
        let kept = kept_loops(self.summaries, site);
        let mut lost = point.unsaved.clone();
        lost.add(&effect.lost);
        let mut written = places.concretize(&point.lost);
        written.add(&effect.lost);
        needs.map_all(|checkpoints, Below { need, held, arguments }| {
            let Need { bytes: needed, reached, passed } = need;
            let (mut needed, mut reached) = (needed.clone(), reached.clone());
            let mut all = held.clone();
            all.add(arguments);
            let saves = Saves::new(&all, &written);
            for live in [&needed, passed] {
                self.pointers.add(self.summaries, live, &saves, &mut reached);
            }
            needed.subtract(&all.bytes);
            needed.subtract(&kept);
            let (mut rest, mut local) = (Bytes::default(), Bytes::default());
            for range in needed.iter() {
                match places.points.kind(range.memory) {
                    MemoryKind::Object if places.local_to(range.memory, site.procedure) => {
                        local.insert(range);
                    }
                    MemoryKind::Object | MemoryKind::Heap(_) | MemoryKind::Target { .. } => {
                        rest.insert(range);
                    }
                    MemoryKind::Code(..) | MemoryKind::Library | MemoryKind::Unknown => {}
                }
            }
            let gone = local.intersect(&lost);
            for &checkpoint in &checkpoints[..if self.every_checkpoint { checkpoints.len() } else { 1 }] {
                missing.extend(gone.iter().map(|range| Missing {
                    checkpoint,
                    frame: site,
                    range,
                    pointer: None,
                    gap: None,
                    evaluation: None,
                }));
            }
            if self.summaries.procedure(site.procedure).main {
                rest = self.in_main(site, checkpoints, &rest, &reached, missing);
            }
            let need = Need { bytes: rest, reached, passed: Bytes::default() };
            Below { need, held: held.clone(), arguments: arguments.clone() }
        })
    }

    /// Reports memory that no frame has registered. Returns what is left: memory that is not known by its name.
    fn in_main(
        &self,
        site: Site,
        checkpoints: &[Site],
        needed: &Bytes,
        reached: &Reached,
        missing: &mut BTreeSet<Missing>,
    ) -> Bytes {
        let points = &self.summaries.places.points;
        let open = reached.open_pointers(self.summaries);
        let is_saved = |range: &Range| {
            matches!(points.kind(range.memory), MemoryKind::Heap(_))
                && reached.saves(self.summaries, &open, range.memory)
        };
        let is_target = |range: &Range| matches!(points.kind(range.memory), MemoryKind::Target { .. });
        let (targets, named): (Vec<Range>, Vec<Range>) = needed.iter().partition(is_target);
        let (saved, unsaved): (Vec<Range>, Vec<Range>) = named.into_iter().partition(is_saved);
        let unsaved = Bytes::from(unsaved);
        for &checkpoint in checkpoints {
            let gap = |range: &Range| Some((*range, None, Some(self.sizes.gap(checkpoint, *range)?)));
            let lost = self.lost_at(checkpoint).intersect(&unsaved);
            let gone = lost.iter().map(|range| (range, open.to(self.summaries, range.memory), None));
            missing.extend(saved.iter().filter_map(gap).chain(gone).map(|(range, pointer, gap)| Missing {
                checkpoint,
                frame: site,
                range,
                pointer,
                gap,
                evaluation: None,
            }));
        }
        Bytes::from(targets)
    }
}

impl Need {
    fn add(&mut self, other: &Need) {
        self.bytes.add(&other.bytes);
        self.reached.add(&other.reached);
        self.passed.add(&other.passed);
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
        let mut held = in_first.all();
        if content.call().is_some() {
            let declared = declared_in_header(problem.summaries, id, content.span);
            let mut kept = registered.all();
            kept.retain(|range| declared.contains(&range.memory));
            held.add(&kept);
        }
        registered.subtract_ended_from(&mut held);
        all.push(held);
        let site = Site { procedure: id, block, operation: operation as u32 };
        problem.step(site, &content.kind, registered);
        problem.step(site, &content.kind, in_first);
    }
    all
}

/// The header of a loop of C may call a procedure that leads to a checkpoint. The translation saves the variables that this
/// header declares around the call, if the body registers them.
fn declared_in_header(summaries: &Summaries, id: ProcedureId, call: Span) -> Vec<Memory> {
    let is_in_header = |statement: &&LoopStatement, span: Span| {
        statement.span.contains(span) && !statement.body.iter().any(|inside| inside.span.contains(span))
    };
    let statements = &summaries.procedure(id).loop_statements;
    let around: Vec<&LoopStatement> =
        statements.iter().filter(|statement| is_in_header(statement, call)).collect();
    if around.is_empty() {
        return Vec::new();
    }
    let variables = summaries.places.program.variables.iter().filter(|variable| {
        let declared = variable.declared;
        declared.is_some_and(|declared| around.iter().any(|statement| is_in_header(statement, declared)))
    });
    variables.map(|variable| Memory::from(variable.object)).collect()
}

/// The variables of the enclosing loops, if the translation saves them.
pub fn kept_loops(summaries: &Summaries, site: Site) -> Bytes {
    let mut kept = Bytes::default();
    let procedure = summaries.procedure(site.procedure);
    let mut within = procedure.blocks[site.block.0 as usize].within;
    while let (true, Some(id)) = (procedure.keeps_loops, within) {
        let entry = &procedure.loops[id.0 as usize];
        let variable = &summaries.places.program.variables[entry.variable.0 as usize];
        // Other variables may share its object: those of a COMMON block, or of EQUIVALENCE.
        if let Some(size) = variable.size {
            let (memory, start) = (Memory::from(variable.object), variable.offset);
            kept.insert(Range { memory, start, end: start + size });
        }
        within = entry.within;
    }
    kept
}
