//! Lowering: from bound sources to the program that the analyses read.
//!
//! Input: the units of a program.
//! Output: one `Program` for all of them.
//! Postcondition: what a language construct may read, write or call is in the program. A construct that lowering
//! does not understand is `Unknown` or `Opaque`.

pub mod c;
pub mod fortran;

use cppc_analysis::builder::ProgramBuilder;
use cppc_analysis::program::Program;
use cppc_source::Files;

use crate::bind::fortran::bind;
use crate::front::{Front, Source, Unit};

/// Lowers all units of a program. `sources` are those of the units, in the same order.
pub fn lower(front: &Front, sources: &[Source], whole: bool, files: &Files) -> Program {
    let mut program = ProgramBuilder::new(whole);
    let units = front.units.iter().zip(sources).filter_map(|(unit, source)| match unit {
        Unit::C(unit) => Some((&**unit, source)),
        Unit::Fortran(_) => None,
    });
    let units: Vec<_> = units.collect();
    c::lower(&units, whole && front.units.len() == units.len(), files, &mut program);
    let units = front.units.iter().filter_map(Unit::as_fortran).chain(&front.modules);
    let sources: Vec<_> = units.map(|unit| unit.source()).collect();
    if !sources.is_empty() {
        fortran::lower(&bind(&sources, files), files, &mut program);
    }
    program.finish()
}
