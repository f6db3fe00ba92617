//! A call to a procedure with blocks.
//!
//! Input: a call block of the plan.
//! Output: statements that evaluate the arguments, capture and save values, call, and report the return.
//! Postcondition: in a restart no argument is evaluated again.

use cppc_source::Span;

use super::captures::{self, extents, Loan};
use super::expression::{Expr, Name, Source};
use super::items::At;
use super::saving::Asked;
use super::statement::{Action, Statements};
use super::Writer;
use crate::plan::fortran::{Call, Returns};
use crate::plan::{CallBlock, TemporaryArgument};

impl Writer<'_> {
    pub(super) fn call(&self, call: &Call, statements: &mut Statements) {
        let block = &call.block;
        self.begin(block, statements);
        for capture in &block.captures {
            let slot = &self.plan.slots[capture.slot.0];
            let Some(code) = &slot.code else { continue };
            let (variable, title) = (self.names.slot(capture.slot), self.title(capture.source));
            captures::capture(&variable, slot.class, code, &title, statements);
        }
        self.measure_substitutes(block, statements);
        let loans: Vec<Loan> = block.lent.iter().map(|lent| self.loan(lent)).collect();
        loans.iter().for_each(|loan| loan.begin(statements));
        for capture in &block.in_place {
            let arguments = [self.own(&capture.place), self.title(capture.place.span)];
            statements.call(Name::of_type("CPPC_CAPTURE", &capture.code), arguments);
        }
        self.keep(&call.saving, At::Elsewhere, statements);
        match (&call.returns, block.is_repeated) {
            (Some(returns), _) => self.call_with_returns(block, returns, statements),
            (None, Some(flag)) => self.call_with_substitutes(block, flag, statements),
            (None, None) => self.call_as_written(block, statements),
        }
        loans.iter().for_each(|loan| loan.end(statements));
        for (slot, _) in &block.arguments {
            if extents(self.plan.slots[slot.0].class).is_some() {
                let argument = self.names.slot(*slot);
                let is_allocated = Expr::function("ALLOCATED", [argument.clone()]);
                statements.when(is_allocated, Action::Deallocate(argument));
            }
        }
        let returned = Asked { function: "CPPC_RETURN", subroutine: "CPPC_END_CALL" };
        self.take(returned, vec![Expr::integer(block.block)], &call.saving, statements);
    }

    pub(super) fn call_as_written(&self, block: &CallBlock, statements: &mut Statements) {
        statements.push(self.valued(block, self.source(&block.call)));
    }

    /// A call whose value goes into a hidden variable, if it has one.
    pub(super) fn valued(&self, block: &CallBlock, call: Source) -> Action {
        match block.result {
            Some(slot) => Action::assign(self.names.slot(slot), Expr::Source(call)),
            None => Action::Source(call),
        }
    }

    /// Begins the block, and evaluates the arguments unless a restart has recorded values.
    fn begin(&self, block: &CallBlock, statements: &mut Statements) {
        let callee = Expr::text(block.callee.as_deref().unwrap_or(" "));
        let begins = [Expr::integer(block.block), callee];
        if block.arguments.is_empty() {
            return statements.call("CPPC_BEGIN_CALL", begins);
        }
        let begins = Expr::function("CPPC_CALL", begins).not_zero();
        let arguments = block.arguments.iter();
        let arguments =
            arguments.map(|(slot, value)| Action::assign(self.names.slot(*slot), self.own(value)));
        let mut arguments: Vec<Action> = arguments.collect();
        match (arguments.pop(), arguments.is_empty()) {
            (Some(only), true) => statements.when(begins, only),
            (last, _) => statements.if_then(begins, |inner| {
                arguments.into_iter().chain(last).for_each(|one| inner.push(one));
            }),
        }
    }

    fn loan(&self, lent: &TemporaryArgument) -> Loan {
        Loan {
            array: Expr::bound(&lent.array.name),
            name: lent.array.name.clone(),
            rank: lent.array.rank,
            bounds: self.names.slot(lent.bounds),
            is_lent: self.names.slot(lent.is_lent),
        }
    }

    /// The call returns to generated labels, where a variable is set to the number of the label.
    fn call_with_returns(&self, block: &CallBlock, returns: &Returns, statements: &mut Statements) {
        let Source { span, mut holes } = self.source(&block.call);
        holes.extend(returns.labels.iter().map(|(label, mark)| (label.span, Expr::Label(self.label(*mark)))));
        holes.sort_by_key(|(hole, _)| hole.start);
        let (slot, end) = (self.names.slot(returns.slot), self.label(returns.end));
        statements.push(Action::Source(Source { span, holes }));
        statements.assign(slot.clone(), Expr::integer(0));
        for (number, (_, mark)) in (1..).zip(&returns.labels) {
            statements.push(Action::Goto(end));
            statements.label(self.label(*mark));
            statements.assign(slot.clone(), Expr::integer(number));
        }
        statements.label(end);
    }

    /// The text that is shown for a captured value.
    pub(super) fn title(&self, span: Span) -> Expr {
        let text = self.text.written(span).to_ascii_lowercase();
        let words: Vec<&str> = text.split_whitespace().collect();
        Expr::text(words.join(" ").chars().take(60).collect::<String>())
    }
}
