//! Which procedures are instrumented: those with a block, and those that call one.
//!
//! In: the procedures of all files. Out: the set, closed over calls by name and through pointers.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{
    Callee, DirectiveKind, Expression, ExpressionKind, Procedure, ProcedureId, Program, Statement,
    StatementKind, UnitId,
};

/// The instrumented procedures of a program.
#[derive(Debug, Default)]
pub struct Reach {
    instrumented: BTreeSet<ProcedureId>,
    leads_to_checkpoint: BTreeSet<ProcedureId>,
    by_name: BTreeMap<(Option<UnitId>, String), ProcedureId>,
}

impl Reach {
    pub fn of(program: &Program) -> Reach {
        let mut reach = Reach::default();
        for (index, procedure) in program.procedures.iter().enumerate() {
            let unit = procedure.local.then_some(procedure.unit);
            reach.by_name.insert((unit, procedure.name.clone()), ProcedureId(index));
        }
        let uses: Vec<Uses> = program.procedures.iter().map(Uses::of).collect();
        reach.instrumented = reach.close(program, &uses, |uses| uses.blocks);
        reach.leads_to_checkpoint = reach.close(program, &uses, |uses| uses.checkpoints);
        reach
    }

    /// The smallest set with the seeds and every procedure that calls a member.
    fn close(
        &self,
        program: &Program,
        uses: &[Uses],
        seed: impl Fn(&Uses) -> bool,
    ) -> BTreeSet<ProcedureId> {
        let seeds = (0..uses.len()).filter(|&index| seed(&uses[index])).map(ProcedureId);
        let mut set: BTreeSet<ProcedureId> = seeds.collect();
        loop {
            let before = set.len();
            for (index, uses) in uses.iter().enumerate() {
                let unit = program.procedures[index].unit;
                let calls = |callee: &Callee| !self.targets(program, unit, callee, &set).is_empty();
                if uses.callees.iter().any(calls) {
                    set.insert(ProcedureId(index));
                }
            }
            if set.len() == before {
                return set;
            }
        }
    }

    /// The members of a set that a call may lead to.
    fn targets(
        &self,
        program: &Program,
        unit: UnitId,
        callee: &Callee,
        set: &BTreeSet<ProcedureId>,
    ) -> Vec<ProcedureId> {
        match callee {
            Callee::Named(name) => {
                self.named(unit, name).filter(|id| set.contains(id)).into_iter().collect()
            }
            Callee::Pointer(shape) => {
                let fits = |id: &&ProcedureId| {
                    let procedure = &program.procedures[id.0];
                    procedure.escapes && procedure.shape.fits(shape)
                };
                set.iter().filter(fits).copied().collect()
            }
        }
    }

    /// The procedure that a name means in a unit.
    pub fn named(&self, unit: UnitId, name: &str) -> Option<ProcedureId> {
        let local = self.by_name.get(&(Some(unit), name.to_owned()));
        local.or_else(|| self.by_name.get(&(None, name.to_owned()))).copied()
    }

    pub fn is_instrumented(&self, id: ProcedureId) -> bool {
        self.instrumented.contains(&id)
    }

    /// Whether a checkpoint stands in the procedure or below it.
    pub fn leads_to_checkpoint(&self, id: ProcedureId) -> bool {
        self.leads_to_checkpoint.contains(&id)
    }

    /// The instrumented procedures that a call may lead to.
    pub fn instrumented_targets(
        &self,
        program: &Program,
        unit: UnitId,
        callee: &Callee,
    ) -> Vec<ProcedureId> {
        self.targets(program, unit, callee, &self.instrumented)
    }
}

/// What the statements of a procedure hold.
#[derive(Debug, Default)]
struct Uses {
    blocks: bool,
    checkpoints: bool,
    callees: BTreeSet<Callee>,
}

impl Uses {
    fn of(procedure: &Procedure) -> Uses {
        let mut uses = Uses::default();
        for statement in &procedure.body.items {
            uses.statement(statement);
        }
        // A library's inline procedure (`bsearch`) calls whatever it is given. It cannot be rewritten;
        // what it calls is a callback, which the runtime finds out.
        if procedure.place.is_none() {
            uses.callees.retain(|callee| matches!(callee, Callee::Named(_)));
        }
        uses
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Directive(directive) => {
                self.checkpoints |= matches!(directive.kind, DirectiveKind::Checkpoint);
                self.blocks |= !matches!(
                    directive.kind,
                    DirectiveKind::Shutdown | DirectiveKind::Unregister(_)
                );
            }
            StatementKind::Labelled { body } => self.statement(body),
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
