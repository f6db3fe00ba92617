//! `cppc-cc`: a compiler that translates what carries directives before it compiles.
//!
//! In: a compiler's command line. Out: what the compiler makes of it, with translated sources in the
//! places of those that need it, and the runtime linked. Holds afterwards: everything that needs no
//! translation is compiled from its own path by the very words that were given.

mod archive;
mod compiler;
mod depfile;
mod elf;
mod line;
mod link;
mod objects;
mod own;
mod prefix;
mod record;
mod response;
mod scan;
mod seam;
mod translation;
mod workshop;

use std::ffi::OsString;
use std::path::{Path, PathBuf};

pub use own::command;
pub use seam::{Dispatch, Request, Translated, Translation, Translator, Unit};
pub use translation::translate;

use compiler::Compiler;
use line::{Action, Input, Line, Role};
use own::{Asks, Own};
use prefix::Prefix;

/// Why there is no result.
#[derive(Debug)]
pub enum Failure {
    /// The sources have errors; they have been shown.
    Diagnosed,
    /// Something could not be run.
    CannotRun(String),
}

impl Failure {
    fn code(&self) -> u8 {
        match self {
            Failure::Diagnosed => 1,
            Failure::CannotRun(_) => 2,
        }
    }
}

/// The whole program but for its process; gives the exit code.
pub fn run(arguments: Vec<OsString>, translator: Translator) -> u8 {
    match compile(arguments, translator) {
        Ok(code) => code,
        Err(failure) => {
            if let Failure::CannotRun(message) = &failure {
                eprintln!("cppc-cc: {message}");
            }
            failure.code()
        }
    }
}

fn compile(arguments: Vec<OsString>, translator: Translator) -> Result<u8, Failure> {
    let (own, theirs) = Own::take(arguments)?;
    if let Some(asks) = own.asks {
        answer(asks);
        return Ok(0);
    }
    let line = Line::parse(&response::expand(&theirs));
    let task = Task {
        compiler: Compiler::find(own.verbose)?,
        prefix: Prefix::find()?,
        own,
        given: theirs,
        line,
        translator,
    };
    match task.line.action() {
        Action::Ask => Err(task.compiler.become_it(&task.as_given())),
        Action::Assembly | Action::Object => objects::compile(&task),
        Action::Link => link::link(&task),
    }
}

fn answer(asks: Asks) {
    let mut command = own::command();
    match asks {
        Asks::Help => print!("{}", command.render_long_help()),
        Asks::Version => print!("{}", command.render_version()),
    }
}

/// What is to be done, with what is at hand for it.
struct Task<'a> {
    own: Own,
    /// The command line without our own options.
    given: Vec<OsString>,
    line: Line,
    compiler: Compiler,
    prefix: Prefix,
    translator: Translator<'a>,
}

impl Task<'_> {
    /// The command line as it was given, so that the header is found.
    fn as_given(&self) -> Vec<OsString> {
        let mut words = self.header_options();
        if self.line.inputs().next().is_none() {
            words.clear();
        }
        words.extend(self.given.iter().cloned());
        words
    }

    /// Where `cppc.h` is: after all directories of the user's, so that it hides nothing.
    fn header_options(&self) -> Vec<OsString> {
        match self.prefix.include() {
            Some(directory) => vec!["-idirafter".into(), directory.into()],
            None => Vec::new(),
        }
    }

    /// One source of this command line, for the translation.
    fn unit(&self, source: &Path) -> Result<Unit, Failure> {
        let mut flags = self.header_options();
        flags.extend(self.line.options_for(&[Role::Compile]));
        Ok(Unit { source: source.to_owned(), directory: working_directory()?, flags })
    }

    /// What one source by itself asks of the translation.
    fn alone(&self, unit: Unit) -> Request {
        let compiler = self.compiler.words().to_vec();
        let dispatch = self.own.dispatch.unwrap_or_default();
        Request { compiler, units: vec![unit], dispatch, whole: false, said: Vec::new() }
    }

    fn may_carry_directives(&self, input: &Input) -> bool {
        let mut directories: Vec<PathBuf> = Vec::new();
        for option in ["-iquote", "-I"] {
            directories.extend(self.line.values(option).into_iter().map(PathBuf::from));
        }
        scan::may_carry_directives(&input.path, &directories)
    }

    fn say(&self, message: impl FnOnce() -> String) {
        if self.own.verbose {
            eprintln!("cppc-cc: {}", message());
        }
    }
}

fn working_directory() -> Result<PathBuf, Failure> {
    std::env::current_dir()
        .map_err(|error| Failure::CannotRun(format!("cannot tell the working directory: {error}")))
}
