//! The generated code of directives.
//!
//! Input: a directive.
//! Output: the change of its line.
//! Postcondition: each block that a restart jumps to has a label.

use super::walker::Walker;
use super::{Clause, Position};
use crate::model::{Directive, DirectiveKind, Item, ItemKind};
use crate::plan::builder::registers;
use crate::plan::{Action, BlockKind, Captured};

impl Walker<'_> {
    pub(super) fn directive(&mut self, directive: &Directive) {
        let span = directive.span;
        let mut clauses = vec![Clause::Note(span)];
        let onward = self.onward();
        match &directive.kind {
            DirectiveKind::Init => {
                let block = self.builder.new_block(span, BlockKind::Init);
                clauses.push(Clause::Directive(Action::Init { block }));
                clauses.push(Clause::Jump(onward));
            }
            DirectiveKind::Shutdown => clauses.push(Clause::Directive(Action::Shutdown)),
            DirectiveKind::Unregister(items) => {
                let items = self.builder.registered(items);
                clauses.push(Clause::Directive(Action::Unregister { items }));
            }
            DirectiveKind::Register(items) => {
                let items = self.builder.wanted(items);
                let block = self.block(directive, registers(&items), &mut clauses);
                let mut items = self.builder.registered(&items);
                // Counts are computed from scalars, and pointers point to variables that are in place. So
                // these are registered first.
                items.sort_by_key(|registered| match registered.item.kind {
                    ItemKind::Memory | ItemKind::Target => 0,
                    ItemKind::Array => 1,
                    ItemKind::Followed { .. } => 2,
                });
                let section = self.builder.section;
                clauses.push(Clause::Directive(Action::Register { block, section, items }));
                clauses.push(Clause::Jump(onward));
            }
            DirectiveKind::Execute { captures, files } => {
                let kind = self.builder.executes(captures, files);
                let block = self.block(directive, kind, &mut clauses);
                self.builder.execute = Some(span);
                let captures: Vec<Captured> = captures.iter().map(|item| self.captured(item)).collect();
                self.builder.captures.clone_from(&captures);
                clauses.push(Clause::Directive(Action::Execute { block, captures, files: files.clone() }));
            }
            DirectiveKind::EndExecute => {
                self.builder.execute = None;
                let captures = std::mem::take(&mut self.builder.captures);
                let files = std::mem::take(&mut self.builder.files);
                clauses.push(Clause::EndExecute { captures, files, onward });
            }
            DirectiveKind::Checkpoint(safety) => {
                self.builder.section += 1;
                let block = self.block(directive, BlockKind::Checkpoint, &mut clauses);
                let saving = self.saving(span.start, span);
                let ranks = safety.ranks().cloned();
                clauses.push(Clause::Checkpoint { block, place: span, ranks, saving });
                clauses.push(Clause::Jump(onward));
            }
        }
        self.change(span, Position::Instead, clauses);
    }

    /// A block with a label.
    fn block(&mut self, directive: &Directive, kind: BlockKind, clauses: &mut Vec<Clause>) -> u32 {
        let block = self.builder.new_block(directive.span, kind);
        let mark = self.new_mark();
        self.place_block(block, mark);
        clauses.push(Clause::Mark(mark));
        block
    }

    /// A captured variable. Its earlier value is not restored if the program may not assign to it: the
    /// variable of an enclosing loop, or an argument that is only read.
    fn captured(&mut self, item: &Item) -> Captured {
        let counted = self.loops.iter().filter_map(|open| open.counted.as_ref());
        let mut names = counted.map(|count| &count.name);
        if item.traits.read_only || names.any(|name| name.eq_ignore_ascii_case(&item.lvalue)) {
            return Captured { item: std::sync::Arc::new(item.clone()), slot: None };
        }
        self.builder.captured(item)
    }
}
