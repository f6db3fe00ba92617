//! The library `cppc_messages`: a layer between a program and MPI, see `message-check/layer`.
//!
//! Input: the C sources of the layer, and the `mpi.h` of a compiler.
//! Output: a shared library for that MPI.
//! Postcondition: each procedure of `mpi.h` is in the layer, or is in the list of those that need no count.

mod prototypes;
mod effect;
mod wrappers;

use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{ensure, Result};

use crate::workspace::{output, run, Workspace};
use effect::effect;
use prototypes::{prototypes, Prototype};

/// The names that the library exports.
const EXPORTS: &str = "{ global: MPI_*; PMPI_*; CPPC_Messages_*; local: *; };\n";

/// The procedures of the `mpi.h` of a compiler.
fn procedures(compiler: &str) -> Result<Vec<Prototype>> {
    let mut preprocess = Command::new(compiler);
    preprocess.args(["-E", "-P", "-include", "mpi.h", "-x", "c", "/dev/null"]);
    let found = prototypes(&output(preprocess.stdin(Stdio::null()))?);
    ensure!(!found.is_empty(), "the `mpi.h` of `{compiler}` declares no procedures");
    Ok(found)
}

/// Builds the library at `library`. `places` is the static library of the crate `cppc-message-check`, `work` is a
/// directory for generated files.
pub fn build(
    workspace: &Workspace,
    compiler: &str,
    places: &Path,
    work: &Path,
    library: &Path,
) -> Result<()> {
    let procedures = procedures(compiler)?;
    let unknown: Vec<&str> = procedures
        .iter()
        .filter(|procedure| effect(procedure).is_none())
        .map(|procedure| &*procedure.name)
        .collect();
    if !unknown.is_empty() {
        println!("libcppc_messages does not check these procedures of this MPI: {}", unknown.join(", "));
    }
    std::fs::create_dir_all(work)?;
    let (generated, exports) = (work.join("wrappers.c"), work.join("exports"));
    std::fs::write(&generated, wrappers::wrappers(&procedures))?;
    std::fs::write(&exports, EXPORTS)?;
    let layer = workspace.root.join("message-check/layer");
    let mut build = Command::new(compiler);
    build.args(["-shared", "-fPIC", "-O2", "-g", "-pthread", "-std=gnu11", "-ftls-model=initial-exec", "-w"]);
    // The compiler compares each wrapper with `mpi.h`.
    build.args([
        "-Werror=implicit-function-declaration",
        "-Werror=incompatible-pointer-types",
        "-Werror=int-conversion",
    ]);
    build.arg("-I").arg(&layer).arg(&generated);
    for part in ["maps", "communicators", "channels", "requests", "windows", "check", "places"] {
        build.arg(layer.join(part).with_extension("c"));
    }
    build
        .arg(places)
        .args(cppc_abi::STATIC_LIBRARY_NEEDS)
        .arg(format!("-Wl,--version-script={}", exports.display()));
    build.arg(format!("-Wl,-soname,{}", library.file_name().unwrap_or_default().to_string_lossy()));
    run(build.arg("-Wl,-z,defs").arg("-Wl,--gc-sections").arg("-o").arg(library))
}

#[cfg(test)]
mod tests {
    use super::effect::Effect;
    use super::*;

    /// The compilers of the MPIs that are installed.
    fn compilers() -> Vec<&'static str> {
        let all = ["mpicc", "mpicc.openmpi", "mpicc.mpich"];
        all.into_iter().filter(|compiler| procedures(compiler).is_ok()).collect()
    }

    #[test]
    fn every_procedure_of_mpi_is_handled_or_needs_no_count() {
        for compiler in compilers() {
            let procedures = procedures(compiler).unwrap();
            let unknown: Vec<_> = procedures
                .iter()
                .filter(|procedure| effect(procedure).is_none())
                .map(|procedure| &procedure.name)
                .collect();
            assert!(
                unknown.is_empty(),
                "the check of messages does not know these procedures of {compiler}: {unknown:?}"
            );
        }
    }

    /// A procedure with these parameters is never one of those that need no count.
    #[test]
    fn what_opens_a_request_is_handled() {
        for compiler in compilers() {
            for procedure in procedures(compiler).unwrap() {
                let opens = procedure.name != "MPI_Cancel"
                    && procedure.parameters.iter().any(|parameter| {
                        parameter.name == "request"
                            && parameter.text.contains('*')
                            && !parameter.text.contains("const")
                    });
                assert!(!opens || effect(&procedure) != Some(Effect::None), "{}", procedure.name);
            }
        }
    }
}
