//! The plan of one procedure: its statements walked in text order.
//!
//! Input: a procedure of the model.
//! Output: its blocks and rewrites.
//! Postcondition: if something cannot be rewritten, there is a diagnostic. Rewrites that start at the same
//! byte are in the order of their text.

mod rewrite;
mod arguments;
mod rules;
mod checks;
pub(super) mod constants;
mod flow;
mod initialisers;
mod setjmp;
mod loops;

use checks::opening;
pub use initialisers::MAY_BE_SET;
pub use rewrite::{BodyPlan, Rewrite};

use std::collections::BTreeSet;

use cppc_source::{Diagnostic, Span};

use rules::CRules;

use crate::model::{
    Cleanup, ConstantStorage, Declaration, Directive, DirectiveKind, Expression, Procedure, ProcedureId,
    Program, Statement, StatementKind, VariableId, VariableLength,
};
use crate::plan::builder::registers;
use crate::plan::builder::{not_editable, PlanBuilder};
use crate::plan::{Action, BlockKind, Form, Hole, Plan, ProcedurePlan, Reach, Step};

/// Walks the statements of one procedure.
struct Planner<'a> {
    builder: PlanBuilder<'a>,
    rewrites: Vec<Rewrite>,
    /// A statement was inserted before one that has no braces around it.
    needs_braces: bool,
    /// The current statement is the body of another one, without braces.
    alone: bool,
    continue_label: Option<u32>,
    continues: bool,
    /// Variable-length arrays and the bytes of their scopes.
    variable_lengths: Vec<(VariableLength, Span)>,
    /// Variables with the attribute `cleanup`, and the bytes of their scopes.
    cleanups: Vec<(Cleanup, Span)>,
    block_end: u32,
    /// Variables that are registered in place.
    in_place: BTreeSet<VariableId>,
    /// Whether there is a call of `setjmp`.
    calls_setjmp: bool,
    /// Whether there is a checkpoint in the procedure or below it.
    leads_to_checkpoint: bool,
}

/// Plans one procedure that has blocks.
pub(super) fn plan_procedure(program: &Program, id: ProcedureId, reach: &Reach, plan: &mut Plan) {
    let procedure = &program.procedures[id.0];
    let (Some(place), Some(body)) = (procedure.place, procedure.body.place) else {
        plan.diagnostics.push(not_editable(procedure));
        return;
    };
    let mut in_place = BTreeSet::new();
    let mut planner = loop {
        let mut planner =
            Planner::new(program, reach, procedure, body, &in_place, reach.leads_to_checkpoint(id));
        planner.items(&procedure.body.items);
        let known = in_place.len();
        in_place.extend(planner.builder.hidden_variables.iter().copied());
        if in_place.len() == known {
            break planner;
        }
    };
    planner.builder.warn_of_lost_registers(id);
    planner.builder.diagnostics.extend(initialisers::warn(program, reach, id));
    planner.refuse_addresses();
    planner.take_from_registers();
    let opening = opening(procedure, body);
    planner.refuse_jumps_into_scopes(opening);
    let exit_label = !planner.variable_lengths.iter().any(|(_, s)| s.end >= body.end && s.start > opening);
    let records = planner.builder.records();
    let graphs = planner.builder.graphs();
    plan.diagnostics.append(&mut planner.builder.diagnostics);
    let body = BodyPlan {
        command_line: procedure.command_line.clone(),
        targets: planner.builder.targets,
        result: procedure.result.clone(),
        opening,
        closing: body.end - 1,
        exit_label,
        records,
        graphs,
        start: place.start,
        rewrites: planner.rewrites,
        calls_setjmp: planner.calls_setjmp,
    };
    plan.procedures.push(ProcedurePlan {
        unit: procedure.unit,
        name: procedure.entry_name.clone(),
        main: procedure.main,
        blocks: planner.builder.blocks,
        slots: planner.builder.slots,
        size_variables: procedure.size_variables.clone(),
        form: Form::C(Box::new(body)),
    });
}

impl<'a> Planner<'a> {
    fn new(
        program: &'a Program,
        reach: &'a Reach,
        procedure: &'a Procedure,
        body: Span,
        in_place: &BTreeSet<VariableId>,
        leads_to_checkpoint: bool,
    ) -> Planner<'a> {
        Planner {
            builder: PlanBuilder::new(program, reach, procedure, &CRules, body.start, in_place),
            rewrites: Vec::new(),
            needs_braces: false,
            alone: false,
            continue_label: None,
            continues: false,
            variable_lengths: Vec::new(),
            cleanups: Vec::new(),
            block_end: body.end,
            in_place: in_place.clone(),
            calls_setjmp: false,
            leads_to_checkpoint,
        }
    }
}

impl Planner<'_> {
    fn items(&mut self, items: &[Statement]) {
        let braces = std::mem::replace(&mut self.needs_braces, false);
        let alone = std::mem::replace(&mut self.alone, false);
        for item in items {
            self.statement(item);
        }
        self.needs_braces = braces;
        self.alone = alone;
    }

    fn block(&mut self, statement: &Statement, items: &[Statement]) {
        let end = statement.place.map_or(self.block_end, |place| place.end);
        let outer = std::mem::replace(&mut self.block_end, end);
        self.items(items);
        self.block_end = outer;
    }

    /// The body of an `if`, `else`, loop or `switch`.
    fn substatement(&mut self, statement: &Statement) {
        if let StatementKind::Block { items, implied: false, .. } = &statement.kind {
            return self.block(statement, items);
        }
        let before = std::mem::take(&mut self.rewrites);
        let braces = std::mem::replace(&mut self.needs_braces, false);
        let alone = std::mem::replace(&mut self.alone, true);
        self.statement(statement);
        self.alone = alone;
        let implied = matches!(statement.kind, StatementKind::Block { .. });
        let needed = std::mem::replace(&mut self.needs_braces, braces) || implied;
        let inner = std::mem::replace(&mut self.rewrites, before);
        self.wrap(statement, needed && !inner.is_empty(), inner);
    }

    fn wrap(&mut self, statement: &Statement, braces: bool, inner: Vec<Rewrite>) {
        match (braces, statement.place) {
            (true, Some(place)) => {
                self.rewrites.push(Rewrite::OpenBrace { at: place.start });
                self.rewrites.extend(inner);
                self.rewrites.push(Rewrite::CloseBrace { opened: place.start, at: place.end });
            }
            (true, None) => self.in_macro(statement.anchor),
            (false, _) => self.rewrites.extend(inner),
        }
    }

    fn in_macro(&mut self, anchor: Span) {
        self.builder.diagnostics.push(
            Diagnostic::error("C0502", anchor, "this statement must be rewritten, but it is inside a macro")
                .help("write it out, without the macro"),
        );
    }

    fn statement(&mut self, statement: &Statement) {
        self.builder.stand = statement.place.map_or(statement.anchor.start, |place| place.start);
        self.jump_point(statement);
        match &statement.kind {
            StatementKind::Block { items, .. } => self.block(statement, items),
            StatementKind::Expression(expression) => self.expression_statement(statement, expression),
            StatementKind::Return(value) => self.return_statement(statement, value.as_ref()),
            StatementKind::If { condition, then, otherwise } => {
                self.lift_before(statement, condition);
                self.substatement(then);
                if let Some(otherwise) = otherwise {
                    self.substatement(otherwise);
                }
            }
            StatementKind::Switch { condition, body } => {
                self.lift_before(statement, condition);
                self.substatement(body);
            }
            StatementKind::JumpTo(target) => self.lift_before(statement, target),
            StatementKind::Loop(inner) => self.loop_statement(statement, inner),
            StatementKind::Declaration(declaration) => self.declaration(statement, declaration),
            StatementKind::Labelled { body, .. } => self.statement(body),
            StatementKind::Continue => {
                if let (Some(label), Some(span)) = (self.continue_label, statement.place) {
                    self.continues = true;
                    self.rewrites.push(Rewrite::Continue { span, label });
                } else if self.continue_label.is_some() {
                    self.in_macro(statement.anchor);
                }
            }
            StatementKind::Directive(directive) => self.directive(directive),
            // Only Fortran has these. `plan/fortran` plans them.
            StatementKind::Construct(_)
            | StatementKind::Guarded { .. }
            | StatementKind::CallWithReturns { .. }
            | StatementKind::Break
            | StatementKind::Jump
            | StatementKind::Opaque => {}
        }
    }

    /// Lifts an expression out of a statement: steps before it, holes in it.
    fn lift_before(&mut self, statement: &Statement, expression: &Expression) {
        if !self.builder.leads(expression) {
            return;
        }
        let mut steps = Vec::new();
        let holes = self.builder.lift(expression, &mut steps);
        self.builder.temporaries.complete(&mut steps, holes.iter().map(|hole| hole.slot));
        self.steps_before(statement, steps);
        self.punch(holes);
    }

    fn steps_before(&mut self, statement: &Statement, steps: Vec<Step>) {
        match statement.place {
            Some(place) => self.rewrites.push(Rewrite::Steps { at: place.start, steps }),
            None => self.in_macro(statement.anchor),
        }
        self.needs_braces = true;
    }

    fn punch(&mut self, holes: Vec<Hole>) {
        self.rewrites.extend(holes.into_iter().map(Rewrite::Hole));
    }

    fn expression_statement(&mut self, statement: &Statement, expression: &Expression) {
        if !self.builder.leads(expression) {
            return;
        }
        if !self.builder.becomes_steps(expression) {
            return self.lift_before(statement, expression);
        }
        let mut steps = Vec::new();
        self.builder.lift_effect(expression, &mut steps);
        self.builder.temporaries.complete(&mut steps, []);
        match statement.place {
            Some(span) => self.rewrites.push(Rewrite::Become { span, steps }),
            None => self.in_macro(statement.anchor),
        }
        self.needs_braces = true;
    }

    fn return_statement(&mut self, statement: &Statement, value: Option<&Expression>) {
        let leads = value.is_some_and(|value| self.builder.leads(value));
        // A return that comes from a macro stays. The runtime closes the frame when the call has returned.
        let Some(span) = statement.place else {
            if leads {
                self.in_macro(statement.anchor);
            }
            return;
        };
        let value = match value {
            None => None,
            Some(value) => {
                let mut steps = Vec::new();
                let holes = self.builder.lift(value, &mut steps);
                if leads {
                    self.builder.temporaries.complete(&mut steps, holes.iter().map(|hole| hole.slot));
                    self.steps_before(statement, steps);
                }
                if value.place.is_none() && !leads {
                    return;
                }
                self.builder.fragment(value, holes)
            }
        };
        let braces = self.alone && !leads;
        let last = self.builder.procedure.body.items.last().is_some_and(|item| item.place == Some(span));
        self.rewrites.push(Rewrite::Return { span, value, braces, last });
    }

    fn declaration(&mut self, statement: &Statement, declaration: &Declaration) {
        self.keep_constants(declaration);
        for (index, declarator) in declaration.declarators.iter().enumerate() {
            if let (Some(length), Some(place)) = (&declarator.variable_length, statement.place) {
                let scope = Span::new(place.file, place.end, self.block_end.max(place.end));
                self.variable_lengths.push((length.clone(), scope));
            }
            if let (Some(cleanup), Some(place)) = (&declarator.cleanup, statement.place) {
                let scope = Span::new(place.file, place.end, self.block_end.max(place.end));
                self.cleanups.push((cleanup.clone(), scope));
            }
            if !declarator.expressions.iter().any(|e| self.builder.leads(e)) {
                continue;
            }
            if index == 0 {
                self.declarator_steps(&declarator.expressions, |planner, steps| {
                    planner.steps_before(statement, steps);
                });
                continue;
            }
            let is_whole = !declaration.defines_type && declaration.constant_storage.is_none();
            match (declarator.separator, declaration.specifiers, is_whole) {
                (Some(span), Some(specifiers), true) => {
                    self.builder.stand = span.end;
                    self.declarator_steps(&declarator.expressions, |planner, steps| {
                        planner.rewrites.push(Rewrite::Split { span, steps, specifiers });
                    });
                }
                _ => {
                    let anchor = declarator.place.unwrap_or(statement.anchor);
                    self.builder.diagnostics.push(
                        Diagnostic::error(
                            "C0503",
                            anchor,
                            "a call in this declaration cannot be moved to a statement of its own",
                        )
                        .help("give the variable a declaration of its own"),
                    );
                }
            }
        }
    }

    /// Rewrites a declaration of constants that a restart jumps over.
    fn keep_constants(&mut self, declaration: &Declaration) {
        match (declaration.constant_storage, declaration.place) {
            (Some(ConstantStorage::Static), Some(place)) => {
                self.rewrites.push(Rewrite::Static { at: place.start, instead_of: declaration.storage_word });
            }
            (Some(ConstantStorage::Registered), _) => {
                let words = declaration.constant_words.iter().flatten();
                self.rewrites.extend(words.map(|&span| Rewrite::Vanish { span, always: false }));
            }
            (Some(ConstantStorage::Static) | None, _) => {}
        }
    }

    fn declarator_steps(&mut self, list: &[Expression], put: impl FnOnce(&mut Self, Vec<Step>)) {
        let mut steps = Vec::new();
        let holes = self.builder.lift_operands(&list.iter().collect::<Vec<_>>(), &mut steps);
        self.builder.temporaries.complete(&mut steps, holes.iter().map(|hole| hole.slot));
        put(self, steps);
        self.punch(holes);
    }

    fn directive(&mut self, directive: &Directive) {
        let span = directive.span;
        let action = match &directive.kind {
            DirectiveKind::Init => Action::Init { block: self.builder.new_block(span, BlockKind::Init) },
            DirectiveKind::Shutdown => Action::Shutdown,
            DirectiveKind::Register(items) => {
                let items = &self.builder.wanted(items);
                let block = self.builder.new_block(span, registers(items));
                Action::Register {
                    block,
                    section: self.builder.section,
                    items: self.builder.registered(items),
                }
            }
            DirectiveKind::Unregister(items) => Action::Unregister { items: self.builder.registered(items) },
            DirectiveKind::Execute { captures, files } => {
                let kind = self.builder.executes(captures, files);
                let block = self.builder.new_block(span, kind);
                self.builder.execute = Some(span);
                self.builder.captures = captures.iter().map(|item| self.builder.captured(item)).collect();
                Action::Execute { block, captures: self.builder.captures.clone(), files: files.clone() }
            }
            DirectiveKind::EndExecute => {
                self.builder.execute = None;
                let files = std::mem::take(&mut self.builder.files);
                Action::EndExecute { captures: std::mem::take(&mut self.builder.captures), files }
            }
            DirectiveKind::Checkpoint(safety) => {
                self.builder.section += 1;
                let block = self.builder.new_block(span, BlockKind::Checkpoint);
                Action::Checkpoint {
                    block,
                    ranks: safety.ranks().cloned(),
                    ended: self.builder.ended_at(span.start),
                    saved: self.builder.saved_at(span.start),
                }
            }
        };
        self.rewrites.push(Rewrite::Directive { span, action });
        self.needs_braces = true;
    }
}
