//! The entries of a frame's part of the plan.
//!
//! Input: the blocks and calls that ran.
//! Output: those that a restart still needs.
//! Postcondition: an execute block has one entry for each distinct set of captures, at the position of its
//! last run. The same holds for a call if the later call ran all its blocks again, except that a call in
//! which a live register was made keeps its entry. Of the runs of a block whose files are all closed, only
//! the last ones keep their entries.

use super::capture::{self, Captures};
use crate::files::TrackedFile;
use crate::register::{EntryId, Symbol, Table};
use std::collections::{HashMap, VecDeque};

/// In the order of `number`.
pub type Entries = VecDeque<Entry>;

#[derive(Debug)]
pub struct Entry {
    /// Later entries of a list have larger numbers.
    pub number: u64,
    pub block: i32,
    pub kind: EntryKind,
}

#[derive(Debug)]
pub enum EntryKind {
    Init,
    Register(EntryId),
    /// With the files that the block has opened.
    Execute {
        captures: Captures,
        files: Vec<TrackedFile>,
    },
    Call {
        callee: Symbol,
        captures: Captures,
        entries: Entries,
    },
}

/// Adds an entry.
pub fn push(entries: &mut Entries, block: i32, kind: EntryKind) {
    let number = next_number(entries);
    entries.push_back(Entry { number, block, kind });
}

fn next_number(entries: &Entries) -> u64 {
    entries.back().map_or(0, |last| last.number + 1)
}

/// The runs of execute blocks in a list of entries.
///
/// Postcondition: each run of the list is in it. Runs that were removed from the list may still be in it.
#[derive(Debug, Default)]
pub struct Runs {
    /// The numbers of the last entries, by the block and a hash of the captures and the names of the files.
    numbers: HashMap<(i32, u64), u64>,
}

impl Runs {
    pub fn clear(&mut self) {
        self.numbers.clear();
    }

    /// Finds the earlier run with these captures and files, and replaces it with the one with the number `new`.
    fn replace(
        &mut self,
        entries: &Entries,
        block: i32,
        (captures, opened): (&Captures, &[TrackedFile]),
        new: u64,
    ) -> Option<usize> {
        let is_same = |entry: &Entry| match &entry.kind {
            EntryKind::Execute { captures: found, files } => {
                let names = |files: &[TrackedFile], others: &[TrackedFile]| {
                    files.iter().map(TrackedFile::name).eq(others.iter().map(TrackedFile::name))
                };
                entry.block == block && found == captures && names(files, opened)
            }
            EntryKind::Init | EntryKind::Register(_) | EntryKind::Call { .. } => false,
        };
        let number = self.numbers.insert(Runs::key(block, captures, opened), new)?;
        let position = entries.binary_search_by_key(&number, |entry| entry.number).ok();
        // Another run may have the same hash, or the number may belong to a later entry.
        position.filter(|&position| is_same(&entries[position])).or_else(|| entries.iter().rposition(is_same))
    }

    fn key(block: i32, captures: &Captures, opened: &[TrackedFile]) -> (i32, u64) {
        let names = opened.iter().map(TrackedFile::name);
        (block, names.fold(captures.hash(), |hash, name| capture::hash(hash, name.as_bytes())))
    }

    /// Forgets runs that were removed from the list, if there are many.
    fn shrink(&mut self, entries: &Entries) {
        if self.numbers.len() <= 64 + 2 * entries.len() {
            return;
        }
        self.numbers.clear();
        for entry in entries {
            if let EntryKind::Execute { captures, files } = &entry.kind {
                self.numbers.insert(Runs::key(entry.block, captures, files), entry.number);
            }
        }
    }
}

/// Removes the entries that a restart no longer needs.
pub fn prune(entries: &mut Entries, table: &mut Table) {
    entries.retain_mut(|entry| match &mut entry.kind {
        EntryKind::Init | EntryKind::Execute { .. } => true,
        EntryKind::Register(id) => {
            let is_live = table.is_entry_live(*id);
            if !is_live {
                table.close_entry(*id);
            }
            is_live
        }
        EntryKind::Call { entries, .. } => {
            prune(entries, table);
            !entries.is_empty()
        }
    });
}

/// Removes all entries, even those that are still needed.
pub fn discard(entries: &mut Entries, table: &mut Table) {
    for entry in entries.drain(..) {
        match entry.kind {
            EntryKind::Init | EntryKind::Execute { .. } => {}
            EntryKind::Register(id) => table.close_entry(id),
            EntryKind::Call { mut entries, .. } => discard(&mut entries, table),
        }
    }
}

/// How many runs of a block keep their entries after all their files were closed. A block may do more than
/// open files, so many are kept. A restart opens each of these files again, so not all are kept.
const MOST_CLOSED: u32 = 256;

/// Counts the runs of blocks whose files are all closed, from the newest one. Removes the oldest runs beyond
/// the limit, and the calls that become empty.
pub fn forget_closed(entries: &mut Entries, procedure: Symbol, counts: &mut HashMap<(Symbol, i32), u32>) {
    let mut stays: Vec<bool> = entries
        .iter_mut()
        .rev()
        .map(|entry| match &mut entry.kind {
            EntryKind::Execute { files, .. }
                if !files.is_empty() && files.iter().all(TrackedFile::is_over) =>
            {
                let count = counts.entry((procedure, entry.block)).or_default();
                *count += 1;
                *count <= MOST_CLOSED
            }
            EntryKind::Call { callee, entries, .. } => {
                forget_closed(entries, *callee, counts);
                !entries.is_empty()
            }
            EntryKind::Init | EntryKind::Register(_) | EntryKind::Execute { .. } => true,
        })
        .collect();
    entries.retain(|_| stays.pop().unwrap_or(true));
}

/// Adds a run of an execute block that has opened these files. It replaces an earlier run only if both opened
/// files of the same names. `runs`: those in `entries`.
pub fn add_execute(
    entries: &mut Entries,
    runs: &mut Runs,
    block: i32,
    captures: &Captures,
    mut opened: Vec<TrackedFile>,
) {
    let number = next_number(entries);
    let earlier = runs.replace(entries, block, (captures, &opened), number);
    match earlier.and_then(|index| entries.remove(index)) {
        Some(Entry { kind: EntryKind::Execute { captures, mut files }, .. }) => {
            opened.iter_mut().zip(&mut files).for_each(|(new, old)| new.take_over(old));
            entries.push_back(Entry { number, block, kind: EntryKind::Execute { captures, files: opened } });
        }
        Some(_) | None => {
            let kind = EntryKind::Execute { captures: captures.clone(), files: opened };
            entries.push_back(Entry { number, block, kind });
        }
    }
    runs.shrink(entries);
}

/// Visits the files that blocks have opened, in the order of the plan.
pub fn each_file<E>(
    entries: &mut Entries,
    visit: &mut dyn FnMut(&mut TrackedFile) -> Result<(), E>,
) -> Result<(), E> {
    for entry in entries {
        match &mut entry.kind {
            EntryKind::Execute { files, .. } => files.iter_mut().try_for_each(&mut *visit)?,
            EntryKind::Call { entries, .. } => each_file(entries, visit)?,
            EntryKind::Init | EntryKind::Register(_) => {}
        }
    }
    Ok(())
}

/// Adds a call that has returned and left the entries `left`, which is not empty. Afterwards `left` is empty,
/// but may have memory to be reused.
pub fn add_call(
    entries: &mut Entries,
    block: i32,
    callee: Symbol,
    captures: &Captures,
    left: &mut Entries,
    table: &mut Table,
) {
    let runs_again = |entry: &Entry| match &entry.kind {
        EntryKind::Call { callee: earlier, captures: found, entries } => {
            entry.block == block && *earlier == callee && found == captures && covers(left, entries)
        }
        EntryKind::Init | EntryKind::Register(_) | EntryKind::Execute { .. } => false,
    };
    // A removed entry gives its memory to the new entry.
    let mut reused = None;
    let mut index = 0;
    while index < entries.len() {
        let entry = &entries[index];
        let is_over = runs_again(entry) && !must_stay(entry, table);
        if is_over || (matches!(entry.kind, EntryKind::Call { .. }) && is_dead(entry, table)) {
            let earlier = std::mem::replace(&mut reused, entries.remove(index));
            if let Some(Entry { kind: EntryKind::Call { entries: mut inner, .. }, .. }) = earlier {
                discard(&mut inner, table);
            }
        } else {
            index += 1;
        }
    }
    let number = next_number(entries);
    let mut entry = reused.unwrap_or_else(|| Entry {
        number,
        block,
        kind: EntryKind::Call { callee, captures: Captures::default(), entries: Entries::new() },
    });
    (entry.number, entry.block) = (number, block);
    if let EntryKind::Call { entries: inner, captures: kept, callee: called } = &mut entry.kind {
        *called = callee;
        kept.assign(captures);
        discard(inner, table);
        std::mem::swap(inner, left);
    }
    entries.push_back(entry);
}

/// Whether each execute block in the earlier entries has also run in the newer ones, with the same captures
/// and files. Equal arguments of a call do not imply this, because its blocks may capture other variables.
fn covers(newer: &Entries, earlier: &Entries) -> bool {
    let names = |files: &[TrackedFile]| files.iter().map(|file| file.name().to_owned()).collect::<Vec<_>>();
    let has = |wanted: &Entry| {
        newer.iter().filter(|entry| entry.block == wanted.block).any(|entry| {
            match (&entry.kind, &wanted.kind) {
                (
                    EntryKind::Execute { captures, files },
                    EntryKind::Execute { captures: other, files: others },
                ) => captures == other && names(files) == names(others),
                (
                    EntryKind::Call { callee, captures, entries },
                    EntryKind::Call { callee: other, captures: others, entries: inner },
                ) => callee == other && captures == others && covers(entries, inner),
                (
                    EntryKind::Init
                    | EntryKind::Register(_)
                    | EntryKind::Execute { .. }
                    | EntryKind::Call { .. },
                    _,
                ) => false,
            }
        })
    };
    earlier.iter().all(|entry| match entry.kind {
        EntryKind::Init | EntryKind::Register(_) => true,
        EntryKind::Execute { .. } | EntryKind::Call { .. } => has(entry),
    })
}

/// Whether a restart no longer needs anything in it.
fn is_dead(entry: &Entry, table: &Table) -> bool {
    match &entry.kind {
        EntryKind::Init | EntryKind::Execute { .. } => false,
        EntryKind::Register(id) => !table.is_entry_live(*id),
        EntryKind::Call { entries, .. } => entries.iter().all(|entry| is_dead(entry, table)),
    }
}

/// Whether a live register was made in it, or `CPPC_Init` ran there.
fn must_stay(entry: &Entry, table: &Table) -> bool {
    match &entry.kind {
        EntryKind::Init => true,
        EntryKind::Register(id) => table.is_entry_live(*id),
        EntryKind::Execute { .. } => false,
        EntryKind::Call { entries, .. } => entries.iter().any(|entry| must_stay(entry, table)),
    }
}
