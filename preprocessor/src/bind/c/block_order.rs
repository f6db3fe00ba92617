//! Execute blocks of one loop whose order in a restart differs from that of the run, although one needs what another makes.
//!
//! Input: the directives of a unit. Output: warnings.
//!
//! | code | what |
//! |---|---|
//! | C0449 | warning: a restart repeats a block before the block that makes what it needs |
//! | C0460 | warning: a restart repeats a call before the block that sets the pointer to the called procedure |

use std::collections::{BTreeMap, BTreeSet};

use cppc_grammar::c::token::TokenKind;
use cppc_grammar::c::tree::Range;
use cppc_source::Diagnostic;

use super::binder::Binder;
use super::bound::{BoundDirective, DirectiveKind};
use super::facts::Callee;
use super::ids::SymbolId;
use super::items::Capture;
use super::symbols::SymbolKind;

/// An execute block with the tokens between its two directives.
struct ExecuteBlock<'a> {
    directive: &'a BoundDirective,
    captures: &'a [Capture],
    range: Range,
    /// The variables that it gives a value: by an assignment, or by a procedure that gets the address.
    made: BTreeSet<SymbolId>,
    /// The variables whose value it needs from elsewhere.
    needed: BTreeSet<SymbolId>,
}

impl ExecuteBlock<'_> {
    fn keys(&self) -> BTreeSet<&str> {
        self.captures.iter().map(|capture| capture.key.as_str()).collect()
    }

    fn is_in(&self, range: Range) -> bool {
        range.start < self.range.start && self.range.end <= range.end
    }
}

impl Binder<'_> {
    /// Runs of a block with equal captures count as one run: the last. So if the captures of another block of the loop
    /// differ more often, most runs of that block come before it in a restart.
    pub(super) fn warn_of_block_order(&mut self, directives: &[BoundDirective]) {
        let registered: BTreeSet<SymbolId> = directives.iter().flat_map(registered).collect();
        let blocks: Vec<ExecuteBlock> = directives
            .iter()
            .filter_map(|directive| self.executed(directives, directive, &registered))
            .collect();
        let mut users: BTreeMap<SymbolId, Vec<&ExecuteBlock>> = BTreeMap::new();
        for block in &blocks {
            block.needed.iter().for_each(|symbol| users.entry(*symbol).or_default().push(block));
        }
        let mut warnings = Vec::new();
        for maker in &blocks {
            let innermost =
                self.loops.iter().filter(|range| maker.is_in(**range)).max_by_key(|range| range.start);
            let Some(innermost_loop) = innermost.copied() else { continue };
            let found = maker.made.iter().find_map(|symbol| {
                let users = users.get(symbol)?;
                let differs = |user: &&&ExecuteBlock| {
                    user.is_in(innermost_loop) && !user.keys().is_subset(&maker.keys())
                };
                users.iter().find(differs).map(|user| (*symbol, *user))
            });
            warnings.extend(found.map(|(symbol, user)| self.late(maker, user, symbol)));
        }
        warnings.extend(blocks.iter().flat_map(|maker| self.called_before(maker, &blocks, directives)));
        self.diagnostics.extend(warnings);
    }

    /// Calls through a pointer that a block without captures sets in each turn of a loop. A restart repeats the calls of
    /// earlier turns, if there are execute blocks below them, before the last run of the block.
    fn called_before(
        &self,
        maker: &ExecuteBlock,
        blocks: &[ExecuteBlock],
        directives: &[BoundDirective],
    ) -> Vec<Diagnostic> {
        let around = self.loops.iter().filter(|range| maker.is_in(**range)).max_by_key(|range| range.start);
        let (Some(around), true) = (around, maker.captures.is_empty()) else { return Vec::new() };
        if !self.may_be_repeated_through_pointers(directives) {
            return Vec::new();
        }
        let facts = &self.procedures[maker.directive.procedure.0 as usize].facts;
        let calls = facts.calls.iter().filter(|call| matches!(call.callee, Callee::Pointer));
        let calls = calls.filter(|call| around.start <= call.range.start && call.range.end <= around.end);
        let is_executed = |range: Range| {
            blocks.iter().any(|block| block.range.start <= range.start && range.end <= block.range.end)
        };
        let called = calls.filter(|call| !is_executed(call.range)).filter_map(|call| {
            let end = (call.range.start..call.range.end).find(|&at| self.word(at) == "(" && at > call.range.start)?;
            let pointer = (call.range.start..end).filter_map(|at| self.variable(at));
            let pointer = pointer.into_iter().find(|symbol| maker.made.contains(symbol))?;
            let name = self.text(self.symbol(pointer).name);
            Some(
                Diagnostic::warning("C0460", self.token_span(call.range.start)?, format!("a restart repeats this call before a block sets `{name}`"))
                    .because("a restart repeats calls of earlier iterations if their procedure has execute blocks")
                    .label(maker.directive.span, "a restart repeats only the last run of this block")
                    .help("capture in the block what differs between the iterations of the loop, or set the pointer outside of execute blocks"),
            )
        });
        called.collect()
    }

    /// Whether a procedure whose address is taken has an execute block or a register, or is in another file.
    fn may_be_repeated_through_pointers(&self, directives: &[BoundDirective]) -> bool {
        self.address_taken_functions.iter().any(|&function| {
            let own = self.procedures.iter().position(|procedure| procedure.symbol == function);
            own.is_none_or(|own| directives.iter().any(|directive| directive.procedure.0 as usize == own))
        })
    }

    fn executed<'d>(
        &self,
        directives: &'d [BoundDirective],
        directive: &'d BoundDirective,
        registered: &BTreeSet<SymbolId>,
    ) -> Option<ExecuteBlock<'d>> {
        let DirectiveKind::Execute { captures, end, .. } = &directive.kind else { return None };
        let range = Range { start: directive.before, end: directives.get(end.0 as usize)?.before };
        let within = range.start..range.end;
        let assigned = self.assigned.iter().filter(|(_, at)| within.contains(at)).map(|(symbol, _)| *symbol);
        let addressed = within
            .clone()
            .filter(|at| *at > range.start && self.word(at - 1) == "&")
            .filter_map(|at| self.variable(at));
        let made: BTreeSet<SymbolId> = assigned.chain(addressed).collect();
        let mut needed: BTreeSet<SymbolId> = within.filter_map(|at| self.variable(at)).collect();
        let captured: BTreeSet<SymbolId> = captures.iter().map(|capture| capture.root).collect();
        needed.retain(|symbol| ![&made, registered, &captured].iter().any(|known| known.contains(symbol)));
        Some(ExecuteBlock { directive, captures, range, made, needed })
    }

    /// The variable that a token names.
    fn variable(&self, at: u32) -> Option<SymbolId> {
        let token = self.preprocessed.tokens.get(at as usize)?;
        let is_member = at > 0 && matches!(self.word(at - 1), "." | "->");
        if token.kind != TokenKind::Identifier || is_member {
            return None;
        }
        self.resolve_at(token.text, at).filter(|id| self.symbol(*id).kind == SymbolKind::Variable)
    }

    fn word(&self, at: u32) -> &str {
        self.preprocessed.tokens.get(at as usize).map_or("", |token| self.text(token.text))
    }

    fn late(&self, maker: &ExecuteBlock, user: &ExecuteBlock, symbol: SymbolId) -> Diagnostic {
        let name = self.text(self.symbol(symbol).name);
        let missing = user.keys().difference(&maker.keys()).copied().collect::<Vec<_>>().join(", ");
        Diagnostic::warning("C0449", maker.directive.span, format!("a restart sets `{name}` after most runs of a block that needs it"))
            .because(format!("of several runs with equal captures, a restart repeats only the last; the captures of the other block differ in `{missing}`"))
            .label(user.directive.span, format!("this block needs `{name}`"))
            .help(format!("capture `{missing}` here too, or set `{name}` in the block that needs it, or before the loop"))
    }
}

fn registered(directive: &BoundDirective) -> impl Iterator<Item = SymbolId> + '_ {
    let items = match &directive.kind {
        DirectiveKind::Register(items) => &items[..],
        _ => &[],
    };
    items.iter().map(|item| item.root)
}
