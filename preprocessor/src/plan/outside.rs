//! Directives in procedures without blocks.

use std::sync::Arc;

use super::{Action, OutsideDirective, Registered};
use crate::model::{Directive, DirectiveKind, Procedure};

/// The `unregister` and `shutdown` directives of a procedure without blocks.
pub(super) fn plan_outside(procedure: &Procedure) -> Vec<OutsideDirective> {
    let planned = procedure.directives().into_iter().filter_map(|directive| {
        let (unit, span) = (procedure.unit, directive.span);
        Some(OutsideDirective { unit, span, action: action(directive)? })
    });
    planned.collect()
}

fn action(directive: &Directive) -> Option<Action> {
    match &directive.kind {
        DirectiveKind::Shutdown => Some(Action::Shutdown),
        DirectiveKind::Unregister(items) => {
            let registered = items.iter().map(|item| Registered {
                item: Arc::new(item.clone()),
                slot: None,
                parameter: false,
                way: Vec::new(),
            });
            Some(Action::Unregister { items: registered.collect() })
        }
        // A procedure with one of these has blocks.
        DirectiveKind::Init
        | DirectiveKind::Register(_)
        | DirectiveKind::Execute { .. }
        | DirectiveKind::EndExecute
        | DirectiveKind::Checkpoint => None,
    }
}
