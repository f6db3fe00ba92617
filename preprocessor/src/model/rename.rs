//! Renames the items of a body's directives.
//!
//! Input: a body, and a function that returns the new name of a name.
//! Postcondition: items without a new name are unchanged.

use super::{Body, DirectiveKind, Statement, StatementKind};

impl Body {
    /// Renames the items for which `new` returns a name.
    pub fn rename_items(&mut self, new: &dyn Fn(&str) -> Option<String>) {
        self.items.iter_mut().for_each(|statement| statement.rename_items(new));
    }
}

impl Statement {
    fn rename_items(&mut self, new: &dyn Fn(&str) -> Option<String>) {
        if let StatementKind::Directive(directive) = &mut self.kind {
            if let DirectiveKind::Register(items)
            | DirectiveKind::Unregister(items)
            | DirectiveKind::Execute { captures: items, .. } = &mut directive.kind
            {
                for item in items {
                    item.name = new(&item.name).unwrap_or_else(|| item.name.clone());
                }
            }
        }
        match &mut self.kind {
            StatementKind::Block { items, .. } => items.iter_mut().for_each(|s| s.rename_items(new)),
            StatementKind::If { then, otherwise, .. } => {
                then.rename_items(new);
                otherwise.iter_mut().for_each(|s| s.rename_items(new));
            }
            StatementKind::Switch { body, .. } | StatementKind::Labelled { body, .. } => {
                body.rename_items(new);
            }
            StatementKind::Loop(inner) => inner.body.rename_items(new),
            StatementKind::Construct(construct) => {
                let items = construct.parts.iter_mut().flat_map(|part| &mut part.items);
                items.for_each(|statement| statement.rename_items(new));
            }
            StatementKind::Guarded { action, .. } => action.rename_items(new),
            _ => {}
        }
    }
}
