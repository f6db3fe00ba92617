//! Loops.
//!
//! Input: `while`, `do`, `for`.
//! Output: their blocks; an entry in the list of loops for counted ones.

use cppc_analysis::program::BlockId;
use cppc_grammar::c::tree::{Expr, ForInit, Range, Statement, StatementKind};

use super::body::Body;
use super::counted::ForParts;

impl Body<'_, '_, '_> {
    pub fn while_loop(&mut self, range: Range, condition: &Expr, body: &Statement) {
        let before = self.builder.current();
        let exit = self.builder.new_block();
        let header = self.builder.new_block();
        let inside = self.builder.new_block();
        self.builder.fall_into(header);
        self.branch(condition, inside, exit);
        self.builder.switch_to(inside);
        self.loop_body(body, (range, before), exit, header);
        self.jump(header);
        self.builder.switch_to(exit);
    }

    pub fn do_loop(&mut self, range: Range, body: &Statement, condition: &Expr) {
        let before = self.builder.current();
        let exit = self.builder.new_block();
        let inside = self.builder.new_block();
        let header = self.builder.new_block();
        self.builder.fall_into(inside);
        self.loop_body(body, (range, before), exit, header);
        self.builder.fall_into(header);
        self.evaluated.clear();
        self.branch(condition, inside, exit);
        self.builder.switch_to(exit);
    }

    pub fn for_loop(
        &mut self,
        range: Range,
        init: &ForInit,
        condition: Option<&Expr>,
        step: Option<&Expr>,
        body: &Statement,
    ) {
        match init {
            ForInit::None => {}
            ForInit::Expr(value) => self.discard(value),
            ForInit::Declaration(declaration) => self.loop_declaration(declaration),
        }
        self.evaluated.clear();
        let before = self.builder.current();
        let counted = condition
            .zip(step)
            .and_then(|(condition, step)| self.counted(&ForParts { init, condition, step, body }));
        let exit = self.builder.new_block();
        let header = self.builder.new_block();
        let inside = self.builder.new_block();
        self.builder.fall_into(header);
        let entry = counted.as_ref().map(|found| {
            let (first, last) = (found.first.clone(), found.last.clone());
            self.builder.open_loop(header, inside, exit, found.variable, first, last, found.step)
        });
        match condition {
            Some(condition) => self.branch(condition, inside, exit),
            None => self.jump(inside),
        }
        self.builder.switch_to(inside);
        let next = self.builder.new_block();
        self.loop_body(body, (range, before), exit, next);
        self.builder.fall_into(next);
        self.evaluated.clear();
        step.into_iter().for_each(|step| self.discard(step));
        self.jump(header);
        if let (Some(entry), Some(found)) = (entry, counted) {
            self.builder.close_loop(entry, found.regular);
        }
        self.builder.switch_to(exit);
    }

    /// `range` is that of the loop, and `before` the block before it.
    fn loop_body(
        &mut self,
        body: &Statement,
        (range, before): (Range, BlockId),
        exit: BlockId,
        next: BlockId,
    ) {
        let span = self.span(range);
        let number = self.builder.open_body(span, before, next);
        let targets = (self.target(exit), Some(self.target(next)));
        self.targets.push(targets);
        match &body.kind {
            StatementKind::Compound(block) => {
                self.directives_before(body.range.start);
                self.items_of_block(block, |lowering, item| {
                    let span = lowering.span(item.range());
                    lowering.builder.body_statement(number, span);
                });
            }
            _ => {
                let span = self.span(body.range);
                self.builder.body_statement(number, span);
                self.statement(body);
            }
        }
        self.targets.pop();
    }
}
