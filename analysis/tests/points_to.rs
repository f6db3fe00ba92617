//! Where pointers may point, on small programs.

mod small_programs;

use cppc_analysis::builder::{ProcedureBuilder, ProgramBuilder};
use cppc_analysis::catalogue::Catalogue;
use cppc_analysis::effects::NoEffects;
use cppc_analysis::points_to::PointsTo;
use cppc_analysis::program::{
    Access, Argument, Content, Lifetime, Object, OperationKind, Program, Step, Value, Variable, VariableId,
};
use cppc_analysis::sets::Memory;
use small_programs::{call, main_of, span, variable, write};

fn global(program: &mut ProgramBuilder, name: &str, content: Content) -> VariableId {
    variable(program, name, name, Lifetime::Static, content)
}

/// Stores the address of `target`.
fn point(body: &mut ProcedureBuilder, pointer: VariableId, target: VariableId) {
    let target = body.program.whole(target);
    write(body, pointer, Value::Address(target));
}

/// Passes the address of a variable to a procedure without source.
fn pass(body: &mut ProcedureBuilder, variable: VariableId) {
    let argument = Argument::Reference(body.program.whole(variable));
    call(body, "unknown", vec![argument], None);
}

fn memory(program: &Program, variable: VariableId) -> Memory {
    program.variables[variable.0 as usize].object.into()
}

#[test]
fn an_escaped_pointer_may_point_to_all_escaped_memory_and_does_not_list_it() {
    let mut program = ProgramBuilder::new(true);
    let named = |program: &mut ProgramBuilder, word: &str, content: &Content| -> Vec<VariableId> {
        (0..20).map(|number| global(program, &format!("{word}{number}"), content.clone())).collect()
    };
    let pointers = named(&mut program, "pointer", &Content::Pointer);
    let targets = named(&mut program, "target", &Content::Data);
    let apart = global(&mut program, "apart", Content::Data);
    let main = main_of(&mut program);
    let mut body = program.body(main);
    for (&pointer, &target) in pointers.iter().zip(&targets) {
        point(&mut body, pointer, target);
        pass(&mut body, pointer);
    }
    body.finish();
    let program = program.finish();
    let points = PointsTo::new(&program, &NoEffects);
    let first = memory(&program, pointers[0]);
    let expanded: Vec<Memory> = points.targets(first, 0).into_iter().map(|target| target.0).collect();
    for &target in &targets {
        assert!(expanded.contains(&memory(&program, target)));
        assert!(points.may_point_to(first, 0, memory(&program, target)));
    }
    assert!(!points.may_point_to(first, 0, memory(&program, apart)));
    assert_eq!(points.memories_to_unknown(first, 0).len(), 2, "its own target, and the unknown memory");
}

#[test]
fn unknown_code_stores_no_address_in_reals_and_finds_those_that_are_there() {
    let mut program = ProgramBuilder::new(true);
    let reals = global(&mut program, "reals", Content::Data);
    let pool = global(&mut program, "pool", Content::Data);
    let inside = global(&mut program, "inside", Content::Data);
    let main = main_of(&mut program);
    let mut body = program.body(main);
    point(&mut body, pool, inside);
    pass(&mut body, reals);
    pass(&mut body, pool);
    body.finish();
    let program = program.finish();
    let points = PointsTo::new(&program, &NoEffects);
    assert!(points.is_escaped(memory(&program, reals)));
    assert!(points.targets(memory(&program, reals), 0).is_empty());
    assert!(
        points.is_escaped(memory(&program, inside)),
        "the program has stored its address in escaped memory"
    );
}

fn copy(body: &mut ProcedureBuilder, from: VariableId, to: VariableId) {
    let from = body.program.whole(from);
    write(body, to, Value::Copy(from));
}

/// What a pointer points to.
fn target(body: &ProcedureBuilder, pointer: VariableId, content: Content) -> Access {
    Access { path: vec![Step::Dereference], content, ..body.program.whole(pointer) }
}

/// The variables among `all` to which a pointer may point.
fn found(points: &PointsTo, program: &Program, pointer: VariableId, all: &[VariableId]) -> Vec<usize> {
    let targets = points.memories_to_unknown(memory(program, pointer), 0);
    (0..all.len()).filter(|&number| targets.contains(&memory(program, all[number]))).collect()
}

#[test]
fn a_copy_between_many_records_copies_the_pointers_of_each_one() {
    const COUNT: usize = 200;
    let mut program = ProgramBuilder::new(true);
    let (from, to) =
        (global(&mut program, "from", Content::Pointer), global(&mut program, "to", Content::Pointer));
    let named = |program: &mut ProgramBuilder, word: &str, content: &Content| -> Vec<VariableId> {
        (0..COUNT).map(|number| global(program, &format!("{word}{number}"), content.clone())).collect()
    };
    let sources = named(&mut program, "source", &Content::Record);
    let destinations = named(&mut program, "destination", &Content::Record);
    let targets = named(&mut program, "target", &Content::Data);
    let main = main_of(&mut program);
    let mut body = program.body(main);
    let (left, value) =
        (target(&body, to, Content::Record), Value::Copy(target(&body, from, Content::Record)));
    body.emit(OperationKind::Write { to: left, value }, span());
    for number in 0..COUNT {
        point(&mut body, from, sources[number]);
        point(&mut body, to, destinations[number]);
        point(&mut body, sources[number], targets[number]);
    }
    body.finish();
    let program = program.finish();
    let points = PointsTo::new(&program, &NoEffects);
    let all: Vec<usize> = (0..COUNT).collect();
    for number in 0..COUNT {
        assert_eq!(found(&points, &program, destinations[number], &targets), all);
        assert_eq!(found(&points, &program, sources[number], &targets), [number]);
    }
}

#[test]
fn pointers_of_a_long_cycle_of_copies_have_the_same_targets() {
    const COUNT: usize = 3000;
    let mut program = ProgramBuilder::new(true);
    let pointers: Vec<VariableId> = (0..COUNT)
        .map(|number| global(&mut program, &format!("pointer{number}"), Content::Pointer))
        .collect();
    let [before, after, stored, loaded] =
        ["before", "after", "stored", "loaded"].map(|name| global(&mut program, name, Content::Pointer));
    let targets = ["one", "two", "three", "four"].map(|name| global(&mut program, name, Content::Pointer));
    let main = main_of(&mut program);
    let mut body = program.body(main);
    for number in 0..COUNT {
        copy(&mut body, pointers[number], pointers[(number + 1) % COUNT]);
    }
    copy(&mut body, before, pointers[COUNT / 2]);
    copy(&mut body, pointers[COUNT / 3], after);
    point(&mut body, pointers[0], targets[0]);
    point(&mut body, before, targets[1]);
    point(&mut body, after, targets[2]);
    // `*pointers[1] = stored`, and then `loaded = *pointers[2]`.
    point(&mut body, stored, targets[3]);
    let (left, value) =
        (target(&body, pointers[1], Content::Pointer), Value::Copy(body.program.whole(stored)));
    body.emit(OperationKind::Write { to: left, value }, span());
    let value = Value::Copy(target(&body, pointers[2], Content::Pointer));
    write(&mut body, loaded, value);
    body.finish();
    let program = program.finish();
    let points = PointsTo::new(&program, &NoEffects);
    for &pointer in &pointers {
        assert_eq!(found(&points, &program, pointer, &targets), [0, 1]);
    }
    assert_eq!(found(&points, &program, before, &targets), [1]);
    assert_eq!(found(&points, &program, after, &targets), [0, 1, 2]);
    assert_eq!(found(&points, &program, loaded, &targets), [3]);
    for number in [0, 1] {
        assert_eq!(found(&points, &program, targets[number], &targets), [3]);
    }
    for number in [2, 3] {
        assert!(found(&points, &program, targets[number], &targets).is_empty());
    }
}

#[test]
fn the_pointers_of_a_large_structure_have_their_own_targets() {
    const COUNT: u64 = 300;
    let mut program = ProgramBuilder::new(true);
    let object = program.object(Object {
        name: "large".to_owned(),
        lifetime: Lifetime::Static,
        size: Some(8 * COUNT),
        initialized: true,
        constant: false,
        external: false,
    });
    let (size, declared) = (Some(8 * COUNT), Some(span()));
    let (name, content) = ("large".to_owned(), Content::Record);
    let large =
        program.variable(Variable { name, object, offset: 0, size, declared, content, is_array: false });
    let targets: Vec<VariableId> =
        (0..COUNT).map(|number| global(&mut program, &format!("target{number}"), Content::Data)).collect();
    let main = main_of(&mut program);
    let mut body = program.body(main);
    for (number, &target) in (0..).zip(&targets) {
        let path = vec![Step::Field { name: format!("field{number}"), offset: 8 * number }];
        let to = Access { path, size: Some(8), content: Content::Pointer, ..body.program.whole(large) };
        let value = Value::Address(body.program.whole(target));
        body.emit(OperationKind::Write { to, value }, span());
    }
    body.finish();
    let program = program.finish();
    let points = PointsTo::new(&program, &NoEffects);
    for (number, &target) in (0..).zip(&targets) {
        let found = points.memories_to_unknown(memory(&program, large), 8 * number);
        assert_eq!(found, [memory(&program, target)]);
    }
}

#[test]
fn words_of_a_text_point_into_it_and_the_text_does_not_escape() {
    let mut program = ProgramBuilder::new(true);
    let [first, next, rest, word] =
        ["first", "next", "rest", "word"].map(|name| global(&mut program, name, Content::Pointer));
    let texts = ["line", "list"].map(|name| global(&mut program, name, Content::Integer { bytes: 1 }));
    let main = main_of(&mut program);
    let mut body = program.body(main);
    let line = Argument::Value(Value::Address(body.program.whole(texts[0])));
    call(&mut body, "strtok", vec![line, Argument::Value(Value::Data)], Some(first));
    let arguments = vec![Argument::Value(Value::Null), Argument::Value(Value::Data)];
    call(&mut body, "strtok", arguments, Some(next));
    point(&mut body, rest, texts[1]);
    let rest = Argument::Value(Value::Address(body.program.whole(rest)));
    call(&mut body, "strsep", vec![rest, Argument::Value(Value::Data)], Some(word));
    body.finish();
    let program = program.finish();
    let points = PointsTo::new(&program, &Catalogue::built_in().of_program(&program));
    assert_eq!(found(&points, &program, first, &texts), [0]);
    assert_eq!(found(&points, &program, next, &texts), [0]);
    assert_eq!(found(&points, &program, word, &texts), [1]);
    assert!(texts.iter().all(|&text| !points.is_escaped(memory(&program, text))));
}
