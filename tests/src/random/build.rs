//! The builds of a generated program: plain, translated, and with sanitizers.
//!
//! Input: a sample and a form of build.
//! Output: an executable, or the messages of the build.
//! Postcondition: the plain build does not use the product.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::Duration;

use anyhow::{Context, Result};

use super::numbers::Random;
use super::process::{execute, Ended};
use super::sample::Sample;
use crate::product::Product;
use crate::program::Language;
use crate::support;

/// The time limit of one command of a build. It is much longer than any command needs.
const BUILD_LIMIT: Duration = Duration::from_secs(240);

/// How a program is built.
#[derive(Debug, Clone)]
pub struct Manner {
    /// `gcc`, `clang`, `gfortran` or the name of LLVM's Fortran compiler.
    pub compiler: &'static str,
    pub options: &'static [&'static str],
    pub route: Route,
    /// Whether calls of the runtime are ticks too.
    pub ticks_of_runtime: bool,
}

/// How its sources are translated and linked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Route {
    /// By one command of the compiler wrapper.
    Together,
    /// Each source separately, and linked afterwards.
    Objects,
    /// By `cppc-pp` and the compiler; in C with the `--dispatch` of this name.
    Precompiler(&'static str),
}

/// The result of a build.
pub enum Built {
    Executable(PathBuf),
    Failed(Ended),
}

impl Manner {
    /// A random form for which this machine has the compilers.
    pub fn random(sample: &Sample, random: &mut Random) -> Manner {
        let mut compilers = compilers(sample.language);
        if let Some(only) = sample.only_compiler {
            compilers.retain(|&found| found == only);
        }
        let dispatch = random.pick(&["switch", "computed"]);
        let route = match random.weighted(&[5, 3, 2]) {
            0 => Route::Together,
            1 => Route::Objects,
            _ => Route::Precompiler(dispatch),
        };
        Manner {
            compiler: random.pick(&compilers),
            options: random.pick(&[&["-O0"], &["-O1"], &["-O2"], &["-O3"]]),
            route,
            ticks_of_runtime: random.chance(60),
        }
    }

    /// The same form with sanitizers, which stop the program at its first fault.
    pub fn sanitized(self, sample: &Sample) -> Manner {
        let compiler = sample.only_compiler.unwrap_or_else(|| compilers(sample.language)[0]);
        Manner { compiler, options: SANITIZED, ..self }
    }
}

/// The options of a build with sanitizers.
pub const SANITIZED: &[&str] = &["-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];

/// The compilers of a language that are installed, the usual one first.
pub fn compilers(language: Language) -> Vec<&'static str> {
    static FOUND: [OnceLock<Vec<&str>>; 2] = [const { OnceLock::new() }; 2];
    let of_language = match language {
        Language::C => &FOUND[0],
        Language::Fortran => &FOUND[1],
    };
    of_language.get_or_init(|| installed(language)).clone()
}

fn installed(language: Language) -> Vec<&'static str> {
    let names: &[&[&str]] = match language {
        Language::C => &[&["gcc", "cc"], &["clang"]],
        Language::Fortran => &[&["gfortran"], &["flang-new-19", "flang-19", "flang-new", "flang"]],
    };
    let works = |name: &&&str| {
        let output = Command::new(name).arg("--version").output();
        output.is_ok_and(|output| output.status.success())
    };
    names.iter().filter_map(|family| family.iter().find(works).copied()).collect()
}

/// The unchanged program. Its directives are unknown pragmas and comments.
pub fn plain(
    sample: &Sample,
    sources: &[PathBuf],
    by: &'static str,
    options: &[&str],
    into: &Path,
) -> Result<Built> {
    let mut compile = compiler(sample, by);
    compile.args(common(sample)).args(options).args(sources).arg(ticks(sample, false)?);
    let executable = into.join("plain");
    compile.arg("-o").arg(&executable).arg("-lm").current_dir(into);
    finish(&mut compile, executable, into)
}

/// The program, translated with the product.
pub fn translated(sample: &Sample, sources: &[PathBuf], manner: &Manner, into: &Path) -> Result<Built> {
    let product = Product::get()?;
    let executable = into.join("translated");
    let mut link = match manner.route {
        Route::Together => wrapper(sample, manner)?,
        Route::Objects => {
            let mut link = wrapper(sample, manner)?;
            for source in sources {
                let object =
                    into.join(source.file_name().context("a source has a name")?).with_extension("o");
                let mut compile = wrapper(sample, manner)?;
                compile.args(common(sample)).args(manner.options).arg("-c").arg(source);
                let ended = execute(compile.arg("-o").arg(&object).current_dir(into), into, BUILD_LIMIT)?;
                if !ended.is_well() {
                    return Ok(Built::Failed(ended));
                }
                link.arg(object);
            }
            link
        }
        Route::Precompiler(dispatch) => {
            let directory = into.join("translation");
            std::fs::create_dir_all(&directory)?;
            let mut precompiler = product.command("cppc-pp");
            let words = compiler_name(sample, manner.compiler);
            match sample.language {
                Language::C => precompiler.args(["--cc", words, "--dispatch", dispatch]),
                Language::Fortran => precompiler.args(["--fc", words]),
            };
            choose(&mut precompiler, manner.compiler);
            precompiler.args(sources).args(&sample.flags).arg("--out-dir").arg(&directory);
            let ended = execute(precompiler.current_dir(into), into, BUILD_LIMIT)?;
            if !ended.is_well() {
                return Ok(Built::Failed(ended));
            }
            let mut link = compiler(sample, manner.compiler);
            link.args(sources.iter().filter_map(|source| Some(directory.join(source.file_name()?))));
            link.arg("-I").arg(product.include()).arg("-I").arg(into);
            link
        }
    };
    if manner.route == Route::Together {
        link.args(sources);
    }
    link.args(common(sample)).args(manner.options).arg(ticks(sample, manner.ticks_of_runtime)?);
    if matches!(manner.route, Route::Precompiler(_)) {
        let library = if sample.processes.is_some() { "-lcppc_mpi" } else { "-lcppc" };
        link.arg("-L")
            .arg(product.library())
            .arg(format!("-Wl,-rpath,{}", product.library().display()))
            .arg(library);
    }
    if manner.ticks_of_runtime {
        link.arg("-Wl,--wrap=CPPC_Jump_next");
        if sample.language == Language::Fortran {
            link.arg("-Wl,--wrap=cppc_jump_next_");
        }
    }
    link.arg("-o").arg(&executable).arg("-lm").current_dir(into);
    finish(&mut link, executable, into)
}

fn finish(command: &mut Command, executable: PathBuf, into: &Path) -> Result<Built> {
    let ended = execute(command, into, BUILD_LIMIT)?;
    Ok(if ended.is_well() { Built::Executable(executable) } else { Built::Failed(ended) })
}

/// Options for the same result on every machine: no fused multiplication and addition. Warnings are not
/// tested.
fn common(sample: &Sample) -> Vec<String> {
    let mut options = vec!["-w".to_owned(), "-ffp-contract=off".to_owned()];
    if sample.language == Language::C {
        options.push("-std=gnu11".to_owned());
    }
    options.extend(sample.flags.iter().cloned());
    options
}

/// The value for `CPPC_CC` and `CPPC_FC`.
fn compiler_name(sample: &Sample, compiler: &'static str) -> &'static str {
    match (sample.processes, sample.language) {
        (None, _) => compiler,
        (Some(_), Language::C) => "mpicc",
        (Some(_), Language::Fortran) => "mpifort",
    }
}

fn compiler(sample: &Sample, name: &'static str) -> Command {
    let mut command = Command::new(compiler_name(sample, name));
    choose(&mut command, name);
    command
}

/// Sets the compiler that MPI's wrappers call.
fn choose(command: &mut Command, compiler: &str) {
    let variables = match compiler {
        "gcc" | "cc" | "clang" => ["OMPI_CC", "MPICH_CC"],
        _ => ["OMPI_FC", "MPICH_FC"],
    };
    for variable in variables {
        command.env(variable, compiler);
    }
}

fn wrapper(sample: &Sample, manner: &Manner) -> Result<Command> {
    let (name, variable) = match sample.language {
        Language::C => ("cppc-cc", "CPPC_CC"),
        Language::Fortran => ("cppc-fc", "CPPC_FC"),
    };
    let mut wrapper = Product::get()?.command(name);
    wrapper.env(variable, compiler_name(sample, manner.compiler));
    wrapper.env("CPPC_PREFIX", Product::get()?.prefix());
    choose(&mut wrapper, manner.compiler);
    Ok(wrapper)
}

/// The object with `tick`, which kills the process.
fn ticks(sample: &Sample, of_runtime: bool) -> Result<PathBuf> {
    let mut options = vec!["-O1", "-c"];
    if of_runtime {
        options.push("-DTICKS_OF_RUNTIME");
        if sample.language == Language::Fortran {
            options.push("-DTICKS_OF_FORTRAN");
        }
    }
    support::compiled(Command::new(compilers(Language::C)[0]), &options, "ticks.c")
}
