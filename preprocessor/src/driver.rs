//! The whole translation, from sources to rewritten sources.
//!
//! Input: the sources of a program, each with its flags.
//! Output: their texts, and diagnostics.
//! Postcondition: if there is an error, there is no text. A source that needs no change is returned byte for
//! byte.

use std::ffi::OsString;
use std::path::PathBuf;

use cppc_source::edit::Overlap;
use cppc_source::{Diagnostic, Files};

use crate::annotate::Annotations;
use crate::front::{front_end, included, Compilers, Front, FrontError, Source, Text};
use crate::live_data;
use crate::lower::lower;
use crate::model::{Program, UnitId};
use crate::plan::{plan, Plan};
use crate::program::program;
use crate::spell::c::Dispatch;
use crate::unparsed::unparsed;
use crate::write::{missing_init, missing_shutdown, not_utf8, second_init, write, Form, Written};

/// The sources of a program, which are translated together.
#[derive(Debug, Clone)]
pub struct Request {
    /// The C compiler. It is run to get its predefined macros and include directories.
    pub compiler: OsString,
    /// The Fortran compiler. It is run to get its include directories when a file is not found elsewhere.
    pub fortran_compiler: OsString,
    pub sources: Vec<Source>,
    pub dispatch: Dispatch,
    /// Write `#line` directives after generated text, so that the compiler reports lines of the original.
    pub line_markers: bool,
    /// The request contains all sources of the program.
    pub whole: bool,
    pub check: Check,
    pub automatic: Automatic,
}

impl Request {
    /// One source as the whole program, with the usual compilers and no analyses.
    pub fn of(source: Source) -> Request {
        Request {
            compiler: "cc".into(),
            fortran_compiler: "gfortran".into(),
            sources: vec![source],
            dispatch: Dispatch::default(),
            line_markers: false,
            whole: true,
            check: Check::None,
            automatic: Automatic::None,
        }
    }
}

/// Which directives the translation adds by itself.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Automatic {
    #[default]
    None,
    /// All but `checkpoint`.
    Register,
}

/// Which analyses of the whole program check the directives.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Check {
    #[default]
    None,
    /// What a restart needs at each checkpoint.
    Live,
}

/// The result of a request.
#[derive(Debug)]
pub struct Outcome {
    pub files: Files,
    /// In the order of the request. Empty if there is an error.
    pub outputs: Vec<Written>,
    pub diagnostics: Vec<Diagnostic>,
    /// The results of each stage, for `--dump`.
    pub stages: Stages,
}

#[derive(Debug, Default)]
pub struct Stages {
    pub front: Front,
    pub program: Program,
    pub plan: Plan,
}

/// A reason why nothing could be translated.
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
/// If a source cannot be read or the compiler cannot be run. Errors in the sources are diagnostics.
pub fn translate(request: &Request) -> Result<Outcome, TranslateError> {
    // Trees are as deep as the text is nested. The stack is large enough for the nesting that the parsers
    // accept.
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

/// This memory is only reserved: pages that are not used need no physical memory.
const STACK_BYTES: usize = 1 << 30;

/// If an included file of Fortran contains statements that must be rewritten, its text replaces the line that
/// includes it. Then everything is translated again, because files may include others.
fn translate_here(request: &Request) -> Result<Outcome, TranslateError> {
    let (mut texts, mut outcome) = match request.automatic {
        Automatic::None => {
            let texts = vec![None; request.sources.len()];
            let outcome = translate_once(request, &texts)?;
            (texts, outcome)
        }
        Automatic::Register => annotated(request)?,
    };
    for _ in 0..INCLUDE_DEPTH_LIMIT {
        let mut again = false;
        for (index, unit) in outcome.stages.front.units.iter().enumerate() {
            let Some(unit) = unit.as_fortran() else { continue };
            if let Some(text) = included::in_place(unit, &outcome.files, &outcome.diagnostics) {
                texts[index] = Some(Text { bytes: text, numbers: None });
                again = true;
            }
        }
        if !again {
            break;
        }
        outcome = translate_once(request, &texts)?;
    }
    Ok(outcome)
}

/// Maximum nesting depth of included files that are put in place of their `INCLUDE` lines.
const INCLUDE_DEPTH_LIMIT: usize = 16;

/// The sources with automatic directives, and their translation. A directive that the translation refuses is left out.
fn annotated(request: &Request) -> Result<(Vec<Option<Text>>, Outcome), TranslateError> {
    let mut annotations = Annotations::default();
    let mut texts = Vec::new();
    for _ in 0..REFUSALS_LIMIT {
        annotations.restart();
        texts = vec![None; request.sources.len()];
        let mut is_refused = false;
        for _ in 0..ROUNDS_LIMIT {
            let mut files = Files::new();
            let compilers = Compilers { c: &request.compiler, fortran: &request.fortran_compiler };
            let front = front_end(compilers, &request.sources, &texts, &mut files)?;
            is_refused = annotations.refuse(&files, &front.diagnostics);
            let has_errors = front.diagnostics.iter().any(Diagnostic::is_error);
            if has_errors || !annotations.round(&front, &request.sources, request.whole, &files, &mut texts) {
                break;
            }
        }
        if is_refused {
            continue;
        }
        let outcome = translate_once(request, &texts)?;
        if !annotations.refuse(&outcome.files, &outcome.diagnostics) {
            return Ok((texts, outcome));
        }
    }
    let outcome = translate_once(request, &texts)?;
    Ok((texts, outcome))
}

/// Each round either adds directives or is the last. Memory is wanted in at most two rounds, but what is registered may
/// need something else.
const ROUNDS_LIMIT: usize = 12;

/// How often everything is done again because the translation refused directives.
const REFUSALS_LIMIT: usize = 12;

fn translate_once(request: &Request, texts: &[Option<Text>]) -> Result<Outcome, TranslateError> {
    let mut files = Files::new();
    let compilers = Compilers { c: &request.compiler, fortran: &request.fortran_compiler };
    let mut front = front_end(compilers, &request.sources, texts, &mut files)?;
    let mut program = program(&front, &request.sources, request.whole, &files);
    let mut diagnostics = std::mem::take(&mut front.diagnostics);
    diagnostics.append(&mut program.diagnostics);
    let mut plan = plan(&mut program);
    diagnostics.append(&mut plan.diagnostics);
    diagnostics.extend(missing_init(&program, request.whole));
    if !diagnostics.iter().any(Diagnostic::is_error) {
        diagnostics.extend(second_init(&program));
    }
    for (index, unit) in front.units.iter().enumerate() {
        diagnostics.extend(unparsed(unit, UnitId(index), &program, &plan, &files));
    }
    if !diagnostics.iter().any(Diagnostic::is_error) {
        let sources = front.units.iter().map(|unit| &*files.get(unit.file()).bytes);
        diagnostics.extend(missing_shutdown(&program, request.whole, sources));
    }
    // What could not be added is reported.
    let checks = request.check == Check::Live || request.automatic != Automatic::None;
    if checks && !diagnostics.iter().any(Diagnostic::is_error) {
        let lowered = lower(&front, &request.sources, request.whole, &files);
        diagnostics.extend(live_data::check(&lowered));
    }
    // Diagnostics of all stages appear in text order.
    diagnostics.sort_by_key(|found| found.labels.first().map(|label| (label.span.file, label.span.start)));
    diagnostics.dedup();
    let mut outputs = Vec::new();
    if !diagnostics.iter().any(Diagnostic::is_error) {
        for (index, unit) in front.units.iter().enumerate() {
            let form = Form { dispatch: request.dispatch, line_markers: request.line_markers };
            let written = write(form, &files, unit, &program, &plan, UnitId(index));
            let path = || files.get(unit.file()).path.clone();
            outputs.push(written.map_err(|what| TranslateError::Internal { path: path(), what })?);
        }
    }
    let unfaithful: Vec<Diagnostic> =
        outputs.iter().filter_map(|written| written.unfaithful).map(not_utf8).collect();
    if !unfaithful.is_empty() {
        outputs.clear();
        diagnostics.extend(unfaithful);
    }
    let stages = Stages { front, program, plan };
    Ok(Outcome { files, outputs, diagnostics, stages })
}
