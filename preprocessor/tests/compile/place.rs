//! A place to compile in, and the wrapper as a process of its own: a test program that runs itself
//! again.
//!
//! In: files. Out: what the wrapper and the programs it made say. Holds afterwards: the wrapper has left
//! nothing in the temporary directory.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;
use std::process::{Command, Output};

use cppc_preprocessor::compile::{self, Translator, Wrapper};
use tempfile::TempDir;

pub const ARGUMENTS: &str = "TEST_ARGUMENTS";

/// The body of the test `stand_in`, which is the wrapper when the others run it.
pub fn stand_in(wrapper: &'static Wrapper, translator: Translator) {
    let Some(arguments) = std::env::var_os(ARGUMENTS) else { return };
    std::env::remove_var(ARGUMENTS);
    let words = arguments.as_bytes().split(|byte| *byte == b'\n');
    let words = words.filter(|word| !word.is_empty()).map(|word| OsString::from_vec(word.to_vec()));
    std::process::exit(compile::run(wrapper, words.collect(), translator).into());
}

/// A directory with sources, and an installed CPPC with an empty runtime.
pub struct Place {
    pub directory: TempDir,
}

impl Place {
    pub fn new(files: &[(&str, &str)]) -> Place {
        let place = Place { directory: tempfile::tempdir().unwrap() };
        place.write("prefix/include/cppc.h", "int CPPC_Shutdown(void);\n");
        place.write("prefix/lib/runtime.c", "int CPPC_Shutdown(void) { return 0; }\n");
        for (name, text) in files {
            place.write(name, text);
        }
        place.run("cc", "-c prefix/lib/runtime.c -o prefix/lib/runtime.o");
        place.run("ar", "qcs prefix/lib/libcppc.a prefix/lib/runtime.o");
        place
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
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
            .current_dir(self.directory.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{program} {line}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    pub fn start(&self, directory: &str, line: &str) -> Output {
        let temporary = self.path("tmp");
        std::fs::create_dir_all(&temporary).unwrap();
        let output = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "stand_in", "--nocapture"])
            .env(ARGUMENTS, line.split_whitespace().collect::<Vec<_>>().join("\n"))
            .env("CPPC_PREFIX", self.path("prefix"))
            .env("TMPDIR", &temporary)
            .env_remove("CPPC_CC")
            .env_remove("CPPC_FC")
            .current_dir(self.path(directory))
            .output()
            .unwrap();
        let left: Vec<_> = std::fs::read_dir(&temporary).unwrap().flatten().map(|entry| entry.path()).collect();
        assert!(left.is_empty(), "left behind: {left:?}");
        output
    }

    /// Runs the wrapper, which has to succeed and to say nothing.
    pub fn compile(&self, line: &str) {
        let output = self.start("", line);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success() && said.is_empty(), "{line}: {said}");
    }

    /// Runs the wrapper, which has to end with this code; gives what it said.
    pub fn fails(&self, code: i32, line: &str) -> String {
        let output = self.start("", line);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{line}: {said}");
        said
    }

    /// What a program that was built here prints.
    pub fn prints(&self, program: &str) -> String {
        self.run(self.path(program).to_str().unwrap(), "")
    }
}
