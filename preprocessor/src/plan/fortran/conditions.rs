//! IF and SELECT CASE with blocks in them. A restart passes the header and enters the part that contains its
//! block.
//!
//! Input: a construct.
//! Output: changes of its headers.
//! Postcondition: no condition is evaluated in a restart. If a condition of `ELSE IF` needs statements before
//! it, it becomes an IF within an ELSE.

use super::walker::Walker;
use super::{Choice, Chosen, Clause, Condition, Entry, HopId, Mark, Position};
use crate::model::structured::{Construct, Part};
use crate::model::{Expression, Statement, StatementKind};
use crate::plan::{Fragment, Role};

/// The state of an IF construct while its parts are walked.
#[derive(Default)]
struct Nesting {
    /// The label of the header through which the current IF is entered.
    header: Option<Mark>,
    /// How many IFs are in an ELSE of the enclosing one.
    inner: usize,
    /// Levels that were entered after an ELSE.
    entered: usize,
}

impl Walker<'_> {
    pub(super) fn if_construct(&mut self, statement: &Statement, construct: &Construct) {
        let mut nesting = Nesting::default();
        for (index, part) in construct.parts.iter().enumerate() {
            let later = construct.parts[index + 1..].iter().any(|part| self.part_holds(part));
            match &part.condition {
                Some(condition) if index == 0 => {
                    let mut clauses = vec![Clause::Note(part.header)];
                    let label = statement.label.or(part.label);
                    clauses.extend(label.map(|label| Clause::Label(label.value)));
                    let name = construct.name.clone();
                    let hop = self.condition_header(part, condition, later, name, &mut nesting, &mut clauses);
                    self.change(part.header, Position::Instead, clauses);
                    self.part_items(part, hop);
                }
                Some(condition) if later || self.part_holds(part) => {
                    let mut clauses = vec![Clause::Note(part.header), Clause::Else];
                    nesting.inner += 1;
                    if let (true, Some(header)) = (self.leads(condition), nesting.header) {
                        clauses.push(Clause::Hop(self.enter(header)));
                        nesting.entered += 1;
                        nesting.header = None;
                    }
                    let hop = self.condition_header(part, condition, later, None, &mut nesting, &mut clauses);
                    self.change(part.header, Position::Instead, clauses);
                    self.part_items(part, hop);
                }
                Some(condition) => {
                    if nesting.inner > 0 && construct.name.is_some() {
                        let fragment = self.fragment(condition, &[]);
                        let clauses = fragment.map(Clause::ElseIf).into_iter().collect();
                        self.change(part.header, Position::Instead, clauses);
                    }
                    self.items(&part.items);
                }
                None => self.else_part(part, construct, &nesting),
            }
        }
        for _ in 0..nesting.entered {
            self.leave();
        }
        if let Some(end) = construct.end {
            let ends = (0..nesting.inner).map(|_| Clause::EndIf).collect();
            self.change(end, Position::Before, ends);
        }
    }

    fn part_holds(&self, part: &Part) -> bool {
        self.any_holds(&part.items) || part.condition.as_ref().is_some_and(|c| self.leads(c))
    }

    /// `IF (condition) THEN`, with the statements before it, and the hop after it if blocks follow.
    fn condition_header(
        &mut self,
        part: &Part,
        condition: &Expression,
        later: bool,
        name: Option<String>,
        nesting: &mut Nesting,
        clauses: &mut Vec<Clause>,
    ) -> Option<HopId> {
        self.builder.stand = part.header.start;
        let holes = self.lift(&[condition], clauses);
        let fragment = self.fragment(condition, &holes)?;
        let own = self.any_holds(&part.items);
        if !own && !later {
            clauses.push(Clause::If { name, condition: Condition::Own(fragment) });
            return None;
        }
        let header = match nesting.header {
            Some(header) => header,
            None => {
                let header = self.new_mark();
                clauses.push(Clause::Mark(header));
                nesting.header = Some(header);
                header
            }
        };
        let slot = self.logical(Role::Condition);
        let hop = own.then(|| self.enter(header));
        let entry = match (hop, later) {
            (Some(hop), true) => Entry::Within(hop),
            (Some(_), false) => Entry::Always,
            (None, _) => Entry::Never,
        };
        clauses.push(Clause::Truth { slot, entry, condition: fragment, negate: false });
        clauses.push(Clause::If { name, condition: Condition::Slot(slot) });
        clauses.extend(hop.map(Clause::Hop));
        hop
    }

    fn part_items(&mut self, part: &Part, hop: Option<HopId>) {
        if hop.is_some() {
            self.begin_body(&part.items);
        }
        self.items(&part.items);
        if hop.is_some() {
            self.leave();
        }
    }

    fn else_part(&mut self, part: &Part, construct: &Construct, nesting: &Nesting) {
        let hop = match nesting.header {
            Some(header) if self.any_holds(&part.items) => Some(self.enter(header)),
            _ => None,
        };
        // The construct's name refers only to the outermost IF.
        if nesting.inner > 0 && construct.name.is_some() {
            let clauses = std::iter::once(Clause::Else).chain(hop.map(Clause::Hop)).collect();
            self.change(part.header, Position::Instead, clauses);
        } else {
            self.change(part.header, Position::Inside, hop.map(Clause::Hop).into_iter().collect());
        }
        self.part_items(part, hop);
    }

    pub(super) fn select_construct(
        &mut self,
        statement: &Statement,
        construct: &Construct,
        selector: &Expression,
    ) {
        let Some(first) = construct.parts.first() else { return };
        self.builder.stand = first.header.start;
        let mut clauses = vec![Clause::Note(first.header)];
        let label = statement.label.or(first.label);
        clauses.extend(label.map(|label| Clause::Label(label.value)));
        let holes = self.lift(&[selector], &mut clauses);
        let Some(fragment) = self.fragment(selector, &holes) else { return };
        let header = self.new_mark();
        let slot = self.integer(Role::Case);
        let mut cases = Vec::new();
        for (index, part) in construct.parts.iter().enumerate().skip(1) {
            let number = index as u32;
            let hop = self.any_holds(&part.items).then(|| self.enter(header));
            cases.push(Chosen { number, cases: part.cases, hop });
            let mut own = vec![Clause::Note(part.header)];
            own.extend(part.label.map(|label| Clause::At(label.value)));
            own.push(Clause::Case { number, name: construct.name.clone() });
            own.extend(hop.map(Clause::Hop));
            self.change(part.header, Position::Instead, own);
            self.part_items(part, hop);
        }
        clauses.push(Clause::Mark(header));
        clauses.push(Clause::Choice(Box::new(Choice { slot, selector: fragment, cases })));
        clauses.push(Clause::Select { name: construct.name.clone(), slot });
        self.change(first.header, Position::Instead, clauses);
    }

    /// `IF (condition) action`.
    pub(super) fn guarded(&mut self, statement: &Statement, condition: &Expression, action: &Statement) {
        let Some(span) = statement.place else {
            if self.holds(statement) {
                self.place(statement);
            }
            return;
        };
        self.builder.stand = span.start;
        if self.holds(action) {
            return self.guarded_block(statement, span, condition, action);
        }
        let returns = matches!(action.kind, StatementKind::Return(_));
        if !returns && !self.leads(condition) {
            return;
        }
        let mut clauses = Vec::new();
        let holes = self.lift(&[condition], &mut clauses);
        let mut lifted = !clauses.is_empty();
        match &action.kind {
            StatementKind::Return(value) => {
                let Some(condition) = self.fragment(condition, &holes) else { return };
                lifted |= value.is_some();
                let alternate = value.as_ref().and_then(|value| self.alternate_value(value));
                clauses.push(Clause::ReturnIf { condition, alternate });
            }
            _ => clauses.push(Clause::Own(Fragment { span, holes })),
        }
        if lifted {
            return self.replace(statement, true, clauses);
        }
        let label = statement.label.map(|label| Clause::At(label.value));
        self.change(span, Position::Instead, label.into_iter().chain(clauses).collect());
    }

    fn guarded_block(
        &mut self,
        statement: &Statement,
        span: cppc_source::Span,
        condition: &Expression,
        action: &Statement,
    ) {
        let mut clauses = Vec::new();
        let holes = self.lift(&[condition], &mut clauses);
        let Some(condition) = self.fragment(condition, &holes) else { return };
        let header = self.new_mark();
        let slot = self.logical(Role::Condition);
        clauses.push(Clause::Mark(header));
        clauses.push(Clause::Truth { slot, entry: Entry::Always, condition, negate: false });
        let mut then = vec![Clause::Hop(self.enter(header))];
        let inner = match (&action.kind, action.place) {
            (StatementKind::Expression(expression), Some(place)) => self.statement_steps(place, expression),
            (StatementKind::CallWithReturns { call, returns }, Some(place)) => {
                self.call_with_returns(place, call, returns)
            }
            _ => {
                self.place(action);
                Vec::new()
            }
        };
        self.builder.stand = span.start;
        then.extend(inner);
        self.leave();
        clauses.push(Clause::Choose { slot, then, otherwise: Vec::new() });
        self.replace(statement, true, clauses);
    }
}
