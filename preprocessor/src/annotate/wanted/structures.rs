//! The names of variables in registers, and structures of C that contain handles.
//!
//! Input: memory that a restart lacks.
//! Output: registers.
//! Postcondition: no register contains a handle, because its value is not valid in the next run.

use std::collections::{BTreeMap, BTreeSet};

use cppc_analysis::points_to::MemoryKind;
use cppc_analysis::program::{
    Access, Argument, Content, Lifetime, OperationKind, ProcedureId, Program, Step, Value, Variable,
    VariableId, POINTER_BYTES,
};
use cppc_analysis::sets::{Bytes, Memory, Range};
use cppc_source::Span;

use super::super::handles::Handles;
use super::super::{FieldBytes, ROOT};
use super::{is_part, range_of, Search, Wanted};

impl Search<'_> {
    /// Registers a variable before the statement at `at`. `nearest`: directly before it.
    pub(super) fn register(
        &self,
        variable: &Variable,
        at: Span,
        nearest: bool,
        wanted: &mut BTreeSet<Wanted>,
    ) {
        if let (true, Some(declared)) = (self.is_structure(variable), variable.declared) {
            let name = variable.name.clone();
            let (except, roots) = (self.excepted(variable), self.roots_of(variable));
            let statements = self.statements_of(variable, &roots);
            let needed = self.needed_of(variable);
            let bytes = FieldBytes { except, roots, needed, statements };
            wanted.insert(Wanted::RegisterFields { at, declared, nearest, name, bytes });
            return;
        }
        match self.item(variable, at) {
            Some(item) => {
                wanted.insert(Wanted::Register { at, declared: variable.declared, nearest, item });
            }
            None if nearest && !self.is_refused_root(variable) => self.other_values(variable, wanted),
            None => {}
        }
    }

    /// The item of a `register` directive at `at`. `None` for a pointer whose memory is registered where it is allocated: that
    /// saves the pointer too, and another register would replace it.
    pub(super) fn item(&self, variable: &Variable, at: Span) -> Option<String> {
        // An array of pointers is registered as it is.
        let is_pointer = variable.content == Content::Pointer && !variable.is_array && (self.is_c)(at);
        if self.graphs.have_root_in(range_of(variable)) && (self.is_c)(at) {
            return Some(format!("{ROOT}{}{})", variable.name, self.statements(range_of(variable))));
        }
        match is_pointer {
            true if self.is_refused_root(variable) => None,
            true if self.allocated.overlaps(range_of(variable)) => None,
            true if self.points_to_procedure(variable) => Some(variable.name.clone()),
            true => Some(self.item_of_pointer(variable)),
            false => Some(variable.name.clone()),
        }
    }

    /// Whether a pointer of C points to memory of a graph that the translation refused. The check reports it.
    fn is_refused_root(&self, variable: &Variable) -> bool {
        let points = &self.analysis.summaries.places.points;
        let targets = points.memories_to_unknown(variable.object.into(), variable.offset);
        targets.into_iter().any(|memory| self.graphs.refuse(memory))
    }

    /// Whether a pointer of C may point to a procedure.
    fn points_to_procedure(&self, variable: &Variable) -> bool {
        let points = &self.analysis.summaries.places.points;
        let targets = points.memories_to_unknown(variable.object.into(), variable.offset);
        targets.iter().any(|memory| matches!(points.kind(*memory), MemoryKind::Code(..)))
    }

    /// The variables that the procedure can name and that share bytes with the range.
    pub(super) fn names(
        &self,
        procedure: ProcedureId,
        range: Range,
    ) -> impl Iterator<Item = VariableId> + '_ {
        let visible = self.visible.get(&procedure).into_iter().flatten().copied();
        visible.filter(move |&id| self.is_name_of(id, range))
    }

    /// Whether a variable shares bytes with the range.
    pub(super) fn is_name_of(&self, id: VariableId, range: Range) -> bool {
        let variable = self.variable(id);
        variable.declared.is_some() && is_part(variable, range) && !self.is_incomplete(variable)
    }

    /// A declaration of C without a size, such as `extern int a[];`. Only another one can be registered.
    fn is_incomplete(&self, variable: &Variable) -> bool {
        let object = &self.program.objects[variable.object.0 as usize];
        let is_c = variable.declared.is_some_and(|declared| (self.is_c)(declared));
        is_c && variable.size.is_none() && object.size.is_some() && object.lifetime == Lifetime::Static
    }

    /// Those of them that do not contain a handle.
    pub(super) fn names_without<'s>(
        &'s self,
        procedure: ProcedureId,
        range: Range,
        handles: &'s Bytes,
    ) -> impl Iterator<Item = VariableId> + 's {
        let names = self.names(procedure, range);
        names.filter(|&id| !handles.overlaps(range_of(self.variable(id))))
    }

    /// A structure of C that contains handles.
    pub(super) fn is_structure(&self, variable: &Variable) -> bool {
        variable.content == Content::Record
            && variable.declared.is_some_and(|declared| (self.is_c)(declared))
            && self.handle_fields.overlaps(range_of(variable))
    }

    /// The bytes of the handles of a structure, and of the pointers that are registered elsewhere.
    fn excepted(&self, variable: &Variable) -> Vec<(u64, u64)> {
        let whole = Bytes::from_range(range_of(variable));
        let passed_to = self.passed_to();
        let found = [&self.handle_fields, &self.allocated, &passed_to].map(|bytes| bytes.intersect(&whole));
        found.iter().flat_map(|bytes| within(variable, bytes)).collect()
    }

    /// The statements of each pointer to a graph in a structure.
    fn statements_of(&self, variable: &Variable, roots: &[(u64, u64)]) -> BTreeMap<u64, String> {
        let memory = Memory::from(variable.object);
        let offsets = self.analysis.summaries.places.points.pointers(memory).into_iter();
        let from_start = offsets.filter_map(|offset| offset.checked_sub(variable.offset));
        let pointers = from_start.filter(|at| roots.iter().any(|(start, end)| start <= at && at < end));
        let of_pointer = |at: u64| {
            let start = variable.offset + at;
            (at, self.statements(Range { memory, start, end: start + POINTER_BYTES }))
        };
        pointers.map(of_pointer).collect()
    }

    /// The bytes of a variable that a restart needs and does not have.
    fn needed_of(&self, variable: &Variable) -> Vec<(u64, u64)> {
        let whole = range_of(variable);
        let ranges = self.unrestored.iter().map(|missing| missing.range);
        let here = ranges.filter(|range| {
            range.memory == whole.memory && range.start < whole.end && whole.start < range.end
        });
        let from_start = here.map(|range| (range.start.max(whole.start), range.end.min(whole.end)));
        from_start.map(|(start, end)| (start - variable.offset, end - variable.offset)).collect()
    }

    /// The bytes of the pointers to graphs.
    fn roots_of(&self, variable: &Variable) -> Vec<(u64, u64)> {
        within(variable, &self.graphs.roots_in(&Bytes::from_range(range_of(variable))))
    }
}

/// Ranges of a variable, from its start.
fn within(variable: &Variable, bytes: &Bytes) -> Vec<(u64, u64)> {
    bytes.iter().map(|range| (range.start - variable.offset, range.end - variable.offset)).collect()
}

/// The fields of structures of C that are handles.
pub(super) fn handle_fields(program: &Program, handles: &Handles, is_c: &dyn Fn(Span) -> bool) -> Bytes {
    let mut fields = Bytes::default();
    let mut add = |access: &Access| {
        let root = &program.variables[access.root.0 as usize];
        let is_field = root.declared.is_some_and(is_c)
            && access.path.iter().any(|step| matches!(step, Step::Field { .. }));
        if is_field {
            let ranges = handles.ranges(access);
            match access.content {
                Content::Handle(_) => fields.add(&ranges),
                // A structure may have other fields too.
                _ => fields.add(&handles.in_memory(&ranges)),
            };
        }
    };
    for (_, operation) in program.operations() {
        match &operation.kind {
            OperationKind::Read(access) | OperationKind::Write { to: access, .. } => add(access),
            OperationKind::Call(call) => {
                call.result.iter().for_each(&mut add);
                for argument in &call.arguments {
                    if let Argument::Value(Value::Address(access) | Value::Copy(access)) = argument {
                        add(access);
                    }
                }
            }
            _ => {}
        }
    }
    fields
}
