//! Programs in a debugger, with coverage, with a profile, and with many warnings: the translated program has the lines of the
//! original.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::{Command, ExitCode};

use anyhow::{bail, ensure, Context, Result};
use cppc_tests::build::{includes, succeed};
use cppc_tests::cases::{case, run};
use cppc_tests::product::{here, Product};
use cppc_tests::program::{in_folder, Program};
use cppc_tests::run::without_settings;
use libtest_mimic::Trial;

const C_COMPILERS: [&str; 2] = ["gcc", "clang"];

/// More than `-Wall -Wextra`, as strict projects use.
const STRICT: [&str; 13] = [
    "-Wall",
    "-Wextra",
    "-Wshadow",
    "-Wconversion",
    "-Wsign-conversion",
    "-Wdeclaration-after-statement",
    "-Wswitch-default",
    "-Wstrict-prototypes",
    "-Wmissing-prototypes",
    "-Wundef",
    "-Wvla",
    "-Wjump-misses-init",
    "-Wno-unknown-pragmas",
];

/// Programs with more warnings: a bit-field of an unsigned type is promoted to `int` where it is an argument, and the copy of
/// the argument has the unsigned type.
const WITH_MORE: [(&str, &str); 1] = [("call_value_types", "-Wsign-conversion]")];

fn main() -> ExitCode {
    run(cases())
}

fn cases() -> Result<Vec<Trial>> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("debugging");
    let mut cases = Vec::new();
    for compiler in C_COMPILERS {
        cases.push(case(&scratch, format!("breakpoints/{compiler}"), move |place| {
            breakpoints(compiler, place)
        }));
        let programs = in_folder(&here("programs/c"))?.into_iter();
        for program in programs.filter(|program| program.processes.is_none()) {
            let name = format!("warnings/{compiler}/{}", program.name);
            cases.push(case(&scratch, name, move |place| warnings(compiler, &program, place)));
        }
    }
    for name in ["debugged.f90", "debugged.F90"] {
        cases.push(case(&scratch, format!("breakpoints/gfortran/{name}"), move |place| {
            breakpoints_in_fortran(name, place)
        }));
    }
    cases.push(case(&scratch, "coverage".to_owned(), coverage));
    cases.push(case(&scratch, "profile".to_owned(), profile));
    Ok(cases)
}

/// A wrapper with options.
fn wrapper(name: &str, compiler: &str, options: &[&str], place: &Path) -> Result<Command> {
    let mut command = Product::get()?.command(name);
    without_settings(&mut command);
    command.arg(format!("--cppc-cc={compiler}")).args(options).current_dir(place);
    Ok(command)
}

/// The number of the line that contains a text, from 1.
fn line_of(source: &Path, text: &str) -> Result<usize> {
    let source = fs::read_to_string(source)?;
    let position = source.lines().position(|line| line.contains(text));
    Ok(1 + position.with_context(|| format!("no line with `{text}`"))?)
}

fn gdb(program: &Path, words: &[String], place: &Path) -> Result<String> {
    let mut gdb = Command::new("gdb");
    without_settings(&mut gdb);
    gdb.args(["-nx", "-batch"]).current_dir(place).env("CPPC_EVERY", "1");
    for word in words {
        gdb.args(["-ex", word]);
    }
    let output = gdb.arg(program).output().context("cannot run gdb")?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr))
}

/// Each breakpoint has one place, at its line. The stack has the lines of the original, also in a restart.
fn breakpoints(compiler: &str, place: &Path) -> Result<()> {
    let source = here("programs/alone/debugged.c");
    let name = "debugged.c";
    fs::copy(&source, place.join(name))?;
    succeed(&mut wrapper("cppc-cc", compiler, &["-g", "-O0", "-o", "debugged", name], place)?)?;
    let program = place.join("debugged");
    let line = |text: &str| line_of(&source, text);
    let (stops, call, after) = (line("stops here")?, line("n = advance(")?, line("after the call")?);
    let statements = [line("for (i = 0")?, line("a[i] * 0.5")?, stops, line("return n + step")?, call, after];
    let mut words: Vec<String> = statements.iter().map(|at| format!("break {name}:{at}")).collect();
    words.push(format!("break {name}:{}", line("int main")?));
    let said = gdb(&program, &words, place)?;
    for at in statements {
        ensure!(said.contains(&format!("file {name}, line {at}.")), "line {at}:\n{said}");
    }
    ensure!(!said.contains("locations"), "{said}");
    let stop = format!("break {name}:{stops}");
    let words = [&stop, "ignore 1 2", "run", "bt", "delete", "finish", "next", "next"].map(str::to_owned);
    let said = gdb(&program, &words, place)?;
    let (inside, outside) = ("advance (a=", format!("at {name}:{stops}"));
    ensure!(said.contains(inside) && said.contains(&outside) && said.contains("step=2"), "{said}");
    ensure!(said.contains(&format!("main () at {name}:{call}")), "{said}");
    ensure!(
        said.lines().any(|line| line.starts_with(&format!("{after}\t"))),
        "no step to line {after}:\n{said}"
    );
    // The program was killed by the end of gdb. The next start resumes it.
    let words = [&stop, "run", "bt"].map(str::to_owned);
    let said = gdb(&program, &words, place)?;
    ensure!(said.contains("resuming from recovery line"), "{said}");
    ensure!(said.contains(&outside) && said.contains(&format!("main () at {name}:{call}")), "{said}");
    Ok(())
}

/// As a source that the compiler preprocesses, it is built with options that reject all extensions.
fn breakpoints_in_fortran(name: &str, place: &Path) -> Result<()> {
    const STRICT: [&str; 3] = ["-std=f2018", "-pedantic-errors", "-Werror"];
    let source = here("programs/alone/debugged.f90");
    fs::copy(&source, place.join(name))?;
    let mut command = wrapper("cppc-fc", "gfortran", &["-g", "-O0", "-o", "debugged", name], place)?;
    if name.ends_with("F90") {
        command.args(STRICT);
    }
    succeed(&mut command)?;
    let (stops, call) = (line_of(&source, "stops here")?, line_of(&source, "call advance")?);
    let words = [&format!("break {name}:{stops}"), "run", "bt"].map(str::to_owned);
    let said = gdb(&place.join("debugged"), &words, place)?;
    ensure!(said.contains(&format!("at {name}:{stops}")), "{said}");
    ensure!(said.contains(&format!("at {name}:{call}")), "{said}");
    Ok(())
}

/// The warnings of a compiler: line and option.
fn lines_of_warnings(said: &str) -> BTreeSet<(String, String)> {
    let of_line = |line: &str| {
        let (place, message) = line.split_once(": warning: ")?;
        let mut place = place.rsplitn(3, ':');
        let (_, number, file) = (place.next()?, place.next()?, place.next()?);
        let file = Path::new(file).file_name()?.to_str()?;
        let option = message.rsplit_once('[')?.1;
        Some((format!("{file}:{number}"), option.to_owned()))
    };
    said.lines().filter_map(of_line).collect()
}

/// A translated program has no warnings which the original does not have.
fn warnings(compiler: &str, program: &Program, place: &Path) -> Result<()> {
    let options = STRICT.iter().filter(|option| compiler == "gcc" || **option != "-Wjump-misses-init");
    let options: Vec<&str> = options.copied().chain(["-g", "-O1", "-c", "-o", "object.o"]).collect();
    for source in program.sources.iter().filter(|source| source.extension().is_some_and(|end| end == "c")) {
        let mut plain = Command::new(compiler);
        plain.args(&options).args(&program.flags).current_dir(place);
        let mut translated = wrapper("cppc-cc", compiler, &options, place)?;
        translated.args(&program.flags).env("CPPC_CHECK", "none");
        for command in [&mut plain, &mut translated] {
            command.args(includes(program)).arg(source);
        }
        let expected = lines_of_warnings(&succeed(&mut plain)?);
        let said = succeed(&mut translated)?;
        let is_known = |option: &str| WITH_MORE.contains(&(program.name.as_str(), option));
        let mut more = lines_of_warnings(&said);
        more.retain(|warning| !expected.contains(warning) && !is_known(&warning.1));
        if !more.is_empty() {
            bail!("{more:?} in\n{said}");
        }
    }
    Ok(())
}

/// Each line has the count of the original.
fn coverage(place: &Path) -> Result<()> {
    let source = here("programs/alone/debugged.c");
    fs::copy(&source, place.join("debugged.c"))?;
    let options = ["--coverage", "-O0", "-o", "debugged", "debugged.c"];
    succeed(&mut wrapper("cppc-cc", "gcc", &options, place)?)?;
    let mut program = Command::new(place.join("debugged"));
    without_settings(&mut program);
    succeed(program.current_dir(place))?;
    succeed(Command::new("gcov").args(["-o", ".", "debugged-debugged.gcda"]).current_dir(place))?;
    let report = fs::read_to_string(place.join("debugged.c.gcov"))?;
    let count_of = |text: &str| -> Result<String> {
        let number = line_of(&source, text)?.to_string();
        let line = report.lines().find(|line| line.split(':').nth(1).is_some_and(|at| at.trim() == number));
        let count = line.and_then(|line| line.split(':').next()).context("no line")?;
        Ok(count.trim().trim_end_matches('*').to_owned())
    };
    for (text, count) in [("a[i] * 0.5", "20"), ("after the call", "5"), ("free(a)", "1")] {
        ensure!(count_of(text)? == count, "{text}: {} instead of {count}\n{report}", count_of(text)?);
    }
    Ok(())
}

fn profile(place: &Path) -> Result<()> {
    fs::copy(here("programs/alone/debugged.c"), place.join("debugged.c"))?;
    let run = |option: &str| -> Result<Vec<u8>> {
        let options = [option, "-O2", "-Wall", "-Werror", "-o", "debugged", "debugged.c"];
        succeed(&mut wrapper("cppc-cc", "gcc", &options, place)?)?;
        let mut program = Command::new(place.join("debugged"));
        without_settings(&mut program);
        Ok(program.current_dir(place).output()?.stdout)
    };
    let recorded = run("-fprofile-generate")?;
    ensure!(!recorded.is_empty() && run("-fprofile-use")? == recorded, "other results");
    Ok(())
}
