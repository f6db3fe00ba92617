//! Execution of a program, operation by operation, with watches.
//!
//! Input: a program without recursion, and its array regions. Output: an error if an operation reads a byte that was
//! not written since a checkpoint or an entry, and the regions call the read covered.

use std::collections::{HashMap, HashSet};

use cppc_analysis::program::{
    Access, Affine, Argument, BlockId, Callee, Comparison, Condition, Content, Dimension, Directive, Index,
    ObjectId, OperationKind, ProcedureId, Program, Site, Step, Terminator, Value, VariableId,
};
use cppc_analysis::region::{Exposure, Regions};
use cppc_prng::Random;

/// How many reads were compared.
#[derive(Debug, Default)]
pub struct Counts {
    pub covered: u64,
    pub exposed: u64,
}

pub fn run(
    program: &Program,
    regions: &Regions,
    random: &mut Random,
    counts: &mut Counts,
) -> Result<(), String> {
    let main = program.procedures.iter().position(|procedure| procedure.main).unwrap();
    let mut machine = Machine {
        program,
        regions,
        random,
        counts,
        numbers: HashMap::new(),
        references: HashMap::new(),
        frames: Vec::new(),
        watches: Vec::new(),
        known: HashMap::new(),
        steps: 0,
    };
    match machine.procedure(ProcedureId(main as u32)) {
        Ok(()) | Err(Stop::TooLong) => Ok(()),
        Err(Stop::Wrong(report)) => Err(report),
    }
}

enum Stop {
    TooLong,
    Wrong(String),
}

type Byte = (ObjectId, i64);

struct Watch {
    /// The exposed reads of the frames, from the top.
    frames: Vec<Exposure>,
    top: usize,
    /// The lowest frame since then.
    low: usize,
    /// It ends when its first frame ends.
    entry: bool,
    written: HashSet<Byte>,
}

struct Machine<'m> {
    program: &'m Program,
    regions: &'m Regions<'m>,
    random: &'m mut Random,
    counts: &'m mut Counts,
    numbers: HashMap<Byte, i64>,
    references: HashMap<VariableId, Byte>,
    frames: Vec<Site>,
    watches: Vec<Watch>,
    known: HashMap<Vec<Site>, Vec<Exposure>>,
    steps: u32,
}

impl Machine<'_> {
    fn procedure(&mut self, id: ProcedureId) -> Result<(), Stop> {
        let program = self.program;
        let procedure = &program.procedures[id.0 as usize];
        let mut block = procedure.entry;
        self.frames.push(Site { procedure: id, block, operation: 0 });
        let depth = self.frames.len() - 1;
        if self.watches.len() < 60 && self.random.chance(50) {
            let frames = vec![self.regions.of_procedure(id).clone()];
            self.watches.push(Watch { frames, top: depth, low: depth, entry: true, written: HashSet::new() });
        }
        loop {
            for (at, operation) in procedure.blocks[block.0 as usize].operations.iter().enumerate() {
                self.steps += 1;
                if self.steps > 6000 {
                    return Err(Stop::TooLong);
                }
                let site = Site { procedure: id, block, operation: at as u32 };
                *self.frames.last_mut().unwrap() = site;
                self.operation(&operation.kind)?;
            }
            block = match &procedure.blocks[block.0 as usize].terminator {
                Terminator::Jump(to) => *to,
                Terminator::Branch { condition, then, otherwise } => {
                    let holds = match condition {
                        Some(condition) => self.condition(condition),
                        None => self.random.chance(50),
                    };
                    if holds {
                        *then
                    } else {
                        *otherwise
                    }
                }
                Terminator::Return => break,
                other => unreachable!("{other:?}"),
            };
            let _: BlockId = block;
        }
        self.frames.pop();
        self.watches.retain_mut(|watch| {
            if watch.low == depth {
                if watch.entry || depth == 0 {
                    return false;
                }
                watch.low -= 1;
            }
            true
        });
        Ok(())
    }

    fn operation(&mut self, kind: &OperationKind) -> Result<(), Stop> {
        match kind {
            OperationKind::Read(access) => self.read(access),
            OperationKind::Write { to, value } => {
                let number = match value {
                    Value::Affine(affine) => self.affine(affine),
                    Value::Copy(from) => self.number(self.place(from)),
                    _ => self.random.within(-1, 6),
                };
                if number.abs() > 1000 {
                    return Err(Stop::TooLong);
                }
                for byte in self.bytes(to) {
                    self.numbers.remove(&byte);
                    for watch in &mut self.watches {
                        watch.written.insert(byte);
                    }
                }
                if matches!(to.content, Content::Integer { .. }) {
                    let place = self.place(to);
                    self.numbers.insert(place, number);
                }
                Ok(())
            }
            OperationKind::Call(call) => {
                let Callee::Named(name) = &call.callee else { unreachable!() };
                let id =
                    self.program.procedures.iter().position(|procedure| procedure.name == *name).unwrap();
                let parameters = &self.program.procedures[id].parameters;
                for (parameter, argument) in parameters.iter().zip(&call.arguments) {
                    match argument {
                        Argument::Reference(access) => {
                            let place = self.place(access);
                            self.references.insert(*parameter, place);
                        }
                        Argument::Value(Value::Affine(affine)) => {
                            let number = self.affine(affine);
                            self.numbers.insert((self.object(*parameter), 0), number);
                        }
                        Argument::Value(Value::Copy(access)) => {
                            let number = self.number(self.place(access));
                            self.numbers.insert((self.object(*parameter), 0), number);
                        }
                        other => unreachable!("{other:?}"),
                    }
                }
                self.procedure(ProcedureId(id as u32))
            }
            OperationKind::Directive(directive) => {
                if matches!(**directive, Directive::Checkpoint) && self.watches.len() < 60 {
                    self.checkpoint();
                }
                Ok(())
            }
            other => unreachable!("{other:?}"),
        }
    }

    fn checkpoint(&mut self) {
        let chain: Vec<Site> = self.frames.iter().rev().copied().collect();
        let regions = self.regions;
        let frames = self.known.entry(chain.clone()).or_insert_with(|| regions.after(&chain)).clone();
        let top = self.frames.len() - 1;
        self.watches.push(Watch { frames, top, low: top, entry: false, written: HashSet::new() });
    }

    fn read(&mut self, access: &Access) -> Result<(), Stop> {
        let bytes = self.bytes(access);
        let Some(&(object, _)) = bytes.first() else { return Ok(()) };
        if self.program.objects[object.0 as usize].size.is_some_and(|size| size <= 16) {
            return Ok(());
        }
        for watch in &self.watches {
            let site = self.frames[watch.low];
            let exposed = watch.frames[watch.top - watch.low].may_read(self.program, site, object, &|_| true);
            if exposed {
                self.counts.exposed += 1;
                continue;
            }
            self.counts.covered += 1;
            if let Some(byte) = bytes.iter().find(|byte| !watch.written.contains(byte)) {
                return Err(Stop::Wrong(format!(
                    "byte {} of {} is read at {:?} through `{}`, not written since frame {} of {} ({}), but covered",
                    byte.1,
                    self.program.objects[object.0 as usize].name,
                    self.frames,
                    access.text,
                    watch.low,
                    watch.top,
                    if watch.entry { "entry" } else { "checkpoint" },
                )));
            }
        }
        Ok(())
    }

    fn object(&self, variable: VariableId) -> ObjectId {
        self.program.variables[variable.0 as usize].object
    }

    /// The first byte, with all indices at their first one.
    fn place(&self, access: &Access) -> Byte {
        let mut place = (self.object(access.root), 0);
        for step in &access.path {
            match step {
                Step::Dereference => place = self.references[&access.root],
                Step::Field { offset, .. } => place.1 += *offset as i64,
                Step::Elements(list) => {
                    for dimension in list {
                        let index = match &dimension.index {
                            Index::At(index) => self.affine(index) - self.lower(dimension),
                            _ => 0,
                        };
                        place.1 += index * dimension.stride.unwrap() as i64;
                    }
                }
            }
        }
        place
    }

    fn bytes(&mut self, access: &Access) -> Vec<Byte> {
        let mut places = vec![(self.object(access.root), 0)];
        for step in &access.path {
            match step {
                Step::Dereference => places = vec![self.references[&access.root]],
                Step::Field { offset, .. } => places.iter_mut().for_each(|place| place.1 += *offset as i64),
                Step::Elements(list) => {
                    for dimension in list {
                        let stride = dimension.stride.unwrap() as i64;
                        let indices = self.indices(dimension);
                        places = places
                            .iter()
                            .flat_map(|place| {
                                indices.iter().map(move |index| (place.0, place.1 + index * stride))
                            })
                            .collect();
                    }
                }
            }
        }
        let size = access.size.unwrap() as i64;
        places.iter().flat_map(|place| (0..size).map(move |byte| (place.0, place.1 + byte))).collect()
    }

    fn lower(&self, dimension: &Dimension) -> i64 {
        self.affine(dimension.lower.as_ref().unwrap())
    }

    fn indices(&mut self, dimension: &Dimension) -> Vec<i64> {
        let lower = self.lower(dimension);
        let extent = self.affine(dimension.extent.as_ref().unwrap());
        match &dimension.index {
            Index::At(index) => vec![self.affine(index) - lower],
            Index::Range { first, last, step } => {
                let (mut at, last) = (self.affine(first), self.affine(last));
                let mut found = Vec::new();
                while if *step > 0 { at <= last } else { at >= last } {
                    found.push(at - lower);
                    at += step;
                }
                found
            }
            Index::All => (0..extent).collect(),
            Index::Unknown if extent > 0 => vec![self.random.within(0, extent - 1)],
            Index::Unknown => Vec::new(),
        }
    }

    fn affine(&self, affine: &Affine) -> i64 {
        let terms = affine.terms.iter().map(|&(variable, factor)| {
            let reference =
                matches!(self.program.variables[variable.0 as usize].content, Content::Reference { .. });
            let place = if reference { self.references[&variable] } else { (self.object(variable), 0) };
            factor * self.number(place)
        });
        affine.constant + terms.sum::<i64>()
    }

    /// What was not written has a value too.
    fn number(&self, place: Byte) -> i64 {
        let (object, byte) = place;
        self.numbers.get(&place).copied().unwrap_or((i64::from(object.0) * 7 + byte).rem_euclid(5))
    }

    fn condition(&self, condition: &Condition) -> bool {
        let (left, right) = (self.affine(&condition.left), self.affine(&condition.right));
        match condition.comparison {
            Comparison::Less => left < right,
            Comparison::LessOrEqual => left <= right,
            Comparison::Greater => left > right,
            Comparison::GreaterOrEqual => left >= right,
            Comparison::Equal => left == right,
            Comparison::NotEqual => left != right,
        }
    }
}
