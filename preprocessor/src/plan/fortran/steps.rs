//! Turns the steps of an expression into clauses. Each call gets a label, and each choice a header.
//!
//! Input: the steps that lifting has made.
//! Output: clauses.
//! Postcondition: the enclosing levels contain the blocks of the steps, in the order of their numbers.

use cppc_source::Span;

use super::walker::Walker;
use super::{Call, Clause, Entry, Returns};
use crate::model::{Expression, ExpressionKind};
use crate::plan::{Fragment, Hole, Role, SavedMemberId, Step};

impl Walker<'_> {
    /// Takes the calls out of expressions that are evaluated in this order. Returns the holes in their text.
    pub(super) fn lift(&mut self, expressions: &[&Expression], clauses: &mut Vec<Clause>) -> Vec<Hole> {
        let mut steps = Vec::new();
        let holes = match expressions {
            [one] => self.builder.lift(one, &mut steps),
            all => self.builder.lift_operands(all, &mut steps),
        };
        self.builder.temporaries.complete(&mut steps, holes.iter().map(|hole| hole.slot));
        clauses.extend(self.clauses(steps));
        holes
    }

    pub(super) fn clauses(&mut self, steps: Vec<Step>) -> Vec<Clause> {
        let mut clauses = Vec::new();
        for step in steps {
            match step {
                Step::Call(block) => {
                    let mark = self.new_mark();
                    self.place_block(block.block, mark);
                    let saving = self.saving_at_call(&block);
                    clauses.push(Clause::Mark(mark));
                    clauses.push(Clause::Call(Box::new(Call { block: *block, saving, returns: None })));
                    clauses.push(Clause::Jump(self.onward()));
                }
                Step::Assign { slot, value, .. } => clauses.push(Clause::Assign { slot, value }),
                Step::Evaluate(fragment) => clauses.push(Clause::Own(fragment)),
                Step::Choose { on, negate, then, otherwise } => {
                    self.choose(on, negate, then, otherwise, &mut clauses);
                }
            }
        }
        clauses
    }

    fn choose(
        &mut self,
        on: Fragment,
        negate: bool,
        then: Vec<Step>,
        otherwise: Vec<Step>,
        clauses: &mut Vec<Clause>,
    ) {
        let (header, slot) = (self.new_mark(), self.logical(Role::Condition));
        let hop = self.enter(header);
        let yes = self.clauses(then);
        self.leave();
        let later = otherwise.iter().any(has_call);
        let other_hop = self.enter(header);
        let mut no = self.clauses(otherwise);
        self.leave();
        let entry = if later { Entry::Within(hop) } else { Entry::Always };
        clauses.push(Clause::Mark(header));
        clauses.push(Clause::Truth { slot, entry, condition: on, negate });
        let then = std::iter::once(Clause::Hop(hop)).chain(yes).collect();
        if !no.is_empty() {
            no.insert(0, Clause::Hop(other_hop));
        }
        clauses.push(Clause::Choose { slot, then, otherwise: no });
    }

    /// The clauses of an expression that is a statement, and the rest of the statement.
    pub(super) fn statement_steps(&mut self, span: Span, expression: &Expression) -> Vec<Clause> {
        self.builder.stand = span.start;
        if let Some(call) = self.assigned_call(span, expression) {
            let mut steps = Vec::new();
            self.builder.lift_effect(call, &mut steps);
            self.builder.temporaries.complete(&mut steps, []);
            if let Some(Step::Call(call)) = steps.last_mut() {
                call.call.span = span;
            }
            return self.clauses(steps);
        }
        if !self.builder.becomes_steps(expression) {
            let mut clauses = Vec::new();
            let holes = self.lift(&[expression], &mut clauses);
            clauses.push(Clause::Own(Fragment { span, holes }));
            return clauses;
        }
        let mut steps = Vec::new();
        self.builder.lift_effect(expression, &mut steps);
        self.builder.temporaries.complete(&mut steps, []);
        // The call is the statement, `CALL` included.
        if let Some(Step::Call(call)) = steps.last_mut() {
            if call.result.is_none() {
                call.call.span = span;
            }
        }
        self.clauses(steps)
    }

    /// The call in `name = f(…)`, if no variable for its value can be declared. Then the assignment itself is
    /// the call. It contains no other evaluation.
    fn assigned_call<'e>(&self, span: Span, expression: &'e Expression) -> Option<&'e Expression> {
        let ExpressionKind::Operands(operands) = &expression.kind else { return None };
        let [target, value] = &operands[..] else { return None };
        let ExpressionKind::Call { callee, .. } = &value.kind else { return None };
        let name = target.nature.object && matches!(target.kind, ExpressionKind::Leaf);
        let first = target.place.is_some_and(|place| place.start == span.start);
        let alone = value.place.is_some_and(|place| place.end == span.end) && value.ty.pattern.is_none();
        (name && first && alone && self.builder.is_instrumented(callee)).then_some(value)
    }

    /// A call that may return to labels. It returns to generated labels, the block ends, and then the program
    /// continues at its own label.
    pub(super) fn call_with_returns(
        &mut self,
        span: Span,
        call: &Expression,
        returns: &[crate::model::structured::StatementLabel],
    ) -> Vec<Clause> {
        self.builder.branches = !returns.is_empty();
        let mut clauses = self.statement_steps(span, call);
        self.builder.branches = false;
        if returns.is_empty() {
            return clauses;
        }
        let slot = self.integer(Role::Branch);
        let labels = returns.iter().map(|&label| (label, self.new_mark())).collect();
        let end = self.new_mark();
        let last = clauses.iter_mut().rev().find_map(|clause| match clause {
            Clause::Call(call) => Some(call),
            _ => None,
        });
        if let Some(call) = last {
            call.returns = Some(Returns { slot, labels, end });
        }
        clauses.push(Clause::Branch { slot, labels: returns.iter().map(|label| label.value).collect() });
        clauses
    }

    pub(super) fn alternate(&mut self) -> SavedMemberId {
        if let Some(slot) = self.alternate {
            return slot;
        }
        let slot = self.integer(Role::Alternate);
        self.alternate = Some(slot);
        slot
    }
}

fn has_call(step: &Step) -> bool {
    match step {
        Step::Call(_) => true,
        Step::Choose { then, otherwise, .. } => then.iter().chain(otherwise).any(has_call),
        Step::Assign { .. } | Step::Evaluate(_) => false,
    }
}
