//! Initialisers that a restart jumps over.
//!
//! Input: an instrumented procedure.
//! Output: a warning for each variable that is set in its declaration, and that a restart reads although it
//! has neither restored nor set it.
//! Postcondition: the program is unchanged.
//!
//! | code | what |
//! |---|---|
//! | C0522 | warning: a restart jumps over an initialiser, and reads the variable |

use std::collections::{BTreeMap, BTreeSet};

use cppc_analysis::program::BlockId;
use cppc_analysis::sets::NumberSet;
use cppc_analysis::solver::{solve_graph, Direction, Graph, Problem};
use cppc_source::{Diagnostic, Span};

use super::constants::Jumps;
use super::flow::{flow, Branch, Event, FlowBlock, Parts};
use crate::model::{Callee, Procedure, ProcedureId, Program, Usage, VariableId};
use crate::plan::reach::Reach;

const CONTINUES: &str = "a restart continues here";
/// The label of a call in which a restart continues and which may set the variable after that. The analyses decide.
pub const MAY_BE_SET: &str = "a restart continues in this call, which gets its address";

/// Warnings for one procedure.
pub(super) fn warn(program: &Program, reach: &Reach, id: ProcedureId) -> Vec<Diagnostic> {
    let procedure = &program.procedures[id.0];
    let Some(body) = procedure.body.place.filter(|_| !procedure.mentions.is_empty()) else {
        return Vec::new();
    };
    let leads = |callee: &Callee| reach.may_lead_to_checkpoint(procedure.unit, callee);
    let (blocks, parts) = flow(procedure, &leads);
    let jumped = JumpedOver { procedure, blocks, parts, from: Jumps::of(reach, procedure, body).from };
    let successors = jumped.blocks.iter().map(|block| block.next.clone()).collect();
    let solution = solve_graph(&Graph::of(successors, std::iter::once(BlockId(0))), &jumped);
    let mut reads: BTreeMap<VariableId, BTreeSet<Span>> = BTreeMap::new();
    for (at, state) in solution.entering.into_iter().enumerate() {
        let Some(mut state) = state else { continue };
        for event in &jumped.blocks[at].events {
            if let Event::Read { variable, span } = event {
                if state.lost.contains(variable.0 as u32) {
                    reads.entry(*variable).or_default().insert(*span);
                }
            }
            jumped.apply(event, &mut state);
        }
    }
    let first = |(variable, reads): (VariableId, BTreeSet<Span>)| {
        reads.into_iter().find_map(|read| jumped.warning(variable, read))
    };
    reads.into_iter().filter_map(first).collect()
}

struct JumpedOver<'a> {
    procedure: &'a Procedure,
    blocks: Vec<FlowBlock>,
    parts: Parts,
    /// Declarations before this byte are executed again in a restart.
    from: u32,
}

/// The state of the variables on some path to a point of the procedure.
#[derive(Clone, Default)]
struct State {
    /// Variables whose declarations have been executed.
    declared: NumberSet,
    /// Those that a restart sets, because they are registered, or set in an execute block.
    restored: NumberSet,
    /// Those that have no value, because a restart has jumped over their declarations.
    lost: NumberSet,
    /// `lost` outside of the present execute block.
    outside: NumberSet,
    is_replayed: bool,
}

impl State {
    /// A restart begins to execute statements.
    fn lose(&mut self, spared: &[VariableId]) {
        for variable in self.declared.iter() {
            let is_spared = spared.iter().any(|spared| spared.0 as u32 == variable);
            if !is_spared && !self.restored.contains(variable) {
                self.lost.insert(variable);
            }
        }
    }

    fn set(&mut self, variable: VariableId) {
        let variable = variable.0 as u32;
        self.lost.remove(variable);
        if self.is_replayed {
            self.outside.remove(variable);
            self.restored.insert(variable);
        }
    }
}

impl JumpedOver<'_> {
    fn apply(&self, event: &Event, state: &mut State) {
        match event {
            Event::Initialised { variable, name_span } => {
                state.set(*variable);
                state.outside.remove(variable.0 as u32);
                if name_span.start >= self.from && !state.is_replayed {
                    state.declared.insert(variable.0 as u32);
                    state.restored.remove(variable.0 as u32);
                }
            }
            Event::Set(variable) => state.set(*variable),
            Event::Continued(_) => state.lose(&[]),
            Event::Registered(variable) => {
                state.restored.insert(variable.0 as u32);
            }
            Event::Unregistered(variable) => state.restored.remove(variable.0 as u32),
            Event::Replayed { captures, .. } => {
                state.outside = state.lost.clone();
                state.is_replayed = true;
                state.lose(captures);
                for variable in captures {
                    state.set(*variable);
                }
            }
            Event::ReplayEnds => {
                state.lost = std::mem::take(&mut state.outside);
                state.is_replayed = false;
            }
            Event::Read { .. } => {}
        }
    }

    /// The warning about a read that a restart comes to, unless that seems to be impossible.
    fn warning(&self, variable: VariableId, read: Span) -> Option<Diagnostic> {
        let events = || self.blocks.iter().flat_map(|block| &block.events);
        let declared = events().find_map(|event| match event {
            Event::Initialised { variable: found, name_span } if *found == variable => Some(*name_span),
            _ => None,
        })?;
        let found = self.procedure.variable(variable);
        let is_inside = |span: Span| declared.start < span.start && span.start < found.scope.end;
        let places = events().filter_map(|event| match event {
            Event::Continued(span) => Some((*span, CONTINUES)),
            Event::Replayed { span, .. } => Some((*span, "a restart executes this block again")),
            _ => None,
        });
        // In a later iteration of a loop, the conditions may have other values.
        let comes_again = |span: Span| {
            let mut loops = self.parts.loops.iter().filter(|l| l.start > declared.start);
            loops.any(|l| l.contains(span) && l.contains(read))
        };
        let possible = places
            .filter(|(span, _)| is_inside(*span) && (comes_again(*span) || !self.excludes(*span, read)));
        // The last one before the read, or the first one after it in a loop.
        let (enters, how) =
            possible.min_by_key(|(span, _)| (span.start > read.start, read.start.abs_diff(span.start)))?;
        let how = if how == CONTINUES && self.may_set(enters, variable) { MAY_BE_SET } else { how };
        let name = &found.name;
        let message = format!("a restart jumps over the initialiser of `{name}`");
        Some(
            Diagnostic::warning("C0522", declared, message)
                .because("it is declared here, and nothing restores its value")
                .label(enters, how)
                .label(read, "its value is needed here")
                .help(format!("register `{name}`, or set it again before its value is needed")),
        )
    }

    /// Whether a call gets the address of a variable.
    fn may_set(&self, call: Span, variable: VariableId) -> bool {
        let mut mentions = self.procedure.mentions.iter();
        mentions.any(|one| one.variable == variable && one.usage == Usage::Set && call.contains(one.span))
    }

    /// Whether two places are in branches of different `if` statements that probably exclude each other: their conditions
    /// have a name in common.
    fn excludes(&self, one: Span, other: Span) -> bool {
        let names = |of: Span, but: Span| {
            let alone = move |branch: &&Branch| branch.text.contains(of) && !branch.text.contains(but);
            let conditions = self.parts.branches.iter().filter(alone).map(|branch| branch.condition);
            let known =
                |condition: Span| self.procedure.conditions.iter().filter(move |known| known.0 == condition);
            conditions.flat_map(known).flat_map(|known| known.1.iter().copied()).collect::<BTreeSet<u32>>()
        };
        !names(one, other).is_disjoint(&names(other, one))
    }
}

impl Problem for JumpedOver<'_> {
    type State = State;
    const DIRECTION: Direction = Direction::Forward;

    fn boundary(&self, block: BlockId) -> Option<State> {
        (block.0 == 0).then(State::default)
    }

    fn transfer(&self, block: BlockId, state: &State) -> State {
        let mut state = state.clone();
        for event in &self.blocks[block.0 as usize].events {
            self.apply(event, &mut state);
        }
        state
    }

    fn join(&self, state: &mut State, other: &State) -> bool {
        let mut changed = !state.declared.add(&other.declared).is_empty();
        changed |= !state.restored.add(&other.restored).is_empty();
        changed |= !state.lost.add(&other.lost).is_empty();
        changed |= !state.outside.add(&other.outside).is_empty();
        changed |= other.is_replayed && !std::mem::replace(&mut state.is_replayed, other.is_replayed);
        changed
    }
}
