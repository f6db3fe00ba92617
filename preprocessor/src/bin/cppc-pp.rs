//! `cppc-pp`: the precompiler, files in, rewritten files out.

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
