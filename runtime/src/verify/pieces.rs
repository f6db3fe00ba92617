//! Reads the content of memory blocks, piece by piece, and verifies it.
//!
//! Input: a description and memory to fill.
//! Output: the memory, filled.
//! Postcondition: every byte in the memory was checked against its checksum. If there is enough to do,
//! several threads read and check. Each thread is the first to write to the memory that it fills, so the
//! system creates the pages in parallel.

use super::description::{ContentSource, Description};
use super::error::{FilePart, Reason, VerifyError};
use super::piece_map::FilePiece;
use crate::format::layout::Codec;
use crate::memory::UnwrittenPart;
use crate::storage::File;
use crate::threads::own_table::inherit;
use crate::threads::{threads_for, without_signals};
use std::sync::{Mutex, PoisonError};

/// Pieces smaller than this are read together.
const TOGETHER_BELOW_BYTES: u64 = 16 << 10;
/// The number of bytes that one thread takes at a time.
const TASK_BYTES: u64 = 1 << 20;
/// The number of bytes that are read at once, so that they are still in the cache when they are checked.
const STEP_BYTES: usize = 256 << 10;

/// A piece and the memory that it fills.
struct PieceRead<'a> {
    block: usize,
    piece: FilePiece,
    into: UnwrittenPart<'a>,
}

/// Buffers that a thread keeps from one task to the next.
#[derive(Default)]
struct Scratch {
    stored: Vec<u8>,
    grouped: Vec<u8>,
}

/// Pieces of one file, in its order.
struct ReadTask<'a> {
    parts: Vec<PieceRead<'a>>,
    /// The pieces are adjacent in the file and are read at once.
    is_joined: bool,
    stored_bytes: u64,
}

/// Fills the memory of each block. `into` has the size of that block.
pub(super) fn load(
    description: &Description,
    blocks: Vec<(usize, UnwrittenPart)>,
) -> Result<(), VerifyError> {
    let total: usize = blocks.iter().map(|(_, into)| into.len()).sum();
    let tasks = Mutex::new(divide(description, blocks).into_iter());
    let work = || -> Result<(), VerifyError> {
        let mut scratch = Scratch::default();
        loop {
            // If the lock is poisoned, a thread has panicked, and its result reports that.
            let task = tasks.lock().ok().and_then(|mut tasks| tasks.next());
            let Some(task) = task else { return Ok(()) };
            fill(description, task, &mut scratch)?;
        }
    };
    std::thread::scope(|scope| {
        let start = || without_signals(|| std::thread::Builder::new().spawn_scoped(scope, inherit(work)));
        // If no thread can be started, this one does all of the work.
        let helpers: Vec<_> = (1..threads_for(total)).map_while(|_| start().ok()).collect();
        let own = work();
        helpers.into_iter().fold(own, |so_far, helper| match helper.join() {
            Ok(result) => so_far.and(result),
            Err(panic) => std::panic::resume_unwind(panic),
        })
    })
}

/// Groups pieces of one file, up to a limit. Small ones are joined if they are adjacent.
fn divide<'a>(description: &Description, blocks: Vec<(usize, UnwrittenPart<'a>)>) -> Vec<ReadTask<'a>> {
    let is_in_file = matches!(description.source, ContentSource::File(_));
    let mut tasks: Vec<ReadTask> = Vec::new();
    for (block, mut memory) in blocks {
        for piece in description.piece_map.all(block) {
            let (into, rest) = memory.split(piece.bytes as usize);
            memory = rest;
            if piece.codec == Codec::Zero {
                // The zeros are filled at once, since only whole pages can be left untouched.
                tasks.push(ReadTask {
                    parts: vec![PieceRead { block, piece, into }],
                    is_joined: false,
                    stored_bytes: TASK_BYTES,
                });
                continue;
            }
            let stored_bytes = u64::from(piece.stored.bytes);
            let is_joined = is_in_file && stored_bytes < TOGETHER_BELOW_BYTES;
            let part = PieceRead { block, piece, into };
            match tasks.last_mut() {
                Some(task) if task.takes(&piece, is_joined) => {
                    task.stored_bytes += stored_bytes;
                    task.parts.push(part);
                }
                _ => tasks.push(ReadTask { parts: vec![part], is_joined, stored_bytes }),
            }
        }
    }
    tasks
}

impl ReadTask<'_> {
    fn takes(&self, piece: &FilePiece, is_joined: bool) -> bool {
        let Some(last) = self.parts.last().map(|part| part.piece) else { return true };
        let follows = last.offset + u64::from(last.stored.bytes) == piece.offset;
        self.stored_bytes < TASK_BYTES
            && self.is_joined == is_joined
            && last.base == piece.base
            && (follows || !is_joined)
    }
}

fn fill(description: &Description, task: ReadTask, scratch: &mut Scratch) -> Result<(), VerifyError> {
    let Some(base) = task.parts.first().map(|part| part.piece.base) else { return Ok(()) };
    let file = description.file(base)?;
    let from = PieceSource { description, file: file.as_deref() };
    if task.is_joined && task.parts.len() > 1 {
        return from.fill_together(task.parts, scratch);
    }
    task.parts.into_iter().try_for_each(|part| match part.piece.codec {
        Codec::Plain => from.read_plain(part),
        Codec::Zero => {
            part.into.zeros();
            Ok(())
        }
        Codec::Compressed(_) => from.fill_together(vec![part], scratch),
    })
}

/// The source of the pieces of a task.
struct PieceSource<'a> {
    description: &'a Description,
    /// `None` if a plugin provides the content.
    file: Option<&'a dyn File>,
}

impl PieceSource<'_> {
    /// Reads a plain piece directly into its memory.
    fn read_plain(&self, part: PieceRead) -> Result<(), VerifyError> {
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

    /// Reads all pieces at once into `scratch`.
    fn fill_together(&self, parts: Vec<PieceRead>, scratch: &mut Scratch) -> Result<(), VerifyError> {
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

    /// Reads from the file at `offset`, or from that offset of the memory block if a plugin provides it.
    fn read(&self, piece: &FilePiece, block: usize, offset: u64, into: &mut [u8]) -> Result<(), VerifyError> {
        let result = match (self.file, &self.description.source) {
            (Some(file), _) => file
                .read_at(offset, into)
                .map_err(|error| self.description.in_file(piece.base, Reason::Unreadable(error))),
            (None, ContentSource::Plugin(input)) => {
                // A thread that panicked has left it as it was between two calls.
                let mut input = input.lock().unwrap_or_else(PoisonError::into_inner);
                input.read(block as u64, offset, into).map_err(Reason::Plugin)
            }
            (None, ContentSource::File(file)) => file.read_at(offset, into).map_err(Reason::Unreadable),
        };
        result.map_err(|reason| self.description.error(reason))
    }
}

/// Copies or decompresses a stored piece into its memory. `None` if it is not what was written.
fn put(piece: &FilePiece, stored: &[u8], into: UnwrittenPart, grouped: &mut Vec<u8>) -> Option<()> {
    if crc32fast::hash(stored) != piece.stored.crc {
        return None;
    }
    let into = into.open();
    match piece.codec {
        Codec::Plain => into.copy_from_slice(stored),
        Codec::Compressed(method) => method.decompress(stored, into, grouped).ok()?,
        Codec::Zero => into.fill(0),
    }
    Some(())
}

/// Reads one piece, which must not be one of zeros, into `into`, which gets its size.
pub(super) fn read_piece(
    description: &Description,
    block: usize,
    piece: &FilePiece,
    into: &mut Vec<u8>,
) -> Result<(), VerifyError> {
    into.resize(piece.bytes as usize, 0);
    let parts = vec![PieceRead { block, piece: *piece, into: into.as_mut_slice().into() }];
    fill(description, ReadTask { parts, is_joined: false, stored_bytes: 0 }, &mut Scratch::default())
}

/// Checks that the bytes between memory blocks are zeros, as they were written.
pub(super) fn check_padding(description: &Description) -> Result<(), VerifyError> {
    let ContentSource::File(file) = &description.source else { return Ok(()) };
    for &(offset, length) in &description.piece_map.padding {
        let mut gap = vec![0; length];
        file.read_at(offset, &mut gap).map_err(|error| description.error(Reason::Unreadable(error)))?;
        if gap.iter().any(|&byte| byte != 0) {
            return Err(description.error(Reason::Damaged { part: FilePart::Padding, offset }));
        }
    }
    Ok(())
}
