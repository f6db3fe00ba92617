//! Finds the memory whose values may differ between the processes of an MPI program.
//!
//! Input: the effects of all operations. Output: the memory with such values.
//! Postcondition: a value differs if it is computed from the number of the process, if it is an element whose index differs, or if a
//! condition that differs decides which value it has. Values that a collective call makes equal are followed only without conditions,
//! and if something else reads them before.

use rustc_hash::FxHashSet;

use crate::communications::names::{mpi_name, SHARING};
use crate::communications::shape::{Shape, RETURN};
use crate::effects::ResultEffect;
use crate::points_to::Target;
use crate::program::{
    Access, Affine, Argument, BlockId, Call, Content, Dimension, Expression, Index, Operation, OperationKind,
    ProcedureId, Site, Step, Terminator, Value,
};
use crate::sets::{Bytes, Range, END};
use crate::summary::{add, Summaries};

/// The results of these procedures of MPI differ between the processes.
const OF_PROCESS: [&str; 12] = [
    "mpi_comm_rank",
    "mpi_group_rank",
    "mpi_cart_coords",
    "mpi_cart_get",
    "mpi_cart_map",
    "mpi_cart_shift",
    "mpi_graph_map",
    "mpi_graph_neighbors",
    "mpi_get_processor_name",
    "mpi_scan",
    "mpi_exscan",
    "mpi_scatter",
];

/// The same as `OF_PROCESS` for other libraries.
const OF_PROCESS_ELSEWHERE: [&str; 3] = ["bsp_pid", "this_image", "getpid"];

/// Memory with values that may differ between the processes, because they depend on the number of the process.
pub fn values_of_processes(summaries: &Summaries) -> Bytes {
    let shapes = summaries.places.program.procedures.iter().map(Shape::new).collect();
    let (found, decided) = (Bytes::default(), FxHashSet::default());
    let mut search = Search { summaries, shapes, found, decided, equal: equal_values(summaries) };
    // The memory only grows, so that this ends.
    loop {
        let before = search.found.clone();
        for (site, operation) in summaries.places.program.operations() {
            search.operation(site, operation);
        }
        search.conditions();
        if search.found == before {
            return search.found;
        }
    }
}

struct Search<'a> {
    summaries: &'a Summaries<'a>,
    shapes: Vec<Shape>,
    found: Bytes,
    /// The blocks whose conditions differ.
    decided: FxHashSet<(ProcedureId, BlockId)>,
    /// What collective calls make equal.
    equal: Bytes,
}

impl Search<'_> {
    fn operation(&mut self, site: Site, operation: &Operation) {
        match &operation.kind {
            OperationKind::Write { to, value } => {
                let differs = self.is_value(value)
                    || self.is_path(to)
                    || operation.computed.iter().any(|one| self.is_expression(one))
                    || is_unknown(value, &operation.computed) && self.is_operand(site);
                if differs {
                    self.add(site, &memory(self.summaries, to));
                }
            }
            OperationKind::Call(call) => self.call(site, operation, call),
            OperationKind::Read(_)
            | OperationKind::Begin(_)
            | OperationKind::Allocate { .. }
            | OperationKind::Free(_)
            | OperationKind::Directive(_)
            | OperationKind::Opaque { .. } => {}
        }
    }

    fn call(&mut self, site: Site, operation: &Operation, call: &Call) {
        let (summaries, places) = (self.summaries, &self.summaries.places);
        for target in places.calls.targets(site) {
            match target {
                Target::Procedure(id) => {
                    let callee = summaries.procedure(*id);
                    for (number, &parameter) in callee.parameters.iter().enumerate() {
                        let variable = &places.program.variables[parameter.0 as usize];
                        let is_reference = matches!(variable.content, Content::Reference { .. });
                        if !is_reference && self.is_argument(operation, call, number) {
                            self.found.insert(places.range_of(parameter));
                        }
                    }
                    if let (Some(result), Some(own)) = (&call.result, callee.result) {
                        if self.found.overlaps(places.range_of(own)) {
                            self.add(site, &memory(summaries, result));
                        }
                    }
                }
                Target::Outside(name) => self.outside(site, operation, call, name),
                Target::Unknown => {}
            }
        }
    }

    fn outside(&mut self, site: Site, operation: &Operation, call: &Call, name: &str) {
        let differs = (0..call.arguments.len()).any(|number| self.is_argument(operation, call, number));
        let Some(known) = self.summaries.effects.effects(name) else { return };
        let plain = name.rsplit('%').next().unwrap_or(name);
        let is_changed = match mpi_name(name) {
            Some(mpi) if OF_PROCESS.iter().any(|known| mpi.starts_with(known)) => true,
            Some(mpi) if mpi.ends_with("translate_ranks") || mpi == "mpi_cart_rank" => {
                let reads = &self.summaries.effect_at(site).reads;
                self.summaries.places.concretize(reads).iter().any(|range| self.found.overlaps(range))
            }
            Some(_) => false,
            None if OF_PROCESS_ELSEWHERE.contains(&plain) => true,
            // What a procedure prints or copies is followed only in its result.
            None => false,
        };
        if is_changed {
            let writes = self.summaries.effect_at(site).writes.clone();
            self.add(site, &self.summaries.places.concretize(&writes));
        }
        if let (Some(result), ResultEffect::Data, None) = (&call.result, &known.result, mpi_name(name)) {
            if is_changed || differs {
                self.add(site, &memory(self.summaries, result));
            }
        }
    }

    /// Adds memory that the operation gives values that differ, unless a collective call makes them equal before anything reads
    /// them: `n = own; MPI_Allreduce(MPI_IN_PLACE, &n, …)`.
    fn add(&mut self, site: Site, written: &Bytes) {
        for range in written.iter() {
            let is_shared = self.equal.overlaps(range) && self.is_shared_next(site, range);
            if !is_shared {
                self.found.insert(range);
            }
        }
    }

    fn is_shared_next(&self, site: Site, range: Range) -> bool {
        let (summaries, id) = (self.summaries, site.procedure);
        let (procedure, effects) = (summaries.procedure(id), summaries.effects_of(id));
        let mut waiting = vec![(site.block, site.operation as usize + 1)];
        let mut seen: FxHashSet<BlockId> = FxHashSet::default();
        while let Some((block, first)) = waiting.pop() {
            let mut is_over = false;
            for (operation, effect) in effects[block.0 as usize].iter().enumerate().skip(first) {
                let at = Site { procedure: id, block, operation: operation as u32 };
                let is_written = effect.certain.covers(range);
                if is_written && shares(summaries, at) {
                    is_over = true;
                } else if effect.reads.overlaps(range) {
                    return false;
                } else {
                    is_over = is_written || effect.ends;
                }
                if is_over {
                    break;
                }
            }
            if is_over {
                continue;
            }
            let content = &procedure.blocks[block.0 as usize];
            let next = content.terminator.successors(procedure.blocks.len());
            // The caller may read it.
            if next.is_empty() && !summaries.places.local_object(range.memory, id) {
                return false;
            }
            waiting.extend(next.into_iter().filter(|next| seen.insert(*next)).map(|next| (next, 0)));
        }
        true
    }

    /// What is written between a condition that differs and the place where its sides meet.
    fn conditions(&mut self) {
        let program = self.summaries.places.program;
        for (id, procedure) in (0..).map(ProcedureId).zip(&program.procedures) {
            for block in (0..procedure.blocks.len() as u32).map(BlockId) {
                let is_new = self.shapes[id.0 as usize].successors[block.0 as usize].len() > 1
                    && !self.decided.contains(&(id, block))
                    && self.is_condition(id, block);
                if is_new {
                    self.decided.insert((id, block));
                    self.decide(id, block);
                }
            }
        }
    }

    fn decide(&mut self, id: ProcedureId, block: BlockId) {
        let (summaries, shape) = (self.summaries, &self.shapes[id.0 as usize]);
        let procedure = summaries.procedure(id);
        let is_left = shape.meeting(block) == RETURN;
        if is_left && procedure.main {
            return;
        }
        let result = procedure.result.map(|result| summaries.places.range_of(result));
        let mut written = Bytes::default();
        for block in shape.region(block) {
            for effect in &summaries.effects_of(id)[block.0 as usize] {
                for range in effect.writes.iter() {
                    // One side returns. Then only what the caller sees has two values.
                    let is_seen = !summaries.places.local_object(range.memory, id)
                        || result.is_some_and(|result| result.memory == range.memory);
                    if !is_left || is_seen {
                        written.insert(range);
                    }
                }
            }
        }
        let mut written = summaries.places.concretize(&written);
        self.equal.iter().for_each(|range| written.remove(range));
        self.found.add(&written);
    }

    fn is_condition(&self, id: ProcedureId, block: BlockId) -> bool {
        let content = &self.summaries.procedure(id).blocks[block.0 as usize];
        if let Some(condition) = &content.condition {
            let end = Site { procedure: id, block, operation: content.operations.len() as u32 };
            if self.is_expression(condition) || has_unknown(condition) && self.is_operand(end) {
                return true;
            }
        }
        match &content.terminator {
            Terminator::Branch { condition: Some(condition), .. } => {
                self.is_sum(&condition.left) || self.is_sum(&condition.right)
            }
            Terminator::Branch { condition: None, .. }
            | Terminator::Jump(_)
            | Terminator::Succeeds { .. }
            | Terminator::Switch(_)
            | Terminator::Return
            | Terminator::Stop
            | Terminator::Anywhere => false,
        }
    }

    /// Whether an operand differs that was read just before, in the same block. Of what was read before a call, only results of other
    /// calls are operands.
    fn is_operand(&self, site: Site) -> bool {
        let program = self.summaries.places.program;
        let block = &self.summaries.procedure(site.procedure).blocks[site.block.0 as usize];
        let mut is_after_calls = true;
        for operation in block.operations[..site.operation as usize].iter().rev() {
            match &operation.kind {
                OperationKind::Read(access) => {
                    let is_result = program.variables[access.root.0 as usize].name.starts_with('%');
                    if (is_after_calls || is_result) && self.is_access(access) {
                        return true;
                    }
                }
                OperationKind::Call(_) => is_after_calls = false,
                OperationKind::Write { .. }
                | OperationKind::Begin(_)
                | OperationKind::Allocate { .. }
                | OperationKind::Free(_)
                | OperationKind::Directive(_)
                | OperationKind::Opaque { .. } => return false,
            }
        }
        false
    }

    fn is_argument(&self, operation: &Operation, call: &Call, number: usize) -> bool {
        let is_computed = operation.computed.get(number).is_some_and(|one| self.is_expression(one));
        match call.arguments.get(number) {
            Some(Argument::Value(value)) => is_computed || self.is_value(value),
            Some(Argument::Reference(access)) => self.is_access(access),
            Some(Argument::Absent) | None => false,
        }
    }

    fn is_access(&self, access: &Access) -> bool {
        let memory = memory(self.summaries, access);
        let is_in = memory.iter().any(|range| self.found.overlaps(range));
        is_in || self.is_path(access)
    }

    /// Whether an index or a pointer on the way to the memory differs.
    fn is_path(&self, access: &Access) -> bool {
        access.path.iter().enumerate().any(|(at, step)| match step {
            Step::Elements(dimensions) => dimensions.iter().any(|dimension| self.is_dimension(dimension)),
            Step::Dereference => {
                let pointer = Access { path: access.path[..at].to_vec(), size: Some(1), ..access.clone() };
                let memory = memory(self.summaries, &pointer);
                let is_in = memory.iter().any(|range| self.found.overlaps(range));
                is_in
            }
            Step::Field { .. } => false,
        })
    }

    fn is_dimension(&self, dimension: &Dimension) -> bool {
        match &dimension.index {
            Index::At(index) => self.is_sum(index),
            Index::Range { first, last, .. } => self.is_sum(first) || self.is_sum(last),
            Index::All | Index::Unknown => false,
        }
    }

    fn is_value(&self, value: &Value) -> bool {
        match value {
            Value::Copy(access) => self.is_access(access),
            Value::Affine(number) => self.is_sum(number),
            Value::Address(access) => self.is_path(access),
            Value::Data | Value::Procedure(_) | Value::Null | Value::Unknown => false,
        }
    }

    fn is_sum(&self, number: &Affine) -> bool {
        let places = &self.summaries.places;
        number.terms.iter().any(|(variable, _)| {
            let view = &places.program.variables[variable.0 as usize];
            match view.content {
                // The number is in the memory to which it refers.
                Content::Reference { .. } => {
                    let target = places.target_of(*variable);
                    let all = |memory| Bytes::from_range(Range { memory, start: 0, end: END });
                    let known = target.map(|memory| places.concretize(&all(memory)));
                    known.is_some_and(|bytes| bytes.iter().any(|range| self.found.overlaps(range)))
                }
                _ => self.found.overlaps(places.range_of(*variable)),
            }
        })
    }

    fn is_expression(&self, expression: &Expression) -> bool {
        let inner = |one: &Expression| self.is_expression(one);
        match expression {
            Expression::Affine(number) => self.is_sum(number),
            Expression::Load(access) | Expression::FirstElement(access) => self.is_access(access),
            Expression::Negate(one) | Expression::Not(one) | Expression::NonNegative(one) => inner(one),
            Expression::Binary(_, left, right) => inner(left) || inner(right),
            Expression::Choice(all) => all.iter().any(inner),
            Expression::RealFunction(_, all) | Expression::Of(all) => all.iter().any(inner),
            Expression::Parts { parts, .. } => parts.iter().any(|part| inner(&part.1)),
            Expression::Real(_) | Expression::InputFile(_) | Expression::Text(_) | Expression::Unknown => {
                false
            }
        }
    }
}

/// Whether it is not known how the value is computed.
fn is_unknown(value: &Value, computed: &[Expression]) -> bool {
    matches!(value, Value::Data | Value::Unknown) && (computed.is_empty() || computed.iter().any(has_unknown))
}

fn has_unknown(expression: &Expression) -> bool {
    match expression {
        Expression::Unknown => true,
        Expression::Negate(one) | Expression::Not(one) | Expression::NonNegative(one) => has_unknown(one),
        Expression::Binary(_, left, right) => has_unknown(left) || has_unknown(right),
        Expression::Choice(all) => all.iter().any(has_unknown),
        Expression::RealFunction(_, all) | Expression::Of(all) => all.iter().any(has_unknown),
        Expression::Parts { parts, .. } => parts.iter().any(|part| has_unknown(&part.1)),
        Expression::Affine(_)
        | Expression::Load(_)
        | Expression::FirstElement(_)
        | Expression::Real(_)
        | Expression::InputFile(_)
        | Expression::Text(_) => false,
    }
}

/// The memory that collective calls fill with the same values in all processes.
fn equal_values(summaries: &Summaries) -> Bytes {
    let (places, mut equal) = (&summaries.places, Bytes::default());
    for (site, _, _) in places.program.calls() {
        if shares(summaries, site) {
            let effect = summaries.effect_at(site);
            equal.add(&places.concretize(&effect.writes));
        }
    }
    equal
}

/// Whether a call gives all processes the same values.
fn shares(summaries: &Summaries, site: Site) -> bool {
    let is_equal = |target: &Target| match target {
        Target::Outside(name) => mpi_name(name).is_some_and(|name| {
            let name = name.trim_start_matches("mpi_i").trim_start_matches("mpi_");
            SHARING.iter().any(|known| name.starts_with(&known["mpi_".len()..]))
        }),
        Target::Procedure(_) | Target::Unknown => false,
    };
    summaries.places.calls.targets(site).iter().any(is_equal)
}

/// The memory that an access means.
pub fn memory(summaries: &Summaries, access: &Access) -> Bytes {
    let mut bytes = Bytes::default();
    add(&mut bytes, &summaries.places.resolve(access, &mut Vec::new()));
    summaries.places.concretize(&bytes)
}
