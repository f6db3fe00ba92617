//! A program, with what its calls may run and write.
//!
//! Input: a program, its points-to sets and the procedures without source.
//! Output: the targets of calls, and the memory that operations write.

use rustc_hash::{FxHashMap, FxHashSet};

use super::names::{mpi_name, Outside};
use super::shape::Shape;
use crate::calls::Calls;
use crate::catalogue::entry::{Effect, Entry, Until};
use crate::effects::Effects;
use crate::instances::Instances;
use crate::points_to::{PointsTo, Target};
use crate::program::{
    Access, Argument, Call, Callee, Lifetime, Operation, OperationKind, ProcedureId, Program, Site, Value,
};
use crate::sets::Memory;

/// It is collective over a group, and not over its communicator.
pub const CREATES_OF_GROUP: &str = "mpi_comm_create_group";

/// It is collective over two communicators.
pub const BETWEEN_GROUPS: &str = "mpi_intercomm_create";

pub struct Input<'p> {
    pub program: &'p Program,
    pub points: &'p PointsTo,
    pub outside: &'p FxHashMap<String, Outside>,
    pub shapes: &'p [Shape],
    pub targets: FxHashMap<Site, Vec<Target>>,
    /// The local memory of each procedure.
    pub locals: Vec<Vec<Memory>>,
    /// The memory that procedures write which are called through pointers, also in procedures that they call.
    pub written_through_pointers: Vec<Memory>,
    /// The memory that persistent requests write, each time when they are started.
    written_by_starts: Vec<Memory>,
    /// Memory that changes at any time: other processes, MPI and the system write it.
    pub volatile: Vec<Memory>,
    /// Whether the program writes into the arguments of the command line.
    pub changes_arguments: bool,
    /// The only call of `mpi_comm_create_group`, if the program runs it at most once.
    pub group_of_once: Option<Site>,
}

impl<'p> Input<'p> {
    pub fn new(
        program: &'p Program,
        points: &'p PointsTo,
        outside: &'p FxHashMap<String, Outside>,
        shapes: &'p [Shape],
        effects: &dyn Effects,
    ) -> Input<'p> {
        let calls = program.calls();
        let targets = calls.map(|(site, _, call)| (site, points.callees(site, &call.callee))).collect();
        let mut locals = vec![Vec::new(); program.procedures.len()];
        for (memory, object) in (0..).map(Memory).zip(&program.objects) {
            match object.lifetime {
                Lifetime::Local(id) if !object.constant => locals[id.0 as usize].push(memory),
                Lifetime::Local(_) | Lifetime::Static => {}
            }
        }
        let (written_through_pointers, written_by_starts, volatile) = (Vec::new(), Vec::new(), Vec::new());
        let mut input = Input {
            program,
            points,
            outside,
            shapes,
            targets,
            locals,
            written_through_pointers,
            written_by_starts,
            volatile,
            changes_arguments: false,
            group_of_once: None,
        };
        input.written_by_starts = input.find_written_by_starts();
        input.written_through_pointers = input.find_written_through_pointers();
        input.volatile = input.find_volatile();
        input.changes_arguments = input.finds_changed_arguments();
        input.group_of_once = input.find_group_of_once(effects);
        input
    }

    /// The calls of procedures without source.
    fn outside_calls(&self) -> impl Iterator<Item = (&Call, &Outside)> {
        self.program.calls().flat_map(move |(site, _, call)| {
            self.callees(site).iter().filter_map(move |target| match target {
                Target::Outside(name) => Some((call, self.outside.get(name)?)),
                Target::Procedure(_) | Target::Unknown => None,
            })
        })
    }

    fn find_group_of_once(&self, effects: &dyn Effects) -> Option<Site> {
        let is_it = |target: &Target| match target {
            Target::Outside(name) => mpi_name(name).is_some_and(|name| name == CREATES_OF_GROUP),
            Target::Procedure(_) | Target::Unknown => false,
        };
        let mut calls = self.program.calls().filter(|(site, ..)| self.callees(*site).iter().any(is_it));
        let (Some((site, ..)), None) = (calls.next(), calls.next()) else { return None };
        let calls = Calls::new(self.program, self.points, effects);
        Instances::new(self.program, &calls).is_once(site).then_some(site)
    }

    fn find_written_by_starts(&self) -> Vec<Memory> {
        let mut found = Vec::new();
        for (call, outside) in self.outside_calls() {
            let Some(entry) = &outside.entry else { continue };
            for (at, argument) in call.arguments.iter().enumerate() {
                let is_used_later = entry.parameter(at).is_some_and(|parameter| {
                    parameter.writes.is_some() && matches!(parameter.keeps, Some(Until::Started(_)))
                });
                if is_used_later {
                    found.extend(addressed(self, argument));
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    fn find_volatile(&self) -> Vec<Memory> {
        let mut found = Vec::new();
        for (call, outside) in self.outside_calls() {
            if matches!(outside.mpi.as_deref(), Some("mpi_win_create" | "mpi_win_attach")) {
                let at = outside.position("base");
                found.extend(at.and_then(|at| call.arguments.get(at)).map(|base| addressed(self, base)));
            }
            if outside.entry.as_ref().is_some_and(calls_later) {
                found.push(self.written_through_pointers.clone());
            }
        }
        found.into_iter().flatten().collect()
    }

    fn finds_changed_arguments(&self) -> bool {
        let Some(arguments) = &self.program.arguments else { return false };
        let own = [Memory::from(arguments.array), Memory::from(arguments.text)];
        self.program.operations().any(|(site, operation)| {
            let memories = match &operation.kind {
                // Each process moves them in the same way.
                OperationKind::Call(call) => match &call.callee {
                    Callee::Named(name) if name.starts_with("getopt") => return false,
                    Callee::Named(name) if super::names::mpi_name(name).is_some() => return false,
                    _ => written(self, site, operation),
                },
                _ => written(self, site, operation),
            };
            memories.iter().any(|memory| own.contains(memory))
        })
    }

    fn find_written_through_pointers(&self) -> Vec<Memory> {
        let procedures = &self.program.procedures;
        let taken = (0..).map(ProcedureId).zip(procedures).filter(|(_, procedure)| procedure.address_taken);
        let mut work: Vec<ProcedureId> = taken.map(|(id, _)| id).collect();
        let mut seen: FxHashSet<ProcedureId> = work.iter().copied().collect();
        let mut found = FxHashSet::default();
        while let Some(id) = work.pop() {
            for (site, operation) in procedures[id.0 as usize].operations(id) {
                found.extend(written(self, site, operation));
                for target in self.callees(site) {
                    if let Target::Procedure(callee) = target {
                        work.extend(seen.insert(*callee).then_some(*callee));
                    }
                }
            }
        }
        let mut found: Vec<Memory> = found.into_iter().collect();
        found.sort_unstable();
        found
    }

    /// What the call may run.
    pub fn callees(&self, site: Site) -> &[Target] {
        self.targets.get(&site).map_or(&[], |targets| targets)
    }
}

/// Whether the library may call a procedure of the program later, from its own code. At the end of the program, nothing depends
/// on it any longer.
fn calls_later(entry: &Entry) -> bool {
    let at_end = |effect: &Effect| matches!(effect, Effect::State { adds: true, name, .. } if name == "exit");
    let all = entry.parameters.iter().chain(&entry.rest);
    let mut kept = all.filter(|parameter| parameter.keeps.is_some());
    // `sigaction` gets the procedure in a structure.
    kept.any(|parameter| parameter.calls || parameter.deep) && !entry.effects.iter().any(at_end)
}

/// The memory that an operation itself writes.
pub fn written(input: &Input, site: Site, operation: &Operation) -> Vec<Memory> {
    let denoted = |access: &Access| -> Vec<Memory> {
        input.points.denoted(input.program, access).into_iter().map(|place| place.0).collect()
    };
    match &operation.kind {
        OperationKind::Write { to, .. } | OperationKind::Allocate { to, .. } => denoted(to),
        OperationKind::Opaque { touched, .. } => {
            touched.iter().map(|&id| input.program.variables[id.0 as usize].object.into()).collect()
        }
        OperationKind::Call(call) => {
            let mut found = call.result.as_ref().map(denoted).unwrap_or_default();
            for target in input.callees(site) {
                if let Target::Outside(name) = target {
                    found.extend(written_outside(input, name, call));
                    if input.outside.get(name).is_some_and(Outside::calls_back) {
                        found.extend(&input.written_through_pointers);
                    }
                }
            }
            found
        }
        _ => Vec::new(),
    }
}

/// The memory that a procedure without source may write through its arguments.
pub fn written_outside(input: &Input, name: &str, call: &Call) -> Vec<Memory> {
    let entry = input.outside.get(name).and_then(|outside| outside.entry.as_ref());
    let mut found = Vec::new();
    for (at, argument) in call.arguments.iter().enumerate() {
        let parameter = entry.map(|entry| entry.parameter(at));
        let (writes, deep) = match parameter {
            Some(Some(parameter)) => {
                (parameter.writes.is_some() || parameter.handle.is_some(), parameter.deep)
            }
            Some(None) => (false, false),
            None => (true, true),
        };
        if writes {
            let own = addressed(input, argument);
            if deep {
                found.extend(own.iter().flat_map(|&memory| input.points.reachable(memory)));
            }
            found.extend(own);
        }
    }
    if entry.is_some_and(|entry| entry.effects.iter().any(|one| matches!(one, Effect::Starts(_)))) {
        found.extend(&input.written_by_starts);
    }
    found
}

/// The memory that an argument addresses.
pub fn addressed(input: &Input, argument: &Argument) -> Vec<Memory> {
    let places = match argument {
        Argument::Reference(access) | Argument::Value(Value::Address(access)) => {
            input.points.denoted(input.program, access)
        }
        Argument::Value(Value::Copy(access)) => {
            input.points.follow(&input.points.denoted(input.program, access))
        }
        Argument::Value(Value::Unknown) => vec![(input.points.unknown(), None)],
        Argument::Value(Value::Data | Value::Affine(_) | Value::Null | Value::Procedure(_))
        | Argument::Absent => Vec::new(),
    };
    places.into_iter().map(|place| place.0).collect()
}
