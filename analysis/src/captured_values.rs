//! How the captured values of execute blocks change from run to run.
//!
//! Input: an execute block and what it captures. Output: whether the values differ in all its runs, and whether they may change.
//! Postcondition: values are found to differ only if, for each loop around the block, one of them is the counter, changes in each
//! iteration in the same direction, or is a sum with such a variable. Other values may be equal in two runs.

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::communications::names::mpi_name;
use crate::instances::{cycles, Repeats};
use crate::natural_loops::{NaturalLoop, NaturalLoops};
use crate::points_to::Target;
use crate::program::{
    Access, Affine, Argument, BlockId, Call, Content, Expression, OperationKind, ProcedureId, Site, Value,
    VariableId,
};
use crate::sets::{Bytes, Memory, Range};
use crate::solver::Graph;
use crate::summary::{add, Summaries};

/// Each call for the same arguments has the same results in a process.
const SAME_IN_PROCESS: [&str; 4] = ["mpi_comm_rank", "mpi_comm_size", "mpi_group_rank", "mpi_cart_coords"];

/// The maximum number of assignments and calls between a counter and the captured value.
const MAXIMUM_DEPTH: u32 = 6;

pub struct CapturedValues<'a> {
    summaries: &'a Summaries<'a>,
    repeats: Repeats,
    frames: RefCell<FxHashMap<ProcedureId, Rc<Frame>>>,
}

/// What is known about a procedure.
struct Frame {
    loops: NaturalLoops,
    /// The cycle of which each block is a part.
    cycles: Vec<Option<usize>>,
    /// The operations that write memory, without directives.
    writes: Vec<(Site, Bytes)>,
}

/// The first byte of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Number {
    memory: Memory,
    start: u64,
}

#[derive(Debug, Clone, Copy)]
struct Change {
    is_increase: bool,
    is_certain: bool,
}

/// Where it was already asked whether memory may change.
type Asked = FxHashSet<(Site, Range)>;

impl<'a> CapturedValues<'a> {
    pub fn new(summaries: &'a Summaries<'a>) -> CapturedValues<'a> {
        let repeats = Repeats::new(summaries.places.program, &summaries.places.calls);
        CapturedValues { summaries, repeats, frames: RefCell::default() }
    }

    /// Whether all runs of the block have different values of these captures.
    pub fn differ<'c>(&self, begin: Site, captures: impl Iterator<Item = &'c Access>) -> bool {
        let numbers: Vec<Number> = captures.filter_map(|access| self.number(access)).collect();
        self.differ_at(begin, &numbers, 0)
    }

    /// Whether the captured memory may have different values in two runs of the block.
    pub fn may_change(&self, begin: Site, capture: &Access) -> bool {
        self.bytes_change(begin, &self.bytes(capture), &mut Asked::default())
    }

    fn differ_at(&self, site: Site, numbers: &[Number], depth: u32) -> bool {
        let (id, calls) = (site.procedure, &self.summaries.places.calls);
        if !self.differ_in_loops(site, numbers, depth) {
            return false;
        }
        if !self.repeats.is_in_repeated_procedure(id) {
            return true;
        }
        // Calls at different sites are different runs.
        let is_distinct = |caller: &Site| {
            let passed: Vec<Number> =
                numbers.iter().filter_map(|number| self.in_caller(*number, id, *caller)).collect();
            !self.repeats.may_repeat(*caller) || self.differ_at(*caller, &passed, depth + 1)
        };
        depth < MAXIMUM_DEPTH && !calls.recursive(id) && calls.callers[id.0 as usize].iter().all(is_distinct)
    }

    fn differ_in_loops(&self, site: Site, numbers: &[Number], depth: u32) -> bool {
        let frame = self.frame(site.procedure);
        let Some(cycle) = frame.cycles[site.block.0 as usize] else { return true };
        let mut around = frame.loops.innermost[site.block.0 as usize];
        let mut count = 0;
        while let Some(number) = around {
            let inside = &frame.loops.loops[number];
            if !numbers.iter().any(|number| self.counts(site, *number, inside, depth)) {
                return false;
            }
            count = inside.blocks.len();
            around = inside.parent;
        }
        // A cycle may be larger than the natural loops in it.
        frame.cycles.iter().filter(|other| **other == Some(cycle)).count() == count
    }

    /// Whether the number has another value in each iteration of the loop in which control passes the site.
    fn counts(&self, site: Site, number: Number, inside: &NaturalLoop, depth: u32) -> bool {
        let (frame, procedure) = (self.frame(site.procedure), self.summaries.procedure(site.procedure));
        let is_counter = procedure.loops.iter().any(|counted| {
            counted.header == inside.head
                && counted.regular
                && self.of_variable(counted.variable) == Some(number)
        });
        if is_counter {
            return true;
        }
        let memory = self.concrete(number);
        let sets = |(site, bytes): &&(Site, Bytes)| {
            inside.blocks.contains(&site.block) && memory.iter().any(|range| bytes.overlaps(range))
        };
        let writes: Vec<Site> = frame.writes.iter().filter(sets).map(|write| write.0).collect();
        let changes: Option<Vec<Change>> =
            writes.iter().map(|write| self.change(*write, number, depth)).collect();
        if let Some(changes) = changes {
            let is_one_way = changes.windows(2).all(|two| two[0].is_increase == two[1].is_increase);
            let certain: Vec<Site> = std::iter::zip(&writes, &changes)
                .filter_map(|(write, change)| change.is_certain.then_some(*write))
                .collect();
            return is_one_way
                && (certain.contains(&site)
                    || !self.reaches(inside, (site, 1), &certain, None)
                    || !self.reaches(
                        inside,
                        (Site { block: inside.head, operation: 0, ..site }, 0),
                        &certain,
                        Some(site),
                    ));
        }
        let is_last = |write: &&Site| {
            let mut others = writes.iter().filter(|other| other != write);
            self.precedes(**write, site)
                && !others.any(|other| self.reaches(inside, (*other, 1), &[**write], Some(site)))
        };
        depth < MAXIMUM_DEPTH
            && writes
                .iter()
                .find(is_last)
                .is_some_and(|write| self.is_sum_with_counter(*write, number, inside, depth))
    }

    /// Whether the operation sets the number to a sum with a number that counts, and with others that do not change.
    fn is_sum_with_counter(&self, write: Site, number: Number, inside: &NaturalLoop, depth: u32) -> bool {
        let OperationKind::Write { to, value } = &self.summaries.places.program.operation(write).kind else {
            return false;
        };
        if self.number(to) != Some(number) {
            return false;
        }
        let terms: Option<Vec<Number>> = match value {
            Value::Copy(access) => self.number(access).map(|one| vec![one]),
            Value::Affine(sum) => sum.terms.iter().map(|term| self.of_variable(term.0)).collect(),
            Value::Data | Value::Address(_) | Value::Procedure(_) | Value::Null | Value::Unknown => None,
        };
        let Some(terms) = terms else { return false };
        let frame = self.frame(write.procedure);
        let is_set = |one: &&Number| {
            let memory = self.concrete(**one);
            let mut writes = frame.writes.iter().filter(|write| inside.blocks.contains(&write.0.block));
            writes.any(|(_, bytes)| memory.iter().any(|range| bytes.overlaps(range)))
        };
        match terms.iter().filter(is_set).collect::<Vec<_>>()[..] {
            [one] => self.counts(write, *one, inside, depth + 1),
            _ => false,
        }
    }

    /// How the operation changes the number, if it only adds to it or only subtracts from it.
    fn change(&self, site: Site, number: Number, depth: u32) -> Option<Change> {
        let places = &self.summaries.places;
        match &places.program.operation(site).kind {
            OperationKind::Write { to, value: Value::Affine(Affine { constant, terms }) } => {
                let [(variable, 1)] = terms[..] else { return None };
                let is_own = self.number(to) == Some(number) && self.of_variable(variable) == Some(number);
                let change = Change { is_increase: *constant > 0, is_certain: true };
                (is_own && *constant != 0).then_some(change)
            }
            OperationKind::Call(_) => {
                let [Target::Procedure(id)] = places.calls.targets(site)[..] else { return None };
                if depth >= MAXIMUM_DEPTH || places.local_to(number.memory, id) {
                    return None;
                }
                self.change_in(id, number, depth)
            }
            _ => None,
        }
    }

    /// The same for all operations of a procedure that is called.
    fn change_in(&self, id: ProcedureId, number: Number, depth: u32) -> Option<Change> {
        let (frame, memory) = (self.frame(id), self.concrete(number));
        let sets = |write: &&(Site, Bytes)| memory.iter().any(|range| write.1.overlaps(range));
        let all: Option<Vec<(Site, Change)>> = frame
            .writes
            .iter()
            .filter(sets)
            .map(|write| self.change(write.0, number, depth + 1).map(|change| (write.0, change)))
            .collect();
        let all = all?;
        let is_increase = all.first()?.1.is_increase;
        let procedure = self.summaries.procedure(id);
        // Control passes a block that dominates all ends.
        let returns = (0..procedure.blocks.len() as u32).map(BlockId).filter(|block| {
            let successors = &frame.loops.graph.successors[block.0 as usize];
            frame.loops.is_reached(*block) && successors.is_empty()
        });
        let returns: Vec<BlockId> = returns.collect();
        let is_passed = |site: Site| {
            returns.iter().all(|end| frame.loops.dominates(site.block, *end)) && procedure.entries.is_empty()
        };
        let is_certain = all.iter().any(|(site, change)| change.is_certain && is_passed(*site));
        let is_one_way = all.iter().all(|(_, change)| change.is_increase == is_increase);
        is_one_way.then_some(Change { is_increase, is_certain })
    }

    /// Whether control may come from an operation, or from the next one, to the target in the same iteration. Without a target: to
    /// the end of the iteration. It does not continue after the operations that stop it.
    fn reaches(&self, inside: &NaturalLoop, from: (Site, u32), stops: &[Site], target: Option<Site>) -> bool {
        let (site, distance) = from;
        let frame = self.frame(site.procedure);
        let mut waiting = vec![(site.block, site.operation + distance)];
        let mut entered = FxHashSet::default();
        while let Some((block, first)) = waiting.pop() {
            let is_next = |site: &&Site| site.block == block && site.operation >= first;
            let stop = stops.iter().filter(is_next).map(|site| site.operation).min();
            if let Some(target) = target.as_ref().filter(is_next) {
                if stop.is_none_or(|stop| target.operation <= stop) {
                    return true;
                }
            }
            if stop.is_some() {
                continue;
            }
            for &next in &frame.loops.graph.successors[block.0 as usize] {
                if next == inside.head {
                    if target.is_none() {
                        return true;
                    }
                } else if inside.blocks.contains(&next) && entered.insert(next) {
                    waiting.push((next, 0));
                }
            }
        }
        false
    }

    /// What the number is at a call of the procedure. None: it is not known, or the procedure changes it before.
    fn in_caller(&self, number: Number, id: ProcedureId, caller: Site) -> Option<Number> {
        let places = &self.summaries.places;
        let call = places.program.operation(caller).call()?;
        for (argument, &parameter) in call.arguments.iter().zip(&self.summaries.procedure(id).parameters) {
            if self.first_byte(places.range_of(parameter)) == number {
                let is_set = self.frame(id).writes.iter().any(|write| write.1.overlaps(number.range()));
                return match argument {
                    Argument::Value(Value::Copy(access)) if !is_set => self.number(access),
                    Argument::Value(Value::Affine(sum)) if !is_set => match sum.terms[..] {
                        [(variable, _)] => self.of_variable(variable),
                        _ => None,
                    },
                    Argument::Value(_) | Argument::Reference(_) | Argument::Absent => None,
                };
            }
            if places.target_of(parameter) == Some(number.memory) {
                return match argument {
                    Argument::Reference(access) | Argument::Value(Value::Address(access))
                        if number.start == 0 =>
                    {
                        self.number(access)
                    }
                    Argument::Value(_) | Argument::Reference(_) | Argument::Absent => None,
                };
            }
        }
        (!places.local_to(number.memory, id)).then_some(number)
    }

    fn bytes_change(&self, at: Site, bytes: &Bytes, asked: &mut Asked) -> bool {
        let ranges: Vec<Range> = bytes.iter().collect();
        ranges.into_iter().any(|range| asked.insert((at, range)) && self.range_changes(at, range, asked))
    }

    fn range_changes(&self, at: Site, range: Range, asked: &mut Asked) -> bool {
        let (places, id, frame) = (&self.summaries.places, at.procedure, self.frame(at.procedure));
        let is_called_again = self.repeats.is_in_repeated_procedure(id);
        let cycle = frame.cycles[at.block.0 as usize];
        let memory = places.concretize(&Bytes::from_range(range));
        let sets = |(site, bytes): &&(Site, Bytes)| {
            let is_in_cycle = cycle.is_some() && frame.cycles[site.block.0 as usize] == cycle;
            (is_called_again || is_in_cycle) && memory.iter().any(|range| bytes.overlaps(range))
        };
        let writes: Vec<Site> = frame.writes.iter().filter(sets).map(|write| write.0).collect();
        match writes[..] {
            [] => is_called_again && self.changes_between_calls(id, range, asked),
            // Each run finds the value of this operation.
            [write] if self.precedes(write, at) => self.value_changes(write, asked),
            _ => true,
        }
    }

    /// The same for memory that the procedure does not change.
    fn changes_between_calls(&self, id: ProcedureId, range: Range, asked: &mut Asked) -> bool {
        let places = &self.summaries.places;
        if places.calls.recursive(id) {
            return true;
        }
        let parameters = &self.summaries.procedure(id).parameters;
        let is_itself = |one: &VariableId| places.range_of(*one).memory == range.memory;
        let is_target = |one: &VariableId| places.target_of(*one) == Some(range.memory);
        let position = parameters.iter().position(|one| is_itself(one) || is_target(one));
        if position.is_none() && places.local_to(range.memory, id) {
            return false;
        }
        places.calls.callers[id.0 as usize].iter().filter(|caller| self.repeats.may_repeat(**caller)).any(
            |&caller| {
                let Some(position) = position else {
                    return self.bytes_change(caller, &Bytes::from_range(range), asked);
                };
                let Some(call) = places.program.operation(caller).call() else { return true };
                match call.arguments.get(position) {
                    Some(Argument::Value(Value::Address(access))) if is_target(&parameters[position]) => {
                        self.bytes_change(caller, &self.bytes(access), asked)
                    }
                    Some(Argument::Value(value)) if is_itself(&parameters[position]) => {
                        self.new_value(caller, value, None, asked)
                    }
                    Some(Argument::Reference(access)) => {
                        self.bytes_change(caller, &self.bytes(access), asked)
                    }
                    Some(Argument::Value(_) | Argument::Absent) | None => true,
                }
            },
        )
    }

    /// Whether the operation may set another value when it runs again.
    fn value_changes(&self, site: Site, asked: &mut Asked) -> bool {
        let operation = self.summaries.places.program.operation(site);
        match &operation.kind {
            OperationKind::Write { value, .. } => {
                self.new_value(site, value, operation.computed.first(), asked)
            }
            OperationKind::Call(call) => self.result_changes(site, call, asked),
            _ => true,
        }
    }

    fn result_changes(&self, site: Site, call: &Call, asked: &mut Asked) -> bool {
        let places = &self.summaries.places;
        let is_known = |target: &Target| match target {
            Target::Outside(name) => is_same_in_process(name),
            Target::Procedure(_) | Target::Unknown => false,
        };
        let targets = places.calls.targets(site);
        if targets.is_empty() || !targets.iter().all(is_known) {
            return true;
        }
        let effects = self.summaries.effects_of(site.procedure);
        let sets = places.concretize(&effects[site.block.0 as usize][site.operation as usize].writes);
        call.arguments.iter().any(|argument| match argument {
            Argument::Value(value) => self.new_value(site, value, None, asked),
            Argument::Reference(access) => {
                let bytes = self.bytes(access);
                let is_set = places.concretize(&bytes).iter().any(|range| sets.overlaps(range));
                !is_set && self.bytes_change(site, &bytes, asked)
            }
            Argument::Absent => false,
        })
    }

    fn new_value(&self, at: Site, value: &Value, computed: Option<&Expression>, asked: &mut Asked) -> bool {
        match value {
            Value::Copy(access) => self.bytes_change(at, &self.bytes(access), asked),
            Value::Affine(sum) => self.sum_changes(at, sum, asked),
            Value::Address(_) | Value::Procedure(_) | Value::Null => false,
            Value::Data | Value::Unknown => {
                computed.is_none_or(|one| self.expression_changes(at, one, asked))
            }
        }
    }

    fn sum_changes(&self, at: Site, sum: &Affine, asked: &mut Asked) -> bool {
        sum.terms.iter().any(|term| match self.of_variable(term.0) {
            Some(number) => self.bytes_change(at, &Bytes::from_range(number.range()), asked),
            None => true,
        })
    }

    fn expression_changes(&self, at: Site, expression: &Expression, asked: &mut Asked) -> bool {
        let mut any = |all: &[Expression]| all.iter().any(|one| self.expression_changes(at, one, asked));
        match expression {
            Expression::Affine(sum) => self.sum_changes(at, sum, asked),
            Expression::Load(access) | Expression::FirstElement(access) => {
                self.bytes_change(at, &self.bytes(access), asked)
            }
            Expression::Negate(one) | Expression::Not(one) | Expression::NonNegative(one) => {
                any(std::slice::from_ref(one))
            }
            Expression::Binary(_, left, right) => {
                any(std::slice::from_ref(left)) || any(std::slice::from_ref(right))
            }
            Expression::Choice(all) => any(&all[..]),
            Expression::RealFunction(_, all) | Expression::Of(all) => any(all),
            Expression::Parts { parts, .. } => parts.iter().any(|part| any(std::slice::from_ref(&part.1))),
            Expression::Real(_) | Expression::InputFile(_) | Expression::Text(_) => false,
            Expression::Unknown => true,
        }
    }

    /// Whether control passes the first operation before each run of the second one.
    fn precedes(&self, first: Site, second: Site) -> bool {
        match first.block == second.block {
            true => first.operation < second.operation,
            false => self.frame(first.procedure).loops.dominates(first.block, second.block),
        }
    }

    fn bytes(&self, access: &Access) -> Bytes {
        let mut bytes = Bytes::default();
        add(&mut bytes, &self.summaries.places.resolve(access, &mut Vec::new()));
        bytes
    }

    fn number(&self, access: &Access) -> Option<Number> {
        match self.summaries.places.resolve(access, &mut Vec::new())[..] {
            [place] if place.exact => Some(self.first_byte(place.range)),
            _ => None,
        }
    }

    fn of_variable(&self, id: VariableId) -> Option<Number> {
        let places = &self.summaries.places;
        match places.program.variables[id.0 as usize].content {
            // The number is in the memory to which it refers.
            Content::Reference { .. } => places.target_of(id).map(|memory| Number { memory, start: 0 }),
            _ => Some(self.first_byte(places.range_of(id))),
        }
    }

    fn first_byte(&self, range: Range) -> Number {
        Number { memory: range.memory, start: range.start }
    }

    fn concrete(&self, number: Number) -> Bytes {
        self.summaries.places.concretize(&Bytes::from_range(number.range()))
    }

    fn frame(&self, id: ProcedureId) -> Rc<Frame> {
        if let Some(known) = self.frames.borrow().get(&id) {
            return known.clone();
        }
        let (procedure, effects) = (self.summaries.procedure(id), self.summaries.effects_of(id));
        let is_statement = |kind: &OperationKind| match kind {
            OperationKind::Directive(_) | OperationKind::Begin(_) | OperationKind::Read(_) => false,
            OperationKind::Write { .. }
            | OperationKind::Allocate { .. }
            | OperationKind::Free(_)
            | OperationKind::Call(_)
            | OperationKind::Opaque { .. } => true,
        };
        let statements = procedure.operations(id).filter(|(_, operation)| is_statement(&operation.kind));
        let writes = statements.map(|(site, _)| {
            let effect = &effects[site.block.0 as usize][site.operation as usize];
            (site, self.summaries.places.concretize(&effect.writes))
        });
        let writes = writes.filter(|write| !write.1.is_empty()).collect();
        let cycles = cycles(&Graph::new(procedure));
        let frame = Rc::new(Frame { loops: NaturalLoops::new(procedure), cycles, writes });
        self.frames.borrow_mut().insert(id, frame.clone());
        frame
    }
}

impl Number {
    fn range(self) -> Range {
        Range { memory: self.memory, start: self.start, end: self.start + 1 }
    }
}

fn is_same_in_process(name: &str) -> bool {
    mpi_name(name).is_some_and(|name| SAME_IN_PROCESS.contains(&name.as_str()))
}
