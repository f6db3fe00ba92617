//! The whole story: sources in, rewritten sources out.
//!
//! In: the sources of a program, each with its flags. Out: their texts, and diagnostics. Holds
//! afterwards: where there is an error there is no text; a source that nothing had to be done to
//! comes out byte for byte.

use std::ffi::OsString;
use std::path::PathBuf;

use cppc_source::edit::Overlap;
use cppc_source::{Diagnostic, Files};

use crate::front::{front_end, included, Compilers, Front, FrontError, Source};
use crate::model::{Program, UnitId};
use crate::plan::{plan, Plan};
use crate::program::program;
use crate::spell::c::Dispatch;
use crate::unparsed::unparsed;
use crate::write::{missing_init, not_utf8, second_init, write, Form, Written};

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
    pub front: Front,
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

/// Where an included file of Fortran has statements that must be rewritten, its text takes the place of the line that
/// includes it, and all is done again: files may include others.
fn translate_here(request: &Request) -> Result<Outcome, TranslateError> {
    let mut texts: Vec<Option<Vec<u8>>> = vec![None; request.sources.len()];
    for _ in 0..MOST_INCLUDED {
        let outcome = translate_once(request, &texts)?;
        let mut again = false;
        for (index, unit) in outcome.stages.front.units.iter().enumerate() {
            let Some(unit) = unit.as_fortran() else { continue };
            if let Some(text) = included::in_place(unit, &outcome.files, &outcome.diagnostics) {
                texts[index] = Some(text);
                again = true;
            }
        }
        if !again {
            return Ok(outcome);
        }
    }
    translate_once(request, &texts)
}

/// How deep files may include one another where that matters.
const MOST_INCLUDED: usize = 16;

fn translate_once(request: &Request, texts: &[Option<Vec<u8>>]) -> Result<Outcome, TranslateError> {
    let mut files = Files::new();
    let mut diagnostics = Vec::new();
    let compilers = Compilers { c: &request.compiler, fortran: &request.fortran_compiler };
    let front = front_end(compilers, &request.sources, texts, &mut files, &mut diagnostics)?;
    let mut program = program(&front, &request.sources, request.whole, &files, &mut diagnostics);
    let mut plan = plan(&mut program);
    diagnostics.append(&mut plan.diagnostics);
    diagnostics.extend(missing_init(&program, request.whole));
    if !diagnostics.iter().any(Diagnostic::is_error) {
        diagnostics.extend(second_init(&program));
    }
    for (index, unit) in front.units.iter().enumerate() {
        diagnostics.extend(unparsed(unit, UnitId(index), &program, &plan, &files));
    }
    // In the order of the text, whichever stage found them.
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
