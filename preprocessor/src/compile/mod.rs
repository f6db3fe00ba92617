//! `cppc-cc` and `cppc-fc`: compilers that translate what carries directives before they compile.
//!
//! In: a compiler's command line. Out: what the compiler makes of it, with translated sources in the
//! places of those that need it, and the runtime linked. Holds afterwards: everything that needs no
//! translation is compiled from its own path by the very words that were given.

mod wrapper;
mod archive;
mod compiler;
mod depfile;
mod elf;
mod line;
mod link;
mod modules;
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
use std::path::PathBuf;

pub use own::command;
pub use seam::{Dispatch, Request, Translated, Translation, Translator, Unit};
pub use translation::translate;
pub use wrapper::{Wrapper, CPPC_CC, CPPC_FC};

use compiler::Compiler;
use line::{Action, Input, Line, Role};
use crate::language::Language;
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
pub fn run(wrapper: &'static Wrapper, arguments: Vec<OsString>, translator: Translator) -> u8 {
    match compile(wrapper, arguments, translator) {
        Ok(code) => code,
        Err(failure) => {
            if let Failure::CannotRun(message) = &failure {
                eprintln!("{}: {message}", wrapper.name);
            }
            failure.code()
        }
    }
}

fn compile(
    wrapper: &'static Wrapper,
    arguments: Vec<OsString>,
    translator: Translator,
) -> Result<u8, Failure> {
    let (own, theirs) = Own::take(wrapper, arguments)?;
    if let Some(asks) = own.asks {
        answer(wrapper, asks);
        return Ok(0);
    }
    let line = Line::parse(&response::expand(&theirs));
    let task = Task {
        wrapper,
        compiler: Compiler::find(wrapper, own.verbose)?,
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

fn answer(wrapper: &Wrapper, asks: Asks) {
    let mut command = own::command(wrapper);
    match asks {
        Asks::Help => print!("{}", command.render_long_help()),
        Asks::Version => print!("{}", command.render_version()),
    }
}

/// What is to be done, with what is at hand for it.
struct Task<'a> {
    wrapper: &'static Wrapper,
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
        if self.line.inputs().next().is_none() {
            return self.given.clone();
        }
        let (mut words, last) = self.header_options();
        words.extend(self.given.iter().cloned());
        words.extend(last);
        words
    }

    /// Where `cppc.h` and `cppcf.h` are: after all directories of the user's, so that they hide nothing.
    /// Some options go before those of the user, some behind.
    fn header_options(&self) -> (Vec<OsString>, Vec<OsString>) {
        let Some(directory) = self.prefix.include() else { return (Vec::new(), Vec::new()) };
        let directory = directory.into_os_string();
        let (mut front, mut back) = (Vec::new(), Vec::new());
        let is_for_c = self.wrapper.language == Language::C;
        if is_for_c {
            front.extend(["-idirafter".into(), directory.clone()]);
        }
        if !is_for_c || self.line.has_source_in(Language::Fortran) {
            back.extend(["-I".into(), directory]);
        }
        (front, back)
    }

    /// One source of this command line, for the translation.
    fn unit(&self, source: &Input) -> Result<Unit, Failure> {
        let (mut flags, last) = self.header_options();
        flags.extend(self.line.options_for(&[Role::Compile]));
        flags.extend(last);
        if let (Some(Language::Fortran), Some(said)) = (source.source(), &source.language) {
            flags.extend(["-x".into(), said.clone()]);
        }
        Ok(Unit { source: source.path.clone(), directory: working_directory()?, flags })
    }

    /// What one source by itself asks of the translation.
    fn alone(&self, unit: Unit) -> Request {
        let modules = match unit.language() {
            Language::C => Vec::new(),
            Language::Fortran => modules::used_by(&unit),
        };
        Request {
            compiler: self.compiler.words().to_vec(),
            fortran_compiler: self.compiler.words().to_vec(),
            units: vec![unit],
            said: modules.iter().flat_map(|record| record.said.iter().copied()).collect(),
            context: modules.into_iter().map(|record| record.unit).collect(),
            dispatch: self.own.dispatch.unwrap_or_default(),
            whole: false,
        }
    }

    fn may_carry_directives(&self, input: &Input) -> bool {
        let mut directories: Vec<PathBuf> = Vec::new();
        for option in ["-iquote", "-I"] {
            directories.extend(self.line.values(option).into_iter().map(PathBuf::from));
        }
        let language = input.source().unwrap_or_default();
        scan::may_carry_directives(&input.path, language, &directories)
    }

    fn say(&self, message: impl FnOnce() -> String) {
        if self.own.verbose {
            eprintln!("{}: {}", self.wrapper.name, message());
        }
    }
}

fn working_directory() -> Result<PathBuf, Failure> {
    std::env::current_dir()
        .map_err(|error| Failure::CannotRun(format!("cannot tell the working directory: {error}")))
}
