//! Statements as nodes.

use super::{group, leaf, node, Node, Writer};
use crate::c::tree::{BlockItem, Compound, Expr, ForInit, Statement, StatementKind};

impl Writer<'_> {
    pub(super) fn compound(&self, compound: &Compound) -> Node {
        let items = compound.items.iter().map(|item| match item {
            BlockItem::Declaration(declaration) => self.declaration(declaration),
            BlockItem::Function(function) => self.function(function),
            BlockItem::Statement(statement) => self.statement(statement),
            BlockItem::StaticAssert(range) => leaf("static assertion", *range),
            BlockItem::LocalLabels(range) => leaf("local labels", *range),
        });
        node("block", compound.range, items.collect())
    }

    fn statement(&self, statement: &Statement) -> Node {
        let (label, children) = self.parts(&statement.kind);
        node(label, statement.range, children)
    }

    fn parts(&self, kind: &StatementKind) -> (String, Vec<Node>) {
        let (label, children) = match kind {
            StatementKind::Expr(None) => ("empty", Vec::new()),
            StatementKind::Expr(Some(value)) => ("expression", vec![self.expression(value)]),
            StatementKind::Compound(block) => ("compound", vec![self.compound(block)]),
            StatementKind::If { condition, then, otherwise } => {
                let mut parts = vec![self.expression(condition), self.statement(then)];
                parts.extend(otherwise.iter().map(|otherwise| self.statement(otherwise)));
                (if otherwise.is_some() { "if else" } else { "if" }, parts)
            }
            StatementKind::Switch { condition, body } => ("switch", self.headed(condition, body)),
            StatementKind::While { condition, body } => ("while", self.headed(condition, body)),
            StatementKind::DoWhile { body, condition } => {
                ("do", vec![self.statement(body), self.expression(condition)])
            }
            StatementKind::For { init, condition, step, body } => {
                ("for", self.for_parts(init, condition.as_deref(), step.as_deref(), body))
            }
            StatementKind::Goto(label) => return (format!("goto {}", self.name(*label)), Vec::new()),
            StatementKind::ComputedGoto(target) => ("computed goto", vec![self.expression(target)]),
            StatementKind::Continue => ("continue", Vec::new()),
            StatementKind::Break => ("break", Vec::new()),
            StatementKind::Return(value) => {
                ("return", value.iter().map(|value| self.expression(value)).collect())
            }
            StatementKind::Label { name, body } => {
                return (format!("label {}", self.name(*name)), vec![self.statement(body)]);
            }
            StatementKind::Case { value, last, body } => {
                let mut parts = vec![self.expression(value)];
                parts.extend(last.iter().map(|last| self.expression(last)));
                parts.push(self.statement(body));
                ("case", parts)
            }
            StatementKind::Default { body } => ("default", vec![self.statement(body)]),
            StatementKind::Asm { goto: false } => ("asm", Vec::new()),
            StatementKind::Asm { goto: true } => ("asm goto", Vec::new()),
        };
        (label.to_owned(), children)
    }

    fn headed(&self, condition: &Expr, body: &Statement) -> Vec<Node> {
        vec![self.expression(condition), self.statement(body)]
    }

    fn for_parts(
        &self,
        init: &ForInit,
        condition: Option<&Expr>,
        step: Option<&Expr>,
        body: &Statement,
    ) -> Vec<Node> {
        let none = || group("nothing", Vec::new());
        let init = match init {
            ForInit::None => none(),
            ForInit::Expr(value) => self.expression(value),
            ForInit::Declaration(declaration) => self.declaration(declaration),
        };
        let condition = condition.map_or_else(none, |condition| self.expression(condition));
        let step = step.map_or_else(none, |step| self.expression(step));
        vec![init, condition, step, self.statement(body)]
    }
}
