//! What is kept at a checkpoint or call: values saved, loops' variables, memory named again.
//!
//! In: a byte of the text. Out: the lists. Holds afterwards: what may have been registered in place by then,
//! here or elsewhere, is named.

use std::sync::Arc;

use cppc_source::{Diagnostic, Span};

use super::walker::Walker;
use super::{Keeping, LoopValue};
use crate::model::{DirectiveKind, Item, ItemKind};

impl Walker<'_> {
    /// The items of register directives that have no cell.
    pub(super) fn gather_in_place(&mut self) {
        for directive in self.draft.procedure.directives() {
            let DirectiveKind::Register(items) = &directive.kind else { continue };
            for registered in self.draft.registered(items) {
                if registered.slot.is_none() {
                    self.in_place.push((registered.item, directive.span.start));
                }
            }
        }
    }

    /// What is kept by statements that stand at this byte; `shown` is what they stand for.
    pub(super) fn keeping(&mut self, at: u32, shown: Span) -> Keeping {
        let saved = self.draft.saved_at(at);
        let counted = self.loops.iter().filter_map(|open| open.counted.as_ref());
        let counted: Vec<_> = counted.cloned().collect();
        // A loop's variable must not be changed inside the loop: its header sets it.
        let own = |name: &str| counted.iter().any(|count| count.name.eq_ignore_ascii_case(name));
        let taken = saved.iter().filter(|value| !own(&value.name)).cloned().collect();
        let mut loops = Vec::new();
        for count in &counted {
            let name = count.name.to_ascii_lowercase();
            let procedure = self.draft.procedure;
            if procedure.visible(&name, at) != procedure.visible(&name, count.variable.start) {
                self.refuse_hidden(&count.name, shown, count.variable);
                continue;
            }
            loops.push(LoopValue { variable: count.variable, cell: count.cell, code: count.code.clone() });
        }
        Keeping { saved, taken, loops, named: self.named(at) }
    }

    fn refuse_hidden(&mut self, name: &str, place: Span, variable: Span) {
        let message = format!("the variable of the loop around it, `{name}`, is hidden here by another one");
        self.draft.diagnostics.push(
            Diagnostic::error("C0517", place, message)
                .label(variable, "the loop's variable")
                .help("give the inner variable another name: a restart enters the loop by the value of its variable"),
        );
    }

    fn named(&self, at: u32) -> Vec<Arc<Item>> {
        let procedure = self.draft.procedure;
        let means = |item: &Item| {
            item.variable.is_none_or(|id| {
                procedure.visible(&procedure.variable(id).name, at) == Some(id)
            })
        };
        let mut named: Vec<Arc<Item>> = Vec::new();
        let kept = self.layout.kept.iter().filter(|kept| kept.scope.start <= at && at < kept.scope.end);
        for kept in kept {
            named.push(Arc::new(kept.item.clone()));
        }
        for (item, site) in &self.in_place {
            // What pointers lead to may not be there.
            let reachable = !item.through_pointer || matches!(item.kind, ItemKind::Followed { .. });
            let registered = self.draft.saved.may_follow(*site, at);
            let known = named.iter().any(|other| other.lvalue == item.lvalue && other.kind == item.kind);
            if reachable && registered && means(item) && !known {
                named.push(item.clone());
            }
        }
        named
    }
}
