//! Reads the content of blocks, piece by piece, and verifies it.
//!
//! In: a description and memory to fill. Out: the memory, filled. Holds afterwards: every byte that
//! was put into the memory has been held against its checksum. Reading and checking go on on several
//! threads where there is enough to do; each writes for the first time to the memory that it fills, so
//! that the system makes the pages of several places at once.

use super::content::Piece;
use super::description::{Description, Source};
use super::error::{Part, Reason, VerifyError};
use crate::format::layout::Coding;
use crate::memory::Room;
use crate::threads::{threads_for, without_signals};
use crate::storage::File;
use std::sync::{Mutex, PoisonError};

/// Pieces smaller than this are read together.
const TOGETHER_BELOW_BYTES: u64 = 16 << 10;
/// What one thread takes at a time.
const TASK_BYTES: u64 = 1 << 20;
/// Read in steps that are still in the cache when they are checked.
const STEP_BYTES: usize = 256 << 10;

/// A piece and where it goes.
struct Placed<'a> {
    block: usize,
    piece: Piece,
    into: Room<'a>,
}

/// What a thread keeps from one task to the next.
#[derive(Default)]
struct Scratch {
    stored: Vec<u8>,
    grouped: Vec<u8>,
}

/// Pieces of one file, in its order.
struct Task<'a> {
    parts: Vec<Placed<'a>>,
    /// They lie behind one another in the file, and are read in one go.
    is_joined: bool,
    stored_bytes: u64,
}

/// Fills each block's memory; `into` has that block's size.
pub(super) fn load(description: &Description, blocks: Vec<(usize, Room)>) -> Result<(), VerifyError> {
    let total: usize = blocks.iter().map(|(_, into)| into.len()).sum();
    let tasks = Mutex::new(divide(description, blocks).into_iter());
    let work = || -> Result<(), VerifyError> {
        let mut scratch = Scratch::default();
        loop {
            // A poisoned lock is a thread that panicked: its result says so.
            let task = tasks.lock().ok().and_then(|mut tasks| tasks.next());
            let Some(task) = task else { return Ok(()) };
            fill(description, task, &mut scratch)?;
        }
    };
    std::thread::scope(|scope| {
        let start = || without_signals(|| std::thread::Builder::new().spawn_scoped(scope, work));
        // When there is no thread to be had, this one does it all.
        let helpers: Vec<_> = (1..threads_for(total)).map_while(|_| start().ok()).collect();
        let own = work();
        helpers.into_iter().fold(own, |so_far, helper| match helper.join() {
            Ok(result) => so_far.and(result),
            Err(panic) => std::panic::resume_unwind(panic),
        })
    })
}

/// Pieces of one file go together, up to a limit; small ones are joined if they lie behind one another.
fn divide<'a>(description: &Description, blocks: Vec<(usize, Room<'a>)>) -> Vec<Task<'a>> {
    let is_in_file = matches!(description.source, Source::File(_));
    let mut tasks: Vec<Task> = Vec::new();
    for (block, mut memory) in blocks {
        for piece in description.content.all(block) {
            let (into, rest) = memory.split(piece.bytes as usize);
            memory = rest;
            if piece.coding == Coding::Zero {
                // In one, since only whole pages can be left untouched.
                tasks.push(Task { parts: vec![Placed { block, piece, into }], is_joined: false, stored_bytes: TASK_BYTES });
                continue;
            }
            let stored_bytes = u64::from(piece.stored.bytes);
            let is_joined = is_in_file && stored_bytes < TOGETHER_BELOW_BYTES;
            let part = Placed { block, piece, into };
            match tasks.last_mut() {
                Some(task) if task.takes(&piece, is_joined) => {
                    task.stored_bytes += stored_bytes;
                    task.parts.push(part);
                }
                _ => tasks.push(Task { parts: vec![part], is_joined, stored_bytes }),
            }
        }
    }
    tasks
}

impl Task<'_> {
    fn takes(&self, piece: &Piece, is_joined: bool) -> bool {
        let Some(last) = self.parts.last().map(|part| part.piece) else { return true };
        let follows = last.offset + u64::from(last.stored.bytes) == piece.offset;
        self.stored_bytes < TASK_BYTES
            && self.is_joined == is_joined
            && last.base == piece.base
            && (follows || !is_joined)
    }
}

fn fill(description: &Description, task: Task, scratch: &mut Scratch) -> Result<(), VerifyError> {
    let Some(base) = task.parts.first().map(|part| part.piece.base) else { return Ok(()) };
    let file = description.file(base)?;
    let from = From { description, file: file.as_deref() };
    if task.is_joined && task.parts.len() > 1 {
        return from.fill_together(task.parts, scratch);
    }
    task.parts.into_iter().try_for_each(|part| match part.piece.coding {
        Coding::Plain => from.read_plain(part),
        Coding::Zero => {
            part.into.zeros();
            Ok(())
        }
        Coding::Packed(_) => from.fill_together(vec![part], scratch),
    })
}

/// Where a task is read from.
struct From<'a> {
    description: &'a Description,
    /// None when a plugin has the content.
    file: Option<&'a dyn File>,
}

impl From<'_> {
    /// Straight into its place.
    fn read_plain(&self, part: Placed) -> Result<(), VerifyError> {
        let mut hasher = crc32fast::Hasher::new();
        let mut offset = part.piece.offset;
        let mut left = part.into;
        while !left.is_empty() {
            let (step, behind) = left.split(STEP_BYTES);
            left = behind;
            let step = step.open();
            self.read(&part.piece, part.block, offset, step)?;
            hasher.update(step);
            offset += step.len() as u64;
        }
        if hasher.finalize() == part.piece.stored.crc {
            Ok(())
        } else {
            Err(self.description.damaged(part.block, &part.piece))
        }
    }

    /// Through `scratch`: one read for all pieces.
    fn fill_together(&self, parts: Vec<Placed>, scratch: &mut Scratch) -> Result<(), VerifyError> {
        let Some(first) = parts.first() else { return Ok(()) };
        let total: usize = parts.iter().map(|part| part.piece.stored.bytes as usize).sum();
        let Scratch { stored, grouped } = scratch;
        stored.resize(total, 0);
        self.read(&first.piece, first.block, first.piece.offset, stored)?;
        let mut rest = &stored[..];
        for part in parts {
            let (stored, behind) = rest.split_at(part.piece.stored.bytes as usize);
            rest = behind;
            put(&part.piece, stored, part.into, grouped)
                .ok_or_else(|| self.description.damaged(part.block, &part.piece))?;
        }
        Ok(())
    }

    /// Reads from the file at `offset`, or from that place in the block when a plugin has it.
    fn read(&self, piece: &Piece, block: usize, offset: u64, into: &mut [u8]) -> Result<(), VerifyError> {
        let result = match (self.file, &self.description.source) {
            (Some(file), _) => {
                file.read_at(offset, into).map_err(|error| self.description.in_file(piece.base, Reason::Unreadable(error)))
            }
            (None, Source::Plugin(input)) => {
                // A thread that panicked over it has left it as it was between two calls.
                let mut input = input.lock().unwrap_or_else(PoisonError::into_inner);
                input.read(block as u64, offset, into).map_err(Reason::Plugin)
            }
            (None, Source::File(file)) => file.read_at(offset, into).map_err(Reason::Unreadable),
        };
        result.map_err(|reason| self.description.error(reason))
    }
}

/// Puts a stored piece in place; none when it is not what was written.
fn put(piece: &Piece, stored: &[u8], into: Room, grouped: &mut Vec<u8>) -> Option<()> {
    if crc32fast::hash(stored) != piece.stored.crc {
        return None;
    }
    let into = into.open();
    match piece.coding {
        Coding::Plain => into.copy_from_slice(stored),
        Coding::Packed(method) => method.unpack(stored, into, grouped).ok()?,
        Coding::Zero => into.fill(0),
    }
    Some(())
}

/// Reads one piece, which is not one of zeros, into `into`, which is made to have its size.
pub(super) fn read_piece(
    description: &Description,
    block: usize,
    piece: &Piece,
    into: &mut Vec<u8>,
) -> Result<(), VerifyError> {
    into.resize(piece.bytes as usize, 0);
    let parts = vec![Placed { block, piece: *piece, into: into.as_mut_slice().into() }];
    fill(description, Task { parts, is_joined: false, stored_bytes: 0 }, &mut Scratch::default())
}

/// Whether the bytes between blocks are what was written there: zeros.
pub(super) fn check_padding(description: &Description) -> Result<(), VerifyError> {
    let Source::File(file) = &description.source else { return Ok(()) };
    for &(offset, length) in &description.content.padding {
        let mut gap = vec![0; length];
        file.read_at(offset, &mut gap).map_err(|error| description.error(Reason::Unreadable(error)))?;
        if gap.iter().any(|&byte| byte != 0) {
            return Err(description.error(Reason::Damaged { part: Part::Padding, offset }));
        }
    }
    Ok(())
}
