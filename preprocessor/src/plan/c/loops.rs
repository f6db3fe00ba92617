//! Loops whose header calls an instrumented procedure.
//!
//! Input: a loop.
//! Output: rewrites.
//! Postcondition: if a condition or step had to be taken out, statements at the start or end of the body
//! evaluate it. Its names have the same meaning there as in the header. `continue` still jumps to it.

use cppc_source::{Diagnostic, Span};

use super::{Planner, Rewrite};
use crate::model::{
    Declaration, DirectiveKind, Item, ItemKind, Loop, LoopForm, LoopInit, Statement, StatementKind,
    VariableId,
};
use crate::plan::builder::registers;
use crate::plan::Action;

impl Planner<'_> {
    pub(super) fn loop_statement(&mut self, statement: &Statement, inner: &Loop) {
        match &inner.init {
            LoopInit::None => {}
            LoopInit::Expression(init) if self.builder.becomes_steps(init) => {
                let mut steps = Vec::new();
                self.builder.lift_effect(init, &mut steps);
                self.builder.temporaries.complete(&mut steps, []);
                self.steps_before(statement, steps);
                if let Some(span) = init.place {
                    self.rewrites.push(Rewrite::Vanish { span, always: false });
                }
            }
            LoopInit::Expression(init) => self.lift_before(statement, init),
            LoopInit::Declaration(declaration) => self.loop_declaration(statement, declaration),
        }
        let condition_leads = inner.condition.as_ref().is_some_and(|c| self.builder.leads(c));
        let step_leads = inner.step.as_ref().is_some_and(|step| self.builder.leads(step));
        let at_end = step_leads || (condition_leads && inner.form == LoopForm::DoWhile);
        let at_start = condition_leads && inner.form != LoopForm::DoWhile;
        let label = at_end.then(|| self.builder.next_number());
        let outer_label = std::mem::replace(&mut self.continue_label, label);
        let outer_continues = std::mem::replace(&mut self.continues, false);
        if !at_start && !at_end {
            self.substatement(&inner.body);
        } else {
            self.opened_loop(inner, at_start, label);
        }
        self.continue_label = outer_label;
        self.continues = outer_continues;
    }

    /// A loop whose condition or step is evaluated by statements in its body.
    fn opened_loop(&mut self, inner: &Loop, at_start: bool, label: Option<u32>) {
        let Some(body) = inner.body.place else { return self.in_macro(inner.body.anchor) };
        let braced = matches!(inner.body.kind, StatementKind::Block { implied: false, .. });
        // The statements at the end must see the names outside of the body, so they are placed outside its
        // braces.
        let wrapped = !braced || label.is_some();
        if wrapped {
            self.rewrites.push(Rewrite::OpenBrace { at: body.start });
        }
        if let (true, Some(condition)) = (at_start, &inner.condition) {
            let inner_start = match inner.body.kind {
                StatementKind::Block { inner, .. } => inner,
                _ => None,
            };
            let at = if wrapped { body.start } else { inner_start.unwrap_or(body.start + 1) };
            self.register_header(inner, Span::new(body.file, at, at));
            self.builder.stand = at;
            let mut steps = Vec::new();
            let holes = self.builder.lift(condition, &mut steps);
            self.builder.temporaries.complete(&mut steps, holes.iter().map(|hole| hole.slot));
            if let Some(fragment) = self.builder.fragment(condition, holes) {
                let always = inner.form == LoopForm::While;
                let span = fragment.span;
                self.rewrites.push(Rewrite::Condition { at, wrapped, steps, condition: fragment });
                self.rewrites.push(Rewrite::Vanish { span, always });
            }
        }
        if braced {
            self.substatement(&inner.body);
        } else {
            self.items(std::slice::from_ref(&inner.body));
        }
        if let Some(label) = label {
            let head =
                inner.step.as_ref().filter(|_| inner.form == LoopForm::For).or(inner.condition.as_ref());
            self.builder.names_at = head.and_then(|head| head.place).map(|place| place.start);
            self.loop_end(inner, body, label);
            self.builder.names_at = None;
        }
        if wrapped {
            self.rewrites.push(Rewrite::CloseBrace { opened: body.start, at: body.end });
        }
    }

    /// Variables that the header of a loop declares and its body registers are registered before the
    /// condition is evaluated for the first time. The program cannot do this, because no directive can be
    /// placed there.
    fn register_header(&mut self, inner: &Loop, at: Span) {
        let LoopInit::Declaration(Declaration { place: Some(head), .. }) = &inner.init else { return };
        let procedure = self.builder.procedure;
        let declared = |id: VariableId| {
            let scope = procedure.variable(id).scope;
            head.start < scope.start && scope.start <= head.end
        };
        let mut items: Vec<Item> = Vec::new();
        for directive in procedure.directives() {
            let DirectiveKind::Register(registered) = &directive.kind else { continue };
            for item in registered.iter().filter(|item| item.kind == ItemKind::Memory) {
                let is_known = items.iter().any(|known| known.variable == item.variable);
                if item.variable.is_some_and(declared) && !is_known {
                    items.push(item.clone());
                }
            }
        }
        if items.is_empty() {
            return;
        }
        let block = self.builder.new_block(at, registers(&items));
        let items = self.builder.registered(&items);
        let action = Action::Register { block, section: self.builder.section, items };
        self.rewrites.push(Rewrite::Directive { span: at, action });
    }

    fn loop_end(&mut self, inner: &Loop, body: Span, label: u32) {
        let labelled = self.continues;
        self.builder.stand = body.end;
        let mut steps = Vec::new();
        let mut evaluate = None;
        if inner.form == LoopForm::DoWhile {
            let Some(condition) = &inner.condition else { return };
            let holes = self.builder.lift(condition, &mut steps);
            self.builder.temporaries.complete(&mut steps, holes.iter().map(|hole| hole.slot));
            self.punch(holes);
        } else if let Some(step) = &inner.step {
            if self.builder.becomes_steps(step) {
                self.builder.lift_effect(step, &mut steps);
                self.builder.temporaries.complete(&mut steps, []);
            } else {
                let holes = self.builder.lift(step, &mut steps);
                self.builder.temporaries.complete(&mut steps, holes.iter().map(|hole| hole.slot));
                evaluate = self.builder.fragment(step, holes);
            }
            if let Some(span) = step.place {
                self.rewrites.push(Rewrite::Vanish { span, always: false });
            }
        }
        self.rewrites.push(Rewrite::LoopEnd { body, label, labelled, steps, evaluate });
    }

    /// A declaration in the header of a `for`.
    fn loop_declaration(&mut self, statement: &Statement, declaration: &Declaration) {
        let leads = |d: &crate::model::Declarator| d.expressions.iter().any(|e| self.builder.leads(e));
        match declaration.declarators.iter().position(leads) {
            None => {}
            Some(0) if !declaration.declarators.iter().skip(1).any(leads) => {
                self.declarator_steps(&declaration.declarators[0].expressions, |planner, steps| {
                    planner.steps_before(statement, steps);
                });
            }
            Some(_) => {
                let anchor = declaration.place.unwrap_or(statement.anchor);
                self.builder.diagnostics.push(
                    Diagnostic::error(
                        "C0503",
                        anchor,
                        "a call in the declarations of this loop cannot be moved to a statement of its own",
                    )
                    .help("declare the variables before the loop, one declaration each"),
                );
            }
        }
    }
}
