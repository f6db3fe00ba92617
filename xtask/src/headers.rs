//! `headers`: generates `cppc.h`, `cppcf.h`, `cppc.f90` and `cppc_writer.h` from the tables.
//!
//! Input: the tables in `abi`.
//! Output: `runtime-ffi/include/cppc.h` and `cppc_writer.h`, `fortran-bindings/include/cppcf.h` and
//! `module/cppc.f90`.
//! Postcondition: the committed files agree with the tables.

use anyhow::Result;

use crate::workspace::{write_or_check, Workspace};

pub fn run(workspace: &Workspace, check: bool) -> Result<()> {
    let headers = [
        ("runtime-ffi/include/cppc.h", cppc_abi::header::c_header()),
        ("runtime-ffi/include/cppc_writer.h", cppc_abi::writer::c_header()),
        ("fortran-bindings/include/cppcf.h", cppc_abi::fortran_header::fortran_header()),
        ("fortran-bindings/module/cppc.f90", cppc_abi::fortran_module::fortran_module()),
    ];
    for (path, text) in headers {
        if write_or_check(&workspace.root.join(path), &text, check)? {
            println!("wrote {path}");
        }
    }
    Ok(())
}
