//! What the analyses find missing at checkpoints, on small programs.

mod small_programs;

use cppc_analysis::builder::{ProcedureBuilder, ProgramBuilder};
use cppc_analysis::check::{Analysis, FindingKind};
use cppc_analysis::effects::NoEffects;
use cppc_analysis::program::{
    Access, Argument, BlockId, Content, Dimension, Directive, Index, Item, Lifetime, OperationKind,
    ProcedureId, Program, Step, Terminator, Value, VariableId,
};
use small_programs::{call, main_of, span, variable, write};

fn local(program: &mut ProgramBuilder, id: ProcedureId, name: &str, content: Content) -> VariableId {
    variable(program, &format!("{}.{name}", id.0), name, Lifetime::Local(id), content)
}

fn behind(body: &ProcedureBuilder, pointer: VariableId) -> Access {
    let element = Dimension { index: Index::Unknown, lower: None, extent: None, stride: Some(8) };
    let name = &body.program.get_variable(pointer).name;
    Access {
        root: pointer,
        path: vec![Step::Dereference, Step::Elements(vec![element])],
        size: Some(8),
        content: Content::Data,
        text: format!("{name}[i]"),
    }
}

fn read(body: &mut ProcedureBuilder, variable: VariableId) {
    let access = body.program.whole(variable);
    body.emit(OperationKind::Read(access), span());
}

fn directive(body: &mut ProcedureBuilder, directive: Directive) {
    body.emit(OperationKind::Directive(Box::new(directive)), span());
}

fn item(memory: Access) -> Item {
    Item {
        text: memory.text.clone(),
        memory,
        deep: false,
        allocation: false,
        keeps_pointer: false,
        is_untyped: false,
        span: span(),
    }
}

fn register(body: &mut ProcedureBuilder, variable: VariableId) {
    let memory = body.program.whole(variable);
    directive(body, Directive::Register(vec![item(memory)]));
}

/// A loop around `inside`, which may be left at its start.
fn repeat(body: &mut ProcedureBuilder, inside: impl FnOnce(&mut ProcedureBuilder)) {
    let (header, first, exit): (BlockId, BlockId, BlockId) =
        (body.new_block(), body.new_block(), body.new_block());
    body.fall_into(header);
    body.terminate(Terminator::Branch { condition: None, then: first, otherwise: exit });
    body.switch_to(first);
    inside(body);
    body.fall_into(header);
    // The jump back ended the body, so the header is current and terminated.
    body.switch_to(exit);
}

/// What is reported, in order.
fn check(program: ProgramBuilder) -> Vec<String> {
    let program: Program = program.finish();
    let findings = Analysis::new(&program, &NoEffects).check();
    let mut found: Vec<String> = findings
        .iter()
        .map(|finding| match finding.kind {
            FindingKind::BlockReads => format!("block reads {}", finding.text),
            FindingKind::BlockNeedsEarlierRun => format!("block needs an earlier run {}", finding.text),
            FindingKind::UnequalRuns => format!("unequal runs {}", finding.text),
            FindingKind::NotRestored
            | FindingKind::LostHandle
            | FindingKind::LostRequest
            | FindingKind::LostState(_)
            | FindingKind::NoCheckpoint
            | FindingKind::NewerThanRegister
            | FindingKind::ShortRegister
            | FindingKind::RepeatedSetting(_)
            | FindingKind::EvaluatedAgain
            | FindingKind::AppendInBlock
            | FindingKind::UpdatedFile
            | FindingKind::MovedPointer
            | FindingKind::GrownRegister
            | FindingKind::AddressHash { .. }
            | FindingKind::UpdatedRecords
            | FindingKind::RemovedFile
            | FindingKind::AskedFile
            | FindingKind::RecreatedFile
            | FindingKind::ShortenedFile
            | FindingKind::LostPosition { .. }
            | FindingKind::KeptArray
            | FindingKind::ExchangedRegister
            | FindingKind::RepeatedCreation
            | FindingKind::CreationInBlock
            | FindingKind::RepeatedAppend => finding.text.clone(),
        })
        .collect();
    found.sort();
    found
}

#[test]
fn a_counter_that_is_not_registered_is_reported() {
    for registers in [false, true] {
        let mut program = ProgramBuilder::new(true);
        let main = main_of(&mut program);
        let step = local(&mut program, main, "step", Content::Integer { bytes: 8 });
        let scratch = local(&mut program, main, "scratch", Content::Data);
        let mut body = program.body(main);
        body.procedure().main = true;
        directive(&mut body, Directive::Init);
        write(&mut body, step, Value::Data);
        if registers {
            register(&mut body, step);
        }
        repeat(&mut body, |body| {
            directive(body, Directive::Checkpoint);
            write(body, scratch, Value::Data);
            read(body, scratch);
            read(body, step);
            write(body, step, Value::Data);
        });
        body.finish();
        let expected: &[&str] = if registers { &[] } else { &["step"] };
        assert_eq!(check(program), expected);
    }
}

#[test]
fn a_value_from_before_init_is_restored_unless_it_changes() {
    for changes in [false, true] {
        let mut program = ProgramBuilder::new(true);
        let main = main_of(&mut program);
        let limit = local(&mut program, main, "limit", Content::Data);
        let mut body = program.body(main);
        body.procedure().main = true;
        write(&mut body, limit, Value::Data);
        directive(&mut body, Directive::Init);
        repeat(&mut body, |body| {
            directive(body, Directive::Checkpoint);
            read(body, limit);
            if changes {
                write(body, limit, Value::Data);
            }
        });
        body.finish();
        let expected: &[&str] = if changes { &["limit"] } else { &[] };
        assert_eq!(check(program), expected);
    }
}

#[test]
fn the_second_of_two_buffers_is_reported() {
    for count in 0..=2 {
        let mut program = ProgramBuilder::new(true);
        let main = main_of(&mut program);
        let names = ["now", "next", "swap"];
        let [now, next, swap] = names.map(|name| local(&mut program, main, name, Content::Pointer));
        let mut body = program.body(main);
        body.procedure().main = true;
        directive(&mut body, Directive::Init);
        for pointer in [now, next] {
            let to = body.program.whole(pointer);
            body.emit(
                OperationKind::Allocate {
                    to,
                    bytes: None,
                    slices: None,
                    content: Content::Unknown,
                    zeroed: false,
                },
                span(),
            );
            let to = behind(&body, pointer);
            body.emit(OperationKind::Write { to, value: Value::Data }, span());
        }
        for pointer in [now, next].into_iter().take(count) {
            let memory = behind(&body, pointer);
            directive(&mut body, Directive::Register(vec![item(memory)]));
        }
        repeat(&mut body, |body| {
            directive(body, Directive::Checkpoint);
            for pointer in [now, next] {
                let access = behind(body, pointer);
                body.emit(OperationKind::Read(access), span());
            }
            for (to, from) in [(swap, now), (now, next), (next, swap)] {
                read(body, from);
                let from = body.program.whole(from);
                write(body, to, Value::Copy(from));
            }
        });
        body.finish();
        let found = check(program);
        assert_eq!(found.is_empty(), count == 2, "{count} registered: {found:?}");
        assert_eq!(found.contains(&"next".to_string()), count < 2, "{count} registered: {found:?}");
    }
}

/// `main` calls `solve` for its result; the variable that takes the result is not needed before.
#[test]
fn the_result_of_a_call_is_not_needed_during_the_call() {
    let mut program = ProgramBuilder::new(true);
    let (main, solve) = (main_of(&mut program), program.define("solve", "solve", span()));
    let total = local(&mut program, main, "total", Content::Data);
    let sum = local(&mut program, main, "sum", Content::Data);
    let mut body = program.body(main);
    body.procedure().main = true;
    directive(&mut body, Directive::Init);
    write(&mut body, total, Value::Data);
    write(&mut body, sum, Value::Data);
    call(&mut body, "solve", vec![], Some(total));
    read(&mut body, total);
    read(&mut body, sum);
    body.finish();
    let mut body = program.body(solve);
    directive(&mut body, Directive::Checkpoint);
    body.finish();
    assert_eq!(check(program), ["sum"]);
}

/// `main` has registered `first` when it calls `work` for it, and `second` for the second call.
#[test]
fn each_call_of_a_procedure_is_considered_by_itself() {
    for forgotten in [false, true] {
        let mut program = ProgramBuilder::new(true);
        let (main, work) = (main_of(&mut program), program.define("work", "work", span()));
        let first = local(&mut program, main, "first", Content::Data);
        let second = local(&mut program, main, "second", Content::Data);
        let dummy = local(&mut program, work, "x", Content::Reference { no_alias: true });
        let mut body = program.body(main);
        body.procedure().main = true;
        directive(&mut body, Directive::Init);
        for (variable, registers) in [(first, true), (second, !forgotten)] {
            write(&mut body, variable, Value::Data);
            if registers {
                register(&mut body, variable);
            }
            let argument = Argument::Reference(body.program.whole(variable));
            call(&mut body, "work", vec![argument], None);
        }
        body.finish();
        let mut body = program.body(work);
        body.procedure().parameters = vec![dummy];
        directive(&mut body, Directive::Checkpoint);
        let mut access = body.program.whole(dummy);
        access.path.push(Step::Dereference);
        body.emit(OperationKind::Read(access), span());
        body.finish();
        let expected: &[&str] = if forgotten { &["second"] } else { &[] };
        assert_eq!(check(program), expected);
    }
}

#[test]
fn an_execute_block_that_reads_a_changed_variable_must_capture_it() {
    for captures in [false, true] {
        let mut program = ProgramBuilder::new(true);
        let main = main_of(&mut program);
        let colour = local(&mut program, main, "colour", Content::Data);
        let team = local(&mut program, main, "team", Content::Data);
        let mut body = program.body(main);
        body.procedure().main = true;
        directive(&mut body, Directive::Init);
        write(&mut body, colour, Value::Data);
        let memory = body.program.whole(colour);
        let captures = if captures { vec![item(memory)] } else { vec![] };
        let expected: &[&str] = if captures.is_empty() { &["block reads colour"] } else { &[] };
        directive(
            &mut body,
            Directive::BeginExecute { captures, files: vec![], has_files: false, on_restart: false },
        );
        read(&mut body, colour);
        write(&mut body, team, Value::Data);
        directive(&mut body, Directive::EndExecute);
        repeat(&mut body, |body| {
            directive(body, Directive::Checkpoint);
            read(body, team);
        });
        body.finish();
        assert_eq!(check(program), expected);
    }
}

#[test]
fn a_register_ends_with_unregister() {
    let mut program = ProgramBuilder::new(true);
    let main = main_of(&mut program);
    let total = local(&mut program, main, "total", Content::Data);
    let mut body = program.body(main);
    body.procedure().main = true;
    directive(&mut body, Directive::Init);
    write(&mut body, total, Value::Data);
    register(&mut body, total);
    directive(&mut body, Directive::Checkpoint);
    let memory = body.program.whole(total);
    directive(&mut body, Directive::Unregister(vec![item(memory)]));
    directive(&mut body, Directive::Checkpoint);
    read(&mut body, total);
    body.finish();
    assert_eq!(check(program), ["total"]);
}

#[test]
fn unknown_code_may_read_and_write_what_it_was_given() {
    let mut program = ProgramBuilder::new(true);
    let main = main_of(&mut program);
    let given = local(&mut program, main, "given", Content::Data);
    let hidden = local(&mut program, main, "hidden", Content::Data);
    let mut body = program.body(main);
    body.procedure().main = true;
    directive(&mut body, Directive::Init);
    write(&mut body, hidden, Value::Data);
    let argument = Argument::Reference(body.program.whole(given));
    call(&mut body, "library", vec![argument], None);
    directive(&mut body, Directive::Checkpoint);
    call(&mut body, "library", vec![], None);
    body.finish();
    assert_eq!(check(program), ["given"]);
}
