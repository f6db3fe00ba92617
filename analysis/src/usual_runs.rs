//! The usual runs of a program.
//!
//! Input: a program. Output: a copy in which input and output succeed, and each counted loop has an iteration.
//! Postcondition: each path of the copy is a path of the program.

use crate::program::{Block, BlockId, LoopId, Procedure, Program, Terminator};

impl Program {
    /// The same program, where all statements of input and output succeed, and each counted loop has an iteration.
    pub fn in_usual_runs(&self) -> Program {
        let mut program = self.clone();
        for procedure in &mut program.procedures {
            for block in &mut procedure.blocks {
                if let Terminator::Succeeds { then, .. } = block.terminator {
                    block.terminator = Terminator::Jump(then);
                }
            }
            procedure.enter_loops();
        }
        program
    }
}

impl Procedure {
    /// Makes each counted loop begin with an iteration: control comes to a copy of its header, which continues in the body.
    fn enter_loops(&mut self) {
        for number in 0..self.loops.len() {
            let (header, body, within) =
                (self.loops[number].header, self.loops[number].body, self.loops[number].within);
            let is_inside = |block: &Block| self.is_within(block.within, LoopId(number as u32));
            let outside: Vec<usize> =
                (0..self.blocks.len()).filter(|&at| !is_inside(&self.blocks[at])).collect();
            let first = BlockId(self.blocks.len() as u32);
            let operations = self.blocks[header.0 as usize].operations.clone();
            let terminator = Terminator::Jump(body);
            self.blocks.push(Block { operations, terminator, condition: None, within });
            for at in outside {
                self.blocks[at].terminator.redirect(header, first);
            }
        }
    }

    /// The block of which `enter_loops` has made this copy. `self` is the procedure without copies.
    pub fn original(&self, block: BlockId) -> BlockId {
        match (block.0 as usize).checked_sub(self.blocks.len()) {
            Some(number) => self.loops[number].header,
            None => block,
        }
    }

    fn is_within(&self, mut innermost: Option<LoopId>, number: LoopId) -> bool {
        while let Some(one) = innermost {
            if one == number {
                return true;
            }
            innermost = self.loops[one.0 as usize].within;
        }
        false
    }
}

impl Terminator {
    fn redirect(&mut self, from: BlockId, to: BlockId) {
        let change = |block: &mut BlockId| {
            if *block == from {
                *block = to;
            }
        };
        match self {
            Terminator::Jump(block) => change(block),
            Terminator::Branch { then, otherwise, .. } | Terminator::Succeeds { then, otherwise } => {
                change(then);
                change(otherwise);
            }
            Terminator::Switch(blocks) => blocks.iter_mut().for_each(change),
            Terminator::Return | Terminator::Stop | Terminator::Anywhere => {}
        }
    }
}
