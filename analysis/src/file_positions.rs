//! Files that a restart opens again at their beginnings, although the program was further.
//!
//! Input: the paths through the program, and the calls that open files.
//! Output: the checkpoints at which the position in such a file is lost: an execute block without `file` opens the file, or it
//! is opened before `init`.
//! Postcondition: other files are opened after the last checkpoint, the runtime restores their positions, or their handles
//! are lost. Only uses outside of execute blocks and after `init` count: a restart repeats the others.

use rustc_hash::FxHashSet;

use crate::file_modes::{first_handles, Mode, OpenedFile};
use crate::handles::{argument_is_in, copies, is_in};
use crate::paths::Paths;
use crate::points_to::Target;
use crate::program::{Argument, Call, Directive, OperationKind, Site};
use crate::sets::Bytes;
use crate::units::{ends_unit, moves_unit, rewinds_unit, writes_record};

/// A position in a file that a restart does not restore.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LostPosition {
    pub checkpoint: Site,
    /// The call that opens the file.
    pub open: Site,
    /// It is before `init`. Otherwise, it is in an execute block.
    pub is_early: bool,
    /// The call before the checkpoint that has moved the position. None for a file that is opened for appending.
    pub moved: Option<Site>,
    /// The next use of the file. None if opening the file removes its content.
    pub used: Option<Site>,
}

pub fn lost_positions(paths: &Paths, opened: &[OpenedFile]) -> Vec<LostPosition> {
    if opened.is_empty() {
        return Vec::new();
    }
    let program = paths.summaries.places.program;
    let is_init = |site: Site| {
        let OperationKind::Directive(directive) = &program.operation(site).kind else { return false };
        matches!(**directive, Directive::Init)
    };
    let inits: Vec<Site> = program.operations().map(|(site, _)| site).filter(|site| is_init(*site)).collect();
    let early = paths.up_to(&is_init);
    let mut found = Vec::new();
    for file in opened.iter().filter(|file| !inits.is_empty() && early.contain(file.call)) {
        found.extend(Opened::new(paths, *file, true).lost(&inits));
    }
    let blocks = paths.in_blocks.iter().filter(|(_, leaves_files)| **leaves_files).map(|(site, _)| *site);
    let mut blocks: Vec<Site> = blocks.collect();
    blocks.sort();
    for block in blocks {
        let inside = paths.inside(block);
        // Those that append and those that must create the file are reported by themselves.
        let is_here = |file: &&OpenedFile| {
            !matches!(file.mode, Mode::Appends | Mode::Creates)
                && (file.call == block || inside.contain(file.call))
        };
        for file in opened.iter().filter(is_here) {
            // The call in the block returns the handle.
            let file = OpenedFile { call: block, ..*file };
            found.extend(Opened::new(paths, file, false).lost(&[block]));
        }
    }
    let mut reported = FxHashSet::default();
    found.retain(|position: &LostPosition| reported.insert(position.open));
    found
}

/// The calls that use one opened file.
struct Opened<'a> {
    paths: &'a Paths<'a>,
    file: OpenedFile,
    is_early: bool,
    /// They move the position.
    moves: Vec<Site>,
    /// They set the position to one that does not depend on the one before.
    sets: FxHashSet<Site>,
    /// After them, the file is closed or opened again.
    ends: FxHashSet<Site>,
}

/// Calls with a stream that neither move nor set its position.
const STILL: [&str; 16] = [
    "clearerr",
    "feof",
    "ferror",
    "fflush",
    "fgetpos",
    "fileno",
    "flockfile",
    "ftell",
    "ftello",
    "ftrylockfile",
    "funlockfile",
    "fwide",
    "setbuf",
    "setbuffer",
    "setlinebuf",
    "setvbuf",
];
/// Calls that set a position.
const SETS: [&str; 5] = ["fseek", "fseeko", "fsetpos", "lseek", "rewind"];
/// Calls with a descriptor that use its position or write. They do not say that they use a handle.
const WITH_DESCRIPTOR: [&str; 8] =
    ["dprintf", "lseek", "pwrite", "pwritev", "read", "readv", "write", "writev"];
/// Calls that write at a position of their own.
const WRITES: [&str; 2] = ["pwrite", "pwritev"];

/// How a call uses a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    Moves,
    Sets,
    Ends,
}

impl<'a> Opened<'a> {
    fn new(paths: &'a Paths<'a>, file: OpenedFile, is_early: bool) -> Opened<'a> {
        let mut opened = Opened {
            paths,
            file,
            is_early,
            moves: Vec::new(),
            sets: FxHashSet::default(),
            ends: FxHashSet::default(),
        };
        let summaries = paths.summaries;
        let first = first_handles(summaries, &file);
        let handles = copies(summaries, first.clone());
        for (site, _, call) in summaries.places.program.calls() {
            // A restart repeats the uses in a block.
            let is_in_block = paths.in_blocks.contains_key(&site);
            match opened.use_of(site, call, &handles) {
                Some(Use::Moves) if !is_in_block => opened.moves.push(site),
                Some(Use::Sets) if !is_in_block => drop(opened.sets.insert(site)),
                Some(Use::Ends) => drop(opened.ends.insert(site)),
                Some(Use::Moves | Use::Sets) | None => {}
            }
            // Another file gets the variable.
            if site != file.call && call.result.as_ref().is_some_and(|to| is_in(summaries, to, &first)) {
                opened.ends.insert(site);
            }
        }
        opened
    }

    fn use_of(&self, site: Site, call: &Call, handles: &Bytes) -> Option<Use> {
        let summaries = self.paths.summaries;
        if let Some(unit) = call.arguments.first().and_then(|unit| summaries.units.of(unit)) {
            let is_same = handles.overlaps(unit);
            // A record has a position of its own.
            let writes = moves_unit(call) || writes_record(call) && self.file.mode == Mode::Truncates;
            let uses = [(writes, Use::Moves), (rewinds_unit(call), Use::Sets), (ends_unit(call), Use::Ends)];
            if let Some((_, found)) = uses.into_iter().find(|(is_used, _)| is_same && *is_used) {
                return Some(found);
            }
        }
        summaries.places.calls.targets(site).iter().find_map(|target| {
            let Target::Outside(name) = target else { return None };
            let effects = summaries.effects.effects(name)?;
            let is_descriptor = WITH_DESCRIPTOR.contains(&name.as_str());
            let mut arguments = call.arguments.iter().enumerate();
            let ends = arguments.find_map(|(number, argument)| {
                let parameter = effects.parameter(number);
                let is_handle = parameter.uses.is_some() || is_descriptor && number == 0;
                (is_handle && self.is_handle(argument, handles)).then_some(parameter.ends)
            })?;
            match name.as_str() {
                _ if ends => Some(Use::Ends),
                name if SETS.contains(&name) => Some(Use::Sets),
                name if STILL.contains(&name) => None,
                name if WRITES.contains(&name) && self.file.mode != Mode::Truncates => None,
                _ => Some(Use::Moves),
            }
        })
    }

    fn is_handle(&self, argument: &Argument, handles: &Bytes) -> bool {
        argument_is_in(self.paths.summaries, argument, handles)
    }

    /// The position that is lost, if the program continues after these operations once the file is open.
    fn lost(&self, starts: &[Site]) -> Option<LostPosition> {
        let ends = |site: Site| self.ends.contains(&site) || site == self.file.call;
        if self.is_early {
            let open = self.paths.after_until(&[self.file.call], &ends);
            if !starts.iter().any(|init| open.contain(*init)) {
                // It is closed before `init`.
                return None;
            }
        }
        let after = self.paths.after_until(starts, &ends);
        let moves: Vec<Site> = self.moves.iter().copied().filter(|site| after.contain(*site)).collect();
        let mut checkpoints: Vec<Site> = self.paths.summaries.places.program.checkpoints().collect();
        let lost = |checkpoint, moved, used| {
            let (open, is_early) = (self.file.open, self.is_early);
            Some(LostPosition { checkpoint, open, is_early, moved, used })
        };
        if self.file.mode == Mode::Truncates {
            // Closing the file changes nothing.
            let &moved = moves.first()?;
            let later = self.paths.after_until(&moves, &|_| false);
            let checkpoint = checkpoints.into_iter().find(|site| later.contain(*site))?;
            return lost(checkpoint, Some(moved), None);
        }
        let later = match self.file.mode {
            Mode::Appends => after,
            Mode::Updates | Mode::Truncates | Mode::Creates | Mode::Overwrites { .. } | Mode::Other => {
                self.paths.after_until(&moves, &ends)
            }
        };
        checkpoints.retain(|site| later.contain(*site));
        checkpoints.into_iter().find_map(|checkpoint| {
            let stops = |site: Site| ends(site) || self.sets.contains(&site);
            let next = self.paths.after_until(&[checkpoint], &stops);
            let &used = self.moves.iter().find(|site| next.contain(**site))?;
            lost(checkpoint, moves.first().copied().filter(|_| self.file.mode != Mode::Appends), Some(used))
        })
    }
}
