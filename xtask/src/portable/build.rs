//! Builds the runtime and the programs for every machine.
//!
//! In: the tools. Out: static libraries, programs. Holds afterwards: each program was translated with the headers and
//! the compiler of the machine that it is for, as its user would do it there.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{bail, Context, Result};

use super::machines::{Machine, MACHINES};
use super::packages::Tools;
use super::PROGRAMS;
use crate::workspace::{output, run, Workspace};

pub struct Built<'a> {
    tools: &'a Tools,
    /// Where programs and state files go.
    pub directory: PathBuf,
    /// What the compiler says that it is.
    pub rust: String,
    sources: PathBuf,
    include: PathBuf,
    libraries: PathBuf,
    translator: PathBuf,
}

impl<'a> Built<'a> {
    pub fn new(workspace: &Workspace, directory: &Path, tools: &'a Tools) -> Result<Built<'a>> {
        let rustc = directory.join("rustc");
        let (real, libraries) = (tools.program("rustc"), tools.libraries());
        let script = format!("#!/bin/sh\nLD_LIBRARY_PATH='{}' exec '{}' \"$@\"\n", libraries.display(), real.display());
        std::fs::write(&rustc, script)?;
        run(Command::new("chmod").arg("+x").arg(&rustc))?;
        let libraries = directory.join("build");
        for machine in MACHINES {
            let mut cargo = workspace.cargo(&["rustc", "--quiet", "--locked", "-p", "libcppc", "--lib", "--crate-type", "staticlib"]);
            cargo.args(["--target", machine.target]).env("RUSTC", &rustc).env("CARGO_TARGET_DIR", &libraries);
            // Nobody debugs these.
            cargo.env("CARGO_INCREMENTAL", "0").env("CARGO_PROFILE_DEV_DEBUG", "false").env_remove("RUSTUP_TOOLCHAIN");
            run(&mut cargo).with_context(|| format!("the runtime cannot be built for {}", machine.name))?;
        }
        run(&mut workspace.cargo(&["build", "--quiet", "--release", "-p", "cppc-preprocessor", "--bin", "cppc-pp"]))?;
        Ok(Built {
            tools,
            directory: directory.join("runs"),
            rust: output(Command::new(&rustc).arg("--version"))?.trim().to_owned(),
            sources: workspace.root.join(PROGRAMS),
            include: workspace.root.join("runtime-ffi/include"),
            libraries,
            translator: workspace.target().join("release/cppc-pp"),
        })
    }

    /// The names of the programs.
    pub fn programs(&self) -> Result<Vec<String>> {
        let mut names = Vec::new();
        for entry in std::fs::read_dir(&self.sources)? {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "c") {
                names.push(path.file_stem().unwrap_or_default().to_string_lossy().into_owned());
            }
        }
        names.sort();
        Ok(names)
    }

    /// Translates and compiles.
    pub fn compile(&self, machine: &Machine, program: &str) -> Result<PathBuf> {
        let directory = self.directory.join(machine.name);
        std::fs::create_dir_all(&directory)?;
        let compiler = match machine.emulator {
            None => PathBuf::from("cc"),
            Some(_) => self.tools.program(&format!("{}-linux-gnu-gcc-12", machine.gnu)),
        };
        let source = self.sources.join(program).with_extension("c");
        let translated = directory.join(program).with_extension("c");
        let mut translator = self.tools.command(&self.translator);
        translator.arg("--cc").arg(&compiler).arg("-I").arg(&self.sources).arg(&source).arg("-o").arg(&translated);
        silent(&mut translator)?;
        let binary = directory.join(program);
        let library = self.libraries.join(machine.target).join("debug/libcppc.a");
        let mut link = self.tools.command(&compiler);
        link.args(["-O1", "-static", "-ffp-contract=off"]).args(machine.flags).arg("-I").arg(&self.sources).arg("-I").arg(&self.include);
        // First what the compiler brings: Rust has arithmetic of `_Float128` too, which on i386 is called otherwise.
        link.arg("-o").arg(&binary).arg(&translated).arg("-lgcc").arg(library).args(["-lm", "-lpthread", "-ldl"]);
        silent(&mut link)?;
        Ok(binary)
    }

    /// A command that runs a program of the machine.
    pub fn command(&self, machine: &Machine, binary: &Path) -> Command {
        match machine.emulator {
            None => Command::new(binary),
            Some(emulator) => {
                let mut command = Command::new(self.tools.program(emulator));
                command.arg(binary);
                command
            }
        }
    }
}

/// Runs a command, and says what it said only when it fails.
fn silent(command: &mut Command) -> Result<()> {
    let name = command.get_program().to_string_lossy().into_owned();
    let done = command.output().with_context(|| format!("cannot run `{name}`"))?;
    if !done.status.success() {
        bail!("`{name}` failed:\n{}", String::from_utf8_lossy(&done.stderr));
    }
    Ok(())
}
