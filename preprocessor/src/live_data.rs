//! The checks of live data.
//!
//! Input: the program that lowering made.
//! Output: diagnostics.
//! Postcondition: each diagnostic says where the value is read, where it was written last, and what to add.

use std::collections::BTreeSet;

use cppc_analysis::catalogue::{to_fill_in, Catalogue};
use cppc_analysis::check::{Analysis, Finding, FindingKind};
use cppc_analysis::effects::{Assumptions, LibraryState};
use cppc_analysis::program::{Content, Lifetime, Procedure, Program, Site, Variable, VariableId};
use cppc_analysis::sets::Memory;
use cppc_analysis::unknown::{unknown_places, UnknownEffects, UnknownPlace};
use cppc_analysis::witness::Witness;
use cppc_source::{Diagnostic, Span};

mod files;
mod help;
mod saved_memory;
mod unusable;

pub use unusable::POINTERS_IN_BYTES;

use files::{changed_file, lost_position, repeated_append, repeated_creation, updated_file};
use help::help;
use saved_memory::{address_hash, register_of_another_size};

/// What the analyses do at a place whose effects they do not know.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Unknown {
    /// They assume the worst.
    #[default]
    Live,
    /// They report an error.
    Stop,
}

/// Which warnings the analyses report.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Warnings {
    #[default]
    Usual,
    /// Also those about missing entries of the catalogue.
    All,
}

/// Checks the directives of a program. `proved`: the checkpoints at which no request is open.
pub fn check(
    program: Program,
    catalogue: &Catalogue,
    unknown: Unknown,
    warnings: Warnings,
    assumptions: Assumptions,
    proved: &[Span],
) -> Vec<Diagnostic> {
    check_with(program, catalogue, unknown, warnings, assumptions, proved, &[]).0
}

/// The same. Returns also which of some variables no checkpoint needs. `declared`: the names in their declarations.
pub fn check_with(
    program: Program,
    catalogue: &Catalogue,
    unknown: Unknown,
    warnings: Warnings,
    assumptions: Assumptions,
    proved: &[Span],
    declared: &[Span],
) -> (Vec<Diagnostic>, Vec<Span>) {
    let effects = catalogue.of_program(&program);
    let program = &program.without_unreached().with_copied_allocators(&effects);
    let usual;
    let analysis = match assumptions {
        Assumptions::Worst => Analysis::new(program, &effects),
        Assumptions::Usual => {
            usual = program.in_usual_runs();
            Analysis::of_usual_runs(&usual, program, &effects)
        }
    };
    let is_needless = |finding: &Finding| {
        finding.kind == FindingKind::LostRequest && proved.contains(&analysis.operation(finding.at).span)
    };
    let mut findings = analysis.check();
    // Most programs end their threads in counted loops. So what may exist is found in usual runs.
    if assumptions == Assumptions::Worst && findings.iter().any(is_not_ended) {
        let usual = program.in_usual_runs();
        let others = Analysis::of_usual_runs(&usual, program, &effects).check();
        findings.retain(|one| !is_not_ended(one) || others.iter().any(|other| other.kind == one.kind));
    }
    let findings = findings.into_iter().filter(|finding| !is_needless(finding));
    let mut found: Vec<Diagnostic> = findings.map(|finding| diagnostic(&analysis, &finding)).collect();
    found.extend(unusable::reports(&analysis));
    let places = unknown_places(&analysis.summaries);
    let is_asked = unknown == Unknown::Stop || warnings == Warnings::All;
    let is_needed = || assumptions == Assumptions::Worst && analysis.needs_unknown_memory();
    let is_reported = || is_asked || is_needed();
    if !analysis.liveness.checkpoints.is_empty() && !places.is_empty() && is_reported() {
        found.extend(places.iter().map(|place| unknown_effects(&analysis, place, unknown)));
    }
    (found, not_needed(&analysis, declared))
}

/// Those of the variables that no checkpoint needs.
fn not_needed(analysis: &Analysis, declared: &[Span]) -> Vec<Span> {
    if declared.is_empty() {
        return Vec::new();
    }
    let unrestored: BTreeSet<Memory> =
        analysis.unrestored().into_iter().map(|missing| missing.range.memory).collect();
    let needed = |variable: &Variable| unrestored.contains(&variable.object.into());
    let of = |at: Span| {
        analysis.summaries.places.program.variables.iter().filter(move |one| one.declared == Some(at))
    };
    let is_not_needed = |at: &Span| of(*at).next().is_some() && !of(*at).any(needed);
    declared.iter().copied().filter(is_not_needed).collect()
}

/// Whether parallel regions use the copies that the threads have of a variable.
fn has_thread_copies(analysis: &Analysis, id: VariableId) -> bool {
    let program = analysis.summaries.places.program;
    program.thread_copies.contains(&program.variables[id.0 as usize].object)
}

fn is_not_ended(finding: &Finding) -> bool {
    matches!(finding.kind, FindingKind::LostState(LibraryState::Threads | LibraryState::Children))
}

/// What is live, lost and registered at each checkpoint.
pub fn dump(program: Program, catalogue: &Catalogue) -> String {
    let effects = catalogue.of_program(&program);
    let program = program.without_unreached().with_copied_allocators(&effects);
    Analysis::new(&program, &effects).dump()
}

fn diagnostic(analysis: &Analysis, finding: &Finding) -> Diagnostic {
    let at = analysis.operation(finding.at).span;
    let name = &finding.text;
    match finding.kind {
        FindingKind::NotRestored => {
            let message =
                format!("`{name}` may be read after this checkpoint, and a restart does not restore it");
            let found = Diagnostic::warning("C0701", at, message)
                .because("the state that is saved here does not contain it");
            let found = witnesses(analysis, finding, found);
            found.help(help(analysis, finding, at))
        }
        FindingKind::EvaluatedAgain => evaluated_again(analysis, finding),
        FindingKind::BlockReads | FindingKind::BlockNeedsEarlierRun => block_reads(analysis, finding),
        FindingKind::UnequalRuns => unequal_runs(analysis, finding),
        FindingKind::LostHandle | FindingKind::LostRequest => {
            let message =
                format!("`{name}` is used after this checkpoint, and a restart does not create it again");
            let units = analysis.summaries.units;
            let number = finding
                .memory
                .filter(|unit| analysis.summaries.is_unopened(*unit))
                .and_then(|unit| units.number(unit));
            if let Some(number) = number {
                let found = Diagnostic::warning("C0704", at, message)
                    .because("no OPEN statement connects it, so its first use opens a new file or the beginning of an old one");
                return witnesses(analysis, finding, found).help(format!(
                    "write `open({number}, file='fort.{number}')` before its first use, in a block `execute file({number}, 'fort.{number}')`"
                ));
            }
            let found = Diagnostic::warning("C0704", at, message)
                .because("it was created after `init`, outside of execute blocks");
            witnesses(analysis, finding, found).help(
                "write `execute` before the statement that creates it and `end execute` after it; for an open file, add `file(…)`; a declaration cannot be in the block: declare the variable before it",
            )
        }
        FindingKind::LostState(state) => lost_state(analysis, finding, state),
        FindingKind::RepeatedSetting(_) => repeated_setting(analysis, finding),
        FindingKind::RepeatedAppend | FindingKind::AppendInBlock => repeated_append(analysis, finding),
        FindingKind::RepeatedCreation | FindingKind::CreationInBlock => repeated_creation(analysis, finding),
        FindingKind::UpdatedFile | FindingKind::UpdatedRecords => updated_file(analysis, finding),
        FindingKind::RemovedFile
        | FindingKind::AskedFile
        | FindingKind::RecreatedFile
        | FindingKind::ShortenedFile => changed_file(analysis, finding),
        FindingKind::LostPosition { is_early, is_truncated } => {
            lost_position(analysis, finding, is_early, is_truncated)
        }
        FindingKind::KeptArray => {
            let name = &finding.text;
            let message = format!("`{name}` keeps its values between the calls of its procedure, and a restart from this checkpoint does not restore them");
            let found = Diagnostic::warning("C0716", at, message)
                .because("compilers such as gfortran make large local arrays static, and the procedure reads it before it writes it");
            witnesses(analysis, finding, found)
                .help(format!("declare `{name}` with SAVE and register it, or set it in each call"))
        }
        FindingKind::NewerThanRegister
        | FindingKind::ShortRegister
        | FindingKind::ExchangedRegister
        | FindingKind::MovedPointer
        | FindingKind::GrownRegister => register_of_another_size(analysis, finding),
        FindingKind::AddressHash { is_index } => address_hash(analysis, finding, is_index),
        FindingKind::NoCheckpoint => {
            Diagnostic::warning("C0703", at, "the program starts the runtime and has no checkpoint")
                .because("no path from here reaches a `checkpoint`")
                .help("write `checkpoint` in the main loop of the program")
        }
    }
}

/// Whether the checkpoint is in Fortran. Only its procedures keep loops.
fn is_fortran_code(analysis: &Analysis, finding: &Finding) -> bool {
    analysis.summaries.procedure(finding.at.procedure).keeps_loops
}

/// An execute block that may read another value when a restart runs it again.
fn block_reads(analysis: &Analysis, finding: &Finding) -> Diagnostic {
    let (at, name) = (analysis.operation(finding.at).span, &finding.text);
    let message = format!("this execute block reads `{name}`, which may have another value in a restart");
    let found = Diagnostic::warning("C0702", at, message);
    if finding.kind == FindingKind::BlockNeedsEarlierRun {
        let found = found.because(
            "a restart does not repeat the run of a block that has set it, because a later run with the same captured values takes its place",
        );
        return witnesses(analysis, finding, found).help(
            "capture a variable that has another value in each run, such as the loop variable, in all blocks of the loop that set it: `execute capture(i)`",
        );
    }
    let found = found.because("a restart runs this block again");
    let program = analysis.summaries.places.program;
    let is_pointer =
        finding.variable.is_some_and(|id| program.variables[id.0 as usize].content == Content::Pointer)
            || finding.memory.is_some_and(|range| analysis.allocation(range).is_some());
    let is_handle = finding
        .variable
        .is_some_and(|id| matches!(program.variables[id.0 as usize].content, Content::Handle(_)));
    let help = match is_pointer {
                false if is_handle => format!(
                    "set `{name}` in an execute block too, which captures the same variables; a handle cannot be captured"
                ),
                false => format!("capture it: `execute capture({name})`"),
                true => format!(
                    "copy what the block needs from `{name}` into an array or a variable and capture that, or set `{name}` in the block; a pointer to the heap cannot be captured"
                ),
            };
    witnesses(analysis, finding, found).help(help)
}

/// The captured values of a block with a collective call differ between processes.
fn unequal_runs(analysis: &Analysis, finding: &Finding) -> Diagnostic {
    let (at, name) = (analysis.operation(finding.at).span, &finding.text);
    let message = format!(
        "a restart may run this execute block a different number of times in each process, because `{name}` may differ between them"
    );
    let mut found = Diagnostic::warning("C0717", at, message)
        .because("a restart runs it once for each distinct set of captured values of the process");
    if let Some(call) = &finding.read {
        let called = analysis.called(call.site).unwrap_or_else(|| "a collective procedure".to_owned());
        found = found.label(
            analysis.operation(call.site).span,
            format!("all processes must call `{called}` equally often"),
        );
    }
    found.help("capture a variable that has another value in each run, and the same in all processes, such as the loop variable: `execute capture(i)`")
}

/// `at`: the call, or the construct.
fn evaluated_again(analysis: &Analysis, finding: &Finding) -> Diagnostic {
    let (at, name) = (analysis.operation(finding.at).span, &finding.text);
    let entered = analysis.operation(finding.at).call().is_some();
    let message =
        format!("`{name}` determines a size, and a restart computes it before it restores `{name}`");
    let found = Diagnostic::warning("C0701", at, message).because(match entered {
        true => "a restart repeats this call, and evaluates its arguments and the declarations of the procedure again",
        false => "a restart enters this construct, and evaluates its declarations again",
    });
    witnesses(analysis, finding, found).help(format!(
        "write `register({name})` where `{name}` has its memory, before this line, and not again after it"
    ))
}

fn repeated_setting(analysis: &Analysis, finding: &Finding) -> Diagnostic {
    let (at, name) = (analysis.operation(finding.at).span, &finding.text);
    let message =
        format!("`{name}` may be called several times before this checkpoint, and a restart calls it once");
    let found = Diagnostic::warning("C0710", at, message)
        .because("a restart runs an execute block once for each set of captured values");
    written(analysis, finding, found).help(
        "capture a variable that has another value each time, such as `execute capture(step)`, in the same procedure as the loop; or make the calls before `init`",
    )
}

/// The variable is static data of another file than the checkpoint.
fn is_elsewhere(analysis: &Analysis, id: VariableId, checkpoint: Span) -> bool {
    let program = analysis.summaries.places.program;
    let variable = &program.variables[id.0 as usize];
    let object = &program.objects[variable.object.0 as usize];
    // A header declares the variables of the C library.
    let is_of_library = object.external && !object.initialized && object.name == variable.name;
    object.lifetime == Lifetime::Static
        && !is_of_library
        && variable.declared.is_some_and(|declared| declared.file != checkpoint.file)
}

/// The variable keeps its value in a procedure of Fortran with several entries. Each entry is a procedure with the same
/// statements.
fn is_of_entries(analysis: &Analysis, id: VariableId) -> bool {
    let program = analysis.summaries.places.program;
    let object = &program.objects[program.variables[id.0 as usize].object.0 as usize];
    let is_owner = |one: &&Procedure| {
        one.keeps_loops && object.name.strip_prefix(&one.name).is_some_and(|rest| rest.starts_with('.'))
    };
    let Some(owner) = program.procedures.iter().find(is_owner) else { return false };
    let spans = |one: &Procedure| -> BTreeSet<Span> {
        let operations = one.blocks.iter().flat_map(|block| &block.operations);
        operations.map(|operation| operation.span).filter(|span| span.file == owner.span.file).collect()
    };
    let own = spans(owner);
    let mut others = program
        .procedures
        .iter()
        .filter(|one| one.keeps_loops && one.span.file == owner.span.file && one.name != owner.name);
    object.lifetime == Lifetime::Static && others.any(|other| !spans(other).is_disjoint(&own))
}

/// A place at which the analyses assume the worst.
fn unknown_effects(analysis: &Analysis, place: &UnknownPlace, unknown: Unknown) -> Diagnostic {
    let at = analysis.operation(place.site).span;
    let found = |code, message: String| match unknown {
        Unknown::Live => Diagnostic::warning(code, at, message),
        Unknown::Stop => Diagnostic::error(code, at, message),
    };
    let worst =
        "the analyses assume that it reads and writes all memory that it can reach, and keeps every pointer";
    match &place.what {
        UnknownEffects::Procedure { name, arguments } => {
            let shown = name.strip_suffix('_').unwrap_or(name);
            let entry = to_fill_in(name, *arguments);
            found("C0705", format!("the effects of `{shown}` are not known"))
                .because("it has no source here, and no entry in the catalogue")
                .note(worst)
                .help(format!(
                    "write what it does into a file, and name the file with `--catalogue` (see docs/catalogue.md):\n{entry}"
                ))
        }
        UnknownEffects::Pointer => {
            found("C0706", "the procedure that is called here is not known".to_owned())
                .because("the pointer may point to any procedure")
                .note(worst)
                .help("set the pointer in a source of the program")
        }
        UnknownEffects::Construct(what) => found("C0706", format!("the effects of {what} are not known"))
            .because("it is not analysed")
            .note("the analyses assume that it reads and writes all memory whose address is known to it"),
    }
}

fn lost_state(analysis: &Analysis, finding: &Finding, state: LibraryState) -> Diagnostic {
    let at = analysis.operation(finding.at).span;
    let name = &finding.text;
    let used = |lost: &str, help: &str| {
        let message = format!("`{name}` is called after this checkpoint, and a restart {lost}");
        let found =
            Diagnostic::warning("C0709", at, message).because("the state of the library is not saved");
        witnesses(analysis, finding, found).help(help)
    };
    match state {
        LibraryState::Random => used(
            "begins its random numbers anew",
            "use a generator whose state is a variable, such as `erand48` or `rand_r` in C, and register this variable; in Fortran, write `call random_seed(get=state)` before the checkpoint and `call random_seed(put=state)` after it, and register `state`",
        ),
        LibraryState::Token => {
            used("does not know its text", "use `strtok_r`, and register its pointer and the text")
        }
        LibraryState::Conversion => used(
            "does not know the first bytes of a character",
            "pass a variable of type `mbstate_t` instead of a null pointer, and register this variable",
        ),
        LibraryState::HashTable => {
            used("does not have its table", "create the table in an `execute` block, or before `init`")
        }
        LibraryState::Input => used(
            "does not restore the position of standard input",
            "read all of the input before `init`, or open the file by its name in an `execute` block with the clause `file(handle, name)`",
        ),
        LibraryState::Options => used(
            "begins again with the first option",
            "read all options before the first checkpoint, and register `optind` if it is needed later",
        ),
        LibraryState::Directory => used(
            "reads the directory from its beginning",
            "read all names before the checkpoint, and register the memory that contains them",
        ),
        LibraryState::FilePosition | LibraryState::SharedPosition => used(
            "does not restore the position in the MPI file",
            "use procedures with an explicit offset, such as `MPI_File_write_at`; or register the result of `MPI_File_get_position`, and call `MPI_File_seek` with it after the checkpoint",
        ),
        LibraryState::Threads => not_ended(
            analysis,
            finding,
            "thread",
            "join the thread before the checkpoint, and create it again after it",
        ),
        LibraryState::Children => {
            not_ended(analysis, finding, "child process", "wait for the child process before the checkpoint")
        }
        LibraryState::Locale
        | LibraryState::Environment
        | LibraryState::Process
        | LibraryState::Signals
        | LibraryState::Exit
        | LibraryState::Streams
        | LibraryState::OpenMp
        | LibraryState::FileView
        | LibraryState::FileSettings
        | LibraryState::ErrorHandlers
        | LibraryState::Names
        | LibraryState::Attributes
        | LibraryState::Info
        | LibraryState::Buffer => {
            let message =
                format!("`{name}` is called before this checkpoint, and a restart does not call it again");
            let found = Diagnostic::warning("C0710", at, message)
                .because(match state.is_of_mpi() {
                    true => "the settings of MPI are not saved",
                    false => "the settings of the process are not saved",
                });
            written(analysis, finding, found).help(if state == LibraryState::Streams {
                "call it in an `execute` block with the clause `file(handle, name)`, or before `init`"
            } else {
                "write `execute` before the call and `end execute` after it, or call it before `init`"
            })
        }
    }
}

/// A thread or a child process that may exist at a checkpoint.
fn not_ended(analysis: &Analysis, finding: &Finding, what: &str, help: &str) -> Diagnostic {
    let at = analysis.operation(finding.at).span;
    let message = format!(
        "the {what} of `{}` may exist at this checkpoint, and a restart does not create it again",
        finding.text
    );
    let found = Diagnostic::warning("C0712", at, message).because(format!("a {what} is not saved"));
    written(analysis, finding, found).help(help)
}

/// Adds the call that has changed the state.
fn written(analysis: &Analysis, finding: &Finding, found: Diagnostic) -> Diagnostic {
    match &finding.written {
        Some(written) => {
            let at = analysis.operation(written.site).span;
            found.label(at, format!("`{}` is called here", finding.text))
        }
        None => found,
    }
}

fn witnesses(analysis: &Analysis, finding: &Finding, mut found: Diagnostic) -> Diagnostic {
    let name = &finding.text;
    let of_name = |used, made| (format!("`{name}` is {used} here"), format!("`{name}` is {made} here"));
    let (used, made) = match finding.kind {
        FindingKind::LostHandle | FindingKind::LostRequest => of_name("used", "created"),
        FindingKind::LostState(_)
        | FindingKind::RepeatedSetting(_)
        | FindingKind::RepeatedAppend
        | FindingKind::AppendInBlock
        | FindingKind::RepeatedCreation
        | FindingKind::CreationInBlock
        | FindingKind::UpdatedFile
        | FindingKind::UpdatedRecords
        | FindingKind::RemovedFile
        | FindingKind::AskedFile
        | FindingKind::RecreatedFile
        | FindingKind::ShortenedFile
        | FindingKind::LostPosition { .. } => {
            (format!("`{name}` is used here"), "the state is changed here".to_owned())
        }
        FindingKind::NotRestored
        | FindingKind::EvaluatedAgain
        | FindingKind::BlockReads
        | FindingKind::KeptArray
        | FindingKind::BlockNeedsEarlierRun
        | FindingKind::UnequalRuns
        | FindingKind::NoCheckpoint
        | FindingKind::NewerThanRegister
        | FindingKind::ExchangedRegister
        | FindingKind::MovedPointer
        | FindingKind::GrownRegister
        | FindingKind::AddressHash { .. }
        | FindingKind::ShortRegister => of_name("read", "written"),
    };
    if let Some(read) = &finding.read {
        found = found.label(analysis.operation(read.site).span, used);
        found = chain(analysis, read, found);
    }
    if let Some(written) = &finding.written {
        found = found.label(analysis.operation(written.site).span, made);
    }
    if let Some(site) = finding.memory.and_then(|range| analysis.allocation(range)) {
        found = found.label(analysis.operation(site).span, "its memory is allocated here");
    }
    found
}

/// The calls between the checkpoint and the read.
fn chain(analysis: &Analysis, read: &Witness, found: Diagnostic) -> Diagnostic {
    let label = |site: &Site| analysis.summaries.procedure(site.procedure).label.clone();
    if read.calls.is_empty() {
        return found;
    }
    let mut names: Vec<String> = read.calls.iter().map(label).collect();
    names.push(label(&read.site));
    found.note(format!("it is read through these calls: `{}`", names.join("` → `")))
}
