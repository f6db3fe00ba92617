//! The whole story: sources in, rewritten sources out.
//!
//! In: the sources of a program, each with its flags. Out: their texts, and diagnostics. Holds
//! afterwards: where there is an error there is no text; a source that nothing had to be done to
//! comes out byte for byte.

use std::ffi::OsString;
use std::path::PathBuf;

use cppc_grammar::c::tree::Range;
use cppc_source::edit::Overlap;
use cppc_source::{Diagnostic, Files, Severity};

use crate::front::{self, front_end, FrontError, Source, Unit};
use crate::model::{c, Program, UnitId};
use crate::plan::{plan, Plan};
use crate::spell::c::Dispatch;
use crate::write::{missing_init, second_init, write, Form, Written};

/// The sources of a program, to be translated together.
#[derive(Debug)]
pub struct Request {
    /// The C compiler, asked for its macros and include directories.
    pub compiler: OsString,
    /// The Fortran compiler, asked for its include directories when a file is not found elsewhere.
    pub fortran_compiler: OsString,
    pub sources: Vec<Source>,
    pub dispatch: Dispatch,
    /// `#line` directives after generated text, so that the compiler speaks of the original.
    pub line_markers: bool,
    /// These are all sources of the program.
    pub whole: bool,
}

/// What became of a request.
#[derive(Debug)]
pub struct Outcome {
    pub files: Files,
    /// In the order of the request; empty when there is an error.
    pub outputs: Vec<Written>,
    pub diagnostics: Vec<Diagnostic>,
    /// What each stage made, for `--dump`.
    pub stages: Stages,
}

#[derive(Debug, Default)]
pub struct Stages {
    pub units: Vec<Unit>,
    pub program: Program,
    pub plan: Plan,
}

/// Why nothing could be translated at all.
#[derive(Debug, thiserror::Error)]
pub enum TranslateError {
    #[error(transparent)]
    Front(#[from] FrontError),
    #[error("internal error in the translation of `{}`: {what}; please report it", path.display())]
    Internal { path: PathBuf, what: Overlap },
}

impl Outcome {
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }
}

/// Translates the sources of a program.
///
/// # Errors
/// When a source cannot be read or the compiler cannot be asked; faults of the sources are
/// diagnostics.
pub fn translate(request: &Request) -> Result<Outcome, TranslateError> {
    // Trees are as deep as the text is nested: the stack is sized for what the parser lets pass.
    let worker = std::thread::Builder::new().stack_size(STACK_BYTES);
    std::thread::scope(|scope| {
        let handle = worker.spawn_scoped(scope, || translate_here(request));
        match handle.map(std::thread::ScopedJoinHandle::join) {
            Ok(Ok(outcome)) => outcome,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(_) => translate_here(request),
        }
    })
}

/// Reserved, not used: pages that are never touched cost nothing.
const STACK_BYTES: usize = 1 << 30;

fn translate_here(request: &Request) -> Result<Outcome, TranslateError> {
    let mut files = Files::new();
    let mut diagnostics = Vec::new();
    let units = front_end(&request.compiler, &request.sources, &mut files, &mut diagnostics)?;
    let mut program = program(&units);
    program.whole = request.whole;
    tell_files_apart(&mut program, &request.sources, request.whole);
    let mut plan = plan(&program);
    diagnostics.append(&mut plan.diagnostics);
    diagnostics.extend(missing_init(&program, request.whole));
    if !diagnostics.iter().any(Diagnostic::is_error) {
        diagnostics.extend(second_init(&program));
    }
    diagnostics.extend(units.iter().filter_map(Unit::as_c).flat_map(|unit| unparsed_c(unit, &plan)));
    // In the order of the text, whichever stage found them.
    diagnostics.sort_by_key(|found| found.labels.first().map(|label| (label.span.file, label.span.start)));
    diagnostics.dedup();
    let mut outputs = Vec::new();
    if !diagnostics.iter().any(Diagnostic::is_error) {
        for (index, unit) in units.iter().enumerate() {
            let form = Form { dispatch: request.dispatch, line_markers: request.line_markers };
            let Unit::C(c) = unit;
            let written = write(form, &files, c, &program, &plan, UnitId(index));
            let path = || files.get(unit.file()).path.clone();
            outputs.push(written.map_err(|what| TranslateError::Internal { path: path(), what })?);
        }
    }
    let stages = Stages { units, program, plan };
    Ok(Outcome { files, outputs, diagnostics, stages })
}

fn program(units: &[Unit]) -> Program {
    let mut program = Program::default();
    for (index, unit) in units.iter().enumerate() {
        let Unit::C(unit) = unit;
        let front::c::Unit { file, preprocessed, parsed, bound } = &**unit;
        let procedures = c::model(&parsed.unit, UnitId(index), bound, preprocessed, *file);
        program.procedures.extend(procedures);
    }
    let units: Vec<&front::c::Unit> = units.iter().filter_map(Unit::as_c).collect();
    let taken = |unit: &front::c::Unit, name: &str| {
        let functions = unit.bound.address_taken_functions.iter();
        let names = functions.map(|&id| unit.preprocessed.names.text(unit.bound.symbol(id).name));
        names.into_iter().any(|taken| taken == name)
    };
    for procedure in program.procedures.iter_mut().filter(|procedure| !procedure.local) {
        procedure.escapes |= units.iter().any(|unit| taken(unit, &procedure.name));
    }
    // gcc evaluates the arguments of a call from the last to the first, clang does not.
    program.arguments_backwards =
        units.iter().all(|unit| unit.preprocessed.names.find("__clang__").is_none());
    program
}

/// Static names are told apart by their file: variables always carry it, procedures where another
/// file has one of the name, or may have. Where two files have one name, it is the whole path.
fn tell_files_apart(program: &mut Program, sources: &[Source], whole: bool) {
    let base = |source: &Source| {
        source.path.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned())
    };
    let names: Vec<String> = program.procedures.iter().map(|p| p.name.clone()).collect();
    for (index, source) in sources.iter().enumerate() {
        let name = base(source);
        let unique = sources.iter().filter(|other| base(other) == name).count() == 1;
        let file = if unique { name.clone() } else { source.path.display().to_string() };
        let (short, long) = (format!("{name}:"), format!("{file}:"));
        for procedure in program.procedures.iter_mut().filter(|p| p.unit == UnitId(index)) {
            let recurs = names.iter().filter(|name| **name == procedure.name).count() > 1;
            if procedure.local && (recurs || !whole) {
                procedure.entry_name = format!("{long}{}", procedure.name);
            }
            if !unique {
                procedure.body.rename_items(&|name: &str| {
                    name.strip_prefix(&short).map(|rest| format!("{long}{rest}"))
                });
            }
        }
    }
}

/// What the grammar does not know is an error only where something may have to be rewritten: a range
/// that carries a directive or names an instrumented procedure, or a file of which nothing is
/// understood.
fn unparsed_c(unit: &front::c::Unit, plan: &Plan) -> Vec<Diagnostic> {
    let tree = &unit.parsed.unit;
    let matters = |range: &Range| {
        let pragmas = unit.preprocessed.pragmas.iter();
        let directive = pragmas.into_iter().any(|pragma| {
            let sentinel = pragma.tokens.first().map(|token| unit.preprocessed.names.text(token.text));
            range.start <= pragma.before
                && pragma.before < range.end
                && matches!(sentinel, Some("cppc" | "cccp"))
        });
        let tokens = &unit.preprocessed.tokens[range.start as usize..range.end as usize];
        let named = tokens.iter().any(|token| {
            let text = unit.preprocessed.names.text(token.text);
            plan.procedures.iter().any(|procedure| procedure.name.rsplit(':').next() == Some(text))
        });
        directive || named
    };
    let understood = !tree.items.is_empty();
    let mut list = unit.parsed.diagnostics.clone();
    for (diagnostic, range) in list.iter_mut().zip(&tree.unparsed) {
        if diagnostic.is_error() && understood && !matters(range) {
            diagnostic.severity = Severity::Warning;
            diagnostic.notes.push("nothing in it is rewritten: it is carried over as it is".into());
        }
    }
    list
}
