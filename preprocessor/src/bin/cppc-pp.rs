//! `cppc-pp`: the precompiler. It reads source files and writes rewritten files.

use std::process::ExitCode;

fn main() -> ExitCode {
    match cppc_preprocessor::precompile::run(std::env::args_os()) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("cppc-pp: {error:#}");
            ExitCode::from(2)
        }
    }
}
