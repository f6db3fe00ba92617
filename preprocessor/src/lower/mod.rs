//! Lowering: from bound sources to the program that the analyses read.
//!
//! Input: the units of a program.
//! Output: one `Program` for all of them; on request, the names that directives may use in each procedure.
//! Postcondition: the program contains all reads, writes and calls that a language construct may perform. A
//! construct that lowering does not understand is `Unknown` or `Opaque`.

pub mod c;
pub mod fortran;
pub mod thread_copies;

use cppc_analysis::builder::ProgramBuilder;
use cppc_analysis::program::{ProcedureId, Program, VariableId};
use cppc_source::Files;

use crate::bind::fortran::bind;
use crate::front::{Front, Source, Unit};

/// The variables that a directive in a procedure can name.
pub type Names = Vec<(ProcedureId, VariableId)>;

/// Lowers all units of a program. `sources` are those of the units, in the same order.
pub fn lower(front: &Front, sources: &[Source], whole: bool, files: &Files) -> Program {
    lower_units(front, sources, whole, files, None)
}

/// Lowers all units of a program, and lists the names that are visible in each procedure.
pub fn lower_with_names(front: &Front, sources: &[Source], whole: bool, files: &Files) -> (Program, Names) {
    let mut names = Names::new();
    let program = lower_units(front, sources, whole, files, Some(&mut names));
    (program, names)
}

fn lower_units(
    front: &Front,
    sources: &[Source],
    whole: bool,
    files: &Files,
    mut names: Option<&mut Names>,
) -> Program {
    let mut program = ProgramBuilder::new(whole);
    let units = front.units.iter().zip(sources).filter_map(|(unit, source)| match unit {
        Unit::C(unit) => Some((&**unit, source)),
        Unit::Fortran(_) => None,
    });
    let units: Vec<_> = units.collect();
    let whole_in_c = whole && front.units.len() == units.len();
    c::lower(&units, whole_in_c, files, &mut program, names.as_deref_mut());
    let units = front.units.iter().filter_map(Unit::as_fortran).chain(&front.modules);
    let sources: Vec<_> = units.map(|unit| unit.source()).collect();
    let mut regions = thread_copies::regions_of_c(front);
    if !sources.is_empty() {
        let bound = bind(&sources, files);
        fortran::lower(&bound, files, &mut program, names);
        regions.extend(thread_copies::regions_of_fortran(&bound));
    }
    let mut program = program.finish();
    program.thread_copies = thread_copies::used_in(&regions, &program, front, files);
    program
}
