//! Random programs with arrays.
//!
//! Input: a generator of numbers. Output: a program of up to three procedures that call each other downwards.
//! Postcondition: the entries of loops in the program are true.

use cppc_analysis::builder::{ProcedureBuilder, ProgramBuilder};
use cppc_analysis::program::{
    Access, Affine, Argument, BlockId, Call, Callee, Comparison, Condition, Content, Dimension, Directive,
    Index, Lifetime, LoopId, Object, OperationKind, Program, Step, Terminator, Value, Variable, VariableId,
};
use cppc_prng::Random;
use cppc_source::{FileId, Span};

const NOWHERE: Span = Span { file: FileId(0), start: 0, end: 0 };

pub fn program(random: &mut Random) -> Program {
    let mut program = ProgramBuilder::new(true);
    let mut globals = Vec::new();
    for name in ["n", "m"] {
        globals.push(variable(&mut program, name, Lifetime::Static, 8, Content::Integer { bytes: 8 }));
    }
    let flat = Array::new(variable(&mut program, "a", Lifetime::Static, 96, Content::Data), vec![12]);
    let lower = Array {
        lower: 1,
        ..Array::new(variable(&mut program, "b", Lifetime::Static, 64, Content::Data), vec![8])
    };
    let plane = Array::new(variable(&mut program, "c", Lifetime::Static, 160, Content::Data), vec![4, 5]);
    let arrays = vec![flat, lower, plane];
    let mut callees: Vec<Callable> = Vec::new();
    for (depth, name) in ["leaf", "middle", "main"].into_iter().enumerate() {
        let id = program.define(name, name, NOWHERE);
        let mut scalars = globals.clone();
        let mut own = arrays.clone();
        let mut parameters = Vec::new();
        if name != "main" {
            let local = Lifetime::Local(id);
            let reference = Content::Reference { no_alias: true };
            let x = variable(&mut program, &format!("x{depth}"), local, 8, reference.clone());
            let p = variable(&mut program, &format!("p{depth}"), local, 8, reference);
            let q = variable(&mut program, &format!("q{depth}"), local, 8, Content::Integer { bytes: 8 });
            parameters = vec![x, p, q];
            let shape = if random.chance(30) { Shape::Symbolic(q) } else { Shape::Constant(vec![6]) };
            let dereferenced = Array { variable: x, shape, lower: random.within(0, 1), dereference: true };
            own.push(dereferenced);
            scalars.extend([p, q]);
        }
        let loops: Vec<VariableId> = ["i", "j", "k"]
            .iter()
            .map(|one| {
                let name = format!("{one}{depth}");
                variable(&mut program, &name, Lifetime::Local(id), 8, Content::Integer { bytes: 8 })
            })
            .collect();
        scalars.push(variable(
            &mut program,
            &format!("t{depth}"),
            Lifetime::Local(id),
            8,
            Content::Integer { bytes: 8 },
        ));
        let mut body = program.body(id);
        body.procedure().main = name == "main";
        body.procedure().parameters = parameters.clone();
        let mut writer = Writer {
            random,
            body,
            arrays: own,
            scalars,
            loops,
            active: Vec::new(),
            callees: &callees,
            budget: 14,
        };
        writer.statements(3);
        if name == "main" {
            writer.emit(OperationKind::Directive(Box::new(Directive::Checkpoint)));
            writer.statements(2);
        }
        writer.body.finish();
        callees.push(Callable { name: name.to_owned() });
    }
    program.finish()
}

struct Callable {
    name: String,
}

#[derive(Clone)]
enum Shape {
    Constant(Vec<i64>),
    Symbolic(VariableId),
}

#[derive(Clone)]
struct Array {
    variable: VariableId,
    shape: Shape,
    lower: i64,
    dereference: bool,
}

impl Array {
    fn new(variable: VariableId, extents: Vec<i64>) -> Array {
        Array { variable, shape: Shape::Constant(extents), lower: 0, dereference: false }
    }
}

fn variable(
    program: &mut ProgramBuilder,
    name: &str,
    lifetime: Lifetime,
    size: u64,
    content: Content,
) -> VariableId {
    let object = program.object(Object {
        name: name.to_owned(),
        lifetime,
        size: Some(size),
        initialized: false,
        constant: false,
        external: false,
    });
    program.variable(Variable {
        name: name.to_owned(),
        object,
        offset: 0,
        size: Some(size),
        declared: Some(NOWHERE),
        content,
        is_array: false,
    })
}

struct Writer<'w, 'p> {
    random: &'w mut Random,
    body: ProcedureBuilder<'p>,
    arrays: Vec<Array>,
    scalars: Vec<VariableId>,
    loops: Vec<VariableId>,
    /// The loop variables in use.
    active: Vec<VariableId>,
    callees: &'w [Callable],
    budget: u32,
}

impl Writer<'_, '_> {
    fn emit(&mut self, kind: OperationKind) {
        self.body.emit(kind, NOWHERE);
    }

    fn statements(&mut self, most: i64) {
        for _ in 0..self.random.within(1, most) + 1 {
            self.statement();
        }
    }

    fn statement(&mut self) {
        if self.budget == 0 {
            return self.access();
        }
        self.budget -= 1;
        match self.random.below(20) {
            0..=2 => self.counted(),
            3..=6 => self.pair(),
            7 => self.cycle(),
            8..=9 => self.branch(),
            10 => self.assign(),
            11..=13 => self.call(),
            14 => self.emit(OperationKind::Directive(Box::new(Directive::Checkpoint))),
            _ => self.access(),
        }
    }

    fn scalar(&mut self) -> VariableId {
        self.random.pick(&self.scalars.clone())
    }

    fn constant(&mut self) -> Affine {
        Affine::constant(self.random.within(-1, 5))
    }

    /// A value that is often a loop variable or a scalar with a small distance.
    fn affine(&mut self) -> Affine {
        let base = match self.random.below(8) {
            0..=3 if !self.active.is_empty() => Affine::variable(self.random.pick(&self.active.clone())),
            4..=5 => Affine::variable(self.scalar()),
            6 if !self.active.is_empty() => {
                let first = Affine::variable(self.random.pick(&self.active.clone()));
                let second = Affine::variable(self.random.pick(&self.active.clone()));
                let factor = self.random.within(1, 3);
                first.scale(factor).unwrap().add(&second).unwrap()
            }
            _ => Affine::constant(2),
        };
        let factor = if self.random.chance(10) { self.random.within(-1, 3) } else { 1 };
        let distance = if self.random.chance(60) { 0 } else { self.random.within(-2, 2) };
        base.scale(factor).unwrap().add(&Affine::constant(distance)).unwrap()
    }

    fn bound(&mut self) -> Affine {
        match self.random.below(5) {
            0..=1 => Affine::variable(self.scalar()),
            2 => self.affine(),
            _ => self.constant(),
        }
    }

    /// A nest that writes, and later one that reads: the same one, or nearly.
    fn pair(&mut self) {
        let free: Vec<VariableId> =
            self.loops.iter().copied().filter(|one| !self.active.contains(one)).collect();
        let depth = self.random.below(free.len() + 1);
        let before = self.active.len();
        let mut nest = Vec::new();
        for &variable in &free[..depth] {
            let step = if self.random.chance(80) { 1 } else { self.random.pick(&[-1, 2, -2]) };
            let (mut first, mut last) = (self.first(), self.bound());
            if step < 0 {
                std::mem::swap(&mut first, &mut last);
            }
            nest.push((variable, first, last, step));
            self.active.push(variable);
        }
        let array = self.random.pick(&self.arrays.clone());
        let mut access = self.element(&array);
        self.active.truncate(before);
        self.nest(&nest, &access, true);
        if self.random.chance(40) {
            self.statement();
        }
        if self.random.chance(25) {
            if let Some((_, first, last, _)) = nest.last_mut() {
                let end = if self.random.chance(50) { first } else { last };
                *end = end.add(&Affine::constant(self.random.within(-1, 1))).unwrap();
            }
        }
        if self.random.chance(25) {
            for step in &mut access.path {
                let Step::Elements(list) = step else { continue };
                if let Index::At(index) = &mut list[0].index {
                    *index = index.add(&Affine::constant(self.random.within(-1, 1))).unwrap();
                }
            }
        }
        self.nest(&nest, &access, false);
    }

    fn nest(&mut self, loops: &[(VariableId, Affine, Affine, i64)], access: &Access, write: bool) {
        let Some(((variable, first, last, step), rest)) = loops.split_first() else {
            let kind = match write {
                true => OperationKind::Write { to: access.clone(), value: Value::Data },
                false => OperationKind::Read(access.clone()),
            };
            return self.emit(kind);
        };
        let (id, header, exit) = self.open(*variable, first, last, *step);
        self.active.push(*variable);
        self.nest(rest, access, write);
        self.active.pop();
        self.store(
            *variable,
            Value::Affine(Affine::variable(*variable).add(&Affine::constant(*step)).unwrap()),
        );
        self.body.terminate(Terminator::Jump(header));
        self.body.close_loop(id, true);
        self.body.switch_to(exit);
    }

    /// `first` is often 0 or 1, so that loops fit to each other.
    fn first(&mut self) -> Affine {
        match self.random.below(4) {
            0 => self.bound(),
            _ => Affine::constant(self.random.within(0, 1)),
        }
    }

    fn counted(&mut self) {
        let free: Vec<VariableId> =
            self.loops.iter().copied().filter(|one| !self.active.contains(one)).collect();
        let Some(&variable) = self.random.choose(&free) else { return self.access() };
        let step = if self.random.chance(70) { 1 } else { self.random.pick(&[-1, 2, -2, 3]) };
        let (mut first, mut last) = (self.first(), self.bound());
        if step < 0 && self.random.chance(80) {
            std::mem::swap(&mut first, &mut last);
        }
        let (id, header, exit) = self.open(variable, &first, &last, step);
        self.active.push(variable);
        let leaves = self.random.chance(8);
        self.statements(2);
        if leaves {
            self.leave(exit);
            self.statements(1);
        }
        self.active.pop();
        self.store(variable, Value::Affine(Affine::variable(variable).add(&Affine::constant(step)).unwrap()));
        self.body.terminate(Terminator::Jump(header));
        self.body.close_loop(id, !leaves);
        self.body.switch_to(exit);
    }

    /// Opens a loop; its body is the current block then.
    fn open(
        &mut self,
        variable: VariableId,
        first: &Affine,
        last: &Affine,
        step: i64,
    ) -> (LoopId, BlockId, BlockId) {
        // The bound is evaluated before the loop, as in Fortran.
        let limit = self.body.temporary(Some(8), Content::Integer { bytes: 8 });
        self.store(limit, Value::Affine(last.clone()));
        self.store(variable, Value::Affine(first.clone()));
        let exit = self.body.new_block();
        let header = self.body.new_block();
        let body = self.body.new_block();
        let id = self.body.open_loop(header, body, exit, variable, first.clone(), last.clone(), step);
        self.body.fall_into(header);
        let comparison = if step > 0 { Comparison::LessOrEqual } else { Comparison::GreaterOrEqual };
        let condition =
            Some(Condition { left: Affine::variable(variable), comparison, right: Affine::variable(limit) });
        self.body.terminate(Terminator::Branch { condition, then: body, otherwise: exit });
        self.body.switch_to(body);
        (id, header, exit)
    }

    fn leave(&mut self, exit: BlockId) {
        let next = self.body.new_block();
        let condition = self.condition();
        self.body.terminate(Terminator::Branch { condition, then: exit, otherwise: next });
        self.body.switch_to(next);
    }

    /// A loop without an entry in the list of counted loops.
    fn cycle(&mut self) {
        let header = self.body.new_block();
        let exit = self.body.new_block();
        self.body.fall_into(header);
        self.statements(2);
        self.body.terminate(Terminator::Branch { condition: None, then: header, otherwise: exit });
        self.body.switch_to(exit);
    }

    fn condition(&mut self) -> Option<Condition> {
        let comparison = self.random.pick(&[
            Comparison::Less,
            Comparison::LessOrEqual,
            Comparison::Greater,
            Comparison::GreaterOrEqual,
            Comparison::Equal,
            Comparison::NotEqual,
        ]);
        let condition = Condition { left: self.affine(), comparison, right: self.bound() };
        self.random.chance(70).then_some(condition)
    }

    fn branch(&mut self) {
        let then = self.body.new_block();
        let join = self.body.new_block();
        let otherwise = if self.random.chance(50) { self.body.new_block() } else { join };
        let condition = self.condition();
        self.body.terminate(Terminator::Branch { condition, then, otherwise });
        self.body.switch_to(then);
        self.statements(1);
        self.body.terminate(Terminator::Jump(join));
        if otherwise != join {
            self.body.switch_to(otherwise);
            self.statements(1);
            self.body.terminate(Terminator::Jump(join));
        }
        self.body.switch_to(join);
    }

    fn store(&mut self, variable: VariableId, value: Value) {
        let to = self.scalar_access(variable);
        self.emit(OperationKind::Write { to, value });
    }

    fn scalar_access(&self, variable: VariableId) -> Access {
        let known = self.body.program.get_variable(variable);
        let reference = matches!(known.content, Content::Reference { .. });
        Access {
            root: variable,
            path: if reference { vec![Step::Dereference] } else { Vec::new() },
            size: Some(8),
            content: Content::Integer { bytes: 8 },
            text: known.name.clone(),
        }
    }

    fn assign(&mut self) {
        let to = self.scalar();
        let value = match self.random.below(3) {
            0 => Value::Data,
            1 => Value::Affine(self.affine()),
            _ => {
                let from = self.scalar();
                Value::Copy(self.scalar_access(from))
            }
        };
        self.store(to, value);
    }

    fn access(&mut self) {
        let array = self.random.pick(&self.arrays.clone());
        let access = self.element(&array);
        let kind = match self.random.chance(55) {
            true => OperationKind::Write { to: access, value: Value::Data },
            false => OperationKind::Read(access),
        };
        self.emit(kind);
    }

    fn element(&mut self, array: &Array) -> Access {
        let lower = Affine::constant(array.lower);
        let mut dimensions = Vec::new();
        match &array.shape {
            Shape::Constant(extents) => {
                for (at, &extent) in extents.iter().enumerate() {
                    let stride = 8 * extents[at + 1..].iter().product::<i64>() as u64;
                    let extent = Some(Affine::constant(extent));
                    let index = self.index();
                    dimensions.push(Dimension {
                        index,
                        lower: Some(lower.clone()),
                        extent,
                        stride: Some(stride),
                    });
                }
            }
            Shape::Symbolic(extent) => {
                let extent = Affine::variable(*extent);
                // The second dimension has two indices; the distance of the first is constant.
                let index = self.index();
                let inner = Some(Affine::constant(2));
                dimensions.push(Dimension {
                    index,
                    lower: Some(lower.clone()),
                    extent: Some(extent),
                    stride: Some(16),
                });
                let index = self.index();
                dimensions.push(Dimension { index, lower: Some(lower), extent: inner, stride: Some(8) });
            }
        }
        let mut path = vec![Step::Elements(dimensions)];
        if array.dereference {
            path.insert(0, Step::Dereference);
        }
        let text = self.body.program.get_variable(array.variable).name.clone();
        Access { root: array.variable, path, size: Some(8), content: Content::Data, text }
    }

    fn index(&mut self) -> Index {
        match self.random.below(20) {
            0 => Index::Unknown,
            1 => Index::All,
            2..=5 => {
                let step = if self.random.chance(70) { 1 } else { self.random.pick(&[2, -1]) };
                let (first, last) = (self.first(), self.bound());
                match step < 0 {
                    true => Index::Range { first: last, last: first, step },
                    false => Index::Range { first, last, step },
                }
            }
            _ => Index::At(self.affine()),
        }
    }

    fn call(&mut self) {
        let Some(callee) = self.random.choose(self.callees) else { return self.access() };
        let name = callee.name.clone();
        let array = self.random.pick(&self.arrays.clone());
        let mut access = self.element(&array);
        // All of the array, a row, or from an element on.
        let whole = self.random.chance(60);
        for step in &mut access.path {
            if let Step::Elements(list) = step {
                let last = list.len() - 1;
                for (at, dimension) in list.iter_mut().enumerate() {
                    if whole || at == last && last > 0 {
                        dimension.index = Index::All;
                    } else if !matches!(dimension.index, Index::At(_)) {
                        dimension.index = Index::At(Affine::constant(array.lower));
                    }
                }
            }
        }
        // A global variable could be changed under two names then.
        let mine = self.scalars[2..].to_vec();
        let scalar = self.random.pick(&mine);
        let by_reference = self.scalar_access(scalar);
        let value = match self.random.chance(50) {
            true => Value::Affine(self.bound()),
            false => {
                let scalar = self.scalar();
                Value::Copy(self.scalar_access(scalar))
            }
        };
        let arguments =
            vec![Argument::Reference(access), Argument::Reference(by_reference), Argument::Value(value)];
        self.emit(OperationKind::Call(Box::new(Call {
            callee: Callee::Named(name),
            arguments,
            result: None,
            never_returns: false,
        })));
    }
}
