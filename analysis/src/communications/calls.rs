//! Operations that are not directives: writes, allocations and calls.
//!
//! Postcondition: `None` if the program ends there.

use super::input::{addressed, written_outside};
use super::machine::{Frame, Machine, State};
use super::names::is_function;
use super::shape::RETURN;
use super::value::{Val, Vals};
use crate::catalogue::entry::{Address, Certainty, Effect, Entry, Extent, Parameter, Product};
use crate::points_to::Target;
use crate::program::{Argument, Call, Callee, Content, Operation, OperationKind, ProcedureId, Site, Value};

impl Machine<'_, '_> {
    pub fn operation(&mut self, site: Site, operation: &Operation, mut state: State) -> Option<State> {
        match &operation.kind {
            OperationKind::Write { to, value } => {
                self.write_operation(to, value, operation, &mut state);
                Some(state)
            }
            OperationKind::Allocate { to, .. } => {
                let pointer = self.allocated(site, &mut state);
                self.write(to, &pointer, &mut state);
                Some(state)
            }
            OperationKind::Call(call) => self.call(site, operation, call, state),
            OperationKind::Opaque { touched, .. } => {
                let objects =
                    touched.iter().map(|&id| self.input.program.variables[id.0 as usize].object.into());
                self.forget_memories(objects.collect(), &mut state);
                Some(state)
            }
            OperationKind::Read(_)
            | OperationKind::Begin(_)
            | OperationKind::Free(_)
            | OperationKind::Directive(_) => Some(state),
        }
    }

    fn call(&mut self, site: Site, operation: &Operation, call: &Call, mut state: State) -> Option<State> {
        let input = self.input;
        let targets = input.callees(site);
        if let [target] = targets {
            return match target {
                Target::Procedure(id) => self.procedure(site, operation, call, *id, state),
                Target::Outside(name) => self.outside(site, operation, call, name, state),
                Target::Unknown => {
                    self.skip(site, "the procedure that is called is not known", &mut state);
                    Some(state)
                }
            };
        }
        let communicates = self.relevant.communicates(self.input, site, operation);
        if communicates {
            self.skip(site, "several procedures may be called here", &mut state);
        }
        // Each of them may have written what matters.
        let mut memories = Vec::new();
        for target in targets {
            match target {
                Target::Outside(name) => memories.extend(written_outside(self.input, name, call)),
                Target::Procedure(_) | Target::Unknown => {
                    memories.extend(&self.input.written_through_pointers);
                    memories.extend(self.input.points.escaped());
                    memories.extend(call.arguments.iter().flat_map(|one| addressed(self.input, one)));
                }
            }
        }
        self.forget_memories(memories, &mut state);
        if let Some(to) = &call.result {
            self.write(to, &Vals::different(self.count), &mut state);
        }
        Some(state)
    }

    fn procedure(
        &mut self,
        site: Site,
        operation: &Operation,
        call: &Call,
        id: ProcedureId,
        mut state: State,
    ) -> Option<State> {
        let program = self.input.program;
        if !self.relevant.runs(id) {
            return Some(state);
        }
        if self.stack.iter().any(|frame| frame.procedure == id) {
            self.skip(site, "the procedure calls itself", &mut state);
            return Some(state);
        }
        let procedure = &program.procedures[id.0 as usize];
        let mut values = Vec::new();
        for (at, argument) in call.arguments.iter().enumerate() {
            values.push(match argument {
                Argument::Value(value) => self.value(value, operation.computed.get(at), &state),
                Argument::Reference(access) => self.passed(operation, at, access, &state),
                Argument::Absent => Vals::One(Val::Int(0)),
            });
        }
        self.begin(id, &mut state);
        for (parameter, value) in procedure.parameters.iter().zip(&values) {
            let view = &program.variables[parameter.0 as usize];
            let place = Vals::One(Val::Pointer(view.object.into(), view.offset as i64));
            let is_small = view.size.is_none_or(|size| size <= 16);
            if is_small {
                let size = match view.content {
                    Content::Reference { .. } => Some(crate::program::POINTER_BYTES),
                    _ => view.size,
                };
                state.store.write(&place, size, value, &state.mask);
            }
        }
        let name = match &call.callee {
            Callee::Named(name) => name.as_str(),
            Callee::Indirect(_) | Callee::OneOf(_) => procedure.name.as_str(),
        };
        let other = procedure.entries.iter().find(|entry| entry.0 == name && procedure.name != name);
        let entry = other.map_or(procedure.entry, |entry| entry.1);
        let is_later = self.stack.last().is_some_and(|frame| frame.is_before_checkpoint);
        let is_before_checkpoint = is_later || self.relevant.continues_to_checkpoint(self.input, site);
        self.stack.push(Frame { procedure: id, is_before_checkpoint, long_loops: 0 });
        let arrivals = self.walk(id, entry, state, &[RETURN]);
        self.stack.pop();
        let mut state = Machine::returned(arrivals)?;
        if let (Some(to), Some(result)) = (&call.result, procedure.result) {
            let view = &program.variables[result.0 as usize];
            let place = Vals::One(Val::Pointer(view.object.into(), view.offset as i64));
            let value = state.store.read(&place, view.size);
            self.write(to, &value, &mut state);
        }
        Some(state)
    }

    /// The local memory of a procedure has no content when it begins.
    fn begin(&self, id: ProcedureId, state: &mut State) {
        if state.is_full() {
            for &memory in self.input.locals[id.0 as usize].iter().filter(|&&one| self.relevant.has(one)) {
                state.store.forget(memory);
            }
        }
    }

    fn outside(
        &mut self,
        site: Site,
        operation: &Operation,
        call: &Call,
        name: &str,
        mut state: State,
    ) -> Option<State> {
        let input = self.input;
        let Some(outside) = input.outside.get(name) else { return Some(state) };
        let Some(entry) = &outside.entry else {
            state
                .traffic
                .doubt(site, format!("the effects of `{}` are not known", name.trim_end_matches('_')));
            self.forget_memories(written_outside(input, name, call), &mut state);
            return Some(state);
        };
        if entry.effects.contains(&Effect::Stops) {
            return None;
        }
        if let Some(mpi) = &outside.mpi {
            return Some(self.mpi(site, operation, call, outside, mpi, state));
        }
        if outside.communicates() || outside.calls_back() && self.relevant.calls_back(input) {
            let shown = name.trim_end_matches('_');
            self.skip(site, &format!("`{shown}` may communicate or continue elsewhere"), &mut state);
        }
        if outside.calls_back() {
            self.forget_memories(input.written_through_pointers.clone(), &mut state);
        }
        let is_same = is_function(name) && self.depends_on_same(operation, call, entry, &state);
        self.forget_or_share(call, entry, written_outside(input, name, call), is_same, &mut state);
        if let Some(to) = &call.result {
            let value = match &entry.result[..] {
                _ if self.assumed.no_input_files && opens_input(name, call) => Vals::One(Val::Int(0)),
                [Address::New { .. }] => self.allocated(site, &mut state),
                _ if is_same => Vals::SAME,
                _ => Vals::different(self.count),
            };
            self.write(to, &value, &mut state);
        }
        Some(state)
    }

    /// Whether all arguments, and the memory that they address, are the same in all processes.
    fn depends_on_same(&self, operation: &Operation, call: &Call, entry: &Entry, state: &State) -> bool {
        call.arguments.iter().enumerate().all(|(at, argument)| {
            // The memory that it only writes has no content yet.
            let is_input = entry.parameter(at).is_none_or(|parameter| parameter.reads.is_some());
            let value = match argument {
                Argument::Value(value) => self.value(value, operation.computed.get(at), state),
                Argument::Reference(access) => self.place(access, state),
                Argument::Absent => return true,
            };
            let text =
                matches!(argument, Argument::Value(Value::Address(access)) if access.text.contains('"'));
            let is_same = || match value {
                Vals::One(Val::Pointer(memory, _) | Val::Inside(memory)) => {
                    state.store.is_same(memory, self.input.points.size(memory))
                }
                _ => state.store.read(&value, None).is_same(),
            };
            value.is_same() && (text || !is_input || !is_pointer(argument) || is_same())
        })
    }

    /// The memory gets new content. `is_same`: the same in all processes.
    pub fn forget_or_share(
        &self,
        call: &Call,
        entry: &Entry,
        memories: Vec<crate::sets::Memory>,
        is_same: bool,
        state: &mut State,
    ) {
        let mut same = Vec::new();
        for (at, argument) in call.arguments.iter().enumerate().filter(|_| is_same && state.is_full()) {
            let (Argument::Reference(access) | Argument::Value(Value::Address(access))) = argument else {
                continue;
            };
            let place = self.place(access, state);
            if let Vals::One(Val::Pointer(memory, _)) = place {
                // The call may keep a part of what was there.
                let keeps_same = || state.store.read(&place, access.size).is_same();
                // `sscanf` sets variables that nothing has set before.
                let is_new = at >= entry.parameters.len() && !state.store.has_value(memory);
                let is_replaced = entry.parameter(at).is_some_and(|one| replaces(one, access.size));
                if memories.contains(&memory) && (is_replaced || is_new || keeps_same()) {
                    same.push(access);
                }
            }
        }
        self.forget_memories(memories, state);
        for access in same {
            self.write(access, &Vals::SAME, state);
        }
    }
}

/// Whether a call certainly writes all of the argument, of which this is the size.
fn replaces(parameter: &Parameter, size: Option<u64>) -> bool {
    let Some(written) = parameter.writes.as_ref().filter(|one| one.certainty == Certainty::Certain) else {
        return false;
    };
    match &written.extent {
        Extent::All => true,
        extent if *extent == Extent::element() => true,
        Extent::Bytes(sum) => match &sum.0[..] {
            [Product { constant, factors }] if factors.is_empty() => {
                size.is_some_and(|size| i64::try_from(size).is_ok_and(|size| size <= *constant))
            }
            _ => false,
        },
        Extent::Unknown | Extent::Text => false,
    }
}

/// `fopen(name, "r")`
pub fn opens_input(name: &str, call: &Call) -> bool {
    let mode = match call.arguments.get(1) {
        Some(Argument::Value(Value::Address(access))) => access.text.trim_start(),
        _ => return false,
    };
    matches!(name, "fopen" | "fopen64") && mode.starts_with("\"r") && !mode.contains('+')
}

/// Whether the argument is an address.
fn is_pointer(argument: &Argument) -> bool {
    match argument {
        Argument::Value(Value::Copy(access)) => access.content == Content::Pointer,
        Argument::Value(Value::Address(_)) | Argument::Reference(_) => true,
        Argument::Value(
            Value::Data | Value::Affine(_) | Value::Null | Value::Procedure(_) | Value::Unknown,
        )
        | Argument::Absent => false,
    }
}
