//! Finds execute blocks that need a run of a block which a restart does not repeat.
//!
//! Input: the blocks of a procedure, each with what it takes over from earlier blocks and what it sets.
//! Output: pairs of blocks. The first one takes over what a run of the second one has set, and a later run of the second one
//! takes the place of this run.
//! Postcondition: without such a pair, each block gets the same values in a restart from the other blocks of the procedure, or
//! another procedure sets them.

use rustc_hash::FxHashSet;

use crate::captured_values::CapturedValues;
use crate::handles::copied;
use crate::instances::Repeats;
use crate::points_to::MemoryKind;
use crate::problems::{Composed, Effect, Exposed};
use crate::program::{
    Argument, BlockId, Call, Callee, Directive, OperationKind, ProcedureId, Site, Terminator, Value,
};
use crate::replays::Replays;
use crate::sets::{Bytes, Range};
use crate::solver::solve;
use crate::summary::{add, Mark, Summaries};

/// Statements that a restart repeats.
#[derive(Debug, Clone)]
pub struct Repeated {
    /// From the first one to the last ones.
    pub operations: Vec<Site>,
    /// What it takes over from earlier statements.
    pub takes: Bytes,
    pub sets: Bytes,
    /// No run takes the place of another one, because each run has other captured values.
    pub is_distinct: bool,
}

/// The numbers of the two blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Replaced {
    pub reader: usize,
    pub writer: usize,
    /// What the reader takes over.
    pub memory: Range,
}

pub struct ReplacedRuns<'a> {
    summaries: &'a Summaries<'a>,
    replays: &'a Replays<'a>,
    repeats: Repeats,
    pub values: CapturedValues<'a>,
}

impl<'a> ReplacedRuns<'a> {
    pub fn new(summaries: &'a Summaries<'a>, replays: &'a Replays<'a>) -> ReplacedRuns<'a> {
        let repeats = Repeats::new(summaries.places.program, &summaries.places.calls);
        ReplacedRuns { summaries, replays, repeats, values: CapturedValues::new(summaries) }
    }

    /// All execute blocks of a procedure.
    pub fn blocks_of(&self, id: ProcedureId) -> Vec<Repeated> {
        let procedure = self.summaries.procedure(id);
        let passed: Vec<Vec<Effect>> = self.passed(id);
        let composed: Vec<_> = passed.iter().map(|effects| Composed::new(effects)).collect();
        let after = Bytes::default();
        let exposed = solve(procedure, &Exposed { procedure, blocks: &composed, after: &after }).entering;
        let mut found = Vec::new();
        for (begin, operation) in procedure.operations(id) {
            let Some(Directive::BeginExecute { captures, has_files, .. }) = operation.directive() else {
                continue;
            };
            let at = begin.block.0 as usize;
            let mut takes = exposed[at].clone().unwrap_or_default();
            for effect in passed[at][begin.operation as usize + 1..].iter().rev() {
                effect.before(&mut takes);
            }
            let operations = operations_of(self.summaries, begin);
            let mut sets = Bytes::default();
            for site in &operations {
                sets.add(&self.summaries.effect_at(*site).writes);
            }
            // At the end of a block in a restart, this memory gets its earlier value.
            for capture in captures {
                let captured = self.summaries.places.resolve(&capture.memory, &mut Vec::new());
                captured.iter().for_each(|place| {
                    sets.remove(place.range);
                    takes.remove(place.range);
                });
            }
            // Runs of a block with other names of files are other runs.
            let captured = captures.iter().map(|capture| &capture.memory);
            let is_distinct = *has_files || self.values.differ(begin, captured);
            found.push(Repeated { operations, takes, sets, is_distinct });
        }
        found
    }

    /// The pairs of these blocks of one procedure.
    pub fn replaced(&self, id: ProcedureId, blocks: &[Repeated]) -> Vec<Replaced> {
        let places = &self.summaries.places;
        let sets: Vec<Bytes> = blocks.iter().map(|block| places.concretize(&block.sets)).collect();
        let mut found = Vec::new();
        for (reader, block) in blocks.iter().enumerate() {
            for range in block.takes.iter() {
                let taken = places.concretize(&Bytes::from_range(range));
                let is_known = |range: Range| {
                    matches!(places.points.kind(range.memory), MemoryKind::Object | MemoryKind::Heap(_))
                };
                for (writer, set) in sets.iter().enumerate() {
                    let shared = taken.intersect(set);
                    let Some(memory) = shared.iter().find(|range| is_known(*range)) else { continue };
                    let pair = (block, &blocks[writer]);
                    let is_replaced = !blocks[writer].is_distinct
                        && self.is_run_later(id, pair, reader == writer)
                        && self.is_taken_over(id, pair, range);
                    if is_replaced {
                        found.push(Replaced { reader, writer, memory });
                    }
                }
            }
        }
        found
    }

    /// Whether the writer may run between the reader and a checkpoint, and the reader is repeated at this checkpoint.
    fn is_run_later(&self, id: ProcedureId, (reader, writer): (&Repeated, &Repeated), is_same: bool) -> bool {
        let begin = reader.operations[0];
        // A later run of the reader takes the place of this one.
        let is_again = |site: Site| !reader.is_distinct && site == begin;
        let after = self.walk(id, self.ends(reader), is_again);
        if !is_same && !after.sites.contains(&writer.operations[0]) {
            return false;
        }
        let checkpoint = self.summaries.mark(Mark::Checkpoint);
        let after = self.walk(id, self.ends(writer), is_again);
        let is_checkpoint = |site: &Site| self.summaries.effect_at(*site).writes.overlaps(checkpoint);
        after.sites.iter().any(is_checkpoint) || (after.returns && self.replays.continues_after_return(id))
    }

    /// Whether the reader may find in the range what the writer has set.
    fn is_taken_over(&self, id: ProcedureId, (reader, writer): (&Repeated, &Repeated), range: Range) -> bool {
        let (places, begin) = (&self.summaries.places, reader.operations[0]);
        let stops = |site: Site| {
            let certain = &self.summaries.effect_at(site).certain;
            site == begin || (!certain.is_empty() && places.concretize_certain(certain).covers(range))
        };
        let after = self.walk(id, self.ends(writer), stops);
        if after.sites.contains(&begin) {
            return true;
        }
        let is_called_again =
            self.repeats.is_in_repeated_procedure(id) || places.calls.callers[id.0 as usize].len() > 1;
        let procedure = self.summaries.procedure(id);
        is_called_again
            && after.returns
            && !places.local_object(range.memory, id)
            && self.walk(id, vec![(procedure.entry, 0)], stops).sites.contains(&begin)
    }

    /// Where control continues after a block.
    fn ends(&self, block: &Repeated) -> Vec<(BlockId, u32)> {
        let program = self.summaries.places.program;
        let is_end =
            |site: &&Site| matches!(program.operation(**site).directive(), Some(Directive::EndExecute));
        let next = |site: &Site| (site.block, site.operation + 1);
        let ends: Vec<_> = block.operations.iter().filter(is_end).map(next).collect();
        if ends.is_empty() {
            return block.operations.last().map(next).into_iter().collect();
        }
        ends
    }

    fn walk(&self, id: ProcedureId, starts: Vec<(BlockId, u32)>, stops: impl Fn(Site) -> bool) -> Reached {
        walk(self.summaries, id, starts, stops)
    }

    /// The effects of all operations, with only what they pass on to what they set. An execute block ends the flow.
    fn passed(&self, id: ProcedureId) -> Vec<Vec<Effect>> {
        let mut effects = (**self.summaries.effects_of(id)).clone();
        for (site, operation) in self.summaries.procedure(id).operations(id) {
            let effect = &mut effects[site.block.0 as usize][site.operation as usize];
            let reads = match &operation.kind {
                OperationKind::Write { value, .. } => self.of_value(value),
                OperationKind::Call(call) => self.of_call(call, &effect.reads),
                OperationKind::Directive(directive) => {
                    effect.ends |= matches!(**directive, Directive::EndExecute);
                    Bytes::default()
                }
                OperationKind::Read(_)
                | OperationKind::Begin(_)
                | OperationKind::Allocate { .. }
                | OperationKind::Free(_)
                | OperationKind::Opaque { .. } => Bytes::default(),
            };
            effect.reads = reads;
        }
        effects
    }

    fn of_value(&self, value: &Value) -> Bytes {
        let (places, mut bytes) = (&self.summaries.places, Bytes::default());
        if let Some(from) = copied(value, places.program) {
            add(&mut bytes, &places.resolve(&from, &mut Vec::new()));
        } else if let Value::Affine(number) = value {
            number.terms.iter().for_each(|term| bytes.insert(places.range_of(term.0)));
        }
        bytes
    }

    /// What a call of a library uses. A handle that it ends and memory that it frees do not count.
    fn of_call(&self, call: &Call, reads: &Bytes) -> Bytes {
        let mut bytes = Bytes::default();
        let Callee::Named(name) = &call.callee else { return bytes };
        let Some(effects) = self.summaries.effects.effects(name) else { return bytes };
        bytes.add(reads);
        for (number, argument) in call.arguments.iter().enumerate() {
            let effect = effects.parameter(number);
            let is_ended = effect.ends || effect.frees;
            match argument {
                Argument::Value(Value::Address(access)) | Argument::Reference(access) if is_ended => {
                    let ended = self.summaries.places.resolve(access, &mut Vec::new());
                    ended.iter().for_each(|place| bytes.remove(place.range));
                }
                Argument::Value(value) if !is_ended => {
                    bytes.add(&self.of_value(value));
                }
                Argument::Value(_) | Argument::Reference(_) | Argument::Absent => {}
            }
        }
        bytes
    }
}

/// The operations of an execute block.
pub fn operations_of(summaries: &Summaries, begin: Site) -> Vec<Site> {
    let is_end = |site: Site| {
        let operation = summaries.places.program.operation(site);
        matches!(operation.directive(), Some(Directive::EndExecute))
    };
    let starts = vec![(begin.block, begin.operation + 1)];
    let reached = walk(summaries, begin.procedure, starts, is_end).sites;
    let all = summaries.procedure(begin.procedure).operations(begin.procedure).map(|(site, _)| site);
    std::iter::once(begin).chain(all.filter(|site| reached.contains(site) && *site != begin)).collect()
}

#[derive(Debug, Default)]
struct Reached {
    sites: FxHashSet<Site>,
    /// The procedure may return.
    returns: bool,
}

/// The operations that control may reach. It does not continue after an operation that stops it.
fn walk(
    summaries: &Summaries,
    id: ProcedureId,
    starts: Vec<(BlockId, u32)>,
    stops: impl Fn(Site) -> bool,
) -> Reached {
    let (procedure, effects) = (summaries.procedure(id), summaries.effects_of(id));
    let (mut reached, mut entered) = (Reached::default(), FxHashSet::default());
    let mut waiting = starts;
    while let Some((block, first)) = waiting.pop() {
        let content = &procedure.blocks[block.0 as usize];
        let sites = (first..content.operations.len() as u32).map(|operation| Site {
            procedure: id,
            block,
            operation,
        });
        let is_stopped = sites.into_iter().any(|site| {
            reached.sites.insert(site);
            stops(site) || effects[block.0 as usize][site.operation as usize].ends
        });
        if is_stopped {
            continue;
        }
        reached.returns |= matches!(content.terminator, Terminator::Return);
        let next = content.terminator.successors(procedure.blocks.len());
        waiting.extend(next.into_iter().filter(|next| entered.insert(*next)).map(|next| (next, 0)));
    }
    reached
}
