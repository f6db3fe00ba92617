//! Programs with checkpoints at places where the source has none.
//!
//! Input: a program and places between its operations. Output: the same program with a checkpoint at each of them.
//! Postcondition: nothing else is different.

use std::collections::BTreeMap;

use cppc_source::Span;

use crate::program::{
    BlockId, BodyStatement, Directive, Operation, OperationKind, ProcedureId, Program, Site,
};

/// A place before a statement.
#[derive(Debug, Clone, Copy)]
pub struct Candidate {
    pub procedure: ProcedureId,
    pub statement: BodyStatement,
}

/// The program with a checkpoint at each place, and the site of each.
pub fn with_checkpoints(program: &Program, places: &[Candidate]) -> (Program, Vec<Site>) {
    let mut program = program.clone();
    let mut sites = vec![None; places.len()];
    let mut of_blocks: BTreeMap<(ProcedureId, BlockId), Vec<(u32, usize)>> = BTreeMap::new();
    for (number, place) in places.iter().enumerate() {
        let block = (place.procedure, place.statement.block);
        of_blocks.entry(block).or_default().push((place.statement.operation, number));
    }
    for ((procedure, block), mut numbers) in of_blocks {
        numbers.sort_unstable();
        let operations = &mut program.procedures[procedure.0 as usize].blocks[block.0 as usize].operations;
        for (before, (operation, number)) in (0..).zip(numbers) {
            let operation = operation + before;
            operations.insert(operation as usize, checkpoint(places[number].statement.span));
            sites[number] = Some(Site { procedure, block, operation });
        }
    }
    (program, sites.into_iter().flatten().collect())
}

fn checkpoint(span: Span) -> Operation {
    let kind = OperationKind::Directive(Box::new(Directive::Checkpoint));
    Operation { kind, span, computed: Vec::new() }
}
