//! Facts about the whole text of a procedure, before it is lowered: where integers may change, and which
//! loops are left by jumps.
//!
//! Input: the statements of a procedure. Output: `Facts`.
//! Postcondition: a scalar integer that is not in `modified` is never changed under its own name. Positions are
//! logical lines, which are in the order of the text.

use cppc_grammar::fortran::logical::LineId;
use cppc_grammar::fortran::tree::{
    Argument, ArgumentKind, Construct, ConstructEnd, ConstructKind, DoKind, Expr, ExprKind, Name, Statement,
    StatementKind,
};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::bind::fortran::visit::{of_statement, parts, root};
use crate::bind::fortran::{Bound, Meaning, ScopeId, SymbolId};

#[derive(Debug, Default)]
pub(super) struct Facts {
    modified: FxHashMap<SymbolId, Vec<LineId>>,
    calls: Vec<LineId>,
    /// Headers of loops that are left or entered by a jump.
    pub irregular: FxHashSet<LineId>,
    /// Labels that an ASSIGN statement names.
    pub assigned: Vec<u32>,
}

impl Facts {
    pub fn of(bound: &Bound, source: usize, scope: ScopeId, statements: &[&Statement]) -> Facts {
        let mut walk = Walk {
            bound,
            source,
            facts: Facts::default(),
            open: Vec::new(),
            labels: FxHashMap::default(),
            jumps: Vec::new(),
        };
        for statement in statements {
            walk.statement(scope, statement);
        }
        for (label, from) in std::mem::take(&mut walk.jumps) {
            let to = walk.labels.get(&label).cloned().unwrap_or_default();
            let differ = from
                .iter()
                .filter(|line| !to.contains(line))
                .chain(to.iter().filter(|line| !from.contains(line)));
            walk.facts.irregular.extend(differ);
        }
        let mut facts = walk.facts;
        facts.modified.values_mut().for_each(|lines| lines.sort_unstable());
        facts.calls.sort_unstable();
        facts
    }

    pub fn is_modified(&self, id: SymbolId) -> bool {
        self.modified.contains_key(&id)
    }

    pub fn is_modified_between(&self, id: SymbolId, first: LineId, last: LineId) -> bool {
        self.modified.get(&id).is_some_and(|lines| any_between(lines, first, last))
    }

    pub fn calls_between(&self, first: LineId, last: LineId) -> bool {
        any_between(&self.calls, first, last)
    }

    pub fn has_calls(&self) -> bool {
        !self.calls.is_empty()
    }
}

fn any_between(lines: &[LineId], first: LineId, last: LineId) -> bool {
    lines.get(lines.partition_point(|&line| line < first)).is_some_and(|&line| line <= last)
}

/// The last line of a construct.
pub(super) fn last_line(construct: &Construct, header: LineId) -> LineId {
    if let ConstructEnd::Statement { line, .. } = construct.end {
        return line;
    }
    let last = construct.parts.last().and_then(|part| part.statements.last());
    match last {
        Some(Statement { kind: StatementKind::Construct(inner), line, .. }) => last_line(inner, *line),
        Some(statement) => statement.line,
        None => header,
    }
}

struct Open<'t> {
    line: LineId,
    name: Option<&'t str>,
    is_loop: bool,
}

struct Walk<'b, 'a, 't> {
    bound: &'b Bound<'a>,
    source: usize,
    facts: Facts,
    open: Vec<Open<'t>>,
    /// The loops around each label, and around each jump to one.
    labels: FxHashMap<u32, Vec<LineId>>,
    jumps: Vec<(u32, Vec<LineId>)>,
}

impl<'t> Walk<'_, '_, 't> {
    fn loops(&self) -> Vec<LineId> {
        self.open.iter().filter(|open| open.is_loop).map(|open| open.line).collect()
    }

    fn jump(&mut self, label: u32) {
        let loops = self.loops();
        self.jumps.push((label, loops));
    }

    fn statement(&mut self, scope: ScopeId, statement: &'t Statement) {
        if let Some(label) = &statement.label {
            let loops = self.loops();
            self.labels.insert(label.value, loops);
        }
        let line = statement.line;
        match &statement.kind {
            StatementKind::Assignment { target, .. } => self.modify(scope, target, line),
            StatementKind::Call { arguments, .. } => {
                self.facts.calls.push(line);
                self.pass(scope, arguments, line);
                self.alternate(arguments);
            }
            StatementKind::Goto(label) => self.jump(label.value),
            StatementKind::ComputedGoto { labels, .. } | StatementKind::ArithmeticIf { labels, .. } => {
                labels.iter().for_each(|label| self.jump(label.value));
            }
            StatementKind::AssignedGoto { .. } => {
                let loops = self.loops();
                self.facts.irregular.extend(loops);
            }
            StatementKind::AssignLabel { label, variable } => {
                self.facts.assigned.push(label.value);
                self.modify_name(scope, variable, line);
                self.jump(label.value);
            }
            StatementKind::Return(_) => {
                let loops = self.loops();
                self.facts.irregular.extend(loops);
            }
            StatementKind::Exit(name) => self.leave(name.as_ref(), true),
            StatementKind::Cycle(name) => self.leave(name.as_ref(), false),
            StatementKind::Io { keyword, controls, items } => {
                for control in controls {
                    let word = control.keyword.as_ref().map(|word| word.text.as_str());
                    if let (Some("err" | "end" | "eor"), Some(label)) =
                        (word, label_of(self.bound, self.source, control))
                    {
                        self.jump(label);
                    }
                }
                self.pass(scope, controls, line);
                let input = matches!(keyword.as_str(), "read" | "accept" | "decode" | "inquire");
                items.iter().for_each(|item| self.item(scope, item, input, line));
            }
            StatementKind::Allocate { options, .. } | StatementKind::Deallocate { options, .. } => {
                self.pass(scope, options, line);
            }
            StatementKind::OtherExecutable { expressions } => {
                self.facts.calls.push(line);
                expressions.iter().for_each(|expr| self.modify(scope, expr, line));
            }
            StatementKind::Unknown => {
                self.facts.calls.push(line);
                let loops = self.loops();
                self.facts.irregular.extend(loops);
            }
            _ => {}
        }
        for expr in of_statement(statement) {
            self.expression(scope, expr, line);
        }
        match &statement.kind {
            StatementKind::Construct(construct) => self.construct(scope, statement, construct),
            StatementKind::LogicalIf { action, .. } => self.statement(scope, action),
            StatementKind::Masked { action: Some(action), .. } => self.statement(scope, action),
            _ => {}
        }
    }

    fn construct(&mut self, scope: ScopeId, statement: &'t Statement, construct: &'t Construct) {
        let is_loop = matches!(construct.kind, ConstructKind::Do(_));
        if let ConstructKind::Do(control) = &construct.kind {
            if let DoKind::Counted { variable, .. } = &control.kind {
                self.modify_name(scope, variable, statement.line);
            }
        }
        let name = construct.name.as_ref().map(|name| name.text.as_str());
        self.open.push(Open { line: statement.line, name, is_loop });
        for part in &construct.parts {
            let inner = self.bound.inner_scope(self.source, part.header).unwrap_or(scope);
            part.statements.iter().for_each(|statement| self.statement(inner, statement));
        }
        self.open.pop();
        if let ConstructEnd::Statement { label: Some(label), .. } = construct.end {
            let mut loops = self.loops();
            if is_loop {
                loops.push(statement.line);
            }
            self.labels.insert(label.value, loops);
        }
    }

    /// `EXIT` leaves the construct itself, `CYCLE` those inside of it.
    fn leave(&mut self, name: Option<&Name>, exit: bool) {
        let target = match name {
            Some(name) => self.open.iter().rposition(|open| open.name == Some(&name.text)),
            None => self.open.iter().rposition(|open| open.is_loop),
        };
        let Some(target) = target else { return };
        let from = if exit { target } else { target + 1 };
        self.facts
            .irregular
            .extend(self.open[from..].iter().filter(|open| open.is_loop).map(|open| open.line));
    }

    fn alternate(&mut self, arguments: &[Argument]) {
        for argument in arguments {
            if let ArgumentKind::AlternateReturn(label) = &argument.kind {
                self.jump(label.value);
            }
        }
    }

    fn pass(&mut self, scope: ScopeId, arguments: &[Argument], line: LineId) {
        for argument in arguments {
            if let ArgumentKind::Value(value) = &argument.kind {
                self.modify(scope, value, line);
            }
        }
    }

    /// The variables of implied loops change in output too.
    fn item(&mut self, scope: ScopeId, expr: &Expr, input: bool, line: LineId) {
        match &expr.kind {
            ExprKind::ImpliedDo { items, variable, .. } => {
                self.modify_name(scope, variable, line);
                items.iter().for_each(|item| self.item(scope, item, input, line));
            }
            _ if input => self.modify(scope, expr, line),
            _ => {}
        }
    }

    fn modify(&mut self, scope: ScopeId, expr: &Expr, line: LineId) {
        match &expr.kind {
            ExprKind::ImpliedDo { items, variable, .. } => {
                self.modify_name(scope, variable, line);
                items.iter().for_each(|item| self.modify(scope, item, line));
            }
            ExprKind::Other(inner) => inner.iter().for_each(|expr| self.modify(scope, expr, line)),
            _ => {
                if let Some(name) = root(expr) {
                    self.modify_name(scope, name, line);
                }
            }
        }
    }

    fn modify_name(&mut self, scope: ScopeId, name: &Name, line: LineId) {
        if let Some(id) = self.bound.lookup(scope, &name.text) {
            self.facts.modified.entry(id).or_default().push(line);
        }
    }

    /// Functions may change their arguments.
    fn expression(&mut self, scope: ScopeId, expr: &Expr, line: LineId) {
        if let ExprKind::Reference { base, arguments } = &expr.kind {
            let array = match &base.kind {
                ExprKind::Name(name) => self.bound.lookup(scope, &name.text).is_some_and(|id| {
                    let symbol = self.bound.symbol(id);
                    symbol.is_variable() && !symbol.shape.is_empty()
                }),
                _ => false,
            };
            if !array {
                match self.bound.meaning(scope, base, arguments) {
                    Meaning::Call(_) | Meaning::Unknown => {
                        self.facts.calls.push(line);
                        self.pass(scope, arguments, line);
                    }
                    Meaning::StatementFunction(_) => self.facts.calls.push(line),
                    Meaning::Part(_) | Meaning::Intrinsic(_) | Meaning::Constructor(_) => {}
                }
            }
        }
        for part in parts(expr) {
            self.expression(scope, part, line);
        }
    }
}

/// The label of `ERR=10`.
pub(super) fn label_of(bound: &Bound, source: usize, control: &Argument) -> Option<u32> {
    match &control.kind {
        ArgumentKind::Value(value) => bound.written(source, value).parse().ok(),
        _ => None,
    }
}
