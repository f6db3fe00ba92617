//! The statements of a procedure, in text order.
//!
//! Input: statements of the model.
//! Output: changes.
//! Postcondition: if a construct cannot be entered, or a statement cannot be rewritten, there is a
//! diagnostic.

use cppc_source::{Diagnostic, Span};

use super::walker::Walker;
use super::{Clause, Mark, Position};
use crate::model::structured::{ClosedKind, Construct, ConstructKind, Part};
use crate::model::{DirectiveKind, Expression, Statement, StatementKind};
use crate::plan::Fragment;

impl Walker<'_> {
    pub(super) fn items(&mut self, items: &[Statement]) {
        for item in items {
            self.statement(item);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        self.builder.stand = statement.place.map_or(statement.anchor.start, |place| place.start);
        match &statement.kind {
            StatementKind::Directive(directive) => self.directive(directive),
            StatementKind::Construct(construct) => self.construct(statement, construct),
            StatementKind::Guarded { condition, action } => self.guarded(statement, condition, action),
            StatementKind::Return(value) => self.return_statement(statement, value.as_ref()),
            StatementKind::Expression(_) | StatementKind::CallWithReturns { .. }
                if !self.holds(statement) => {}
            StatementKind::Expression(expression) => {
                let Some(span) = self.place(statement) else { return };
                let clauses = self.statement_steps(span, expression);
                self.replace(statement, true, clauses);
            }
            StatementKind::CallWithReturns { call, returns } => {
                let Some(span) = self.place(statement) else { return };
                let clauses = self.call_with_returns(span, call, returns);
                self.replace(statement, true, clauses);
            }
            StatementKind::Block { items, .. } => self.items(items),
            StatementKind::Labelled { body, .. } => self.statement(body),
            // Fortran does not have these.
            StatementKind::If { .. }
            | StatementKind::Switch { .. }
            | StatementKind::Loop(_)
            | StatementKind::JumpTo(_)
            | StatementKind::Declaration(_) => {}
            StatementKind::Continue | StatementKind::Break | StatementKind::Jump | StatementKind::Opaque => {}
        }
    }

    fn construct(&mut self, statement: &Statement, construct: &Construct) {
        if !self.holds(statement) {
            return match construct.terminal {
                Some(_) => self.plain_loop(construct),
                None => construct.parts.iter().for_each(|part| self.items(&part.items)),
            };
        }
        match &construct.kind {
            ConstructKind::If => self.if_construct(statement, construct),
            ConstructKind::Select { selector } => self.select_construct(statement, construct, selector),
            ConstructKind::Counted(counted) => self.counted(statement, construct, counted),
            ConstructKind::While { condition } => self.while_loop(statement, construct, condition),
            ConstructKind::Forever => self.forever(statement, construct),
            ConstructKind::Scope => self.scope(statement, construct),
            ConstructKind::Types { variable } => self.types(statement, construct, variable.as_deref()),
            ConstructKind::Closed { kind, expressions } => {
                self.refuse_closed(construct, *kind, expressions);
            }
        }
    }

    /// A construct with its own declarations. The memory of its variables ends with it, so a restart
    /// continues from block to block inside of it.
    fn scope(&mut self, statement: &Statement, construct: &Construct) {
        let Some(part) = construct.parts.first() else { return };
        let inner = part
            .execution_at
            .or_else(|| part.items.first().map(|item| item.anchor.start))
            .unwrap_or(part.header.end);
        let open = self.aliases.len();
        let (header, mut clauses) = self.own_header(statement, construct, part, inner, None);
        let hop = self.enter(header);
        match part.execution_at {
            None => {
                clauses.push(Clause::Hop(hop));
                self.change(part.header, Position::Instead, clauses);
                self.begin_body(&part.items);
                self.items(&part.items);
            }
            Some(at) => {
                self.change(part.header, Position::Instead, clauses);
                let (inner, outer) = (self.new_mark(), self.onward());
                let place = Span::new(part.header.file, at, at);
                let hops = vec![Clause::Mark(inner), Clause::HopIfWithin(hop), Clause::Onward(outer)];
                self.change(place, Position::Before, hops);
                self.dispatch.push(inner);
                self.items(&part.items);
                self.dispatch.pop();
            }
        }
        self.aliases.truncate(open);
        self.leave();
    }

    /// A construct whose parts are chosen by the dynamic type of a variable. In a restart, the variable has the same dynamic
    /// type, so the header leads to the same part. If it does not, the restart stops.
    fn types(&mut self, statement: &Statement, construct: &Construct, variable: Option<&str>) {
        let (Some(first), Some(end)) = (construct.parts.first(), construct.end) else { return };
        let inner = construct.parts.iter().flat_map(|part| &part.items).next();
        let inner = inner.map_or(end.start, |item| item.anchor.start);
        let open = self.aliases.len();
        let (header, clauses) = self.own_header(statement, construct, first, inner, variable);
        self.change(first.header, Position::Instead, clauses);
        for part in construct.parts.iter().skip(1) {
            let hop = self.any_holds(&part.items).then(|| self.enter(header));
            let mut own: Vec<Clause> = part.label.map(|label| Clause::At(label.value)).into_iter().collect();
            own.push(Clause::Own(Fragment { span: part.header, holes: Vec::new() }));
            own.extend(hop.map(Clause::HopIfWithin));
            own.push(Clause::OtherPart(first.header));
            self.change(part.header, Position::Instead, own);
            self.items(&part.items);
            if hop.is_some() {
                self.leave();
            }
        }
        self.change(end, Position::Behind, vec![Clause::OtherPart(first.header)]);
        self.aliases.truncate(open);
    }

    /// The unchanged header of a construct, with a mark, and with other names for variables that the construct hides.
    /// `same` is a name that means the same variable inside.
    fn own_header(
        &mut self,
        statement: &Statement,
        construct: &Construct,
        part: &Part,
        inner: u32,
        same: Option<&str>,
    ) -> (Mark, Vec<Clause>) {
        let header = self.new_mark();
        let label = statement.label.or(part.label);
        let mut clauses: Vec<Clause> = label.map(|label| Clause::Label(label.value)).into_iter().collect();
        clauses.push(Clause::Mark(header));
        let end = construct.end.map_or(inner, |end| end.start);
        let aliases = self.new_aliases(part.header, inner, end, same);
        if let (false, Some(end)) = (aliases.is_empty(), construct.end) {
            let names = aliases.iter().map(|alias| (alias.number, alias.name.clone()));
            clauses.push(Clause::Associate(names.collect()));
            self.change(end, Position::Behind, vec![Clause::EndAssociate]);
            self.aliases.extend(aliases);
        }
        clauses.push(Clause::Own(Fragment { span: part.header, holes: Vec::new() }));
        (header, clauses)
    }

    fn refuse_closed(&mut self, construct: &Construct, kind: ClosedKind, expressions: &[Expression]) {
        let Some(part) = construct.parts.first() else { return };
        let mut diagnostic =
            Diagnostic::error("C0513", part.header, format!("a restart cannot enter this `{kind}`"));
        let inner = construct.parts.iter().flat_map(|part| &part.items);
        let inside = inner.filter(|item| self.holds(item)).find_map(|item| self.first_block(item));
        let header = expressions.iter().chain(construct.parts.iter().filter_map(|p| p.condition.as_ref()));
        let called = header.filter(|e| self.leads(e)).map(|e| (e.anchor, "this call leads to a checkpoint"));
        if let Some((span, text)) = called.chain(inside).next() {
            diagnostic = diagnostic.label(span, text);
        }
        if kind == ClosedKind::Associate {
            diagnostic = diagnostic
                .note("one of its names is associated with an expression, an element with a variable subscript, a pointer or an allocatable, and a restart would associate it before their values are restored");
        }
        if kind == ClosedKind::SelectType {
            diagnostic = diagnostic
                .note("its selector is an expression, an element with a variable subscript, a pointer or an allocatable. A restart can enter the construct if the selector is a dummy argument that is neither a pointer nor an allocatable");
        }
        self.builder.diagnostics.push(
            diagnostic
                .note("a restart goes to each register, execute block, checkpoint and call that leads to one, through the headers around it")
                .help("move what leads to the checkpoint out of the construct, or use a construct that is executed step by step (IF, SELECT CASE, DO)"),
        );
    }

    /// The first block in a statement, with a text that explains it.
    fn first_block(&self, statement: &Statement) -> Option<(Span, &'static str)> {
        if let StatementKind::Directive(directive) = &statement.kind {
            let text = match directive.kind {
                DirectiveKind::Checkpoint(_) => "the restart would end here",
                _ => "this has to run again in a restart",
            };
            return Some((directive.span, text));
        }
        let own = statement.expressions().into_iter().find(|expression| self.leads(expression));
        let own = own.map(|expression| (expression.anchor, "this call leads to a checkpoint"));
        own.or_else(|| {
            statement.children().into_iter().filter(|c| self.holds(c)).find_map(|c| self.first_block(c))
        })
    }

    fn return_statement(&mut self, statement: &Statement, value: Option<&Expression>) {
        let Some(span) = self.place(statement) else { return };
        let mut clauses = Vec::new();
        let alternate = match value {
            None => None,
            Some(value) => {
                let holes = self.lift(&[value], &mut clauses);
                self.alternate();
                self.fragment(value, &holes)
            }
        };
        let lifted = !clauses.is_empty();
        clauses.push(Clause::Return { alternate });
        if lifted {
            return self.replace(statement, true, clauses);
        }
        let label = statement.label.map(|label| Clause::At(label.value));
        self.change(span, Position::Instead, label.into_iter().chain(clauses).collect());
    }

    /// The number of the alternate return that a `RETURN` takes.
    pub(super) fn alternate_value(&mut self, value: &Expression) -> Option<Fragment> {
        self.alternate();
        self.fragment(value, &[])
    }
}
