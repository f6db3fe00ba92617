//! Files that the program reads, and then replaces or removes under their names.
//!
//! Input: the paths through the program, and the calls that open files.
//! Output: the checkpoints after which the program reads such a file, or asks whether it exists, before it replaces, creates or
//! removes it. A resumed run finds the file as the killed run has left it. And the checkpoints after which the program uses a
//! file that it has created before `init` and changed since: a restart creates the file again.
//! Postcondition: only uses of one name are compared, as far as names are known.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::effects::FileAction;
use crate::file_modes::{Mode, OpenedFile};
use crate::file_names::{changes, FileNames, NamedFile, ResolvedName};
use crate::handle_uses::may_read;
use crate::paths::{Paths, Points};
use crate::points_to::Target;
use crate::program::{Argument, Call, Directive, OperationKind, Site};
use crate::sets::Range;
use crate::summary::Summaries;
use crate::units::{
    asks_for_file, ends_unit, is_append, is_create, is_input, is_one_of, is_open, is_replace,
};
use crate::unrestored_files::{Change, UnrestoredFile};

/// A use of a file by its name.
#[derive(Debug, Clone, Copy)]
struct FileUse {
    /// The statement.
    call: Site,
    /// The statement, or the call of the procedure that gets the name of the file.
    site: Site,
    read: Option<Reading>,
    change: Option<Changing>,
    /// The unit that the statement opens.
    unit: Option<Range>,
    /// It is in an execute block.
    block: Option<Block>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reading {
    Content,
    /// It asks whether the file exists.
    Existence,
    /// It ends if the file does not exist.
    Need,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Changing {
    /// It writes the content anew.
    Replaces,
    /// The same, if the file exists.
    Overwrites,
    Removes,
    /// The file must not exist before.
    Creates,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Block {
    LeavesFiles,
    /// A restart restores the length of the files, and removes new ones.
    RestoresFiles,
}

const READS: [&str; 2] = ["fortran%read", "fortran%read_record"];
const WRITES: [&str; 4] = ["fortran%write", "fortran%write_record", "fortran%rewrite", "fortran%endfile"];

/// The files, with one report for each name.
pub fn named_files(paths: &Paths, opened: &[OpenedFile], names: &FileNames) -> Vec<UnrestoredFile> {
    let mut uses: BTreeMap<ResolvedName, Vec<FileUse>> = BTreeMap::new();
    let early = Early::new(paths);
    let found = Search::new(paths, names, &early).uses(opened);
    found.into_iter().for_each(|(name, one)| uses.entry(name).or_default().push(one));
    uses.retain(|_, uses| {
        uses.iter().any(|one| one.read.is_some()) && uses.iter().any(|one| one.change.is_some())
    });
    if uses.is_empty() {
        return Vec::new();
    }
    let report = |(name, uses): (&ResolvedName, &Vec<FileUse>)| {
        let file = File { paths, name, uses };
        file.changed().or_else(|| file.created_again(&early))
    };
    uses.iter().filter_map(report).collect()
}

/// The part of the program before `init`.
struct Early {
    inits: Vec<Site>,
    points: Points,
}

impl Early {
    fn new(paths: &Paths) -> Early {
        let program = paths.summaries.places.program;
        let is_init = |site: Site| {
            let OperationKind::Directive(directive) = &program.operation(site).kind else { return false };
            matches!(**directive, Directive::Init)
        };
        let inits = program.operations().map(|(site, _)| site).filter(|site| is_init(*site)).collect();
        Early { inits, points: paths.up_to(&is_init) }
    }
}

/// All uses of one name.
struct File<'a> {
    paths: &'a Paths<'a>,
    name: &'a ResolvedName,
    uses: &'a [FileUse],
}

impl File<'_> {
    /// A use that reads the file after a checkpoint, before the program changes it, and a change after it.
    fn changed(&self) -> Option<UnrestoredFile> {
        let is_change = |site: Site| self.uses.iter().any(|one| one.site == site && one.change.is_some());
        let has = |site: Site, is_read: &dyn Fn(Option<Reading>) -> bool| {
            self.uses.iter().any(|one| one.site == site && is_read(one.read))
        };
        let is_only_change = |site: Site| is_change(site) && !has(site, &|read| read.is_some());
        // The file exists, and has new content.
        let is_new = |site: Site| {
            is_change(site) && !has(site, &|read| read.is_some_and(|read| read != Reading::Need))
        };
        let needs = self.uses.iter().any(|one| one.read == Some(Reading::Need));
        let mut later: FxHashMap<Site, Points> = FxHashMap::default();
        self.paths.summaries.places.program.checkpoints().find_map(|checkpoint| {
            let next = self.paths.after_until(&[checkpoint], &is_new);
            let needed = needs.then(|| self.paths.after_until(&[checkpoint], &is_only_change));
            // In a block, a restart reads it again.
            let reads = self.uses.iter().filter(|one| {
                let next = needed.as_ref().filter(|_| one.read == Some(Reading::Need)).unwrap_or(&next);
                one.read.is_some() && one.block != Some(Block::LeavesFiles) && next.contain(one.site)
            });
            reads.into_iter().find_map(|read| {
                let later = later.entry(read.site).or_insert_with(|| self.after(read.site));
                // RENAME uses the file and removes its name.
                let mut changes = std::iter::once(read).chain(self.uses);
                let change = changes.find(|change| self.is_lost(read, change, later))?;
                let kind = match (read.read, change.change) {
                    (Some(Reading::Existence), _) => Change::Asks,
                    (_, Some(Changing::Removes)) => Change::Removes,
                    (_, _) => Change::Updates,
                };
                Some(UnrestoredFile {
                    checkpoint,
                    in_block: false,
                    call: read.call,
                    change: kind,
                    changed: Some(change.call),
                })
            })
        })
    }

    /// The points after a use, while the name is the same.
    fn after(&self, site: Site) -> Points {
        self.paths.after_until(&[site], &|site| match self.name {
            ResolvedName::Text(_) => false,
            ResolvedName::Memory(range) => changes(self.paths.summaries, site, *range),
        })
    }

    /// Whether a resumed run, which reads the file again, notices the change that follows. `later`: the points after the use
    /// that reads it.
    fn is_lost(&self, read: &FileUse, change: &FileUse, later: &Points) -> bool {
        let Some(changing) = change.change else { return false };
        let is_later =
            later.contain(change.site) || read.call == change.call && changing == Changing::Removes;
        let is_restored = change.block == Some(Block::RestoresFiles);
        // READ and WRITE of one unit are compared one by one.
        let is_one_unit = read.unit.is_some() && read.unit == change.unit;
        match (read.read, changing) {
            _ if !is_later => false,
            (Some(Reading::Content | Reading::Need), Changing::Removes) => true,
            (Some(Reading::Content), Changing::Replaces | Changing::Overwrites) => !is_one_unit,
            // A restart removes a new file.
            (Some(Reading::Existence), Changing::Replaces | Changing::Creates) => {
                !is_restored && self.may_be_missing(read)
            }
            // A file that only the user creates ends most programs.
            (Some(Reading::Existence), Changing::Removes) => {
                self.is_created() || self.paths.after(change.site).contain(read.site)
            }
            (Some(Reading::Content), Changing::Creates)
            | (Some(Reading::Existence), Changing::Overwrites)
            | (Some(Reading::Need), Changing::Replaces | Changing::Overwrites | Changing::Creates)
            | (None, _) => false,
        }
    }

    fn is_created(&self) -> bool {
        let is_new = |one: &FileUse| matches!(one.change, Some(Changing::Replaces | Changing::Creates));
        self.uses.iter().any(is_new)
    }

    /// Whether the file may not exist yet where the program asks for it.
    fn may_be_missing(&self, read: &FileUse) -> bool {
        let is_removed = self.uses.iter().any(|one| one.change == Some(Changing::Removes));
        let is_new = |site: Site| {
            let mut here = self.uses.iter().filter(|one| one.site == site);
            here.any(|one| matches!(one.change, Some(Changing::Replaces | Changing::Creates)))
        };
        is_removed || self.paths.up_to(&is_new).contain(read.site)
    }

    /// The program creates the file before `init`, changes it after `init`, and uses it after a checkpoint that follows.
    fn created_again(&self, early: &Early) -> Option<UnrestoredFile> {
        let ResolvedName::Text(_) = self.name else { return None };
        let is_early = |one: &&FileUse| early.points.contain(one.site);
        let created = self
            .uses
            .iter()
            .filter(is_early)
            .find(|one| matches!(one.change, Some(Changing::Replaces | Changing::Creates)))?;
        let after_init = self.paths.after_until(&early.inits, &|_| false);
        let is_change = |site: Site| self.uses.iter().any(|one| one.site == site && one.change.is_some());
        let changes = self.uses.iter().filter(|one| one.change.is_some() && after_init.contain(one.site));
        changes.into_iter().find_map(|change| {
            let later = self.paths.after_until(&[change.site], &is_change);
            let mut checkpoints = self.paths.summaries.places.program.checkpoints();
            let reads = |checkpoint: &Site| {
                let next = self.paths.after_until(&[*checkpoint], &is_change);
                self.uses.iter().find(|one| one.read.is_some() && next.contain(one.site)).copied()
            };
            let (checkpoint, _) = checkpoints.find_map(|checkpoint| {
                later.contain(checkpoint).then(|| Some((checkpoint, reads(&checkpoint)?))).flatten()
            })?;
            Some(UnrestoredFile {
                checkpoint,
                in_block: false,
                call: created.call,
                change: Change::CreatesAgain,
                changed: Some(change.call),
            })
        })
    }
}

/// The search for the uses of files by their names.
struct Search<'a> {
    paths: &'a Paths<'a>,
    names: &'a FileNames<'a>,
    early: &'a Early,
    units: FxHashMap<Range, Statements>,
    found: Vec<Named<'a>>,
}

/// The statements of one unit.
#[derive(Default)]
struct Statements {
    reads: Vec<Site>,
    writes: FxHashSet<Site>,
    /// CLOSE and OPEN.
    ends: FxHashSet<Site>,
    /// CLOSE that deletes the file.
    deletes: FxHashSet<Site>,
    opens: Vec<Site>,
}

/// A statement with a name.
struct Named<'a> {
    name: ResolvedName,
    call: Site,
    /// The statement, and the calls around it that determine the file.
    calls: Vec<Site>,
    action: NamedAction<'a>,
}

#[derive(Clone, Copy)]
enum NamedAction<'a> {
    Known(Action),
    /// A call of C that opens a file to read it.
    Input(OpenedFile),
    /// An OPEN statement, with the unit.
    Open(&'a Call, Option<Range>),
}

type Action = (Option<Reading>, Option<Changing>);

impl<'a> Search<'a> {
    fn new(paths: &'a Paths<'a>, names: &'a FileNames<'a>, early: &'a Early) -> Search<'a> {
        let mut units: FxHashMap<Range, Statements> = FxHashMap::default();
        for (site, _, call) in paths.summaries.places.program.calls() {
            let Some(unit) = unit_of(paths.summaries, call) else { continue };
            let of = |names: &[&str]| is_one_of(call, names);
            if !(of(&READS) || of(&WRITES) || ends_unit(call)) {
                continue;
            }
            let unit = units.entry(unit).or_default();
            unit.reads.extend(of(&READS).then_some(site));
            unit.writes.extend(of(&WRITES).then_some(site));
            unit.ends.extend(ends_unit(call).then_some(site));
            unit.deletes.extend(of(&["fortran%close_delete"]).then_some(site));
            unit.opens.extend(is_open(call).then_some(site));
        }
        Search { paths, names, early, units, found: Vec::new() }
    }

    fn uses(mut self, opened: &[OpenedFile]) -> Vec<(ResolvedName, FileUse)> {
        let summaries = self.paths.summaries;
        let program = summaries.places.program;
        for file in opened {
            self.add_opened(file);
        }
        for (site, _, call) in program.calls().filter(|(_, _, call)| is_open(call)) {
            let action = NamedAction::Open(call, unit_of(summaries, call));
            self.add_argument(site, call.arguments.get(1), action);
        }
        for (site, _, call) in program.calls() {
            if is_one_of(call, &["fortran%close_delete"]) {
                self.add_deleted(site, call);
            }
            for target in summaries.places.calls.targets(site) {
                let Target::Outside(name) = target else { continue };
                let Some(effects) = summaries.effects.effects(name) else { continue };
                for file in &effects.files {
                    let action = match file.action {
                        FileAction::Removes => (None, Some(Changing::Removes)),
                        FileAction::Renames => (Some(Reading::Content), Some(Changing::Removes)),
                        FileAction::Replaces => (None, Some(Changing::Replaces)),
                        FileAction::Asks => (Some(Reading::Existence), None),
                        FileAction::Truncates => (None, Some(Changing::Overwrites)),
                        // `if (stat(name, &found) != 0) mkdir(name, mode)` has the same effect in a resumed run.
                        // `ftruncate` gets no name.
                        FileAction::Creates | FileAction::Shortens => continue,
                    };
                    self.add_argument(site, call.arguments.get(file.name), NamedAction::Known(action));
                }
            }
        }
        self.with_actions()
    }

    /// Finds what the program does with each file that has several uses. One call that opens a file
    /// is compared with itself only if the program runs it before and after `init`.
    fn with_actions(self) -> Vec<(ResolvedName, FileUse)> {
        let mut counts: FxHashMap<&ResolvedName, usize> = FxHashMap::default();
        self.found.iter().for_each(|one| *counts.entry(&one.name).or_default() += 1);
        let mut known: FxHashMap<(Site, Site), Action> = FxHashMap::default();
        let mut uses = Vec::new();
        for one in &self.found {
            let site = one.calls.last().copied().unwrap_or(one.call);
            let is_known = matches!(one.action, NamedAction::Known(_));
            if !is_known && counts[&one.name] == 1 && !self.early.points.contain(site) {
                continue;
            }
            let (action, unit) = match one.action {
                NamedAction::Known(action) => (action, None),
                NamedAction::Input(file) => {
                    (*known.entry((file.call, file.open)).or_insert_with(|| self.of_input(&file)), None)
                }
                NamedAction::Open(call, unit) => {
                    let find = || self.action_of_unit(one.call, call);
                    (*known.entry((one.call, one.call)).or_insert_with(find), unit)
                }
            };
            if action == (None, None) {
                continue;
            }
            let block = one.calls.iter().find_map(|site| self.paths.in_blocks.get(site));
            let block = block.map(|leaves_files| match leaves_files {
                true => Block::LeavesFiles,
                false => Block::RestoresFiles,
            });
            let (read, change) = action;
            uses.push((one.name.clone(), FileUse { call: one.call, site, read, change, unit, block }));
        }
        uses
    }

    /// A call of C that opens a file. Its mode may be an argument of a call around it.
    fn add_opened(&mut self, file: &OpenedFile) {
        let summaries = self.paths.summaries;
        let Some(call) = summaries.places.program.operation(file.open).call() else { return };
        let action = match file.mode {
            Mode::Other if file.is_read => NamedAction::Input(*file),
            Mode::Truncates => NamedAction::Known((None, Some(Changing::Replaces))),
            Mode::Overwrites { creates: true } => NamedAction::Known((None, Some(Changing::Replaces))),
            Mode::Overwrites { creates: false } => NamedAction::Known((None, Some(Changing::Overwrites))),
            Mode::Creates => NamedAction::Known((None, Some(Changing::Creates))),
            Mode::Appends | Mode::Updates | Mode::Other => return,
        };
        for target in summaries.places.calls.targets(file.open) {
            let Target::Outside(name) = target else { continue };
            let opens = summaries.effects.effects(name).and_then(|effects| effects.opens);
            let Some(argument) = opens.and_then(|opens| call.arguments.get(opens.file)) else { continue };
            for NamedFile { name, calls } in self.names.through(file.open, argument, file.call) {
                self.found.push(Named { name, call: file.open, calls, action });
            }
        }
    }

    /// What the program does with a file of C that it opens to read it.
    fn of_input(&self, file: &OpenedFile) -> Action {
        match may_read(self.paths, file) {
            true => (Some(Reading::Content), None),
            false => (Some(Reading::Existence), None),
        }
    }

    fn add_argument(&mut self, site: Site, argument: Option<&Argument>, action: NamedAction<'a>) {
        for NamedFile { name, calls } in
            argument.into_iter().flat_map(|argument| self.names.of(site, argument))
        {
            self.found.push(Named { name, call: site, calls, action });
        }
    }

    /// CLOSE that deletes the file of its unit.
    fn add_deleted(&mut self, site: Site, call: &Call) {
        let program = self.paths.summaries.places.program;
        let unit = unit_of(self.paths.summaries, call).and_then(|unit| self.units.get(&unit));
        let Some(unit) = unit else { return };
        for &open in &unit.opens {
            let name = program.operation(open).call().and_then(|opened| opened.arguments.get(1));
            let Some(name) = name else { continue };
            let ends = |site: Site| unit.ends.contains(&site) && !unit.deletes.contains(&site);
            if !self.paths.after_until(&[open], &ends).contain(site) {
                continue;
            }
            let action = NamedAction::Known((None, Some(Changing::Removes)));
            for NamedFile { name, mut calls } in self.names.of(open, name) {
                calls[0] = site;
                if open.procedure != site.procedure {
                    calls.truncate(1);
                }
                self.found.push(Named { name, call: site, calls, action });
            }
        }
    }

    /// What the program does to the file of an OPEN statement.
    fn action_of_unit(&self, site: Site, call: &Call) -> Action {
        if is_create(call) {
            return (None, Some(Changing::Creates));
        }
        if is_replace(call) {
            return (None, Some(Changing::Replaces));
        }
        let none = Statements::default();
        let unit = unit_of(self.paths.summaries, call).and_then(|unit| self.units.get(&unit));
        let unit = unit.unwrap_or(&none);
        let is_read = !unit.reads.is_empty() && {
            let ends = |site: Site| unit.ends.contains(&site) || unit.writes.contains(&site);
            let after = self.paths.after_until(&[site], &ends);
            unit.reads.iter().any(|site| after.contain(*site))
        };
        let read = match is_read {
            true => Some(Reading::Content),
            false if asks_for_file(call) => Some(Reading::Existence),
            false if is_input(call) => Some(Reading::Need),
            false => None,
        };
        let is_written = !is_append(call) && !unit.writes.is_empty() && {
            let after = self.paths.after_until(&[site], &|site| unit.ends.contains(&site));
            unit.writes.iter().any(|site| after.contain(*site))
        };
        let change = if is_input(call) { Changing::Overwrites } else { Changing::Replaces };
        (read, is_written.then_some(change))
    }
}

fn unit_of(summaries: &Summaries, call: &Call) -> Option<Range> {
    call.arguments.first().and_then(|unit| summaries.units.of(unit))
}
