//! `init` and `shutdown` where a program has none.
//!
//! Input: a program. Output: directives, each with the code that it belongs to.
//! Postcondition: a program that ends well removes its state. One that ends with an error keeps it.

use cppc_analysis::program::{Argument, Call, Callee, Directive, Program, Value};

use super::wanted::Wanted;

/// `init` and `shutdown`, if the program has none. It must have a `checkpoint`, or get one.
pub fn frame(program: &Program) -> Vec<Wanted> {
    let has = |wanted: fn(&Directive) -> bool| program.directives().any(|(_, directive)| wanted(directive));
    let Some(main) = program.procedures.iter().find(|procedure| procedure.main) else { return Vec::new() };
    let call = |names: &'static [&str]| {
        let is_named = move |call: &Call| match &call.callee {
            Callee::Named(name) => names.contains(&name.to_ascii_lowercase().trim_end_matches('_')),
            Callee::Indirect(_) | Callee::OneOf(_) => false,
        };
        program.calls().filter(move |(_, _, call)| is_named(call)).map(|(_, at, _)| at)
    };
    let mut wanted = Vec::new();
    if !has(|directive| matches!(directive, Directive::Init)) {
        let starts = call(&["mpi_init", "mpi_init_thread", "mpi_init_f08", "mpi_init_thread_f08"]).next();
        wanted.push(match starts {
            Some(at) => Wanted::InitAfter { at },
            None => Wanted::InitFirst { procedure: main.span },
        });
    }
    if !has(|directive| matches!(directive, Directive::Shutdown)) {
        wanted.extend(call(&["mpi_finalize", "mpi_finalize_f08"]).map(|at| Wanted::ShutdownBefore { at }));
        if !wanted.iter().any(|wanted| matches!(wanted, Wanted::ShutdownBefore { .. })) {
            let ends = program.calls().filter(|(_, _, call)| ends_well(call));
            wanted.extend(ends.map(|(_, at, _)| Wanted::ShutdownBefore { at }));
            wanted.push(Wanted::ShutdownLast { procedure: main.span });
        }
    }
    wanted
}

/// A call that ends the program without an error.
fn ends_well(call: &Call) -> bool {
    let Callee::Named(name) = &call.callee else { return false };
    match name.as_str() {
        // A process that was forked ends with `_exit`.
        "exit" | "fortran%exit" => match call.arguments.as_slice() {
            [] => true,
            [Argument::Value(Value::Affine(status))] => status.as_constant() == Some(0),
            _ => false,
        },
        "fortran%stop" => true,
        _ => false,
    }
}
