//! Loops with blocks in them. A restart enters them through their header, with the earlier bounds.
//!
//! Input: a loop.
//! Output: changes of its header.
//! Postcondition: bounds and conditions are evaluated in a normal run only.

use cppc_source::Diagnostic;

use super::walker::{OpenCount, OpenLoop, Walker};
use super::{Bounds, By, Clause, Control, Position, Terminal, TerminalId};
use crate::model::structured::{Construct, Counted, Part};
use crate::model::{Expression, Statement};
use crate::plan::{Fragment, Role, SavedMemberKind};

impl Walker<'_> {
    fn terminal(&mut self, construct: &Construct) -> Option<TerminalId> {
        let label = construct.terminal?.value;
        self.terminals.push(Terminal { label, moved: None });
        Some(TerminalId(self.terminals.len() - 1))
    }

    /// A loop without blocks stays as it is, unless its last statement becomes several.
    pub(super) fn plain_loop(&mut self, construct: &Construct) {
        let Some(part) = construct.parts.first() else { return };
        let terminal = self.terminal(construct);
        self.loops.push(OpenLoop { terminal, counted: None });
        self.items(&part.items);
        self.loops.pop();
        let moved = terminal.and_then(|id| self.terminals[id.0].moved);
        if let (Some(mark), Some(label)) = (moved, construct.terminal) {
            let header = Clause::Header { span: part.header, label: label.span, mark };
            let own = part.label.map(|label| Clause::At(label.value));
            self.change(part.header, Position::Instead, own.into_iter().chain([header]).collect());
        }
    }

    /// The clauses before a header: the original text, and the program's label.
    fn before_header(&self, statement: &Statement, part: &Part) -> Vec<Clause> {
        let label = statement.label.or(part.label);
        let label = label.map(|label| Clause::Label(label.value));
        std::iter::once(Clause::Note(part.header)).chain(label).collect()
    }

    /// The body, after its header was written.
    fn body(&mut self, part: &Part, open: OpenLoop) {
        self.loops.push(open);
        self.begin_body(&part.items);
        self.items(&part.items);
        self.loops.pop();
        self.leave();
    }

    pub(super) fn counted(&mut self, statement: &Statement, construct: &Construct, counted: &Counted) {
        let Some(part) = construct.parts.first() else { return };
        self.builder.stand = part.header.start;
        let mut clauses = self.before_header(statement, part);
        let control: Vec<&Expression> =
            [&counted.start, &counted.end].into_iter().chain(&counted.step).collect();
        let holes = self.lift(&control, &mut clauses);
        let terminal = self.terminal(construct);
        let name = construct.name.clone();
        if !self.any_holds(&part.items) {
            let span = part.header;
            clauses.push(Clause::Own(Fragment { span, holes }));
            self.change(part.header, Position::Instead, clauses);
            return self.items(&part.items);
        }
        let Some((code, pattern)) = counted.code.clone().zip(counted.pattern.clone()) else {
            return self.refuse_variable(counted);
        };
        let fragments = (self.fragment(&counted.start, &holes), self.fragment(&counted.end, &holes));
        let (Some(start), Some(end)) = fragments else { return };
        let step = counted.step.as_ref().and_then(|step| self.fragment(step, &holes));
        let mut hidden = |role| {
            let number = self.builder.next_number();
            self.builder.add_slot(
                SavedMemberKind::Hidden { role, number },
                pattern.clone(),
                Some(code.clone()),
            )
        };
        let (first, last) = (hidden(Role::First), hidden(Role::Last));
        let constant = counted.step.as_ref().is_some_and(|step| step.nature.constant);
        let step = match step {
            None => By::One,
            Some(fragment) if constant => By::Constant(fragment),
            Some(fragment) => By::Slot(hidden(Role::Step), fragment),
        };
        let cell = self.next_cell;
        self.next_cell += 3;
        let header = self.new_mark();
        clauses.push(Clause::Mark(header));
        let bounds =
            Bounds { first: (first, start), last: (last, end), step: step.clone(), cell, code: code.clone() };
        clauses.push(Clause::Bounds(Box::new(bounds)));
        let variable = counted.variable_span;
        let control = Control::Counted { variable, first, last, step };
        clauses.push(Clause::Do { name, terminal, control });
        clauses.push(Clause::Hop(self.enter(header)));
        self.change(part.header, Position::Instead, clauses);
        let counted = OpenCount { name: counted.variable.clone(), variable, cell, code };
        self.body(part, OpenLoop { terminal, counted: Some(counted) });
    }

    fn refuse_variable(&mut self, counted: &Counted) {
        let message = format!(
            "a restart cannot enter this loop: its variable `{}` is not an integer",
            counted.variable
        );
        self.builder.diagnostics.push(
            Diagnostic::error("C0514", counted.variable_span, message)
                .because("its number of iterations is computed once, in floating point")
                .help("count with an integer, and compute the value from it at the top of the loop"),
        );
    }

    /// The condition is evaluated at the start of the body, because calls can be taken out of it there.
    pub(super) fn while_loop(
        &mut self,
        statement: &Statement,
        construct: &Construct,
        condition: &Expression,
    ) {
        let Some(part) = construct.parts.first() else { return };
        self.builder.stand = part.header.start;
        let mut clauses = self.before_header(statement, part);
        let terminal = self.terminal(construct);
        let header = self.new_mark();
        clauses.push(Clause::Mark(header));
        clauses.push(Clause::Do { name: construct.name.clone(), terminal, control: Control::While });
        clauses.push(Clause::Hop(self.enter(header)));
        let holes = self.lift(&[condition], &mut clauses);
        clauses.extend(self.fragment(condition, &holes).map(Clause::Unless));
        self.change(part.header, Position::Instead, clauses);
        self.body(part, OpenLoop { terminal, counted: None });
    }

    pub(super) fn forever(&mut self, statement: &Statement, construct: &Construct) {
        let Some(part) = construct.parts.first() else { return };
        let mut clauses: Vec<Clause> = self.before_header(statement, part).into_iter().skip(1).collect();
        let terminal = self.terminal(construct);
        let header = self.new_mark();
        clauses.push(Clause::Mark(header));
        clauses.push(Clause::Do { name: construct.name.clone(), terminal, control: Control::Forever });
        clauses.push(Clause::Hop(self.enter(header)));
        self.change(part.header, Position::Instead, clauses);
        self.body(part, OpenLoop { terminal, counted: None });
    }
}
