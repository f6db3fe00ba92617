//! Memory whose content is not followed.
//!
//! Input: a program. Output: large arrays of real numbers, and memory that may change at any time.

use rustc_hash::FxHashSet;

use super::input::Input;
use crate::program::{Content, OperationKind};
use crate::sets::Memory;

/// The least size of an array whose content is not followed.
const BULK_BYTES: u64 = 1024;

/// Large memory in which the program itself writes nothing but real numbers of at least 8 bytes. What decides about
/// messages is computed from them in few programs, and following them is most of the work.
pub fn bulk(input: &Input) -> FxHashSet<Memory> {
    let Input { program, points, .. } = *input;
    let objects = (0..).map(Memory).zip(&program.objects);
    let large = objects.filter(|(_, object)| object.size.is_some_and(|size| size >= BULK_BYTES));
    let mut found: FxHashSet<Memory> = large.map(|(memory, _)| memory).collect();
    for (_, operation) in program.operations() {
        let (OperationKind::Write { to, .. } | OperationKind::Allocate { to, .. }) = &operation.kind else {
            continue;
        };
        let is_real = to.content == Content::Data && to.size.is_some_and(|size| size >= 8);
        if !is_real {
            for place in points.denoted(program, to) {
                found.remove(&place.0);
            }
        }
    }
    for initial in &program.initial {
        found.remove(&initial.object.into());
    }
    found.extend(&input.volatile);
    found
}
