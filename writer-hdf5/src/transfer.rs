//! Reads and writes bytes at their offsets in the file, without the library.
//!
//! Input: a file that the library has closed, or has open for reading; offsets that the library returned.
//! Output: the bytes there.
//! Postcondition: the library was not called, so its lock is free for the program. An existing file was
//! overwritten in place, in the disk blocks that it has already.
//!
//! One of the few files with `unsafe`: the hint that starts write-back early has no safe wrapper.

use crate::fault::Fault;
use std::ffi::{CStr, CString, OsStr};
use std::fs::{File, OpenOptions};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileExt;
use std::path::Path;
use tempfile::TempPath;

/// The number of bytes after which the device is asked to begin to write.
const HASTEN_BYTES: usize = 8 << 20;
/// The file system in memory on Linux.
const MEMORY: &str = "/dev/shm";
/// A skeleton is copied in steps of this size.
const STEP_BYTES: usize = 1 << 20;

/// Content and its offset in the file.
#[derive(Debug, Clone, Copy)]
pub struct Piece<'a> {
    pub offset: u64,
    pub bytes: &'a [u8],
}

/// A file that the library makes: a whole state file with holes instead of the content.
#[derive(Debug)]
pub struct Skeleton {
    file: File,
    path: CString,
    /// `None` once the library has the file open.
    name: Option<TempPath>,
}

impl Skeleton {
    /// `None` if there is no directory for it.
    pub fn new() -> Option<Skeleton> {
        let made = tempfile::Builder::new()
            .prefix("cppc-")
            .tempfile_in(MEMORY)
            .or_else(|_| tempfile::NamedTempFile::new());
        let (file, name) = made.ok()?.into_parts();
        let path = CString::new(name.as_os_str().as_bytes()).ok()?;
        Some(Skeleton { file, path, name: Some(name) })
    }

    pub fn path(&self) -> &CStr {
        &self.path
    }

    /// Removes its name, so that nothing of it remains when the process ends.
    pub fn forget_name(&mut self) {
        self.name = None;
    }
}

/// Writes a whole file: the skeleton, and the pieces in its holes. Returns its length.
pub fn write_whole(path: &CStr, skeleton: &Skeleton, mut pieces: Vec<Piece>) -> Result<u64, Fault> {
    let file = open_to_write(path)?;
    let length = skeleton
        .file
        .metadata()
        .map_err(|error| Fault::system("look at the skeleton of the file", &error))?
        .len();
    pieces.sort_unstable_by_key(|piece| piece.offset);
    let mut done = 0;
    for piece in &pieces {
        copy(&skeleton.file, &file, done, piece.offset)?;
        write_piece(&file, piece)?;
        done = piece.offset + piece.bytes.len() as u64;
    }
    copy(&skeleton.file, &file, done, length)?;
    // The previous file may have been longer.
    file.set_len(length.max(done)).map_err(|error| Fault::system("cut the file", &error))?;
    Ok(length.max(done))
}

/// Writes the pieces into a file that the library has made. Returns its length.
pub fn write(path: &CStr, pieces: &[Piece]) -> Result<u64, Fault> {
    let file = open_to_write(path)?;
    pieces.iter().try_for_each(|piece| write_piece(&file, piece))?;
    Ok(file.metadata().map_err(|error| Fault::system("look at the file", &error))?.len())
}

/// Appends bytes to a file of this length.
pub fn append(path: &CStr, length: u64, bytes: &[u8]) -> Result<(), Fault> {
    open_to_write(path)?.write_all_at(bytes, length).map_err(|error| Fault::system("write", &error))
}

fn open_to_write(path: &CStr) -> Result<File, Fault> {
    let path = Path::new(OsStr::from_bytes(path.to_bytes()));
    OpenOptions::new().write(true).open(path).map_err(|error| Fault::system("open the file", &error))
}

fn write_piece(file: &File, piece: &Piece) -> Result<(), Fault> {
    let mut offset = piece.offset;
    for step in piece.bytes.chunks(HASTEN_BYTES) {
        file.write_all_at(step, offset).map_err(|error| Fault::system("write", &error))?;
        if step.len() == HASTEN_BYTES {
            hasten(file, offset);
        }
        offset += step.len() as u64;
    }
    Ok(())
}

fn copy(from: &File, to: &File, begin: u64, end: u64) -> Result<(), Fault> {
    let mut step = Vec::new();
    let mut offset = begin;
    while offset < end {
        step.resize(STEP_BYTES.min((end - offset) as usize), 0);
        read(from, offset, &mut step)?;
        to.write_all_at(&step, offset).map_err(|error| Fault::system("write", &error))?;
        offset += step.len() as u64;
    }
    Ok(())
}

/// Opens a file for reading.
pub fn open(path: &CStr) -> Result<File, Fault> {
    let path = Path::new(OsStr::from_bytes(path.to_bytes()));
    File::open(path).map_err(|error| Fault::system("open the file", &error))
}

/// Fails without a number if no file has bytes at the offset: the number that led to it is damaged.
pub fn read(file: &File, offset: u64, into: &mut [u8]) -> Result<(), Fault> {
    if offset.checked_add(into.len() as u64).is_none_or(|end| i64::try_from(end).is_err()) {
        return Err(Fault::new("an offset is larger than that of any file"));
    }
    file.read_exact_at(into, offset).map_err(|error| Fault::system("read", &error))
}

#[cfg(target_os = "linux")]
fn hasten(file: &File, offset: u64) {
    use std::os::fd::AsRawFd;
    // SAFETY: the file is open, and the call takes no memory. It is a hint, so an error is ignored.
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
