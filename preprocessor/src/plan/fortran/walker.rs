//! The state of walking one procedure: levels, marks, hops, changes.
//!
//! Input: blocks, in the order of the text.
//! Output: for each level, a hop with the targets of its blocks.
//! Postcondition: the target of a block at a level is its own label if the block is at this level. Otherwise
//! it is the label of the header through which the block is entered.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use cppc_source::{Diagnostic, Span};

use super::rules::FortranRules;
use super::{Change, Clause, Hop, HopId, Mark, Position, Terminal, TerminalId};
use crate::model::structured::{Layout, StatementLabel};
use crate::model::{
    DirectiveKind, Expression, Item, Pattern, Procedure, Program, Statement, StatementId, StatementKind,
    TypeCode, VariableId,
};
use crate::plan::builder::PlanBuilder;
use crate::plan::reach::Reach;
use crate::plan::{Fragment, Hole, Role, SavedMemberId};

pub(super) struct Walker<'a> {
    pub builder: PlanBuilder<'a>,
    pub layout: &'a Layout,
    /// The statements that contain blocks.
    holding: BTreeSet<StatementId>,
    pub changes: Vec<Change>,
    levels: Vec<Level>,
    pub hops: Vec<Hop>,
    /// For each hop, the byte at which the first statement of its body begins.
    pub bodies: BTreeMap<HopId, u32>,
    marks: usize,
    pub terminals: Vec<Terminal>,
    pub loops: Vec<OpenLoop>,
    /// The targets of the jumps at block ends: the start of the procedure, or a hop after the declarations of
    /// a scope.
    pub dispatch: Vec<Mark>,
    /// The next cell that is free for a loop.
    pub next_cell: u32,
    pub alternate: Option<SavedMemberId>,
    /// Items that may have been registered in place here, and at which byte.
    pub in_place: Vec<(Arc<Item>, u32)>,
    /// Other names for the variables that the open scopes hide.
    pub aliases: Vec<Alias>,
    pub alias_count: u32,
}

/// A variable outside of a scope that declares another one with the same name.
#[derive(Debug, Clone)]
pub struct Alias {
    pub number: u32,
    /// In lower case.
    pub name: String,
    pub outer: Option<VariableId>,
}

struct Level {
    /// The label of the header through which this level is entered.
    header: Mark,
    hop: HopId,
    targets: BTreeMap<u32, Mark>,
}

/// A loop around the current position.
pub(super) struct OpenLoop {
    pub terminal: Option<TerminalId>,
    /// Set for a counted loop.
    pub counted: Option<OpenCount>,
}

#[derive(Clone)]
pub(super) struct OpenCount {
    pub name: String,
    pub variable: Span,
    pub cell: u32,
    pub code: TypeCode,
}

impl<'a> Walker<'a> {
    pub fn new(
        program: &'a Program,
        reach: &'a Reach,
        procedure: &'a Procedure,
        layout: &'a Layout,
        in_place: &BTreeSet<VariableId>,
    ) -> Walker<'a> {
        let builder =
            PlanBuilder::new(program, reach, procedure, &FortranRules, layout.execution_at, in_place);
        let cells = builder.slots.len() as u32;
        let top = Mark(0);
        let mut walker = Walker {
            builder,
            layout,
            holding: BTreeSet::new(),
            changes: Vec::new(),
            levels: vec![Level { header: top, hop: HopId(0), targets: BTreeMap::new() }],
            hops: vec![Hop::default()],
            bodies: BTreeMap::new(),
            marks: 1,
            terminals: Vec::new(),
            loops: Vec::new(),
            dispatch: vec![top],
            next_cell: cells + 1,
            alternate: None,
            in_place: Vec::new(),
            aliases: Vec::new(),
            alias_count: 0,
        };
        for statement in &procedure.body.items {
            walker.note_holding(statement);
        }
        walker.gather_in_place();
        walker
    }

    fn note_holding(&mut self, statement: &Statement) -> bool {
        let mut holds = match &statement.kind {
            StatementKind::Directive(directive) => {
                !matches!(directive.kind, DirectiveKind::Shutdown | DirectiveKind::Unregister(_))
            }
            _ => statement.expressions().into_iter().any(|expression| self.builder.leads(expression)),
        };
        for child in statement.children() {
            holds |= self.note_holding(child);
        }
        if holds {
            self.holding.insert(statement.id);
        }
        holds
    }

    /// Whether a statement contains a block.
    pub fn holds(&self, statement: &Statement) -> bool {
        self.holding.contains(&statement.id)
    }

    pub fn any_holds(&self, items: &[Statement]) -> bool {
        items.iter().any(|item| self.holds(item))
    }

    pub fn leads(&self, expression: &Expression) -> bool {
        self.builder.leads(expression)
    }

    pub fn new_mark(&mut self) -> Mark {
        self.marks += 1;
        Mark(self.marks - 1)
    }

    pub fn marks(&self) -> usize {
        self.marks
    }

    /// Enters a construct whose header has a label. The caller places the hop after the header.
    pub fn enter(&mut self, header: Mark) -> HopId {
        self.hops.push(Hop::default());
        let hop = HopId(self.hops.len() - 1);
        self.levels.push(Level { header, hop, targets: BTreeMap::new() });
        hop
    }

    /// Records where the body of the construct that was entered last begins.
    pub fn begin_body(&mut self, items: &[Statement]) {
        let Some((level, first)) = self.levels.last().zip(items.first()) else { return };
        let start = match &first.kind {
            StatementKind::Directive(directive) => Some(directive.span.start),
            StatementKind::Construct(construct) => construct.parts.first().map(|part| part.header.start),
            StatementKind::Block { .. }
            | StatementKind::Expression(_)
            | StatementKind::Return(_)
            | StatementKind::If { .. }
            | StatementKind::Switch { .. }
            | StatementKind::Loop(_)
            | StatementKind::Declaration(_)
            | StatementKind::Labelled { .. }
            | StatementKind::Continue
            | StatementKind::Guarded { .. }
            | StatementKind::CallWithReturns { .. }
            | StatementKind::Break
            | StatementKind::Jump
            | StatementKind::JumpTo(_)
            | StatementKind::Opaque => first.place.map(|place| place.start),
        };
        self.bodies.extend(start.map(|start| (level.hop, start)));
    }

    pub fn leave(&mut self) {
        if let Some(level) = self.levels.pop() {
            self.complete(level);
        }
    }

    /// Completes the hop at the start of the procedure. Its targets include the exit.
    pub fn close(&mut self, exit: Mark) {
        let blocks = self.builder.blocks.len() as u32;
        if let Some(top) = self.levels.first_mut() {
            top.targets.insert(blocks + 1, exit);
            // Nothing ever jumps to `init`.
            for block in 1..=blocks {
                top.targets.entry(block).or_insert(exit);
            }
        }
        self.leave();
    }

    fn complete(&mut self, level: Level) {
        let Some((&first, _)) = level.targets.first_key_value() else { return };
        let mut targets = Vec::new();
        for (&block, &mark) in &level.targets {
            // Blocks between that nothing jumps to.
            while targets.len() < (block - first) as usize {
                targets.push(mark);
            }
            targets.push(mark);
        }
        self.hops[level.hop.0] = Hop { first, targets };
    }

    /// Records the label of a block.
    pub fn place_block(&mut self, block: u32, mark: Mark) {
        let headers: Vec<Mark> = self.levels.iter().skip(1).map(|level| level.header).collect();
        for (index, level) in self.levels.iter_mut().enumerate() {
            level.targets.insert(block, headers.get(index).copied().unwrap_or(mark));
        }
    }

    /// Where the end of a block jumps to.
    pub fn onward(&self) -> Mark {
        self.dispatch.last().copied().unwrap_or(Mark(0))
    }

    pub fn integer(&mut self, role: Role) -> SavedMemberId {
        self.builder.hidden(role, Pattern::FORTRAN_INTEGER)
    }

    pub fn logical(&mut self, role: Role) -> SavedMemberId {
        self.builder.hidden(role, Pattern::FORTRAN_LOGICAL)
    }

    pub fn change(&mut self, at: Span, position: Position, clauses: Vec<Clause>) {
        if !clauses.is_empty() {
            self.changes.push(Change { at, position, clauses });
        }
    }

    /// Replaces a statement by others. Its label moves to the first of them. If it ends loops, they get
    /// another end.
    pub fn replace(&mut self, statement: &Statement, note: bool, clauses: Vec<Clause>) {
        let Some(span) = self.place(statement) else { return };
        let mut all = Vec::new();
        if note {
            all.push(Clause::Note(span));
        }
        all.extend(statement.label.map(|label| Clause::Label(label.value)));
        all.extend(clauses);
        all.extend(self.new_terminal(statement.label));
        self.change(span, Position::Instead, all);
    }

    /// A new end for the loops that end with this label.
    fn new_terminal(&mut self, label: Option<StatementLabel>) -> Vec<Clause> {
        let Some(label) = label else { return Vec::new() };
        let open = self.loops.iter().filter_map(|open| open.terminal);
        let ended = open.filter(|id| self.terminals[id.0].label == label.value);
        let ended: Vec<TerminalId> = ended.collect();
        if ended.is_empty() {
            return Vec::new();
        }
        let mark = self.new_mark();
        for id in ended {
            self.terminals[id.0].moved = Some(mark);
        }
        vec![Clause::Mark(mark), Clause::Nothing]
    }

    /// The bytes of a statement that has to be rewritten.
    pub fn place(&mut self, statement: &Statement) -> Option<Span> {
        if statement.place.is_none() {
            self.refuse_text(statement.anchor);
        }
        statement.place
    }

    /// The text of a statement is in another file.
    pub fn refuse_text(&mut self, anchor: Span) {
        let (because, help) = self.builder.out_of_reach(anchor, None);
        let message = "this statement must be rewritten, but its text cannot be changed";
        let refused = Diagnostic::error("C0502", anchor, message);
        self.builder.diagnostics.push(refused.because(because).help(help));
    }

    /// The text of an expression, with the holes that are inside of it.
    pub fn fragment(&mut self, expression: &Expression, holes: &[Hole]) -> Option<Fragment> {
        let inside = |hole: &&Hole| expression.place.is_some_and(|place| place.contains(hole.span));
        let own = holes.iter().filter(inside).cloned().collect();
        self.builder.fragment(expression, own)
    }
}
