//! `cppc-fc`: a Fortran compiler that translates directives. See `cppc_preprocessor::compile`.

use std::process::ExitCode;

use cppc_preprocessor::compile;

fn main() -> ExitCode {
    ExitCode::from(compile::run(&compile::CPPC_FC, std::env::args_os(), &compile::translate))
}
