//! Which procedures are instrumented: those with a block, and those that call one.
//!
//! Input: the procedures of all files.
//! Output: the set of instrumented procedures. It includes all callers, by name and through pointers.

use std::collections::{BTreeMap, BTreeSet};

use cppc_source::Span;

use super::replayed_calls::ReplayedCalls;
use crate::model::{
    Callee, DirectiveKind, Expression, ExpressionKind, Procedure, ProcedureId, Program, Shape, Statement,
    StatementKind, UnitId,
};

/// The instrumented procedures of a program.
#[derive(Debug, Default)]
pub struct Reach {
    instrumented: BTreeSet<ProcedureId>,
    leads_to_checkpoint: BTreeSet<ProcedureId>,
    leads_to_init: BTreeSet<ProcedureId>,
    /// Procedures that a restart repeats although they have returned. They, or procedures that they call,
    /// have execute blocks or registers that outlive them.
    may_be_repeated: BTreeSet<ProcedureId>,
    /// The types of the instrumented procedures whose address is taken.
    pointed_to: BTreeSet<Shape>,
    /// The types of those that lead to a checkpoint.
    pointed_to_with_checkpoint: BTreeSet<Shape>,
    /// What repeated calls need.
    replayed_calls: ReplayedCalls,
    /// By name and, for a static procedure, its unit.
    by_name: BTreeMap<String, BTreeMap<Option<UnitId>, ProcedureId>>,
}

impl Reach {
    pub fn of(program: &Program) -> Reach {
        let mut reach = Reach::default();
        for (index, procedure) in program.procedures.iter().enumerate() {
            let named = reach.by_name.entry(procedure.name.clone()).or_default();
            named.insert(procedure.local.then_some(procedure.unit), ProcedureId(index));
        }
        let uses: Vec<Uses> = program.procedures.iter().map(Uses::of).collect();
        let callers = Callers::of(&reach, program, &uses);
        reach.instrumented = callers.close(program, seeds(&uses, |uses| uses.blocks));
        reach.leads_to_checkpoint = callers.close(program, seeds(&uses, |uses| uses.checkpoints));
        reach.leads_to_init = callers.close(program, seeds(&uses, |uses| uses.init));
        reach.may_be_repeated = callers.close(program, seeds(&uses, |uses| uses.outlives));
        let shapes = |ids: &BTreeSet<ProcedureId>| {
            let escaping = ids.iter().map(|id| &program.procedures[id.0]).filter(|found| found.escapes);
            escaping.map(|found| found.shape.clone()).collect()
        };
        reach.pointed_to = shapes(&reach.instrumented);
        reach.pointed_to_with_checkpoint = shapes(&reach.leads_to_checkpoint);
        let is_called = |procedure: &Procedure, callee: &Callee| match callee {
            Callee::Named(name) => {
                reach.named(procedure.unit, name).is_some_and(|id| reach.may_be_repeated.contains(&id))
            }
            Callee::Pointer(_) => reach.may_be_instrumented(procedure.unit, callee),
        };
        reach.replayed_calls = ReplayedCalls::of(program, &reach.may_be_repeated, &is_called);
        reach
    }

    /// Whether a restart that repeats this call after it has returned needs one of its arguments.
    pub fn needs_argument(&self, unit: UnitId, callee: &Callee, index: usize) -> bool {
        let named = match callee {
            Callee::Named(name) => self.named(unit, name),
            Callee::Pointer(_) => None,
        };
        self.replayed_calls.needs(callee, named, index)
    }

    /// The procedure that a name means in a unit.
    pub fn named(&self, unit: UnitId, name: &str) -> Option<ProcedureId> {
        let named = self.by_name.get(name)?;
        named.get(&Some(unit)).or_else(|| named.get(&None)).copied()
    }

    pub fn is_instrumented(&self, id: ProcedureId) -> bool {
        self.instrumented.contains(&id)
    }

    /// Whether there is a checkpoint in the procedure or below it.
    pub fn leads_to_checkpoint(&self, id: ProcedureId) -> bool {
        self.leads_to_checkpoint.contains(&id)
    }

    /// Whether a call may lead to a checkpoint.
    pub fn may_lead_to_checkpoint(&self, unit: UnitId, callee: &Callee) -> bool {
        match callee {
            Callee::Named(name) => self.named(unit, name).is_some_and(|id| self.leads_to_checkpoint(id)),
            Callee::Pointer(shape) => is_among(&self.pointed_to_with_checkpoint, shape),
        }
    }

    /// Whether a call by name leads to `init`.
    pub fn leads_to_init(&self, unit: UnitId, callee: &Callee) -> bool {
        let named = |name| self.named(unit, name).is_some_and(|id| self.leads_to_init.contains(&id));
        matches!(callee, Callee::Named(name) if named(name))
    }

    /// Whether a restart may repeat a call that has returned.
    pub fn may_be_repeated(&self, unit: UnitId, callee: &Callee) -> bool {
        match callee {
            Callee::Named(name) => {
                self.named(unit, name).is_some_and(|id| self.may_be_repeated.contains(&id))
            }
            Callee::Pointer(_) => !self.may_be_repeated.is_empty(),
        }
    }

    /// The instrumented procedures that a call may run.
    fn callable(&self, program: &Program, unit: UnitId, callee: &Callee) -> Vec<ProcedureId> {
        let fits = |id: &ProcedureId, shape: &Shape| {
            let procedure = &program.procedures[id.0];
            procedure.escapes && procedure.shape.fits(shape)
        };
        match callee {
            Callee::Named(name) => {
                self.named(unit, name).filter(|id| self.is_instrumented(*id)).into_iter().collect()
            }
            Callee::Pointer(shape) => {
                self.instrumented.iter().filter(|id| fits(id, shape)).copied().collect()
            }
        }
    }

    /// Whether a call may lead to an instrumented procedure.
    pub fn may_be_instrumented(&self, unit: UnitId, callee: &Callee) -> bool {
        match callee {
            Callee::Named(name) => self.named(unit, name).is_some_and(|id| self.is_instrumented(id)),
            Callee::Pointer(shape) => is_among(&self.pointed_to, shape),
        }
    }
}

/// Whether a pointer of a type may point to a procedure of one of these types.
fn is_among(shapes: &BTreeSet<Shape>, shape: &Shape) -> bool {
    match *shape == Shape::ANY {
        true => !shapes.is_empty(),
        false => shapes.contains(shape) || shapes.contains(&Shape::ANY),
    }
}

/// The directives to which the calls of the statements at these positions lead.
pub fn directives_behind(program: &Program, positions: &[Span]) -> Vec<Span> {
    let reach = Reach::of(program);
    let uses: Vec<Uses> = program.procedures.iter().map(Uses::of).collect();
    let mut waiting = Vec::new();
    for procedure in &program.procedures {
        let mut called = Uses::default();
        procedure.body.items.iter().for_each(|statement| called.calls_at(statement, positions));
        waiting.extend(called.callees.into_iter().map(|callee| (procedure.unit, callee)));
    }
    let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
    while let Some((unit, callee)) = waiting.pop() {
        for id in reach.callable(program, unit, &callee) {
            if seen.insert(id) {
                let unit = program.procedures[id.0].unit;
                found.extend(&uses[id.0].directives);
                waiting.extend(uses[id.0].callees.iter().map(|callee| (unit, callee.clone())));
            }
        }
    }
    found
}

/// The procedures whose uses have a property.
fn seeds(uses: &[Uses], has: impl Fn(&Uses) -> bool) -> BTreeSet<ProcedureId> {
    (0..uses.len()).filter(|&index| has(&uses[index])).map(ProcedureId).collect()
}

/// The call graph, from the called procedure to those that call it.
struct Callers<'a> {
    by_name: Vec<Vec<ProcedureId>>,
    /// Those that call through a pointer, by the type of the procedure that it points to.
    by_pointer: BTreeMap<&'a Shape, Vec<ProcedureId>>,
}

impl<'a> Callers<'a> {
    fn of(reach: &Reach, program: &Program, uses: &'a [Uses]) -> Callers<'a> {
        let mut callers = Callers { by_name: vec![Vec::new(); uses.len()], by_pointer: BTreeMap::new() };
        for (index, uses) in uses.iter().enumerate() {
            let unit = program.procedures[index].unit;
            for callee in &uses.callees {
                match callee {
                    Callee::Named(name) => {
                        if let Some(called) = reach.named(unit, name) {
                            callers.by_name[called.0].push(ProcedureId(index));
                        }
                    }
                    Callee::Pointer(shape) => {
                        callers.by_pointer.entry(shape).or_default().push(ProcedureId(index))
                    }
                }
            }
        }
        callers
    }

    /// The smallest set with the seeds and every procedure that calls a member.
    fn close(&self, program: &Program, seeds: BTreeSet<ProcedureId>) -> BTreeSet<ProcedureId> {
        // Each type is followed once: the first member that fits it adds all of its callers.
        let mut by_pointer = self.by_pointer.clone();
        let mut set = seeds.clone();
        let mut pending: Vec<ProcedureId> = seeds.into_iter().collect();
        while let Some(called) = pending.pop() {
            let procedure = &program.procedures[called.0];
            let mut callers = self.by_name[called.0].clone();
            if procedure.escapes {
                by_pointer.retain(|shape, through| {
                    let fits = procedure.shape.fits(shape);
                    if fits {
                        callers.append(through);
                    }
                    !fits
                });
            }
            pending.extend(callers.into_iter().filter(|&caller| set.insert(caller)));
        }
        set
    }
}

/// What the statements of a procedure contain.
#[derive(Debug, Default)]
struct Uses {
    blocks: bool,
    checkpoints: bool,
    init: bool,
    outlives: bool,
    callees: BTreeSet<Callee>,
    directives: Vec<Span>,
}

impl Uses {
    fn of(procedure: &Procedure) -> Uses {
        let mut uses = Uses::default();
        for statement in &procedure.body.items {
            uses.statement(statement);
        }
        // An inline procedure of a library (`bsearch`) calls the procedure that it is given. It cannot be
        // rewritten. So the runtime treats the called procedure as a callback.
        if procedure.place.is_none() {
            uses.callees.retain(|callee| matches!(callee, Callee::Named(_)));
        }
        uses
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Directive(directive) => {
                self.directives.push(statement.anchor);
                self.checkpoints |= matches!(directive.kind, DirectiveKind::Checkpoint(_));
                self.init |= matches!(directive.kind, DirectiveKind::Init);
                self.outlives |= match &directive.kind {
                    DirectiveKind::Execute { .. } => true,
                    DirectiveKind::Register(items) => {
                        !directive.is_deferred() && items.iter().any(|item| !item.automatic)
                    }
                    _ => false,
                };
                self.blocks |= !directive.is_deferred()
                    && !matches!(directive.kind, DirectiveKind::Shutdown | DirectiveKind::Unregister(_));
            }
            StatementKind::Labelled { body, .. } => self.statement(body),
            _ => {
                for child in statement.children() {
                    self.statement(child);
                }
            }
        }
        for expression in statement.expressions() {
            self.expression(expression);
        }
    }

    /// The calls in the expressions of the statements around the positions.
    fn calls_at(&mut self, statement: &Statement, positions: &[Span]) {
        let is_around = |span: Span| {
            let is_inside = |at: &Span| span.file == at.file && (span.start..span.end).contains(&at.start);
            positions.iter().any(is_inside)
        };
        if is_around(statement.anchor) || statement.place.is_some_and(is_around) {
            statement.expressions().into_iter().for_each(|expression| self.expression(expression));
        }
        statement.children().into_iter().for_each(|child| self.calls_at(child, positions));
    }

    fn expression(&mut self, expression: &Expression) {
        match &expression.kind {
            ExpressionKind::Call { callee, .. } => {
                self.callees.insert(callee.clone());
            }
            ExpressionKind::Statements(sites) => {
                self.callees.extend(sites.iter().map(|site| site.callee.clone()));
            }
            _ => {}
        }
        for child in expression.children() {
            self.expression(child);
        }
    }
}
