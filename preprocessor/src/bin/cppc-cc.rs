//! `cppc-cc`: a C compiler that translates directives. See `cppc_preprocessor::compile`.

use std::process::ExitCode;

use cppc_preprocessor::compile;

/// The analyses make many small objects. The allocator of the C library spends most of the time on large programs.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    ExitCode::from(compile::run(&compile::CPPC_CC, std::env::args_os(), &compile::translate))
}
