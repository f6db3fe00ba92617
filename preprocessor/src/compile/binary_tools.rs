//! The programs of a compiler for archives with link-time optimisation: `cppc-gcc-ar` runs `gcc-ar`. Build systems look for
//! them by the name of the compiler (CMake, `CMAKE_C_COMPILER_AR`).
//!
//! Input: the path by which a wrapper was called, and a command line.
//! Output: the program of the wrapped compiler, in place of this process.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use super::compiler::words;
use super::wrapper::Wrapper;
use super::Failure;

const TOOLS: [&str; 6] = ["gcc-ar", "gcc-nm", "gcc-ranlib", "llvm-ar", "llvm-nm", "llvm-ranlib"];

/// The program that the name of a link stands for: `gcc-ar` for `/opt/bin/cppc-gcc-ar`.
pub fn tool_of_name(program: &OsStr) -> Option<&'static str> {
    let name = Path::new(program).file_name()?.as_bytes().strip_prefix(b"cppc-")?;
    TOOLS.into_iter().find(|tool| tool.as_bytes() == name)
}

/// Runs a program with these arguments in place of this process. Returns only if that fails.
pub fn replace_process(wrapper: &Wrapper, tool: &str, arguments: &[OsString]) -> Failure {
    let path = of_compiler(wrapper, tool).unwrap_or_else(|| tool.into());
    let error = Command::new(&path).args(arguments).exec();
    Failure::CannotRun(format!("cannot run `{}`: {error}", path.to_string_lossy()))
}

/// The path of the program that belongs to the compiler. None if the compiler does not know it.
fn of_compiler(wrapper: &Wrapper, tool: &str) -> Option<OsString> {
    let chosen = std::env::var_os(wrapper.variable).unwrap_or_else(|| wrapper.compiler.into());
    let words = words(&chosen);
    let (compiler, options) = words.split_first()?;
    let mut question = Command::new(compiler);
    question.args(options).arg(format!("-print-prog-name={tool}"));
    let output = question.stdin(Stdio::null()).stderr(Stdio::null()).output().ok()?;
    let path = Path::new(OsStr::from_bytes(output.stdout.trim_ascii_end())).to_owned();
    path.is_file().then(|| path.into_os_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_links_to_tools_stand_for_them() {
        let of = |name: &str| tool_of_name(OsStr::new(name));
        assert_eq!(of("/opt/bin/cppc-gcc-ar"), Some("gcc-ar"));
        assert_eq!(of("cppc-llvm-ranlib"), Some("llvm-ranlib"));
        assert_eq!(of("cppc-gcc"), None);
        assert_eq!(of("gcc-ar"), None);
    }
}
