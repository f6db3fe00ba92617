//! Finds what is kept at a checkpoint or call: saved values, variables of loops, re-passed memory.
//!
//! Input: a byte of the text.
//! Output: the lists.
//! Postcondition: variables that may have been registered in place before, in this or another procedure, are
//! re-passed.

use std::sync::Arc;

use cppc_source::{Diagnostic, Span};

use super::walker::{Alias, Walker};
use super::{LoopValue, Repassed, Saving};
use crate::model::structured::RootForm;
use crate::model::{DirectiveKind, Item, ItemKind};
use crate::plan::CallBlock;

impl Walker<'_> {
    /// The items of register directives that have no cell.
    pub(super) fn gather_in_place(&mut self) {
        for directive in self.builder.procedure.directives() {
            let DirectiveKind::Register(items) = &directive.kind else { continue };
            for registered in self.builder.registered(items) {
                if registered.slot.is_none() && registered.item.follower.is_none() {
                    self.in_place.push((registered.item, directive.span.start));
                }
            }
        }
    }

    /// What the statements at this byte keep. `shown` is the original text that diagnostics show.
    pub(super) fn saving(&mut self, at: u32, shown: Span) -> Saving {
        let saved = self.builder.saved_at(at);
        let counted = self.loops.iter().filter_map(|open| open.counted.as_ref());
        let counted: Vec<_> = counted.cloned().collect();
        // The variable of a loop must not be changed inside the loop. The header sets it.
        let own = |name: &str| counted.iter().any(|count| count.name.eq_ignore_ascii_case(name));
        let taken = saved.iter().filter(|value| !own(&value.name)).cloned().collect();
        let mut loops = Vec::new();
        for count in &counted {
            let name = count.name.to_ascii_lowercase();
            let procedure = self.builder.procedure;
            if procedure.visible(&name, at) != procedure.visible(&name, count.variable.start) {
                self.refuse_hidden(&count.name, shown, count.variable);
                continue;
            }
            loops.push(LoopValue { variable: count.variable, cell: count.cell, code: count.code.clone() });
        }
        Saving { saved, taken, loops, repassed: self.repassed(at), ended: self.ended(at) }
    }

    /// What a call keeps.
    pub(super) fn saving_at_call(&mut self, block: &CallBlock) -> Saving {
        let mut saving = self.saving(self.builder.stand, block.call.span);
        for argument in &block.emptied {
            let own = saving.repassed.iter_mut().filter(|repassed| repassed.outer.is_none());
            for repassed in own.filter(|repassed| is_part_of(&repassed.item, argument)) {
                repassed.is_emptied = is_emptied(&repassed.item);
                if block.is_made_again {
                    self.refuse_freed_graph(&repassed.item, block.call.span);
                }
            }
        }
        saving
    }

    /// A restart has restored the whole graph before it makes the call.
    fn refuse_freed_graph(&mut self, item: &Item, call: Span) {
        if item.reached.is_none() || item.traits.unregistered {
            return;
        }
        let name = &item.name;
        let message = format!("a restart restores the components of `{name}`, and this call frees them");
        let refused = Diagnostic::error("C0524", call, message);
        self.builder.diagnostics.push(
            refused.because("the dummy argument has INTENT(OUT), and a restart makes this call again").help(
                "declare the dummy argument as `intent(inout)`, and deallocate the components at the start of the procedure",
            ),
        );
    }

    fn refuse_hidden(&mut self, name: &str, place: Span, variable: Span) {
        let message =
            format!("`{name}`, the variable of an enclosing loop, is hidden by another variable here");
        self.builder
            .diagnostics
            .push(Diagnostic::error("C0517", place, message).label(variable, "the loop's variable").help(
            "give the inner variable another name: a restart enters the loop by the value of its variable",
        ));
    }

    fn repassed(&self, at: u32) -> Vec<Repassed> {
        let mut repassed: Vec<Repassed> = Vec::new();
        let kept = self.layout.repassed.iter().filter(|kept| kept.scope.start <= at && at < kept.scope.end);
        for kept in kept {
            repassed.extend(self.reached(&Arc::new(kept.item.clone()), kept.scope.start, at));
        }
        for (item, site) in &self.in_place {
            if !self.builder.saved.may_follow(*site, at) || !can_be_named(item) {
                continue;
            }
            let Some(new) = self.reached(item, *site, at) else { continue };
            if !repassed.iter().any(|known| known.is_same(&new)) {
                repassed.push(new);
            }
        }
        repassed
    }

    /// The registers of variables of BLOCK constructs that have ended. The program has freed their memory. The cells of the
    /// others belong to the frame.
    fn ended(&self, at: u32) -> Vec<String> {
        let mut ended: Vec<String> = Vec::new();
        for (item, site) in self.in_place.iter().filter(|(item, _)| item.automatic) {
            let procedure = self.builder.procedure;
            let Some(variable) = procedure.visible(&item.first_name(), *site) else { continue };
            let scope = procedure.variable(variable).scope;
            let is_here = scope.start <= at && at < scope.end;
            if !is_here && self.builder.saved.may_follow(*site, at) && !ended.contains(&item.name) {
                ended.push(item.name.clone());
            }
        }
        ended
    }

    /// An item as it is reached at a byte. `home` is a byte at which its name refers to it.
    fn reached(&self, item: &Arc<Item>, home: u32, at: u32) -> Option<Repassed> {
        let (procedure, name) = (self.builder.procedure, item.first_name());
        let outer = procedure.visible(&name, home);
        if procedure.visible(&name, at) == outer {
            return Some(Repassed { item: item.clone(), outer: None, is_emptied: false });
        }
        let alias = self.aliases.iter().rev().find(|alias| alias.name == name && alias.outer == outer)?;
        Some(Repassed { item: item.clone(), outer: Some((alias.number, name)), is_emptied: false })
    }

    /// Other names for variables that have to be re-passed within a scope that hides them. They are names of ASSOCIATE.
    /// An allocatable would lose its bounds, so it is refused. `same` is a name that means the same variable inside.
    pub(super) fn new_aliases(
        &mut self,
        header: Span,
        inner: u32,
        end: u32,
        same: Option<&str>,
    ) -> Vec<Alias> {
        let outside = header.start.saturating_sub(1);
        let kept = self
            .layout
            .repassed
            .iter()
            .filter(|kept| kept.scope.start <= outside && outside < kept.scope.end);
        let kept = kept.map(|kept| (Arc::new(kept.item.clone()), kept.scope.start));
        let in_place = self
            .in_place
            .iter()
            .filter(|(item, site)| can_be_named(item) && self.builder.saved.may_follow(*site, end));
        let candidates: Vec<(Arc<Item>, u32)> = kept.chain(in_place.cloned()).collect();
        let mut aliases: Vec<Alias> = Vec::new();
        for (item, home) in candidates {
            let (procedure, name) = (self.builder.procedure, item.first_name());
            let outer = procedure.visible(&name, home);
            let hidden =
                procedure.visible(&name, outside) == outer && procedure.visible(&name, inner) != outer;
            let is_same = same.is_some_and(|same| name.eq_ignore_ascii_case(same));
            if !hidden || is_same || aliases.iter().any(|alias| alias.name == name) {
                continue;
            }
            let whole = name.eq_ignore_ascii_case(&item.lvalue);
            // ASSOCIATE accepts neither an absent argument nor an array of assumed size.
            let cannot_be_named = item.traits.optional || item.traits.assumed_size;
            if cannot_be_named || (whole && matches!(item.kind, ItemKind::Followed { .. })) {
                self.refuse_hidden_array(&name, header);
                continue;
            }
            self.alias_count += 1;
            aliases.push(Alias { number: self.alias_count, name, outer });
        }
        aliases
    }

    fn refuse_hidden_array(&mut self, name: &str, header: Span) {
        let message = format!("`{name}` is hidden in here by another variable of this name");
        let is_known = |known: &Diagnostic| {
            known.message == message && known.labels.first().is_some_and(|label| label.span == header)
        };
        if self.builder.diagnostics.iter().any(is_known) {
            return;
        }
        self.builder.diagnostics.push(
            Diagnostic::error("C0517", header, message)
                .note(format!("the outer `{name}` may be registered, and the generated code needs its address at each checkpoint and call"))
                .help("give the inner variable another name"),
        );
    }
}

/// Whether an item is an argument, or a part of it.
fn is_part_of(item: &Item, argument: &str) -> bool {
    let name = item.lvalue.to_ascii_lowercase();
    name.strip_prefix(argument).is_some_and(|rest| rest.is_empty() || rest.starts_with('%'))
}

/// Whether a call that frees the allocatable memory of an argument frees that of this part of it.
fn is_emptied(item: &Item) -> bool {
    let moves = matches!(item.kind, ItemKind::Followed { .. }) || item.tree.is_some();
    moves && item.indexed.is_none() && !item.traits.pointer && !item.traits.unregistered
}

/// The target of a pointer may not exist. gfortran refuses pointers to procedures of a host after a CALL of them. Those that are
/// static are in memory anyway.
fn can_be_named(item: &Item) -> bool {
    let is_procedure = item.reached.as_ref().is_some_and(|reached| reached.form == RootForm::Procedure);
    if is_procedure && !item.automatic {
        return false;
    }
    !item.through_pointer
        || matches!(item.kind, ItemKind::Followed { .. })
        || item.tree.is_some()
        || item.reached.is_some()
}
