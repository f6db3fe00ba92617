//! Builds the runtime and the writer hdf5 for every machine.
//!
//! Input: the tools.
//! Output: a static library and a shared object for each machine.
//! Postcondition: all of them were built with the oldest supported Rust.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};

use super::machines::{Machine, MACHINES};
use super::packages::Tools;
use crate::archive;
use crate::workspace::{output, run, Workspace};

pub struct Runtime {
    /// The version that the compiler reports.
    pub rust: String,
    build: PathBuf,
}

impl Runtime {
    pub fn new(workspace: &Workspace, directory: &Path, tools: &Tools) -> Result<Runtime> {
        let rustc = compiler(directory, tools)?;
        let runtime = Runtime {
            rust: output(Command::new(&rustc).arg("--version"))?.trim().to_owned(),
            build: directory.join("build"),
        };
        for machine in MACHINES {
            let build = |package: &str, kind: &str| {
                let mut cargo =
                    workspace.cargo(&["rustc", "--quiet", "--locked", "--lib", "--ignore-rust-version"]);
                cargo.args(["--package", package, "--crate-type", kind, "--target", machine.target]);
                cargo.env("RUSTC", &rustc).env("CARGO_TARGET_DIR", &runtime.build);
                // These builds are never debugged, and run for a short time only.
                cargo
                    .env("CARGO_INCREMENTAL", "0")
                    .env("CARGO_PROFILE_DEV_OPT_LEVEL", "0")
                    .env("CARGO_PROFILE_DEV_DEBUG", "false")
                    .env_remove("RUSTUP_TOOLCHAIN");
                cargo
            };
            let library = run(&mut build("libcppc", "staticlib"));
            library.with_context(|| format!("the runtime cannot be built for {}", machine.name))?;
            runtime.finish(machine, tools)?;
            let mut writer = build("cppc-writer-hdf5", "cdylib");
            if machine.emulator.is_some() {
                for_another(&mut writer, machine, tools, &hdf5(directory, tools, machine)?);
            }
            run(&mut writer)
                .with_context(|| format!("the writer of HDF5 cannot be built for {}", machine.name))?;
        }
        Ok(runtime)
    }

    pub fn library(&self, machine: &Machine) -> PathBuf {
        self.build.join(machine.target).join("libcppc.a")
    }

    /// The directory of the writer.
    pub fn writers(&self, machine: &Machine) -> PathBuf {
        self.build.join(machine.target).join("debug")
    }

    fn finish(&self, machine: &Machine, tools: &Tools) -> Result<()> {
        let tool = |name: &str| match machine.emulator {
            None => Command::new(name),
            Some(_) => tools.command(&tools.program(&format!("{}-linux-gnu-{name}", machine.gnu))),
        };
        archive::for_programs(&self.writers(machine).join("libcppc.a"), &self.library(machine), tool)
    }
}

/// A script that runs the Rust compiler of the tools.
fn compiler(directory: &Path, tools: &Tools) -> Result<PathBuf> {
    let rustc = directory.join("rustc");
    let (real, libraries) = (tools.program("rustc"), tools.libraries());
    let script =
        format!("#!/bin/sh\nLD_LIBRARY_PATH='{}' exec '{}' \"$@\"\n", libraries.display(), real.display());
    std::fs::write(&rustc, script)?;
    run(Command::new("chmod").arg("+x").arg(&rustc))?;
    Ok(rustc)
}

fn for_another(cargo: &mut Command, machine: &Machine, tools: &Tools, hdf5: &Path) {
    let target = machine.target.to_uppercase().replace('-', "_");
    cargo.env(
        format!("CARGO_TARGET_{target}_LINKER"),
        tools.program(&format!("{}-linux-gnu-gcc-12", machine.gnu)),
    );
    cargo.env(format!("CARGO_TARGET_{target}_RUSTFLAGS"), format!("-Clink-arg={}", tools.root_for_linker()));
    cargo.env("HDF5_DIR", hdf5);
}

/// A directory in the form that the HDF5 binding expects. The binding loads the library to determine its
/// version, which works only on the machine itself. Therefore a small library that only returns the version
/// is placed after the real one.
fn hdf5(directory: &Path, tools: &Tools, machine: &Machine) -> Result<PathBuf> {
    let home = directory.join("hdf5").join(machine.name);
    if home.exists() {
        std::fs::remove_dir_all(&home)?;
    }
    let (real, answers) = (home.join("lib"), home.join("bin"));
    std::fs::create_dir_all(&real)?;
    std::fs::create_dir_all(&answers)?;
    let installed = tools.machine(machine);
    let header = installed.join("usr/include/hdf5/serial");
    std::os::unix::fs::symlink(&header, home.join("include"))?;
    let library = installed.join("usr/lib").join(machine.libraries).join("libhdf5_serial.so.103");
    std::os::unix::fs::symlink(library, real.join("libhdf5.so"))?;
    let source = answers.join("version.c");
    std::fs::write(
        &source,
        "#include \"H5pubconf.h\"\n#include <stdio.h>\nint H5open(void) { return 0; }\n\
         int H5get_libversion(unsigned *major, unsigned *minor, unsigned *release)\n\
         { return sscanf(H5_VERSION, \"%u.%u.%u\", major, minor, release) == 3 ? 0 : -1; }\n",
    )?;
    let mut compile = Command::new("cc");
    run(compile
        .args(["-shared", "-fPIC", "-o"])
        .arg(answers.join("libhdf5.so"))
        .arg("-I")
        .arg(header)
        .arg(source))?;
    Ok(home)
}
