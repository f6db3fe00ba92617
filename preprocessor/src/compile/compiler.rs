//! The compiler behind a wrapper.
//!
//! In: `CPPC_CC` or `CPPC_FC`. Out: commands of that compiler. Holds afterwards: the compiler is never this
//! program itself.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

use super::wrapper::Wrapper;
use super::Failure;
use crate::language::Language;

/// Set for the commands we run, so that a compiler that leads back here is found out.
const GUARD: &str = "CPPC_CC_RUNNING";

#[derive(Debug)]
pub struct Compiler {
    words: Vec<OsString>,
    /// Who speaks of what is run; none when nothing is said.
    speaker: Option<&'static str>,
}

impl Compiler {
    pub fn find(wrapper: &Wrapper, verbose: bool) -> Result<Compiler, Failure> {
        let said = std::env::var_os(wrapper.variable).unwrap_or_default();
        let mut words: Vec<OsString> = said
            .as_bytes()
            .split(u8::is_ascii_whitespace)
            .filter(|word| !word.is_empty())
            .map(|word| OsStr::from_bytes(word).to_owned())
            .collect();
        if words.is_empty() {
            words.push(wrapper.compiler.into());
        }
        if std::env::var_os(GUARD).is_some_and(|set| set == "1") {
            let Wrapper { name, variable, compilers, .. } = wrapper;
            return Err(Failure::CannotRun(format!(
                "`{variable}` leads back to `{name}`: set it to the compiler itself, such as {compilers}"
            )));
        }
        // Whatever is run from here on, also to preprocess.
        std::env::set_var(GUARD, "1");
        Ok(Compiler { words, speaker: verbose.then_some(wrapper.name) })
    }

    pub fn words(&self) -> &[OsString] {
        &self.words
    }

    /// The same compiler under other words, as a record has them.
    pub fn with_words(&self, words: Vec<OsString>) -> Compiler {
        Compiler { words, speaker: self.speaker }
    }

    pub fn command(&self, arguments: &[OsString]) -> Command {
        let mut command = Command::new(&self.words[0]);
        command.args(&self.words[1..]).args(arguments);
        command
    }

    /// Runs the compiler in the place of this program; comes back only when that cannot be done.
    pub fn become_it(&self, arguments: &[OsString]) -> Failure {
        let mut command = self.command(arguments);
        self.say(&command);
        let error = command.exec();
        self.cannot_run(&error)
    }

    pub fn run(&self, mut command: Command) -> Result<ExitStatus, Failure> {
        self.say(&command);
        command.status().map_err(|error| self.cannot_run(&error))
    }

    pub fn cannot_run(&self, error: &std::io::Error) -> Failure {
        Failure::CannotRun(format!("cannot run `{}`: {error}", self.words[0].to_string_lossy()))
    }

    fn say(&self, command: &Command) {
        if let Some(speaker) = self.speaker {
            let mut text = command.get_program().to_string_lossy().into_owned();
            for argument in command.get_args() {
                text.push(' ');
                text.push_str(&argument.to_string_lossy());
            }
            eprintln!("{speaker}: {text}");
        }
    }

    /// Whether this compiler brings an MPI with it: its name says so, or it is a wrapper that shows
    /// one when asked.
    pub fn is_for_mpi(&self) -> bool {
        self.words.iter().any(|word| file_name_contains(word, "mpi")) || self.shows("-show") || self.shows("-showme")
    }

    /// Whether the compiler takes these options for a source of this language without a word.
    pub fn accepts(&self, language: Language, options: &[&str]) -> bool {
        // Not every compiler reads a device.
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

fn file_name_contains(word: &OsStr, part: &str) -> bool {
    let name = Path::new(word).file_name().unwrap_or_default();
    !word.as_bytes().starts_with(b"-") && name.to_string_lossy().contains(part)
}

/// The exit code that passes on how a command ended.
pub fn code(status: ExitStatus) -> u8 {
    match (status.code(), status.signal()) {
        (Some(code), _) => code as u8,
        (None, Some(signal)) => 128u8.wrapping_add(signal as u8),
        (None, None) => 1,
    }
}
