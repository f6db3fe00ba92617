//! Typical loop nests: which reads of an array need its value from before.
//!
//! Input: nests as they are in grid codes, built by hand. Output: whether the analysis finds that the array is
//! completely written before it is read.

use cppc_analysis::builder::{ProcedureBuilder, ProgramBuilder};
use cppc_analysis::effects::{CallEffects, Effects, Extent, KnownAddress, ParameterEffect, ResultEffect};
use cppc_analysis::program::{
    Access, Affine, Argument, BlockId, Call, Callee, Comparison, Condition, Content, Dimension, Index,
    Lifetime, Object, OperationKind, Program, Site, Step, Terminator, Value, Variable, VariableId,
};
use cppc_analysis::region::{Escapes, Regions};
use cppc_source::{FileId, Span};

const NOWHERE: Span = Span { file: FileId(0), start: 0, end: 0 };

/// Variables of every test: `n` and `m` are integers that nobody changes, `a(1:100)` and `u(0:9, 1:20)` arrays.
struct Names {
    n: VariableId,
    m: VariableId,
    i: VariableId,
    j: VariableId,
    a: VariableId,
    u: VariableId,
}

struct Code<'p> {
    body: ProcedureBuilder<'p>,
}

impl Code<'_> {
    fn emit(&mut self, kind: OperationKind) {
        self.body.emit(kind, NOWHERE);
    }

    fn set(&mut self, variable: VariableId, value: Affine) {
        let to = self.body.program.whole(variable);
        self.emit(OperationKind::Write { to, value: Value::Affine(value) });
    }

    fn write(&mut self, to: Access) {
        self.emit(OperationKind::Write { to, value: Value::Data });
    }

    fn read(&mut self, from: Access) {
        self.emit(OperationKind::Read(from));
    }

    /// `DO variable = first, last, step`.
    fn count(
        &mut self,
        variable: VariableId,
        first: Affine,
        last: Affine,
        step: i64,
        inside: impl FnOnce(&mut Self),
    ) {
        self.count_unless(variable, first, last, step, false, inside);
    }

    /// `leaves`: with an EXIT at the end of the body.
    fn count_unless(
        &mut self,
        variable: VariableId,
        first: Affine,
        last: Affine,
        step: i64,
        leaves: bool,
        inside: impl FnOnce(&mut Self),
    ) {
        self.set(variable, first.clone());
        let exit = self.body.new_block();
        let header = self.body.new_block();
        let body = self.body.new_block();
        let id = self.body.open_loop(header, body, exit, variable, first, last.clone(), step);
        self.body.fall_into(header);
        let comparison = if step > 0 { Comparison::LessOrEqual } else { Comparison::GreaterOrEqual };
        let condition = Some(Condition { left: Affine::variable(variable), comparison, right: last });
        self.body.terminate(Terminator::Branch { condition, then: body, otherwise: exit });
        self.body.switch_to(body);
        inside(self);
        if leaves {
            let next = self.body.new_block();
            self.body.terminate(Terminator::Branch { condition: None, then: exit, otherwise: next });
            self.body.switch_to(next);
        }
        self.set(variable, plus(variable, step));
        self.body.terminate(Terminator::Jump(header));
        self.body.close_loop(id, !leaves);
        self.body.switch_to(exit);
    }

    fn branch(&mut self, condition: Option<Condition>, inside: impl FnOnce(&mut Self)) {
        let then = self.body.new_block();
        let join = self.body.new_block();
        self.body.terminate(Terminator::Branch { condition, then, otherwise: join });
        self.body.switch_to(then);
        inside(self);
        self.body.terminate(Terminator::Jump(join));
        self.body.switch_to(join);
    }

    fn call(&mut self, name: &str, arguments: Vec<Argument>) {
        let callee = Callee::Named(name.to_owned());
        self.emit(OperationKind::Call(Box::new(Call {
            callee,
            arguments,
            result: None,
            never_returns: false,
        })));
    }
}

fn number(value: i64) -> Affine {
    Affine::constant(value)
}

fn value(variable: VariableId) -> Affine {
    Affine::variable(variable)
}

fn plus(variable: VariableId, distance: i64) -> Affine {
    value(variable).add(&number(distance)).unwrap()
}

fn array(variable: VariableId, indices: Vec<(Index, i64, i64)>) -> Access {
    let mut dimensions: Vec<Dimension> = Vec::new();
    let mut stride = 8;
    for (index, lower, extent) in indices {
        let dimension = Dimension {
            index,
            lower: Some(number(lower)),
            extent: Some(number(extent)),
            stride: Some(stride),
        };
        dimensions.insert(0, dimension);
        stride *= extent as u64;
    }
    let path = vec![Step::Elements(dimensions)];
    Access { root: variable, path, size: Some(8), content: Content::Data, text: String::new() }
}

fn part(first: Affine, last: Affine) -> Index {
    Index::Range { first, last, step: 1 }
}

impl Names {
    fn a(&self, index: Affine) -> Access {
        self.section(Index::At(index))
    }

    fn section(&self, index: Index) -> Access {
        array(self.a, vec![(index, 1, 100)])
    }

    /// `u(0:9, 1:20)`: the first index is the fast one.
    fn u(&self, first: Affine, second: Affine) -> Access {
        array(self.u, vec![(Index::At(first), 0, 10), (Index::At(second), 1, 20)])
    }
}

/// `memset(p, c, n)` writes `n` bytes.
struct Memset(CallEffects);

impl Memset {
    fn new() -> Memset {
        let writes = Extent::Product { arguments: vec![2], factor: 1 };
        let parameters = vec![ParameterEffect { writes, ..ParameterEffect::default() }];
        Memset(CallEffects {
            parameters,
            result: ResultEffect::Addresses(vec![KnownAddress::Argument(0)]),
            ..CallEffects::default()
        })
    }
}

impl Effects for Memset {
    fn effects(&self, name: &str) -> Option<&CallEffects> {
        (name == "memset").then_some(&self.0)
    }
}

fn declare(
    program: &mut ProgramBuilder,
    name: &str,
    size: u64,
    content: Content,
    lifetime: Lifetime,
) -> VariableId {
    let object = program.object(Object {
        name: name.to_owned(),
        lifetime,
        size: Some(size),
        initialized: false,
        constant: false,
        external: false,
    });
    let name = name.to_owned();
    program.variable(Variable {
        name,
        object,
        offset: 0,
        size: Some(size),
        declared: Some(NOWHERE),
        content,
        is_array: false,
    })
}

/// Whether a read of `a` or `u` may see a value from before the code.
fn needed(code: impl FnOnce(&mut Code, &Names)) -> bool {
    let mut program = ProgramBuilder::new(true);
    zero(&mut program);
    let id = program.define("main", "main", NOWHERE);
    let integer = Content::Integer { bytes: 4 };
    let names = Names {
        n: declare(&mut program, "n", 4, integer.clone(), Lifetime::Static),
        m: declare(&mut program, "m", 4, integer.clone(), Lifetime::Static),
        i: declare(&mut program, "i", 4, integer.clone(), Lifetime::Local(id)),
        j: declare(&mut program, "j", 4, integer, Lifetime::Local(id)),
        a: declare(&mut program, "a", 800, Content::Data, Lifetime::Static),
        u: declare(&mut program, "u", 1600, Content::Data, Lifetime::Static),
    };
    let objects = [names.a, names.u].map(|one| program.get_variable(one).object);
    let mut writer = Code { body: program.body(id) };
    writer.body.procedure().main = true;
    code(&mut writer, &names);
    writer.body.finish();
    let program: Program = program.finish();
    let memset = Memset::new();
    let escapes = Escapes::new(&program, &memset);
    let regions = Regions::new(&program, &escapes);
    let exposure = regions.of_procedure(id);
    let procedure = &program.procedures[id.0 as usize];
    procedure.blocks.iter().enumerate().any(|(block, operations)| {
        (0..operations.operations.len()).any(|operation| {
            let site = Site { procedure: id, block: BlockId(block as u32), operation: operation as u32 };
            objects.iter().any(|&object| exposure.may_read(&program, site, object, &|_| true))
        })
    })
}

/// `subroutine zero(x, k)`: `x(1:k) = 0`.
fn zero(program: &mut ProgramBuilder) {
    let id = program.define("zero_", "zero", NOWHERE);
    let reference = Content::Reference { no_alias: true };
    let x = declare(program, "x", 8, reference.clone(), Lifetime::Local(id));
    let k = declare(program, "k", 8, reference, Lifetime::Local(id));
    let i = declare(program, "zero.i", 4, Content::Integer { bytes: 4 }, Lifetime::Local(id));
    let mut code = Code { body: program.body(id) };
    code.body.procedure().parameters = vec![x, k];
    code.count(i, number(1), value(k), 1, |code| {
        let mut to = array(x, vec![(Index::At(value(i)), 1, 1)]);
        if let Step::Elements(list) = &mut to.path[0] {
            list[0].extent = None;
        }
        to.path.insert(0, Step::Dereference);
        code.write(to);
    });
    code.body.finish();
}

fn less(left: VariableId, right: i64) -> Option<Condition> {
    Some(Condition { left: value(left), comparison: Comparison::Less, right: number(right) })
}

#[test]
fn an_array_that_is_written_over_the_same_bounds_is_not_needed() {
    assert!(!needed(|code, v| {
        code.count(v.i, number(1), value(v.n), 1, |code| code.write(v.a(value(v.i))));
        code.count(v.i, number(1), value(v.n), 1, |code| code.read(v.a(value(v.i))));
    }));
    // Not if the read goes further.
    assert!(needed(|code, v| {
        code.count(v.i, number(1), value(v.n), 1, |code| code.write(v.a(value(v.i))));
        code.count(v.i, number(1), plus(v.n, 1), 1, |code| code.read(v.a(value(v.i))));
    }));
    // Nor if the bound changes in between.
    assert!(needed(|code, v| {
        code.count(v.i, number(1), value(v.n), 1, |code| code.write(v.a(value(v.i))));
        code.set(v.n, value(v.m));
        code.count(v.i, number(1), value(v.n), 1, |code| code.read(v.a(value(v.i))));
    }));
}

#[test]
fn a_loop_that_may_run_zero_times_defines_no_constant_element() {
    assert!(needed(|code, v| {
        code.count(v.i, number(1), value(v.n), 1, |code| code.write(v.a(value(v.i))));
        code.read(v.a(number(1)));
    }));
    assert!(!needed(|code, v| {
        code.count(v.i, number(1), number(9), 1, |code| code.write(v.a(value(v.i))));
        code.read(v.a(number(1)));
    }));
    // A condition can prove that the loop runs.
    let positive =
        |v: &Names| Some(Condition { left: value(v.n), comparison: Comparison::Greater, right: number(0) });
    assert!(!needed(|code, v| {
        code.branch(positive(v), |code| {
            code.count(v.i, number(1), value(v.n), 1, |code| code.write(v.a(value(v.i))));
            code.read(v.a(number(1)));
        });
    }));
}

#[test]
fn borders_and_interior_are_the_whole_array() {
    let grid = |with_corner: bool| {
        needed(move |code, v| {
            code.count(v.j, number(1), number(20), 1, |code| {
                code.write(v.u(number(0), value(v.j)));
                code.write(v.u(number(9), value(v.j)));
            });
            let first = if with_corner { 1 } else { 2 };
            code.count(v.i, number(first), number(8), 1, |code| {
                code.count(v.j, number(1), number(20), 1, |code| code.write(v.u(value(v.i), value(v.j))));
            });
            code.count(v.j, number(1), number(20), 1, |code| {
                code.count(v.i, number(0), number(9), 1, |code| code.read(v.u(value(v.i), value(v.j))));
            });
        })
    };
    assert!(!grid(true));
    assert!(grid(false));
}

#[test]
fn a_sweep_needs_only_its_first_element() {
    let sweep = |first: bool| {
        needed(move |code, v| {
            if first {
                code.write(v.a(number(1)));
            }
            code.count(v.i, number(2), value(v.n), 1, |code| {
                code.read(v.a(plus(v.i, -1)));
                code.write(v.a(value(v.i)));
            });
        })
    };
    assert!(!sweep(true));
    assert!(sweep(false));
}

#[test]
fn a_backward_sweep_reads_what_the_forward_sweep_wrote() {
    assert!(!needed(|code, v| {
        code.count(v.i, number(1), value(v.n), 1, |code| code.write(v.a(value(v.i))));
        code.count(v.i, plus(v.n, -1), number(1), -1, |code| {
            code.read(v.a(plus(v.i, 1)));
            code.write(v.a(value(v.i)));
        });
    }));
}

#[test]
fn scratch_memory_in_an_outer_loop_is_not_needed() {
    assert!(!needed(|code, v| {
        code.count(v.j, number(1), value(v.m), 1, |code| {
            code.count(v.i, number(1), value(v.n), 1, |code| code.write(v.a(value(v.i))));
            code.count(v.i, number(2), plus(v.n, -1), 1, |code| code.read(v.a(plus(v.i, 1))));
        });
    }));
    // The first pass reads before it writes.
    assert!(needed(|code, v| {
        code.count(v.j, number(1), value(v.m), 1, |code| {
            code.count(v.i, number(1), value(v.n), 1, |code| code.read(v.a(value(v.i))));
            code.count(v.i, number(1), value(v.n), 1, |code| code.write(v.a(value(v.i))));
        });
    }));
}

#[test]
fn triangles_fit_only_their_own_kind() {
    let triangle = |lower: bool| {
        needed(move |code, v| {
            code.count(v.j, number(1), value(v.n), 1, |code| {
                code.count(v.i, number(1), value(v.j), 1, |code| code.write(v.u(value(v.i), value(v.j))));
            });
            code.count(v.j, number(1), value(v.n), 1, |code| {
                let (first, last) = if lower { (value(v.j), value(v.n)) } else { (number(1), value(v.j)) };
                code.count(v.i, first, last, 1, |code| code.read(v.u(value(v.i), value(v.j))));
            });
        })
    };
    assert!(!triangle(false));
    assert!(triangle(true));
}

#[test]
fn two_colours_are_all_elements() {
    let colours = |both: bool| {
        needed(move |code, v| {
            code.count(v.i, number(1), value(v.n), 2, |code| code.write(v.a(value(v.i))));
            if both {
                code.count(v.i, number(2), value(v.n), 2, |code| code.write(v.a(value(v.i))));
            }
            code.count(v.i, number(1), value(v.n), 1, |code| code.read(v.a(value(v.i))));
        })
    };
    assert!(!colours(true));
    assert!(colours(false));
}

#[test]
fn a_block_of_three_for_each_index_is_dense() {
    let blocks = |count: i64| {
        needed(move |code, v| {
            let index = |v: &Names| value(v.i).scale(3).unwrap().add(&value(v.j)).unwrap();
            code.count(v.i, number(0), plus(v.n, -1), 1, |code| {
                code.count(v.j, number(1), number(count), 1, |code| code.write(v.a(index(v))));
            });
            code.count(v.i, number(1), value(v.n).scale(3).unwrap(), 1, |code| code.read(v.a(value(v.i))));
        })
    };
    assert!(!blocks(3));
    assert!(blocks(2));
}

#[test]
fn what_a_condition_may_skip_is_needed() {
    assert!(needed(|code, v| {
        code.count(v.i, number(1), value(v.n), 1, |code| {
            code.branch(less(v.i, 5), |code| code.write(v.a(value(v.i))));
        });
        code.count(v.i, number(1), value(v.n), 1, |code| code.read(v.a(value(v.i))));
    }));
    assert!(needed(|code, v| {
        code.count_unless(v.i, number(1), value(v.n), 1, true, |code| code.write(v.a(value(v.i))));
        code.count(v.i, number(1), value(v.n), 1, |code| code.read(v.a(value(v.i))));
    }));
}

#[test]
fn sections_and_unknown_indices() {
    assert!(!needed(|code, v| {
        code.write(v.section(Index::All));
        code.read(v.section(Index::Unknown));
    }));
    assert!(needed(|code, v| {
        code.write(v.section(Index::Unknown));
        code.read(v.section(Index::Unknown));
    }));
    assert!(!needed(|code, v| {
        code.write(v.section(part(number(1), value(v.n))));
        code.write(v.section(part(plus(v.n, 1), number(100))));
        code.read(v.section(Index::All));
    }));
    assert!(needed(|code, v| {
        code.write(v.section(part(number(1), value(v.n))));
        code.write(v.section(part(plus(v.n, 2), number(100))));
        code.read(v.section(Index::All));
    }));
}

#[test]
fn a_callee_defines_the_part_that_its_arguments_name() {
    let with = |begin: i64, count: Affine| {
        needed(move |code, v| {
            let from = v.section(part(number(begin), number(100)));
            let k = code.body.temporary(Some(4), Content::Integer { bytes: 4 });
            code.set(k, count);
            let k = code.body.program.whole(k);
            code.call("zero_", vec![Argument::Reference(from), Argument::Reference(k)]);
            code.count(v.i, number(1), number(40), 1, |code| code.read(v.a(value(v.i))));
        })
    };
    assert!(!with(1, number(40)));
    assert!(!with(1, number(41)));
    assert!(with(1, number(39)));
    assert!(with(2, number(40)));
}

#[test]
fn an_external_procedure_defines_the_bytes_that_are_stated() {
    let set = |begin: i64, elements: i64| {
        needed(move |code, v| {
            let first = v.a(number(begin));
            let bytes = value(v.n).scale(8).unwrap().add(&number(8 * (elements - 1))).unwrap();
            let arguments = [Value::Address(first), Value::Data, Value::Affine(bytes)];
            code.call("memset", arguments.into_iter().map(Argument::Value).collect());
            code.count(v.i, number(1), value(v.n), 1, |code| code.read(v.a(value(v.i))));
        })
    };
    assert!(!set(1, 1));
    assert!(set(1, 0));
    assert!(set(2, 1));
}

#[test]
fn numbers_that_overflow_prove_nothing() {
    assert!(needed(|code, v| {
        let huge = value(v.i).scale(i64::MAX / 2).unwrap();
        code.count(v.i, number(1), value(v.n), 1, |code| code.write(v.a(huge)));
        code.count(v.i, number(1), value(v.n), 1, |code| code.read(v.a(value(v.i))));
    }));
}
