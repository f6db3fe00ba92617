//! Builds the programs of the tests.
//!
//! Input: a program, a form in which to build it, and a directory for the results.
//! Output: an executable.
//! Postcondition: the plain build does not use the product. A translated program was built with the
//! precompiler, and its calls of the runtime pass through `support/killer.c`.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{ensure, Context, Result};

use crate::form::{Compiler, Dispatch, Form};
use crate::product::{here, Product};
use crate::program::{Language, Mpi, Program};
use crate::support;
pub use crate::support::succeed;

/// The calls that `support/killer.c` intercepts.
const WRAPPED: [&str; 16] = [
    "CPPC_Init",
    "CPPC_Shutdown",
    "CPPC_Enter",
    "CPPC_Block",
    "CPPC_Execute",
    "CPPC_Call",
    "CPPC_Return",
    "CPPC_Jump_next",
    "CPPC_Do_checkpoint",
    "CPPC_Do_checkpoint_at",
    "CPPC_Register",
    "CPPC_Register_pointer",
    "CPPC_Register_value",
    "CPPC_File",
    "CPPC_File_stream",
    "CPPC_File_descriptor",
];

/// The same, as Fortran calls it.
const WRAPPED_IN_FORTRAN: [&str; 16] = [
    "cppc_init_",
    "cppc_shutdown_",
    "cppc_enter_",
    "cppc_block_",
    "cppc_execute_",
    "cppc_begin_execute_",
    "cppc_call_",
    "cppc_begin_call_",
    "cppc_return_",
    "cppc_end_call_",
    "cppc_jump_next_",
    "cppc_do_checkpoint_",
    "cppc_do_checkpoint_at_",
    "cppc_checkpoint_at_",
    "cppc_file_",
    "cppc_file_unit_",
];

/// How the files of a program are linked if each is compiled by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Assembly {
    Objects,
    /// The file with the main program as an object, the others in an archive.
    Archive,
}

/// Builds the original program. Its directives are unknown pragmas and comments there, without a warning.
pub fn plain(program: &Program, form: Form, into: &Path) -> Result<PathBuf> {
    let executable = into.join("plain");
    let work = room(into, "plain-work")?;
    let mut objects = Vec::new();
    for source in &program.sources {
        let object = object_of(source, &work);
        let language = Language::of(source).context("a source has a language")?;
        let mut compile = form.compiler.command(program, language);
        compile.args([form.optimisation, "-c"]).args(includes(program)).args(&program.flags);
        match language {
            // MPICH's header causes warnings about its own constants.
            Language::C if program.mpi == Mpi::Mpich => compile.arg("-w"),
            Language::C => compile.args(["-Wall", "-Wextra", "-Wno-unknown-pragmas", "-Werror"]),
            Language::Fortran => compile.arg("-w"),
        };
        succeed(compile.arg(source).arg("-o").arg(&object).current_dir(&work))?;
        objects.push(object);
    }
    let mut link = form.compiler.command(program, program.language);
    link.args(&program.flags).args(objects).arg("-o").arg(&executable).arg("-lm");
    succeed(&mut link)?;
    Ok(executable)
}

/// Builds the translated program with the killer. Most forms are built with `cppc-cc` or `cppc-fc`, as a
/// user would. Some are built with `cppc-pp` and the compiler.
pub fn translated(program: &Program, form: Form, into: &Path) -> Result<PathBuf> {
    let is_mixed = program.sources.iter().any(|source| Language::of(source) != Some(program.language));
    match (form.compiler, form.dispatch, form.optimisation) {
        (Compiler::C, Dispatch::Computed, _) | (Compiler::Gfortran, _, "-O0") => {
            let sources = translate(program, form, into)?.files;
            as_it_stands(program, &sources, form, into)
        }
        // flang compiles no C.
        (Compiler::Flang, ..) if is_mixed => assembled(program, Assembly::Objects, form, into),
        _ => {
            let mut compile = wrapper(program, form, program.language)?;
            link(program, compile.args(&program.sources), form, into)
        }
    }
}

/// Builds a program that has only `checkpoint` directives: the translation adds the others. Also returns its messages.
///
/// # Errors
/// The error of a program that cannot be translated has the diagnostics.
pub fn automatic(program: &Program, what: &str, form: Form, into: &Path) -> Result<(PathBuf, String)> {
    let mut compile = wrapper(program, form, program.language)?;
    compile.env("CPPC_AUTO", what).args(&program.sources);
    link_with_messages(program, &mut compile, form, into)
}

/// The messages about a program to which nothing is added. It contains no killer, because it does not call the runtime.
pub fn unchanged(program: &Program, what: &str, form: Form, into: &Path) -> Result<String> {
    let mut compile = wrapper(program, form, program.language)?;
    compile.env("CPPC_AUTO", what).args(&program.sources).args(["-w", "-o"]).arg(into.join("unchanged"));
    succeed(compile.args(includes(program)).args(&program.flags))
}

/// Builds a program whose files are compiled one by one and then linked.
pub fn assembled(program: &Program, assembly: Assembly, form: Form, into: &Path) -> Result<PathBuf> {
    let work = room(into, "translated-work")?;
    let (mut parts, mut first) = (Vec::new(), Vec::new());
    for source in &program.sources {
        let object = object_of(source, &work);
        let language = Language::of(source).context("a source has a language")?;
        let mut compile = wrapper(program, form, language)?;
        compile.args([form.optimisation, "-w", "-c"]).args(includes(program)).args(&program.flags);
        succeed(compile.arg(source).arg("-o").arg(&object).current_dir(&work))?;
        match source.file_stem().is_some_and(|stem| stem == "main") {
            true => first.push(object),
            false => parts.push(object),
        }
    }
    if assembly == Assembly::Archive {
        let archive = into.join("libparts.a");
        succeed(Command::new("ar").arg("qcs").arg(&archive).args(&parts))?;
        parts = vec![archive];
    }
    link(program, wrapper(program, form, program.language)?.args(first).args(parts), form, into)
}

/// Builds a program whose files are in a shared library, except the one with the main program. It contains no killer,
/// because a linker does not redirect the calls of a shared library.
pub fn with_shared_library(program: &Program, form: Form, into: &Path) -> Result<PathBuf> {
    let is_main = |source: &&PathBuf| source.file_stem().is_some_and(|stem| stem == "main");
    let (main, others): (Vec<_>, Vec<_>) = program.sources.iter().partition(is_main);
    let (library, executable) = (into.join("libparts.so"), into.join("translated"));
    let build = |sources: Vec<&PathBuf>, output: &Path| -> Result<()> {
        let mut compile = wrapper(program, form, program.language)?;
        compile.args([form.optimisation, "-w", "-fPIC"]).args(includes(program)).args(&program.flags);
        compile.args(sources).arg("-o").arg(output).current_dir(room(into, "translated-work")?);
        match output == library {
            true => compile.arg("-shared"),
            false => compile.arg(&library).arg("-lm"),
        };
        succeed(&mut compile).map(|_| ())
    };
    build(others, &library)?;
    build(main, &executable)?;
    Ok(executable)
}

/// Builds sources that call the runtime directly.
pub fn as_it_stands(program: &Program, sources: &[PathBuf], form: Form, into: &Path) -> Result<PathBuf> {
    let product = program.product()?;
    let mut compile = form.compiler.command(program, program.language);
    compile.args(sources).args(includes(program)).arg("-I").arg(product.include());
    compile.arg("-L").arg(product.library()).arg(format!("-Wl,-rpath,{}", product.library().display()));
    let texts = sources.iter().map(std::fs::read_to_string).collect::<Result<Vec<_>, _>>()?;
    let words = ["CPPC_ALLOCATION", "CPPC_DEEP"];
    // Fortran may have them in small letters.
    let texts: Vec<String> = texts.iter().map(|text| text.to_ascii_uppercase()).collect();
    if texts.iter().any(|text| words.iter().any(|word| text.contains(word))) {
        compile.args(cppc_abi::WRAPPED_FUNCTIONS.iter().map(|name| format!("-Wl,--wrap={name}")));
    }
    // The library comes after the files that need it.
    link(program, compile.arg("-Wl,--no-as-needed").arg(format!("-l{}", program.library())), form, into)
}

/// `cppc-cc` or `cppc-fc`, for the compiler of this program.
fn wrapper(program: &Program, form: Form, language: Language) -> Result<Command> {
    let (name, variable) = match language {
        Language::C => ("cppc-cc", "CPPC_CC"),
        Language::Fortran => ("cppc-fc", "CPPC_FC"),
    };
    let mut wrapper = Product::get()?.command(name);
    wrapper.env(variable, form.compiler.words(program, language).join(" "));
    wrapper.env("CPPC_PREFIX", program.product()?.prefix());
    form.compiler.choose(&mut wrapper);
    Ok(wrapper)
}

/// Adds the options of every build of a program under test, and runs the command. Another test checks the
/// warnings.
fn link(program: &Program, compile: &mut Command, form: Form, into: &Path) -> Result<PathBuf> {
    link_with_messages(program, compile, form, into).map(|(executable, _)| executable)
}

fn link_with_messages(
    program: &Program,
    compile: &mut Command,
    form: Form,
    into: &Path,
) -> Result<(PathBuf, String)> {
    let executable = into.join("translated");
    compile.args([form.optimisation, "-w"]).args(includes(program)).args(&program.flags);
    compile.args(killer(program, form)?).arg("-o").arg(&executable).arg("-lm");
    compile.args(WRAPPED.map(|name| format!("-Wl,--wrap={name}")));
    if program.language == Language::Fortran {
        compile.args(WRAPPED_IN_FORTRAN.map(|name| format!("-Wl,--wrap={name}")));
    }
    let said = succeed(compile.current_dir(room(into, "translated-work")?))?;
    Ok((executable, said))
}

/// The translation of a program.
pub struct Translation {
    /// One for each source, in the same order.
    pub files: Vec<PathBuf>,
    /// Its messages on standard error.
    pub said: String,
}

/// Translates all files of a program at once.
pub fn translate(program: &Program, form: Form, into: &Path) -> Result<Translation> {
    let directory = room(into, &format!("translation-{form}"))?;
    let mut precompiler = Product::get()?.command("cppc-pp");
    precompiler.args(&program.sources).arg("--out-dir").arg(&directory);
    precompiler.args(["--cc", &form.compiler.words(program, Language::C).join(" ")]);
    precompiler.args(["--dispatch", &form.dispatch.to_string()]).args(includes(program));
    if program.language == Language::Fortran {
        precompiler.args(["--fc", &form.compiler.words(program, Language::Fortran).join(" ")]);
        precompiler.args(&program.flags);
    }
    form.compiler.choose(&mut precompiler);
    let said = succeed(&mut precompiler)?;
    let mut files = Vec::new();
    for source in &program.sources {
        let file = directory.join(source.file_name().context("a source has a name")?);
        ensure!(file.exists(), "`cppc-pp` has not written `{}`", file.display());
        files.push(file);
    }
    Ok(Translation { files, said })
}

/// Compiles translated C as `cppc-cc` does: two kinds of warnings are turned off, and all others are
/// reported unchanged.
pub fn warnings(program: &Program, translation: &Translation, optimisation: &str) -> Result<String> {
    let mut said = String::new();
    for file in &translation.files {
        let mut compile = Compiler::C.command(program, Language::C);
        compile.args([optimisation, "-Wall", "-Wextra", "-c", "-o", "/dev/null"]);
        compile.args(["-Wno-maybe-uninitialized", "-Wno-uninitialized"]);
        compile.arg("-I").arg(Product::get()?.include()).args(includes(program)).args(&program.flags);
        said.push_str(&succeed(compile.arg(file))?);
    }
    Ok(said)
}

/// Compiles Fortran sources with a standard, in their order. The error has the messages of the compiler.
pub fn under_standard(program: &Program, sources: &[PathBuf], options: &[&str], work: &Path) -> Result<()> {
    for source in sources.iter().filter(|source| Language::of(source) == Some(Language::Fortran)) {
        let mut compile = Compiler::Gfortran.command(program, Language::Fortran);
        compile.args(options).args(["-c", "-o", "/dev/null"]).args(includes(program)).args(&program.flags);
        compile.arg("-I").arg(Product::get()?.include());
        succeed(compile.arg(source).current_dir(work))?;
    }
    Ok(())
}

/// The objects that intercept the calls from the program to the runtime.
fn killer(program: &Program, form: Form) -> Result<Vec<PathBuf>> {
    let include = program.product()?.include().display().to_string();
    let mut options = vec!["-O1", "-c", "-I", &include];
    if program.processes.is_some() {
        options.push("-DKILLER_MPI");
    }
    let mut objects = Vec::new();
    if program.language == Language::Fortran {
        options.push("-DKILLER_FORTRAN");
        let compiler = form.compiler.command(program, Language::Fortran);
        objects.push(support::compiled(compiler, &["-c"], "killer_flush.f90")?);
    }
    objects.push(support::compiled(form.compiler.command(program, Language::C), &options, "killer.c")?);
    Ok(objects)
}

pub fn includes(program: &Program) -> Vec<PathBuf> {
    let own = format!("-I{}", program.directory.display());
    let checks = format!("-I{}", here("programs/include").display());
    vec![own.into(), checks.into()]
}

fn object_of(source: &Path, work: &Path) -> PathBuf {
    let mut name = source.file_name().unwrap_or_default().to_owned();
    name.push(".o");
    work.join(name)
}

/// A directory for the files that a compiler writes to its working directory, such as module files.
fn room(into: &Path, name: &str) -> Result<PathBuf> {
    let directory = into.join(name);
    std::fs::create_dir_all(&directory)?;
    Ok(directory)
}
