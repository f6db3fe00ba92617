//! Reads the content of blocks, piece by piece, and verifies it.
//!
//! In: a description and memory to fill. Out: the memory, filled. Holds afterwards: every byte that
//! was put into the memory has been held against its checksum. Reading and checking go on on two
//! threads where there is enough to do: the kernel's copy and the checksum of different pieces
//! overlap.

use super::description::{Description, Piece, Source};
use super::error::{Part, Reason, VerifyError};
use crate::format::layout::Coding;
use crate::threads::without_signals;
use std::sync::{Mutex, PoisonError};

/// Pieces smaller than this are read together.
const TOGETHER_BELOW_BYTES: u64 = 64 << 10;
const TOGETHER_BYTES: u64 = 1 << 20;
/// Read in steps that are still in the cache when they are checked.
const STEP_BYTES: usize = 256 << 10;
/// Below this a second thread does not pay.
const ALONE_BELOW_BYTES: u64 = 8 << 20;

/// A piece and where it goes.
struct Placed<'a> {
    block: usize,
    piece: Piece,
    into: &'a mut [u8],
}

/// Fills each block's memory; `into` has that block's size.
pub(super) fn load(
    description: &Description,
    blocks: Vec<(usize, &mut [u8])>,
) -> Result<(), VerifyError> {
    let total: u64 = blocks.iter().map(|(_, into)| into.len() as u64).sum();
    let tasks = Mutex::new(group(description, blocks).into_iter());
    let work = || -> Result<(), VerifyError> {
        let mut scratch = Vec::new();
        loop {
            // A poisoned lock is a thread that panicked: its result says so.
            let task = tasks.lock().ok().and_then(|mut tasks| tasks.next());
            let Some(task) = task else { return Ok(()) };
            fill(description, task, &mut scratch)?;
        }
    };
    let alone = total < ALONE_BELOW_BYTES
        || std::thread::available_parallelism().is_ok_and(|threads| threads.get() == 1);
    if alone {
        return work();
    }
    std::thread::scope(|scope| {
        // When there is no thread to be had, this one does it all.
        let helper = without_signals(|| std::thread::Builder::new().spawn_scoped(scope, work)).ok();
        let own = work();
        match helper.map(|helper| helper.join()) {
            None | Some(Ok(Ok(()))) => own,
            Some(Ok(Err(error))) => own.and(Err(error)),
            Some(Err(panic)) => std::panic::resume_unwind(panic),
        }
    })
}

/// Pieces that lie behind one another in the file and are small go together.
fn group<'a>(description: &Description, blocks: Vec<(usize, &'a mut [u8])>) -> Vec<Vec<Placed<'a>>> {
    let is_in_file = matches!(description.source, Source::File(_));
    let mut tasks: Vec<Vec<Placed>> = Vec::new();
    // Where the last task ends, and how much it reads; none when nothing may join it.
    let mut open: Option<(u64, u64)> = None;
    for (block, mut memory) in blocks {
        for &piece in description.pieces_of(block) {
            let (into, rest) = memory.split_at_mut(piece.bytes);
            memory = rest;
            let stored = u64::from(piece.entry.stored_bytes);
            let part = Placed { block, piece, into };
            let small = is_in_file && stored < TOGETHER_BELOW_BYTES;
            match (open, tasks.last_mut()) {
                (Some((end, read)), Some(task))
                    if small && end == piece.offset && read < TOGETHER_BYTES =>
                {
                    task.push(part);
                    open = Some((end + stored, read + stored));
                }
                _ => {
                    tasks.push(vec![part]);
                    open = small.then_some((piece.offset + stored, stored));
                }
            }
        }
    }
    tasks
}

fn fill(description: &Description, task: Vec<Placed>, scratch: &mut Vec<u8>) -> Result<(), VerifyError> {
    match <[Placed; 1]>::try_from(task) {
        Ok([part]) if part.piece.entry.coding == Coding::Plain => read_plain(description, part),
        Ok(parts) => fill_together(description, parts.into(), scratch),
        Err(parts) => fill_together(description, parts, scratch),
    }
}

/// Straight into its place.
fn read_plain(description: &Description, part: Placed) -> Result<(), VerifyError> {
    let mut hasher = crc32fast::Hasher::new();
    let mut offset = part.piece.offset;
    for step in part.into.chunks_mut(STEP_BYTES) {
        read(description, part.block, offset, step)?;
        hasher.update(step);
        offset += step.len() as u64;
    }
    if hasher.finalize() == part.piece.entry.crc {
        Ok(())
    } else {
        Err(description.damaged(part.block, part.piece.offset))
    }
}

/// Through `scratch`: one read for all pieces of the task.
fn fill_together(
    description: &Description,
    parts: Vec<Placed>,
    scratch: &mut Vec<u8>,
) -> Result<(), VerifyError> {
    let Some(first) = parts.first() else { return Ok(()) };
    let (block, start) = (first.block, first.piece.offset);
    let total: usize = parts.iter().map(|part| part.piece.entry.stored_bytes as usize).sum();
    scratch.resize(total, 0);
    read(description, block, start, scratch)?;
    let mut rest = &scratch[..];
    for part in parts {
        let (stored, behind) = rest.split_at(part.piece.entry.stored_bytes as usize);
        rest = behind;
        put(&part.piece, stored, part.into)
            .ok_or_else(|| description.damaged(part.block, part.piece.offset))?;
    }
    Ok(())
}

/// Puts a stored piece in place; none when it is not what was written.
fn put(piece: &Piece, stored: &[u8], into: &mut [u8]) -> Option<()> {
    if crc32fast::hash(stored) != piece.entry.crc {
        return None;
    }
    match piece.entry.coding {
        Coding::Plain => into.copy_from_slice(stored),
        Coding::Packed(method) => method.unpack(stored, into).ok()?,
    }
    Some(())
}

/// Reads one piece into `into`, which is made to have its size.
pub(super) fn read_piece(
    description: &Description,
    block: usize,
    piece: &Piece,
    into: &mut Vec<u8>,
) -> Result<(), VerifyError> {
    into.resize(piece.bytes, 0);
    let part = Placed { block, piece: *piece, into };
    fill(description, vec![part], &mut Vec::new())
}

/// Whether the bytes between blocks are what was written there: zeros.
pub(super) fn check_padding(description: &Description) -> Result<(), VerifyError> {
    for &(offset, length) in &description.padding {
        let mut gap = vec![0; length];
        // Only a file has padding, and it lies in no block.
        read(description, 0, offset, &mut gap)?;
        if gap.iter().any(|&byte| byte != 0) {
            return Err(description.error(Reason::Damaged { part: Part::Padding, offset }));
        }
    }
    Ok(())
}

/// Reads from the file at `offset`, or from that place in the block when a plugin has it.
fn read(description: &Description, block: usize, offset: u64, into: &mut [u8]) -> Result<(), VerifyError> {
    let result = match &description.source {
        Source::File(file) => file.read_at(offset, into).map_err(Reason::Unreadable),
        Source::Plugin(input) => {
            // A thread that panicked over it has left it as it was between two calls.
            let mut input = input.lock().unwrap_or_else(PoisonError::into_inner);
            input.read(block as u64, offset, into).map_err(Reason::Plugin)
        }
    };
    result.map_err(|reason| description.error(reason))
}
