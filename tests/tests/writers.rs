//! State files of writers that are shared objects. Programs are killed and resumed with them. A run may
//! resume with another writer than the one that wrote its files.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use anyhow::{ensure, Context, Result};
use cppc_tests::build;
use cppc_tests::cases::{case, run};
use cppc_tests::form::Form;
use cppc_tests::matrix::{in_memory, spread};
use cppc_tests::product::{here, Product};
use cppc_tests::program::{Language, Mpi, Program};
use cppc_tests::run::{Kill, Outcome, Run};
use cppc_tests::scenario::{Expect, Subject};
use cppc_tests::state;
use libtest_mimic::Trial;

/// Programs whose state has every form: aliases, pointers, structures, text, globals, frames.
const PROGRAMS: [&str; 14] = [
    "heap_aliases.c",
    "heap_linked_pool.c",
    "heap_swap.c",
    "heap_null.c",
    "heap_large.c",
    "register_structures.c",
    "register_strings.c",
    "register_unions_and_bits.c",
    "register_statics.c",
    "call_recursion.c",
    "execute_capture_restores.c",
    "flow_exit.c",
    "open_stream.c",
    "mpi_uneven.c",
];

type Story = fn(&Subject, &Path) -> Result<()>;
const STORIES: [(&str, Story); 7] = [
    ("toy", toy),
    ("toy_is_missing_on_resume", toy_is_missing_on_resume),
    ("writers_change", writers_change),
    ("newest_damaged", newest_damaged),
    ("no_such_writer", no_such_writer),
    ("faulty_writer", faulty_writer),
    ("tool_reads_hdf5", tool_reads_hdf5),
];

fn main() -> ExitCode {
    run(Ok(cases()))
}

fn cases() -> Vec<Trial> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("writers");
    let with = |name: String, file: PathBuf, story: Story| {
        case(&scratch, name.clone(), move |directory| {
            let program = Program::read(&name, &file)?;
            let executable = build::translated(&program, Form::first(&program), directory)?;
            let memory = in_memory(directory)?;
            let state = memory.path().join("state");
            story(&Subject::new(&program, &executable, directory, &state)?, directory)
        })
    };
    let mut cases: Vec<Trial> = PROGRAMS
        .iter()
        .map(|file| with(format!("hdf5/{file}"), here("programs/c").join(file), hdf5))
        .collect();
    cases.extend(
        PROGRAMS.map(|file| with(format!("converted/{file}"), here("programs/c").join(file), converted)),
    );
    for source in ["c/register_shapes.c", "fortran/register_shapes.f90"] {
        cases.push(with(format!("shapes/{source}"), here("programs").join(source), shapes));
    }
    if Product::for_mpich().is_some() {
        cases.push(case(&scratch, "mpich".to_owned(), |directory| {
            let program =
                Program { mpi: Mpi::Mpich, ..Program::read("mpich", &here("programs/c/mpi_uneven.c"))? };
            let executable = build::translated(&program, Form::first(&program), directory)?;
            let memory = in_memory(directory)?;
            hdf5(&Subject::new(&program, &executable, directory, &memory.path().join("state"))?, directory)
        }));
    }
    cases.extend(
        STORIES.map(|(name, story)| with(name.to_owned(), here("programs/c/settings_every.c"), story)),
    );
    cases.push(with("disk_full".to_owned(), here("programs/c/heap_large.c"), disk_full));
    cases.push(case(&scratch, "program_with_hdf5".to_owned(), |directory| {
        let mut program = Program::read("program_with_hdf5", &here("writers/own_hdf5.c"))?;
        program.flags = hdf5_flags()?;
        let executable = build::translated(&program, Form::first(&program), directory)?;
        let memory = in_memory(directory)?;
        program_with_hdf5(&Subject::new(&program, &executable, directory, &memory.path().join("state"))?)
    }));
    cases
}

fn hdf5(subject: &Subject, _scratch: &Path) -> Result<()> {
    for (compress, parts) in [("none", 3), ("deflate:1", 1)] {
        let run = || {
            subject
                .run()
                .set("CPPC_WRITER", "hdf5")
                .set("CPPC_COMPRESS", compress)
                .set("CPPC_COMPRESS_MIN", "0")
        };
        for number in spread(1, subject.checkpoints() as u64, parts) {
            subject.kill(run(), Kill::AfterCheckpoint(number as usize))?;
            begins_with(&state::newest_of(subject.state, 0)?, b"\x89HDF\r\n\x1a\n")?;
            subject.resume(run(), Expect::Line(number))?;
        }
    }
    let background = || subject.run().set("CPPC_WRITER", "hdf5").set("CPPC_ASYNC", "true");
    let last = subject.checkpoints() as u64;
    subject.kill(background(), Kill::AfterCheckpoint(last as usize))?;
    subject.resume(background(), Expect::UpTo(last)).map(|_| ())
}

fn toy(subject: &Subject, scratch: &Path) -> Result<()> {
    let toy = compiled("toy.c", &scratch.join("toy.so"), &[])?;
    let run = || subject.run().set("CPPC_WRITER", &toy);
    for number in [1, 20, 59] {
        subject.kill(run(), Kill::AfterCheckpoint(number))?;
        begins_with(&state::newest_of(subject.state, 0)?, b"a toy's state file\n")?;
        subject.resume(run(), Expect::Line(number as u64))?;
    }
    subject.kill(run(), Kill::AfterCheckpoint(20))?;
    let newest = state::newest_of(subject.state, 0)?;
    state::flip_bit(&newest, 0.9)?;
    let outcome = subject.resume(run(), Expect::Line(19))?;
    says(&outcome, &["line-000020.cppc", "damaged", "ignored"])
}

/// No writer knows the first bytes. The run stops instead of starting from the beginning, until the writer
/// is available.
fn toy_is_missing_on_resume(subject: &Subject, scratch: &Path) -> Result<()> {
    let toy = compiled("toy.c", &scratch.join("libcppc_writer_toy.so"), &[])?;
    subject.kill(subject.run().set("CPPC_WRITER", &toy), Kill::AfterCheckpoint(20))?;
    let refused = subject.run().go()?;
    ensure!(!refused.ended_well(), "began afresh:\n{}", refused.said);
    says(&refused, &["has the signature of no known writer", "61 20 74 6f 79 27 73 20", "CPPC_WRITERS"])?;
    let directory = scratch.display().to_string();
    subject.resume(subject.run().set("CPPC_WRITERS", &directory), Expect::Line(20)).map(|_| ())
}

fn writers_change(subject: &Subject, scratch: &Path) -> Result<()> {
    let toy = compiled("toy.c", &scratch.join("libcppc_writer_toy.so"), &[])?;
    let directory = scratch.display().to_string();
    let run = |writer: &str| subject.run().set("CPPC_WRITER", writer).set("CPPC_WRITERS", &directory);
    subject.kill(run("hdf5"), Kill::AfterCheckpoint(10))?;
    // The checkpoint that ends the restart is the first that the resumed run passes.
    subject.kill_again(run("binary"), Kill::AfterCheckpoint(1 + 10))?;
    subject.kill_again(run(&toy), Kill::AfterCheckpoint(1 + 10))?;
    subject.kill_again(run("hdf5"), Kill::AfterCheckpoint(1 + 10))?;
    subject.resume(run("binary"), Expect::Line(40)).map(|_| ())
}

fn newest_damaged(subject: &Subject, _scratch: &Path) -> Result<()> {
    let run = || subject.run().set("CPPC_WRITER", "hdf5");
    for part in [0.0, 0.01, 0.999] {
        subject.kill(run(), Kill::AfterCheckpoint(20))?;
        let newest = state::newest_of(subject.state, 0)?;
        state::cut(&newest, part)?;
        let outcome = subject.resume(run(), Expect::Line(19))?;
        says(&outcome, &["line-000020.cppc"])?;
    }
    Ok(())
}

/// The arrays of `register_shapes.c`: the ends of their names, their extents, the number of the first element.
const IN_C: &str = "given 2,5 0; plane 2,5 0; rows 2,5 0; flat 2,5 0; tall 5,2 0; second 5 5; lists[0] 3,4 0; \
    lists[1] 2,3 0; local 4,3 0; cells 2,2 0; names 3 text; table 2,3,4 0; world.flat 3,7 0; world.fixed 2,5 0; world.wide 2,6 0";
/// The same of `register_shapes.f90`, in the order of C.
const IN_FORTRAN: &str =
    "a 4,3 0; b 6,2 0; c 4,3 0; e 3,3,2 0; cube 4,3,2 0; half 2,6 0; moves 4,3,2 0; shared 5,2 0; \
    words 3,2 text; given 5,3 0; cells 3,2 0; counts 2,5 0; field 5,4 0";

const LOOK: &str = r#"
import h5py, numpy, sys
path, expected, added = sys.argv[1], sys.argv[2], int(sys.argv[3])
found = {}
def look(name, thing):
    if isinstance(thing, h5py.Dataset) and name.startswith("section"):
        found[name.split("/")[-1].replace("%2F", "/").replace("%", "/").split("/")[-1].split(":")[-1]] = thing
with h5py.File(path, "r") as file:
    file.visititems(look)
    for section in file:
        # Links are not visited.
        for group in file[section].values() if section.startswith("section") else []:
            for name in group:
                look(section + "/" + name, group[name])
    for wanted in expected.split(";"):
        name, extents, first = wanted.split()
        extents = tuple(int(extent) for extent in extents.split(","))
        thing = found[name]
        assert thing.shape == extents, f"{name} is {thing.shape}, not {extents}"
        if first == "text":
            assert thing.dtype.kind == "S", f"{name} is {thing.dtype}"
            continue
        values = thing["id"] if thing.dtype.names else thing[()]
        numbers = int(first) + added + numpy.arange(values.size).reshape(extents)
        assert (values == numbers).all(), f"{name} has {values}"
"#;

/// State files show the arrays with their shapes in the program, also after a restart.
fn shapes(subject: &Subject, _scratch: &Path) -> Result<()> {
    let expected = if subject.program.language == Language::C { IN_C } else { IN_FORTRAN };
    let python = ["python3", "/usr/bin/python3"].into_iter().find(|python| {
        Command::new(python)
            .args(["-c", "import h5py"])
            .stderr(Stdio::null())
            .status()
            .is_ok_and(|status| status.success())
    });
    let python = python.context("no Python has h5py")?;
    let look = |steps: usize| -> Result<()> {
        let newest = state::newest_of(subject.state, 0)?;
        let added = (1000 * steps).to_string();
        let output =
            Command::new(python).args(["-c", LOOK]).arg(&newest).args([expected, &added]).output()?;
        ensure!(output.status.success(), "after {steps} steps: {}", String::from_utf8_lossy(&output.stderr));
        Ok(())
    };
    for compress in ["none", "deflate:1"] {
        let run = || {
            subject
                .run()
                .set("CPPC_WRITER", "hdf5")
                .set("CPPC_COMPRESS", compress)
                .set("CPPC_COMPRESS_MIN", "0")
        };
        subject.kill(run(), Kill::AfterCheckpoint(1))?;
        look(0)?;
        // The checkpoint that ends the restart is the first that the resumed run passes.
        subject.kill_again(run(), Kill::AfterCheckpoint(1 + 2))?;
        look(2)?;
        subject.resume(run(), Expect::Line(3))?;
    }
    Ok(())
}

/// A run without its writer could never write state.
fn no_such_writer(subject: &Subject, _scratch: &Path) -> Result<()> {
    let outcome = subject.run().set("CPPC_WRITER", "nobody").go()?;
    ensure!(!outcome.ended_well(), "the program ran: {}", outcome.said);
    says(&outcome, &["there is no writer `nobody`", "lib/cppc/writers"])
}

fn faulty_writer(subject: &Subject, scratch: &Path) -> Result<()> {
    let faulty = compiled("faulty.c", &scratch.join("faulty.so"), &["-DMUTE"])?;
    for background in ["true", "false"] {
        let run = subject.run().set("CPPC_WRITER", &faulty).set("CPPC_ASYNC", background);
        let outcome = run.go()?.must_end_well("with a faulty writer")?;
        says(&outcome, &["the writer `faulty` reports: No space left on device", "free space"])?;
        ensure!(outcome.printed == subject.unbroken.printed, "the program printed something else");
    }
    Ok(())
}

/// Runs resume from state that `cppc convert` has converted, also from incremental files.
fn converted(subject: &Subject, _scratch: &Path) -> Result<()> {
    let number = subject.checkpoints().div_ceil(2);
    for (from, to, compress, first) in
        [("binary", "hdf5", "deflate:1", &b"\x89HDF"[..]), ("hdf5", "binary", "lz4", b"BCPPC")]
    {
        let every = if from == "binary" { "4" } else { "1" };
        let run = || subject.run().set("CPPC_WRITER", from).set("CPPC_FULL_EVERY", every);
        subject.kill(run(), Kill::AfterCheckpoint(number))?;
        let words = ["--to", to, "--compress", compress, "--force", "--output"];
        for words in [&[&["convert"][..], &words].concat()[..], &["verify"]] {
            let mut cppc = Product::get()?.command("cppc");
            cppc.args(words).args((words.len() > 1).then_some(subject.state)).arg(subject.state);
            let output = cppc.output().context("cannot run `cppc`")?;
            let said = String::from_utf8_lossy(&output.stdout);
            ensure!(
                output.status.success(),
                "cppc {words:?}: {said}{}",
                String::from_utf8_lossy(&output.stderr)
            );
        }
        begins_with(&state::newest_of(subject.state, 0)?, first)?;
        subject.resume(run(), Expect::Line(number as u64))?;
    }
    Ok(())
}

fn tool_reads_hdf5(subject: &Subject, _scratch: &Path) -> Result<()> {
    subject.kill(subject.run().set("CPPC_WRITER", "hdf5"), Kill::AfterCheckpoint(20))?;
    let cppc = |verb: &str| -> Result<String> {
        let output = Product::get()?.command("cppc").arg(verb).arg(subject.state).output()?;
        ensure!(output.status.success(), "cppc {verb}: {}", String::from_utf8_lossy(&output.stderr));
        Ok(String::from_utf8(output.stdout)?)
    };
    ensure!(cppc("list")?.contains("complete"), "{}", cppc("list")?);
    ensure!(cppc("show")?.contains("written by the writer hdf5"), "{}", cppc("show")?);
    ensure!(cppc("verify")?.contains("none of them damaged"), "{}", cppc("verify")?);
    state::flip_bit(&state::newest_of(subject.state, 0)?, 0.001)?;
    let output = Product::get()?.command("cppc").arg("verify").arg(subject.state).output()?;
    ensure!(output.status.code() == Some(1), "damage was not found");
    Ok(())
}

fn disk_full(subject: &Subject, _scratch: &Path) -> Result<()> {
    let limited = Run { file_limit_bytes: Some(64 << 10), ..subject.run().set("CPPC_WRITER", "hdf5") };
    let outcome = limited.go()?.must_end_well("with a full disk")?;
    says(&outcome, &["was not written", "the writer `hdf5` reports"])?;
    ensure!(outcome.printed == subject.unbroken.printed, "the program printed something else");
    Ok(())
}

/// Two threads are in the library at the same time, and neither affects the other.
fn program_with_hdf5(subject: &Subject) -> Result<()> {
    let run = || subject.run().set("CPPC_WRITER", "hdf5").set("CPPC_ASYNC", "true");
    for number in [5, 15, 29] {
        subject.kill(run(), Kill::AfterCheckpoint(number))?;
        let outcome = subject.resume(run(), Expect::UpTo(number as u64))?;
        ensure!(
            outcome.printed.concat().ends_with(b"messages on\n"),
            "the library's messages were turned off"
        );
        ensure!(!outcome.said.contains("HDF5-DIAG"), "the library complained:\n{}", outcome.said);
    }
    Ok(())
}

fn says(outcome: &Outcome, wanted: &[&str]) -> Result<()> {
    for wanted in wanted {
        ensure!(outcome.said.contains(wanted), "`{wanted}` is not said:\n{}", outcome.said);
    }
    Ok(())
}

fn begins_with(path: &Path, wanted: &[u8]) -> Result<()> {
    let content = std::fs::read(path)?;
    ensure!(content.starts_with(wanted), "`{}` has another form", path.display());
    Ok(())
}

/// A writer of `tests/writers`, compiled with the installed header; its path.
fn compiled(source: &str, output: &Path, options: &[&str]) -> Result<String> {
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-I"]).arg(Product::get()?.include()).args(options);
    let status = compiler.arg(here("writers").join(source)).arg("-o").arg(output).status()?;
    ensure!(status.success(), "{compiler:?}: {status}");
    Ok(output.to_str().context("a path is text")?.to_owned())
}

fn hdf5_flags() -> Result<Vec<String>> {
    let output = Command::new("pkg-config").args(["--cflags", "--libs", "hdf5"]).output()?;
    ensure!(output.status.success(), "pkg-config knows no HDF5");
    Ok(String::from_utf8(output.stdout)?.split_whitespace().map(str::to_owned).collect())
}
