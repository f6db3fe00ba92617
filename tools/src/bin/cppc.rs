//! `cppc`: inspects state files. See `cppc_tools::command`.

fn main() -> std::process::ExitCode {
    cppc_tools::command::main()
}
