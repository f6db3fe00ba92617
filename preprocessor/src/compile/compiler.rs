//! The compiler that a wrapper runs.
//!
//! Input: an option of the wrapper, the name by which it was called, `CPPC_CC` or `CPPC_FC`.
//! Output: commands of that compiler.
//! Postcondition: the compiler is never the wrapper itself.

use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Command, ExitStatus, Output, Stdio};
use std::sync::{Arc, Mutex};

use super::wrapper::Wrapper;
use super::wrapper_options::WrapperOptions;
use super::Failure;
use crate::language::Language;

/// Environment variable that is set for the commands that the wrapper runs. It detects a compiler command
/// that runs the wrapper again.
const GUARD: &str = "CPPC_CC_RUNNING";

/// The words of a compiler, a language and options.
type Question = (Vec<OsString>, Language, Vec<String>);

#[derive(Debug)]
pub struct Compiler {
    words: Vec<OsString>,
    /// Which options the compiler accepts, as far as it was asked.
    accepted: Arc<Mutex<HashMap<Question, bool>>>,
    /// The name with which each command is reported. `None` if commands are not reported.
    wrapper_name: Option<&'static str>,
}

impl Compiler {
    /// The compiler that the command line names, or that `program`, the path by which the wrapper was called, names
    /// (`cppc-mpicc`), or that the environment names, in this order.
    pub fn find(wrapper: &Wrapper, options: &WrapperOptions, program: &OsStr) -> Result<Compiler, Failure> {
        let variable = || std::env::var_os(wrapper.variable).filter(|value| !words(value).is_empty());
        let chosen = options.compiler.clone().or_else(|| wrapper.compiler_of_name(program)).or_else(variable);
        let words = words(&chosen.unwrap_or(wrapper.compiler.into()));
        if std::env::var_os(GUARD).is_some_and(|set| set == "1") {
            let Wrapper { name, variable, compilers, .. } = wrapper;
            return Err(Failure::CannotRun(format!(
                "the compiler runs `{name}` again: name the compiler itself in `{variable}` or in `--cppc-cc`, such as {compilers}"
            )));
        }
        // The variable is set for all commands from here on, including those that preprocess.
        std::env::set_var(GUARD, "1");
        let wrapper_name = options.verbose.then_some(wrapper.name);
        Ok(Compiler { words, accepted: Arc::default(), wrapper_name })
    }

    #[cfg(test)]
    pub fn of_words(words: Vec<OsString>) -> Compiler {
        Compiler { words, accepted: Arc::default(), wrapper_name: None }
    }

    pub fn words(&self) -> &[OsString] {
        &self.words
    }

    /// The compiler with the command words of a record.
    pub fn with_words(&self, words: Vec<OsString>) -> Compiler {
        Compiler { words, accepted: self.accepted.clone(), wrapper_name: self.wrapper_name }
    }

    pub fn command(&self, arguments: &[OsString]) -> Command {
        let mut command = Command::new(&self.words[0]);
        command.args(&self.words[1..]).args(arguments);
        command
    }

    /// Replaces this program by the compiler. Returns only if that fails.
    pub fn replace_process(&self, arguments: &[OsString]) -> Failure {
        let mut command = self.command(arguments);
        self.report_command(&command);
        let error = command.exec();
        self.cannot_run(&error)
    }

    pub fn run(&self, mut command: Command) -> Result<ExitStatus, Failure> {
        self.report_command(&command);
        command.status().map_err(|error| self.cannot_run(&error))
    }

    /// Runs a command and returns what it printed.
    pub fn output(&self, mut command: Command) -> std::io::Result<Output> {
        self.report_command(&command);
        command.stdin(Stdio::null()).output()
    }

    pub fn cannot_run(&self, error: &std::io::Error) -> Failure {
        Failure::CannotRun(format!("cannot run `{}`: {error}", self.words[0].to_string_lossy()))
    }

    fn report_command(&self, command: &Command) {
        if let Some(speaker) = self.wrapper_name {
            let mut text = command.get_program().to_string_lossy().into_owned();
            for argument in command.get_args() {
                text.push(' ');
                text.push_str(&argument.to_string_lossy());
            }
            eprintln!("{speaker}: {text}");
        }
    }

    /// True if this compiler includes MPI: its name contains `mpi`, or it is a wrapper whose output for
    /// `-show` or `-showme` contains it.
    pub fn is_for_mpi(&self) -> bool {
        self.words.iter().any(|word| file_name_contains(word, "mpi"))
            || self.shows("-show")
            || self.shows("-showme")
    }

    /// True if the compiler accepts these options for a source of this language without a warning.
    pub fn accepts(&self, language: Language, options: &[&str]) -> bool {
        let options_asked = options.iter().map(|&option| option.to_owned()).collect();
        let question = (self.words.clone(), language, options_asked);
        let Ok(mut accepted) = self.accepted.lock() else { return self.asked(language, options) };
        *accepted.entry(question).or_insert_with(|| self.asked(language, options))
    }

    fn asked(&self, language: Language, options: &[&str]) -> bool {
        // The input is an empty file because some compilers cannot read a device.
        let (ending, kind) = match language {
            Language::C => (".c", "c"),
            Language::Fortran => (".f90", "f95-cpp-input"),
        };
        let Ok(empty) = tempfile::Builder::new().suffix(ending).tempfile() else { return false };
        let mut words: Vec<OsString> = options.iter().map(OsString::from).collect();
        words.extend(["-Werror", "-E", "-x", kind].map(OsString::from));
        words.extend([empty.path().into(), "-o".into(), "/dev/null".into()]);
        let mut command = self.command(&words);
        let status = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
        status.is_ok_and(|status| status.success())
    }

    fn shows(&self, option: &str) -> bool {
        let output = self.command(&[option.into()]).stdin(Stdio::null()).stderr(Stdio::null()).output();
        output.is_ok_and(|output| {
            output.status.success() && String::from_utf8_lossy(&output.stdout).contains("mpi")
        })
    }
}

/// The words of a command.
pub fn words(command: &OsStr) -> Vec<OsString> {
    let words = command.as_bytes().split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    words.map(|word| OsStr::from_bytes(word).to_owned()).collect()
}

fn file_name_contains(word: &OsStr, part: &str) -> bool {
    let name = Path::new(word).file_name().unwrap_or_default();
    !word.as_bytes().starts_with(b"-") && name.to_string_lossy().contains(part)
}

/// The exit code that corresponds to the status of a command.
pub fn code(status: ExitStatus) -> u8 {
    match (status.code(), status.signal()) {
        (Some(code), _) => code as u8,
        (None, Some(signal)) => 128u8.wrapping_add(signal as u8),
        (None, None) => 1,
    }
}
