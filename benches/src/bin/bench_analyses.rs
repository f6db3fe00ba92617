//! Measures the front ends with all analyses, and builds with the wrappers of the compilers.
//!
//! Input: generated sources. `CPPC_BENCH_PROGRAMS` may name a directory with other programs: each of its directories has the
//! sources of one MPI program, with one `checkpoint` directive.
//! Output: the processor time in seconds for a program of a million lines; the time for 100,000 lines relative to ten times
//! that for 10,000; builds of 200 files with the wrapper relative to the compiler, without directives and with directives in a
//! few files. For the other programs together: the seconds with `--auto=register`, and the seconds that `--auto=all` takes more.
//! Postcondition: the translations are removed.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{ensure, Context, Result};
use cppc_benches::long_program;
use cppc_benches::pairs::{median, processor_seconds, ratio, row, LEAST_PAIRS};
use cppc_benches::product::{command, succeed};

const MILLION_GOAL_S: f64 = 30.0;
/// The ratio of `n log n` for 100,000 and 10,000 lines, relative to that of `n`.
const LONGER_GOAL: f64 = 1.25;
const FILES: usize = 200;
/// Files with directives, if there are any.
const FEW: usize = 5;
const PLAIN_BUILD_GOAL: f64 = 1.05;
const BUILD_GOAL: f64 = 1.2;
const PROGRAMS_GOAL_S: f64 = 1.0;
const PLACEMENT_GOAL_S: f64 = 0.5;
/// The processes of the other programs.
const RANKS: &str = "4";

fn main() -> Result<()> {
    let scratch = tempfile::tempdir()?;
    let longer = ratio(
        LEAST_PAIRS,
        || seconds_of_lines(100_000, scratch.path()),
        || Ok(10.0 * seconds_of_lines(10_000, scratch.path())?),
    )?;
    row("ten-times-longer", longer, LONGER_GOAL);
    for (name, with_directives, goal) in
        [("build-without-directives", 0, PLAIN_BUILD_GOAL), ("build-few-directives", FEW, BUILD_GOAL)]
    {
        let project = Project::new(&scratch.path().join(name), with_directives)?;
        let measured = ratio(LEAST_PAIRS, || project.build(true), || project.build(false))?;
        row(name, measured, goal);
    }
    if let Some(programs) = std::env::var_os("CPPC_BENCH_PROGRAMS") {
        other_programs(Path::new(&programs), scratch.path())?;
    }
    // The last one, because a machine may not have the memory for it.
    row("million-lines-s", seconds_of_lines(1_000_000, scratch.path())?, MILLION_GOAL_S);
    Ok(())
}

fn seconds_of_lines(lines: usize, scratch: &Path) -> Result<f64> {
    let source = scratch.join(format!("long-{lines}.f"));
    if !source.exists() {
        std::fs::write(&source, long_program::text(lines))?;
    }
    processor_seconds(command("cppc-pp")?.arg(&source).arg("-o").arg(scratch.join("out.f")))
}

/// A program in C of many files: each has some loops, and `main` calls all of them.
struct Project {
    directory: PathBuf,
}

impl Project {
    fn new(directory: &Path, with_directives: usize) -> Result<Project> {
        std::fs::create_dir(directory)?;
        for number in 0..FILES {
            let text = file(number, number < with_directives);
            std::fs::write(directory.join(format!("part{number}.c")), text)?;
        }
        Ok(Project { directory: directory.to_owned() })
    }

    /// Compiles each file by itself and links them, as `make` does. Returns the seconds.
    fn build(&self, is_wrapped: bool) -> Result<f64> {
        let compiler = || match is_wrapped {
            true => command("cppc-cc"),
            false => Ok(Command::new("cc")),
        };
        let mut seconds = 0.0;
        for number in 0..FILES {
            let mut compile = compiler()?;
            compile.args(["-O2", "-c"]).arg(format!("part{number}.c")).current_dir(&self.directory);
            seconds += processor_seconds(&mut compile)?;
        }
        let objects = (0..FILES).map(|number| format!("part{number}.o"));
        let mut link = compiler()?;
        link.args(objects).args(["-o", "program", "-lm"]).current_dir(&self.directory);
        Ok(seconds + processor_seconds(&mut link)?)
    }
}

fn file(number: usize, has_directives: bool) -> String {
    let directive = |text: &str| match has_directives {
        true => format!("#pragma cppc {text}\n"),
        false => String::new(),
    };
    let main = match number {
        0 => {
            let declared: String =
                (1..FILES).map(|number| format!("double part{number}(int n);\n")).collect();
            let calls: String =
                (1..FILES).map(|number| format!("        sum += part{number}(step);\n")).collect();
            format!(
                "{declared}int main(void)\n{{\n    double sum = 0;\n    int step = 0;\n{}{}    for (; step < 10; step++) {{\n\
                 {}        sum += part0(step);\n{calls}    }}\n    printf(\"%g\\n\", sum);\n{}    return 0;\n}}\n",
                directive("init"),
                directive("register(step, sum)"),
                directive("checkpoint"),
                directive("shutdown"),
            )
        }
        _ => String::new(),
    };
    let loops: String = (0..20)
        .map(|number| {
            format!(
                "    for (int k = 1; k < {}; k++) {{\n        field[k] = 0.5 * (field[k] + field[k - 1]) + n;\n        \
                 if (field[k] > {number}.5)\n            sum += sqrt(field[k]);\n    }}\n",
                100 + number
            )
        })
        .collect();
    let registered =
        if number > 0 { directive("register(sum)") + &directive("unregister(sum)") } else { String::new() };
    format!(
        "#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\n\
         double part{number}(int n)\n{{\n    double field[200], sum = 0;\n{registered}    memset(field, 0, sizeof field);\n\
         {loops}    return sum;\n}}\n{main}"
    )
}

/// The programs that the user has given.
fn other_programs(programs: &Path, scratch: &Path) -> Result<()> {
    let mut directories = Vec::new();
    for entry in
        std::fs::read_dir(programs).with_context(|| format!("cannot read `{}`", programs.display()))?
    {
        let path = entry?.path();
        if path.is_dir() {
            directories.push(path);
        }
    }
    directories.sort();
    ensure!(!directories.is_empty(), "`{}` has no programs", programs.display());
    let (mut registers, mut more) = (Vec::new(), Vec::new());
    for _ in 0..LEAST_PAIRS {
        let seconds = |auto: &str| -> Result<f64> {
            directories.iter().map(|directory| analysed(directory, auto, scratch)).sum()
        };
        let (register, all) = (seconds("register")?, seconds("all")?);
        registers.push(register);
        more.push(all - register);
    }
    row("programs-s", median(registers), PROGRAMS_GOAL_S);
    row("placement-s", median(more), PLACEMENT_GOAL_S);
    Ok(())
}

/// The seconds for one program. With `--auto=all`, they include the proof that its checkpoint is a safe point.
fn analysed(directory: &Path, auto: &str, scratch: &Path) -> Result<f64> {
    let out = scratch.join("translated");
    let is_source = |path: &PathBuf| {
        let end = path.extension().and_then(|end| end.to_str());
        end.is_some_and(|end| ["c", "f", "F", "f90", "F90"].contains(&end))
    };
    let mut sources = Vec::new();
    for entry in std::fs::read_dir(directory)? {
        sources.push(entry?.path());
    }
    sources.retain(is_source);
    sources.sort();
    let mut precompiler = command("cppc-pp")?;
    precompiler.arg(format!("--auto={auto}")).args(["--ranks", RANKS, "--cc", "mpicc", "--fc", "mpifort"]);
    precompiler.arg("-I").arg(directory).arg("--out-dir").arg(&out).args(sources);
    std::fs::create_dir_all(&out)?;
    let seconds = processor_seconds(&mut precompiler);
    if seconds.is_err() {
        // The same once more, with its messages.
        succeed(&mut precompiler)?;
    }
    seconds
}
