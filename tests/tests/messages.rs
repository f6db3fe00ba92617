//! The check of messages: each kind of open communication is reported with its place, and correct programs are silent.
//! With both MPIs, in C and in the three interfaces of Fortran.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{ensure, Context, Result};
use cppc_tests::build;
use cppc_tests::cases::{case, run};
use cppc_tests::form::Form;
use cppc_tests::matrix::in_memory;
use cppc_tests::product::{here, Product};
use cppc_tests::program::{programs, Mpi, Program};
use cppc_tests::run::{Kill, Run};
use cppc_tests::scenario::{same, Expect, Subject};
use libtest_mimic::Trial;

/// The option that adds the check to a program.
const OPTION: &str = "--cppc-check=messages";

/// Kinds of communication in `in_transit.c`, and what is reported.
const IN_C: [(&str, &str); 19] = [
    ("send", "process 0: checkpoint PLACE: a message to process 1 with tag 5 on MPI_COMM_WORLD has not been received: sent by `MPI_Send`"),
    ("three_sends", "a message to process 1 with tag 2053 on MPI_COMM_WORLD has not been received: sent by `MPI_Send`"),
    ("bsend", "a message to process 1 with tag 5 on MPI_COMM_WORLD has not been received: sent by `MPI_Bsend`"),
    ("split", "a message to process 0 with tag 5 on a communicator of 2 processes has not been received: sent by `MPI_Send`"),
    ("isend", "a message to process 1 with tag 6 on a communicator of 2 processes has not been received: sent by `MPI_Isend`"),
    ("irecv", "an operation is not complete: `MPI_Irecv`"),
    ("sent_but_not_waited", "an operation is not complete: `MPI_Isend`"),
    ("freed_send", "a message to process 1 with tag 6 on MPI_COMM_WORLD has not been received: sent by `MPI_Isend`"),
    ("persistent", "an operation is not complete: `MPI_Startall`"),
    ("reduction", "an operation is not complete: `MPI_Iallreduce`"),
    ("neighbours", "an operation is not complete: `MPI_Ibarrier`"),
    ("duplicate", "an operation is not complete: `MPI_Comm_idup`"),
    ("matched", "a message was matched but not received: `MPI_Mprobe`"),
    ("put", "a one-sided operation may not be complete at its target: `MPI_Put`"),
    ("lock", "a window is locked: `MPI_Win_lock`"),
    ("start", "an exposure epoch is open: `MPI_Win_post`"),
    ("write_begin", "an operation on a file is not complete: `MPI_File_write_at_all_begin`"),
    ("iwrite", "an operation is not complete: `MPI_File_iwrite_at`"),
    ("between_groups", "a message to process 1 with tag 5 on a communicator of 1 processes has not been received: sent by `MPI_Send`"),
];

/// The same for MPI 4.
const IN_C_OF_MPI_4: [(&str, &str); 3] = [
    (
        "large",
        "a message to process 1 with tag 5 on MPI_COMM_WORLD has not been received: sent by `MPI_Send_c`",
    ),
    ("both_ways", "an operation is not complete: `MPI_Isendrecv`"),
    ("partitions", "an operation is not complete: `MPI_Start`"),
];

const COMPLETE_IN_C: [&str; 9] = [
    "complete_persistent",
    "complete_exchange",
    "complete_border",
    "complete_freed",
    "complete_cancelled",
    "complete_some",
    "complete_communicators",
    "complete_lock_all",
    "complete_partitions",
];

const IN_FORTRAN: [(&str, &str); 5] = [
    (
        "mpif_send",
        "a message to process 1 with tag 5 on MPI_COMM_WORLD has not been received: sent by `MPI_Send`",
    ),
    ("mpif_irecv", "an operation is not complete: `MPI_Irecv`"),
    (
        "f08_send",
        "a message to process 1 with tag 5 on MPI_COMM_WORLD has not been received: sent by `MPI_Send`",
    ),
    (
        "module_send",
        "a message to process 1 with tag 5 on MPI_COMM_WORLD has not been received: sent by `MPI_Send`",
    ),
    ("reduction", "an operation is not complete: `MPI_Iallreduce`"),
];

/// The correct programs that are tried by default.
const SILENT: [&str; 4] =
    ["fortran_mpi_ring", "mpi_communicators_in_loop", "mpi_persistent_requests", "mpi_ring"];

fn main() -> ExitCode {
    run(cases())
}

fn cases() -> Result<Vec<Trial>> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("messages");
    let mut cases = Vec::new();
    for (mpi, name) in mpis() {
        for file in ["in_transit.c", "in_transit.f90"] {
            cases
                .push(case(&scratch, format!("{name}/{file}"), move |directory| kinds(file, mpi, directory)));
        }
        cases.push(case(&scratch, format!("{name}/not_linked"), move |directory| not_linked(mpi, directory)));
        cases.push(case(&scratch, format!("{name}/resumes"), move |directory| resumes(mpi, directory)));
        let mut programs = correct_programs()?;
        if mpi == Mpi::Mpich && !all() {
            programs.retain(|program| ["fortran_mpi_ring", "messages_of_threads"].contains(&&*program.name));
        }
        for mut program in programs {
            program.mpi = mpi;
            let name = format!("{name}/silent/{}", program.name);
            cases.push(case(&scratch, name, move |directory| silent(&program, directory)));
        }
    }
    Ok(cases)
}

fn mpis() -> Vec<(Mpi, &'static str)> {
    let mut mpis = vec![(Mpi::Default, "default")];
    mpis.extend(Product::for_mpich().map(|_| (Mpi::Mpich, "mpich")));
    mpis
}

/// Whether all correct programs are tried, and not only some.
fn all() -> bool {
    std::env::var("CPPC_MESSAGES").as_deref() == Ok("all")
}

/// The programs of the tests that use MPI: some of them, or all if `CPPC_MESSAGES=all`.
fn correct_programs() -> Result<Vec<Program>> {
    let mut parallel: Vec<Program> = programs()?
        .into_iter()
        .filter(|program| program.processes.is_some() && program.warns.is_none())
        .collect();
    if !all() {
        parallel.retain(|program| SILENT.contains(&&*program.name));
        ensure!(parallel.len() == SILENT.len(), "{} programs are found", parallel.len());
    }
    parallel.push(Program::read("messages_of_threads", &here("programs/alone/messages_of_threads.c"))?);
    Ok(parallel)
}

fn program(file: &str, mpi: Mpi) -> Result<Program> {
    let mut program = Program::read("in_transit", &here("programs/alone").join(file))?;
    program.mpi = mpi;
    Ok(program)
}

/// Builds a program with the check.
fn checked(program: &mut Program, directory: &Path) -> Result<PathBuf> {
    program.flags.extend(["-g".to_owned(), OPTION.to_owned()]);
    build::translated(program, Form::first(program), directory)
}

/// Each kind of communication in a program is reported at its place, and only at the first checkpoint.
fn kinds(file: &str, mpi: Mpi, directory: &Path) -> Result<()> {
    let mut program = program(file, mpi)?;
    let source = std::fs::read_to_string(&program.sources[0])?;
    let executable = checked(&mut program, directory)?;
    let checkpoints = lines_with(&source, "cppc checkpoint");
    let of_mpi_4 = IN_C_OF_MPI_4.iter().copied().filter(|_| mpi == Mpi::Mpich);
    let (kinds, complete): (Vec<_>, &[&str]) = match file.ends_with(".c") {
        true => (IN_C.into_iter().chain(of_mpi_4).collect(), &COMPLETE_IN_C),
        false => (IN_FORTRAN.to_vec(), &["complete_exchange"]),
    };
    program.arguments = kinds.iter().map(|(kind, _)| (*kind).to_owned()).collect();
    let outcome = Run::new(&program, &executable, directory).go()?.must_end_well("open communication")?;
    for (kind, report) in kinds {
        let at =
            |line: &str| said_at(&outcome.said, line).with_context(|| format!("{kind}:\n{}", outcome.said));
        let lines = at(report.split_once("PLACE: ").map_or(report, |(_, rest)| rest))?;
        let first = format!("{file}:{}", checkpoints[0]);
        ensure!(lines.iter().all(|line| line.contains(&first)), "{kind}: not at {first}\n{}", outcome.said);
        let places = lines_with(&source, kind);
        let is_there = |line: &&str| places.iter().any(|place| line.ends_with(&format!("{file}:{place}")));
        ensure!(lines.iter().any(is_there), "{kind}: not at one of {places:?}\n{}", outcome.said);
    }
    ensure!(outcome.said.contains("nothing is written at checkpoint"), "{}", outcome.said);
    ensure!(!outcome.said.contains(&format!("{file}:{} in", checkpoints[1])), "{}", outcome.said);
    // The check is in the program, and off.
    let outcome = Run::new(&program, &executable, directory).set("CPPC_CHECK", "none").go()?;
    let outcome = outcome.must_end_well("without the check")?;
    ensure!(!outcome.said.contains("checkpoint"), "{}", outcome.said);
    program.arguments = complete.iter().map(|kind| (*kind).to_owned()).collect();
    let outcome = Run::new(&program, &executable, directory).go()?.must_end_well("complete communication")?;
    ensure!(!outcome.said.contains("checkpoint"), "{}", outcome.said);
    Ok(())
}

/// The lines of the messages that contain a text.
fn said_at<'a>(said: &'a str, text: &str) -> Option<Vec<&'a str>> {
    let lines: Vec<&str> = said.lines().filter(|line| line.contains(text)).collect();
    (!lines.is_empty()).then_some(lines)
}

/// The numbers of the lines that contain a text.
fn lines_with(source: &str, text: &str) -> Vec<usize> {
    source.lines().enumerate().filter(|(_, line)| line.contains(text)).map(|(index, _)| index + 1).collect()
}

/// Without the library, the setting is an error. With the library loaded by the system, it is not.
fn not_linked(mpi: Mpi, directory: &Path) -> Result<()> {
    let mut program = program("in_transit.c", mpi)?;
    program.flags.push("-g".to_owned());
    program.arguments = vec!["send".to_owned()];
    let executable = build::translated(&program, Form::first(&program), directory)?;
    let outcome = Run::new(&program, &executable, directory).set("CPPC_CHECK", "messages").go()?;
    ensure!(
        !outcome.ended_well() && outcome.said.contains("link it with `--cppc-check=messages`"),
        "{}",
        outcome.said
    );
    let library = program.product()?.library().join("libcppc_messages.so");
    let preloaded = Run {
        under: vec!["env".to_owned(), format!("LD_PRELOAD={}", library.display())],
        ..Run::new(&program, &executable, directory)
    };
    let outcome = preloaded.set("CPPC_CHECK", "messages").go()?.must_end_well("preloaded")?;
    ensure!(outcome.said.contains("sent by `MPI_Send`"), "{}", outcome.said);
    // Without the check, the mistake is not found.
    let outcome = Run::new(&program, &executable, directory).go()?.must_end_well("without the check")?;
    ensure!(!outcome.said.contains("checkpoint"), "{}", outcome.said);
    Ok(())
}

/// A run that is killed after an unsafe checkpoint is resumed from the safe one before it.
fn resumes(mpi: Mpi, directory: &Path) -> Result<()> {
    let mut program = program("unsafe_checkpoint.c", mpi)?;
    let executable = checked(&mut program, directory)?;
    let memory = in_memory(directory)?;
    let state = memory.path().join("state");
    let subject = Subject::new(&program, &executable, directory, &state)?;
    for (checkpoint, line) in [(2, 2), (3, 2), (4, 4)] {
        let killed = subject.kill(subject.run(), Kill::AfterCheckpoint(checkpoint))?;
        ensure!(killed.said.contains("nothing is written"), "{}", killed.said);
        subject.resume(subject.run(), Expect::Line(line))?;
    }
    Ok(())
}

/// A correct program has no reports, and prints what it prints without CPPC.
fn silent(program: &Program, directory: &Path) -> Result<()> {
    let mut program = program.clone();
    let plain = build::plain(&program, Form::first(&program), directory)?;
    let executable = checked(&mut program, directory)?;
    let memory = in_memory(directory)?;
    let run = Run { state: memory.path().join("state"), ..Run::new(&program, &executable, directory) };
    run.clear_files()?;
    let outcome = run.set("CPPC_CHECK", "messages").go()?.must_end_well("with the check")?;
    ensure!(!outcome.said.contains("checkpoint"), "{}", outcome.said);
    let reference = Run::new(&program, &plain, directory);
    reference.clear_files()?;
    let reference = reference.go()?.must_end_well("the plain program")?;
    same(&sorted(&outcome.printed.concat()), &sorted(&reference.stream))
}

/// The lines of several processes in an order that does not depend on their speed.
fn sorted(printed: &[u8]) -> Vec<u8> {
    let mut lines: Vec<&[u8]> = printed.split_inclusive(|byte| *byte == b'\n').collect();
    lines.sort_unstable();
    lines.concat()
}
