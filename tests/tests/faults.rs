//! Faults in the environment of a program: state of another program, disks that refuse to write, set-aside
//! lines. Each run succeeds, or stops with a message that names the file and the cause.

use std::path::Path;
use std::process::ExitCode;

use anyhow::{ensure, Result};
use cppc_tests::build;
use cppc_tests::cases::{case, run};
use cppc_tests::form::Form;
use cppc_tests::product::here;
use cppc_tests::program::Program;
use cppc_tests::run::{Kill, Outcome, Run};
use cppc_tests::scenario::{Expect, Subject};
use cppc_tests::state;
use libtest_mimic::Trial;

type Fault = fn(&Subject) -> Result<()>;

const SEQUENTIAL: [(&str, Fault); 10] = [
    ("every_third_call_dumps", every_third_call_dumps),
    ("dumping_turned_off", dumping_turned_off),
    ("compressed", compressed),
    ("two_lines_damaged", two_lines_damaged),
    ("newest_cut", newest_cut),
    ("newest_empty", newest_empty),
    ("newer_version", newer_version),
    ("another_program", another_program),
    ("no_place_for_state", no_place_for_state),
    ("nothing_to_resume", nothing_to_resume),
];

/// A program whose state is larger than the file size limit.
const LARGE: [(&str, Fault); 2] = [("disk_full", disk_full), ("disk_full_later", disk_full_later)];

const PARALLEL: [(&str, Fault); 3] = [
    ("another_number_of_processes", another_number_of_processes),
    ("older_line_on_one_rank", older_line_on_one_rank),
    ("one_rank_cannot_write", one_rank_cannot_write),
];

/// Programs that only this file uses.
const ALONE: [(&str, &str, Fault); 17] = [
    ("alone/callback.c", "checkpoint_below_a_foreign_frame", checkpoint_below_a_foreign_frame),
    ("alone/jump_point.c", "checkpoint_after_setjmp", checkpoint_after_setjmp),
    ("alone/lost_pointer.c", "repeated_call_with_a_lost_pointer", repeated_call_with_a_lost_pointer),
    ("alone/null_argument.c", "argument_that_is_null_in_a_restart", argument_that_is_null),
    ("alone/captured_on_heap.c", "captured_pointer_to_the_heap", captured_pointer_to_the_heap),
    ("alone/wrong_allocations.c", "memory_that_is_no_allocation", memory_that_is_no_allocation),
    ("alone/undefined_component.f90", "component_that_was_never_set", component_that_was_never_set),
    ("alone/unallocated_argument.f90", "argument_that_was_not_allocated", argument_that_was_not_allocated),
    (
        "alone/unallocated_argument_pointer.f90",
        "pointer_to_an_unknown_argument",
        pointer_to_an_unknown_argument,
    ),
    ("alone/pointer_without_elements.c", "pointer_without_elements", pointer_without_elements),
    ("alone/arguments_to_lost_memory.c", "arguments_to_lost_memory", arguments_to_lost_memory),
    ("alone/pointer_argument.f90", "pointer_argument_to_a_variable", pointer_argument_to_a_variable),
    ("alone/size_that_changes.f90", "size_that_changes_before_a_checkpoint", size_that_changes),
    ("alone/size_of_parameter.c", "size_of_a_parameter_that_changes", size_of_parameter),
    ("alone/component_registered_twice.f90", "component_registered_twice", component_registered_twice),
    ("alone/component_without_parent.f90", "component_without_parent", component_without_parent),
    ("alone/component_allocated_below.f90", "component_allocated_below", component_allocated_below),
];

/// Programs that write files.
const OPEN: [(&str, &str, Fault); 4] = [
    ("open_stream.c", "open_file_changed", open_file_changed),
    ("alone/shared_file.c", "file_of_several_processes", file_of_several_processes),
    (
        "alone/doubtful_file.c",
        "file_that_several_processes_closed_within_their_block",
        file_that_several_processes_closed_within_their_block,
    ),
    ("alone/static_units.f90", "unit_without_a_place", unit_without_a_place),
];

fn main() -> ExitCode {
    run(Ok(cases()))
}

fn cases() -> Vec<Trial> {
    let sequential = SEQUENTIAL.map(|(name, fault)| ("settings_every.c", name, fault));
    let large = LARGE.map(|(name, fault)| ("heap_large.c", name, fault));
    let parallel = PARALLEL.map(|(name, fault)| ("mpi_uneven.c", name, fault));
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("faults");
    let all = sequential.into_iter().chain(large).chain(parallel).chain(ALONE).chain(OPEN);
    all.map(|(file, name, fault)| {
        case(&scratch, name.to_owned(), move |directory| {
            let folder = here(if file.contains('/') { "programs" } else { "programs/c" });
            let program = Program::read(name, &folder.join(file))?;
            let executable = build::translated(&program, Form::first(&program), directory)?;
            let state = directory.join("state");
            fault(&Subject::new(&program, &executable, directory, &state)?)
        })
    })
    .collect()
}

fn every_third_call_dumps(subject: &Subject) -> Result<()> {
    let run = || subject.run().set("CPPC_EVERY", "3");
    for number in [2, 3, 7, 59] {
        subject.kill(run(), Kill::AfterCheckpoint(number))?;
        let outcome = run().go()?.must_end_well("resumed")?;
        subject.compare(&outcome, Expect::Line(number as u64 / 3), 3)?;
    }
    Ok(())
}

fn dumping_turned_off(subject: &Subject) -> Result<()> {
    let run = || subject.run().set("CPPC_EVERY", "0");
    subject.kill(run(), Kill::AfterCheckpoint(30))?;
    ensure!(state::lines_of(subject.state, 0)?.is_empty(), "there is a state file");
    subject.resume(run(), Expect::Line(0)).map(|_| ())
}

fn compressed(subject: &Subject) -> Result<()> {
    let run = || subject.run().set("CPPC_COMPRESS", "deflate").set("CPPC_COMPRESS_MIN", "0");
    subject.kill(run(), Kill::AfterCheckpoint(30))?;
    // Reading a file does not depend on the settings for writing.
    subject.resume(subject.run(), Expect::Line(30)).map(|_| ())
}

fn two_lines_damaged(subject: &Subject) -> Result<()> {
    subject.kill(subject.run(), Kill::AfterCheckpoint(20))?;
    let lines = state::lines_of(subject.state, 0)?;
    for line in &lines {
        state::flip_bit(line, 0.5)?;
    }
    let outcome = subject.resume(subject.run(), Expect::Line(0))?;
    names_all(&outcome, &lines)
}

fn newest_cut(subject: &Subject) -> Result<()> {
    for part in [0.01, 0.5, 0.99] {
        subject.kill(subject.run(), Kill::AfterCheckpoint(20))?;
        let newest = state::newest_of(subject.state, 0)?;
        state::cut(&newest, part)?;
        let outcome = subject.resume(subject.run(), Expect::Line(19))?;
        names_all(&outcome, &[newest])?;
    }
    Ok(())
}

fn newest_empty(subject: &Subject) -> Result<()> {
    subject.kill(subject.run(), Kill::AfterCheckpoint(20))?;
    let newest = state::newest_of(subject.state, 0)?;
    state::cut(&newest, 0.0)?;
    let outcome = subject.resume(subject.run(), Expect::Line(19))?;
    names_all(&outcome, &[newest])
}

/// Changes only the version in the header. The rest of the header stays valid, including its checksum.
fn newer_version(subject: &Subject) -> Result<()> {
    subject.kill(subject.run(), Kill::AfterCheckpoint(20))?;
    let lines = state::lines_of(subject.state, 0)?;
    for line in &lines {
        state::raise_version(line)?;
    }
    must_refuse(subject, subject.run(), &["version"])
}

fn another_program(subject: &Subject) -> Result<()> {
    let run = || subject.run().set("CPPC_APP", "shared");
    subject.kill(run(), Kill::AfterCheckpoint(20))?;
    let other = Program::read("heap_swap", &here("programs/c/heap_swap.c"))?;
    let directory = subject.scratch.join("other");
    std::fs::create_dir_all(&directory)?;
    let executable = build::translated(&other, Form::first(&other), &directory)?;
    let stranger = Run { program: &other, executable: &executable, ..run() };
    must_refuse(subject, stranger, &["another build"])
}

/// A file has the name of the directory, so the directory cannot be created, not even by root.
fn no_place_for_state(subject: &Subject) -> Result<()> {
    let blocked = subject.scratch.join("blocked");
    std::fs::write(&blocked, "")?;
    let path = blocked.join("state").display().to_string();
    let outcome = subject.run().set("CPPC_DIR", &path).go()?;
    ensure!(outcome.said.contains(&path), "`{path}` is not named:\n{}", outcome.said);
    if outcome.ended_well() {
        subject.compare(&outcome, Expect::Line(0), 1)?;
    }
    Ok(())
}

/// No file can grow beyond a few pages. Every dump fails, and the run continues. The failure is reported
/// once, and no signal ends the run.
fn disk_full(subject: &Subject) -> Result<()> {
    for asynchronous in ["false", "true"] {
        state::forget(subject.state)?;
        let outcome =
            limited(subject.run()).set("CPPC_ASYNC", asynchronous).go()?.must_end_well("with a full disk")?;
        ensure!(outcome.said.contains("rank-0000"), "no file is named:\n{}", outcome.said);
        ensure!(outcome.said.to_lowercase().contains("too large"), "no cause is named:\n{}", outcome.said);
        let complaints = outcome.said.matches("was not written").count();
        ensure!(complaints == 1, "{complaints} complaints:\n{}", outcome.said);
    }
    Ok(())
}

/// The disk becomes full after the restart. The resumed line stays intact.
fn disk_full_later(subject: &Subject) -> Result<()> {
    subject.kill(subject.run(), Kill::AfterCheckpoint(2))?;
    limited(subject.run()).kill(Kill::AfterCheckpoint(2)).go()?.must_be_killed("full")?;
    subject.resume(subject.run(), Expect::Line(2)).map(|_| ())
}

fn nothing_to_resume(subject: &Subject) -> Result<()> {
    state::forget(subject.state)?;
    must_refuse(subject, subject.run().set("CPPC_RESTART", "always"), &[])?;
    subject.kill(subject.run(), Kill::AfterCheckpoint(20))?;
    let outcome = subject.run().set("CPPC_RESTART", "never").go()?.must_end_well("never")?;
    subject.compare(&outcome, Expect::Line(0), 1)
}

fn another_number_of_processes(subject: &Subject) -> Result<()> {
    subject.kill(subject.run(), Kill::AfterCheckpoint(3))?;
    for processes in [3, 5] {
        let run = Run { processes: Some(processes), ..subject.run() };
        must_refuse(subject, run, &["processes"])?;
    }
    subject.resume(subject.run(), Expect::Line(3)).map(|_| ())
}

/// One rank was killed before it published its newest file. All ranks choose the line before.
fn older_line_on_one_rank(subject: &Subject) -> Result<()> {
    subject.kill(subject.run(), Kill::AfterCheckpoint(4))?;
    std::fs::remove_file(state::newest_of(subject.state, 2)?)?;
    subject.resume(subject.run(), Expect::Line(3)).map(|_| ())
}

/// The directory of one rank is replaced by a file. This rank reports it, and all ranks agree on a line
/// that exists.
fn one_rank_cannot_write(subject: &Subject) -> Result<()> {
    subject.kill(subject.run(), Kill::AfterCheckpoint(1))?;
    let newest = state::newest_of(subject.state, 2)?;
    let own = newest.parent().map(Path::to_owned).unwrap_or_default();
    state::forget(&own)?;
    std::fs::write(&own, "")?;
    let outcome = subject.run().go()?;
    ensure!(outcome.said.contains("rank-0002"), "no file is named:\n{}", outcome.said);
    if outcome.ended_well() {
        subject.compare(&outcome, Expect::Line(0), 1)?;
    }
    Ok(())
}

/// A checkpoint below the C library's `qsort` is skipped, and the procedure is reported once. The other
/// checkpoints are written and can be resumed.
fn checkpoint_below_a_foreign_frame(subject: &Subject) -> Result<()> {
    let said = &subject.unbroken.said;
    // The position must be the one in the source of the user.
    ensure!(
        said.contains("nothing is written at checkpoint callback.c:13 in `callback.c:by_size`: "),
        "not named by file and line:\n{said}"
    );
    ensure!(said.lines().count() == 1, "not said once:\n{said}");
    for number in [1, 9, 20] {
        subject.kill(subject.run(), Kill::AfterCheckpoint(number))?;
        subject.resume(subject.run(), Expect::Anywhere)?;
    }
    Ok(())
}

/// After a restart, the buffer would be that of the lost run. So only state from before the `setjmp` is
/// written and resumed.
fn checkpoint_after_setjmp(subject: &Subject) -> Result<()> {
    let said = &subject.unbroken.said;
    ensure!(said.contains("nothing is written at checkpoint jump_point.c:11 in `jump_point.c:work`: `jump_point.c:guarded` has called `setjmp` (jump_point.c:19)"), "not named:\n{said}");
    for number in [1, 3, 4, 9] {
        subject.kill(subject.run(), Kill::AfterCheckpoint(number))?;
        subject.resume(subject.run(), Expect::Anywhere)?;
    }
    Ok(())
}

/// A restart would enter the procedures with other sizes.
fn size_that_changes(subject: &Subject) -> Result<()> {
    let skipped = [
        ("42 in `size_that_changes.f90:size_that_changes%work`", "n"),
        ("53 in `size_that_changes.f90:size_that_changes%label`", "n"),
        ("64 in `size_that_changes.f90:size_that_changes%table`", "dims(1)"),
        ("81 in `size_that_changes.f90:size_that_changes%rows`", "grid%width"),
    ];
    sizes_change(subject, "size_that_changes.f90", &skipped)?;
    for (number, line) in [(1, 1), (2, 1), (4, 1), (5, 5), (6, 5), (7, 7), (12, 11)] {
        subject.kill(subject.run(), Kill::AfterCheckpoint(number))?;
        subject.resume(subject.run(), Expect::Line(line))?;
    }
    Ok(())
}

/// As above. A bit-field has no address, so the whole structure is compared.
fn size_of_parameter(subject: &Subject) -> Result<()> {
    let skipped = [
        ("24 in `size_of_parameter.c:step`", "width"),
        ("37 in `size_of_parameter.c:through`", "g->width"),
        ("48 in `size_of_parameter.c:member`", "grid"),
        ("56 in `size_of_parameter.c:last`", "grid.width"),
    ];
    sizes_change(subject, "size_of_parameter.c", &skipped)?;
    for (number, line) in [(1, 1), (2, 1), (3, 3), (5, 4), (6, 6), (8, 6), (11, 11), (13, 12)] {
        subject.kill(subject.run(), Kill::AfterCheckpoint(number))?;
        subject.resume(subject.run(), Expect::Line(line))?;
    }
    Ok(())
}

fn sizes_change(subject: &Subject, file: &str, skipped: &[(&str, &str)]) -> Result<()> {
    let said = &subject.unbroken.said;
    for (place, variable) in skipped {
        let wanted = format!(
            "nothing is written at checkpoint {file}:{place}: `{variable}` determines a size in the declarations of"
        );
        ensure!(said.contains(&wanted), "not reported: {wanted}\n{said}");
    }
    ensure!(
        said.matches("nothing is written").count() == skipped.len(),
        "other checkpoints were skipped\n{said}"
    );
    Ok(())
}

/// A restart would replay the call with an invalid pointer. So only state from before the call is resumed.
fn repeated_call_with_a_lost_pointer(subject: &Subject) -> Result<()> {
    let said = &subject.unbroken.said;
    ensure!(said.contains("nothing is written at checkpoint lost_pointer.c:25 in `lost_pointer.c:work`: `scratch`, an argument of a call of `lost_pointer.c:set`"), "not named:\n{said}");
    for number in [1, 3, 4, 8] {
        subject.kill(subject.run(), Kill::AfterCheckpoint(number))?;
        subject.resume(subject.run(), Expect::Line(number.min(3) as u64))?;
    }
    Ok(())
}

fn argument_that_is_null(subject: &Subject) -> Result<()> {
    let said = &subject.unbroken.said;
    let wanted =
        "an argument of a call that leads to this checkpoint, points to memory that is not registered: in a \
                  restart it is a null pointer";
    ensure!(said.contains(wanted) && said.contains("`scratch`"), "not named:\n{said}");
    for number in [1, 3] {
        subject.kill(subject.run(), Kill::AfterCheckpoint(number))?;
        subject.resume(subject.run(), Expect::Line(number as u64))?;
    }
    Ok(())
}

fn captured_pointer_to_the_heap(subject: &Subject) -> Result<()> {
    let said = &subject.unbroken.said;
    let wanted = "nothing is written at checkpoint captured_on_heap.c:27 in `main`: `name` was captured";
    ensure!(said.contains(wanted), "not named:\n{said}");
    for number in [1, 3, 5] {
        subject.kill(subject.run(), Kill::AfterCheckpoint(number))?;
        subject.resume(subject.run(), Expect::Line(1))?;
    }
    Ok(())
}

fn memory_that_is_no_allocation(subject: &Subject) -> Result<()> {
    let said = &subject.unbroken.said;
    for wanted in [
        "`p` points 16 bytes after the start of an allocation",
        "`p` points to memory that was freed",
        "`p` points to an allocation of 12 bytes, which is not a whole number of elements of 8 bytes",
        "`p` points to memory that the files of the program did not allocate",
        "`q` is registered with 24 bytes, but the allocation has only 8 there",
    ] {
        let wanted = format!("nothing is written at checkpoint wrong_allocations.c:24 in `main`: {wanted}");
        ensure!(said.contains(&wanted), "not reported: {wanted}\n{said}");
    }
    for (number, line) in [(1, 1), (5, 1), (6, 6), (7, 6), (8, 8)] {
        subject.kill(subject.run(), Kill::AfterCheckpoint(number))?;
        subject.resume(subject.run(), Expect::Line(line))?;
    }
    Ok(())
}

fn component_that_was_never_set(subject: &Subject) -> Result<()> {
    let said = &subject.unbroken.said;
    ensure!(
        said.contains("`parts(1)%cells` cannot be registered") && said.contains("was never set"),
        "the element is not named:\n{said}"
    );
    subject.kill(subject.run(), Kill::AfterCheckpoint(2))?;
    ensure!(state::lines_of(subject.state, 0)?.is_empty(), "there is a state file");
    Ok(())
}

/// A procedure between does not register the argument. Its checkpoint is skipped while the array may be another one.
fn argument_that_was_not_allocated(subject: &Subject) -> Result<()> {
    let said = &subject.unbroken.said;
    let skipped: Vec<&str> = said.lines().filter(|line| line.contains("nothing is written")).collect();
    let wanted = "nothing is written at checkpoint unallocated_argument.f90:22 in";
    let reason = "`u` may have been allocated as the argument `a` of";
    ensure!(
        matches!(skipped[..], [one] if one.contains(wanted) && one.contains(reason)),
        "not the checkpoint in `middle` alone:\n{said}"
    );
    for number in [1, 2, 3, 4, 5, 7, 12, 16, 17, 20, 27, 28, 29] {
        subject.kill(subject.run(), Kill::AfterCheckpoint(number))?;
        subject.resume(subject.run(), Expect::Anywhere)?;
    }
    Ok(())
}

/// A registered pointer of the procedure between points to the array. That does not make it the owner.
fn pointer_to_an_unknown_argument(subject: &Subject) -> Result<()> {
    let said = &subject.unbroken.said;
    let wanted = "nothing is written at checkpoint unallocated_argument_pointer.f90:25 in";
    ensure!(
        said.contains(wanted) && said.contains("`u` may have been allocated as the argument `a` of"),
        "{said}"
    );
    for number in [1, 2, 3, 5, 8, 10, 11, 12, 14, 17, 20] {
        subject.kill(subject.run(), Kill::AfterCheckpoint(number))?;
        subject.resume(subject.run(), Expect::Anywhere)?;
    }
    Ok(())
}

fn pointer_without_elements(subject: &Subject) -> Result<()> {
    for number in [1, 2, 4] {
        subject.kill(subject.run(), Kill::AfterCheckpoint(number))?;
        subject.resume(subject.run(), Expect::Line(number as u64))?;
    }
    Ok(())
}

fn arguments_to_lost_memory(subject: &Subject) -> Result<()> {
    let said = &subject.unbroken.said;
    for wanted in [
        "`v` is registered without elements, and points to a variable that is not registered",
        "`v` points 8 bytes after the start of an allocation",
        "`v` is registered without elements, and points neither into registered memory nor to its end",
        "`v` points to memory that was freed",
    ] {
        ensure!(
            said.contains(&format!("in `arguments_to_lost_memory.c:work`: {wanted}")),
            "{wanted}\n{said}"
        );
    }
    for (number, line) in [(4, None), (5, Some(5)), (6, Some(5)), (7, Some(7))] {
        subject.kill(subject.run(), Kill::AfterCheckpoint(number))?;
        subject.resume(subject.run(), Expect::Line(line.unwrap_or(0)))?;
    }
    Ok(())
}

fn pointer_argument_to_a_variable(subject: &Subject) -> Result<()> {
    let said = &subject.unbroken.said;
    let wanted = "`part` points to memory of the program that a restart could not find";
    ensure!(said.contains(wanted), "{said}");
    Ok(())
}

fn component_registered_twice(subject: &Subject) -> Result<()> {
    let said = &subject.unbroken.said;
    let wanted = "`tiles(1)%u` is a component of a registered variable, and another register has this name";
    ensure!(said.contains(wanted), "not named:\n{said}");
    for number in [1, 2, 5] {
        subject.kill(subject.run(), Kill::AfterCheckpoint(number))?;
        subject.resume(subject.run(), Expect::Anywhere)?;
    }
    Ok(())
}

fn component_without_parent(subject: &Subject) -> Result<()> {
    let said = &subject.unbroken.said;
    let wanted = "`p%x` cannot be registered: an allocatable that contains it is not allocated";
    ensure!(said.contains(wanted), "not named:\n{said}");
    subject.kill(subject.run(), Kill::AfterCheckpoint(2))?;
    ensure!(state::lines_of(subject.state, 0)?.is_empty(), "there is a state file");
    Ok(())
}

/// The caller has not seen the new component. Its own checkpoints save it.
fn component_allocated_below(subject: &Subject) -> Result<()> {
    let said = &subject.unbroken.said;
    let wanted =
        "a component of `tiles` was allocated, freed or moved in a procedure that does not see this variable";
    ensure!(said.contains(wanted), "not named:\n{said}");
    for number in [2, 4, 5, 6, 7, 9] {
        subject.kill(subject.run(), Kill::AfterCheckpoint(number))?;
        subject.resume(subject.run(), Expect::Anywhere)?;
    }
    Ok(())
}

/// If a file was truncated or removed, the restart stops. If the file is put back, the run resumes.
fn open_file_changed(subject: &Subject) -> Result<()> {
    subject.kill(subject.run(), Kill::AfterCheckpoint(12))?;
    let path = subject.run().directory().join("log.txt");
    let content = std::fs::read(&path)?;
    state::cut(&path, 0.5)?;
    refused_for_a_file(subject, &["log.txt", "bytes, but"])?;
    std::fs::remove_file(&path)?;
    refused_for_a_file(subject, &["log.txt", "missing"])?;
    ensure!(!path.exists(), "a file was made in the place of the one that is missing");
    std::fs::write(&path, content)?;
    subject.resume(subject.run(), Expect::Line(12)).map(|_| ())
}

/// A restart would truncate what another process has written. So no state is written from the first
/// checkpoint on, and the file is named.
fn file_of_several_processes(subject: &Subject) -> Result<()> {
    let said = &subject.unbroken.said;
    ensure!(said.contains("`log.txt` is being written by processes 0 and 2"), "not reported:\n{said}");
    subject.kill(subject.run(), Kill::AfterCheckpoint(3))?;
    ensure!(state::lines_of(subject.state, 0)?.is_empty(), "there is a state file");
    Ok(())
}

/// No handle shows which processes have written the file.
fn file_that_several_processes_closed_within_their_block(subject: &Subject) -> Result<()> {
    let said = &subject.unbroken.said;
    ensure!(
        said.contains("`log.txt` has changed while an execute block ran in processes 0 and 2"),
        "not reported:\n{said}"
    );
    subject.kill(subject.run(), Kill::AfterCheckpoint(3))?;
    ensure!(state::lines_of(subject.state, 0)?.is_empty(), "there is a state file");
    Ok(())
}

fn unit_without_a_place(subject: &Subject) -> Result<()> {
    let said = &subject.unbroken.said;
    ensure!(
        said.contains("`unit 10`") && said.contains("`-static-libgfortran`"),
        "the unit is not named:\n{said}"
    );
    subject.kill(subject.run(), Kill::AfterCheckpoint(2))?;
    ensure!(state::lines_of(subject.state, 0)?.is_empty(), "there is a state file");
    Ok(())
}

fn refused_for_a_file(subject: &Subject, words: &[&str]) -> Result<()> {
    let outcome = subject.run().go()?;
    ensure!(!outcome.ended_well(), "not refused:\n{}", outcome.said);
    for word in words {
        ensure!(outcome.said.contains(word), "`{word}` is not said:\n{}", outcome.said);
    }
    Ok(())
}

/// The run stops before the program continues, and reports the reason. Nothing is removed.
fn must_refuse(subject: &Subject, run: Run, words: &[&str]) -> Result<()> {
    let before = state::lines_of(&run.state, 0)?;
    let outcome = run.go()?;
    ensure!(!outcome.ended_well(), "not refused:\n{}", outcome.said);
    ensure!(outcome.said.contains("cppc: "), "nothing was said:\n{}", outcome.said);
    for word in words {
        ensure!(outcome.said.contains(word), "`{word}` is not said:\n{}", outcome.said);
    }
    if !before.is_empty() && !words.is_empty() {
        ensure!(outcome.said.contains(".cppc"), "no file is named:\n{}", outcome.said);
    }
    let after = state::lines_of(subject.state, 0)?;
    ensure!(before == after, "the state has changed: {before:?} {after:?}");
    Ok(())
}

fn names_all(outcome: &Outcome, files: &[std::path::PathBuf]) -> Result<()> {
    for file in files {
        let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
        ensure!(outcome.said.contains(&name), "`{name}` is not named:\n{}", outcome.said);
    }
    Ok(())
}

/// There is room for the output of the program, but not for a state file.
fn limited(run: Run) -> Run {
    Run { file_limit_bytes: Some(64 << 10), ..run }
}
