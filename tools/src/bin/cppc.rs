//! `cppc`: looks at state files. The story is told in `cppc_tools::command`.

fn main() -> std::process::ExitCode {
    cppc_tools::command::main()
}
