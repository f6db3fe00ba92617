//! `cppc-fc`: a Fortran compiler that translates directives. See `cppc_preprocessor::compile`.

use std::process::ExitCode;

use cppc_preprocessor::compile;

fn main() -> ExitCode {
    let arguments = std::env::args_os().skip(1).collect();
    ExitCode::from(compile::run(&compile::CPPC_FC, arguments, &compile::translate))
}
