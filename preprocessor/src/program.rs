//! Combines the units of all sources into the model of one program.
//!
//! Input: units of every language, and the units that were read only for their modules.
//! Output: the procedures of the program, and the diagnostics of binding.
//! Postcondition: procedures have distinct names, including static procedures of the same name in two files.

use std::collections::HashSet;
use std::ffi::OsString;
use std::hash::{Hash, Hasher};

use cppc_source::Files;
use rustc_hash::FxHasher;

use crate::bind::c::shared_types::{NamedUnit, SharedTypes};
use crate::bind::fortran::{self as bind_fortran, Source as FortranSource};
use crate::front::{self, Front, Source, Unit};
use crate::model::fortran::Checkpoints;
use crate::model::{c, fortran, Directive, DirectiveKind, Program, UnitId};

/// The part of the program that the sources are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// All of it.
    Whole,
    /// The sources of a shared library. Its text is final.
    Library,
    /// Some. They are translated again with the others.
    Part,
}

/// Builds the model of a program.
pub fn program(front: &Front, sources: &[Source], extent: Extent, files: &Files) -> Program {
    let whole = extent == Extent::Whole;
    let mut program = Program { whole, ..Program::default() };
    let shared = shared_types(front, extent);
    program.diagnostics.extend(shared.diagnostics.iter().cloned());
    for (index, unit) in front.units.iter().enumerate() {
        let Unit::C(unit) = unit else { continue };
        let front::c::Unit { file, preprocessed, parsed, bound, .. } = &**unit;
        let (procedures, described) =
            c::model(&parsed.unit, UnitId(index), bound, preprocessed, *file, &shared);
        program.procedures.extend(procedures);
        program.shared_types.extend(described);
        program.remarks.extend(bound.remarks.iter().cloned());
    }
    let units: Vec<&front::c::Unit> = front.units.iter().filter_map(Unit::as_c).collect();
    note_escapes(&mut program, &units);
    // gcc evaluates the arguments of a call from the last to the first. clang evaluates them from the first
    // to the last.
    program.arguments_backwards = units.iter().all(|unit| !unit.is_clang);
    add_fortran(&mut program, front, files, extent);
    tell_files_apart(&mut program, sources);
    let is_init = |directive: &&Directive| matches!(directive.kind, DirectiveKind::Init);
    program.starts_below_main =
        program.procedures.iter().any(|one| !one.main && one.directives().iter().any(is_init));
    program.variants = sources.iter().map(variant).collect();
    program
}

/// The structures of C that a source defines and others only declare.
fn shared_types(front: &Front, extent: Extent) -> SharedTypes {
    let units = front.units.iter().enumerate().filter_map(|(index, unit)| {
        let unit = unit.as_c()?;
        Some(NamedUnit { index, bound: &unit.bound, names: &unit.preprocessed.names })
    });
    SharedTypes::new(&units.collect::<Vec<_>>(), extent != Extent::Part)
}

/// Marks the procedures whose address is taken in some file.
fn note_escapes(program: &mut Program, units: &[&front::c::Unit]) {
    let names = units.iter().flat_map(|unit| {
        let functions = unit.bound.address_taken_functions.iter();
        functions.map(|&id| unit.preprocessed.names.text(unit.bound.symbol(id).name))
    });
    let taken: HashSet<&str> = names.collect();
    for procedure in program.procedures.iter_mut().filter(|procedure| !procedure.local) {
        procedure.escapes |= taken.contains(procedure.name.as_str());
    }
}

/// Adds the Fortran procedures. Their names are bound for all files together.
fn add_fortran(program: &mut Program, front: &Front, files: &Files, extent: Extent) {
    let own = front.units.iter().enumerate();
    let own = own.filter_map(|(index, unit)| Some((Some(UnitId(index)), unit.as_fortran()?)));
    let all: Vec<_> = own.chain(front.modules.iter().map(|unit| (None, unit))).collect();
    if all.is_empty() {
        return;
    }
    let ids: Vec<Option<UnitId>> = all.iter().map(|(id, _)| *id).collect();
    let sources: Vec<FortranSource> = all.iter().map(|(_, unit)| unit.source()).collect();
    let mut bound = bind_fortran::bind(&sources, files);
    program.diagnostics.append(&mut bound.diagnostics);
    program.remarks.append(&mut bound.remarks);
    let is_checkpoint = |kind: &DirectiveKind| matches!(kind, DirectiveKind::Checkpoint(_));
    let mut in_c = program.procedures.iter().flat_map(|procedure| procedure.directives());
    let checkpoints = match extent == Extent::Library || in_c.any(|one| is_checkpoint(&one.kind)) {
        true => Checkpoints::Elsewhere,
        false => Checkpoints::Here,
    };
    let (procedures, followers, mut diagnostics) =
        fortran::model(&bound, &sources, &ids, files, program.whole, checkpoints);
    program.procedures.extend(procedures);
    program.followers = followers;
    program.diagnostics.append(&mut diagnostics);
}

/// Makes static names unique by adding the name of the file. If two files have the same name, the whole path is used.
/// Names do not depend on what is in the other files, so that an object need not be compiled again when it is linked.
fn tell_files_apart(program: &mut Program, sources: &[Source]) {
    let base = |source: &Source| {
        source.path.file_name().map_or(String::new(), |name| name.to_string_lossy().into_owned())
    };
    for (index, source) in sources.iter().enumerate() {
        let name = base(source);
        let unique = sources.iter().filter(|other| base(other) == name).count() == 1;
        let file = if unique { name.clone() } else { source.path.display().to_string() };
        let (short, long) = (format!("{name}:"), format!("{file}:"));
        for procedure in program.procedures.iter_mut().filter(|p| p.unit == UnitId(index)) {
            if procedure.local {
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

/// A word for the macros of the command line, if there are any. It does not depend on other sources.
fn variant(source: &Source) -> String {
    let is_macro = |flag: &&OsString| {
        let text = flag.to_string_lossy();
        text.starts_with("-D") || text.starts_with("-U")
    };
    let mut hasher = FxHasher::default();
    let macros: Vec<&OsString> = source.flags.iter().filter(is_macro).collect();
    macros.hash(&mut hasher);
    match macros.is_empty() {
        true => String::new(),
        false => format!("#{:08x}", hasher.finish() as u32),
    }
}
