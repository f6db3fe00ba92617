//! Programs that are built in other ways: file by file, from an archive, with the calls of the runtime
//! written by hand. Each is killed and resumed like the others.

use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{ensure, Result};
use cppc_tests::build::{self, Assembly};
use cppc_tests::cases::{case, run};
use cppc_tests::form::{Compiler, Dispatch, Form};
use cppc_tests::matrix::{at_checkpoint, in_memory, spread};
use cppc_tests::product::{here, workspace, Product};
use cppc_tests::program::{in_folder, in_fortran, Language, Program};
use cppc_tests::run::{without_settings, Run};
use cppc_tests::scenario::{same, Subject};
use libtest_mimic::Trial;

/// Programs whose main file calls the other files, and is not called by them.
const IN_SHARED_LIBRARIES: [&str; 6] = [
    "files_deep_calls",
    "files_function_table",
    "files_globals",
    "files_static_names",
    "fortran_files_deep_calls",
    "fortran_mixed_c_main",
];

/// Programs whose files can be one source: no two of them define the same name, and headers have guards.
const AS_ONE_SOURCE: [&str; 2] = ["files_deep_calls", "files_globals"];

fn main() -> ExitCode {
    run(cases())
}

fn cases() -> Result<Vec<Trial>> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("builds");
    let mut cases = Vec::new();
    for program in in_folder(&here("programs/c"))?.into_iter().chain(in_fortran()?) {
        if program.sources.len() == 1 {
            continue;
        }
        if IN_SHARED_LIBRARIES.contains(&program.name.as_str()) {
            let program = program.clone();
            cases.push(case(&scratch, format!("shared/{}", program.name), move |directory| {
                shared(&program, directory)
            }));
        }
        if AS_ONE_SOURCE.contains(&program.name.as_str()) {
            let program = program.clone();
            cases.push(case(&scratch, format!("unity/{}", program.name), move |directory| {
                unity(&program, directory)
            }));
        }
        for (name, assembly) in [("objects", Assembly::Objects), ("archive", Assembly::Archive)] {
            let program = program.clone();
            cases.push(case(&scratch, format!("{name}/{}", program.name), move |directory| {
                let plain = build::plain(&program, second(&program), directory)?;
                let executable = build::assembled(&program, assembly, second(&program), directory)?;
                resumes(&program, &plain, &executable, directory)
            }));
        }
    }
    for optimisation in ["-O0", "-O3"] {
        cases.push(case(&scratch, format!("by_hand{optimisation}"), move |directory| {
            by_hand(optimisation, directory)
        }));
    }
    cases.push(case(&scratch, "static_library_leaves_arithmetic_alone".to_owned(), arithmetic));
    cases.push(case(&scratch, "shared_library_built_again".to_owned(), shared_library_built_again));
    cases.push(case(&scratch, "unsafe_checkpoint_of_objects".to_owned(), unsafe_checkpoint_of_objects));
    cases.push(case(&scratch, "objects_again_from_the_cache".to_owned(), objects_again_from_the_cache));
    cases.push(case(&scratch, "mpi_of_another_installation".to_owned(), mpi_of_another_installation));
    cases.push(case(
        &scratch,
        "fortran_objects_again_from_the_cache".to_owned(),
        fortran_objects_again_from_the_cache,
    ));
    cases.push(case(
        &scratch,
        "types_that_only_a_submodule_uses".to_owned(),
        types_that_only_a_submodule_uses,
    ));
    cases.push(case(
        &scratch,
        "checkpoint_in_a_library_loaded_later".to_owned(),
        checkpoint_in_a_library_loaded_later,
    ));
    cases.push(case(&scratch, "static_pie".to_owned(), static_pie));
    cases.push(case(&scratch, "static_program_with_allocations".to_owned(), static_program_with_allocations));
    cases.push(case(&scratch, "program_that_wraps_malloc".to_owned(), program_that_wraps_malloc));
    cases.push(case(&scratch, "program_with_a_rust_library".to_owned(), program_with_a_rust_library));
    Ok(cases)
}

/// A program and its shared library are translated separately, and fit together.
fn shared(program: &Program, directory: &Path) -> Result<()> {
    const KILLS: [u32; 3] = [1, 2, 3];
    let plain = build::plain(program, second(program), directory)?;
    let executable = build::with_shared_library(program, second(program), directory)?;
    let expected = Command::new(plain).current_dir(directory).output()?;
    ensure!(expected.status.success() && !expected.stdout.is_empty(), "the reference: {expected:?}");
    let expected = String::from_utf8_lossy(&expected.stdout).into_owned();
    for kill in KILLS {
        let start = |after: Option<u32>| {
            let mut run = Command::new(&executable);
            without_settings(&mut run);
            run.current_dir(directory).env("CPPC_DIR", format!("state-{kill}")).env("CPPC_EVERY", "1");
            run.envs(after.map(|number| ("CPPC_KILL_AFTER", number.to_string()))).output()
        };
        let killed = start(Some(kill))?;
        ensure!(killed.status.signal() == Some(9), "not killed after line {kill}: {killed:?}");
        let resumed = start(None)?;
        let said = String::from_utf8_lossy(&resumed.stderr).into_owned();
        ensure!(resumed.status.success(), "{resumed:?}");
        ensure!(said.contains(&format!("resuming from recovery line {kill} ")), "{said}");
        let printed = String::from_utf8_lossy(&resumed.stdout).into_owned();
        ensure!(
            !printed.is_empty() && expected.ends_with(&printed),
            "{printed}instead of the end of\n{expected}"
        );
    }
    Ok(())
}

/// One source includes all others, as CMake and Meson write it.
fn unity(program: &Program, directory: &Path) -> Result<()> {
    let plain = build::plain(program, second(program), directory)?;
    let (first, rest) = program.sources.split_at(1);
    let quoted = first.iter().map(|source| format!("#include \"{}\"\n", source.display()));
    let bracketed = rest.iter().map(|source| format!("#include<{}>\n", source.display()));
    let source = directory.join("unity_0_c.c");
    std::fs::write(&source, quoted.chain(bracketed).collect::<String>())?;
    let combined = Program { sources: vec![source.clone()], ..program.clone() };
    let executable = build::assembled(&combined, build::Assembly::Objects, second(program), directory)?;
    resumes(program, &plain, &executable, directory)?;
    let mut compile = Product::get()?.command("cppc-cc");
    without_settings(&mut compile);
    compile.args(["-MD", "-MF", "unity.d", "-g", "-c", "-I"]).arg(here("programs/include"));
    compile.arg(&source).current_dir(directory);
    ensure!(compile.status()?.success(), "not compiled with -MD");
    let rule = std::fs::read_to_string(directory.join("unity.d"))?;
    for part in &program.sources {
        ensure!(rule.contains(&*part.to_string_lossy()), "`{}` is missing in {rule}", part.display());
    }
    Ok(())
}

/// A program does not start with another version of its shared library. If it is linked again, it resumes, and reports
/// that the library is another one.
fn shared_library_built_again(directory: &Path) -> Result<()> {
    let folder = directory.join("sources");
    std::fs::create_dir_all(&folder)?;
    for file in std::fs::read_dir(here("programs/c/files_globals"))? {
        let file = file?;
        std::fs::copy(file.path(), folder.join(file.file_name()))?;
    }
    let program = Program::read("files_globals", &folder)?;
    let executable = build::with_shared_library(&program, second(&program), directory)?;
    let start = |kill: Option<&str>| {
        let mut run = Command::new(&executable);
        without_settings(&mut run);
        run.current_dir(directory).envs([("CPPC_DIR", "state"), ("CPPC_EVERY", "1")]);
        run.envs(kill.map(|kill| ("CPPC_KILL_AFTER", kill))).output()
    };
    ensure!(start(Some("2"))?.status.signal() == Some(9), "not killed");
    let old = directory.join("old");
    std::fs::copy(&executable, &old)?;
    let source = folder.join("grid.c");
    let text = std::fs::read_to_string(&source)?;
    ensure!(text.contains("    g->cells[0] +="), "the source has changed");
    std::fs::write(&source, text.replace("    g->cells[0] +=", "    g->cells[1] +="))?;
    build::with_shared_library(&program, second(&program), directory)?;
    let linked_again = directory.join("linked-again");
    std::fs::rename(&executable, &linked_again)?;
    std::fs::rename(&old, &executable)?;
    let refused = start(None)?;
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    ensure!(refused.status.code() == Some(1), "{refused:?}");
    ensure!(said.contains("libparts.so` was built again after the program was linked"), "{said}");
    std::fs::rename(&linked_again, &executable)?;
    let resumed = start(None)?;
    let said = String::from_utf8_lossy(&resumed.stderr).into_owned();
    ensure!(resumed.status.success() && said.contains("resuming from recovery line 2 "), "{resumed:?}");
    ensure!(said.contains("another build of the program"), "{said}");
    Ok(())
}

/// The link of separate objects reports a message in transit that another file sends.
fn unsafe_checkpoint_of_objects(directory: &Path) -> Result<()> {
    const MAIN: &str = "#include <mpi.h>
void send(double *x);
int main(int argc, char **argv)
{
    double x = 1;
    int me;
    MPI_Init(&argc, &argv);
#pragma cppc init
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
#pragma cppc register(x, me)
    if (me == 0) send(&x);
#pragma cppc checkpoint
    if (me == 1) MPI_Recv(&x, 1, MPI_DOUBLE, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#pragma cppc shutdown
    return MPI_Finalize();
}
";
    const SEND: &str = "#include <mpi.h>
void send(double *x) { MPI_Send(x, 1, MPI_DOUBLE, 1, 5, MPI_COMM_WORLD); }
";
    let wrapper = |arguments: &[&str]| -> Result<std::process::Output> {
        let mut command = Product::get()?.command("cppc-cc");
        without_settings(&mut command);
        Ok(command.env("CPPC_CC", "mpicc").args(arguments).current_dir(directory).output()?)
    };
    for (name, text) in [("main.c", MAIN), ("send.c", SEND)] {
        std::fs::write(directory.join(name), text)?;
        let compiled = wrapper(&["-c", name])?;
        ensure!(compiled.status.success(), "{compiled:?}");
    }
    let linked = wrapper(&["main.o", "send.o", "-o", "program"])?;
    let said = String::from_utf8_lossy(&linked.stderr);
    ensure!(!linked.status.success() && said.contains("C0801") && said.contains("send.c:2"), "{said}");
    Ok(())
}

/// A later link uses the objects that an earlier link compiled again, unless an included file has changed.
fn objects_again_from_the_cache(directory: &Path) -> Result<()> {
    const HEADER: &str =
        "typedef void (*hook)(void);\nvoid call(hook f);\nstatic int amount(void) { return 1; }\n";
    const CALL: &str = "#include \"hook.h\"\nint total;\nvoid call(hook f) { total += amount(); f(); }\n";
    const MAIN: &str = "#include <stdio.h>
#include \"hook.h\"
extern int total;
static int step;
static void save(void)
{
#pragma cppc checkpoint
}
int main(void)
{
#pragma cppc init
#pragma cppc register(step, total)
    for (step = 0; step < 5; step++)
        call(save);
    printf(\"%d\\n\", total);
#pragma cppc shutdown
    return 0;
}
";
    let wrapper = |arguments: &[&str]| -> Result<String> {
        let mut command = Product::get()?.command("cppc-cc");
        without_settings(&mut command);
        command.env("CPPC_PP_CACHE", directory.join("cache")).args(arguments);
        let output = command.current_dir(directory).output()?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        ensure!(output.status.success(), "{said}");
        Ok(said)
    };
    let write = |name: &str, text: &str| std::fs::write(directory.join(name), text);
    let link = || wrapper(&["main.o", "call.o", "-o", "program", "--cppc-verbose"]);
    for (name, text) in [("hook.h", HEADER), ("call.c", CALL), ("main.c", MAIN)] {
        write(name, text)?;
    }
    wrapper(&["-c", "main.c"])?;
    wrapper(&["-c", "call.c"])?;
    let again = "`call.o` is compiled again";
    let first = link()?;
    ensure!(first.contains(again), "{first}");
    let second = link()?;
    ensure!(
        !second.contains(again) && second.contains("`call.o` is replaced by an earlier compilation"),
        "{second}"
    );
    write("hook.h", &HEADER.replace("return 1", "return 2"))?;
    let third = link()?;
    ensure!(third.contains(again), "{third}");
    let run = |kill: Option<&str>| {
        let mut run = Command::new(directory.join("program"));
        without_settings(&mut run);
        run.current_dir(directory).envs(kill.map(|kill| ("CPPC_KILL_AFTER", kill))).env("CPPC_EVERY", "1");
        run.output()
    };
    ensure!(run(Some("3"))?.status.signal() == Some(9), "not killed");
    let resumed = run(None)?;
    ensure!(resumed.stdout == b"10\n", "{resumed:?}");
    Ok(())
}

/// The header of an MPI for which the library was not built.
fn mpi_of_another_installation(directory: &Path) -> Result<()> {
    const MAIN: &str = "#include <mpi.h>
int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
#pragma cppc init
#pragma cppc checkpoint
#pragma cppc shutdown
    return MPI_Finalize();
}
";
    let product = Product::get()?;
    let of_library = std::fs::read_to_string(product.prefix().join("lib/cppc/mpi"))?;
    let (other, header) = match of_library.starts_with("MPICH") {
        true => ("Open MPI 99", "#define OMPI_MAJOR_VERSION 99\n"),
        false => ("MPICH 99", "#define MPICH_VERSION \"99\"\n"),
    };
    std::fs::create_dir_all(directory.join("other"))?;
    std::fs::write(directory.join("other/mpi.h"), header)?;
    std::fs::write(directory.join("main.c"), MAIN)?;
    let link = |arguments: &[&str]| -> Result<(bool, String)> {
        let mut command = product.command("cppc-mpicc");
        without_settings(&mut command);
        let output = command.args(arguments).current_dir(directory).output()?;
        Ok((output.status.success(), String::from_utf8_lossy(&output.stderr).into_owned()))
    };
    let (compiled, said) = link(&["-c", "main.c"])?;
    ensure!(compiled, "{said}");
    let (linked, said) = link(&["-Iother", "main.o", "-o", "program"])?;
    let wanted = format!("is for {}, but `mpicc` is for {other}", of_library.trim());
    ensure!(!linked && said.contains(&wanted), "not named: {wanted}\n{said}");
    let (linked, said) = link(&["main.o", "-o", "program"])?;
    ensure!(linked, "{said}");
    Ok(())
}

/// As above, in Fortran. Module files and files of `include` belong to what an object depends on.
fn fortran_objects_again_from_the_cache(directory: &Path) -> Result<()> {
    const AMOUNT: &str = "module amount\n  integer, parameter :: first = 1\nend module\n";
    // A format with the beginning of a comment of C: a preprocessor would drop the statements after it.
    const CALL: &str = "module sums
  integer :: total = 0
end module
module call
contains
  subroutine once()
    use sums
    external save
1   format ('/*')
    include 'second.inc'
    block
      use amount
      total = total + first + second
    end block
    call save()
  end subroutine
end module
";
    const TWICE: &str = "subroutine twice()\n  use call\n  call once()\n  call once()\nend subroutine\n";
    const MAIN: &str = "program main
  use sums
  integer :: step
!$cppc init
!$cppc register(total)
  do step = 1, 5
    call twice()
  end do
  print '(i0)', total
!$cppc shutdown
end program
subroutine save()
!$cppc checkpoint
end subroutine
";
    let wrapper = |arguments: &[&str]| -> Result<String> {
        let mut command = Product::get()?.command("cppc-fc");
        without_settings(&mut command);
        command.env("CPPC_PP_CACHE", directory.join("cache")).args(arguments);
        let output = command.current_dir(directory).output()?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        ensure!(output.status.success(), "{said}");
        Ok(said)
    };
    let write = |name: &str, text: &str| std::fs::write(directory.join(name), text);
    let compile = |name: &str| wrapper(&["-g", "-Jmodules", "-c", name]);
    // The objects that were compiled, and those that came from the cache.
    let link = || -> Result<[Vec<String>; 2]> {
        let said = wrapper(&["main.o", "twice.o", "call.o", "-o", "program", "--cppc-verbose"])?;
        let objects = |what: &str| -> Vec<String> {
            let named = said.lines().filter(|line| line.contains(what));
            named.filter_map(|line| Some(line.split('`').nth(1)?.to_owned())).collect()
        };
        Ok(["is compiled again", "is replaced by an earlier"].map(objects))
    };
    let expect = |step: &str, compiled: &[&str], cached: &[&str]| -> Result<()> {
        let found = link()?;
        ensure!(found[0] == compiled && found[1] == cached, "{step}: {found:?}");
        Ok(())
    };
    std::fs::create_dir_all(directory.join("modules"))?;
    write("second.inc", "    integer, parameter :: second = 2\n")?;
    for (name, text) in [("amount.f90", AMOUNT), ("call.f90", CALL), ("twice.f90", TWICE), ("main.f90", MAIN)]
    {
        write(name, text)?;
        compile(name)?;
    }
    expect("the first link", &["call.o", "main.o", "twice.o"], &[])?;
    expect("the second link", &[], &["call.o", "main.o", "twice.o"])?;
    write("twice.f90", &TWICE.replace("  call once()\nend", "  call once()\n  call once()\nend"))?;
    compile("twice.f90")?;
    // The main program contains the fingerprint of all procedures on the way to a checkpoint.
    expect("another source", &["main.o", "twice.o"], &["call.o"])?;
    write("second.inc", "    integer, parameter :: second = 3\n")?;
    expect("another included file", &["call.o"], &["main.o", "twice.o"])?;
    write("amount.f90", &AMOUNT.replace("first = 1", "first = 10"))?;
    compile("amount.f90")?;
    expect("another module", &["call.o"], &["main.o", "twice.o"])?;
    let run = |kill: Option<&str>| {
        let mut run = Command::new(directory.join("program"));
        without_settings(&mut run);
        run.current_dir(directory).envs(kill.map(|kill| ("CPPC_KILL_AFTER", kill))).env("CPPC_EVERY", "1");
        run.output()
    };
    ensure!(run(Some("7"))?.status.signal() == Some(9), "not killed");
    let resumed = run(None)?;
    ensure!(resumed.stdout == b"195\n", "{resumed:?}");
    Ok(())
}

/// The translation of the program does not know the library, so a restart could not enter it.
fn checkpoint_in_a_library_loaded_later(directory: &Path) -> Result<()> {
    const LIBRARY: &str = "void advance(int *s)\n{\n    *s += 1;\n#pragma cppc checkpoint\n}\n";
    const MAIN: &str = "#include <dlfcn.h>
#include <stdio.h>
int main(void)
{
    int s = 0;
#pragma cppc init
#pragma cppc register(s)
    void *library = dlopen(\"./libpart.so\", RTLD_NOW);
    if (!library) return puts(dlerror());
    void (*advance)(int *) = (void (*)(int *))dlsym(library, \"advance\");
    while (s < 5) advance(&s);
#pragma cppc checkpoint
#pragma cppc shutdown
    return 0;
}
";
    std::fs::write(directory.join("part.c"), LIBRARY)?;
    std::fs::write(directory.join("main.c"), MAIN)?;
    for arguments in
        [["-shared", "-fPIC", "part.c", "-o", "libpart.so"], ["-rdynamic", "main.c", "-ldl", "-o", "program"]]
    {
        let mut compile = Product::get()?.command("cppc-cc");
        without_settings(&mut compile);
        let compiled = compile.args(arguments).current_dir(directory).output()?;
        ensure!(compiled.status.success(), "{compiled:?}");
    }
    let mut run = Command::new(directory.join("program"));
    without_settings(&mut run);
    let ended = run.current_dir(directory).env("CPPC_EVERY", "1").output()?;
    let said = String::from_utf8_lossy(&ended.stderr);
    ensure!(ended.status.success(), "{ended:?}");
    ensure!(said.contains("nothing is written at checkpoint part.c:4 in `advance`"), "{said}");
    Ok(())
}

/// The C library ends a static PIE before `main` if it has a search path for libraries.
fn static_pie(directory: &Path) -> Result<()> {
    let program = Program::read("static_pie", &here("programs/c/settings_every.c"))?;
    let plain = build::plain(&program, second(&program), directory)?;
    let linked = Program { flags: vec!["-fPIE".into(), "-static-pie".into()], ..program.clone() };
    let executable = build::translated(&linked, second(&program), directory)?;
    resumes(&program, &plain, &executable, directory)
}

/// In a static program, only the runtime refers to the original `malloc`.
fn static_program_with_allocations(directory: &Path) -> Result<()> {
    let program = Program::read("static_allocations", &here("programs/c/heap_allocations.c"))?;
    let plain = build::plain(&program, second(&program), directory)?;
    let linked = Program { flags: vec!["-static".into()], ..program.clone() };
    let executable = build::translated(&linked, second(&program), directory)?;
    resumes(&program, &plain, &executable, directory)
}

fn program_that_wraps_malloc(directory: &Path) -> Result<()> {
    let program = Program::read("own_wrapper", &here("programs/alone/own_wrapper.c"))?;
    let program = Program { flags: vec!["-Wl,--wrap=malloc".into()], ..program };
    let plain = build::plain(&program, second(&program), directory)?;
    let executable = build::translated(&program, second(&program), directory)?;
    resumes(&program, &plain, &executable, directory)
}

/// The library has the same names of Rust's libraries as the runtime.
fn program_with_a_rust_library(directory: &Path) -> Result<()> {
    let program = Program::read("rust_library", &here("programs/alone/rust_library.c"))?;
    let library = directory.join("librust.a");
    let mut compile = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    compile.args(["-O", "--crate-type", "staticlib"]).arg(here("support/rust_library.rs"));
    build::succeed(compile.arg("-o").arg(&library))?;
    // The library comes before the object that calls it.
    let flags = vec!["-Wl,--undefined=rust_sum".to_owned(), library.display().to_string()];
    let linked = Program { flags, ..program };
    let plain = build::plain(&linked, second(&linked), directory)?;
    let executable = build::translated(&linked, second(&linked), directory)?;
    resumes(&linked, &plain, &executable, directory)
}

/// At the link, the main program learns of the types of all modules whose files exist.
fn types_that_only_a_submodule_uses(directory: &Path) -> Result<()> {
    let program = Program::read("types_elsewhere", &here("programs/alone/types_elsewhere"))?;
    let plain = build::plain(&program, second(&program), directory)?;
    let executable = build::assembled(&program, Assembly::Objects, second(&program), directory)?;
    resumes(&program, &plain, &executable, directory)
}

/// Builds that the matrix does not try.
fn second(program: &Program) -> Form {
    let compiler = match program.language {
        Language::C => Compiler::C,
        Language::Fortran => Compiler::Gfortran,
    };
    Form { compiler, dispatch: Dispatch::Switch, optimisation: "-O2" }
}

/// The example in the form of the papers; it prints nothing that depends on the runtime.
fn by_hand(optimisation: &'static str, directory: &Path) -> Result<()> {
    let program = Program::read("by_hand", &workspace().join("examples/c/by-hand"))?;
    let form = Form { compiler: Compiler::C, dispatch: Dispatch::Switch, optimisation };
    let executable = build::as_it_stands(&program, &program.sources, form, directory)?;
    resumes(&program, &executable, &executable, directory)
}

fn resumes(program: &Program, reference: &Path, executable: &Path, directory: &Path) -> Result<()> {
    const KILLS: usize = 12;
    let memory = in_memory(directory)?;
    let state = memory.path().join("state");
    let reference = Run { state: state.clone(), ..Run::new(program, reference, directory) };
    let reference = reference.go()?.must_end_well("the reference")?;
    let subject = Subject::new(program, executable, directory, &state)?;
    // A program that contains the killer prints to its own file.
    let printed = if reference.stream.is_empty() { reference.printed.concat() } else { reference.stream };
    same(&subject.unbroken.printed.concat(), &printed)?;
    ensure!(!subject.unbroken.said.contains("cppc: "), "says\n{}", subject.unbroken.said);
    ensure!(subject.checkpoints() > 0, "no checkpoint was reached");
    for number in spread(1, subject.checkpoints() as u64, KILLS) {
        at_checkpoint(&subject, number)?;
    }
    Ok(())
}

/// The Rust code in the static library has its own routines for `_Float128`, `fma` and others, which round
/// differently.
fn arithmetic(directory: &Path) -> Result<()> {
    let source = here("programs/alone/arithmetic.c");
    let library = Product::get()?.library().join("libcppc.a");
    let mut printed = Vec::new();
    for (name, libraries) in [("without", vec![]), ("with", vec![library.into_os_string()])] {
        let executable = directory.join(name);
        let mut compile = Command::new("cc");
        compile.arg("-O0").arg(&source).arg("-o").arg(&executable).args(libraries).args([
            "-lpthread",
            "-ldl",
            "-lm",
        ]);
        let compiled = compile.output()?;
        ensure!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        printed.push(Command::new(&executable).output()?.stdout);
    }
    same(&printed[1], &printed[0])
}
