//! Pointers that a restart could not set. Checkpoints are skipped, and the message contains the access path of the pointer.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{ensure, Result};
use cppc_tests::build;
use cppc_tests::cases::{case, run};
use cppc_tests::form::Form;
use cppc_tests::product::here;
use cppc_tests::program::Program;
use cppc_tests::run::Kill;
use cppc_tests::scenario::{Expect, Subject};
use cppc_tests::state;
use libtest_mimic::Trial;

type Fault = fn(&Subject) -> Result<()>;

const PROGRAMS: [(&str, &str, Fault); 10] = [
    ("wrong_graphs.c", "pointers_that_a_graph_cannot_save", pointers_that_a_graph_cannot_save),
    (
        "wrong_graphs.f90",
        "pointers_of_fortran_that_cannot_be_saved",
        pointers_of_fortran_that_cannot_be_saved,
    ),
    ("hidden_addresses.c", "addresses_where_no_pointer_is_declared", addresses_where_no_pointer_is_declared),
    ("component_in_graph.f90", "component_that_is_registered_too", component_that_is_registered_too),
    ("dynamic_type_elsewhere.f90", "dynamic_type_that_has_no_name", dynamic_type_that_has_no_name),
    ("other_dynamic_type.f90", "restart_with_another_dynamic_type", restart_with_another_dynamic_type),
    ("dynamic_type_later.f90", "dynamic_type_of_a_later_register", dynamic_type_of_a_later_register),
    ("dynamic_type_on_stack.f90", "dynamic_type_of_a_local_variable", dynamic_type_of_a_local_variable),
    ("argument_not_allocated.f90", "argument_that_is_not_allocated", argument_that_is_not_allocated),
    ("addresses_in_bytes.c", "addresses_in_memory_without_pointers", addresses_in_memory_without_pointers),
];

fn main() -> ExitCode {
    run(Ok(cases()))
}

fn cases() -> Vec<Trial> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("graphs");
    let all = PROGRAMS.into_iter().map(|(file, name, fault)| {
        case(&scratch, name.to_owned(), move |directory| {
            let program = Program::read(name, &here("programs/alone").join(file))?;
            let executable = build::translated(&program, Form::first(&program), directory)?;
            let state = directory.join("state");
            fault(&Subject::new(&program, &executable, directory, &state)?)
        })
    });
    all.collect()
}

fn pointers_that_a_graph_cannot_save(subject: &Subject) -> Result<()> {
    let said = &subject.unbroken.said;
    for wanted in [
        "`head->next->mark` points to a local variable of a procedure",
        "`head->next->mark` points to a variable that is not registered",
        "`head->next->values` points into an element of `CPPC_DOUBLE`, where no component begins",
        "`head->next->mark` points to elements of `CPPC_INT`, and another pointer points there to elements of `CPPC_DOUBLE`",
        "`head->next->shape[1].kind` is not a pointer, and its value is the address of an allocation",
        "`head->next->shape` points to an allocation of 3 bytes, which is not a whole number of elements of 8 bytes (`struct shape`)",
        "`head->next->values` points to memory that was freed",
    ] {
        let wanted = format!("nothing is written at checkpoint wrong_graphs.c:39 in `main`: {wanted}");
        ensure!(said.contains(&wanted), "not reported: {wanted}\n{said}");
    }
    for (number, line) in [(1, 1), (5, 1), (8, 1), (9, 9)] {
        subject.kill(subject.run(), Kill::AfterCheckpoint(number))?;
        subject.resume(subject.run(), Expect::Line(line))?;
    }
    Ok(())
}

fn pointers_of_fortran_that_cannot_be_saved(subject: &Subject) -> Result<()> {
    let said = &subject.unbroken.said;
    for wanted in [
        "`head%next%mark` points to a variable that is not registered",
        "`head%next%next` points to a variable that is not registered",
        "`head%next%number` is an integer with the address of an allocation",
        "`head%next%mark` points to elements of `CPPC_INTEGER_4`, and another pointer points there to elements of `CPPC_REAL_8`",
    ] {
        let wanted = format!("nothing is written at checkpoint wrong_graphs.f90:45 in `wrong_graphs`: {wanted}");
        ensure!(said.contains(&wanted), "not reported: {wanted}\n{said}");
    }
    ensure!(said.matches("nothing is written").count() == 4, "other checkpoints were skipped\n{said}");
    let stale = "warning: `head%next%values` points to memory that was freed";
    ensure!(said.matches(stale).count() == 1, "not reported once: {stale}\n{said}");
    for (number, line) in [(1, 1), (5, 1), (6, 6), (7, 7)] {
        subject.kill(subject.run(), Kill::AfterCheckpoint(number))?;
        subject.resume(subject.run(), Expect::Line(line))?;
    }
    Ok(())
}

/// A restart would allocate the node and put the component elsewhere.
fn component_that_is_registered_too(subject: &Subject) -> Result<()> {
    let said = &subject.unbroken.said;
    ensure!(said.contains("`head%value` is in memory that is also saved with `deep`"), "not named:\n{said}");
    subject.kill(subject.run(), Kill::AfterCheckpoint(2))?;
    ensure!(state::lines_of(subject.state, 0)?.is_empty(), "there is a state file");
    Ok(())
}

/// Checkpoints 2 and 4 are skipped.
fn dynamic_type_that_has_no_name(subject: &Subject) -> Result<()> {
    let said = &subject.unbroken.said;
    let wanted = "`shapes%all%kept` has a dynamic type, `make_circle`, that can be named neither where it is registered nor where `init` is";
    ensure!(said.contains(wanted), "not reported: {wanted}\n{said}");
    ensure!(said.matches("nothing is written").count() == 1, "not reported once\n{said}");
    for (number, line) in [(1, 1), (3, 3)] {
        subject.kill(subject.run(), Kill::AfterCheckpoint(number))?;
        subject.resume(subject.run(), Expect::Line(line))?;
    }
    Ok(())
}

/// The restart would use the variable before the later register describes its type.
fn dynamic_type_of_a_later_register(subject: &Subject) -> Result<()> {
    writes_nothing(subject, "`p` has a dynamic type, `circles_circle`,")
}

fn dynamic_type_of_a_local_variable(subject: &Subject) -> Result<()> {
    writes_nothing(subject, "`h%p` has a dynamic type, `run_circle`,")
}

fn writes_nothing(subject: &Subject, wanted: &str) -> Result<()> {
    let said = &subject.unbroken.said;
    ensure!(said.contains(wanted), "not reported: {wanted}\n{said}");
    subject.kill(subject.run(), Kill::AfterCheckpoint(2))?;
    ensure!(state::lines_of(subject.state, 0)?.is_empty(), "there is a state file");
    Ok(())
}

/// In the restart, the program passes a variable that is not allocated.
fn argument_that_is_not_allocated(subject: &Subject) -> Result<()> {
    subject.kill(subject.run(), Kill::AfterCheckpoint(2))?;
    let outcome = subject.run().go()?;
    let wanted = "the access path of `self` contains a null pointer";
    ensure!(
        !outcome.ended_well() && outcome.said.contains(wanted),
        "not refused: {wanted}\n{}",
        outcome.said
    );
    Ok(())
}

/// The restart would come to another part of the `select type`.
fn restart_with_another_dynamic_type(subject: &Subject) -> Result<()> {
    subject.kill(subject.run(), Kill::AfterCheckpoint(2))?;
    let outcome = subject.run().set("WHICH_SHAPE", "shape").go()?;
    let wanted = "the `select type` at other_dynamic_type.f90:16 has another dynamic type";
    ensure!(
        !outcome.ended_well() && outcome.said.contains(wanted),
        "not refused: {wanted}\n{}",
        outcome.said
    );
    subject.resume(subject.run(), Expect::Line(2)).map(|_| ())
}

fn addresses_where_no_pointer_is_declared(subject: &Subject) -> Result<()> {
    let said = &subject.unbroken.said;
    for (path, pointed) in [
        ("head->numbers[90]", "an allocation"),
        ("head->bytes[16]", "an allocation"),
        ("head->next->key", "an allocation"),
        ("head->reals[4999]", "an allocation"),
        ("head->shape[2].kind", "an allocation"),
        ("head->next->name[0]", "an allocation"),
        ("head->numbers[1]", "a variable, a constant or a function"),
        ("head->numbers[2]", "a variable, a constant or a function"),
        ("head->numbers[3]", "a variable, a constant or a function"),
    ] {
        let wanted = format!(
            "nothing is written at checkpoint hidden_addresses.c:69 in `main`: `{path}` is not a pointer, and its value is the address of {pointed}"
        );
        ensure!(said.contains(&wanted), "not reported: {wanted}\n{said}");
    }
    // What is after the end of a text, what the user has stated, and numbers that are no addresses are not reported.
    ensure!(said.matches("nothing is written").count() == 9, "other checkpoints were skipped\n{said}");
    for (number, line) in [(1, 1), (9, 1), (13, 13)] {
        subject.kill(subject.run(), Kill::AfterCheckpoint(number))?;
        subject.resume(subject.run(), Expect::Line(line))?;
    }
    Ok(())
}

fn addresses_in_memory_without_pointers(subject: &Subject) -> Result<()> {
    let said = &subject.unbroken.said;
    for wanted in [
        "byte 40 of `pool` seems to contain the address of memory of `pool`",
        "byte 0 of `addresses_in_bytes.c:callback` seems to contain the address of a variable or a function",
        "byte 232 of `stations` seems to contain the address of memory of `stations`",
        "byte 24 of `addresses_in_bytes.c:counts` seems to contain the address of memory of `addresses_in_bytes.c:level`",
        "byte 0 of `local` seems to contain the address of memory of `addresses_in_bytes.c:level`",
        "byte 8 of `handle` seems to contain the address of memory of `pool`",
        "byte 4 of `message` seems to contain the address of memory of `halves`",
    ] {
        ensure!(said.matches(wanted).count() == 1, "not reported once: {wanted}\n{said}");
    }
    ensure!(said.matches("warning: ").count() == 7, "something else is reported\n{said}");
    subject.kill(subject.run(), Kill::AfterCheckpoint(1))?;
    subject.resume(subject.run(), Expect::Line(1)).map(|_| ())
}
