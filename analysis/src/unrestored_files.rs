//! Files that a restart leaves as the killed run has left them: those that the program opens for appending, and that a restart
//! does not truncate; and those that it opens to change what they contain.
//!
//! Input: summaries. Output: the calls outside of execute blocks that open such a file for appending between two checkpoints,
//! or for changes after a checkpoint; those in an execute block, if a checkpoint follows and a restart does not restore the
//! file. It truncates a file that the block names with `file`, and never restores what was overwritten. And the statements that
//! read such a record.
//! Postcondition: any other call opens a file that a resumed run writes anew, that the runtime restores, or to which the program
//! appends only after its last checkpoint. A mode that is not known counts as appending.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::effects::Opens;
use crate::points_to::Target;
use crate::problems::{execute_after, execute_blocks};
use crate::program::{Argument, BlockId, Call, OperationKind, ProcedureId, Site, Terminator, Value};
use crate::sets::Range;
use crate::summary::Summaries;
use crate::units::{is_append, reads_record, writes_record};

/// A file that a restart does not restore.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnrestoredFile {
    /// It is before the call. After it, if an execute block contains the call.
    pub checkpoint: Site,
    pub in_block: bool,
    /// It opens the file. For records, it is a READ, because the file may stay open.
    pub call: Site,
    pub change: Change,
}

/// How the program changes such a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    Appends,
    /// It reads what the file contains, and overwrites it.
    Updates,
    /// The same, by READ and WRITE of the records of a unit.
    Records,
}

pub fn unrestored_files(summaries: &Summaries) -> Vec<UnrestoredFile> {
    let paths = Paths::new(summaries);
    let (opens, records) = (paths.opens(), paths.records());
    if opens.is_empty() && records.is_empty() {
        return Vec::new();
    }
    let checkpoints: Vec<(Site, Points)> =
        summaries.places.program.checkpoints().map(|site| (site, paths.after(site))).collect();
    let unrestored = opens.into_iter().filter_map(|(open, change)| {
        let after = paths.after(open);
        let later = checkpoints.iter().map(|(site, _)| *site).find(|site| after.contain(*site));
        // Updates after the last checkpoint are repeated too. Appending there is not reported.
        if later.is_none() && change == Change::Appends {
            return None;
        }
        if paths.in_blocks.contains_key(&open) {
            return Some(UnrestoredFile { checkpoint: later?, call: open, in_block: true, change });
        }
        let (checkpoint, _) = checkpoints.iter().find(|(_, points)| points.contain(open))?;
        Some(UnrestoredFile { checkpoint: *checkpoint, call: open, in_block: false, change })
    });
    let mut unrestored: Vec<UnrestoredFile> = unrestored.collect();
    // One report for each unit.
    let mut reported = FxHashSet::default();
    for (unit, read, write) in records {
        // Without a way from one to the other, a resumed run writes before it reads.
        if !paths.after(read).contain(write) {
            continue;
        }
        let after = |(_, points): &&(Site, Points)| points.contain(read) && points.contain(write);
        if let Some((checkpoint, _)) = checkpoints.iter().find(after).filter(|_| reported.insert(unit)) {
            let change = Change::Records;
            unrestored.push(UnrestoredFile { checkpoint: *checkpoint, call: read, in_block: false, change });
        }
    }
    unrestored
}

/// How a call opens a file.
enum Mode {
    Changes(Change),
    /// It only reads the file, truncates it, or only writes it from its beginning.
    Other,
    /// The mode is the parameter with this number of the procedure that contains the call.
    Parameter(usize),
}

/// How many procedures pass on a mode.
const DEPTH_LIMIT: u32 = 8;

/// Flags of `open`.
const ACCESS: i64 = 0o3;
const READS_AND_WRITES: i64 = 0o2;
const IS_NEW: i64 = 0o300;
const TRUNCATES: i64 = 0o1000;
const APPENDS: i64 = 0o2000;

/// The paths through the program, outside of execute blocks.
struct Paths<'a> {
    summaries: &'a Summaries<'a>,
    /// The calls in execute blocks, and whether the block leaves files as they are in a restart.
    in_blocks: FxHashMap<Site, bool>,
}

/// Points of the program: for each block, from which to which operation.
#[derive(Default)]
struct Points(FxHashMap<(ProcedureId, BlockId), Vec<(u32, u32)>>);

impl Points {
    fn contain(&self, site: Site) -> bool {
        let ranges = self.0.get(&(site.procedure, site.block)).into_iter().flatten();
        ranges.into_iter().any(|(start, end)| (*start..*end).contains(&site.operation))
    }
}

impl<'a> Paths<'a> {
    fn new(summaries: &'a Summaries<'a>) -> Paths<'a> {
        let mut in_blocks = FxHashMap::default();
        for (id, procedure) in (0..).map(ProcedureId).zip(&summaries.places.program.procedures) {
            let inside = execute_blocks(procedure);
            for (block, content) in (0..).map(BlockId).zip(&procedure.blocks) {
                let mut execute = inside[block.0 as usize];
                for (operation, content) in (0..).zip(&content.operations) {
                    execute = execute_after(execute, &content.kind);
                    if let (Some(execute), Some(_)) = (execute, content.call()) {
                        in_blocks.insert(Site { procedure: id, block, operation }, execute.leaves_files);
                    }
                }
            }
        }
        Paths { summaries, in_blocks }
    }

    /// The calls that open a file to change it, as far as the runtime does not restore it.
    fn opens(&self) -> Vec<(Site, Change)> {
        let mut found = Vec::new();
        for (site, _, call) in self.summaries.places.program.calls() {
            if is_append(call) {
                found.push((site, Change::Appends));
            }
            for target in self.summaries.places.calls.targets(site) {
                let Target::Outside(name) = target else { continue };
                let opens = self.summaries.effects.effects(name).and_then(|effects| effects.opens);
                if let Some(Opens { mode: Some(mode), .. }) = opens {
                    self.add(site, call, mode, 0, &mut found);
                }
            }
        }
        // The runtime truncates a file to its length at the checkpoint, and does not restore what it contained.
        let is_truncated = |site: Site| self.in_blocks.get(&site).is_some_and(|leaves_files| !leaves_files);
        found.retain(|(site, change)| *change != Change::Appends || !is_truncated(*site));
        found.sort();
        found.dedup_by_key(|(site, _)| *site);
        found
    }

    /// The statements that read a record of a unit that another statement writes.
    fn records(&self) -> Vec<(Option<Range>, Site, Site)> {
        let units = self.summaries.units;
        let of = |is_wanted: fn(&Call) -> bool| {
            let calls = self.summaries.places.program.calls().filter(move |(_, _, call)| is_wanted(call));
            calls.map(move |(site, _, call)| (call.arguments.first().and_then(|unit| units.of(unit)), site))
        };
        let writes: Vec<(Option<Range>, Site)> = of(writes_record).collect();
        let pairs = of(reads_record).flat_map(|(unit, read)| {
            let same =
                writes.iter().filter(move |(other, _)| unit.is_none() || other.is_none() || unit == *other);
            same.map(move |(_, write)| (unit, read, *write))
        });
        pairs.collect()
    }

    /// Adds a call whose argument `mode` is the mode, or the calls of its procedure that determine it.
    fn add(&self, site: Site, call: &Call, mode: usize, depth: u32, found: &mut Vec<(Site, Change)>) {
        match self.mode(site, call.arguments.get(mode)) {
            Mode::Other => {}
            Mode::Parameter(number) if depth < DEPTH_LIMIT => {
                for &caller in &self.summaries.places.calls.callers[site.procedure.0 as usize] {
                    if let Some(call) = self.summaries.places.program.operation(caller).call() {
                        self.add(caller, call, number, depth + 1, found);
                    }
                }
            }
            Mode::Changes(Change::Updates) if self.is_device(call) => {}
            Mode::Changes(change) => found.push((site, change)),
            Mode::Parameter(_) => found.push((site, Change::Appends)),
        }
    }

    /// Whether the call names a file such as `/dev/null`.
    fn is_device(&self, call: &Call) -> bool {
        let name = call.arguments.first().and_then(|name| self.summaries.places.program.text(name));
        name.is_some_and(|name| name.starts_with("/dev/") && !name.starts_with("/dev/shm/"))
    }

    fn mode(&self, site: Site, argument: Option<&Argument>) -> Mode {
        let program = self.summaries.places.program;
        if let Some(text) = argument.and_then(|argument| program.text(argument)) {
            return match text.as_bytes().first() {
                Some(b'a') => Mode::Changes(Change::Appends),
                Some(b'r') if text.contains('+') => Mode::Changes(Change::Updates),
                _ => Mode::Other,
            };
        }
        let (root, known) = match argument {
            Some(Argument::Value(Value::Affine(number))) => match (number.as_constant(), &number.terms[..]) {
                (Some(flags), _) => {
                    return match flags & ACCESS {
                        0 => Mode::Other,
                        _ if flags & TRUNCATES != 0 || flags & IS_NEW == IS_NEW => Mode::Other,
                        _ if flags & APPENDS != 0 => Mode::Changes(Change::Appends),
                        READS_AND_WRITES => Mode::Changes(Change::Updates),
                        _ => Mode::Other,
                    };
                }
                (None, [(root, 1)]) => (*root, number.constant == 0),
                (None, _) => return Mode::Changes(Change::Appends),
            },
            Some(Argument::Value(Value::Copy(access))) => (access.root, access.path.is_empty()),
            _ => return Mode::Changes(Change::Appends),
        };
        let procedure = self.summaries.procedure(site.procedure);
        let is_changed = procedure.operations(site.procedure).any(|(_, operation)| match &operation.kind {
            OperationKind::Write { to, .. } => to.root == root,
            _ => false,
        });
        let parameter = procedure.parameters.iter().position(|&parameter| parameter == root);
        match parameter.filter(|_| known && !is_changed) {
            Some(number) => Mode::Parameter(number),
            None => Mode::Changes(Change::Appends),
        }
    }

    /// The points that the program may reach after an operation.
    fn after(&self, site: Site) -> Points {
        let mut points = Points::default();
        let mut seen = FxHashSet::default();
        // The last value: the procedure returns to its callers. A call that was followed continues in any case.
        let mut waiting = vec![(site.procedure, site.block, site.operation + 1, true)];
        while let Some(point) = waiting.pop() {
            if !seen.insert(point) {
                continue;
            }
            let (id, block, start, returns) = point;
            let procedure = self.summaries.procedure(id);
            let content = &procedure.blocks[block.0 as usize];
            let effects = &self.summaries.effects_of(id)[block.0 as usize];
            let mut end = start;
            let mut stops = false;
            while (end as usize) < content.operations.len() && !stops {
                let here = Site { procedure: id, block, operation: end };
                stops = effects[end as usize].ends;
                end += 1;
                if !self.in_blocks.contains_key(&here) {
                    waiting.extend(self.entered(here).map(|(id, block)| (id, block, 0, false)));
                }
            }
            points.0.entry((id, block)).or_default().push((start, end));
            if stops {
                continue;
            }
            let next = content.terminator.successors(procedure.blocks.len()).into_iter();
            waiting.extend(next.map(|block| (id, block, 0, returns)));
            if matches!(content.terminator, Terminator::Return) && returns {
                let callers = self.summaries.places.calls.callers[id.0 as usize].iter();
                waiting.extend(
                    callers.map(|caller| (caller.procedure, caller.block, caller.operation + 1, true)),
                );
            }
        }
        points
    }

    /// The entries of the procedures that the operation calls.
    fn entered(&self, site: Site) -> impl Iterator<Item = (ProcedureId, BlockId)> + '_ {
        let is_call = self.summaries.places.program.operation(site).call().is_some();
        let targets = self.summaries.places.calls.targets(site).iter().filter(move |_| is_call);
        targets.filter_map(|target| match target {
            Target::Procedure(id) => Some((*id, self.summaries.procedure(*id).entry)),
            Target::Outside(_) | Target::Unknown => None,
        })
    }
}
