//! Whether messages are in transit at a checkpoint.
//!
//! Input: a program, its points-to sets, and the catalogue.
//! Output: for each checkpoint and each number of processes, one of: safe, unsafe with the message, not known with the
//! reasons.
//! Postcondition: at a safe checkpoint no message is in transit and no request is open, in every run with this number of
//! processes in which input does not fail.

pub mod value;
pub mod reals;
pub mod groups;
pub mod shape;
pub mod names;
pub mod input;
mod bulk;
pub mod relevant;
pub mod store;
pub mod traffic;
mod machine;
mod evaluate;
mod checkpoints;
mod calls;
mod mpi;
mod subgroups;
mod topology;
mod outputs;

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use crate::catalogue::Catalogue;
use crate::points_to::PointsTo;
use crate::program::{Argument, Callee, Expression, Lifetime, ProcedureId, Program, Site, Value};
use crate::sets::Memory;
use input::Input;
use machine::{Assumed, Frame, Kind, Machine, Observed, State};
use relevant::Relevant;
use shape::{Shape, RETURN};
use store::Store;
use traffic::{Channel, Doubt, Message, Traffic};
use value::{Constant, Val, Vals};

/// Of one checkpoint, with one number of processes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    Safe,
    /// It is safe if none of the input files exists that are opened there.
    SafeWithout(BTreeSet<Site>),
    Unsafe(Evidence),
    Unknown(BTreeSet<Doubt>),
}

const TOO_MANY_PATHS: &str = "the program has too many paths to follow";

impl Outcome {
    fn has_too_many_paths(&self) -> bool {
        match self {
            Outcome::Unknown(doubts) => doubts.iter().any(|doubt| doubt.reason == TOO_MANY_PATHS),
            Outcome::Safe | Outcome::SafeWithout(_) | Outcome::Unsafe(_) => false,
        }
    }
}

/// Why a checkpoint is not safe. Processes have their numbers in `MPI_COMM_WORLD`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Evidence {
    Sent(Channel, Message),
    Awaited(Channel, Message),
    Request(usize, Site),
    Epoch(usize, Site),
    /// A process has begun a collective operation before another one of its communicator.
    Collective(usize, Site),
    /// `more` and `fewer`: each a process, and how many checkpoints it passes.
    NotAll {
        more: (usize, usize),
        fewer: (usize, usize),
        branch: Site,
    },
}

/// Of one checkpoint.
#[derive(Debug, Clone, Default)]
pub struct Verdict {
    /// The outcome with each number of processes with which the checkpoint is reached.
    pub outcomes: BTreeMap<usize, Outcome>,
}

impl Verdict {
    pub fn is_safe(&self) -> bool {
        !self.outcomes.is_empty() && self.outcomes.values().all(|outcome| *outcome == Outcome::Safe)
    }

    /// The numbers of processes with which it is safe, at least without input files.
    pub fn proved(&self) -> Verdict {
        let is_proved = |outcome: &Outcome| match outcome {
            Outcome::Safe | Outcome::SafeWithout(_) => true,
            Outcome::Unsafe(_) | Outcome::Unknown(_) => false,
        };
        let proved = self.outcomes.iter().filter(|(_, outcome)| is_proved(outcome));
        Verdict { outcomes: proved.map(|(count, outcome)| (*count, outcome.clone())).collect() }
    }

    /// Where the input files are opened that must not exist, if the checkpoint is safe apart from that.
    pub fn safe_without(&self) -> Option<BTreeSet<Site>> {
        let mut files = BTreeSet::new();
        for outcome in self.outcomes.values() {
            match outcome {
                Outcome::Safe => {}
                Outcome::SafeWithout(more) => files.extend(more),
                Outcome::Unsafe(_) | Outcome::Unknown(_) => return None,
            }
        }
        (!self.outcomes.is_empty()).then_some(files)
    }

    /// The evidence, if every number of processes above 1 is unsafe.
    pub fn unsafe_with_all(&self) -> Option<(usize, &Evidence)> {
        let mut first = None;
        for (&count, outcome) in self.outcomes.range(2..) {
            match outcome {
                Outcome::Unsafe(evidence) => first = first.or(Some((count, evidence))),
                Outcome::Safe | Outcome::SafeWithout(_) | Outcome::Unknown(_) => return None,
            }
        }
        first
    }
}

/// The implementation of MPI, which decides what negative ranks mean.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flavour {
    OpenMpi,
    Mpich,
    Unknown,
}

/// The verdict of each checkpoint of the program. Empty if the program does not use MPI. `steps`: the limit of blocks that
/// are followed for one number of processes.
pub fn check(
    program: &Program,
    points: &PointsTo,
    catalogue: &Catalogue,
    counts: &[usize],
    steps: usize,
) -> BTreeMap<Site, Verdict> {
    let mut verdicts: BTreeMap<Site, Verdict> = BTreeMap::new();
    let outside = names::outside(program, catalogue);
    let uses_mpi = calls_mpi(&outside);
    let mains = (0..program.procedures.len() as u32).map(ProcedureId);
    let main = mains.into_iter().find(|&id| program.procedures[id.0 as usize].main);
    let (true, true, Some(main)) = (uses_mpi, program.whole, main) else { return verdicts };
    let shapes: Vec<Shape> = program.procedures.iter().map(Shape::new).collect();
    let input = Input::new(program, points, &outside, &shapes, &catalogue.of_program(program));
    let relevant = Relevant::new(&input);
    let constants = constants(program);
    let followed = Followed { input: &input, relevant: &relevant, constants: &constants, main, steps };
    let mut too_many: Option<(usize, BTreeMap<Site, Outcome>)> = None;
    for &count in counts {
        let found = match &too_many {
            // More processes usually have more paths. A verdict that is not known is never wrong.
            Some((limit, found)) if count > *limit => found.clone(),
            _ => followed.with_processes(count),
        };
        if count > 1 && !found.is_empty() && found.values().all(Outcome::has_too_many_paths) {
            too_many.get_or_insert_with(|| (count, found.clone()));
        }
        for (site, outcome) in found {
            verdicts.entry(site).or_default().outcomes.insert(count, outcome);
        }
    }
    verdicts
}

fn calls_mpi(outside: &FxHashMap<String, names::Outside>) -> bool {
    // A program without messages still needs all its processes at a checkpoint.
    outside.values().any(|one| one.mpi.is_some())
}

/// Whether the program calls MPI.
pub fn is_parallel(program: &Program, catalogue: &Catalogue) -> bool {
    calls_mpi(&names::outside(program, catalogue))
}

/// A program that is followed with several numbers of processes.
struct Followed<'i, 'p> {
    input: &'i Input<'p>,
    relevant: &'i Relevant,
    constants: &'i FxHashMap<Memory, Constant>,
    main: ProcedureId,
    steps: usize,
}

impl Followed<'_, '_> {
    /// If not all checkpoints are safe, and the program reads optional input files: also without these files.
    fn with_processes(&self, count: usize) -> BTreeMap<Site, Outcome> {
        let mut found = self.with_senders(count, false);
        let is_unknown = |outcome: &Outcome| matches!(outcome, Outcome::Unknown(_));
        let files = self.input_files();
        if files.is_empty() || !found.values().any(is_unknown) {
            return found;
        }
        for (site, outcome) in self.with_senders(count, true) {
            if let Some(known @ Outcome::Unknown(_)) = found.get_mut(&site) {
                match outcome {
                    Outcome::Safe => *known = Outcome::SafeWithout(files.clone()),
                    // What prevents the proof also without files.
                    Outcome::Unknown(_) => *known = outcome,
                    Outcome::SafeWithout(_) | Outcome::Unsafe(_) => {}
                }
            }
        }
        found
    }

    /// Where the program opens optional input files that decide about messages.
    fn input_files(&self) -> BTreeSet<Site> {
        let program = self.input.program;
        let matters =
            |site: &Site| self.relevant.operations(site.procedure, site.block).contains(&site.operation);
        let opens = program.operations().filter(|(_, operation)| {
            let asks = matches!(operation.computed[..], [Expression::InputFile(_)]);
            asks || operation.call().is_some_and(|call| match &call.callee {
                Callee::Named(name) => calls::opens_input(name, call),
                Callee::Indirect(_) | Callee::OneOf(_) => false,
            })
        });
        opens.map(|(site, _)| site).filter(matters).collect()
    }

    /// A receive from any source is like one from a single process if no other process sends such messages. This is
    /// assumed in a second round, which must confirm it.
    fn with_senders(&self, count: usize, no_input_files: bool) -> BTreeMap<Site, Outcome> {
        let (found, observed) = self.once(count, Assumed { no_input_files, senders: BTreeMap::new() });
        let all_safe = found.values().all(|outcome| *outcome == Outcome::Safe);
        let of_one = |kind: &Kind| Some((*kind, single(observed.senders.get(kind)?)?));
        let senders: BTreeMap<Kind, usize> = observed.from_any.iter().filter_map(of_one).collect();
        if all_safe || senders.is_empty() || found.values().any(Outcome::has_too_many_paths) {
            return found;
        }
        let (second, confirmed) = self.once(count, Assumed { no_input_files, senders: senders.clone() });
        let is_only =
            |(kind, sender): (&Kind, &usize)| confirmed.senders.get(kind).and_then(single) == Some(*sender);
        match !confirmed.is_incomplete && senders.iter().all(is_only) {
            true => second,
            false => found,
        }
    }

    fn once(&self, count: usize, assumed: Assumed) -> (BTreeMap<Site, Outcome>, Observed) {
        let Followed { input, relevant, constants, main, steps } = *self;
        let program = input.program;
        let mut machine = Machine::new(input, relevant, constants, count, (steps, assumed));
        machine.stack.push(Frame { procedure: main, is_before_checkpoint: false, long_loops: 0 });
        let statics =
            program.objects.iter().enumerate().filter(|(_, object)| object.lifetime == Lifetime::Static);
        let same = statics.map(|(number, _)| Memory(number as u32)).collect();
        let mut store = Store::new(count, same, relevant.bulk().clone());
        let mask = vec![true; count];
        for initial in &program.initial {
            let place = Vals::One(Val::Pointer(initial.object.into(), initial.offset as i64));
            store.write(&place, Some(initial.size), &Vals::One(Val::Int(initial.value)), &mask);
        }
        let procedure = &program.procedures[main.0 as usize];
        for parameter in &procedure.parameters {
            let view = &program.variables[parameter.0 as usize];
            let place = Vals::One(Val::Pointer(view.object.into(), view.offset as i64));
            let value = match view.content {
                crate::program::Content::Pointer if input.changes_arguments => Vals::different(count),
                crate::program::Content::Pointer => Vals::One(Val::Named(Constant::Arguments)),
                _ => Vals::SAME,
            };
            store.write(&place, view.size, &value, &mask);
        }
        let state =
            State { store, traffic: Traffic::default(), mask, allocated: BTreeSet::new(), is_apart: false };
        machine.walk(main, procedure.entry, state, &[RETURN]);
        let mut outcomes = machine.finish();
        if machine.fuel == 0 {
            machine.observed.is_incomplete = true;
            let site = Site { procedure: main, block: procedure.entry, operation: 0 };
            let doubt = Doubt { site, reason: TOO_MANY_PATHS.to_owned() };
            for site in program.checkpoints() {
                // A checkpoint may be on a path that was not followed.
                let outcome = outcomes.entry(site).or_insert(Outcome::Safe);
                if !matches!(outcome, Outcome::Unsafe(_)) {
                    *outcome = Outcome::Unknown(BTreeSet::from([doubt.clone()]));
                }
            }
        }
        (outcomes, machine.observed)
    }
}

fn single(senders: &BTreeSet<usize>) -> Option<usize> {
    match senders.len() {
        1 => senders.first().copied(),
        _ => None,
    }
}

/// The memory of the constants of MPI.
fn constants(program: &Program) -> FxHashMap<Memory, Constant> {
    let of_name = |name: &str| {
        let name = name.rsplit('%').next().unwrap_or(name).to_ascii_lowercase();
        Some(match &name[..] {
            "ompi_mpi_comm_world" | "mpi_comm_world" => Constant::World,
            "ompi_mpi_comm_self" | "mpi_comm_self" => Constant::Myself,
            "ompi_request_null" | "mpi_request_null" => Constant::NullRequest,
            "ompi_mpi_comm_null" | "mpi_comm_null" => Constant::NullCommunicator,
            "mpi_proc_null" => Constant::NullProcess,
            "mpi_any_source" => Constant::AnySource,
            "mpi_any_tag" => Constant::AnyTag,
            _ => return None,
        })
    };
    let objects = (0..).map(Memory).zip(&program.objects);
    let external = objects.filter(|(_, object)| object.external);
    external.filter_map(|(memory, object)| Some((memory, of_name(&object.name)?))).collect()
}

fn flavour(program: &Program) -> Flavour {
    const MPICH_WORLD: i64 = 0x4400_0000;
    let names = |prefixes: &[&str]| {
        let is = |name: &str| prefixes.iter().any(|prefix| name.starts_with(prefix));
        program.objects.iter().any(|object| is(&object.name))
    };
    if names(&["ompi_", "/mpi_fortran_"]) {
        return Flavour::OpenMpi;
    }
    let mut values = program.calls().flat_map(|(_, _, call)| &call.arguments);
    let is_world = |argument: &Argument| matches!(argument, Argument::Value(Value::Affine(value)) if value.as_constant() == Some(MPICH_WORLD));
    match values.any(is_world) || names(&["/mpifcmb", "/mpipriv"]) {
        true => Flavour::Mpich,
        false => Flavour::Unknown,
    }
}
