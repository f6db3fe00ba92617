//! `headers`: makes `cppc.h`, `cppcf.h` and `cppc_writer.h` from the tables.
//!
//! In: the tables in `abi`. Out: `runtime-ffi/include/cppc.h` and `cppc_writer.h`, `fortran-bindings/include/cppcf.h`.
//! Holds afterwards: the committed headers are what the tables say.

use anyhow::Result;

use crate::workspace::{write_or_check, Workspace};

pub fn run(workspace: &Workspace, check: bool) -> Result<()> {
    let headers = [
        ("runtime-ffi/include/cppc.h", cppc_abi::header::c_header()),
        ("runtime-ffi/include/cppc_writer.h", cppc_abi::writer::c_header()),
        ("fortran-bindings/include/cppcf.h", cppc_abi::fortran_header::fortran_header()),
    ];
    for (path, text) in headers {
        if write_or_check(&workspace.root.join(path), &text, check)? {
            println!("wrote {path}");
        }
    }
    Ok(())
}
