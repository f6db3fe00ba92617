//! Compares the MPI of the compiler with the MPI for which the installed library was built.
//!
//! Input: the task of a link.
//! Output: an error that names both, if the library cannot work with the compiler's MPI.
//! Postcondition: an MPI that is not known is no error here. The runtime compares again when the program starts.

use std::ffi::OsString;
use std::process::Stdio;

use cppc_abi::mpi::Mpi;

use super::{Failure, Task};

pub fn compare(task: &Task) -> Result<(), Failure> {
    let Some(of_library) = task.prefix.mpi() else { return Ok(()) };
    let Some(of_compiler) = of_compiler(task) else { return Ok(()) };
    if of_library.implementation == of_compiler.implementation {
        return Ok(());
    }
    let compiler = task.compiler.words()[0].to_string_lossy();
    Err(Failure::CannotRun(format!(
        "`{}` is for {of_library}, but `{compiler}` is for {of_compiler}: use the compiler of {}, or install CPPC for {} under another prefix with `make install MPICC={compiler} PREFIX=DIR`, and link with the programs in `DIR/bin`",
        task.prefix.libraries().join("libcppc_mpi.a").display(),
        of_library.implementation.name(),
        of_compiler.implementation.name(),
    )))
}

/// From `mpi.h`, as the compiler finds it.
fn of_compiler(task: &Task) -> Option<Mpi> {
    let mut words: Vec<OsString> = Vec::new();
    for directory in task.include_directories() {
        words.extend(["-I".into(), directory.into_os_string()]);
    }
    words.extend(["-E", "-dM", "-include", "mpi.h", "-x", "c", "/dev/null"].map(OsString::from));
    let output = task.compiler.command(&words).stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    if !output.status.success() {
        return None;
    }
    Mpi::of_macros(&String::from_utf8_lossy(&output.stdout))
}
