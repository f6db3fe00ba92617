//! Statements.
//!
//! Input: the statements of a body.
//! Output: operations and blocks.
//! Postcondition: a directive is between the operations of the statements around it.

use cppc_analysis::program::{OperationKind, Terminator};
use cppc_grammar::c::token::TokenKind;
use cppc_grammar::c::tree::{BlockItem, Compound, Range, Statement, StatementKind};

use super::body::Body;
use crate::bind::c::SymbolKind;

impl Body<'_, '_, '_> {
    pub fn compound(&mut self, compound: &Compound) {
        self.items_of_block(compound, |_, _| {});
    }

    /// Lowers the items of a block. `begin` is called before each of them.
    pub fn items_of_block(&mut self, compound: &Compound, mut begin: impl FnMut(&mut Self, &BlockItem)) {
        self.local_labels(compound, |body| {
            for item in &compound.items {
                begin(body, item);
                body.item(item);
            }
            body.directives_before(compound.range.end.saturating_sub(1));
        });
    }

    pub fn item(&mut self, item: &BlockItem) {
        match item {
            BlockItem::Declaration(declaration) => {
                self.directives_before(declaration.range.start);
                self.evaluated.clear();
                self.declaration(declaration);
            }
            // Nested functions have separate bodies.
            BlockItem::Function(function) => self.directives_before(function.range.start),
            BlockItem::Statement(statement) => self.statement(statement),
            BlockItem::StaticAssert(range) | BlockItem::LocalLabels(range) => {
                self.directives_before(range.start)
            }
        }
    }

    pub fn statement(&mut self, statement: &Statement) {
        self.directives_before(statement.range.start);
        self.evaluated.clear();
        match &statement.kind {
            StatementKind::Expr(None) => {}
            StatementKind::Expr(Some(value)) => self.discard(value),
            StatementKind::Compound(compound) => self.compound(compound),
            StatementKind::If { condition, then, otherwise } => self.either(
                condition,
                |body| body.statement(then),
                |body| otherwise.iter().for_each(|otherwise| body.statement(otherwise)),
            ),
            StatementKind::Switch { condition, body } => self.switch(condition, body),
            StatementKind::While { condition, body } => self.while_loop(statement.range, condition, body),
            StatementKind::DoWhile { body, condition } => self.do_loop(statement.range, body, condition),
            StatementKind::For { init, condition, step, body } => {
                self.scope(|own| {
                    own.for_loop(statement.range, init, condition.as_deref(), step.as_deref(), body);
                });
            }
            StatementKind::Goto(label) => self.goto(label.name),
            StatementKind::ComputedGoto(target) => self.computed_goto(target),
            StatementKind::Continue => self.leave(true),
            StatementKind::Break => self.leave(false),
            StatementKind::Return(value) => {
                if let Some(value) = value {
                    self.returned(value);
                }
                self.clean_up(0);
                self.end_block(Terminator::Return);
            }
            StatementKind::Label { name, body } => self.labelled(name.name, body),
            StatementKind::Case { body, .. } => self.case(false, body),
            StatementKind::Default { body } => self.case(true, body),
            StatementKind::Asm { goto } => self.assembler(statement.range, *goto),
        }
    }

    fn leave(&mut self, to_next: bool) {
        let target = match (self.targets.last(), to_next) {
            (Some((_, next)), true) => *next,
            (Some((exit, _)), false) => Some(*exit),
            (None, _) => None,
        };
        match target {
            Some(target) => self.leave_for(target),
            // The compiler refuses it outside of a loop.
            None => self.end_block(Terminator::Stop),
        }
    }

    fn returned(&mut self, value: &cppc_grammar::c::tree::Expr) {
        let result = self.procedure.map(|own| self.bound().procedure(own).result.clone());
        match (self.result, result) {
            (Some(variable), Some(ty)) => {
                let place = super::lvalue::Lvalue::of(variable, ty);
                self.store(&place, value);
            }
            _ => self.discard(value),
        }
    }

    /// Assembly may read and change its operands. An empty template without operands only prevents the
    /// compiler from moving code.
    fn assembler(&mut self, range: Range, goto: bool) {
        let tokens = self.unit.unit.preprocessed.tokens.get(range.start as usize..range.end as usize);
        let tokens = tokens.unwrap_or_default();
        let text = |index: usize| tokens.get(index).map_or("", |token| self.unit.text(token.text));
        let template = (0..tokens.len()).find(|&index| tokens[index].kind == TokenKind::String);
        let is_empty = template.is_some_and(|at| text(at) == "\"\"" && matches!(text(at + 1), ")" | ":"));
        let has_operands =
            tokens.iter().skip(template.unwrap_or(0)).any(|token| token.kind == TokenKind::Identifier);
        if is_empty && !has_operands {
            return;
        }
        let mut touched = Vec::new();
        for name in self.identifiers(range) {
            let Some(id) = self.bound().lookup(name, range.start) else { continue };
            if matches!(self.bound().symbol(id).kind, SymbolKind::Variable | SymbolKind::Parameter) {
                touched.push(self.variable(id));
            }
        }
        touched.sort_unstable();
        touched.dedup();
        self.emit(OperationKind::Opaque { reason: "assembly", touched }, range);
        if goto {
            let next = self.builder.new_block();
            let mut blocks = vec![next];
            for name in self.identifiers(range) {
                blocks.extend(self.labels.get(&name).and_then(|blocks| blocks.last()));
            }
            self.end_block(Terminator::Switch(blocks));
            self.builder.switch_to(next);
        }
    }
}
