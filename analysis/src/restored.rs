//! Finds the memory that a restart restores at each checkpoint.
//!
//! Input: summaries. Output: for each checkpoint, the memory that is certainly registered there, and the
//! memory that is lost. Memory is lost if the program may have written it after `init`, outside of execute
//! blocks.
//! Postcondition: memory that is neither registered nor lost has its value in a restart too.

use rustc_hash::FxHashMap;

use crate::effects::Assumptions;
use crate::held::Held;
use crate::live::{callees, top_down, Instrumented};
use crate::points_to::MemoryKind;
use crate::problems::{meet, Lost};
use crate::program::{
    Argument, BlockId, Call, Content, Directive, EvaluationPlace, Lifetime, OperationKind, ProcedureId, Site,
    Step, Terminator, Value,
};
use crate::reached::Holders;
use crate::register_state::{RegisterSummary, Registered};
use crate::registered::{unregistered, Binding, InForce};
use crate::sets::{Bytes, Range};
use crate::solver::{solve, Problem};
use crate::summary::{Mark, Summaries};
use crate::unsaved::{Left, Unsaved};

/// The state before one operation.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Point {
    pub registered: Registered,
    pub lost: Bytes,
    /// Lost and not registered, on some path.
    pub unsaved: Bytes,
}

#[derive(Debug, Default)]
pub struct Restored {
    /// The registers that calls make and end, by the number of the procedure.
    pub registers: Vec<RegisterSummary>,
    /// The states at checkpoints, at calls that may reach one, at the beginning of execute blocks, and at evaluations in
    /// constructs.
    pub points: FxHashMap<Site, Point>,
}

impl Restored {
    pub fn new(summaries: &Summaries, instrumented: &Instrumented) -> Restored {
        let of = summarise(summaries, Binding::AnyCall);
        let of_calls = summarise(summaries, Binding::RunningCall);
        let order = top_down(summaries, instrumented);
        // The registers when each procedure is called, and those that exist in the running call.
        let mut registered: FxHashMap<ProcedureId, [Registered; 2]> = FxHashMap::default();
        let mut lost: FxHashMap<ProcedureId, Bytes> = FxHashMap::default();
        let mut unsaved: FxHashMap<ProcedureId, Bytes> = FxHashMap::default();
        let holders = Holders::new(summaries);
        let left = left(summaries, &of_calls, &holders);
        for &id in &order {
            if summaries.procedure(id).main {
                registered.insert(id, Default::default());
            }
        }
        if registered.is_empty() {
            // If only a part of a program is given, some procedures have no callers.
            for &id in &order {
                if summaries.places.calls.callers[id.0 as usize].is_empty() {
                    registered.insert(id, Default::default());
                }
            }
        }
        let mut restored = Restored::default();
        loop {
            let mut changed = false;
            for &id in &order {
                let Some(before) = registered.get(&id).cloned() else { continue };
                let lost_before = lost.get(&id).cloned().unwrap_or_default();
                let unsaved_before = unsaved.get(&id).cloned().unwrap_or_default();
                let before = Before {
                    registered: &before[0],
                    running: &before[1],
                    lost: &lost_before,
                    unsaved: &unsaved_before,
                    left: &left,
                    holders: &holders,
                };
                let found = points(summaries, instrumented, [&of, &of_calls], id, &before);
                for (site, point, running) in found {
                    for callee in callees(summaries, instrumented, site) {
                        let held = [&point.registered, &running].map(|held| enter(summaries, held));
                        let mut passed = summaries.places.concretize(&point.lost);
                        if !records_pointers(summaries, site) {
                            lost_arguments(summaries, site, callee, &point, &mut passed);
                        }
                        let old = registered.get(&callee).cloned();
                        let new = meet(old.clone(), Some(held), |a, b| {
                            [0, 1].map(|at| a[at].both(&b[at], summaries.assumptions))
                        });
                        changed |= new != old && summaries.places.calls.recursive(callee);
                        if let Some(new) = new {
                            registered.insert(callee, new);
                        }
                        let mut more = summaries.places.concretize(&point.unsaved);
                        more.add(&passed.intersect(&parameters(summaries, callee)));
                        changed |= unsaved.entry(callee).or_default().add(&more)
                            && summaries.places.calls.recursive(callee);
                        changed |= lost.entry(callee).or_default().add(&passed)
                            && summaries.places.calls.recursive(callee);
                    }
                    restored.points.insert(site, point);
                }
            }
            if !changed {
                restored.registers = of_calls;
                return restored;
            }
        }
    }
}

/// The registers at the entry of the callee. All registers of its caller last until it returns.
fn enter(summaries: &Summaries, registered: &Registered) -> Registered {
    let concrete = |held: &Held| held.concrete(&summaries.places);
    let (lasting, ended) = (concrete(&registered.all()), concrete(&registered.ended));
    let certain = |bytes: &Bytes| summaries.places.concretize_certain(bytes);
    let (given_up, reset) = (certain(&registered.given_up), certain(&registered.reset));
    Registered { lasting, framed: Held::default(), ended, given_up, reset }
}

fn parameters(summaries: &Summaries, id: ProcedureId) -> Bytes {
    let mut all = Bytes::default();
    for parameter in &summaries.procedure(id).parameters {
        let variable = &summaries.places.program.variables[parameter.0 as usize];
        all.insert(Range { memory: variable.object.into(), start: 0, end: crate::sets::END });
    }
    all
}

/// The memory that each procedure leaves unsaved, callees first.
fn left(summaries: &Summaries, of: &[RegisterSummary], holders: &Holders) -> Left {
    let mut left = Left::default();
    for component in &summaries.places.calls.components {
        match component[..] {
            [id] if !summaries.places.calls.recursive(id) => {
                let found = left_by_procedure(summaries, of, holders, &left, id);
                left.insert(id, found);
            }
            _ => left_by_recursion(summaries, of, holders, component, &mut left),
        }
    }
    left
}

/// The least solution for a recursion. At first, no call leaves anything. If there are too many rounds, nothing is known.
fn left_by_recursion(
    summaries: &Summaries,
    of: &[RegisterSummary],
    holders: &Holders,
    component: &[ProcedureId],
    left: &mut Left,
) {
    const ROUNDS: usize = 20;
    left.extend(component.iter().map(|&id| (id, Bytes::default())));
    for _ in 0..ROUNDS {
        let mut is_changed = false;
        for &id in component {
            let found = left_by_procedure(summaries, of, holders, left, id);
            is_changed |= left.entry(id).or_default().add(&found);
        }
        if !is_changed {
            return;
        }
    }
    // Then a call leaves all memory that it loses.
    component.iter().for_each(|id| {
        left.remove(id);
    });
}

fn left_by_procedure(
    summaries: &Summaries,
    of: &[RegisterSummary],
    holders: &Holders,
    left: &Left,
    id: ProcedureId,
) -> Bytes {
    let (registered, nothing) = (Registered::default(), Bytes::default());
    let effects = summaries.effects_of(id);
    let registers =
        InForce { summaries, binding: Binding::RunningCall, of, procedure: id, before: &registered };
    let init = summaries.mark(Mark::Init);
    let problem = Unsaved { registers, effects, left, holders, init, before: &nothing };
    let mut found = problem.at_return();
    // Another call of a recursion may have the variable too.
    let ends = |memory| !summaries.places.calls.recursive(id) || summaries.places.private(memory);
    for range in found.clone().iter() {
        if summaries.places.local_object(range.memory, id) && ends(range.memory) {
            found.remove_memory(range.memory);
        }
    }
    found
}

/// The state when a procedure is called.
struct Before<'a> {
    registered: &'a Registered,
    /// Of the running calls.
    running: &'a Registered,
    lost: &'a Bytes,
    unsaved: &'a Bytes,
    left: &'a Left,
    holders: &'a Holders,
}

/// In C, a restart passes the pointer that the call had, if its target is saved. If the target is not saved, and is
/// needed, the target has a finding of its own.
fn records_pointers(summaries: &Summaries, site: Site) -> bool {
    summaries.assumptions == Assumptions::Usual && !summaries.procedure(site.procedure).keeps_loops
}

/// A replayed call evaluates pointers again. If they are lost, the parameter is lost too.
fn lost_arguments(summaries: &Summaries, site: Site, callee: ProcedureId, point: &Point, lost: &mut Bytes) {
    let block = &summaries.procedure(site.procedure).blocks[site.block.0 as usize];
    let OperationKind::Call(call) = &block.operations[site.operation as usize].kind else { return };
    let held = point.registered.all();
    for (number, &parameter) in summaries.procedure(callee).parameters.iter().enumerate() {
        let variable = &summaries.places.program.variables[parameter.0 as usize];
        let memory = variable.object.into();
        lost.remove_memory(memory);
        let given_up = pointers_of(summaries, call, number)
            .into_iter()
            .any(|range| point.lost.overlaps(range) && !held.bytes.covers(range));
        if given_up {
            let end = variable.size.map_or(crate::sets::END, |size| variable.offset + size);
            lost.insert(Range { memory, start: variable.offset, end });
        }
    }
}

/// The pointers that are read to compute an argument that is an address.
fn pointers_of(summaries: &Summaries, call: &Call, number: usize) -> Vec<Range> {
    let places = &summaries.places;
    let mut pointers = Vec::new();
    match call.arguments.get(number) {
        Some(Argument::Value(Value::Copy(access)))
            if matches!(access.content, Content::Pointer | Content::Unknown) =>
        {
            let own = places.resolve(access, &mut pointers);
            pointers.extend(own);
        }
        Some(Argument::Reference(access) | Argument::Value(Value::Address(access)))
            if access.path.contains(&Step::Dereference) =>
        {
            places.resolve(access, &mut pointers);
        }
        _ => {}
    }
    pointers.into_iter().map(|place| place.range).collect()
}

/// The points of one procedure, and the registers of the running call there. `of`: those of any call, and of running calls.
fn points(
    summaries: &Summaries,
    instrumented: &Instrumented,
    [of, of_calls]: [&[RegisterSummary]; 2],
    id: ProcedureId,
    before: &Before,
) -> Vec<(Site, Point, Registered)> {
    let (procedure, effects) = (summaries.procedure(id), &instrumented[&id]);
    let init = summaries.mark(Mark::Init);
    let registers =
        InForce { summaries, binding: Binding::AnyCall, of, procedure: id, before: before.registered };
    let lost = Lost { entry: procedure.entry, before: before.lost, effects, init };
    let (binding, of) = (Binding::RunningCall, of_calls);
    let in_force = InForce { summaries, binding, of, procedure: id, before: before.running };
    let unsaved = Unsaved {
        registers: in_force,
        effects,
        left: before.left,
        holders: before.holders,
        init,
        before: before.unsaved,
    };
    let open = solve(procedure, &unsaved).entering;
    let held = solve(procedure, &registers).entering;
    let gone = solve(procedure, &lost).entering;
    let mut found = Vec::new();
    for (at, block) in procedure.blocks.iter().enumerate() {
        let (Some(Some(mut registered)), Some(mut lost)) = (held[at].clone(), gone[at].clone()) else {
            continue;
        };
        let (mut known, mut left) = open[at].clone().flatten().unwrap_or_default();
        registers.begin(BlockId(at as u32), &mut registered);
        unsaved.begin(BlockId(at as u32), &mut known, &mut left);
        for (operation, content) in block.operations.iter().enumerate() {
            let site = Site { procedure: id, block: BlockId(at as u32), operation: operation as u32 };
            let keep = match &content.kind {
                OperationKind::Directive(directive) => {
                    matches!(**directive, Directive::Checkpoint | Directive::BeginExecute { .. })
                }
                OperationKind::Call(_) => callees(summaries, instrumented, site).next().is_some(),
                OperationKind::Read(_)
                | OperationKind::Write { .. }
                | OperationKind::Begin(_)
                | OperationKind::Allocate { .. }
                | OperationKind::Free(_)
                | OperationKind::Opaque { .. } => false,
            };
            let is_evaluated = || {
                let mut evaluations = procedure.evaluations.iter();
                evaluations.any(|one| {
                    let is_in_construct = matches!(one.place, EvaluationPlace::Construct(_));
                    is_in_construct && one.operations.first == (site.block, site.operation)
                })
            };
            if keep || is_evaluated() {
                found.push((
                    site,
                    Point {
                        registered: registered.clone(),
                        lost: lost.clone(),
                        unsaved: left.intersect(&lost),
                    },
                    known.clone(),
                ));
            }
            unsaved.step(site, &content.kind, &mut known, &mut left);
            registers.step(site, &content.kind, &mut registered);
            effects[at][operation].lose(&mut lost, init);
        }
    }
    found
}

/// Finds the registers that calls make and end, callees first.
fn summarise(summaries: &Summaries, binding: Binding) -> Vec<RegisterSummary> {
    let mut of = vec![RegisterSummary::default(); summaries.of.len()];
    for component in &summaries.places.calls.components {
        // In usual runs, one path with a register is enough, and a recursion must not be this path for itself.
        let is_recursion =
            summaries.assumptions == Assumptions::Worst && summaries.places.calls.recursive(component[0]);
        if is_recursion && summarise_recursion(summaries, binding, component, &mut of) {
            continue;
        }
        for _ in 0..component.len().min(4) + 1 {
            for &id in component {
                of[id.0 as usize] = summary(summaries, binding, &of, id);
            }
        }
    }
    of
}

/// The greatest solution for a recursion. At first, each call makes all registers of static memory. In each round, those are
/// left out that a path to a return does not make. Returns false if there are too many rounds; then nothing is known.
fn summarise_recursion(
    summaries: &Summaries,
    binding: Binding,
    component: &[ProcedureId],
    of: &mut [RegisterSummary],
) -> bool {
    const ROUNDS: usize = 50;
    let all = static_registers(summaries, binding, component, of);
    for &id in component {
        of[id.0 as usize].made.clone_from(&all);
    }
    for _ in 0..ROUNDS {
        let mut is_changed = false;
        for &id in component {
            let new = summary(summaries, binding, of, id);
            is_changed |= of[id.0 as usize] != new;
            of[id.0 as usize] = new;
        }
        if !is_changed {
            return true;
        }
    }
    for &id in component {
        of[id.0 as usize] = RegisterSummary::default();
    }
    false
}

/// The registers of static memory that these procedures make, and those that they run.
fn static_registers(
    summaries: &Summaries,
    binding: Binding,
    component: &[ProcedureId],
    of: &[RegisterSummary],
) -> Held {
    let (places, before) = (&summaries.places, Registered::default());
    let mut all = Held::default();
    for &id in component {
        let registers = InForce { summaries, binding, of, procedure: id, before: &before };
        for (site, operation) in summaries.procedure(id).operations(id) {
            let mut state = Registered::default();
            registers.step(site, &operation.kind, &mut state);
            all.add(&state.lasting);
        }
    }
    all.translated(|range| {
        let is_static = *places.points.kind(range.memory) == MemoryKind::Object
            && places.program.objects[range.memory.0 as usize].lifetime == Lifetime::Static;
        is_static.then_some(range).into_iter().collect()
    })
}

fn summary(
    summaries: &Summaries,
    binding: Binding,
    of: &[RegisterSummary],
    id: ProcedureId,
) -> RegisterSummary {
    let procedure = summaries.procedure(id);
    let mut summary = RegisterSummary::default();
    for (at, block) in procedure.blocks.iter().enumerate() {
        for (operation, content) in block.operations.iter().enumerate() {
            let site = Site { procedure: id, block: BlockId(at as u32), operation: operation as u32 };
            match &content.kind {
                OperationKind::Directive(directive) => {
                    if let Directive::Unregister(items) = &**directive {
                        items
                            .iter()
                            .for_each(|item| summary.ended.add(&unregistered(&summaries.places, item)));
                    }
                }
                OperationKind::Call(_) => {
                    for target in summaries.places.calls.targets(site) {
                        if let crate::points_to::Target::Procedure(callee) = target {
                            let ended = &of[callee.0 as usize].ended;
                            summary.ended.bytes.add(&summaries.places.concretize(&ended.bytes));
                            summary.ended.slots.add(&summaries.places.concretize(&ended.slots));
                            summary.ended.roots.add(&summaries.places.concretize(&ended.roots));
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
        }
    }
    if !summaries.may(id, Mark::Register) && summary.ended.slots.is_empty() {
        return summary;
    }
    let before = Registered::default();
    let problem = InForce { summaries, binding, of, procedure: id, before: &before };
    let held = solve(procedure, &problem).entering;
    let mut made: Option<Held> = None;
    for (at, block) in procedure.blocks.iter().enumerate() {
        if let (Terminator::Return, Some(state)) = (&block.terminator, &held[at]) {
            let state = problem.transfer(BlockId(at as u32), state);
            if let Some(state) = &state {
                summary.reset.add(&state.reset);
            }
            let made_here = state.map(|state| state.lasting);
            made = meet(made, made_here, |a, b| a.both(b, summaries.assumptions));
        }
    }
    let lasts = |range: &Range| {
        *summaries.places.points.kind(range.memory) != MemoryKind::Object
            || !summaries.places.local_to(range.memory, id)
    };
    summary.made = made.unwrap_or_default();
    summary.made.retain(|range| lasts(&range));
    summary.reset = summary.reset.iter().filter(lasts).collect();
    summary
}
