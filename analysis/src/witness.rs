//! Finds where memory is read after a checkpoint, and where it was written before.
//!
//! Input: summaries and a point of the program. Output: the nearest operation, with the calls that lead to it.

use std::collections::VecDeque;

use crate::live::Instrumented;
use crate::points_to::Target;
use crate::problems::Effect;
use crate::program::{BlockId, OperationKind, ProcedureId, Site};
use crate::sets::Range;
use crate::solver::Graph;
use crate::summary::Summaries;

/// The calls from the procedure of the point to the operation, and the operation itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Witness {
    pub calls: Vec<Site>,
    pub site: Site,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Search {
    /// The first read after the point.
    Read,
    /// The last write before it that a restart does not perform.
    Write,
}

/// The maximum depth to which calls are followed.
const DEPTH: usize = 24;

pub fn find(
    summaries: &Summaries,
    instrumented: &Instrumented,
    from: Site,
    range: Range,
    search: Search,
) -> Option<Witness> {
    let mut seen = std::collections::BTreeSet::new();
    let mut points = VecDeque::from([from]);
    while let Some(point) = points.pop_front() {
        if let Some(site) = within(summaries, instrumented, point, range, search) {
            let mut calls = Vec::new();
            let site = descend(summaries, site, range, search, &mut calls, DEPTH);
            return Some(Witness { calls, site });
        }
        for &caller in &summaries.places.calls.callers[point.procedure.0 as usize] {
            if instrumented.contains_key(&caller.procedure) && seen.insert(caller) {
                points.push_back(caller);
            }
        }
    }
    None
}

fn hits(effect: &Effect, range: Range, search: Search) -> bool {
    match search {
        Search::Read => effect.reads.overlaps(range),
        Search::Write => effect.lost.overlaps(range),
    }
}

/// The nearest operation of the same procedure.
fn within(
    summaries: &Summaries,
    instrumented: &Instrumented,
    from: Site,
    range: Range,
    search: Search,
) -> Option<Site> {
    let effects = instrumented.get(&from.procedure)?;
    let graph = Graph::new(summaries.procedure(from.procedure));
    let site = |block: BlockId, operation: usize| Site {
        procedure: from.procedure,
        block,
        operation: operation as u32,
    };
    let scan = |block: BlockId, first: usize, end: usize| -> Option<Site> {
        let mut operations = first..end;
        let hit = |&at: &usize| concrete_hits(summaries, &effects[block.0 as usize][at], range, search);
        let found = match search {
            Search::Read => operations.find(hit),
            Search::Write => operations.rev().find(hit),
        };
        found.map(|at| site(block, at))
    };
    let (at, count) = (from.operation as usize, effects[from.block.0 as usize].len());
    let (near, far) = match search {
        Search::Read => ((at + 1, count), (0, at + 1)),
        Search::Write => ((0, at), (at, count)),
    };
    if let Some(found) = scan(from.block, near.0, near.1) {
        return Some(found);
    }
    let mut seen = vec![false; effects.len()];
    let mut queue = VecDeque::from([from.block]);
    while let Some(block) = queue.pop_front() {
        let next = match search {
            Search::Read => &graph.successors[block.0 as usize],
            Search::Write => &graph.predecessors[block.0 as usize],
        };
        for &next in next {
            if std::mem::replace(&mut seen[next.0 as usize], true) {
                continue;
            }
            let (first, end) = if next == from.block { far } else { (0, effects[next.0 as usize].len()) };
            if let Some(found) = scan(next, first, end) {
                return Some(found);
            }
            queue.push_back(next);
        }
    }
    None
}

/// The same, where a parameter of the procedure may refer to the memory.
fn concrete_hits(summaries: &Summaries, effect: &Effect, range: Range, search: Search) -> bool {
    let bytes = match search {
        Search::Read => &effect.reads,
        Search::Write => &effect.lost,
    };
    hits(effect, range, search) || summaries.places.concretize(bytes).overlaps(range)
}

/// Follows calls to the operation that reads or writes.
fn descend(
    summaries: &Summaries,
    site: Site,
    range: Range,
    search: Search,
    calls: &mut Vec<Site>,
    depth: usize,
) -> Site {
    let block = &summaries.procedure(site.procedure).blocks[site.block.0 as usize];
    if !matches!(block.operations[site.operation as usize].kind, OperationKind::Call(_)) || depth == 0 {
        return site;
    }
    for target in summaries.places.calls.targets(site) {
        let Target::Procedure(id) = target else { continue };
        if calls.iter().any(|call| call.procedure == *id) {
            continue;
        }
        if let Some(inner) = first_in(summaries, *id, range, search) {
            calls.push(site);
            return descend(summaries, inner, range, search, calls, depth - 1);
        }
    }
    site
}

fn first_in(summaries: &Summaries, id: ProcedureId, range: Range, search: Search) -> Option<Site> {
    let effects = summaries.effects_of(id);
    let graph = Graph::new(summaries.procedure(id));
    let mut order: Vec<BlockId> = graph.postorder.iter().rev().copied().collect();
    if search == Search::Write {
        order.reverse();
    }
    for block in order {
        let effects = &effects[block.0 as usize];
        let mut operations = 0..effects.len();
        let hit = |&at: &usize| concrete_hits(summaries, &effects[at], range, search);
        let found = match search {
            Search::Read => operations.find(hit),
            Search::Write => operations.rev().find(hit),
        };
        if let Some(at) = found {
            return Some(Site { procedure: id, block, operation: at as u32 });
        }
    }
    None
}
