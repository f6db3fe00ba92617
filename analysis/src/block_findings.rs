//! What the check reports about execute blocks.
//!
//! Input: the analyses of a program.
//! Output: findings about blocks that read other values in a restart.

use std::collections::{BTreeMap, BTreeSet};

use crate::accesses::accesses;
use crate::check::{Analysis, Finding, FindingKind};
use crate::held::Held;
use crate::needs::kept_loops;
use crate::points_to::{MemoryKind, Target};
use crate::problems::{Composed, Effect, Exposed};
use crate::program::{
    Argument, Block, Content, Directive, Item, OperationKind, Procedure, ProcedureId, Site, Value, VariableId,
};
use crate::registered::{graph_of, targets_of};
use crate::replaced_runs::{operations_of, ReplacedRuns};
use crate::replays::Replays;
use crate::restored::Point;
use crate::sets::{Bytes, Memory, Range, END};
use crate::solver::solve;
use crate::spot::AccessRange;
use crate::summary::add;
use crate::unequal_runs::unequal_runs;
use crate::witness::Witness;

/// The variable that contains memory, or the memory.
type Owner = (Memory, Option<VariableId>, Option<u64>);

/// An execute block, and what may have other values when a restart runs it again.
struct HeapReads<'a> {
    site: Site,
    reads: &'a Bytes,
    /// Changed between the block and a checkpoint.
    later: &'a Bytes,
    /// Set outside of execute blocks before.
    lost: &'a Bytes,
    /// Reported pointers.
    known: &'a Bytes,
}

impl Analysis<'_> {
    pub(crate) fn check_blocks(&self, findings: &mut Vec<Finding>) {
        self.check_block_reads(true, findings);
    }

    /// `all`: also what runs of other blocks have set.
    fn check_block_reads(&self, all: bool, findings: &mut Vec<Finding>) {
        let mut sites: BTreeMap<Site, (&Point, &Vec<Item>)> = BTreeMap::new();
        for (&site, point) in &self.restored.points {
            if let Some(Directive::BeginExecute { captures, .. }) = self.operation(site).directive() {
                sites.insert(site, (point, captures));
            }
        }
        let mut replays = Replays::new(&self.summaries, &self.instrumented);
        let mut seen = BTreeSet::new();
        for (&site, &(point, captures)) in &sites {
            let mut reads = self.block_reads(site);
            for capture in captures {
                let places = self.summaries.places.resolve(&capture.memory, &mut Vec::new());
                places.iter().for_each(|place| reads.remove(place.range));
                // The block reads the captured value, and not the memory to which the dummy argument refers.
                let root = &self.summaries.places.program.variables[capture.memory.root.0 as usize];
                if let Content::Reference { .. } = root.content {
                    reads.remove_memory(root.object.into());
                }
            }
            let registered = point.registered.all().bytes;
            let Some(later) = replays.changed_after(site, captures) else { continue };
            let kept = kept_loops(&self.summaries, site);
            let mut known = Bytes::default();
            let lost = self.summaries.places.concretize(&point.lost);
            // A register delivers a later value, also of memory that the program had not changed before.
            let mut other = registered.intersect(&later);
            other.add(&lost);
            for range in self.summaries.places.concretize(&reads).intersect(&other).iter() {
                let own = *self.summaries.places.points.kind(range.memory) == MemoryKind::Object
                    && self.declared(range.memory);
                let stale = !registered.covers(range)
                    || replays.is_gone(range)
                    || (later.overlaps(range) && !kept.covers(range));
                if own && stale {
                    known.insert(range);
                }
                if own && stale && seen.insert((site, self.owner(range))) {
                    findings.push(self.finding(FindingKind::BlockReads, site, range));
                }
            }
            let heap = HeapReads { site, reads: &reads, later: &later, lost: &lost, known: &known };
            for found in self.heap_reads(&heap, &point.registered.all()) {
                if found.memory.is_some_and(|range| seen.insert((site, self.owner(range)))) {
                    findings.push(found);
                }
            }
        }
        if all && !sites.is_empty() {
            self.check_replaced_runs(&replays, &sites, &mut seen, findings);
        }
    }

    /// Heap memory that a block reads, and that a restart has not saved, or saved with later values.
    fn heap_reads(&self, block: &HeapReads, held: &Held) -> Vec<Finding> {
        let places = &self.summaries.places;
        let is_heap = |range: &Range| matches!(places.points.kind(range.memory), MemoryKind::Heap(_));
        let mut heap = places.concretize(block.reads).iter().filter(is_heap).collect::<Vec<_>>();
        if heap.is_empty() {
            return Vec::new();
        }
        let saved = self.saved_memory(held);
        // The report of a pointer says to copy what it points to.
        let known = targets_of(&self.summaries, &Held { slots: block.known.clone(), ..Held::default() });
        heap.retain(|range| {
            let (is_saved, is_lost) = (saved.contains(&range.memory), block.lost.overlaps(*range));
            let is_stale = match block.later.overlaps(*range) {
                true => is_saved || is_lost,
                false => is_lost && !is_saved,
            };
            is_stale && !known.contains(&range.memory) && !self.allocates(block.site, range.memory)
        });
        let finding = |range: Range| {
            let found = self.finding(FindingKind::BlockReads, block.site, range);
            let read = found.read.as_ref()?.site;
            match self.text_of_heap(read, range) {
                Some(text) => Some(Finding { text, ..found }),
                // A procedure that a library may call later: `MPI_Op_create`.
                None if self.operation(read).call().is_some() => None,
                None => Some(found),
            }
        };
        heap.into_iter().filter_map(finding).collect()
    }

    /// Whether the block itself allocates the heap memory.
    fn allocates(&self, begin: Site, memory: Memory) -> bool {
        let places = &self.summaries.places;
        let MemoryKind::Heap(allocation) = *places.points.kind(memory) else { return false };
        let mut waiting = operations_of(&self.summaries, begin);
        let mut seen = BTreeSet::new();
        while let Some(site) = waiting.pop() {
            if site == allocation {
                return true;
            }
            for target in places.calls.targets(site) {
                let Target::Procedure(id) = target else { continue };
                if seen.insert(*id) {
                    waiting.extend(self.summaries.procedure(*id).operations(*id).map(|(site, _)| site));
                }
            }
        }
        false
    }

    /// Blocks that take over what a run of a block has set that a restart does not repeat.
    fn check_replaced_runs(
        &self,
        replays: &Replays,
        sites: &BTreeMap<Site, (&Point, &Vec<Item>)>,
        seen: &mut BTreeSet<(Site, Owner)>,
        findings: &mut Vec<Finding>,
    ) {
        let runs = ReplacedRuns::new(&self.summaries, replays);
        let procedures: BTreeSet<ProcedureId> = sites.keys().map(|site| site.procedure).collect();
        let ids: Vec<ProcedureId> = procedures.iter().copied().collect();
        for unequal in unequal_runs(&self.summaries, &runs, &ids) {
            if sites.contains_key(&unequal.begin) {
                let found = self.finding(FindingKind::UnequalRuns, unequal.begin, unequal.memory);
                let read = Some(Witness { calls: Vec::new(), site: unequal.call });
                findings.push(Finding { text: unequal.text, read, ..found });
            }
        }
        for id in procedures {
            let blocks = runs.blocks_of(id);
            for pair in runs.replaced(id, &blocks) {
                let begin = blocks[pair.reader].operations[0];
                let Some((point, _)) = sites.get(&begin) else { continue };
                // A register delivers the right value at the end of the restart.
                let is_registered = point.registered.all().bytes.covers(pair.memory);
                let is_heap =
                    matches!(self.summaries.places.points.kind(pair.memory.memory), MemoryKind::Heap(_));
                let is_named = is_heap || self.declared(pair.memory.memory);
                if is_registered || !is_named || !seen.insert((begin, self.owner(pair.memory))) {
                    continue;
                }
                let found = self.finding(FindingKind::BlockNeedsEarlierRun, begin, pair.memory);
                let sets = |site: &&Site| {
                    let effects = &self.summaries.effects_of(site.procedure)[site.block.0 as usize];
                    let writes = &effects[site.operation as usize].writes;
                    self.summaries.places.concretize(writes).overlaps(pair.memory)
                };
                let written = blocks[pair.writer].operations.iter().find(sets);
                let written = written.map(|site| Witness { calls: Vec::new(), site: *site });
                findings.push(Finding { written, ..found });
            }
        }
    }

    /// The text with which an operation reads heap memory.
    fn text_of_heap(&self, site: Site, range: Range) -> Option<String> {
        let places = &self.summaries.places;
        let is_in = |found: Vec<AccessRange>| {
            let mut bytes = Bytes::default();
            add(&mut bytes, &found);
            places.concretize(&bytes).overlaps(range)
        };
        let kind = &self.operation(site).kind;
        let mut text = None;
        accesses(kind, &mut |access| {
            if text.is_none() && is_in(places.resolve(access, &mut Vec::new())) {
                text = Some(access.text.clone());
            }
        });
        let OperationKind::Call(call) = kind else { return text };
        text.or_else(|| {
            call.arguments.iter().find_map(|argument| match argument {
                Argument::Value(Value::Copy(pointer)) if is_in(places.behind_argument(argument, 0, END)) => {
                    Some(format!("*{}", pointer.text))
                }
                _ => None,
            })
        })
    }

    /// What execute blocks read that may have another value in a restart.
    pub fn block_reads_that_differ(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        self.check_block_reads(false, &mut findings);
        findings
    }

    /// The heap memory that registers save.
    fn saved_memory(&self, held: &Held) -> BTreeSet<Memory> {
        let mut saved = targets_of(&self.summaries, held);
        saved.extend(graph_of(&self.summaries, &held.roots));
        saved
    }

    /// The memory that an execute block reads before it writes it. Statements after which the end of the block cannot be reached
    /// do not count, such as those at the label of `ERR=`: a run that gets there has left the block, and is not replayed.
    fn block_reads(&self, begin: Site) -> Bytes {
        let procedure = self.summaries.procedure(begin.procedure);
        let mut effects = (*self.instrumented[&begin.procedure]).clone();
        for (site, operation) in procedure.operations(begin.procedure) {
            if let Some(Directive::EndExecute) = operation.directive() {
                effects[site.block.0 as usize][site.operation as usize].ends = true;
            }
        }
        let mut blocks: Vec<_> = effects.iter().map(|effects| Composed::new(effects)).collect();
        for (block, ends) in blocks.iter_mut().zip(reaches_end(procedure)) {
            if !ends {
                *block = Composed::new(&[Effect { ends: true, ..Effect::default() }]);
            }
        }
        let after = Bytes::default();
        let problem = Exposed { procedure, blocks: &blocks, after: &after };
        let at = begin.block.0 as usize;
        let mut live = solve(procedure, &problem).entering[at].clone().unwrap_or_default();
        for effect in effects[at][begin.operation as usize + 1..].iter().rev() {
            effect.before(&mut live);
        }
        live
    }
}

/// For each block of the flow graph, whether control inside of an execute block that comes to its start may reach the end of the
/// execute block.
fn reaches_end(procedure: &Procedure) -> Vec<bool> {
    let first = |block: &Block| {
        block.operations.iter().find_map(|operation| match operation.directive() {
            Some(Directive::EndExecute) => Some(true),
            // Another run.
            Some(Directive::BeginExecute { .. }) => Some(false),
            _ => None,
        })
    };
    let firsts: Vec<Option<bool>> = procedure.blocks.iter().map(first).collect();
    let mut reaches: Vec<bool> = firsts.iter().map(|first| *first == Some(true)).collect();
    loop {
        let mut has_changed = false;
        for (at, block) in procedure.blocks.iter().enumerate() {
            if reaches[at] || firsts[at].is_some() {
                continue;
            }
            let next = block.terminator.successors(procedure.blocks.len());
            if next.into_iter().any(|next| reaches[next.0 as usize]) {
                reaches[at] = true;
                has_changed = true;
            }
        }
        if !has_changed {
            return reaches;
        }
    }
}
