//! Headers of loops and of SELECT CASE, and the computations before them.
//!
//! Input: bounds, controls and choices of the plan.
//! Output: statements.
//! Postcondition: bounds and selectors of the program are evaluated in a normal run only.

use super::expression::{is_normal, kind_word, next, Expr, Name};
use super::statement::{Case, DoControl, Header, Statement, Statements};
use super::Writer;
use crate::model::TypeCode;
use crate::plan::fortran::{Bounds, By, Choice, Control, TerminalId};

impl Writer<'_> {
    /// The bounds of a loop. In a restart, they are the recorded ones.
    pub(super) fn bounds(&self, bounds: &Bounds, statements: &mut Statements) {
        let (first, last) = (self.names.slot(bounds.first.0), self.names.slot(bounds.last.0));
        statements.if_then(is_normal(), |inner| {
            inner.assign(first.clone(), self.own(&bounds.first.1));
            inner.assign(last.clone(), self.own(&bounds.last.1));
            if let By::Slot(slot, value) = &bounds.step {
                inner.assign(self.names.slot(*slot), self.own(value));
            }
        });
        let step = match &bounds.step {
            By::One => constant_step("1", Expr::integer(1), &bounds.code),
            By::Constant(fragment) => {
                constant_step(&self.text.written(fragment.span), self.own(fragment), &bounds.code)
            }
            By::Slot(slot, _) => self.names.slot(*slot),
        };
        statements
            .call(Name::of_type("CPPC_LOOP", &bounds.code), [Expr::integer(bounds.cell), first, last, step]);
    }

    pub(super) fn do_header(
        &self,
        name: Option<&String>,
        terminal: Option<TerminalId>,
        control: &Control,
    ) -> Header {
        let terminal = terminal.and_then(|id| self.frame.terminals.get(id.0));
        let end = terminal.map(|terminal| terminal.moved.map_or(terminal.label, |mark| self.label(mark)));
        let control = match control {
            Control::Forever => DoControl::Forever,
            Control::While => DoControl::While(Expr::Logical(true)),
            Control::Counted { variable, first, last, step } => DoControl::Counted {
                variable: Expr::source(*variable),
                first: self.names.slot(*first),
                last: self.names.slot(*last),
                step: match step {
                    By::One => None,
                    By::Constant(fragment) => Some(self.own(fragment)),
                    By::Slot(slot, _) => Some(self.names.slot(*slot)),
                },
            },
        };
        Header::Do { name: name.cloned(), end, control }
    }

    /// The number of the case. It comes from the selector, or in a restart from the block.
    pub(super) fn choice(&self, choice: &Choice, statements: &mut Statements) {
        let slot = self.names.slot(choice.slot);
        let set = |number: u32| Statements::of(|body| body.assign(slot.clone(), Expr::integer(number)));
        let by_selector = choice
            .cases
            .iter()
            .map(|chosen| (chosen.cases.map_or(Case::Default, Case::Source), set(chosen.number)));
        let by_selector =
            Statement::Select { selector: self.own(&choice.selector), cases: by_selector.collect() };
        let by_block = choice.cases.iter().filter_map(|chosen| {
            let hop = self.frame.hops.get(chosen.hop?.0).filter(|hop| !hop.targets.is_empty())?;
            let first = Expr::integer(hop.first);
            let values = if hop.first == hop.last() { first } else { first.to(Expr::integer(hop.last())) };
            Some((Case::Values(values), set(chosen.number)))
        });
        let normal = (Case::Values(Expr::integer(0)), Statements::of(|body| body.push(by_selector)));
        statements.assign(slot.clone(), Expr::integer(0));
        statements.push(Statement::Select {
            selector: next(),
            cases: std::iter::once(normal).chain(by_block).collect(),
        });
    }
}

/// A constant step, converted to the integer kind of the loop.
fn constant_step(text: &str, value: Expr, code: &TypeCode) -> Expr {
    let kind = kind_word(code).rsplit('_').next().and_then(|kind| kind.parse().ok());
    match (text.parse::<i64>(), kind) {
        (Ok(value), Some(4) | None) => Expr::Integer { value, kind: None },
        (Ok(value), Some(kind)) => Expr::Integer { value, kind: Some(kind) },
        (Err(_), kind) => Expr::function("INT", [value, Expr::integer(kind.unwrap_or(4))]),
    }
}
