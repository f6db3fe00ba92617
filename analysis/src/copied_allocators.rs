//! Copies of procedures that allocate, one for each call.
//!
//! Input: a program and the effects of procedures without source.
//! Output: the program, where each call of such a procedure calls its own copy.
//! Postcondition: the copies do what the originals do, and the procedures before them keep their numbers.
//!
//! The analyses distinguish allocations by the operation that makes them. Without copies, all memory that a
//! program gets from its own `xmalloc(bytes)` or `matrix(rows, columns)` would be one memory.

use rustc_hash::FxHashMap;

use crate::effects::{Effects, ResultEffect};
use crate::program::{
    Access, Affine, Argument, Callee, Condition, Content, Dimension, Index, Lifetime, Loop, ObjectId,
    Operation, OperationKind, Procedure, ProcedureId, Program, Step, Terminator, Value, VariableId,
};

/// Procedures with more operations are not copied.
const MOST_OPERATIONS: usize = 400;
/// The copies together have at most this number of operations, or as many as the program.
const MOST_OPERATIONS_OF_COPIES: usize = 20_000;

impl Program {
    /// The same program with a copy of an allocating procedure for each of its calls.
    pub fn with_copied_allocators(mut self, effects: &dyn Effects) -> Program {
        let allocators = allocators(&self, effects);
        let mut room = self.operations().count().max(MOST_OPERATIONS_OF_COPIES);
        // For each copy, the procedures that were copied for the calls that lead to it.
        let originals = self.procedures.len();
        let mut chains: Vec<Vec<ProcedureId>> = Vec::new();
        let mut at = 0;
        // The calls in a copy come later.
        while at < self.procedures.len() && !allocators.is_empty() {
            let chain = at.checked_sub(originals).map(|copy| chains[copy].clone()).unwrap_or_default();
            for block in 0..self.procedures[at].blocks.len() {
                for operation in 0..self.procedures[at].blocks[block].operations.len() {
                    let called = self.procedures[at].blocks[block].operations[operation].call();
                    let Some(Callee::Named(name)) = called.map(|call| &call.callee) else { continue };
                    let Some(allocator) = allocators.get(name) else { continue };
                    let is_needed = allocator.calls > 1 || !chain.is_empty();
                    if !is_needed || chain.contains(&allocator.id) || allocator.operations > room {
                        continue;
                    }
                    room -= allocator.operations;
                    let copy = self.copy(allocator.id);
                    chains.push(chain.iter().copied().chain([allocator.id]).collect());
                    let called = &mut self.procedures[at].blocks[block].operations[operation];
                    if let OperationKind::Call(call) = &mut called.kind {
                        call.callee = Callee::Named(copy);
                    }
                }
            }
            at += 1;
        }
        // The parameters of a procedure that only copies call have no values.
        self.without_unreached()
    }

    /// Adds a copy of the procedure, and returns its name.
    fn copy(&mut self, original: ProcedureId) -> String {
        let id = ProcedureId(self.procedures.len() as u32);
        let mut procedure = self.procedures[original.0 as usize].clone();
        procedure.name = format!("{}#{}", procedure.name, id.0);
        procedure.local = true;
        procedure.address_taken = false;
        let mut copies = Copies {
            program: self,
            original,
            id,
            variables: FxHashMap::default(),
            objects: FxHashMap::default(),
        };
        copies.procedure(&mut procedure);
        let name = procedure.name.clone();
        self.procedures.push(procedure);
        name
    }
}

/// A procedure that is copied.
struct Allocator {
    id: ProcedureId,
    operations: usize,
    /// The number of operations that call it.
    calls: usize,
}

/// The procedures that are copied, by the names that calls use.
fn allocators(program: &Program, effects: &dyn Effects) -> FxHashMap<String, Allocator> {
    let mut calls: FxHashMap<&str, usize> = FxHashMap::default();
    for (_, _, call) in program.calls() {
        if let Callee::Named(name) = &call.callee {
            *calls.entry(name).or_default() += 1;
        }
    }
    let mut found: FxHashMap<String, Allocator> = FxHashMap::default();
    let mut candidates: Vec<(ProcedureId, &Procedure)> = (0..)
        .map(ProcedureId)
        .zip(&program.procedures)
        .filter(|(id, one)| can_be_copied(program, *id, one, effects))
        .collect();
    // A procedure that calls an allocator may be one too.
    loop {
        let before = found.len();
        candidates.retain(|(id, procedure)| {
            let allocates = procedure.operations(*id).any(|(_, operation)| match &operation.kind {
                OperationKind::Allocate { .. } => true,
                OperationKind::Call(call) => match &call.callee {
                    Callee::Named(name) => found.contains_key(name) || gives_memory(name, effects),
                    Callee::OneOf(_) | Callee::Indirect(_) => false,
                },
                _ => false,
            });
            if allocates {
                let operations = procedure.operations(*id).count();
                let calls = calls.get(&*procedure.name).copied().unwrap_or(0);
                found.insert(procedure.name.clone(), Allocator { id: *id, operations, calls });
            }
            !allocates
        });
        if found.len() == before {
            return found;
        }
    }
}

fn gives_memory(name: &str, effects: &dyn Effects) -> bool {
    effects.effects(name).is_some_and(|effects| {
        matches!(effects.result, ResultEffect::Allocates { .. } | ResultEffect::Reallocates(_))
            || effects.parameters.iter().any(|parameter| parameter.allocates)
    })
}

/// A directive has one position in the source, and automatic directives are written around what creates a handle. So
/// procedures with such operations are not copied.
fn can_be_copied(program: &Program, id: ProcedureId, procedure: &Procedure, effects: &dyn Effects) -> bool {
    let content = |id: VariableId| &program.variables[id.0 as usize].content;
    let may_hand_out = |content: &Content| !matches!(content, Content::Data | Content::Integer { .. });
    let creates_handle = |name: &str| {
        effects.effects(name).is_some_and(|effects| {
            matches!(effects.result, ResultEffect::Handle(_))
                || effects.parameters.iter().any(|parameter| parameter.creates.is_some())
        })
    };
    !procedure.main
        && procedure.entries.is_empty()
        && procedure.parameters.iter().chain(&procedure.result).any(|one| may_hand_out(content(*one)))
        && procedure.operations(id).count() <= MOST_OPERATIONS
        && procedure.operations(id).all(|(_, operation)| match &operation.kind {
            OperationKind::Directive(_) | OperationKind::Opaque { .. } => false,
            OperationKind::Call(call) => match &call.callee {
                Callee::Named(name) => !creates_handle(name),
                Callee::OneOf(names) => !names.iter().any(|name| creates_handle(name)),
                Callee::Indirect(_) => true,
            },
            OperationKind::Read(_)
            | OperationKind::Write { .. }
            | OperationKind::Begin(_)
            | OperationKind::Allocate { .. }
            | OperationKind::Free(_) => true,
        })
}

/// Gives a copy of a procedure its own local variables.
struct Copies<'p> {
    program: &'p mut Program,
    original: ProcedureId,
    id: ProcedureId,
    variables: FxHashMap<VariableId, VariableId>,
    objects: FxHashMap<ObjectId, ObjectId>,
}

impl Copies<'_> {
    fn procedure(&mut self, procedure: &mut Procedure) {
        procedure.parameters.iter_mut().chain(&mut procedure.result).for_each(|one| self.variable(one));
        for Loop { variable, first, last, .. } in &mut procedure.loops {
            self.variable(variable);
            self.affine(first);
            self.affine(last);
        }
        for block in &mut procedure.blocks {
            block.operations.iter_mut().for_each(|operation| self.operation(operation));
            block.condition = None;
            if let Terminator::Branch { condition: Some(Condition { left, right, .. }), .. } =
                &mut block.terminator
            {
                self.affine(left);
                self.affine(right);
            }
        }
    }

    fn operation(&mut self, operation: &mut Operation) {
        // Nothing is said about how a value is computed. Only the analysis of communications asks.
        operation.computed.clear();
        match &mut operation.kind {
            OperationKind::Read(access) | OperationKind::Free(access) => self.access(access),
            OperationKind::Write { to, value } => {
                self.access(to);
                self.value(value);
            }
            OperationKind::Begin(variable) => self.variable(variable),
            OperationKind::Allocate { to, bytes, .. } => {
                self.access(to);
                bytes.iter_mut().for_each(|bytes| self.affine(bytes));
            }
            OperationKind::Call(call) => {
                if let Callee::Indirect(access) = &mut call.callee {
                    self.access(access);
                }
                for argument in &mut call.arguments {
                    match argument {
                        Argument::Value(value) => self.value(value),
                        Argument::Reference(access) => self.access(access),
                        Argument::Absent => {}
                    }
                }
                call.result.iter_mut().for_each(|access| self.access(access));
            }
            // A procedure with such operations is not copied.
            OperationKind::Directive(_) | OperationKind::Opaque { .. } => {}
        }
    }

    fn value(&mut self, value: &mut Value) {
        match value {
            Value::Affine(affine) => self.affine(affine),
            Value::Copy(access) | Value::Address(access) => self.access(access),
            Value::Data | Value::Procedure(_) | Value::Null | Value::Unknown => {}
        }
    }

    fn access(&mut self, access: &mut Access) {
        self.variable(&mut access.root);
        for step in &mut access.path {
            let Step::Elements(dimensions) = step else { continue };
            for Dimension { index, lower, extent, .. } in dimensions {
                match index {
                    Index::At(at) => self.affine(at),
                    Index::Range { first, last, .. } => {
                        self.affine(first);
                        self.affine(last);
                    }
                    Index::All | Index::Unknown => {}
                }
                lower.iter_mut().chain(extent).for_each(|affine| self.affine(affine));
            }
        }
    }

    fn affine(&mut self, affine: &mut Affine) {
        affine.terms.iter_mut().for_each(|(variable, _)| self.variable(variable));
        affine.terms.sort_unstable();
    }

    fn variable(&mut self, id: &mut VariableId) {
        let variable = &self.program.variables[id.0 as usize];
        let object = variable.object;
        if self.program.objects[object.0 as usize].lifetime != Lifetime::Local(self.original) {
            return;
        }
        if let Some(copy) = self.variables.get(id) {
            *id = *copy;
            return;
        }
        let mut variable = variable.clone();
        variable.object = self.object(object);
        let copy = VariableId(self.program.variables.len() as u32);
        self.program.variables.push(variable);
        self.variables.insert(*id, copy);
        *id = copy;
    }

    fn object(&mut self, id: ObjectId) -> ObjectId {
        if let Some(copy) = self.objects.get(&id) {
            return *copy;
        }
        let mut object = self.program.objects[id.0 as usize].clone();
        object.name = format!("{}#{}", object.name, self.id.0);
        object.lifetime = Lifetime::Local(self.id);
        let copy = ObjectId(self.program.objects.len() as u32);
        self.program.objects.push(object);
        self.objects.insert(id, copy);
        copy
    }
}
