//! Registers of pointers of C that are not only set by calls that allocate memory.
//!
//! Input: the pointers that a restart lacks, and the calls that allocate memory.
//! Output: registers after the statements that set the pointers.
//! Postcondition: `p[]` is written only for a pointer that points to the start of allocations. It may be null.

use std::collections::{BTreeMap, BTreeSet};

use cppc_analysis::handles::copied;
use cppc_analysis::points_to::MemoryKind;
use cppc_analysis::program::{
    Access, Content, Directive, Lifetime, ObjectId, Operation, OperationKind, ProcedureId, Program, Site,
    Step, Value, Variable,
};
use cppc_analysis::sets::{Bytes, Memory, Range};
use cppc_source::Span;

use super::super::allocations::receiving;
use super::{Search, Wanted};

/// The operations that set variables. They are collected once.
#[derive(Default)]
pub(super) struct Writes {
    /// Those that set whole variables.
    of_variables: BTreeMap<ObjectId, Vec<Site>>,
    /// Those that set handles of C to constants, with these handles.
    of_handles: Vec<(Site, Bytes)>,
}

impl Search<'_> {
    /// The item for a pointer that takes over memory from a pointer that no checkpoint needs: `q = malloc(…); p = q;`. The
    /// register of the other pointer would not save the memory as soon as that pointer changes or ends.
    pub(super) fn item_of_pointer(&self, variable: &Variable) -> String {
        let points = &self.analysis.summaries.places.points;
        let takes_over = self.has_whole_allocations(variable)
            && points.targets(variable.object.into(), variable.offset).iter().any(|(memory, _)| match points
                .kind(*memory)
            {
                MemoryKind::Heap(site) => !self.has_register_at(*site),
                _ => false,
            });
        format!("{}[{}]", variable.name, if takes_over { "" } else { "0" })
    }

    /// Whether the memory that a call allocates is registered after the call.
    fn has_register_at(&self, site: Site) -> bool {
        receiving(self.analysis, site).into_iter().any(|site| {
            let call = self.program.operation(site).call();
            let receiver = call.and_then(|call| self.handles.pointer(site, call));
            receiver.is_some_and(|receiver| !self.is_passing(&receiver) || self.is_kept(site, &receiver))
        })
    }

    /// The pointer exists as long as the program, and its procedure does not copy it: an arena.
    fn is_kept(&self, site: Site, pointer: &Access) -> bool {
        let object = &self.program.objects[self.variable(pointer.root).object.0 as usize];
        let procedure = self.procedure(site.procedure);
        let is_copy = |operation: &Operation| match &operation.kind {
            OperationKind::Write { value, .. } => {
                copied(value, self.program).is_some_and(|from| from.root == pointer.root)
            }
            _ => false,
        };
        (object.lifetime == Lifetime::Static || procedure.main)
            && !procedure.operations(site.procedure).any(|(_, operation)| is_copy(operation))
    }

    /// The pointer is a local variable of C that no checkpoint needs, and that has no register.
    fn is_passing(&self, pointer: &Access) -> bool {
        let variable = self.variable(pointer.root);
        pointer.path.is_empty()
            && variable.declared.is_some_and(|declared| (self.is_c)(declared))
            && !self.is_needed(variable)
    }

    /// For memory that a call allocates for a pointer that no checkpoint needs: whether statements copy this pointer, and each
    /// copy gets a register of the whole memory: after that statement, or with its variable.
    pub(super) fn passed_on(&self, site: Site, receiver: &Access, wanted: &mut BTreeSet<Wanted>) -> bool {
        let Some(copies) = self.copies(site, receiver) else { return false };
        for (at, to) in copies {
            if let (false, Some(item)) = (to.path.is_empty(), whole(to)) {
                wanted.insert(Wanted::RegisterAfter { at, item });
            }
        }
        true
    }

    /// The bytes of the pointers that `passed_on` registers after the statements that set them.
    pub(super) fn passed_to(&self) -> Bytes {
        let mut found = Bytes::default();
        let heap = self.program.calls().filter(|(site, ..)| self.is_heap(*site));
        for site in heap.flat_map(|(site, ..)| receiving(self.analysis, site)) {
            let call = self.program.operation(site).call();
            let receiver = call.and_then(|call| self.handles.pointer(site, call));
            let copies = receiver.and_then(|receiver| self.copies(site, &receiver));
            let fields = copies.into_iter().flatten().filter(|(_, to)| !to.path.is_empty());
            for (_, to) in fields {
                found.add(&self.handles.ranges(to));
            }
        }
        found
    }

    /// Whether the call allocates memory that is not in a graph.
    fn is_heap(&self, site: Site) -> bool {
        let memory = self.analysis.summaries.places.points.heap(site);
        memory.is_some_and(|memory| !self.graphs.contains(memory))
    }

    /// The statements that copy a pointer that no checkpoint needs, with the copies. None if there are none, or if one of them
    /// gets no register of the whole memory.
    fn copies(&self, site: Site, receiver: &Access) -> Option<Vec<(Span, &Access)>> {
        if !self.is_passing(receiver) {
            return None;
        }
        let mut copies = Vec::new();
        for (_, operation) in self.procedure(site.procedure).operations(site.procedure) {
            let OperationKind::Write { to, value } = &operation.kind else { continue };
            let is_copy = copied(value, self.program)
                .is_some_and(|from| from.root == receiver.root && from.path.is_empty());
            let variable = self.variable(to.root);
            if !is_copy || to.root == receiver.root || variable.declared.is_none() {
                continue;
            }
            let is_registered = match to.path.is_empty() {
                true => self.is_needed(variable) && self.has_whole_allocations(variable),
                false => whole(to).is_some_and(|item| !self.refused_items.contains(&item)),
            };
            if !is_registered {
                return None;
            }
            copies.push((operation.span, to));
        }
        (!copies.is_empty()).then_some(copies)
    }

    /// Whether a checkpoint needs a variable, or a directive registers it.
    fn is_needed(&self, variable: &Variable) -> bool {
        let memory = Memory::from(variable.object);
        self.unrestored.iter().any(|missing| missing.range.memory == memory)
            || self.registered.contains(&variable.object)
    }

    /// A pointer is registered after each call that allocates memory for it. Here are registers after the statements that
    /// give it another value, such as null, and that lead to a checkpoint without such a call.
    pub(super) fn other_values(&self, variable: &Variable, wanted: &mut BTreeSet<Wanted>) {
        let is_whole = self.has_whole_allocations(variable);
        let is_same = |access: &Access| self.variable(access.root).offset == variable.offset;
        for &site in self.writes().of_variables.get(&variable.object).into_iter().flatten() {
            let operation = self.operation(site);
            let (to, value) = match &operation.kind {
                OperationKind::Write { to, value } => (to, Some(value)),
                OperationKind::Call(call) => match &call.result {
                    Some(result) => (result, None),
                    None => continue,
                },
                _ => continue,
            };
            let is_null = matches!(value, Some(Value::Null));
            if !is_same(to)
                || self.is_receipt(operation.span)
                || self.starts.is_before(site)
                || !self.handles.comes_to_checkpoint(site, to)
            {
                continue;
            }
            if is_null || is_whole {
                let item = format!("{}[{}]", to.text, if is_whole { "" } else { "0" });
                wanted.insert(Wanted::RegisterAfter { at: operation.span, item });
            }
        }
    }

    /// Blocks around the statements that set the variable of a handle to a constant, such as null, if this is its value at a
    /// checkpoint. The blocks that create handles would leave a handle in it.
    pub(super) fn without_handle(&self, missing: Range, wanted: &mut BTreeSet<Wanted>) {
        for (site, handles) in &self.writes().of_handles {
            let operation = self.operation(*site);
            let OperationKind::Write { to, .. } = &operation.kind else { continue };
            if handles.overlaps(missing)
                && !self.starts.is_before(*site)
                && !self.is_in_block(*site)
                && self.handles.comes_to_checkpoint(*site, to)
                && self.is_same_in_block(site.procedure, to)
            {
                let captures = self.captures(*site, None, Some(to));
                wanted.insert(Wanted::Setting { at: operation.span, captures });
            }
        }
    }

    fn writes(&self) -> &Writes {
        self.writes.get_or_init(|| {
            let mut writes = Writes::default();
            for (site, operation) in self.program.operations() {
                let to = match &operation.kind {
                    OperationKind::Write { to, .. } => to,
                    OperationKind::Call(call) => match &call.result {
                        Some(result) => result,
                        None => continue,
                    },
                    _ => continue,
                };
                if to.path.is_empty() {
                    writes.of_variables.entry(self.variable(to.root).object).or_default().push(site);
                }
                let handles = self.set_to_constant(operation);
                if !handles.is_empty() {
                    writes.of_handles.push((site, handles));
                }
            }
            writes
        })
    }

    /// The handles that a statement of C sets to a constant.
    fn set_to_constant(&self, operation: &Operation) -> Bytes {
        let mut found = Bytes::default();
        let OperationKind::Write { to, value } = &operation.kind else { return found };
        let is_constant = match value {
            Value::Null => true,
            Value::Affine(value) => value.terms.is_empty(),
            // `MPI_COMM_NULL`
            Value::Address(of) => self.is_constant(of),
            Value::Copy(from) => self.is_constant(from),
            Value::Data | Value::Procedure(_) | Value::Unknown => false,
        };
        if is_constant && self.variable(to.root).declared.is_some_and(|at| (self.is_c)(at)) {
            let is_handle = |range: &Range| self.handles.holds(*range) || self.handle_fields.overlaps(*range);
            self.handles.ranges(to).iter().filter(is_handle).for_each(|range| found.insert(range));
        }
        found
    }

    /// Whether a block in a restart names the same memory: it does not read pointers, except a parameter that the procedure
    /// does not change.
    fn is_same_in_block(&self, id: ProcedureId, access: &Access) -> bool {
        let pointers = access.path.iter().filter(|step| matches!(step, Step::Dereference)).count();
        let is_changed = |kind: &OperationKind| match kind {
            OperationKind::Write { to, .. } => to.root == access.root && to.path.is_empty(),
            _ => false,
        };
        let procedure = self.procedure(id);
        pointers == 0
            || pointers == 1
                && access.path.first() == Some(&Step::Dereference)
                && procedure.parameters.contains(&access.root)
                && !procedure.operations(id).any(|(_, operation)| is_changed(&operation.kind))
    }

    fn is_constant(&self, access: &Access) -> bool {
        self.program.objects[self.variable(access.root).object.0 as usize].constant
    }

    /// Whether a statement contains a call that allocates memory, or is a part of it.
    fn is_receipt(&self, span: Span) -> bool {
        self.receipts.iter().any(|receipt| receipt.contains(span) || span.contains(*receipt))
    }

    /// Whether the pointer is null, or points to the start of an allocation.
    fn has_whole_allocations(&self, variable: &Variable) -> bool {
        let points = &self.analysis.summaries.places.points;
        let targets = points.targets(variable.object.into(), variable.offset);
        let is_start = |(memory, offset): &(Memory, Option<u64>)| {
            *offset == Some(0) && matches!(points.kind(*memory), MemoryKind::Heap(_))
        };
        variable.content == Content::Pointer && !targets.is_empty() && targets.iter().all(is_start)
    }
}

/// The item for the whole allocation to which a pointer points, if its text can be evaluated again.
pub(super) fn whole(pointer: &Access) -> Option<String> {
    let text = &pointer.text;
    let acts = text.contains("++") || text.contains("--") || text.contains(['(', '=', '\n']);
    let is_prefixed = text.starts_with(['*', '&']);
    (!acts).then(|| if is_prefixed { format!("({text})[]") } else { format!("{text}[]") })
}

/// The variables in the items of `register` directives.
pub(super) fn registered(program: &Program) -> BTreeSet<ObjectId> {
    let items = program.directives().filter_map(|(_, directive)| match directive {
        Directive::Register(items) => Some(items),
        _ => None,
    });
    items.flatten().map(|item| program.variables[item.memory.root.0 as usize].object).collect()
}
