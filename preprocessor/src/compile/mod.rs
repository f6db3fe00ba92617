//! `cppc-cc` and `cppc-fc`: compilers that translate sources with directives before they compile.
//!
//! Input: a compiler's command line.
//! Output: the output of the compiler, with translated sources instead of those that need it, and with the
//! runtime linked.
//! Postcondition: a source that needs no translation is compiled from its own path with exactly the given
//! words.

mod wrapper;
mod request;
mod wrapper_options;
mod record;
mod compiler;
mod binary_tools;
mod temporary;
mod response;
mod archive;
mod line;
mod depfile;
mod elf;
mod scan;
mod modules;
mod objects;
mod object_cache;
mod rebuild;
mod mpi;
mod link;
mod prefix;
mod translation;

use std::ffi::{OsStr, OsString};
use std::io::Write as _;
use std::path::PathBuf;
use std::process::Stdio;

pub use request::{Analyses, Dispatch, Request, Translated, Translation, Translator, Unit};
pub use translation::translate;
pub use wrapper::{Wrapper, CPPC_CC, CPPC_FC};
pub use wrapper_options::command;

use cppc_abi::exit_statuses::ExitStatus;

use crate::explain::explain;
use crate::language::Language;
use compiler::Compiler;
use line::{Action, Input, Kind, Line, Role};
use prefix::Prefix;
use wrapper_options::{Information, WrapperOptions};

/// A reason for failure.
#[derive(Debug)]
pub enum Failure {
    /// The sources have errors, which were reported.
    Diagnosed,
    /// A command could not be run.
    CannotRun(String),
}

impl Failure {
    fn status(&self) -> ExitStatus {
        match self {
            Failure::Diagnosed => ExitStatus::Fault,
            Failure::CannotRun(_) => ExitStatus::NotExecuted,
        }
    }
}

/// The complete wrapper except for ending the process. The first argument is the path by which the wrapper was called.
/// Returns the exit code.
pub fn run(
    wrapper: &'static Wrapper,
    arguments: impl IntoIterator<Item = OsString>,
    translator: Translator,
) -> u8 {
    let mut arguments = arguments.into_iter();
    let program = arguments.next().unwrap_or_default();
    let arguments: Vec<OsString> = arguments.collect();
    let result = match binary_tools::tool_of_name(&program) {
        Some(tool) => Err(binary_tools::replace_process(wrapper, tool, &arguments)),
        None => compile(wrapper, &program, arguments, translator),
    };
    match result {
        Ok(code) => code,
        Err(failure) => {
            if let Failure::CannotRun(message) = &failure {
                eprintln!("{}: {message}", wrapper.name);
            }
            failure.status() as u8
        }
    }
}

fn compile(
    wrapper: &'static Wrapper,
    program: &OsStr,
    arguments: Vec<OsString>,
    translator: Translator,
) -> Result<u8, Failure> {
    let (own, theirs) = WrapperOptions::take(wrapper, arguments)?;
    if let Some(asks) = &own.information {
        answer(wrapper, asks)?;
        return Ok(ExitStatus::Success as u8);
    }
    let line = Line::parse(&response::expand(&theirs));
    let task = Task {
        wrapper,
        compiler: Compiler::find(wrapper, &own, program)?,
        prefix: Prefix::find()?,
        options: own,
        given: theirs,
        line,
        translator,
    };
    if task.line.action() != Action::PassThrough {
        task.refuse_untranslated()?;
    }
    if task.line.has("--help") {
        answer(wrapper, &Information::Help)?;
        print("\nOptions of the compiler:\n\n")?;
    }
    match task.line.action() {
        Action::PassThrough => Err(task.compiler.replace_process(&task.words_with_header())),
        Action::Assembly | Action::Object => objects::compile(&task),
        Action::Link => link::link(&task),
    }
}

fn answer(wrapper: &Wrapper, asks: &Information) -> Result<(), Failure> {
    let mut command = wrapper_options::command(wrapper);
    match asks {
        Information::Help => print(&command.render_long_help().to_string()),
        Information::Version => print(&command.render_version()),
        Information::Page(code) => print(&explain(code).map_err(Failure::CannotRun)?),
    }
}

/// Writes to standard output. Nobody has to read it to the end.
fn print(text: &str) -> Result<(), Failure> {
    let mut output = std::io::stdout();
    match output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(Failure::CannotRun(error.to_string()))
        }
        _ => Ok(()),
    }
}

/// The request and the data that is needed for it.
struct Task<'a> {
    wrapper: &'static Wrapper,
    options: WrapperOptions,
    /// The command line without the options of the wrapper.
    given: Vec<OsString>,
    line: Line,
    compiler: Compiler,
    prefix: Prefix,
    translator: Translator<'a>,
}

impl Task<'_> {
    /// The given command line with the options that make the compiler find the header.
    fn words_with_header(&self) -> Vec<OsString> {
        if self.line.inputs().next().is_none() {
            return self.given.clone();
        }
        let (mut words, last) = self.header_options();
        words.extend(self.given.iter().cloned());
        words.extend(last);
        words
    }

    /// The options for the directory of `cppc.h` and `cppcf.h`. It is searched after all directories of the
    /// user, so that it hides none of their files. Some options must precede those of the user, and some must
    /// follow them.
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
        if let (Some(Language::Fortran), Some(name)) = (source.source(), &source.language) {
            flags.extend(["-x".into(), name.clone()]);
        }
        Ok(Unit { source: source.path.clone(), directory: working_directory()?, flags })
    }

    /// The translation request for one source alone.
    fn single_request(&self, unit: Unit) -> Request {
        let modules = match unit.language() {
            Language::C => Vec::new(),
            Language::Fortran => modules::used_by(&unit),
        };
        Request {
            compiler: self.compiler.words().to_vec(),
            fortran_compiler: self.compiler.words().to_vec(),
            units: vec![unit],
            reported: modules.iter().flat_map(|record| record.reported.iter().copied()).collect(),
            context: modules.into_iter().map(|record| record.unit).collect(),
            dispatch: self.options.dispatch.unwrap_or_default(),
            whole: false,
            is_link: false,
            analyses: self.options.analyses.clone(),
        }
    }

    fn may_carry_directives(&self, input: &Input) -> bool {
        let language = input.source().unwrap_or_default();
        let directories = self.include_directories();
        let forced = || self.line.values("-include").into_iter().map(PathBuf::from);
        let mut files =
            std::iter::once(input.path.clone()).chain(forced().filter(|_| language == Language::C));
        files.any(|file| scan::may_carry_directives(&file, language, &directories))
            || (language == Language::C
                && scan::computed_include(&input.path, &directories)
                && self.preprocessed_has_directives(input))
    }

    /// Whether the preprocessed text of a C source may contain directives. The compiler reports errors later.
    fn preprocessed_has_directives(&self, input: &Input) -> bool {
        let mut words = self.line.options_for(&[Role::Compile]);
        words.extend(["-E".into(), "-x".into(), "c".into(), input.path.clone().into()]);
        let output = self.compiler.command(&words).stdin(Stdio::null()).stderr(Stdio::null()).output();
        output.is_ok_and(|output| scan::text_may_carry_directives(&output.stdout, Language::C))
    }

    /// The directories of `-iquote` and `-I`.
    fn include_directories(&self) -> Vec<PathBuf> {
        ["-iquote", "-I"].iter().flat_map(|option| self.line.values(option)).map(PathBuf::from).collect()
    }

    /// Reports directives in inputs that are compiled without translation. The compiler would skip them in silence.
    fn refuse_untranslated(&self) -> Result<(), Failure> {
        let mut result = Ok(());
        for input in self.line.inputs() {
            let reason = match input.kind {
                Kind::Preprocessed => "it was preprocessed before: compile the original source",
                Kind::Other => {
                    "only C and Fortran are translated: move the procedures with directives into a C source"
                }
                Kind::Source(_) | Kind::LinkerInput => continue,
            };
            if let Some(found) = scan::untranslated_directive(&input.path, &self.include_directories()) {
                let (path, line) = (found.path.display(), found.line);
                eprintln!("{}: error: the directive at `{path}:{line}` would have no effect, because `{}` is not translated; {reason}", self.wrapper.name, input.path.display());
                result = Err(Failure::Diagnosed);
            }
        }
        result
    }

    fn report(&self, message: impl FnOnce() -> String) {
        if self.options.verbose {
            eprintln!("{}: {}", self.wrapper.name, message());
        }
    }
}

fn working_directory() -> Result<PathBuf, Failure> {
    std::env::current_dir()
        .map_err(|error| Failure::CannotRun(format!("cannot determine the working directory: {error}")))
}
