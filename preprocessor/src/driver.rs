//! The whole translation, from sources to rewritten sources.
//!
//! Input: the sources of a program, each with its flags.
//! Output: their texts, and diagnostics.
//! Postcondition: if there is an error, there is no text. A source that needs no change is returned byte for
//! byte.

use std::collections::HashSet;
use std::ffi::OsString;
use std::path::PathBuf;

use cppc_analysis::catalogue::{Catalogue, CatalogueError};
use cppc_analysis::effects::Assumptions;
pub use cppc_grammar::directive::Added;
use cppc_source::edit::Overlap;
use cppc_source::{Diagnostic, Files, Span};

use crate::annotate::{choice, placement, Annotations, Placed, What};
use crate::front::in_place::{put_in_place, Translated};
use crate::front::{front_end_after, Compilers, Front, FrontError, Source, Text};
use crate::live_data;
pub use crate::live_data::{Unknown, Warnings};
use crate::lower::lower;
use crate::model::{DirectiveKind, Program, UnitId};
use crate::plan::c::MAY_BE_SET;
use crate::plan::{directives_behind, plan, Plan};
use crate::program::{program, Extent};
use crate::remarks::{self, Remark, RemarkKind};
use crate::safe_points::{self, Claims};
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
    /// They are those of a shared library.
    pub is_library: bool,
    pub check: Check,
    pub automatic: Automatic,
    pub unknown: Unknown,
    pub warnings: Warnings,
    /// The numbers of processes for which communications are followed. Empty: usual ones.
    pub ranks: Vec<usize>,
    /// Files with entries for procedures without source.
    pub catalogues: Vec<PathBuf>,
}

impl Request {
    fn compilers(&self) -> Compilers<'_> {
        Compilers { c: &self.compiler, fortran: &self.fortran_compiler }
    }

    fn extent(&self) -> Extent {
        match (self.whole, self.is_library) {
            (true, _) => Extent::Whole,
            (false, true) => Extent::Library,
            (false, false) => Extent::Part,
        }
    }

    /// One source as the whole program, with the usual compilers and no analyses.
    pub fn of(source: Source) -> Request {
        Request {
            compiler: "cc".into(),
            fortran_compiler: "gfortran".into(),
            sources: vec![source],
            dispatch: Dispatch::default(),
            line_markers: false,
            whole: true,
            is_library: false,
            check: Check::None,
            automatic: Automatic::AsWritten,
            unknown: Unknown::Live,
            warnings: Warnings::Usual,
            ranks: Vec::new(),
            catalogues: Vec::new(),
        }
    }
}

/// Which directives the translation adds by itself.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Automatic {
    /// None, also if a source has `auto(…)`.
    Never,
    /// Those that `auto(…)` in a source names.
    #[default]
    AsWritten,
    Add(Added),
}

impl Automatic {
    /// What is added to a program with these directives about its translation.
    fn added(self, remarks: &[Remark]) -> (bool, bool) {
        let of = |added: Added| (added.has_others(), added.has_checkpoints());
        match self {
            Automatic::Never => (false, false),
            Automatic::Add(added) => of(added),
            Automatic::AsWritten => remarks.iter().fold((false, false), |found, remark| match remark.kind {
                RemarkKind::Auto(added) => (found.0 || of(added).0, found.1 || of(added).1),
                RemarkKind::CheckpointLoop { .. } | RemarkKind::Allow { .. } => found,
            }),
        }
    }

    /// Whether checkpoints may be added to a program without directives.
    pub fn has_checkpoints(self) -> bool {
        self.added(&[]).1
    }
}

/// Which analyses of the whole program check the directives.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Check {
    #[default]
    None,
    /// What a restart needs at each checkpoint, if the request contains the main program.
    Live,
}

impl Check {
    /// The directives are checked unless the user has switched that off.
    pub fn of_options(asks: bool, refuses: bool) -> Check {
        match (asks, refuses) {
            (false, true) => Check::None,
            (true, _) | (false, false) => Check::Live,
        }
    }
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
    #[error("cannot read the catalogue `{}`: {error}", path.display())]
    CatalogueFile { path: PathBuf, error: std::io::Error },
    #[error("{0}; docs/catalogue.md describes the format")]
    Catalogue(#[from] CatalogueError),
}

impl Outcome {
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(Diagnostic::is_error)
    }

    /// Text that cannot be written faithfully is an error.
    fn refuse_unfaithful(&mut self) {
        let unfaithful: Vec<Diagnostic> =
            self.outputs.iter().filter_map(|written| written.unfaithful).map(not_utf8).collect();
        if !unfaithful.is_empty() {
            self.outputs.clear();
            self.diagnostics.extend(unfaithful);
        }
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

fn translate_here(request: &Request) -> Result<Outcome, TranslateError> {
    let catalogue = catalogue(&request.catalogues)?;
    let mut task =
        Task { request, catalogue: &catalogue, is_automatic: false, has_loops: false, chooses: false };
    (task.is_automatic, task.chooses) = request.automatic.added(&[]);
    task.has_loops = task.is_automatic || task.chooses;
    let outcome = if task.has_loops {
        task.annotated()?
    } else {
        let outcome = task.translate_once(&vec![None; request.sources.len()], Placed::default())?;
        let remarks = &outcome.stages.program.remarks;
        (task.is_automatic, task.chooses) = request.automatic.added(remarks);
        task.has_loops = remarks.iter().any(|one| matches!(one.kind, RemarkKind::CheckpointLoop { .. }));
        if task.is_automatic || task.chooses || task.has_loops {
            task.annotated()?
        } else {
            outcome
        }
    };
    Ok(outcome)
}

/// The built-in entries and those of the user.
///
/// # Errors
/// If a file cannot be read, or has a mistake.
pub fn catalogue(paths: &[PathBuf]) -> Result<Catalogue, TranslateError> {
    let mut catalogue = Catalogue::built_in();
    for path in paths {
        let failed = |error| TranslateError::CatalogueFile { path: path.clone(), error };
        catalogue.add(path, &std::fs::read_to_string(path).map_err(failed)?)?;
    }
    Ok(catalogue)
}

/// Each round either adds directives or is the last. Memory is wanted in at most two rounds, but what is registered may
/// need something else.
const ROUNDS_LIMIT: usize = 12;

/// How often everything is done again because the translation refused directives.
const REFUSALS_LIMIT: usize = 12;

/// Removes the warnings about initialisers (C0522) of variables whose value or handle the check reports too, with the
/// reason.
fn drop_less_exact(diagnostics: &mut Vec<Diagnostic>, found: &[Diagnostic]) {
    let name = |diagnostic: &Diagnostic| diagnostic.message.split('`').nth(1).map(str::to_owned);
    let is_explained = |less: &Diagnostic| {
        // The second label is where a restart continues.
        let checkpoint = less.labels.get(1).map(|label| label.span);
        found
            .iter()
            .any(|more| name(more) == name(less) && more.labels.first().map(|label| label.span) == checkpoint)
    };
    diagnostics.retain(|one| one.code != "C0522" || !is_explained(one));
}

/// Keeps the first of several errors about one use of a macro (C0502). A loop, its body and a call may all be from its text.
fn drop_repeated(diagnostics: &mut Vec<Diagnostic>) {
    let mut seen = HashSet::new();
    diagnostics.retain(|one| {
        let place = one.labels.first().map(|label| label.span);
        one.code != "C0502" || seen.insert(place)
    });
}

/// The variables whose initialisers a restart jumps over, and that a call may set after that.
fn jumped_over(diagnostics: &[Diagnostic]) -> Vec<Span> {
    diagnostics.iter().filter(|one| may_be_set(one)).map(|one| one.labels[0].span).collect()
}

fn may_be_set(diagnostic: &Diagnostic) -> bool {
    diagnostic.code == "C0522" && diagnostic.labels.iter().any(|label| label.text == MAY_BE_SET)
}

/// A request, and what is known besides it.
struct Task<'a> {
    request: &'a Request,
    catalogue: &'a Catalogue,
    /// Missing directives are added.
    is_automatic: bool,
    /// The program may have `checkpoint loop`.
    has_loops: bool,
    /// Checkpoints are added to the loops with most work.
    chooses: bool,
}

/// The result of the front end for sources with the directives that were added so far.
struct Parsed {
    front: Front,
    files: Files,
}

/// The errors of the translation up to the plan.
struct Planned<'p> {
    parsed: PlannedSources<'p>,
    program: Program,
    errors: Vec<Diagnostic>,
}

enum PlannedSources<'p> {
    AsParsed(&'p Parsed),
    WithTextInPlace(Parsed),
}

impl PlannedSources<'_> {
    fn get(&self) -> &Parsed {
        match self {
            PlannedSources::AsParsed(parsed) => parsed,
            PlannedSources::WithTextInPlace(parsed) => parsed,
        }
    }
}

impl Translated for Planned<'_> {
    fn parts(&self) -> (&Front, &Files, &[Diagnostic]) {
        let Parsed { front, files } = self.parsed.get();
        (front, files, &self.errors)
    }
}

impl Translated for Outcome {
    fn parts(&self) -> (&Front, &Files, &[Diagnostic]) {
        (&self.stages.front, &self.files, &self.diagnostics)
    }
}

impl Task<'_> {
    /// The sources with automatic directives, and their translation. A directive that the translation refuses is left out.
    fn annotated(&self) -> Result<Outcome, TranslateError> {
        let request = self.request;
        let what = What {
            others: self.is_automatic,
            chooses: self.chooses && request.whole,
            counts: &request.ranks,
        };
        let mut annotations = Annotations::new(self.catalogue, what);
        let mut texts = Vec::new();
        let mut last = None;
        for _ in 0..REFUSALS_LIMIT {
            annotations.restart();
            texts = vec![None; request.sources.len()];
            let mut is_refused = false;
            // The sources as they are, once a round adds nothing.
            let mut parsed = self.parse(last.take(), &texts)?;
            for _ in 0..ROUNDS_LIMIT {
                let Parsed { front, files } = &parsed;
                is_refused = annotations.refuse(files, &front.diagnostics);
                let has_errors = front.diagnostics.iter().any(Diagnostic::is_error);
                if has_errors || !annotations.round(front, &request.sources, request.whole, files, &mut texts)
                {
                    break;
                }
                parsed = self.parse(Some(parsed), &texts)?;
                // The analyses of further rounds take longer than a plan.
                is_refused = self.refuse_planned(&mut annotations, &parsed, &texts)?;
                if is_refused {
                    break;
                }
            }
            if is_refused || annotations.changes_graphs() {
                last = Some(parsed);
                continue;
            }
            let outcome = self.translate_parsed(parsed, annotations.placed)?;
            let outcome = self.in_place(&texts, outcome, annotations.placed)?;
            if !refuse(&mut annotations, &outcome.files, &outcome.stages.program, &outcome.diagnostics) {
                return Ok(outcome);
            }
            last = Some(Parsed { front: outcome.stages.front, files: outcome.files });
        }
        self.translate_once(&texts, annotations.placed)
    }

    /// Notes the directives that lead to errors in the plan. Returns whether there are any.
    fn refuse_planned(
        &self,
        annotations: &mut Annotations,
        parsed: &Parsed,
        texts: &[Option<Text>],
    ) -> Result<bool, FrontError> {
        let plan = |texts: &[Option<Text>]| {
            let parsed = self.parse(None, texts);
            parsed.map(|parsed| self.planned(PlannedSources::WithTextInPlace(parsed)))
        };
        let planned = put_in_place(texts, self.planned(PlannedSources::AsParsed(parsed)), plan)?;
        Ok(refuse(annotations, &planned.parsed.get().files, &planned.program, &planned.errors))
    }

    fn planned<'p>(&self, parsed: PlannedSources<'p>) -> Planned<'p> {
        let Parsed { front, files } = parsed.get();
        let mut program = program(front, &self.request.sources, self.request.extent(), files);
        let mut errors = std::mem::take(&mut program.diagnostics);
        errors.append(&mut plan(&mut program).diagnostics);
        errors.retain(Diagnostic::is_error);
        Planned { parsed, program, errors }
    }

    fn translate_once(&self, texts: &[Option<Text>], placed: Placed) -> Result<Outcome, TranslateError> {
        let outcome = self.translate_parsed(self.parse(None, texts)?, placed)?;
        self.in_place(texts, outcome, placed)
    }

    /// The translation of sources in which text that must be rewritten is in place.
    fn in_place(
        &self,
        texts: &[Option<Text>],
        outcome: Outcome,
        placed: Placed,
    ) -> Result<Outcome, TranslateError> {
        let translate = |texts: &[Option<Text>]| self.translate_parsed(self.parse(None, texts)?, placed);
        put_in_place(texts, outcome, translate)
    }

    /// `last`: the result for other texts of the sources.
    fn parse(&self, last: Option<Parsed>, texts: &[Option<Text>]) -> Result<Parsed, FrontError> {
        let (compilers, sources) = (self.request.compilers(), &self.request.sources);
        let mut files = Files::new();
        let (front, known) = last.map(|last| (last.front, last.files)).unzip();
        let front = front_end_after(front.zip(known.as_ref()), compilers, sources, texts, &mut files)?;
        Ok(Parsed { front, files })
    }

    fn translate_parsed(&self, parsed: Parsed, placed: Placed) -> Result<Outcome, TranslateError> {
        let request = self.request;
        let Parsed { mut front, files } = parsed;
        let mut program = program(&front, &request.sources, request.extent(), &files);
        let mut diagnostics = std::mem::take(&mut front.diagnostics);
        diagnostics.append(&mut program.diagnostics);
        let mut plan = plan(&mut program);
        if diagnostics.iter().any(Diagnostic::is_error) {
            // A directive with an error may register the variable.
            plan.diagnostics.retain(|diagnostic| diagnostic.code != "C0522");
        }
        diagnostics.append(&mut plan.diagnostics);
        // `init` is not added to a program with an error.
        if !self.is_automatic || !diagnostics.iter().any(Diagnostic::is_error) {
            diagnostics.extend(missing_init(&program, request.whole));
        }
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
        let is_program = request.whole && program.procedures.iter().any(|procedure| procedure.main);
        let has_directives = program.procedures.iter().any(|procedure| !procedure.directives().is_empty());
        let checks = self.is_automatic || request.check == Check::Live && is_program && has_directives;
        let communicates = request.whole && communicates(&program, &front, &files);
        if (checks || communicates || self.has_loops || self.chooses)
            && !diagnostics.iter().any(Diagnostic::is_error)
        {
            let lowered = lower(&front, &request.sources, request.whole, &files);
            let Request { unknown, warnings, ref ranks, .. } = *request;
            let marked = match self.has_loops {
                true => placement::marked(&front, &files, &lowered, &program.remarks),
                false => Vec::new(),
            };
            let not_placed = placement::check(&lowered, self.catalogue, ranks, &marked);
            if !not_placed.is_empty() {
                // A register without checkpoint follows from it.
                diagnostics.retain(Diagnostic::is_error);
            }
            diagnostics.extend(not_placed);
            if placed.is_incomplete {
                diagnostics.extend(choice::check(&lowered, self.catalogue, &files, ranks));
            }
            let mut loops: Vec<Span> =
                marked.iter().filter_map(|mark| Some(mark.target?.statement.span)).collect();
            if placed.is_chosen {
                loops.extend(lowered.checkpoints().map(|site| lowered.operation(site).span));
            }
            let mut proved = Vec::new();
            if communicates || request.whole && !loops.is_empty() {
                let found = safe_points::check(
                    &lowered,
                    self.catalogue,
                    &Claims::new(&program),
                    warnings,
                    ranks,
                    &loops,
                );
                diagnostics.extend(found.diagnostics);
                proved = found.proved;
            }
            if checks && !diagnostics.iter().any(Diagnostic::is_error) {
                let assumptions = self.assumptions();
                let jumped = jumped_over(&diagnostics);
                let (found, not_needed) = live_data::check_with(
                    lowered,
                    self.catalogue,
                    unknown,
                    warnings,
                    assumptions,
                    &proved,
                    &jumped,
                );
                drop_less_exact(&mut diagnostics, &found);
                diagnostics.retain(|one| !may_be_set(one) || !not_needed.contains(&one.labels[0].span));
                diagnostics.extend(found);
            }
        }
        let mut diagnostics = remarks::apply(&program.remarks, &files, diagnostics);
        // Diagnostics of all stages appear in text order.
        diagnostics
            .sort_by_key(|found| found.labels.first().map(|label| (label.span.file, label.span.start)));
        diagnostics.dedup();
        drop_repeated(&mut diagnostics);
        let outputs = if diagnostics.iter().any(Diagnostic::is_error) {
            Vec::new()
        } else {
            self.outputs(&front, &program, &plan, &files)?
        };
        let mut outcome = Outcome { files, outputs, diagnostics, stages: Stages { front, program, plan } };
        outcome.refuse_unfaithful();
        Ok(outcome)
    }

    /// Directives that were written by hand may depend on conditions that the analyses cannot compare.
    fn assumptions(&self) -> Assumptions {
        match self.request.warnings {
            Warnings::Usual if !self.is_automatic => Assumptions::Usual,
            Warnings::Usual | Warnings::All => Assumptions::Worst,
        }
    }

    fn outputs(
        &self,
        front: &Front,
        program: &Program,
        plan: &Plan,
        files: &Files,
    ) -> Result<Vec<Written>, TranslateError> {
        let form = Form { dispatch: self.request.dispatch, line_markers: self.request.line_markers };
        let mut outputs = Vec::new();
        for (index, unit) in front.units.iter().enumerate() {
            let written = write(form, files, unit, program, plan, UnitId(index));
            let path = || files.get(unit.file()).path.clone();
            outputs.push(written.map_err(|what| TranslateError::Internal { path: path(), what })?);
        }
        Ok(outputs)
    }
}

/// Notes the directives that lead to errors or have no effect. Returns whether there are any.
fn refuse(
    annotations: &mut Annotations,
    files: &Files,
    program: &Program,
    diagnostics: &[Diagnostic],
) -> bool {
    if annotations.refuse(files, diagnostics) {
        return true;
    }
    // An error may be at a call that cannot lead to a directive, such as a call in a macro.
    let errors = diagnostics.iter().filter(|one| one.is_error());
    let positions: Vec<Span> = errors.flat_map(|one| &one.labels).map(|label| label.span).collect();
    let mut any = false;
    if !positions.is_empty() {
        for directive in directives_behind(program, &positions) {
            any |= annotations.refuse_at(files, directive);
        }
    }
    any
}

/// Whether the program has a checkpoint and may call MPI.
fn communicates(program: &Program, front: &Front, files: &Files) -> bool {
    const PREFIX: &[u8] = b"mpi_";
    let mut directives = program.procedures.iter().flat_map(|procedure| procedure.directives());
    let mut texts = front.units.iter().map(|unit| &*files.get(unit.file()).bytes);
    directives.any(|directive| matches!(directive.kind, DirectiveKind::Checkpoint(_)))
        && texts.any(|text| text.windows(PREFIX.len()).any(|found| found.eq_ignore_ascii_case(PREFIX)))
}
