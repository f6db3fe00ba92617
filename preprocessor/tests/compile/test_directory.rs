//! A temporary directory for compiling, and the wrapper as a separate process: a test program that runs
//! itself again.
//!
//! Input: files.
//! Output: the output of the wrapper and of the programs that it made.
//! Postcondition: the wrapper has left no files in the directory for temporary files.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;
use std::process::{Command, Output};

use cppc_preprocessor::compile::{self, Translator, Wrapper};
use tempfile::TempDir;

pub const ARGUMENTS: &str = "TEST_ARGUMENTS";

/// The body of the test `act_as_wrapper`, which acts as the wrapper when the other tests run it.
pub fn act_as_wrapper(wrapper: &'static Wrapper, translator: Translator) {
    let Some(arguments) = std::env::var_os(ARGUMENTS) else { return };
    std::env::remove_var(ARGUMENTS);
    let words = arguments.as_bytes().split(|byte| *byte == b'\n');
    let words = words.filter(|word| !word.is_empty()).map(|word| OsString::from_vec(word.to_vec()));
    std::process::exit(
        compile::run(wrapper, std::iter::once(wrapper.name.into()).chain(words), translator).into(),
    );
}

/// A directory with sources, and an installation of CPPC with an empty runtime.
pub struct TestDirectory {
    pub root: TempDir,
}

impl TestDirectory {
    pub fn new(files: &[(&str, &str)]) -> TestDirectory {
        let directory = TestDirectory { root: tempfile::tempdir().unwrap() };
        directory.write("prefix/include/cppc.h", "int CPPC_Shutdown(void);\n");
        directory.write("prefix/lib/runtime.c", "int CPPC_Shutdown(void) { return 0; }\n");
        for (name, text) in files {
            directory.write(name, text);
        }
        directory.run("cc", "-c prefix/lib/runtime.c -o prefix/lib/runtime.o");
        directory.run("ar", "qcs prefix/lib/libcppc.a prefix/lib/runtime.o");
        directory
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    pub fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn run(&self, program: &str, line: &str) -> String {
        let output = Command::new(program)
            .args(line.split_whitespace())
            .current_dir(self.root.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{program} {line}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    pub fn start(&self, directory: &str, line: &str) -> Output {
        let temporary = self.path("tmp");
        std::fs::create_dir_all(&temporary).unwrap();
        let output = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "act_as_wrapper", "--nocapture"])
            .env(ARGUMENTS, line.split_whitespace().collect::<Vec<_>>().join("\n"))
            .env("CPPC_PREFIX", self.path("prefix"))
            .env("TMPDIR", &temporary)
            .env_remove("CPPC_CC")
            .env_remove("CPPC_FC")
            .current_dir(self.path(directory))
            .output()
            .unwrap();
        let left: Vec<_> =
            std::fs::read_dir(&temporary).unwrap().flatten().map(|entry| entry.path()).collect();
        assert!(left.is_empty(), "left behind: {left:?}");
        output
    }

    /// Runs the wrapper, which must succeed without output.
    pub fn compile(&self, line: &str) {
        let output = self.start("", line);
        let messages = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success() && messages.is_empty(), "{line}: {messages}");
    }

    /// Runs the wrapper, which must end with this code. Returns its output.
    pub fn fails(&self, code: i32, line: &str) -> String {
        let output = self.start("", line);
        let messages = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{line}: {messages}");
        messages
    }

    /// The output of a program that was built here.
    pub fn prints(&self, program: &str) -> String {
        self.run(self.path(program).to_str().unwrap(), "")
    }
}
