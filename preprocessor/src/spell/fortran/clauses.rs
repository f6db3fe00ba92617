//! Each clause of a plan as statements.
//!
//! Input: clauses of one change.
//! Output: statements.
//! Postcondition: a label of the program or of a block is on the first statement that replaces the labelled
//! one.

use cppc_source::Span;

use super::expression::{is_normal, is_sent, next, Expr, Name, Operator, Source};
use super::files;
use super::followers::pass_followers;
use super::items::At;
use super::saving::Asked;
use super::statement::{Action, Header, Part, Statement, Statements};
use super::Writer;
use crate::plan::fortran::{Clause, Condition, Entry, HopId, Mark, Saving};
use crate::plan::{self, Captured, Fragment};
use crate::spell;

impl Writer<'_> {
    pub(super) fn statements(&self, clauses: &[Clause]) -> Statements {
        let mut statements = Statements::default();
        clauses.iter().for_each(|clause| self.clause(clause, &mut statements));
        statements
    }

    fn clause(&self, clause: &Clause, statements: &mut Statements) {
        match clause {
            Clause::Note(span) => statements.push(Statement::Comment(*span)),
            Clause::Label(label) => statements.labelled(*label, Action::Continue),
            Clause::At(label) => statements.label(*label),
            Clause::Mark(mark) => statements.label(self.label(*mark)),
            Clause::Nothing => statements.push(Action::Continue),
            Clause::Own(fragment) => statements.push(Action::Source(self.source(fragment))),
            Clause::Assign { slot, value } => statements.assign(self.names.slot(*slot), self.own(value)),
            Clause::Hop(hop) => self.hop(*hop, false, statements),
            Clause::HopIfWithin(hop) => self.hop(*hop, true, statements),
            Clause::OtherPart(place) => {
                let place = Expr::text(spell::place(self.style.files, *place));
                statements.when(is_sent(), Action::call("CPPC_OTHER_PART", [place]));
            }
            Clause::Onward(mark) => self.onward(*mark, statements),
            Clause::Jump(mark) => self.end_block(*mark, statements),
            Clause::Truth { slot, entry, condition, negate } => {
                self.truth(&self.names.slot(*slot), *entry, condition, *negate, statements);
            }
            Clause::Choose { slot, then, otherwise } => {
                let branches = vec![(self.names.slot(*slot), self.statements(then))];
                let otherwise = (!otherwise.is_empty()).then(|| self.statements(otherwise));
                statements.push(Statement::If { branches, otherwise });
            }
            Clause::If { name, condition } => {
                statements.push(Header::If { name: name.clone(), condition: self.condition(condition) });
            }
            Clause::ElseIf(fragment) => statements.push(Part::ElseIf(self.own(fragment))),
            Clause::Else => statements.push(Part::Else),
            Clause::EndIf => statements.push(Part::EndIf),
            Clause::Return { alternate } => self.give_back(alternate.as_ref(), statements),
            Clause::ReturnIf { condition, alternate } => {
                self.return_if(condition, alternate.as_ref(), statements)
            }
            Clause::Bounds(bounds) => self.bounds(bounds, statements),
            Clause::Do { name, terminal, control } => {
                statements.push(self.do_header(name.as_ref(), *terminal, control));
            }
            Clause::Header { span, label, mark } => {
                let holes = vec![(*label, Expr::integer(self.label(*mark)))];
                statements.push(Action::Source(Source { span: *span, holes }));
            }
            Clause::Unless(fragment) => statements.when(self.own(fragment).not(), Action::Exit),
            Clause::Associate(names) => statements.push(associate(names)),
            Clause::EndAssociate => statements.push(Part::EndAssociate),
            Clause::Choice(choice) => self.choice(choice, statements),
            Clause::Select { name, slot } => {
                statements.push(Part::Select { name: name.clone(), selector: self.names.slot(*slot) });
            }
            Clause::Case { number, name } => {
                statements.push(Header::Case { number: *number, name: name.clone() })
            }
            Clause::Directive(action) => self.directive(action, statements),
            Clause::Checkpoint { block, place, ranks, saving } => {
                if let Some(ranks) = ranks {
                    statements.call("CPPC_RANKS", [Expr::text(ranks.to_string())]);
                }
                self.checkpoint(*block, *place, saving, statements)
            }
            Clause::EndExecute { captures, files, onward } => {
                self.opened(files, statements);
                self.end_execute(captures, *onward, statements);
            }
            Clause::Call(call) => self.call(call, statements),
            Clause::Branch { slot, labels } => jumps(&self.names.slot(*slot), 1, labels, statements),
            Clause::Leave => self.leave(statements),
        }
    }

    fn condition(&self, condition: &Condition) -> Expr {
        match condition {
            Condition::Slot(slot) => self.names.slot(*slot),
            Condition::Own(fragment) => self.own(fragment),
        }
    }

    fn checkpoint(&self, block: u32, place: Span, saving: &Saving, statements: &mut Statements) {
        self.keep(saving, At::Checkpoint, statements);
        let place = Expr::text(spell::place(self.style.files, place));
        let asked = Asked { function: "CPPC_DO_CHECKPOINT_AT", subroutine: "CPPC_CHECKPOINT_AT" };
        self.take(asked, vec![Expr::integer(block), place], saving, statements);
    }

    pub(super) fn label(&self, mark: Mark) -> u32 {
        self.frame.labels.get(mark.0).copied().unwrap_or_default()
    }

    /// A part of the program's text, with slots in its holes.
    pub(super) fn source(&self, fragment: &Fragment) -> Source {
        let mut holes: Vec<(Span, Expr)> =
            fragment.holes.iter().map(|hole| (hole.span, self.names.slot(hole.slot))).collect();
        holes.sort_by_key(|(hole, _)| hole.start);
        Source { span: fragment.span, holes }
    }

    /// The same as an expression.
    pub(super) fn own(&self, fragment: &Fragment) -> Expr {
        Expr::Source(self.source(fragment))
    }

    fn end_block(&self, onward: Mark, statements: &mut Statements) {
        statements.assign(next(), Expr::function("CPPC_JUMP_NEXT", []));
        self.onward(onward, statements);
    }

    fn onward(&self, mark: Mark, statements: &mut Statements) {
        statements.when(is_sent(), Action::Goto(self.label(mark)));
    }

    /// In a restart, jumps to a block. `beyond`: the block may be none of this hop.
    pub(super) fn hop(&self, id: HopId, beyond: bool, statements: &mut Statements) {
        let Some(hop) = self.frame.hops.get(id.0).filter(|hop| !hop.targets.is_empty()) else { return };
        let labels: Vec<u32> = hop.targets.iter().map(|mark| self.label(*mark)).collect();
        if !beyond && labels.iter().all(|label| *label == labels[0]) {
            return statements.when(is_sent(), Action::Goto(labels[0]));
        }
        statements.if_then(is_sent(), |inner| jumps(&next(), hop.first, &labels, inner));
    }

    fn truth(
        &self,
        slot: &Expr,
        entry: Entry,
        condition: &Fragment,
        negate: bool,
        statements: &mut Statements,
    ) {
        let in_restart = match entry {
            Entry::Always => Expr::Logical(true),
            Entry::Never => Expr::Logical(false),
            Entry::Within(hop) => {
                let last = self.frame.hops.get(hop.0).map_or(0, |hop| hop.last());
                next().binary(Operator::AtMost, Expr::integer(last))
            }
        };
        statements.assign(slot.clone(), in_restart);
        let condition = self.own(condition);
        let condition = if negate { condition.not() } else { condition };
        statements.when(is_normal(), Action::assign(slot.clone(), condition));
    }

    fn return_if(&self, condition: &Fragment, alternate: Option<&Fragment>, statements: &mut Statements) {
        let condition = self.own(condition);
        match alternate {
            None => statements.when(condition, Action::Goto(self.label(self.frame.exit))),
            Some(_) => statements.if_then(condition, |inner| self.give_back(alternate, inner)),
        }
    }

    fn give_back(&self, alternate: Option<&Fragment>, statements: &mut Statements) {
        if let (Some(value), Some(slot)) = (alternate, self.frame.alternate) {
            statements.assign(self.names.slot(slot), self.own(value));
        }
        statements.push(Action::Goto(self.label(self.frame.exit)));
    }

    fn end_execute(&self, captures: &[Captured], onward: Mark, statements: &mut Statements) {
        statements.assign(next(), Expr::function("CPPC_JUMP_NEXT", []));
        let back = captures.iter().filter_map(|captured| Some((&captured.item, captured.slot?)));
        let back = back.map(|(item, slot)| {
            // The actual argument of a dummy argument may be a constant, which must not be written.
            let arguments = [Expr::bound(&item.lvalue), self.names.slot(slot)];
            Action::call(Name::of_type("CPPC_PUT_BACK", &item.code), arguments)
        });
        let back: Vec<Action> = back.collect();
        if back.is_empty() {
            return self.onward(onward, statements);
        }
        statements.if_then(is_sent(), |inner| {
            back.into_iter().for_each(|call| inner.push(call));
            inner.push(Action::Goto(self.label(onward)));
        });
    }

    fn leave(&self, statements: &mut Statements) {
        self.report_left(statements);
        statements.call("CPPC_LEAVE", []);
        if let Some(slot) = self.frame.alternate {
            statements.push(Action::Return(self.names.slot(slot)));
        }
        self.bundles.contained(statements);
    }

    fn directive(&self, action: &plan::Action, statements: &mut Statements) {
        match action {
            plan::Action::Init { .. } => {
                statements.call("CPPC_IDENTIFY", [Expr::text(&self.style.fingerprint)]);
                statements.call("CPPC_INIT", []);
                if let Some(types) = &self.frame.layout.dynamic_types {
                    super::graphs::describe_dynamic(types, statements);
                }
            }
            plan::Action::Register { block, section, items } => {
                statements.call("CPPC_BLOCK", [Expr::integer(*block)]);
                pass_followers(items, statements);
                items.iter().for_each(|item| self.register(*section, item, statements));
            }
            plan::Action::Shutdown | plan::Action::Unregister { .. } | plan::Action::Defer { .. } => {
                super::without_block(action, statements)
            }
            plan::Action::Execute { block, captures, files } => {
                for captured in captures {
                    if let Some(slot) = captured.slot {
                        statements.assign(self.names.slot(slot), Expr::bound(&captured.item.lvalue));
                    }
                }
                statements.call("CPPC_BEGIN_EXECUTE", [Expr::integer(*block)]);
                captures.iter().for_each(|one| super::registers::capture(&one.item, statements));
                files::announce(files, statements);
            }
            // They have clauses of their own.
            plan::Action::EndExecute { .. } | plan::Action::Checkpoint { .. } => {}
        }
    }
}

/// Jumps to the label that belongs to the value of `index`: the first label to `first`, and so on. With another value, the
/// following statement is executed.
///
/// Newer standards have the computed GOTO as an obsolescent feature, and compilers warn about it.
fn jumps(index: &Expr, first: u32, labels: &[u32], statements: &mut Statements) {
    let numbered: Vec<(u32, u32)> = (first..).zip(labels.iter().copied()).collect();
    for run in numbered.chunk_by(|one, other| one.1 == other.1) {
        let compared = |operator, value| index.clone().binary(operator, Expr::integer(value));
        let [(from, label), .., (to, _)] = *run else {
            let (value, label) = run[0];
            statements.when(compared(Operator::Equal, value), Action::Goto(label));
            continue;
        };
        let is_in_run =
            compared(Operator::AtLeast, from).binary(Operator::And, compared(Operator::AtMost, to));
        statements.when(is_in_run, Action::Goto(label));
    }
}

/// Other names for variables within a construct that hides their names.
fn associate(names: &[(u32, String)]) -> Part {
    let names = names.iter();
    let names = names.map(|(number, name)| (Name::hidden(format!("OUTER_{number}")), Expr::bound(name)));
    Part::Associate(names.collect())
}
