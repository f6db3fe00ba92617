//! Writes that need no restart in usual runs: a handle is set to null, or execute blocks set it again.
//!
//! Input: a program, and the memory that accesses denote. Output: the memory of announced handles, and memory that execute
//! blocks do not set alone.

use crate::access_ranges::AccessRanges;
use crate::problems::{execute_after, execute_blocks};
use crate::program::{Directive, OperationKind, Value};
use crate::sets::Bytes;

pub fn is_null_write(kind: &OperationKind) -> bool {
    match kind {
        OperationKind::Write { value: Value::Null, .. } => true,
        OperationKind::Write { .. }
        | OperationKind::Read(_)
        | OperationKind::Begin(_)
        | OperationKind::Allocate { .. }
        | OperationKind::Free(_)
        | OperationKind::Call(_)
        | OperationKind::Directive(_)
        | OperationKind::Opaque { .. } => false,
    }
}

/// Memory that a statement outside of execute blocks writes. If such a statement gives all elements of an array a
/// value, blocks may set only some of them again.
pub fn patched(places: &AccessRanges) -> Bytes {
    let mut patched = Bytes::default();
    for procedure in &places.program.procedures {
        let inside = execute_blocks(procedure);
        for (block, mut execute) in procedure.blocks.iter().zip(inside) {
            for operation in &block.operations {
                execute = execute_after(execute, &operation.kind);
                let OperationKind::Write { to, .. } = &operation.kind else { continue };
                if execute.is_none() && !is_null_write(&operation.kind) {
                    let written = places.resolve(to, &mut Vec::new());
                    written.iter().for_each(|place| patched.insert(place.range));
                }
            }
        }
    }
    places.concretize(&patched)
}

/// The handles that execute blocks announce with `file(…)`.
pub fn announced(places: &AccessRanges) -> Bytes {
    let mut announced = Bytes::default();
    for (_, directive) in places.program.directives() {
        if let Directive::BeginExecute { files, .. } = directive {
            for file in files {
                places
                    .certain(&places.resolve(&file.memory, &mut Vec::new()))
                    .into_iter()
                    .for_each(|range| announced.insert(range));
            }
        }
    }
    announced
}
