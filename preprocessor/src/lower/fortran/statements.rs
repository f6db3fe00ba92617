//! Statements in the order of their text, with exact control flow.
//!
//! Input: the statements of a procedure or of a part of a construct. Output: blocks.
//! Postcondition: a statement with a label begins a block.

use cppc_analysis::program::{Argument as Passed, Terminator, Value};
use cppc_grammar::fortran::logical::LineId;
use cppc_grammar::fortran::tree::{Argument, ArgumentKind, Expr, LabelUse, Name, Statement, StatementKind};

use super::body::Body;
use crate::bind::fortran::{ScopeId, SymbolKind};

impl Body<'_, '_> {
    pub fn statements<'t>(&mut self, scope: ScopeId, list: impl IntoIterator<Item = &'t Statement>) {
        for statement in list {
            self.statement(scope, statement);
        }
    }

    pub fn statement(&mut self, scope: ScopeId, statement: &Statement) {
        if let Some(label) = &statement.label {
            self.begin_label(label.value);
        }
        let span = self.anchor(statement.at);
        self.span = span;
        match &statement.kind {
            StatementKind::Assignment { target, .. } if self.is_statement_function(scope, target) => {}
            StatementKind::Assignment { target, value } => self.assign(scope, target, value, false),
            StatementKind::PointerAssignment { target, value } => {
                self.pointer_assignment(scope, target, value)
            }
            StatementKind::Call { procedure, arguments } => self.call_statement(scope, procedure, arguments),
            StatementKind::Goto(label) => {
                let to = self.label(label.value);
                self.jump(to);
            }
            StatementKind::ComputedGoto { labels, selector } => {
                self.reads(scope, selector);
                let after = self.flow.new_block();
                self.switch_to_labels(labels, Some(after));
                self.flow.switch_to(after);
            }
            StatementKind::AssignedGoto { variable, labels } => self.assigned_goto(scope, variable, labels),
            StatementKind::AssignLabel { variable, .. } => {
                if let Some(place) = self.named(scope, variable) {
                    self.write(place, Value::Data);
                }
            }
            StatementKind::ArithmeticIf { value, labels } => {
                self.reads(scope, value);
                self.switch_to_labels(labels, None);
            }
            StatementKind::LogicalIf { condition, action } => {
                let (then, after) = (self.flow.new_block(), self.flow.new_block());
                self.branch(scope, condition, then, after);
                self.flow.switch_to(then);
                self.statement(scope, action);
                self.flow.fall_into(after);
            }
            StatementKind::Return(value) => {
                value.iter().for_each(|value| self.reads(scope, value));
                let exit = self.exit;
                self.jump(exit);
            }
            StatementKind::Stop(code) => {
                code.iter().for_each(|code| self.reads(scope, code));
                if self.is_normal_end(scope, statement, code.as_ref()) {
                    self.library("stop", Vec::new(), None);
                }
                self.flow.terminate(Terminator::Stop);
            }
            StatementKind::Cycle(name) => self.leave(name.as_ref(), true),
            StatementKind::Exit(name) => self.leave(name.as_ref(), false),
            StatementKind::Io { keyword, controls, items } => self.io(scope, keyword, controls, items),
            StatementKind::Allocate { objects, options } => self.allocate(scope, objects, options),
            StatementKind::Deallocate { objects, options } => self.deallocate(scope, objects, options),
            StatementKind::Nullify(objects) => {
                for object in objects {
                    match self.pointer_place(scope, object) {
                        Some(holder) => self.write(holder, Value::Null),
                        None => drop(self.not_understood(scope, object)),
                    }
                }
            }
            StatementKind::Masked { keyword, expressions, action } => {
                self.masked_statement(scope, keyword, expressions, action.as_deref());
            }
            StatementKind::OtherExecutable { expressions } => self.other(scope, expressions),
            StatementKind::Construct(construct) => self.construct(scope, statement, construct),
            StatementKind::Directive => self.directive(scope, statement.line),
            StatementKind::Unknown => self.unparsed(scope, statement.line),
            StatementKind::Pause => self.library("pause", Vec::new(), None),
            _ => {}
        }
    }

    /// The block of a label begins here.
    pub fn begin_label(&mut self, label: u32) {
        let block = self.label(label);
        self.flow.adopt(block);
        self.flow.fall_into(block);
    }

    /// STOP without a code, with the code 0, or with a message.
    fn is_normal_end(&mut self, scope: ScopeId, statement: &Statement, code: Option<&Expr>) -> bool {
        let text = self.bound.text(self.source, statement.at).trim_start().to_ascii_lowercase();
        let mut is_success = |code: &Expr| {
            matches!(self.bound.type_of(scope, code).ty, crate::bind::fortran::Type::Character { .. })
                || self.affine(scope, code).is_some_and(|code| code.as_constant() == Some(0))
        };
        text.starts_with("stop") && code.is_none_or(&mut is_success)
    }

    fn is_statement_function(&self, scope: ScopeId, target: &Expr) -> bool {
        let cppc_grammar::fortran::tree::ExprKind::Reference { base, .. } = &target.kind else {
            return false;
        };
        let cppc_grammar::fortran::tree::ExprKind::Name(name) = &base.kind else { return false };
        let symbol = self.bound.lookup(scope, &name.text).map(|id| &self.bound.symbol(id).kind);
        matches!(symbol, Some(SymbolKind::StatementFunction { .. }))
    }

    fn named(&mut self, scope: ScopeId, name: &Name) -> Option<cppc_analysis::program::Access> {
        let id = self.bound.lookup(scope, &name.text)?;
        Some(self.place_of_symbol(id)?.whole())
    }

    fn switch_to_labels(&mut self, labels: &[LabelUse], after: Option<cppc_analysis::program::BlockId>) {
        let mut targets: Vec<_> = labels.iter().map(|label| self.label(label.value)).collect();
        targets.extend(after);
        self.flow.terminate(Terminator::Switch(targets));
    }

    fn assigned_goto(&mut self, scope: ScopeId, variable: &Name, labels: &[LabelUse]) {
        if let Some(place) = self.named(scope, variable) {
            self.read(place);
        }
        if !labels.is_empty() {
            return self.switch_to_labels(labels, None);
        }
        let assigned = self.facts.assigned.clone();
        let targets: Vec<_> = assigned.into_iter().map(|label| self.label(label)).collect();
        self.flow.terminate(match targets.is_empty() {
            true => Terminator::Anywhere,
            false => Terminator::Switch(targets),
        });
    }

    fn call_statement(&mut self, scope: ScopeId, procedure: &Expr, arguments: &[Argument]) {
        match self.bound.callee(scope, procedure, arguments) {
            Some(called) => {
                self.call(scope, procedure, &called, arguments, false);
            }
            None => self.intrinsic_call(scope, procedure, arguments),
        }
        let labels: Vec<u32> = arguments
            .iter()
            .filter_map(|argument| match &argument.kind {
                ArgumentKind::AlternateReturn(label) => Some(label.value),
                _ => None,
            })
            .collect();
        if !labels.is_empty() {
            let after = self.flow.new_block();
            let mut targets = vec![after];
            targets.extend(labels.into_iter().map(|label| self.label(label)));
            self.flow.terminate(Terminator::Switch(targets));
            self.flow.switch_to(after);
        }
    }

    fn intrinsic_call(&mut self, scope: ScopeId, procedure: &Expr, arguments: &[Argument]) {
        let cppc_grammar::fortran::tree::ExprKind::Name(name) = &procedure.kind else { return };
        if name.text == "move_alloc" {
            return self.move_alloc(scope, arguments);
        }
        let mut passed = self.intrinsic_arguments(scope, &name.text, arguments);
        // Whether the program ends well depends on the value.
        if let ("exit", [Argument { kind: ArgumentKind::Value(status), .. }]) =
            (name.text.as_str(), arguments)
        {
            passed = vec![Passed::Value(self.value(scope, status))];
        }
        let sets_seed = name.text == "random_seed" && !matches!(passed.get(1), None | Some(Passed::Absent));
        self.library(if sets_seed { "random_seed_put" } else { &name.text }, passed, None);
        if matches!(name.text.as_str(), "exit" | "abort") {
            self.flow.terminate(Terminator::Stop);
        }
    }

    fn leave(&mut self, name: Option<&Name>, cycle: bool) {
        let found = self.frames.iter().rev().find(|frame| match name {
            Some(name) => frame.name.as_deref() == Some(name.text.as_str()),
            None => frame.cycle.is_some(),
        });
        let target = found.and_then(|frame| if cycle { frame.cycle } else { Some(frame.exit) });
        self.flow.terminate(target.map_or(Terminator::Anywhere, Terminator::Jump));
    }

    /// SYNC ALL, EVENT POST, LOCK: other images may use all memory that they can reach.
    fn other(&mut self, scope: ScopeId, expressions: &[Expr]) {
        let mut touched = Vec::new();
        for expr in expressions {
            self.variables_in(scope, expr, &mut touched);
        }
        self.opaque("a statement of which only the operands are known", touched);
    }

    /// A line that could not be parsed may have any effect on the names in it.
    fn unparsed(&mut self, scope: ScopeId, line: LineId) {
        let at = self.bound.statement_at(self.source, line);
        let text = self.bound.text(self.source, at).to_ascii_lowercase();
        let words = text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
        let mut touched = Vec::new();
        for word in words.filter(|word| !word.is_empty()) {
            if let Some(id) = self.bound.lookup(scope, word) {
                touched.extend(self.place_of_symbol(id).map(|place| place.access.root));
            }
        }
        self.opaque("a statement that could not be parsed", touched);
    }
}
