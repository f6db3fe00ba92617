//! `cppc-cc`: a C compiler that translates directives. See `cppc_preprocessor::compile`.

use std::process::ExitCode;

use cppc_preprocessor::compile;

fn main() -> ExitCode {
    let arguments = std::env::args_os().skip(1).collect();
    ExitCode::from(compile::run(&compile::CPPC_CC, arguments, &compile::translate))
}
