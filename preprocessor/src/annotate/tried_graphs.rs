//! Which memory is saved in graphs, from one pass over the program to the next.
//!
//! Input: the memory that the directives of a pass do not save, and the roots that the translation refused.
//! Output: the memory that the next pass saves in graphs.
//! Postcondition: the memory in graphs grows until nothing changes. Graphs are kept only if they save more than single registers.

use std::collections::BTreeSet;

use super::wanted::{Allocation, GraphChoice};
use super::ROOT;

#[derive(Debug, Default)]
pub struct TriedGraphs {
    state: State,
}

#[derive(Debug, Default)]
enum State {
    /// Only memory that always needs a graph is in one.
    #[default]
    Untried,
    /// The memory of these allocations is saved in graphs too. `before`: how much memory was not saved without that.
    Tried { allocations: BTreeSet<Allocation>, before: usize },
    /// That did not save more.
    Rejected,
}

impl TriedGraphs {
    /// Whether other memory than before is to be saved in graphs.
    pub fn change(&mut self, unsaved: &BTreeSet<Allocation>) -> bool {
        self.state = match &self.state {
            State::Untried if !unsaved.is_empty() => {
                State::Tried { allocations: unsaved.clone(), before: unsaved.len() }
            }
            State::Tried { before, .. } if unsaved.len() >= *before => State::Rejected,
            // A register was refused after the last change.
            State::Tried { allocations, before } if !unsaved.is_subset(allocations) => {
                State::Tried { allocations: allocations | unsaved, before: *before }
            }
            State::Untried | State::Tried { .. } | State::Rejected => return false,
        };
        true
    }

    /// `refused`: the items of registers that the translation refused.
    pub fn choice<'i>(&self, refused: impl Iterator<Item = &'i str>) -> GraphChoice {
        let root = |item: &str| {
            let root = item.strip_prefix(ROOT)?.strip_suffix(')')?;
            let name = root.split(',').next()?;
            // Other fields of the variable may be roots.
            (!name.contains(['.', '['])).then(|| name.to_owned())
        };
        let allocations = match &self.state {
            State::Tried { allocations, .. } => allocations.clone(),
            State::Untried | State::Rejected => BTreeSet::new(),
        };
        let refused_items: BTreeSet<String> = refused.map(str::to_owned).collect();
        let refused = refused_items.iter().filter_map(|item| root(item)).collect();
        GraphChoice { allocations, refused, refused_items }
    }
}
