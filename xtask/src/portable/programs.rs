//! Translates and compiles the programs for every machine.
//!
//! Input: the runtime, sources in C and Fortran.
//! Output: programs.
//! Postcondition: each was translated with the headers and the compiler of its machine, as its user would do
//! it there.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{bail, Context, Result};

use super::machines::{Machine, MACHINES};
use super::packages::Tools;
use super::runtime::Runtime;
use crate::stage;
use crate::workspace::Workspace;

/// The directory of the programs, relative to the root.
const PROGRAMS: &str = "tests/portable";
/// A line at the start of a program that is not available on all machines. It names the machines.
const MACHINES_MARK: &str = "machines:";

pub struct Programs<'a> {
    tools: &'a Tools,
    runtime: &'a Runtime,
    directory: PathBuf,
    sources: PathBuf,
    include: Vec<PathBuf>,
    /// The directory of `cppc-pp` and `cppc`.
    product: PathBuf,
}

/// The source of a program.
pub struct Program {
    pub name: String,
    source: PathBuf,
    /// Indices in the table of machines.
    pub machines: Vec<usize>,
}

impl<'a> Programs<'a> {
    pub fn new(
        workspace: &Workspace,
        directory: &Path,
        tools: &'a Tools,
        runtime: &'a Runtime,
    ) -> Result<Programs<'a>> {
        stage::run(workspace, false, "dev")?;
        let sources = workspace.root.join(PROGRAMS);
        let headers =
            ["runtime-ffi/include", "fortran-bindings/include"].map(|path| workspace.root.join(path));
        let include = [sources.clone()].into_iter().chain(headers).collect();
        let product = workspace.stage().join("bin");
        Ok(Programs { tools, runtime, directory: directory.join("programs"), sources, include, product })
    }

    /// The program that prints state files.
    pub fn tool(&self) -> PathBuf {
        self.product.join("cppc")
    }

    pub fn list(&self) -> Result<Vec<Program>> {
        let mut programs = Vec::new();
        for entry in std::fs::read_dir(&self.sources)? {
            let source = entry?.path();
            if !source.extension().is_some_and(|extension| extension == "c" || is_fortran(extension)) {
                continue;
            }
            let name = source.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let machines = machines_of(&source).with_context(|| format!("`{name}`"))?;
            programs.push(Program { name, source, machines });
        }
        programs.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(programs)
    }

    /// Translates and compiles.
    pub fn compile(&self, machine: &Machine, program: &Program) -> Result<PathBuf> {
        let directory = self.directory.join(machine.name);
        std::fs::create_dir_all(&directory)?;
        let fortran = program.source.extension().is_some_and(is_fortran);
        let (compiler, option) = if fortran { ("gfortran", "--fc") } else { ("gcc", "--cc") };
        let compiler = match machine.emulator {
            None => PathBuf::from(compiler),
            Some(_) => self.tools.program(&format!("{}-linux-gnu-{compiler}-12", machine.gnu)),
        };
        let include = self.include.iter().flat_map(|path| [OsStr::new("-I"), path.as_os_str()]);
        let translated = directory.join(program.source.file_name().unwrap_or_default());
        let mut translator = self.tools.command(&self.product.join("cppc-pp"));
        translator
            .arg(option)
            .arg(&compiler)
            .args(include.clone())
            .arg(&program.source)
            .arg("-o")
            .arg(&translated);
        silent(&mut translator)?;
        let binary = directory.join(&program.name);
        let mut link = self.tools.command(&compiler);
        link.args(["-O1", "-ffp-contract=off"]).args(machine.flags).args(include);
        if fortran {
            // The module files of different machines are not compatible.
            link.arg("-J").arg(&directory);
        }
        if machine.emulator.is_some() {
            link.arg(self.tools.root_for_linker());
        }
        if std::fs::read_to_string(&translated)?.to_ascii_uppercase().contains("CPPC_DEEP") {
            // As `cppc-cc` does for programs whose allocations are recorded.
            link.args(cppc_abi::WRAPPED_FUNCTIONS.iter().map(|name| format!("-Wl,--wrap={name}")));
        }
        link.arg("-o").arg(&binary).arg(&translated).arg(self.runtime.library(machine)).args([
            "-lm",
            "-lpthread",
            "-ldl",
        ]);
        silent(&mut link)?;
        Ok(binary)
    }

    /// A command that runs a program of the machine.
    pub fn command(&self, machine: &Machine, binary: &Path) -> Command {
        let mut command = match machine.emulator {
            None => Command::new(binary),
            Some(emulator) => {
                let mut command = Command::new(self.tools.program(emulator));
                let system = self.tools.machine(machine);
                // The emulator does not report directories below the root as existing.
                let libraries = ["lib", "usr/lib"].map(|part| system.join(part).join(machine.libraries));
                let path = format!("LD_LIBRARY_PATH={}:{}", libraries[0].display(), libraries[1].display());
                command.arg("-L").arg(&system).arg("-E").arg(path).arg(binary);
                command
            }
        };
        command.env("CPPC_WRITERS", self.runtime.writers(machine));
        command
    }
}

fn is_fortran(extension: &OsStr) -> bool {
    extension == "f" || extension == "f90"
}

/// All machines, if the program does not name any.
fn machines_of(source: &Path) -> Result<Vec<usize>> {
    let text = std::fs::read_to_string(source)?;
    // The word may also be in the sentence that describes the program.
    let line_of_mark = |line| str::trim_start_matches(line, ['/', '*', '!', ' ']).strip_prefix(MACHINES_MARK);
    let Some(named) = text.lines().take(5).find_map(line_of_mark) else {
        return Ok((0..MACHINES.len()).collect());
    };
    let number = |name: &str| {
        let at = MACHINES.iter().position(|machine| machine.name == name);
        at.with_context(|| format!("there is no machine `{name}`"))
    };
    named.trim_end_matches("*/").split_whitespace().map(number).collect()
}

/// Runs a command. Its output is reported only if it fails.
fn silent(command: &mut Command) -> Result<()> {
    let name = command.get_program().to_string_lossy().into_owned();
    let done = command.output().with_context(|| format!("cannot run `{name}`"))?;
    if !done.status.success() {
        bail!("`{name}` failed:\n{}", String::from_utf8_lossy(&done.stderr));
    }
    Ok(())
}
