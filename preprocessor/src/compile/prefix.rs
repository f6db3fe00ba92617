//! Finds the installation of CPPC from the path of the running program, so that an installation can be moved.
//!
//! Input: `CPPC_PREFIX`, the path of the program.
//! Output: paths of the header and the libraries.
//! Postcondition: the directory of the header is returned only if it contains `cppc.h`.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use cppc_abi::mpi::{self, Mpi};

use super::Failure;

#[derive(Debug)]
pub struct Prefix {
    root: PathBuf,
}

impl Prefix {
    pub fn find() -> Result<Prefix, Failure> {
        if let Some(root) = std::env::var_os("CPPC_PREFIX").filter(|root| !root.is_empty()) {
            return Ok(Prefix { root: root.into() });
        }
        let program =
            std::env::current_exe().and_then(|program| program.canonicalize()).map_err(|error| {
                Failure::CannotRun(format!("cannot determine the path of this program: {error}"))
            })?;
        let root = program.parent().and_then(Path::parent).unwrap_or(Path::new("/"));
        Ok(Prefix { root: root.to_owned() })
    }

    /// The directory of `cppc.h`.
    pub fn include(&self) -> Option<PathBuf> {
        let directory = self.root.join("include");
        directory.join("cppc.h").exists().then_some(directory)
    }

    pub fn libraries(&self) -> PathBuf {
        self.root.join("lib")
    }

    /// The MPI for which `libcppc_mpi` was built. `None` if it is not known.
    pub fn mpi(&self) -> Option<Mpi> {
        Mpi::of_file(&std::fs::read_to_string(self.libraries().join(mpi::FILE)).ok()?)
    }

    /// The words that link the layer between the program and MPI. The linker must not drop it, although MPI defines all that
    /// the program needs of it.
    pub fn message_check(&self) -> Result<Vec<OsString>, Failure> {
        let directory = self.libraries();
        let file = directory.join("libcppc_messages.so");
        if !file.exists() {
            return Err(self.missing("lib/libcppc_messages.so"));
        }
        let mut search = OsString::from("-Wl,-rpath,");
        search.push(&directory);
        Ok(vec!["-Wl,--push-state,--no-as-needed".into(), file.into(), "-Wl,--pop-state".into(), search])
    }

    pub fn missing(&self, what: &str) -> Failure {
        Failure::CannotRun(format!(
            "there is no `{what}` under `{}`: install CPPC with `make install`, or set CPPC_PREFIX to where it is",
            self.root.display()
        ))
    }
}
