//! Takes calls to instrumented procedures out of expressions, and keeps the order of evaluation.
//!
//! Input: an expression.
//! Output: steps to run before its statement, and holes in its text, which slots fill.
//! Postcondition: the rest of the expression calls no instrumented procedure. If a call may change an operand
//! that is evaluated before it, the operand is first copied into a slot.

use cppc_source::{Diagnostic, Span};

use super::blocks::callee_text;
use super::builder::{PlanBuilder, Secured};
use super::{BlockKind, CallBlock, Fragment, Hole, SavedMember, SavedMemberId, SavedMemberKind, Step};
use crate::model::{Callee, Class, DirectiveKind, Expression, ExpressionKind};

impl PlanBuilder<'_> {
    /// Whether an instrumented procedure may be called inside.
    pub(super) fn leads(&self, expression: &Expression) -> bool {
        let here = match &expression.kind {
            ExpressionKind::Call { callee, .. } => self.is_instrumented(callee),
            ExpressionKind::Statements(sites) => sites.iter().any(|site| self.is_instrumented(&site.callee)),
            _ => false,
        };
        here || expression.children().into_iter().any(|child| self.leads(child))
    }

    /// Lifts the calls of an expression whose value is used.
    pub(super) fn lift(&mut self, expression: &Expression, steps: &mut Vec<Step>) -> Vec<Hole> {
        if !self.leads(expression) {
            return Vec::new();
        }
        match &expression.kind {
            ExpressionKind::Call { callee, .. } if self.is_instrumented(callee) => {
                match self.lift_call(expression, true, steps) {
                    Some(slot) => whole(expression, slot),
                    None => Vec::new(),
                }
            }
            ExpressionKind::Call { through, arguments, .. } => {
                let order = self.call_order(through.as_deref(), arguments);
                self.lift_operands(&order, steps)
            }
            ExpressionKind::Operands(operands) => {
                self.lift_operands(&operands.iter().collect::<Vec<_>>(), steps)
            }
            ExpressionKind::Choice { condition, then, otherwise } => {
                self.lift_choice(expression, condition, then.as_deref(), otherwise, steps)
            }
            // Element by element, all of it.
            ExpressionKind::ShortCircuit { left, right, .. }
                if matches!(expression.ty.class, Class::Dynamic { .. }) =>
            {
                self.lift_operands(&[left, right], steps)
            }
            ExpressionKind::ShortCircuit { and, left, right } => {
                self.lift_short_circuit(expression, *and, left, right, steps)
            }
            ExpressionKind::Sequence(first, second) => {
                self.lift_effect(first, steps);
                let holes = self.lift(second, steps);
                self.assign_new(expression, SavedMemberKind::Operand, second, holes, false, steps)
            }
            ExpressionKind::Statements(sites) => {
                let mut refused = Vec::new();
                for site in sites.iter().filter(|site| self.is_instrumented(&site.callee)) {
                    let message = match &site.callee {
                        Callee::Named(_) => {
                            format!(
                                "the call of {} cannot be moved to a statement of its own",
                                self.word(&site.callee)
                            )
                        }
                        Callee::Pointer(_) => {
                            "a call through a pointer cannot be moved to a statement of its own".to_owned()
                        }
                    };
                    let (within, help) = self.rules.refusal_of_inner_call();
                    refused.push(
                        Diagnostic::error("C0503", site.anchor, message)
                            .because(within)
                            .note("a call that leads to a checkpoint must be a statement of its own")
                            .help(help),
                    );
                }
                self.diagnostics.append(&mut refused);
                Vec::new()
            }
            ExpressionKind::Leaf => Vec::new(),
        }
    }

    /// Lifts an expression that is evaluated only for its effects. All of it becomes steps.
    pub(super) fn lift_effect(&mut self, expression: &Expression, steps: &mut Vec<Step>) {
        match &expression.kind {
            _ if !self.leads(expression) => self.evaluate(expression, Vec::new(), steps),
            ExpressionKind::Call { callee, .. } if self.is_instrumented(callee) => {
                self.lift_call(expression, false, steps);
            }
            ExpressionKind::Choice { condition, then: Some(then), otherwise } => {
                let holes = self.lift(condition, steps);
                let Some(on) = self.fragment(condition, holes) else { return };
                let (mut yes, mut no) = (Vec::new(), Vec::new());
                self.lift_effect(then, &mut yes);
                self.lift_effect(otherwise, &mut no);
                steps.push(Step::Choose { on, negate: false, then: yes, otherwise: no });
            }
            ExpressionKind::ShortCircuit { and, left, right } => {
                let holes = self.lift(left, steps);
                let Some(on) = self.fragment(left, holes) else { return };
                let mut then = Vec::new();
                self.lift_effect(right, &mut then);
                steps.push(Step::Choose { on, negate: !and, then, otherwise: Vec::new() });
            }
            ExpressionKind::Sequence(first, second) => {
                self.lift_effect(first, steps);
                self.lift_effect(second, steps);
            }
            // A cast to void, or parentheses: only the expression inside has effects.
            ExpressionKind::Operands(operands) if operands.len() == 1 && !expression.nature.acts => {
                self.lift_effect(&operands[0], steps);
            }
            _ => {
                let holes = self.lift(expression, steps);
                self.evaluate(expression, holes, steps);
            }
        }
    }

    /// Whether no text of the expression is left after its calls are taken out.
    pub(super) fn becomes_steps(&self, expression: &Expression) -> bool {
        match &expression.kind {
            ExpressionKind::Call { callee, .. } => self.is_instrumented(callee),
            ExpressionKind::Choice { then, otherwise, .. } => {
                self.leads(otherwise) || then.as_ref().is_some_and(|then| self.leads(then))
            }
            ExpressionKind::ShortCircuit { right, .. } => self.leads(right),
            ExpressionKind::Sequence(first, second) => self.leads(first) || self.leads(second),
            ExpressionKind::Operands(operands) if operands.len() == 1 && !expression.nature.acts => {
                self.becomes_steps(&operands[0])
            }
            _ => false,
        }
    }

    fn evaluate(&mut self, expression: &Expression, holes: Vec<Hole>, steps: &mut Vec<Step>) {
        let slot_alone = holes.len() == 1 && Some(holes[0].span) == expression.place;
        if slot_alone || expression.nature.constant {
            return;
        }
        if let Some(fragment) = self.fragment(expression, holes) {
            steps.push(Step::Evaluate(fragment));
        }
    }

    /// Operands in their order of evaluation.
    pub(super) fn lift_operands(&mut self, order: &[&Expression], steps: &mut Vec<Step>) -> Vec<Hole> {
        let Some(last) = order.iter().rposition(|operand| self.leads(operand)) else {
            return Vec::new();
        };
        let mut all = Vec::new();
        for (index, operand) in order.iter().enumerate().take(last + 1) {
            let mut holes = self.lift(operand, steps);
            if index < last {
                holes = self.secure(operand, holes, steps);
            }
            all.extend(holes);
        }
        all
    }

    fn call_order<'e>(
        &self,
        through: Option<&'e Expression>,
        arguments: &'e [Expression],
    ) -> Vec<&'e Expression> {
        let mut order: Vec<&Expression> = through.into_iter().collect();
        if self.rules.evaluates_backwards(self.program) {
            order.extend(arguments.iter().rev());
        } else {
            order.extend(arguments);
        }
        order
    }

    /// Copies an operand into a slot if a later call could change its value.
    fn secure(&mut self, operand: &Expression, holes: Vec<Hole>, steps: &mut Vec<Step>) -> Vec<Hole> {
        let slot_alone = holes.len() == 1 && Some(holes[0].span) == operand.place;
        if slot_alone || operand.nature.stable {
            return holes;
        }
        match self.rules.secured(operand) {
            Secured::Nothing => holes,
            Secured::Parts => self.secure_parts(operand, holes, steps),
            Secured::Value => {
                self.assign_new(operand, SavedMemberKind::Operand, operand, holes, false, steps)
            }
        }
    }

    fn secure_parts(
        &mut self,
        operand: &Expression,
        mut holes: Vec<Hole>,
        steps: &mut Vec<Step>,
    ) -> Vec<Hole> {
        let ExpressionKind::Operands(parts) = &operand.kind else { return holes };
        for part in parts {
            let Some(place) = part.place else { continue };
            let (inside, outside) = holes.into_iter().partition(|hole| place.contains(hole.span));
            holes = outside;
            holes.extend(self.secure(part, inside, steps));
        }
        holes
    }

    fn lift_choice(
        &mut self,
        whole_expression: &Expression,
        condition: &Expression,
        then: Option<&Expression>,
        otherwise: &Expression,
        steps: &mut Vec<Step>,
    ) -> Vec<Hole> {
        let branches_lead = self.leads(otherwise) || then.is_some_and(|then| self.leads(then));
        let holes = self.lift(condition, steps);
        if !branches_lead {
            return holes;
        }
        let Some(slot) = self.new_slot(whole_expression, SavedMemberKind::Choice) else { return holes };
        let (mut yes, mut no) = (Vec::new(), Vec::new());
        let on = match then {
            Some(then) => {
                self.assign(slot, then, false, &mut yes);
                self.fragment(condition, holes)
            }
            None => {
                // `a ?: b`: the condition's value is the result unless it is zero.
                let value = self.fragment(condition, holes);
                steps.extend(value.map(|value| Step::Assign { slot, value, truth: false }));
                self.fragment(whole_expression, whole(whole_expression, slot))
            }
        };
        self.assign(slot, otherwise, false, &mut no);
        let negate = then.is_none();
        let (then, otherwise) = if negate { (no, yes) } else { (yes, no) };
        steps.extend(on.map(|on| Step::Choose { on, negate, then, otherwise }));
        whole(whole_expression, slot)
    }

    fn lift_short_circuit(
        &mut self,
        whole_expression: &Expression,
        and: bool,
        left: &Expression,
        right: &Expression,
        steps: &mut Vec<Step>,
    ) -> Vec<Hole> {
        if !self.leads(right) {
            return self.lift(left, steps);
        }
        let Some(slot) = self.new_slot(whole_expression, SavedMemberKind::Choice) else {
            return Vec::new();
        };
        self.assign(slot, left, !left.nature.truth, steps);
        let mut then = Vec::new();
        self.assign(slot, right, !right.nature.truth, &mut then);
        let on = self.fragment(whole_expression, whole(whole_expression, slot));
        let choose = on.map(|on| Step::Choose { on, negate: !and, then, otherwise: Vec::new() });
        steps.extend(choose);
        whole(whole_expression, slot)
    }

    /// Lifts an expression and assigns the rest of it to a slot.
    fn assign(&mut self, slot: SavedMemberId, value: &Expression, truth: bool, steps: &mut Vec<Step>) {
        let holes = self.lift(value, steps);
        if let Some(value) = self.fragment(value, holes) {
            steps.push(Step::Assign { slot, value, truth });
        }
    }

    fn assign_new(
        &mut self,
        typed: &Expression,
        kind: fn(u32) -> SavedMemberKind,
        value: &Expression,
        holes: Vec<Hole>,
        truth: bool,
        steps: &mut Vec<Step>,
    ) -> Vec<Hole> {
        let Some(slot) = self.new_slot(typed, kind) else { return holes };
        if let Some(value) = self.fragment(value, holes) {
            steps.push(Step::Assign { slot, value, truth });
        }
        whole(typed, slot)
    }

    /// The block of a call. Returns the slot of its result, if the value is needed and there is one.
    fn lift_call(&mut self, call: &Expression, wanted: bool, steps: &mut Vec<Step>) -> Option<SavedMemberId> {
        let ExpressionKind::Call { callee, through, arguments } = &call.kind else { return None };
        let place = self.editable_call(call, callee)?;
        self.refuse_in_execute(call.anchor, callee);
        self.refuse_in_region(place, callee);
        let order = self.call_order(through.as_deref(), arguments);
        let mut holes = self.lift_operands(&order, steps);
        let mut block = CallBlock {
            block: 0,
            callee: match callee {
                Callee::Named(name) => Some(self.entry_name(name)),
                Callee::Pointer(_) => None,
            },
            call: Fragment { span: place, holes: Vec::new() },
            result: None,
            arguments: Vec::new(),
            captures: Vec::new(),
            in_place: Vec::new(),
            may_be_repeated: self.reach.may_be_repeated(self.procedure.unit, callee),
            substitutes: Vec::new(),
            is_repeated: None,
            lent: Vec::new(),
            is_made_again: self.reach.may_lead_to_checkpoint(self.procedure.unit, callee)
                || self.reach.may_be_repeated(self.procedure.unit, callee),
            emptied: order.iter().filter_map(|argument| argument.emptied.clone()).collect(),
            ended: self.ended_at(self.stand),
            saved: self.saved_at(self.stand),
        };
        for argument in order {
            let inside = |hole: &Hole| argument.place.is_some_and(|p| p.contains(hole.span));
            let (own, others) = holes.into_iter().partition(inside);
            holes = others;
            let index = arguments.iter().position(|own| std::ptr::eq(own, argument));
            let is_needed = index.is_some_and(|index| {
                self.reach.needs_argument(self.procedure.unit, callee, index)
                    || self.registers_only_pointer(callee, index)
            });
            holes.extend(self.prepare(argument, own, is_needed, &mut block));
        }
        block.call.holes = sorted(holes);
        if wanted && call.ty.class != Class::Void {
            block.result = self.new_slot(call, SavedMemberKind::Value);
        }
        block.block = self
            .new_block(Span::new(place.file, self.stand, self.stand + 1), BlockKind::Call(callee.clone()));
        let result = block.result;
        steps.push(Step::Call(Box::new(block)));
        result
    }

    /// Whether the called procedure registers its parameter without elements. Such a register restores a pointer into other
    /// registered memory only, so the call needs the argument.
    fn registers_only_pointer(&self, callee: &Callee, index: usize) -> bool {
        let Callee::Named(name) = callee else { return false };
        let Some(id) = self.reach.named(self.procedure.unit, name) else { return false };
        let procedure = &self.program.procedures[id.0];
        let Some(&parameter) = procedure.parameters.get(index) else { return false };
        procedure.directives().iter().any(|directive| match &directive.kind {
            DirectiveKind::Register(items) => {
                items.iter().any(|item| item.variable == Some(parameter) && item.count == "0")
            }
            DirectiveKind::Init
            | DirectiveKind::Shutdown
            | DirectiveKind::Unregister(_)
            | DirectiveKind::Execute { .. }
            | DirectiveKind::EndExecute
            | DirectiveKind::Checkpoint(_) => false,
        })
    }

    /// The name under which the runtime knows a procedure.
    fn entry_name(&self, name: &str) -> String {
        let known = self.reach.named(self.procedure.unit, name);
        known.map_or(name, |id| &self.program.procedures[id.0].entry_name).to_owned()
    }

    /// The name of a procedure in messages.
    fn word(&self, callee: &Callee) -> String {
        match callee {
            Callee::Named(name) if self.rules.shows_entry_names() => format!("`{}`", self.entry_name(name)),
            Callee::Named(_) | Callee::Pointer(_) => callee_text(callee),
        }
    }

    fn editable_call(&mut self, call: &Expression, callee: &Callee) -> Option<Span> {
        if call.place.is_none() {
            let diagnostic = match &call.macro_name {
                Some(name) => {
                    let message = format!("the call to instrumented {} is inside a macro", self.word(callee));
                    Diagnostic::error("C0502", call.anchor, message)
                        .because(format!("the expansion of `{name}` makes the call"))
                        .note("calls that lead to a checkpoint are rewritten, and the expansion of this macro cannot be put in its place")
                        .help("write the call without the macro")
                }
                None => {
                    let (because, help) = self.out_of_reach(call.anchor, None);
                    let message =
                        format!("the call to instrumented {} cannot be rewritten", self.word(callee));
                    Diagnostic::error("C0502", call.anchor, message).because(because).help(help)
                }
            };
            self.diagnostics.push(diagnostic);
        }
        call.place
    }

    fn refuse_in_execute(&mut self, anchor: Span, callee: &Callee) {
        if let Some(begin) = self.execute {
            let message = format!("call to instrumented {} inside an execute block", self.word(callee));
            self.diagnostics.push(
                Diagnostic::error("C0504", anchor, message)
                    .label(begin, "the execute block begins here")
                    .help("move the call out of the block: a restart repeats calls to instrumented procedures without a block"),
            );
        }
    }

    fn refuse_in_region(&mut self, place: Span, callee: &Callee) {
        let regions = self.procedure.regions.iter();
        if let Some(region) = regions.into_iter().find(|region| region.statement.contains(place)) {
            let message =
                format!("call to instrumented {} in a statement of `{}`", self.word(callee), region.name);
            let diagnostic = Diagnostic::error("C0509", place, message)
                .label(region.pragma, "several threads execute it")
                .help("call it outside of the region: a restart cannot enter one, and the runtime is called from one thread");
            self.diagnostics.push(diagnostic);
        }
    }

    /// A slot of the type of an expression.
    pub(super) fn new_slot(
        &mut self,
        typed: &Expression,
        kind: fn(u32) -> SavedMemberKind,
    ) -> Option<SavedMemberId> {
        let Some(pattern) = typed.ty.pattern.clone() else {
            let (because, help) = self.rules.refusal_of_value(typed.ty.class);
            self.diagnostics.push(
                Diagnostic::error("C0503", typed.anchor, "this cannot be moved out of its expression")
                    .because(because)
                    .help(help),
            );
            return None;
        };
        let (code, class) = (typed.ty.code.clone(), typed.ty.class);
        let wanted = SavedMember { kind: kind(0), pattern, code, class };
        let holds_address = typed.nature.address;
        let slot = self.temporaries.free(&self.slots, &wanted, holds_address).unwrap_or_else(|| {
            let number = self.next_number();
            self.slots.push(SavedMember { kind: kind(number), ..wanted });
            SavedMemberId(self.slots.len() - 1)
        });
        self.temporaries.take(slot, typed.place, holds_address);
        Some(slot)
    }

    /// The text of an expression with its holes.
    pub(super) fn fragment(&mut self, expression: &Expression, holes: Vec<Hole>) -> Option<Fragment> {
        match expression.place {
            Some(span) => Some(Fragment { span, holes: sorted(holes) }),
            None => {
                let (because, help) = self.out_of_reach(expression.anchor, expression.macro_name.as_deref());
                let message = match expression.macro_name {
                    Some(_) => "this expression must be moved, but it is inside a macro",
                    None => "this expression must be moved, but its text cannot be changed",
                };
                self.diagnostics
                    .push(Diagnostic::error("C0502", expression.anchor, message).because(because).help(help));
                None
            }
        }
    }
}

/// The hole that a slot fills in place of a whole expression.
pub(super) fn whole(expression: &Expression, slot: SavedMemberId) -> Vec<Hole> {
    expression.place.map(|span| Hole { span, slot }).into_iter().collect()
}

fn sorted(mut holes: Vec<Hole>) -> Vec<Hole> {
    holes.sort_by_key(|hole| hole.span.start);
    holes
}
