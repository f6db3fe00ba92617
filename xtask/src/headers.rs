//! `headers`: makes `cppc.h` from the table of calls.
//!
//! In: the table in `abi`. Out: `runtime-ffi/include/cppc.h`. Holds afterwards: the committed header
//! is what the table says.

use anyhow::Result;

use crate::workspace::{write_or_check, Workspace};

pub fn run(workspace: &Workspace, check: bool) -> Result<()> {
    let path = workspace.root.join("runtime-ffi/include/cppc.h");
    if write_or_check(&path, &cppc_abi::header::c_header(), check)? {
        println!("wrote runtime-ffi/include/cppc.h");
    }
    Ok(())
}
