//! Programs made from programs.
//!
//! In: a program, a way to build it, a directory for the results. Out: an executable. Holds
//! afterwards: the plain build never saw the product; a translated one goes through the precompiler,
//! and its calls of the runtime through `support/killer.c`.

use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{ensure, Context, Result};

use crate::product::{here, Product};
use crate::program::{Mpi, Program};

/// What `support/killer.c` comes between.
const WRAPPED: [&str; 12] = [
    "CPPC_Init", "CPPC_Shutdown", "CPPC_Enter", "CPPC_Block", "CPPC_Execute", "CPPC_Call",
    "CPPC_Return", "CPPC_Jump_next", "CPPC_Do_checkpoint", "CPPC_Register", "CPPC_Register_pointer",
    "CPPC_Register_value",
];

/// How a translation finds its way in a restart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dispatch {
    Switch,
    Computed,
}

/// One way to build a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Form {
    pub dispatch: Dispatch,
    /// `-O0` or `-O3`.
    pub optimisation: &'static str,
}

pub const FORMS: [Form; 4] = [
    Form { dispatch: Dispatch::Switch, optimisation: "-O3" },
    Form { dispatch: Dispatch::Switch, optimisation: "-O0" },
    Form { dispatch: Dispatch::Computed, optimisation: "-O3" },
    Form { dispatch: Dispatch::Computed, optimisation: "-O0" },
];

/// How the files of a program come together when each is compiled by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Assembly {
    Objects,
    /// The file with `main` as an object, the others in an archive.
    Archive,
}

impl fmt::Display for Dispatch {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Dispatch::Switch => "switch",
            Dispatch::Computed => "computed",
        })
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}{}", self.dispatch, self.optimisation)
    }
}

/// The program as it is, its directives unknown pragmas, without a warning.
pub fn plain(program: &Program, optimisation: &str, into: &Path) -> Result<PathBuf> {
    let executable = into.join("plain");
    let mut compile = Command::new(program.compiler());
    compile.args([optimisation, "-Wall", "-Wextra", "-Wno-unknown-pragmas"]);
    // MPICH's header warns of its own constants.
    compile.arg(if program.mpi == Mpi::Mpich { "-w" } else { "-Werror" });
    compile.args(includes(program)).args(&program.flags);
    compile.args(&program.sources).arg("-o").arg(&executable).arg("-lm");
    succeed(&mut compile)?;
    Ok(executable)
}

/// The translated program, ready to be killed. The default form is built by `cppc-cc`, as a user
/// would; the other by `cppc-pp` and the compiler.
pub fn translated(program: &Program, form: Form, into: &Path) -> Result<PathBuf> {
    match form.dispatch {
        Dispatch::Switch => link(program, wrapper(program)?.args(&program.sources), form.optimisation, into),
        Dispatch::Computed => {
            let sources = translate(program, form.dispatch, into)?.files;
            as_it_stands(program, &sources, form.optimisation, into)
        }
    }
}

/// A program of which each file is compiled by itself, and which is then put together.
pub fn assembled(program: &Program, assembly: Assembly, into: &Path) -> Result<PathBuf> {
    const OPTIMISATION: &str = "-O2";
    let (mut parts, mut first) = (Vec::new(), Vec::new());
    for source in &program.sources {
        let stem = source.file_stem().context("a source has a name")?;
        let object = into.join(stem).with_extension("o");
        let mut compile = wrapper(program)?;
        compile.args([OPTIMISATION, "-w", "-c"]).args(includes(program)).args(&program.flags);
        succeed(compile.arg(source).arg("-o").arg(&object))?;
        match stem == "main" {
            true => first.push(object),
            false => parts.push(object),
        }
    }
    if assembly == Assembly::Archive {
        let archive = into.join("libparts.a");
        succeed(Command::new("ar").arg("qcs").arg(&archive).args(&parts))?;
        parts = vec![archive];
    }
    link(program, wrapper(program)?.args(first).args(parts), OPTIMISATION, into)
}

/// Sources that call the runtime already.
pub fn as_it_stands(
    program: &Program,
    sources: &[PathBuf],
    optimisation: &str,
    into: &Path,
) -> Result<PathBuf> {
    let product = program.product()?;
    let mut compile = Command::new(program.compiler());
    compile.args(sources).arg("-I").arg(product.include());
    compile.arg("-L").arg(product.library()).arg(format!("-Wl,-rpath,{}", product.library().display()));
    // The library comes behind what needs it.
    link(program, compile.arg("-Wl,--no-as-needed").arg(format!("-l{}", program.library())), optimisation, into)
}

/// `cppc-cc`, for the compiler of this program.
fn wrapper(program: &Program) -> Result<Command> {
    let mut wrapper = Product::get()?.command("cppc-cc");
    wrapper.env("CPPC_CC", program.compiler());
    wrapper.env("CPPC_PREFIX", program.product()?.prefix());
    Ok(wrapper)
}

/// Adds what every build of a program under test has, and runs it. Warnings have a test of their own.
fn link(program: &Program, compile: &mut Command, optimisation: &str, into: &Path) -> Result<PathBuf> {
    let executable = into.join("translated");
    compile.args([optimisation, "-w"]).args(includes(program)).args(&program.flags);
    compile.arg(killer(program, into)?).arg("-o").arg(&executable).arg("-lm");
    compile.args(WRAPPED.map(|name| format!("-Wl,--wrap={name}")));
    succeed(compile)?;
    Ok(executable)
}

/// What the precompiler made of a program.
pub struct Translation {
    /// One for each source, in the same order.
    pub files: Vec<PathBuf>,
    /// What it said on standard error.
    pub said: String,
}

/// Translates all files of a program at once.
pub fn translate(program: &Program, dispatch: Dispatch, into: &Path) -> Result<Translation> {
    let directory = into.join(format!("translation-{dispatch}"));
    std::fs::create_dir_all(&directory)?;
    let mut precompiler = Product::get()?.command("cppc-pp");
    precompiler.args(&program.sources).arg("--out-dir").arg(&directory);
    precompiler.args(["--cc", program.compiler(), "--dispatch", &dispatch.to_string()]);
    precompiler.args(includes(program));
    let said = succeed(&mut precompiler)?;
    let mut files = Vec::new();
    for source in &program.sources {
        let file = directory.join(source.file_name().context("a source has a name")?);
        ensure!(file.exists(), "`cppc-pp` has not written `{}`", file.display());
        files.push(file);
    }
    Ok(Translation { files, said })
}

/// Compiles what the precompiler made as `cppc-cc` would, which turns two kinds of warnings off, and
/// reports all others as the compiler says them.
pub fn warnings(program: &Program, translation: &Translation, optimisation: &str) -> Result<String> {
    let mut compile = Command::new(program.compiler());
    compile.args([optimisation, "-Wall", "-Wextra", "-c", "-o", "/dev/null"]);
    compile.args(["-Wno-maybe-uninitialized", "-Wno-uninitialized"]);
    compile.arg("-I").arg(Product::get()?.include()).args(includes(program)).args(&program.flags);
    let mut said = String::new();
    for file in &translation.files {
        let mut one = clone(&compile);
        said.push_str(&succeed(one.arg(file))?);
    }
    Ok(said)
}

fn clone(command: &Command) -> Command {
    let mut copy = Command::new(command.get_program());
    copy.args(command.get_args());
    copy
}

fn killer(program: &Program, into: &Path) -> Result<PathBuf> {
    let object = into.join("killer.o");
    let mut compile = Command::new(program.compiler());
    compile.args(["-O1", "-c"]).arg(here("support/killer.c")).arg("-o").arg(&object);
    compile.arg("-I").arg(program.product()?.include());
    if program.processes.is_some() {
        compile.arg("-DKILLER_MPI");
    }
    succeed(&mut compile)?;
    Ok(object)
}

fn includes(program: &Program) -> Vec<PathBuf> {
    let own = format!("-I{}", program.directory.display());
    let checks = format!("-I{}", here("programs/include").display());
    vec![own.into(), checks.into()]
}

/// Runs a tool; returns what it said on standard error, fails with it and the command when it does.
pub fn succeed(command: &mut Command) -> Result<String> {
    let output = command.output().with_context(|| format!("cannot run {command:?}"))?;
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    ensure!(output.status.success(), "{}\n{command:?}\n{said}", output.status);
    Ok(said)
}
