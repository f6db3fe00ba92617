//! Procedures that the program never runs.
//!
//! Input: a program of which all sources are known.
//! Output: the program without their bodies.
//! Postcondition: procedures keep their numbers. A procedure keeps its body if the main program reaches it by calls and
//! addresses of procedures, or if it contains a directive.
//!
//! A program may be linked with all sources of a library and use few of them. The parameters of the others have no
//! values, so pointers in them would point to unknown memory, and their operations would write all memory.

use rustc_hash::FxHashSet;

use crate::program::{Argument, Callee, OperationKind, ProcedureId, Program, Value, INITIAL};

impl Program {
    /// The same program. Procedures that it never runs have no operations.
    pub fn without_unreached(mut self) -> Program {
        if !self.whole || !self.procedures.iter().any(|procedure| procedure.main) {
            return self;
        }
        let reached = self.reached();
        for (id, procedure) in (0..).map(ProcedureId).zip(&mut self.procedures) {
            if !reached.contains(&id) {
                procedure.blocks.iter_mut().for_each(|block| block.operations.clear());
                procedure.address_taken = false;
            }
        }
        self
    }

    fn reached(&self) -> FxHashSet<ProcedureId> {
        let numbers = self.procedures_by_name();
        let all = || (0..).map(ProcedureId).zip(&self.procedures);
        let mut named_anywhere = FxHashSet::default();
        all().for_each(|(id, _)| named_anywhere.extend(self.named(id)));
        // The address of such a procedure is taken where the operations do not show it.
        let is_hidden = |name: &str| !named_anywhere.contains(name);
        let roots = all().filter(|(_, procedure)| {
            let mut operations = procedure.blocks.iter().flat_map(|block| &block.operations);
            procedure.main
                || procedure.name.ends_with(INITIAL)
                || (procedure.address_taken && is_hidden(&procedure.name))
                || operations.any(|operation| operation.directive().is_some())
        });
        let mut waiting: Vec<ProcedureId> = roots.map(|(id, _)| id).collect();
        let mut reached: FxHashSet<ProcedureId> = waiting.iter().copied().collect();
        while let Some(id) = waiting.pop() {
            let called = self.named(id).into_iter().filter_map(|name| numbers.get(name).copied());
            waiting.extend(called.filter(|&id| reached.insert(id)));
        }
        reached
    }

    /// The procedures that the operations of this one name.
    fn named(&self, id: ProcedureId) -> Vec<&str> {
        let mut names = Vec::new();
        let procedure = &self.procedures[id.0 as usize];
        for operation in procedure.blocks.iter().flat_map(|block| &block.operations) {
            match &operation.kind {
                OperationKind::Call(call) => {
                    match &call.callee {
                        Callee::Named(name) => names.push(&**name),
                        Callee::OneOf(all) => names.extend(all.iter().map(|name| &**name)),
                        Callee::Indirect(_) => {}
                    }
                    names.extend(call.arguments.iter().filter_map(|argument| match argument {
                        Argument::Value(Value::Procedure(name)) => Some(&**name),
                        Argument::Value(_) | Argument::Reference(_) | Argument::Absent => None,
                    }));
                }
                OperationKind::Write { value: Value::Procedure(name), .. } => names.push(&**name),
                OperationKind::Write { .. }
                | OperationKind::Read(_)
                | OperationKind::Begin(_)
                | OperationKind::Allocate { .. }
                | OperationKind::Free(_)
                | OperationKind::Directive(_)
                | OperationKind::Opaque { .. } => {}
            }
        }
        names
    }
}
