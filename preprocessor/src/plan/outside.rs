//! Directives in procedures without blocks.

use std::sync::Arc;

use super::{Action, OutsideDirective, Registered};
use crate::model::{Directive, DirectiveKind, Item, Procedure};

/// The directives of a procedure without blocks.
pub(super) fn plan_outside(procedure: &Procedure) -> Vec<OutsideDirective> {
    let directives = procedure.directives();
    // In Fortran, all declarations are before the first directive.
    let mut in_first: Vec<Registered> = match &procedure.layout {
        Some(_) => directives.iter().flat_map(|directive| deferred(directive)).collect(),
        None => Vec::new(),
    };
    let planned = directives.into_iter().filter_map(|directive| {
        let (unit, span) = (procedure.unit, directive.span);
        Some(OutsideDirective { unit, span, action: action(procedure, directive, &mut in_first)? })
    });
    planned.collect()
}

fn action(procedure: &Procedure, directive: &Directive, in_first: &mut Vec<Registered>) -> Option<Action> {
    let layout = procedure.layout.as_ref();
    match &directive.kind {
        DirectiveKind::Shutdown => Some(Action::Shutdown),
        DirectiveKind::Unregister(items) => {
            Some(Action::Unregister { items: items.iter().map(registered).collect() })
        }
        DirectiveKind::Register(_) if directive.is_deferred() => Some(Action::Defer {
            items: if layout.is_some() { std::mem::take(in_first) } else { deferred(directive) },
            declarations_at: layout.map(|layout| layout.declarations_at),
            declares_externals: layout.is_some_and(|layout| layout.declares_externals),
        }),
        // A procedure with one of these has blocks.
        DirectiveKind::Init
        | DirectiveKind::Register(_)
        | DirectiveKind::Execute { .. }
        | DirectiveKind::EndExecute
        | DirectiveKind::Checkpoint(_) => None,
    }
}

fn deferred(directive: &Directive) -> Vec<Registered> {
    let DirectiveKind::Register(items) = &directive.kind else { return Vec::new() };
    items.iter().filter(|item| item.traits.deferred.is_some()).map(registered).collect()
}

fn registered(item: &Item) -> Registered {
    let name = item.traits.deferred.clone().unwrap_or_else(|| item.name.clone());
    let item = Item { name, ..item.clone() };
    Registered { item: Arc::new(item), slot: None, parameter: false, way: Vec::new() }
}
