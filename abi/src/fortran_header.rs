//! Writes `cppcf.h`.
//!
//! Input: the tables.
//! Output: the text that a Fortran procedure includes.
//! Postcondition: it is valid in fixed and in free form, with IMPLICIT NONE, and no compiler warns about
//! unused names.

use std::fmt::Write;

use crate::routines::{self, ROUTINES};
use crate::storage::{ASSOCIATED, AUTOMATIC, DEEP, DEFERRED, FLAGS, PARAMETER, PARTIAL, STATIC};

/// The columns of a statement in fixed form, from the seventh on.
const COLUMNS: usize = 66;

/// The text of `cppcf.h`.
pub fn fortran_header() -> String {
    let mut text = String::from(OPENING);
    let functions: Vec<&str> =
        ROUTINES.iter().filter(|routine| routine.is_function).map(|routine| routine.name).collect();
    statements(&mut text, "INTEGER ", &functions);
    statements(&mut text, "EXTERNAL ", &functions);
    text.push_str("! Storage of a register, and types of elements\n");
    let storage = FLAGS.iter().filter(|flag| {
        [STATIC, AUTOMATIC, PARAMETER, ASSOCIATED, DEEP, PARTIAL, DEFERRED].contains(&flag.value)
    });
    let mut constants: Vec<(&str, i32)> = storage.map(|flag| (flag.name, flag.value_in_fortran())).collect();
    constants.extend(routines::types().map(|found| (found.name, found.code)));
    let names: Vec<&str> = constants.iter().map(|(name, _)| *name).collect();
    statements(&mut text, "INTEGER ", &names);
    for (name, value) in &constants {
        let _ = writeln!(text, "      PARAMETER ({name} = {value})");
    }
    text.push_str("! Uses each of them once, so that no compiler warns about unused names\n");
    let uses: Vec<String> = names
        .chunks(2)
        .enumerate()
        .map(|(index, names)| {
            let used = format!("CPPC_USED_{}", index + 1);
            let _ = writeln!(text, "      CHARACTER({}) {used}", names.join("+"));
            used
        })
        .collect();
    statements(&mut text, "EXTERNAL ", &uses.iter().map(String::as_str).collect::<Vec<_>>());
    text
}

/// Writes as many statements as the names need.
fn statements(text: &mut String, head: &str, names: &[&str]) {
    let mut line = String::new();
    for name in names {
        if !line.is_empty() && head.len() + line.len() + 2 + name.len() > COLUMNS {
            let _ = writeln!(text, "      {head}{line}");
            line.clear();
        }
        if !line.is_empty() {
            line.push_str(", ");
        }
        line.push_str(name);
    }
    let _ = writeln!(text, "      {head}{line}");
}

const OPENING: &str = "\
! cppcf.h: checkpointing of Fortran programs, included by procedures.
!
! Made from the table in the crate cppc-abi; do not edit. Valid in fixed
! and in free form. docs/restart-model-fortran.md describes the
! routines. Link with -lcppc, or for MPI programs with -lcppc_mpi.
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_fits_both_forms() {
        for line in fortran_header().lines() {
            assert!(line.len() <= 72 && line.is_ascii(), "{line}");
            assert!(line.starts_with('!') || line.starts_with("      "), "{line}");
        }
    }
}
