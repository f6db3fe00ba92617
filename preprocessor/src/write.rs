//! Writes the text of one source from the plans.
//!
//! Input: the plan of a program.
//! Output: the new bytes of a source.
//! Postcondition: bytes outside edits are the bytes of the original.

use cppc_grammar::c::token::Name;
use cppc_source::edit::Overlap;
use cppc_source::{Diagnostic, EditList, Files, SourceFile, Span};

use crate::bind::Amount;
use crate::front::{c, fortran, Unit};
use crate::model::{DirectiveKind, Follower, Item, ItemKind, Language, Program, SharedDescription, UnitId};
use crate::original_lines;
use crate::plan::{self, Action, OutsideDirective, Plan, ProcedurePlan};
use crate::spell;
use crate::spell::c::Dispatch;

/// A source after translation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Written {
    pub text: Vec<u8>,
    /// True if the text differs from the original.
    pub changed: bool,
    /// The number of elements of a register follows from the allocations of the program.
    pub needs_allocations: bool,
    /// Text that would have to be rewritten but contains bytes that are not UTF-8.
    pub unfaithful: Option<Span>,
}

/// The form of the generated text.
#[derive(Debug, Clone, Copy, Default)]
pub struct Form {
    pub dispatch: Dispatch,
    /// Give generated text the lines of the original, for compilers and debuggers.
    pub line_markers: bool,
}

/// Writes one source.
///
/// # Errors
/// Two edits replace the same bytes. This is a defect of the translation.
pub fn write(
    form: Form,
    files: &Files,
    unit: &Unit,
    program: &Program,
    plan: &Plan,
    id: UnitId,
) -> Result<Written, Overlap> {
    let plans: Vec<&ProcedurePlan> = plan.procedures.iter().filter(|p| p.unit == id).collect();
    let outside: Vec<&OutsideDirective> =
        plan.outside.iter().filter(|directive| directive.unit == id).collect();
    let Rewritten { text, changed, unfaithful } = match unit {
        Unit::C(unit) => {
            let shared = program.shared_types.iter().filter(|one| one.unit == id).collect();
            let planned = UnitPlans { procedures: &plans, outside: &outside, shared };
            write_c(form, files, unit, program, plan, &planned)
        }
        Unit::Fortran(unit) => {
            let followers: Vec<&Follower> = program.followers.iter().filter(|one| one.unit == id).collect();
            write_fortran(form, files, unit, plan, &plans, &followers, &outside)
        }
    }?;
    let needs_allocations = needs_allocations(program, &outside, id);
    Ok(Written { text, changed, needs_allocations, unfaithful })
}

fn needs_allocations(program: &Program, outside: &[&OutsideDirective], id: UnitId) -> bool {
    let of_procedures = program.procedures.iter().filter(|procedure| procedure.unit == id).any(|procedure| {
        let is_parameter = |item: &Item| item.variable.is_some_and(|id| procedure.variable(id).parameter);
        procedure.directives().into_iter().any(|directive| match &directive.kind {
            DirectiveKind::Register(items) => {
                items.iter().any(|item| follows_allocation(item, is_parameter(item)))
            }
            DirectiveKind::Init
            | DirectiveKind::Shutdown
            | DirectiveKind::Unregister(_)
            | DirectiveKind::Execute { .. }
            | DirectiveKind::EndExecute
            | DirectiveKind::Checkpoint(_) => false,
        })
    });
    let mut outside = outside.iter().flat_map(|directive| match &directive.action {
        Action::Register { items, .. } | Action::Defer { items, .. } => items.as_slice(),
        Action::Init { .. }
        | Action::Shutdown
        | Action::Unregister { .. }
        | Action::Execute { .. }
        | Action::EndExecute { .. }
        | Action::Checkpoint { .. } => &[],
    });
    of_procedures || outside.any(|one| follows_allocation(&one.item, one.parameter))
}

/// Whether the runtime finds the size of a register in the allocations. The memory of a parameter that is registered without
/// elements is saved with the size of its allocation if nothing else saves it.
fn follows_allocation(item: &Item, is_parameter: bool) -> bool {
    let is_bare = item.kind == ItemKind::Target && item.count == "0" && is_parameter;
    match item.amount {
        Amount::Allocation | Amount::Deep => true,
        Amount::Constant => is_bare || item.reached.is_some(),
        Amount::Computed => item.reached.is_some(),
    }
}

/// What is planned for a source of C.
struct UnitPlans<'p> {
    procedures: &'p [&'p ProcedurePlan],
    outside: &'p [&'p OutsideDirective],
    /// The structures that it describes for other sources.
    shared: Vec<&'p SharedDescription>,
}

/// The text of one source, of either language.
struct Rewritten {
    text: Vec<u8>,
    changed: bool,
    unfaithful: Option<Span>,
}

fn write_c(
    form: Form,
    files: &Files,
    unit: &c::Unit,
    program: &Program,
    plan: &Plan,
    UnitPlans { procedures, outside, shared }: &UnitPlans,
) -> Result<Rewritten, Overlap> {
    let end = files.get(unit.file).bytes.len() as u32;
    let first = first_change(program, procedures, outside);
    let first = first.unwrap_or(if shared.is_empty() { 0 } else { end });
    let style = spell::c::Style {
        files,
        file: unit.file,
        dispatch: form.dispatch,
        prefix: prefix(unit),
        fingerprint: fingerprint(plan),
        include_at: include_offset(&files.get(unit.file).bytes, first),
    };
    let mut edits = spell::c::spell(&style, procedures, outside, shared);
    for remark in &unit.bound.remarks {
        spell::c::comment_out(&style, remark.span, &mut edits);
    }
    let file = files.get(unit.file);
    let changed = !edits.is_empty() || has_new_lines(file);
    let text = match file.shown() {
        Some(shown) if !changed && !shown.parts.is_empty() => shown.itself.clone(),
        _ => edits.rewrite(files)?,
    };
    let text = if form.line_markers && changed { original_lines::in_c(files, &edits) } else { text };
    Ok(Rewritten { text, changed, unfaithful: unfaithful(files, &edits) })
}

/// Whether lines were added to the source that are not directives, such as a procedure that other sources call.
fn has_new_lines(file: &SourceFile) -> bool {
    file.shown().is_some_and(|shown| shown.has_new_lines)
}

/// An edit that cannot reproduce the bytes which it copies from the program.
fn unfaithful(files: &Files, edits: &EditList) -> Option<Span> {
    if std::str::from_utf8(&files.get(edits.file()).bytes).is_ok() {
        return None;
    }
    edits.edits().iter().find(|edit| edit.text.contains(char::REPLACEMENT_CHARACTER)).map(|edit| edit.span)
}

/// The diagnostic for such text.
pub fn not_utf8(span: Span) -> Diagnostic {
    Diagnostic::error("C0501", span, "this must be rewritten, but contains bytes that are not UTF-8")
        .help("store the file in UTF-8, or remove the text from this statement")
}

fn write_fortran(
    form: Form,
    files: &Files,
    unit: &fortran::Unit,
    plan: &Plan,
    plans: &[&ProcedurePlan],
    followers: &[&Follower],
    outside: &[&OutsideDirective],
) -> Result<Rewritten, Overlap> {
    let fingerprint = fingerprint(plan);
    let style = spell::fortran::Style { files, file: unit.file, lines: &unit.lines, fingerprint };
    let edits = spell::fortran::spell(&style, plans, followers, outside);
    let text = edits.rewrite(files)?;
    let changed = !edits.is_empty() || has_new_lines(files.get(unit.file));
    let continued = continued(unit);
    let begins_line = |at: usize| {
        let next = continued.partition_point(|span| span.end as usize <= at);
        continued.get(next).is_none_or(|span| span.start as usize >= at)
    };
    let text = if form.line_markers && changed {
        original_lines::in_fortran(files, &edits, unit.options.preprocess, begins_line)
    } else {
        text
    };
    Ok(Rewritten { text, changed, unfaithful: unfaithful(files, &edits) })
}

/// The statements of the source itself with their continuation lines, each from its first line to its last.
fn continued(unit: &fortran::Unit) -> Vec<Span> {
    let lines = unit.lines.lines.iter().map(|line| line.span);
    let mut spans: Vec<Span> = lines.filter(|span| span.file == unit.file).collect();
    spans.sort_by_key(|span| span.start);
    spans
}

/// The offset of the first change. The include must be before it.
fn first_change(program: &Program, plans: &[&ProcedurePlan], outside: &[&OutsideDirective]) -> Option<u32> {
    let starts = plans.iter().filter_map(|plan| match &plan.form {
        plan::Form::C(body) => Some(body.start),
        plan::Form::Fortran(_) => None,
    });
    let directives = outside.iter().filter_map(|directive| {
        let holds =
            |p: &&crate::model::Procedure| p.place.is_some_and(|place| place.contains(directive.span));
        program.procedures.iter().find(holds).and_then(|p| p.place).map(|place| place.start)
    });
    starts.chain(directives).min()
}

/// A prefix for generated names that no name of the unit begins with.
fn prefix(unit: &c::Unit) -> String {
    let names = &unit.preprocessed.names;
    let all = (0..names.len() as u32).map(Name);
    let alike: Vec<Name> = all.filter(|&name| names.text(name).starts_with("cppc")).collect();
    // Names that occur only in directives do not count.
    let used = unit.preprocessed.tokens.iter().filter(|token| alike.contains(&token.text));
    let used: Vec<&str> = used.map(|token| names.text(token.text)).collect();
    let taken = |prefix: &str| {
        let under = format!("{prefix}_");
        used.iter().any(|name| *name == prefix || name.starts_with(&under))
    };
    let numbered = (2..).map(|number| format!("cppc{number}"));
    std::iter::once("cppc".to_owned()).chain(numbered).find(|p| !taken(p)).unwrap_or_default()
}

/// A hash (FNV-1a, 64 bits) of the instrumented procedures and their blocks. State of a program with a
/// different fingerprint cannot be resumed.
fn fingerprint(plan: &Plan) -> String {
    let mut lines: Vec<String> = plan
        .procedures
        .iter()
        .map(|procedure| {
            let blocks: Vec<String> = procedure.blocks.iter().map(ToString::to_string).collect();
            format!("{} {}", procedure.name, blocks.join("; "))
        })
        .collect();
    lines.sort();
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for byte in lines.join("\n").bytes() {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3);
    }
    format!("{hash:016x}")
}

/// The offset after the last `#include` that is outside any conditional and before `limit`. If there is none,
/// the start of the file.
fn include_offset(bytes: &[u8], limit: u32) -> u32 {
    // A byte order mark stays at the start.
    let mut start = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
    let (mut place, mut depth, mut comment, mut continued) = (start as u32, 0_i32, false, false);
    for line in bytes[start..].split_inclusive(|&byte| byte == b'\n') {
        let end = start + line.len();
        if end as u32 > limit {
            break;
        }
        let text = String::from_utf8_lossy(line);
        let word = text.trim_start().strip_prefix('#').map(str::trim_start);
        if let (Some(word), false, false) = (word, comment, continued) {
            if word.starts_with("if") {
                depth += 1;
            } else if word.starts_with("endif") {
                depth -= 1;
            } else if word.starts_with("include") && depth == 0 && line.ends_with(b"\n") {
                place = end as u32;
            }
        }
        continued = text.trim_end_matches(['\r', '\n']).ends_with('\\');
        comment = ends_in_comment(&text, comment);
        if comment && place == end as u32 {
            place = start as u32;
        }
        start = end;
    }
    place
}

fn ends_in_comment(line: &str, mut inside: bool) -> bool {
    let mut rest = line;
    loop {
        let (mark, length) = if inside { ("*/", 2) } else { ("/*", 2) };
        // A `//` or a quote before the comment mark hides it. Quotes are rare on such lines.
        let Some(at) = rest.find(mark) else { return inside };
        if !inside && (rest[..at].contains("//") || rest[..at].matches('"').count() % 2 == 1) {
            return false;
        }
        inside = !inside;
        rest = &rest[at + length..];
    }
}

/// An error for a program with two `init` directives.
pub fn second_init(program: &Program) -> Option<Diagnostic> {
    let directives = program.procedures.iter().flat_map(|p| p.directives());
    let mut inits =
        directives.filter(|d| matches!(d.kind, crate::model::DirectiveKind::Init)).map(|d| d.span);
    let (first, second) = (inits.next()?, inits.next()?);
    Some(
        Diagnostic::error("C0508", second, "a second `init` directive in this program")
            .label(first, "the first one")
            .help("keep the one that every run executes"),
    )
}

/// A warning for a whole program that has checkpoints but no `shutdown`, and no call of the runtime in its place.
pub fn missing_shutdown<'a>(
    program: &Program,
    whole: bool,
    mut sources: impl Iterator<Item = &'a [u8]>,
) -> Option<Diagnostic> {
    let mut directives = program.procedures.iter().flat_map(|p| p.directives());
    let checkpoint =
        directives.clone().find(|d| matches!(d.kind, crate::model::DirectiveKind::Checkpoint(_)))?;
    let has_shutdown = directives.any(|d| matches!(d.kind, crate::model::DirectiveKind::Shutdown));
    let has_main = program.procedures.iter().any(|procedure| procedure.main);
    const CALL: &[u8] = b"cppc_shutdown";
    let calls = |text: &[u8]| text.windows(CALL.len()).any(|found| found.eq_ignore_ascii_case(CALL));
    if !whole || !has_main || has_shutdown || sources.any(calls) {
        return None;
    }
    Some(
        Diagnostic::warning(
            "C0521",
            checkpoint.span,
            "this program has checkpoints, but no `shutdown` directive",
        )
        .because("this writes state files, and nothing removes them")
        .note("the runtime cannot know that a run has ended: the next start stops and asks for a decision")
        .help("write `shutdown` where every run ends successfully, before `MPI_Finalize`"),
    )
}

/// An error for a whole program that has a `main` and blocks but no `init`. Such a program saves nothing.
pub fn missing_init(program: &Program, whole: bool) -> Option<Diagnostic> {
    let main = program.procedures.iter().find(|procedure| procedure.main)?;
    let mut kinds = program.procedures.iter().flat_map(|p| p.directives());
    let has = |wanted: fn(&crate::model::DirectiveKind) -> bool| {
        program.procedures.iter().flat_map(|p| p.directives()).any(|d| wanted(&d.kind))
    };
    let init = has(|kind| matches!(kind, crate::model::DirectiveKind::Init));
    if init || kinds.next().is_none() || !whole {
        return None;
    }
    Some(
        Diagnostic::error("C0507", main.name_span, "no `init` directive in this program")
            .because("the program starts here")
            .note("without `init`, nothing is saved and nothing is resumed")
            .help(match main.language {
                Language::C => {
                    "write `#pragma cppc init` after `MPI_Init`, or first in `main` of a sequential program"
                }
                Language::Fortran => {
                    "write `!$cppc init` after `MPI_Init`, or first in the main program of a sequential one"
                }
            }),
    )
}
