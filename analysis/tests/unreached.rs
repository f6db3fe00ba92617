//! Procedures that the program never runs.

mod small_programs;

use cppc_analysis::builder::ProgramBuilder;
use cppc_analysis::program::{Argument, Content, Lifetime, ProcedureId, Value};
use small_programs::{call, main_of, span, variable, write};

/// A procedure that calls another one, and passes it the address of a third one.
fn calls(program: &mut ProgramBuilder, id: ProcedureId, callee: &str, address: Option<&str>) {
    let mut body = program.body(id);
    let arguments = address.map(|name| {
        body.program.take_address(name);
        Argument::Value(Value::Procedure(name.to_owned()))
    });
    call(&mut body, callee, arguments.into_iter().collect(), None);
    body.finish();
}

#[test]
fn only_procedures_that_the_main_program_reaches_keep_their_operations() {
    let mut program = ProgramBuilder::new(true);
    let main = main_of(&mut program);
    program.body(main).procedure().main = true;
    calls(&mut program, main, "used", Some("passed"));
    let used = program.define("used", "used", span());
    let pointer = variable(&mut program, "pointer", "pointer", Lifetime::Static, Content::Pointer);
    let mut body = program.body(used);
    body.program.take_address("stored");
    write(&mut body, pointer, Value::Procedure("stored".to_owned()));
    body.finish();
    for (name, address) in [
        ("stored", None),
        ("passed", None),
        ("unused", Some("of_unused")),
        ("of_unused", None),
        ("hidden", None),
    ] {
        let id = program.define(name, name, span());
        calls(&mut program, id, "outside", address);
    }
    // No operation shows where.
    program.take_address("hidden");
    let program = program.finish().without_unreached();
    let has_operations = |one: &&cppc_analysis::program::Procedure| {
        one.blocks.iter().any(|block| !block.operations.is_empty())
    };
    let kept: Vec<&str> = program.procedures.iter().filter(has_operations).map(|one| &*one.name).collect();
    assert_eq!(kept, ["main", "used", "stored", "passed", "hidden"]);
}
