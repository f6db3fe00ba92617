//! Calls that a restart replays although they have returned in the lost run. It does this for the execute
//! blocks below them, and for registers that outlive them.
//!
//! Input: the procedures of a program.
//! Output: those whose calls may be replayed, and which of their parameters a replay needs.
//! Postcondition: a parameter that is not needed may have any value in a replayed call.

use std::collections::{BTreeMap, BTreeSet};

use cppc_source::Span;

use crate::model::{
    Callee, Directive, DirectiveKind, Expression, ExpressionKind, Item, Language, Procedure, ProcedureId,
    Program, Shape, Statement, Variable, VariableId,
};

#[derive(Debug, Default)]
pub(super) struct ReplayedCalls {
    /// For each parameter, whether it is needed.
    needs: BTreeMap<ProcedureId, Vec<bool>>,
    /// The same, of those that may be called through a pointer.
    through: BTreeMap<Shape, Vec<Vec<bool>>>,
}

impl ReplayedCalls {
    /// `procedures` are those that have an execute block or a lasting register, and their callers.
    pub fn of(
        program: &Program,
        procedures: &BTreeSet<ProcedureId>,
        is_called: &dyn Fn(&Procedure, &Callee) -> bool,
    ) -> ReplayedCalls {
        let mut replayed = ReplayedCalls::default();
        for &id in procedures {
            let procedure = &program.procedures[id.0];
            if procedure.language != Language::C {
                continue;
            }
            let needs = needs(procedure, is_called);
            if procedure.escapes {
                replayed.through.entry(procedure.shape.clone()).or_default().push(needs.clone());
            }
            replayed.needs.insert(id, needs);
        }
        replayed
    }

    /// Whether a replayed call needs this argument. `callee` is the procedure of that name, for a call by name.
    pub fn needs(&self, called: &Callee, callee: Option<ProcedureId>, index: usize) -> bool {
        // There are more arguments than parameters, so the use of this one is not known.
        let is_needed = |needs: &Vec<bool>| needs.get(index).copied().unwrap_or(true);
        match called {
            Callee::Named(_) => callee.and_then(|id| self.needs.get(&id)).is_some_and(is_needed),
            Callee::Pointer(shape) => {
                self.through.iter().any(|(found, all)| found.fits(shape) && all.iter().any(is_needed))
            }
        }
    }
}

/// The execute blocks of a procedure.
pub(super) fn executed(procedure: &Procedure) -> Vec<Span> {
    let mut begin: Option<Span> = None;
    let mut blocks = Vec::new();
    for Directive { span, kind } in procedure.directives() {
        match kind {
            DirectiveKind::Execute { .. } => begin = Some(*span),
            DirectiveKind::EndExecute => blocks.extend(begin.take().map(|begin| begin.to(*span))),
            DirectiveKind::Init
            | DirectiveKind::Shutdown
            | DirectiveKind::Register(_)
            | DirectiveKind::Unregister(_)
            | DirectiveKind::Checkpoint(_) => {}
        }
    }
    blocks
}

fn needs(procedure: &Procedure, is_called: &dyn Fn(&Procedure, &Callee) -> bool) -> Vec<bool> {
    let mut places = executed(procedure);
    for statement in &procedure.body.items {
        gather(procedure, statement, is_called, &mut places);
    }
    let places = SpanSet::new(places);
    let parameters = procedure.parameters.iter();
    parameters
        .map(|&id| is_in_directive(procedure, id) || is_named(procedure.variable(id), &places))
        .collect()
}

/// Ranges of bytes, to find out quickly whether a byte is in one of them.
pub(super) struct SpanSet {
    /// The beginning of each, and the largest end up to it.
    sorted: Vec<(u32, u32)>,
}

impl SpanSet {
    pub fn new(mut places: Vec<Span>) -> SpanSet {
        places.sort_unstable_by_key(|place| place.start);
        let mut largest = 0;
        let sorted = places.into_iter().map(|place| {
            largest = place.end.max(largest);
            (place.start, largest)
        });
        SpanSet { sorted: sorted.collect() }
    }

    pub fn contains(&self, byte: u32) -> bool {
        let after = self.sorted.partition_point(|(start, _)| *start <= byte);
        after.checked_sub(1).is_some_and(|last| byte < self.sorted[last].1)
    }
}

/// The calls that are replayed with the procedure's own.
fn gather(
    procedure: &Procedure,
    statement: &Statement,
    is_called: &dyn Fn(&Procedure, &Callee) -> bool,
    places: &mut Vec<Span>,
) {
    statement
        .expressions()
        .into_iter()
        .for_each(|expression| gather_calls(procedure, expression, is_called, places));
    statement.children().into_iter().for_each(|child| gather(procedure, child, is_called, places));
}

fn gather_calls(
    procedure: &Procedure,
    expression: &Expression,
    is_called: &dyn Fn(&Procedure, &Callee) -> bool,
    places: &mut Vec<Span>,
) {
    match &expression.kind {
        ExpressionKind::Call { callee, .. } if is_called(procedure, callee) => {
            places.push(expression.place.unwrap_or(expression.anchor));
        }
        _ => expression
            .children()
            .into_iter()
            .for_each(|child| gather_calls(procedure, child, is_called, places)),
    }
}

fn is_named(variable: &Variable, places: &SpanSet) -> bool {
    variable.named_at.as_ref().is_none_or(|named| named.iter().any(|&byte| places.contains(byte)))
}

/// Whether a replayed directive evaluates it.
fn is_in_directive(procedure: &Procedure, id: VariableId) -> bool {
    let is_it = |item: &Item| item.root == Some(id) || item.variable == Some(id);
    let names_it = |text: &str| {
        text.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == procedure.variable(id).name)
    };
    procedure.directives().into_iter().any(|directive| match &directive.kind {
        DirectiveKind::Register(items) => items.iter().any(|item| is_it(item) && !item.automatic),
        DirectiveKind::Execute { captures, files } => {
            captures.iter().any(is_it)
                || files.iter().any(|file| names_it(&file.name) || names_it(&file.handle))
        }
        DirectiveKind::Init
        | DirectiveKind::Shutdown
        | DirectiveKind::Unregister(_)
        | DirectiveKind::EndExecute
        | DirectiveKind::Checkpoint(_) => false,
    })
}
