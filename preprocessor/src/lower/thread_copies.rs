//! Variables of which each thread of OpenMP has a copy.
//!
//! Input: the lowered program, and the regions and directives of OpenMP.
//! Output: the objects of such variables that parallel regions use.
//! Postcondition: outside of the result, only the copy of the main thread has a value that the program needs.

use std::collections::BTreeSet;

use cppc_analysis::accesses::accesses;
use cppc_analysis::program::{Callee, Lifetime, ObjectId, OperationKind, ProcedureId, Program, Variable};
use cppc_source::{Files, Span};
use rustc_hash::FxHashMap;

use crate::bind::fortran::Bound;
use crate::front::{Front, Unit};

/// The directives whose statements several threads run.
const PARALLEL: [&str; 3] = ["omp parallel", "omp teams", "omp target"];

const WORD: &str = "threadprivate";

/// A statement that several threads run.
#[derive(Debug, Clone)]
pub(super) struct ParallelRegion {
    extent: Span,
    directive: Span,
}

pub(super) fn regions_of_c(front: &Front) -> Vec<ParallelRegion> {
    // Without the option, the compiler ignores the directives, and there is one copy.
    let units = front.units.iter().filter_map(Unit::as_c).filter(|unit| unit.has_openmp);
    let regions = units.flat_map(|unit| {
        let parallel = unit.bound.regions.iter().filter(|region| PARALLEL.contains(&&*region.name));
        parallel.filter_map(|region| {
            let token = |index: u32| unit.preprocessed.tokens.get(index as usize);
            let first = token(region.range.start)?.origin.span;
            let last = token(region.range.end.checked_sub(1)?)?.origin.span;
            let extent = (first.file == last.file && first.start <= last.end).then(|| first.to(last))?;
            Some(ParallelRegion { extent, directive: region.pragma })
        })
    });
    regions.collect()
}

pub(super) fn regions_of_fortran(bound: &Bound) -> Vec<ParallelRegion> {
    let parallel = bound.regions.iter().flatten().filter(|region| PARALLEL.contains(&&*region.name));
    parallel.map(|region| ParallelRegion { extent: region.extent, directive: region.directive }).collect()
}

/// The objects of which each thread has a copy, if a region uses the copies. A region that begins with the values of the
/// main thread (`copyin`) does not need the others.
pub(super) fn used_in(
    regions: &[ParallelRegion],
    program: &Program,
    front: &Front,
    files: &Files,
) -> Vec<ObjectId> {
    if regions.is_empty() {
        return Vec::new();
    }
    let copies = copies(program, front, files);
    if copies.is_empty() {
        return Vec::new();
    }
    let mut by_name: FxHashMap<&str, Vec<ProcedureId>> = FxHashMap::default();
    for (procedure, id) in program.procedures.iter().zip(0..) {
        by_name.entry(&procedure.name).or_default().push(ProcedureId(id));
    }
    let mut used = BTreeSet::new();
    for region in regions {
        let text = directive_text(region.directive, files);
        let copied = lists_after(&text, "copyin");
        let found = uses(region, program, &by_name);
        let is_copied = |object: &ObjectId| {
            let mut names = program.variables.iter().filter(|variable| variable.object == *object);
            names.any(|variable| copied.contains(&name_in_lists(program, variable).to_ascii_lowercase()))
        };
        used.extend(found.into_iter().filter(|object| copies.contains(object) && !is_copied(object)));
    }
    used.into_iter().collect()
}

/// The static objects that a `threadprivate` directive names.
fn copies(program: &Program, front: &Front, files: &Files) -> BTreeSet<ObjectId> {
    let mut objects = BTreeSet::new();
    let is_main = |file| front.units.iter().any(|unit| unit.file() == file);
    for unit in &front.units {
        let names = match unit {
            Unit::C(unit) => {
                let pragmas = unit.preprocessed.pragmas.iter();
                let text = |index: usize, tokens: &[cppc_grammar::c::token::Token]| {
                    tokens.get(index).map(|token| unit.preprocessed.names.text(token.text).to_owned())
                };
                let lists = pragmas.filter(|pragma| text(1, &pragma.tokens).is_some_and(|word| word == WORD));
                let names = lists
                    .flat_map(|pragma| (2..pragma.tokens.len()).filter_map(|at| text(at, &pragma.tokens)));
                names.collect()
            }
            Unit::Fortran(unit) => thread_private(&files.get(unit.file).bytes),
        };
        let is_here = |declared: Span| declared.file == unit.file() || !is_main(declared.file);
        let is_named = |name: &str| match unit {
            Unit::C(_) => names.contains(name),
            Unit::Fortran(_) => names.contains(&name.to_ascii_lowercase()),
        };
        for variable in program.variables.iter().filter(|_| !names.is_empty()) {
            let object = &program.objects[variable.object.0 as usize];
            let is_copy =
                variable.declared.is_some_and(is_here) && is_named(name_in_lists(program, variable));
            if is_copy && object.lifetime == Lifetime::Static {
                objects.insert(variable.object);
            }
        }
    }
    objects
}

/// The name that lists of OpenMP have for a variable: its own, or that of its COMMON block.
fn name_in_lists<'p>(program: &'p Program, variable: &'p Variable) -> &'p str {
    let object = &program.objects[variable.object.0 as usize].name;
    object.strip_prefix('/').and_then(|rest| rest.strip_suffix('/')).unwrap_or(&variable.name)
}

/// The text of a directive with its continuation lines, in lower case.
fn directive_text(directive: Span, files: &Files) -> String {
    let bytes = &files.get(directive.file).bytes;
    let text = String::from_utf8_lossy(&bytes[directive.start as usize..]);
    let mut lines = text.lines().peekable();
    let mut found = String::new();
    while let Some(line) = lines.next() {
        found.push_str(&line.to_ascii_lowercase());
        let is_continued = |next: &&str| {
            let next = next.trim_start().get(1..).unwrap_or_default().to_ascii_lowercase();
            line.trim_end().ends_with(['&', '\\']) || next.starts_with("$omp&")
        };
        if !lines.peek().is_some_and(is_continued) {
            break;
        }
    }
    found
}

/// The names of variables and COMMON blocks of which each thread has a copy, in lower case.
pub fn thread_private(text: &[u8]) -> BTreeSet<String> {
    lists_after(&String::from_utf8_lossy(text).to_ascii_lowercase(), WORD)
}

/// The words of the lists in parentheses after a word.
fn lists_after(text: &str, word: &str) -> BTreeSet<String> {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let lists = text.match_indices(word).filter_map(|(at, _)| {
        let rest = text[at + word.len()..].trim_start().strip_prefix('(')?;
        rest.split(')').next()
    });
    let words = lists.flat_map(|list| list.split(move |letter| !is_part(letter)));
    words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

/// The objects that a region and the procedures that it calls use.
fn uses(
    region: &ParallelRegion,
    program: &Program,
    by_name: &FxHashMap<&str, Vec<ProcedureId>>,
) -> BTreeSet<ObjectId> {
    let (mut found, mut waiting, mut called) = (BTreeSet::new(), Vec::new(), BTreeSet::new());
    let mut add = |kind: &OperationKind, waiting: &mut Vec<ProcedureId>| {
        accesses(kind, &mut |access| {
            found.insert(program.variables[access.root.0 as usize].object);
        });
        let OperationKind::Call(call) = kind else { return };
        let named = |name: &String| by_name.get(name.as_str()).map_or(&[][..], |ids| ids);
        match &call.callee {
            Callee::Named(name) => waiting.extend(named(name)),
            Callee::OneOf(names) => waiting.extend(names.iter().flat_map(named)),
            Callee::Indirect(_) => {
                let procedures = program.procedures.iter().zip(0..);
                let passed = procedures.filter(|(procedure, _)| procedure.address_taken);
                waiting.extend(passed.map(|(_, id)| ProcedureId(id)));
            }
        }
    };
    let inside = program.operations().filter(|(_, operation)| region.extent.contains(operation.span));
    inside.for_each(|(_, operation)| add(&operation.kind, &mut waiting));
    while let Some(id) = waiting.pop() {
        if called.insert(id) {
            let operations = program.procedures[id.0 as usize].operations(id);
            operations.for_each(|(_, operation)| add(&operation.kind, &mut waiting));
        }
    }
    found
}
