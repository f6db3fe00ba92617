//! Labels and jumps.

use cppc_analysis::program::{BlockId, Expression, Terminator};
use cppc_grammar::c::token::{Name, TokenKind};
use cppc_grammar::c::tree::{BlockItem, Compound, Expr, Range, Statement};

use super::body::{Body, Switch};

impl Body<'_, '_, '_> {
    pub fn switch(&mut self, condition: &Expr, body: &Statement) {
        self.value(condition);
        let exit = self.builder.new_block();
        if self.builder.terminated() {
            let block = self.builder.new_block();
            self.builder.switch_to(block);
        }
        // The cases are known only after the body was lowered.
        let head = self.builder.current();
        let selected = self.computed(condition);
        self.builder.set_condition(Expression::Of(vec![selected]));
        let first = self.builder.new_block();
        self.end_block(Terminator::Jump(first));
        self.builder.switch_to(first);
        let continues = self.targets.last().and_then(|targets| targets.1);
        let exits = self.target(exit);
        self.targets.push((exits, continues));
        self.switches.push(Switch { cases: Vec::new(), has_default: false });
        // Statements before the first label are never reached.
        self.end_block(Terminator::Stop);
        self.statement(body);
        self.targets.pop();
        let Switch { mut cases, has_default } =
            self.switches.pop().unwrap_or(Switch { cases: Vec::new(), has_default: false });
        if !has_default {
            cases.push(exit);
        }
        cases.sort_unstable();
        cases.dedup();
        self.jump(exit);
        self.builder.replace_terminator(head, Terminator::Switch(cases));
        self.builder.switch_to(exit);
    }

    /// `case …:` or `default:`
    pub fn case(&mut self, is_default: bool, body: &Statement) {
        let block = self.builder.new_block();
        if let Some(switch) = self.switches.last_mut() {
            switch.cases.push(block);
            switch.has_default |= is_default;
        }
        self.builder.fall_into(block);
        self.statement(body);
    }

    pub fn labelled(&mut self, name: Name, body: &Statement) {
        let block = self.label(name);
        self.builder.fall_into(block);
        self.statement(body);
    }

    /// The block of a label.
    pub fn label(&mut self, name: Name) -> BlockId {
        match self.labels.get(&name).and_then(|blocks| blocks.last()) {
            Some(&block) => block,
            None => {
                let block = self.builder.new_block();
                self.labels.entry(name).or_default().push(block);
                block
            }
        }
    }

    pub fn goto(&mut self, name: Name) {
        if !self.labels.contains_key(&name) {
            // The label is in the enclosing procedure. There, each call may continue at it.
            return self.end_block(Terminator::Stop);
        }
        self.may_clean_up();
        let block = self.label(name);
        self.end_block(Terminator::Jump(block));
    }

    pub fn computed_goto(&mut self, target: &Expr) {
        self.value(target);
        self.may_clean_up();
        let terminator = match self.computed.is_empty() {
            true => Terminator::Anywhere,
            false => Terminator::Switch(self.computed.clone()),
        };
        self.end_block(terminator);
    }

    /// Lowers a compound statement with the labels that it declares with `__label__`.
    pub fn local_labels(&mut self, compound: &Compound, lowered: impl FnOnce(&mut Self)) {
        let mut own = Vec::new();
        for item in &compound.items {
            if let BlockItem::LocalLabels(range) = item {
                own.extend(self.identifiers(*range));
            }
        }
        for &name in &own {
            // The block that was made for the name belongs to its first declaration.
            let block = match self.local_names.insert(name) {
                true => self.label(name),
                false => self.builder.new_block(),
            };
            self.labels.entry(name).or_default().push(block);
        }
        self.scope(lowered);
        for name in own {
            if let Some(blocks) = self.labels.get_mut(&name) {
                blocks.pop();
            }
        }
    }

    pub fn identifiers(&self, range: Range) -> Vec<Name> {
        let tokens = self.unit.unit.preprocessed.tokens.get(range.start as usize..range.end as usize);
        let tokens = tokens.unwrap_or_default().iter();
        tokens.filter(|token| token.kind == TokenKind::Identifier).map(|token| token.text).collect()
    }
}
