//! Bytes straight to and from their place in the file.
//!
//! In: a file that the library has closed, or has open for reading; offsets that it gave. Out: the
//! bytes there. Holds afterwards: the library was not asked, so its lock is free for the program.
//!
//! One of the few files with `unsafe`: the hint that starts write-back early has no safe wrapper.

use crate::fault::Fault;
use std::ffi::{CStr, OsStr};
use std::fs::{File, OpenOptions};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// How much is written before the device is told to begin.
const HASTEN_BYTES: usize = 8 << 20;

/// Content and where it goes.
#[derive(Debug, Clone, Copy)]
pub struct Piece<'a> {
    pub offset: u64,
    pub bytes: &'a [u8],
}

/// Writes the pieces into a file that is there.
pub fn write(path: &CStr, pieces: &[Piece]) -> Result<(), Fault> {
    let path = Path::new(OsStr::from_bytes(path.to_bytes()));
    let file = OpenOptions::new().write(true).open(path).map_err(|error| Fault::system("open the file", &error))?;
    for piece in pieces {
        let mut offset = piece.offset;
        for step in piece.bytes.chunks(HASTEN_BYTES) {
            file.write_all_at(step, offset).map_err(|error| Fault::system("write", &error))?;
            if step.len() == HASTEN_BYTES {
                hasten(&file, offset);
            }
            offset += step.len() as u64;
        }
    }
    Ok(())
}

/// Opens a file to read from.
pub fn open(path: &CStr) -> Result<File, Fault> {
    let path = Path::new(OsStr::from_bytes(path.to_bytes()));
    File::open(path).map_err(|error| Fault::system("open the file", &error))
}

pub fn read(file: &File, offset: u64, into: &mut [u8]) -> Result<(), Fault> {
    file.read_exact_at(into, offset).map_err(|error| Fault::system("read", &error))
}

#[cfg(target_os = "linux")]
fn hasten(file: &File, offset: u64) {
    use std::os::fd::AsRawFd;
    // SAFETY: the file is open, and the call takes no memory. It is a hint: that it fails is of no
    // interest.
    unsafe {
        libc::sync_file_range(
            file.as_raw_fd(),
            offset as i64,
            HASTEN_BYTES as i64,
            libc::SYNC_FILE_RANGE_WRITE,
        );
    }
}

#[cfg(not(target_os = "linux"))]
fn hasten(_file: &File, _offset: u64) {}
