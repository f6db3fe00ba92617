//! Copies a file.
//!
//! Input: two open files.
//! Output: the second one has the bytes of the first one.
//! Postcondition: the copy is durable, unless there is an error. Its directory was not synced.

use super::File;
use std::io;

const PART_BYTES: usize = 1 << 20;

/// Copies all bytes. `is_wanted` is asked before each part: without it, the copy ends with an error of the kind
/// `Interrupted`.
pub fn copy(from: &dyn File, to: &dyn File, is_wanted: impl Fn() -> bool) -> io::Result<()> {
    let size_bytes = from.size_bytes()?;
    let mut part = vec![0; PART_BYTES.min(usize::try_from(size_bytes).unwrap_or(PART_BYTES))];
    let mut offset = 0;
    while offset < size_bytes {
        if !is_wanted() {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let length = (size_bytes - offset).min(PART_BYTES as u64);
        let part = &mut part[..length as usize];
        from.read_at(offset, part)?;
        to.write_at(offset, part)?;
        to.start_writeback(offset, length);
        offset += length;
    }
    to.truncate(size_bytes)?;
    to.sync()
}
