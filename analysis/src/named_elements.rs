//! The elements of arrays that the program names with constants, and in loops with constant bounds.
//!
//! Input: a program. Output: for each dimension of an array, the first and the last index that is known.
//! Postcondition: other elements may be accessed too, with indices that are not known.

use rustc_hash::FxHashMap;

use crate::accesses::accesses;
use crate::program::{Affine, BlockId, Index, ObjectId, OperationKind, Procedure, Program, Step};

/// The object, the step of the access path, and the dimension.
type Array = (ObjectId, usize, usize);

#[derive(Debug, Default)]
pub struct NamedElements {
    of: FxHashMap<Array, (i64, i64)>,
}

impl NamedElements {
    pub fn new(program: &Program) -> NamedElements {
        let mut named = NamedElements::default();
        for procedure in &program.procedures {
            for (at, block) in procedure.blocks.iter().enumerate() {
                for operation in &block.operations {
                    if matches!(operation.kind, OperationKind::Directive(_)) {
                        continue;
                    }
                    accesses(&operation.kind, &mut |access| {
                        let object = program.variables[access.root.0 as usize].object;
                        named.add(object, &access.path, procedure, BlockId(at as u32));
                    });
                }
            }
        }
        named
    }

    fn add(&mut self, object: ObjectId, path: &[Step], procedure: &Procedure, block: BlockId) {
        for (array, index) in indices(object, path) {
            if let Some((first, last)) = bounds(index, procedure, block) {
                let known = self.of.entry(array).or_insert((first, last));
                *known = (known.0.min(first), known.1.max(last));
            }
        }
    }

    /// Whether the program names elements of the array other than those of this path.
    pub fn are_beyond(&self, object: ObjectId, path: &[Step], procedure: &Procedure, block: BlockId) -> bool {
        indices(object, path).into_iter().any(|(array, index)| {
            let (Some(known), Some((first, last))) = (self.of.get(&array), bounds(index, procedure, block))
            else {
                return false;
            };
            known.0 < first || last < known.1
        })
    }
}

fn indices(object: ObjectId, path: &[Step]) -> Vec<(Array, &Index)> {
    let mut all = Vec::new();
    for (number, step) in path.iter().enumerate() {
        let Step::Elements(dimensions) = step else { continue };
        let of = |(at, dimension)| ((object, number, at), dimension);
        all.extend(dimensions.iter().map(|dimension| &dimension.index).enumerate().map(of));
    }
    all
}

/// The first and the last index that the operations of the block use, if they are constants.
fn bounds(index: &Index, procedure: &Procedure, block: BlockId) -> Option<(i64, i64)> {
    match index {
        Index::At(value) => values(value, procedure, block),
        Index::Range { first, last, .. } => {
            let (first, last) = (values(first, procedure, block)?, values(last, procedure, block)?);
            Some((first.0.min(last.0), first.1.max(last.1)))
        }
        Index::All | Index::Unknown => None,
    }
}

/// The values in all iterations of the loops around the block.
fn values(value: &Affine, procedure: &Procedure, block: BlockId) -> Option<(i64, i64)> {
    let (mut first, mut last) = (value.clone(), value.clone());
    let mut within = procedure.blocks[block.0 as usize].within;
    while let Some(number) = within {
        let around = &procedure.loops[number.0 as usize];
        if value.uses(around.variable) {
            let ends = [&around.first, &around.last].map(Affine::as_constant);
            let [Some(one), Some(other)] = ends else { return None };
            if !around.regular || around.step == 0 {
                return None;
            }
            let (low, high) = (one.min(other), one.max(other));
            let (low, high) = if value.factor(around.variable) < 0 { (high, low) } else { (low, high) };
            first = first.substitute(around.variable, &Affine::constant(low))?;
            last = last.substitute(around.variable, &Affine::constant(high))?;
        }
        within = around.within;
    }
    Some((first.as_constant()?, last.as_constant()?))
}
