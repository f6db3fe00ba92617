//! The entries of a frame's part of the plan.
//!
//! Input: the blocks and calls that ran.
//! Output: those that a restart still needs.
//! Postcondition: an execute block has one entry for each distinct set of captures, at the position of its
//! last run. The same holds for a call if the later call ran all its blocks again, except that a call in
//! which a live register was made keeps its entry. Of the runs of a block whose files are all closed, only
//! the last ones keep their entries.

use super::capture::Captures;
use crate::files::TrackedFile;
use crate::register::{EntryId, Symbol, Table};
use std::collections::HashMap;

#[derive(Debug)]
pub struct Entry {
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
        entries: Vec<Entry>,
    },
}

/// Removes the entries that a restart no longer needs.
pub fn prune(entries: &mut Vec<Entry>, table: &mut Table) {
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
pub fn discard(entries: &mut Vec<Entry>, table: &mut Table) {
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
pub fn forget_closed(entries: &mut Vec<Entry>, procedure: Symbol, counts: &mut HashMap<(Symbol, i32), u32>) {
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
/// files of the same names.
pub fn add_execute(entries: &mut Vec<Entry>, block: i32, captures: &Captures, mut opened: Vec<TrackedFile>) {
    let names = |files: &[TrackedFile], others: &[TrackedFile]| {
        files.iter().map(TrackedFile::name).eq(others.iter().map(TrackedFile::name))
    };
    let earlier = entries.iter_mut().enumerate().rev().find_map(|(index, entry)| match &mut entry.kind {
        EntryKind::Execute { captures: found, files }
            if entry.block == block && found == captures && names(files, &opened) =>
        {
            Some((index, files))
        }
        _ => None,
    });
    match earlier {
        Some((index, files)) => {
            opened.iter_mut().zip(files.iter_mut()).for_each(|(new, old)| new.take_over(old));
            *files = opened;
            entries[index..].rotate_left(1);
        }
        None => entries
            .push(Entry { block, kind: EntryKind::Execute { captures: captures.clone(), files: opened } }),
    }
}

/// Visits the files that blocks have opened, in the order of the plan.
pub fn each_file<E>(
    entries: &mut [Entry],
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
    entries: &mut Vec<Entry>,
    block: i32,
    callee: Symbol,
    captures: &Captures,
    left: &mut Vec<Entry>,
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
            let earlier = reused.replace(entries.remove(index));
            if let Some(Entry { kind: EntryKind::Call { entries: mut inner, .. }, .. }) = earlier {
                discard(&mut inner, table);
            }
        } else {
            index += 1;
        }
    }
    let mut entry = reused.unwrap_or_else(|| Entry {
        block,
        kind: EntryKind::Call { callee, captures: Captures::default(), entries: Vec::new() },
    });
    entry.block = block;
    if let EntryKind::Call { entries: inner, captures: kept, callee: called } = &mut entry.kind {
        *called = callee;
        kept.assign(captures);
        discard(inner, table);
        std::mem::swap(inner, left);
    }
    entries.push(entry);
}

/// Whether each execute block in the earlier entries has also run in the newer ones, with the same captures
/// and files. Equal arguments of a call do not imply this, because its blocks may capture other variables.
fn covers(newer: &[Entry], earlier: &[Entry]) -> bool {
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
