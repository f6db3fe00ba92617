//! Files that the program reads, and then replaces or removes under their names.
//!
//! Input: the paths through the program, and the calls that open files.
//! Output: the checkpoints after which the program reads such a file, or asks whether it exists, before it replaces, creates or
//! removes it. A resumed run finds the file as the killed run has left it. And the checkpoints after which the program uses a
//! file that it has created before `init` and changed since: a restart creates the file again.
//! Postcondition: only uses of one name are compared, as far as names are known.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use crate::effects::FileAction;
use crate::file_modes::{Mode, OpenedFile};
use crate::file_names::{changes, FileName, FileNames, NamedFile};
use crate::paths::{Paths, Points};
use crate::points_to::Target;
use crate::program::{Argument, Call, Directive, OperationKind, Site};
use crate::sets::Range;
use crate::summary::Summaries;
use crate::units::{ends_unit, is_append, is_create, is_input, is_one_of, is_open, is_replace};
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
    Existence,
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
    let mut uses: BTreeMap<FileName, Vec<FileUse>> = BTreeMap::new();
    let found = Search { paths, names, found: Vec::new() }.uses(opened);
    found.into_iter().for_each(|(name, one)| uses.entry(name).or_default().push(one));
    uses.retain(|_, uses| {
        uses.iter().any(|one| one.read.is_some()) && uses.iter().any(|one| one.change.is_some())
    });
    if uses.is_empty() {
        return Vec::new();
    }
    let early = Early::new(paths);
    let report = |(name, uses): (&FileName, &Vec<FileUse>)| {
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
    name: &'a FileName,
    uses: &'a [FileUse],
}

impl File<'_> {
    /// A use that reads the file after a checkpoint, before the program changes it, and a change after it.
    fn changed(&self) -> Option<UnrestoredFile> {
        let is_change = |site: Site| self.uses.iter().any(|one| one.site == site && one.change.is_some());
        let is_only_change = |site: Site| {
            is_change(site) && !self.uses.iter().any(|one| one.site == site && one.read.is_some())
        };
        let mut later: FxHashMap<Site, Points> = FxHashMap::default();
        self.paths.summaries.places.program.checkpoints().find_map(|checkpoint| {
            let next = self.paths.after_until(&[checkpoint], &is_only_change);
            // In a block, a restart reads it again.
            let reads = self.uses.iter().filter(|one| {
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
            FileName::Text(_) => false,
            FileName::Memory(range) => changes(self.paths.summaries, site, *range),
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
            (Some(Reading::Content), Changing::Removes) => true,
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
        let FileName::Text(_) = self.name else { return None };
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
    found: Vec<(FileName, FileUse)>,
}

type Action = (Option<Reading>, Option<Changing>);

impl Search<'_> {
    fn uses(mut self, opened: &[OpenedFile]) -> Vec<(FileName, FileUse)> {
        let summaries = self.paths.summaries;
        let program = summaries.places.program;
        for file in opened {
            self.add_opened(file);
        }
        let opens: Vec<(Site, &Call)> = program
            .calls()
            .filter(|(_, _, call)| is_open(call))
            .map(|(site, _, call)| (site, call))
            .collect();
        for (site, call) in &opens {
            let action = self.action_of_unit(*site, call);
            self.add_argument(*site, call.arguments.get(1), action, unit_of(self.paths.summaries, call));
        }
        for (site, _, call) in program.calls() {
            if is_one_of(call, &["fortran%close_delete"]) {
                self.add_deleted(site, call, &opens);
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
                    };
                    self.add_argument(site, call.arguments.get(file.name), action, None);
                }
            }
        }
        self.found
    }

    /// A call of C that opens a file. Its mode may be an argument of a call around it.
    fn add_opened(&mut self, file: &OpenedFile) {
        let summaries = self.paths.summaries;
        let Some(call) = summaries.places.program.operation(file.open).call() else { return };
        let action = match file.mode {
            Mode::Other => (Some(Reading::Content), None),
            Mode::Truncates => (None, Some(Changing::Replaces)),
            Mode::Creates => (None, Some(Changing::Creates)),
            Mode::Appends | Mode::Updates => return,
        };
        for target in summaries.places.calls.targets(file.open) {
            let Target::Outside(name) = target else { continue };
            let opens = summaries.effects.effects(name).and_then(|effects| effects.opens);
            let Some(argument) = opens.and_then(|opens| call.arguments.get(opens.file)) else { continue };
            for NamedFile { name, mut calls } in self.names.of(file.open, argument) {
                if !calls.contains(&file.call) {
                    if calls.len() > 1 {
                        continue;
                    }
                    calls.push(file.call);
                }
                self.add(name, file.open, &calls, action, None);
            }
        }
    }

    fn add_argument(&mut self, site: Site, argument: Option<&Argument>, action: Action, unit: Option<Range>) {
        if let (Some(argument), true) = (argument, action != (None, None)) {
            for NamedFile { name, calls } in self.names.of(site, argument) {
                self.add(name, site, &calls, action, unit);
            }
        }
    }

    /// CLOSE that deletes the file of its unit.
    fn add_deleted(&mut self, site: Site, call: &Call, opens: &[(Site, &Call)]) {
        let summaries = self.paths.summaries;
        let Some(unit) = unit_of(summaries, call) else { return };
        for (open, opened) in opens.iter().filter(|(_, opened)| unit_of(summaries, opened) == Some(unit)) {
            let Some(name) = opened.arguments.get(1) else { continue };
            let open_until = self
                .until(*open, unit, &|call| ends_unit(call) && !is_one_of(call, &["fortran%close_delete"]));
            if !open_until.contain(site) {
                continue;
            }
            for NamedFile { name, mut calls } in self.names.of(*open, name) {
                calls[0] = site;
                if open.procedure != site.procedure {
                    calls.truncate(1);
                }
                self.add(name, site, &calls, (None, Some(Changing::Removes)), None);
            }
        }
    }

    /// `calls`: the statement, and the calls around it that determine the file.
    fn add(&mut self, name: FileName, call: Site, calls: &[Site], action: Action, unit: Option<Range>) {
        let block = calls.iter().find_map(|site| self.paths.in_blocks.get(site));
        self.found.push((
            name,
            FileUse {
                call,
                site: calls.last().copied().unwrap_or(call),
                read: action.0,
                change: action.1,
                unit,
                block: block.map(|leaves_files| match leaves_files {
                    true => Block::LeavesFiles,
                    false => Block::RestoresFiles,
                }),
            },
        ));
    }

    /// What the program does to the file of an OPEN statement.
    fn action_of_unit(&self, site: Site, call: &Call) -> Action {
        if is_create(call) {
            return (None, Some(Changing::Creates));
        }
        if is_replace(call) {
            return (None, Some(Changing::Replaces));
        }
        let unit = unit_of(self.paths.summaries, call);
        let has = |names: &[&str], ends: &dyn Fn(&Call) -> bool| {
            let Some(unit) = unit else { return false };
            let after = self.until(site, unit, ends);
            let mut calls = self.paths.summaries.places.program.calls();
            calls.any(|(site, _, call)| {
                is_one_of(call, names)
                    && unit_of(self.paths.summaries, call) == Some(unit)
                    && after.contain(site)
            })
        };
        let is_read = has(&READS, &|call| ends_unit(call) || is_one_of(call, &WRITES));
        let read = match (is_read, is_input(call)) {
            (true, _) => Some(Reading::Content),
            (false, true) => Some(Reading::Existence),
            (false, false) => None,
        };
        let is_written = !is_append(call) && has(&WRITES, &ends_unit);
        let change = if is_input(call) { Changing::Overwrites } else { Changing::Replaces };
        (read, is_written.then_some(change))
    }

    /// The points after an OPEN statement, up to statements with its unit that end the use.
    fn until(&self, site: Site, unit: Range, ends: &dyn Fn(&Call) -> bool) -> Points {
        let program = self.paths.summaries.places.program;
        self.paths.after_until(&[site], &|site| {
            program
                .operation(site)
                .call()
                .is_some_and(|call| ends(call) && unit_of(self.paths.summaries, call) == Some(unit))
        })
    }
}

fn unit_of(summaries: &Summaries, call: &Call) -> Option<Range> {
    call.arguments.first().and_then(|unit| summaries.units.of(unit))
}
