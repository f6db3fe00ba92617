//! Files that a restart leaves as the killed run has left them: those that the program opens for appending, and that a restart
//! does not truncate; those that it opens to change what they contain; and new files, which a restart finds.
//!
//! Input: the paths through the program, and the calls that open files. Output: the calls outside of execute blocks that open such a file for appending between two checkpoints,
//! or for changes after a checkpoint; those in an execute block, if a checkpoint follows and a restart does not restore the
//! file. It truncates a file that the block names with `file`, or removes it if it is new, and never restores what was
//! overwritten. And the statements that read such a record, or read what the program then writes from the beginning of the file.
//! Postcondition: any other call opens a file that a resumed run writes anew, that the runtime restores, or to which the program
//! appends only after its last checkpoint. A mode that is not known counts as appending.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::effects::FileAction;
use crate::file_modes::{Mode, OpenedFile};
use crate::file_names::{FileNames, ResolvedName};
use crate::paths::{Paths, Points};
use crate::points_to::Target;
use crate::program::{BlockId, Call, Callee, Site};
use crate::sets::Range;
use crate::summary::Summaries;
use crate::units::{empties_file, is_append, is_open, reads_record, writes_record};

/// The procedure behind `errno`.
const ERRNO: &str = "__errno_location";

/// What only describes the value of `errno`.
const DESCRIBES: [&str; 2] = ["strerror", "strerror_r"];

/// A file that a restart does not restore.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnrestoredFile {
    /// It is before the call. After it, if an execute block contains the call.
    pub checkpoint: Site,
    pub in_block: bool,
    /// It opens the file. For records, it is a READ, because the file may stay open.
    pub call: Site,
    pub change: Change,
    /// The statement that changes the file, if it has a name.
    pub changed: Option<Site>,
}

/// How the program changes such a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    Appends,
    /// It reads what the file contains, and overwrites it.
    Updates,
    /// The same, by READ and WRITE of the records of a unit.
    Records,
    /// It creates a file, and ends if the file exists.
    Creates,
    /// It reads a file, and then removes it.
    Removes,
    /// It asks whether a file exists, and then creates or removes it.
    Asks,
    /// It creates a file before `init`, and then changes it.
    CreatesAgain,
    /// It may make the file shorter than it was at the checkpoint.
    Shortens,
}

pub fn unrestored_files(paths: &Paths, opened: &[OpenedFile], names: &FileNames) -> Vec<UnrestoredFile> {
    let summaries = paths.summaries;
    let (opens, records) = (changing_opens(paths, opened), records(summaries));
    let rewritten = rewritten(paths, names);
    if opens.is_empty() && records.is_empty() {
        return rewritten;
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
        let before = || checkpoints.iter().find(|(_, points)| points.contain(open)).map(|(site, _)| *site);
        if paths.in_blocks.contains_key(&open) {
            // A restart runs a block again that follows its checkpoint, too.
            let later = if change == Change::Creates { later.or_else(before) } else { later };
            let checkpoint = later?;
            return Some(UnrestoredFile { checkpoint, call: open, in_block: true, change, changed: None });
        }
        let checkpoint = before()?;
        Some(UnrestoredFile { checkpoint, call: open, in_block: false, change, changed: None })
    });
    let mut unrestored: Vec<UnrestoredFile> = unrestored.collect();
    // One report for each unit.
    let mut reported = FxHashSet::default();
    let mut after: FxHashMap<Site, Points> = FxHashMap::default();
    for (unit, read, write) in records {
        // Without a way from one to the other, a resumed run writes before it reads.
        if !after.entry(read).or_insert_with(|| paths.after(read)).contain(write) {
            continue;
        }
        let both = |(_, points): &&(Site, Points)| points.contain(read) && points.contain(write);
        if let Some((checkpoint, _)) = checkpoints.iter().find(both).filter(|_| reported.insert(unit)) {
            let change = Change::Records;
            let checkpoint = *checkpoint;
            unrestored.push(UnrestoredFile {
                checkpoint,
                call: read,
                in_block: false,
                change,
                changed: None,
            });
        }
    }
    unrestored.extend(rewritten);
    unrestored
}

/// The calls that open a file to change it, as far as the runtime does not restore it.
fn changing_opens(paths: &Paths, opened: &[OpenedFile]) -> Vec<(Site, Change)> {
    let mut found: Vec<(Site, Change)> = Vec::new();
    for file in opened {
        // The runtime truncates a file to its length at the checkpoint, or removes it. It does not restore what it contained.
        let is_truncated = paths.in_blocks.get(&file.call).is_some_and(|leaves_files| !leaves_files);
        match file.mode {
            Mode::Appends if !is_truncated => found.push((file.call, Change::Appends)),
            Mode::Creates if !is_truncated => found.push((file.call, Change::Creates)),
            Mode::Updates => found.push((file.call, Change::Updates)),
            Mode::Appends | Mode::Creates | Mode::Truncates | Mode::Overwrites { .. } | Mode::Other => {}
        }
    }
    found.dedup_by_key(|(call, _)| *call);
    found.extend(creations(paths).into_iter().map(|call| (call, Change::Creates)));
    found
}

/// The calls that create a directory or a link, if the program ends or gives up when the name exists: the call decides about a
/// branch whose sides do not meet, and the procedure asks neither for `errno` nor for names.
fn creations(paths: &Paths) -> Vec<Site> {
    let summaries = paths.summaries;
    let is_named = |site: Site, is_wanted: &dyn Fn(&str) -> bool| {
        let targets = summaries.places.calls.targets(site);
        targets.iter().any(|target| matches!(target, Target::Outside(name) if is_wanted(name)))
    };
    let creates = |name: &str| {
        let files = summaries.effects.effects(name).map_or(&[][..], |effects| &effects.files);
        files.iter().any(|file| file.action == FileAction::Creates)
    };
    let asks = |name: &str| {
        let files = summaries.effects.effects(name).map_or(&[][..], |effects| &effects.files);
        files.iter().any(|file| file.action == FileAction::Asks)
    };
    let calls = summaries.places.program.calls();
    let created = calls.map(|(site, _, _)| site).filter(|site| is_named(*site, &creates));
    let gives_up = |site: &Site| {
        let procedure = summaries.procedure(site.procedure);
        let others = || procedure.operations(site.procedure).map(|(site, _)| site);
        let count =
            |is_wanted: &dyn Fn(&str) -> bool| others().filter(|site| is_named(*site, is_wanted)).count();
        let asks_for_errno = count(&|name| name == ERRNO) > count(&|name| DESCRIBES.contains(&name));
        let asks_for_name = count(&asks) > 0;
        let sides = procedure.blocks[site.block.0 as usize].terminator.successors(procedure.blocks.len());
        let [one, other] = sides[..] else { return false };
        let from = |side: BlockId| {
            let mut reached = procedure.reached_from(side);
            reached.insert(side);
            reached
        };
        from(one).is_disjoint(&from(other)) && !asks_for_errno && !asks_for_name
    };
    created.filter(gives_up).collect()
}

/// The statements that read a record of a unit that another statement writes.
fn records(summaries: &Summaries) -> Vec<(Option<Range>, Site, Site)> {
    let units = summaries.units;
    let of = |is_wanted: fn(&Call) -> bool| {
        let calls = summaries.places.program.calls().filter(move |(_, _, call)| is_wanted(call));
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

/// The statements for one unit of sequential or stream access.
#[derive(Default)]
struct Sequential {
    reads: Vec<Site>,
    writes: FxHashSet<Site>,
    /// REWIND and BACKSPACE.
    rewinds: Vec<Site>,
    /// OPEN statements that do not append, with the name of the file if it is known.
    opens: Vec<(Site, Option<ResolvedName>)>,
    /// OPEN statements after which the file is empty.
    new: FxHashSet<Site>,
}

impl Sequential {
    /// The statements after which WRITE may overwrite what READ reads. Two OPEN statements mean one file if both have its name.
    fn begins(&self) -> Vec<Site> {
        let is_again = |(site, name): &(Site, Option<ResolvedName>)| {
            let mut others = self.opens.iter().filter(|(other, _)| other != site);
            self.opens.len() == 1 || name.is_some() && others.any(|(_, other)| other == name)
        };
        let opens = self.opens.iter().filter(|open| is_again(open)).map(|(site, _)| *site);
        self.rewinds.iter().copied().chain(opens).collect()
    }
}

/// Units that are read after a checkpoint, and then written from the beginning of the file. One report for each unit.
fn rewritten(paths: &Paths, names: &FileNames) -> Vec<UnrestoredFile> {
    let program = paths.summaries.places.program;
    let mut units: FxHashMap<Range, Sequential> = FxHashMap::default();
    for (site, _, call) in program.calls() {
        let Some(unit) = call.arguments.first().and_then(|unit| paths.summaries.units.of(unit)) else {
            continue;
        };
        let unit = units.entry(unit).or_default();
        match &call.callee {
            // In a block, a restart reads it again.
            Callee::Named(name) if name == "fortran%read" => {
                unit.reads.extend(Some(site).filter(|site| !paths.in_blocks.contains_key(site)));
            }
            Callee::Named(name) if name == "fortran%write" => drop(unit.writes.insert(site)),
            Callee::Named(name) if ["fortran%rewind", "fortran%backspace"].contains(&name.as_str()) => {
                unit.rewinds.push(site);
            }
            _ if is_open(call) && !is_append(call) => {
                let name = call.arguments.get(1).and_then(|name| names.only(site, name));
                unit.opens.push((site, name));
                unit.new.extend(empties_file(call).then_some(site));
            }
            _ => {}
        }
    }
    units.retain(|_, unit| !unit.reads.is_empty() && !unit.writes.is_empty());
    let mut units: Vec<(Range, Sequential)> = units.into_iter().collect();
    units.sort_by_key(|(range, _)| *range);
    let mut found = Vec::new();
    for (_, unit) in &units {
        let begins = unit.begins();
        let of_checkpoint = |checkpoint: Site| {
            // A restart writes again what it reads after a WRITE, or in a new file.
            let is_new = |site: Site| unit.writes.contains(&site) || unit.new.contains(&site);
            let next = paths.after_until(&[checkpoint], &is_new);
            let read = *unit.reads.iter().find(|site| next.contain(**site))?;
            let later = paths.after(read);
            let begins: Vec<Site> = begins.iter().copied().filter(|site| later.contain(*site)).collect();
            let written = paths.after_until(&begins, &|_| false);
            let change = Change::Records;
            let report = UnrestoredFile { checkpoint, call: read, in_block: false, change, changed: None };
            unit.writes.iter().any(|site| written.contain(*site)).then_some(report)
        };
        if !begins.is_empty() {
            found.extend(program.checkpoints().find_map(of_checkpoint));
        }
    }
    found
}
