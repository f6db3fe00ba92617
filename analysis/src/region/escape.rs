//! Finds the operations that may change scalar memory, without points-to information.
//!
//! Input: a program. Output: an implementation of `Effects`.
//! Postcondition: memory whose address is not taken changes only under its own name. If all sources are
//! given, calls change only memory that some procedure of the program names.

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::effects::{self, KnownAddress, ResultEffect};
use crate::program::{
    Access, Argument, Call, Callee, Content, Lifetime, ObjectId, Operation, OperationKind, ProcedureId,
    Program, Site, Step, Value, VariableId,
};

use super::catalogued;
use super::cell::each_access;
use super::effects::{Effects, External};
use super::graph::reverse_postorder;

pub struct Escapes<'p> {
    program: &'p Program,
    /// Objects whose address is a value somewhere.
    taken: FxHashSet<ObjectId>,
    /// For each procedure: the objects that a call may change under a name. None: any.
    changed: Vec<Option<FxHashSet<ObjectId>>>,
    /// The kinds of handles for which a call keeps memory, each with the object. None: any.
    kept: Vec<(&'p str, Option<ObjectId>)>,
    names: FxHashMap<&'p str, ProcedureId>,
    /// The procedures that code without source may call.
    called_back: Vec<ProcedureId>,
    catalogue: &'p dyn effects::Effects,
}

impl<'p> Escapes<'p> {
    pub fn new(program: &'p Program, catalogue: &'p dyn effects::Effects) -> Escapes<'p> {
        let names = program.procedures_by_name();
        let procedures = (0..).map(ProcedureId).zip(&program.procedures);
        let called_back =
            procedures.filter(|(_, procedure)| procedure.address_taken).map(|(id, _)| id).collect();
        let mut escapes = Escapes {
            program,
            taken: FxHashSet::default(),
            changed: Vec::new(),
            kept: Vec::new(),
            names,
            called_back,
            catalogue,
        };
        for (_, _, call) in program.calls() {
            escapes.keep(call);
        }
        for procedure in &program.procedures {
            for operation in procedure.blocks.iter().flat_map(|block| &block.operations) {
                escapes.take_addresses(operation);
            }
        }
        escapes.find_changed();
        escapes
    }

    /// Finds the memory that the call keeps for handles.
    fn keep(&mut self, call: &'p Call) {
        let callees = match &call.callee {
            Callee::Named(name) => std::slice::from_ref(name),
            Callee::OneOf(names) => names,
            Callee::Indirect(_) => &[],
        };
        for callee in callees {
            let Some(effects) = self.catalogue.effects(callee) else { continue };
            for (number, argument) in call.arguments.iter().enumerate() {
                let Some(kind) = &effects.parameter(number).kept_for else { continue };
                let object = match argument {
                    Argument::Reference(of) | Argument::Value(Value::Address(of))
                        if !of.path.contains(&Step::Dereference) =>
                    {
                        Some(self.program.variables[of.root.0 as usize].object)
                    }
                    Argument::Reference(_) | Argument::Value(_) | Argument::Absent => None,
                };
                self.kept.push((kind, object));
            }
        }
    }

    fn take_addresses(&mut self, operation: &Operation) {
        let mut found = Vec::new();
        let mut take = |access: &Access| {
            if !access.path.iter().any(|step| matches!(step, Step::Dereference)) {
                found.push(self.program.variables[access.root.0 as usize].object);
            }
        };
        match &operation.kind {
            OperationKind::Write { value: Value::Address(of), .. } => take(of),
            OperationKind::Call(call) => {
                let known = match &call.callee {
                    Callee::Named(name) => self.names.get(name.as_str()),
                    Callee::Indirect(_) | Callee::OneOf(_) => None,
                };
                let intrinsic = matches!(&call.callee, Callee::Named(name) if name.starts_with("fortran%"));
                for (number, argument) in call.arguments.iter().enumerate() {
                    match argument {
                        // The catalogue states that the pointer is not kept.
                        Argument::Value(Value::Address(_)) | Argument::Reference(_)
                            if known.is_none()
                                && self.parameter(&call.callee, number).is_some_and(|one| !one.keeps) => {}
                        Argument::Value(Value::Address(of)) => take(of),
                        // A dummy argument of Fortran is not reached after the call.
                        Argument::Reference(_) if intrinsic => {}
                        Argument::Reference(_) if known.is_some_and(|&id| self.is_dummy(id, number)) => {}
                        Argument::Reference(of) => take(of),
                        Argument::Value(_) | Argument::Absent => {}
                    }
                }
            }
            _ => {}
        }
        self.taken.extend(found);
    }

    /// The effects of a procedure without source on an argument.
    fn parameter(&self, callee: &Callee, number: usize) -> Option<&effects::ParameterEffect> {
        let Callee::Named(name) = callee else { return None };
        let effects = self.catalogue.effects(name)?;
        // The result may be a pointer into the argument.
        let returned = match &effects.result {
            ResultEffect::Data => false,
            ResultEffect::Addresses(addresses) => addresses.iter().any(|one| *one != KnownAddress::Static),
            ResultEffect::Allocates { .. }
            | ResultEffect::Reallocates(_)
            | ResultEffect::Handle(_)
            | ResultEffect::Unknown => true,
        };
        (!returned).then(|| effects.parameter(number))
    }

    fn is_dummy(&self, procedure: ProcedureId, parameter: usize) -> bool {
        let parameters = &self.program.procedures[procedure.0 as usize].parameters;
        parameters.get(parameter).is_some_and(|id| {
            let content = &self.program.variables[id.0 as usize].content;
            matches!(content, Content::Reference { no_alias: true })
        })
    }

    /// Whether the procedure changes the memory to which its parameter refers, or passes it to another one.
    fn changes_parameter(&self, procedure: ProcedureId, parameter: usize) -> bool {
        if !self.is_dummy(procedure, parameter) {
            return true;
        }
        let id = self.program.procedures[procedure.0 as usize].parameters[parameter];
        let object = self.program.variables[id.0 as usize].object;
        self.changed[procedure.0 as usize].as_ref().is_none_or(|changed| changed.contains(&object))
    }

    /// Finds the memory that each procedure changes itself, and then the memory that the procedures that it
    /// calls change.
    fn find_changed(&mut self) {
        let count = self.program.procedures.len();
        let mut own: Vec<Option<FxHashSet<ObjectId>>> = Vec::with_capacity(count);
        let mut callers: Vec<Vec<u32>> = vec![Vec::new(); count];
        for (number, procedure) in self.program.procedures.iter().enumerate() {
            let mut changed = Some(FxHashSet::default());
            for operation in procedure.blocks.iter().flat_map(|block| &block.operations) {
                self.add_changed(operation, number as u32, &mut changed, &mut callers);
            }
            own.push(changed);
        }
        // Callees first, so that a procedure without recursion is handled once.
        let every = (0..count as u32).collect();
        callers.push(every);
        let order = reverse_postorder(count as u32, &callers);
        let mut place = vec![0; count + 1];
        order.iter().enumerate().for_each(|(at, &number)| place[number as usize] = at);
        let mut work: BTreeSet<usize> = (1..order.len()).collect();
        while let Some(at) = work.pop_first() {
            let number = order[at] as usize;
            let changed = own[number].as_ref().map(|changed| self.changed_for_callers(number, changed));
            for &caller in callers[number].iter().filter(|&&caller| caller as usize != number) {
                let Some(known) = &mut own[caller as usize] else { continue };
                let before = known.len();
                let is_grown = match &changed {
                    Some(more) => {
                        known.extend(more.iter().copied());
                        known.len() > before
                    }
                    None => {
                        own[caller as usize] = None;
                        true
                    }
                };
                if is_grown {
                    work.insert(place[caller as usize]);
                }
            }
        }
        self.changed = own;
    }

    /// Without the objects of the procedure itself, which its callers cannot name.
    fn changed_for_callers(&self, number: usize, changed: &FxHashSet<ObjectId>) -> Vec<ObjectId> {
        let own = Lifetime::Local(ProcedureId(number as u32));
        let objects = &self.program.objects;
        changed.iter().copied().filter(|object| objects[object.0 as usize].lifetime != own).collect()
    }

    fn add_changed(
        &self,
        operation: &Operation,
        number: u32,
        changed: &mut Option<FxHashSet<ObjectId>>,
        callers: &mut [Vec<u32>],
    ) {
        let mut add = |root: VariableId| {
            if let Some(set) = changed.as_mut() {
                set.insert(self.program.variables[root.0 as usize].object);
            }
        };
        match &operation.kind {
            OperationKind::Write { to, .. }
            | OperationKind::Allocate { to, .. }
            | OperationKind::Free(to) => {
                add(to.root);
            }
            OperationKind::Begin(variable) => add(*variable),
            OperationKind::Opaque { .. } => *changed = None,
            OperationKind::Call(call) => {
                each_access(operation, &mut |access| add(access.root));
                for callee in self.callees(&call.callee) {
                    match callee {
                        Some(callee) => {
                            if callers[callee.0 as usize].last() != Some(&number) {
                                callers[callee.0 as usize].push(number);
                            }
                        }
                        None if self.program.whole => {}
                        None => *changed = None,
                    }
                }
            }
            OperationKind::Read(_) | OperationKind::Directive(_) => {}
        }
    }

    /// `None` for a procedure without source. It may call only procedures whose address is taken.
    fn callees(&self, callee: &Callee) -> Vec<Option<ProcedureId>> {
        let called_back = || self.called_back.iter().copied().map(Some);
        let named = |name: &String| match self.names.get(name.as_str()) {
            Some(id) => vec![Some(*id)],
            None => std::iter::once(None).chain(called_back()).collect(),
        };
        match callee {
            Callee::Named(name) => named(name),
            Callee::OneOf(names) => names.iter().flat_map(named).collect(),
            Callee::Indirect(_) => std::iter::once(None).chain(called_back()).collect(),
        }
    }
}

impl Effects for Escapes<'_> {
    fn external(&self, name: &str, call: &Call) -> Option<External> {
        let effects = self.catalogue.effects(name)?;
        let mut external = catalogued::external(effects, call);
        for (kind, object) in &self.kept {
            if effects.started_kind() == Some(kind) {
                external.objects.extend(object);
                external.reads_more |= object.is_none();
            }
        }
        Some(external)
    }

    fn may_change(&self, site: Site, cell: &Access) -> bool {
        let root = &self.program.variables[cell.root.0 as usize];
        let direct = !cell.path.iter().any(|step| matches!(step, Step::Dereference));
        let block = &self.program.procedures[site.procedure.0 as usize].blocks[site.block.0 as usize];
        let operation = &block.operations[site.operation as usize];
        let taken = self.taken.contains(&root.object);
        // A dummy argument is not accessed under other names while it is written.
        let private = matches!(root.content, Content::Reference { no_alias: true })
            && cell.path.iter().filter(|step| matches!(step, Step::Dereference)).count() == 1;
        let OperationKind::Call(call) = &operation.kind else {
            return match (&operation.kind, direct) {
                (OperationKind::Opaque { .. }, _) => true,
                (_, true) => taken,
                (_, false) => !private,
            };
        };
        let callees = self.callees(&call.callee);
        let same = |access: &Access| self.program.variables[access.root.0 as usize].object == root.object;
        let passed = call.arguments.iter().enumerate().any(|(number, argument)| match argument {
            Argument::Value(Value::Copy(of)) => !direct && same(of),
            Argument::Value(Value::Address(of)) | Argument::Reference(of) => {
                let changed =
                    |id: &Option<ProcedureId>| id.is_none_or(|id| self.changes_parameter(id, number));
                same(of) && callees.iter().any(changed)
            }
            Argument::Value(_) | Argument::Absent => false,
        });
        let object = &self.program.objects[root.object.0 as usize];
        let outside = !self.program.whole && matches!(object.lifetime, Lifetime::Static);
        if passed || direct && (taken || outside || object.external) || !direct && !private {
            return true;
        }
        callees.into_iter().any(|callee| match callee {
            None => outside,
            Some(callee) => match &self.changed[callee.0 as usize] {
                None => true,
                Some(changed) => changed.contains(&root.object),
            },
        })
    }
}
