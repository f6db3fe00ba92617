//! The OPEN statements of Fortran that a restart may have to run again.
//!
//! Input: summaries. Output: whether a checkpoint may find the file of an OPEN statement open, or changed by the program.
//! Postcondition: for any other OPEN statement, an execute block changes nothing. No checkpoint comes after it, or the
//! program only reads the file and closes it before any checkpoint. After the last checkpoint, a block removes what the killed
//! run has appended, and the new file that it has created.

use std::cell::OnceCell;

use rustc_hash::FxHashSet;

use crate::points_to::Target;
use crate::program::{
    Argument, BlockId, Call, Directive, Lifetime, OperationKind, ProcedureId, Site, Terminator, Value,
};
use crate::sets::Range;
use crate::summary::{Mark, Summaries};
use crate::units::{is_append, is_create, is_input, is_one_of, STANDARD};

/// Statements that may change the content of a file.
const CHANGES: [&str; 7] = [
    "fortran%write",
    "fortran%write_record",
    "fortran%rewrite",
    "fortran%endfile",
    "fortran%delete",
    "fortran%define_file",
    "fortran%close_delete",
];

pub struct NeededOpens<'a> {
    summaries: &'a Summaries<'a>,
    /// For each procedure, the units whose files it and the procedures that it calls may change.
    changed: OnceCell<Vec<FxHashSet<Unit>>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Unit {
    Number(u64),
    /// The number is in a variable or computed.
    Unknown,
}

/// A point of the program, and what is known of the file there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Point {
    procedure: ProcedureId,
    block: BlockId,
    operation: u32,
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct State {
    /// The program may have changed the file.
    is_changed: bool,
    /// The argument of the OPEN statement still denotes the unit.
    is_named: bool,
}

/// How a path goes on after an operation.
enum Step {
    On(State),
    /// The restart does not need the OPEN statement on this path.
    Ends,
    Needed,
}

/// An OPEN statement.
struct Open {
    unit: Option<Range>,
    number: Unit,
    /// The variable that contains the number.
    variable: Option<Range>,
    is_static: bool,
}

impl<'a> NeededOpens<'a> {
    pub fn new(summaries: &'a Summaries<'a>) -> NeededOpens<'a> {
        NeededOpens { summaries, changed: OnceCell::new() }
    }

    pub fn is_needed(&self, site: Site, call: &Call) -> bool {
        let open = self.open(call);
        if matches!(open.number, Unit::Number(number) if STANDARD.contains(&number)) {
            return true;
        }
        if is_append(call) || is_create(call) {
            return true;
        }
        let state = State { is_changed: !is_input(call), is_named: true };
        let start =
            Point { procedure: site.procedure, block: site.block, operation: site.operation + 1, state };
        let mut seen = FxHashSet::from_iter([start]);
        let mut waiting = vec![start];
        while let Some(point) = waiting.pop() {
            let mut next = Vec::new();
            if self.passes_checkpoint(&open, point, &mut next) {
                return true;
            }
            waiting.extend(next.into_iter().filter(|point| seen.insert(*point)));
        }
        false
    }

    fn open(&self, call: &Call) -> Open {
        let places = &self.summaries.places;
        let unit = call.arguments.first().and_then(|argument| self.summaries.units.of(argument));
        let access = match call.arguments.first() {
            Some(Argument::Reference(access)) => Some(access),
            Some(Argument::Value(_) | Argument::Absent) | None => None,
        };
        let object = access.map(|access| places.program.variables[access.root.0 as usize].object);
        Open {
            unit,
            number: call.arguments.first().map_or(Unit::Unknown, number),
            variable: access.map(|access| places.range_of(access.root)),
            is_static: object
                .is_none_or(|object| places.program.objects[object.0 as usize].lifetime == Lifetime::Static),
        }
    }

    /// Follows the rest of a block. Adds the points after it, and returns whether the restart needs the statement.
    fn passes_checkpoint(&self, open: &Open, point: Point, next: &mut Vec<Point>) -> bool {
        let Point { procedure: id, block, operation, mut state } = point;
        let procedure = self.summaries.procedure(id);
        let content = &procedure.blocks[block.0 as usize];
        for at in operation..content.operations.len() as u32 {
            match self.step(open, Site { procedure: id, block, operation: at }, state) {
                Step::On(after) => state = after,
                Step::Ends => return false,
                Step::Needed => return true,
            }
        }
        let successors = content.terminator.successors(procedure.blocks.len());
        let here = |block| Point { procedure: id, block, operation: 0, state };
        next.extend(successors.into_iter().map(here));
        if !matches!(content.terminator, Terminator::Return) || procedure.main {
            return false;
        }
        let callers = &self.summaries.places.calls.callers[id.0 as usize];
        // A source that is not known may call it.
        if !self.summaries.places.program.whole || callers.is_empty() {
            return true;
        }
        let state = State { is_named: state.is_named && open.is_static, ..state };
        let after = |site: &Site| Point {
            procedure: site.procedure,
            block: site.block,
            operation: site.operation + 1,
            state,
        };
        next.extend(callers.iter().map(after));
        false
    }

    fn step(&self, open: &Open, site: Site, state: State) -> Step {
        let effect = self.summaries.effect_at(site);
        let mut after = state;
        match &self.summaries.places.program.operation(site).kind {
            OperationKind::Directive(directive) if matches!(**directive, Directive::Checkpoint) => {
                return Step::Needed;
            }
            OperationKind::Call(call) => {
                if self.leads_to_checkpoint(site) {
                    return Step::Needed;
                }
                let closes = is_one_of(call, &["fortran%close"]) && self.same_unit(open, call);
                if closes && state.is_named && !state.is_changed {
                    return Step::Ends;
                }
                after.is_changed |= self.may_change(open, site, call);
            }
            OperationKind::Read(_)
            | OperationKind::Write { .. }
            | OperationKind::Begin(_)
            | OperationKind::Allocate { .. }
            | OperationKind::Free(_)
            | OperationKind::Directive(_)
            | OperationKind::Opaque { .. } => {}
        }
        if effect.ends {
            return Step::Ends;
        }
        let is_written = |range| effect.writes.overlaps(range);
        after.is_named &= !open.variable.is_some_and(is_written);
        Step::On(after)
    }

    fn leads_to_checkpoint(&self, site: Site) -> bool {
        self.summaries.places.calls.targets(site).iter().any(|target| match target {
            Target::Procedure(id) => self.summaries.may(*id, Mark::Checkpoint),
            Target::Outside(_) | Target::Unknown => self.runs_any(target),
        })
    }

    /// Whether the call may run any procedure whose address is taken.
    fn runs_any(&self, target: &Target) -> bool {
        match target {
            Target::Procedure(_) => false,
            Target::Outside(name) => {
                self.summaries.effects.effects(name).is_none_or(|effects| effects.calls_back)
            }
            Target::Unknown => true,
        }
    }

    fn same_unit(&self, open: &Open, call: &Call) -> bool {
        let unit = call.arguments.first().and_then(|argument| self.summaries.units.of(argument));
        open.unit.is_some() && unit == open.unit
    }

    /// Whether the call may change the content of the file.
    fn may_change(&self, open: &Open, site: Site, call: &Call) -> bool {
        if is_one_of(call, &CHANGES) {
            return call.arguments.first().is_some_and(|argument| may_be(number(argument), open.number));
        }
        self.summaries.places.calls.targets(site).iter().any(|target| match target {
            Target::Procedure(id) => {
                self.changed()[id.0 as usize].iter().any(|unit| may_be(*unit, open.number))
            }
            Target::Outside(_) | Target::Unknown => self.runs_any(target),
        })
    }

    fn changed(&self) -> &[FxHashSet<Unit>] {
        self.changed.get_or_init(|| {
            let places = &self.summaries.places;
            let mut changed: Vec<FxHashSet<Unit>> =
                vec![FxHashSet::default(); places.program.procedures.len()];
            for (site, _, call) in places.program.calls() {
                let own = &mut changed[site.procedure.0 as usize];
                if is_one_of(call, &CHANGES) {
                    own.extend(call.arguments.first().map(number));
                }
                let mut targets = places.calls.targets(site).iter();
                own.extend(targets.any(|target| self.runs_any(target)).then_some(Unit::Unknown));
            }
            // Callees come before callers.
            for component in &places.calls.components {
                let mut all: FxHashSet<Unit> = FxHashSet::default();
                for id in component {
                    all.extend(&changed[id.0 as usize]);
                    let runs = places.calls.runs[id.0 as usize].iter();
                    runs.for_each(|callee| all.extend(&changed[callee.0 as usize]));
                }
                component.iter().for_each(|id| changed[id.0 as usize].extend(&all));
            }
            changed
        })
    }
}

fn number(argument: &Argument) -> Unit {
    match argument {
        Argument::Value(Value::Affine(number)) => number
            .as_constant()
            .and_then(|number| u64::try_from(number).ok())
            .map_or(Unit::Unknown, Unit::Number),
        Argument::Value(_) | Argument::Reference(_) | Argument::Absent => Unit::Unknown,
    }
}

fn may_be(one: Unit, other: Unit) -> bool {
    match (one, other) {
        (Unit::Number(one), Unit::Number(other)) => one == other,
        (Unit::Unknown, _) | (_, Unit::Unknown) => true,
    }
}
