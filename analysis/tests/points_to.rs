//! Where pointers may point, on small programs that call a procedure without source.

mod small_programs;

use cppc_analysis::builder::{ProcedureBuilder, ProgramBuilder};
use cppc_analysis::effects::NoEffects;
use cppc_analysis::points_to::PointsTo;
use cppc_analysis::program::{Argument, Content, Lifetime, Program, Value, VariableId};
use cppc_analysis::sets::Memory;
use small_programs::{call, main_of, variable, write};

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
