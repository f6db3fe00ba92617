//! `cppc-pp`: the precompiler. It reads source files and writes rewritten files.

use cppc_abi::exit_statuses::ExitStatus;
use std::process::ExitCode;

/// The analyses make many small objects. The allocator of the C library spends most of the time on large programs.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    match cppc_preprocessor::precompile::run(std::env::args_os()) {
        Ok(status) => status.into(),
        Err(error) => {
            eprintln!("cppc-pp: {error:#}");
            ExitStatus::NotExecuted.into()
        }
    }
}
