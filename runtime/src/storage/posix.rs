//! The file system of the machine.
//!
//! Input: the operations of `Storage`.
//! Output: system calls.
//! Postcondition: nothing is written through a symbolic link; a pipe or a device at the path of a state file
//! is refused without waiting for it.
//!
//! One of the few files with `unsafe`: the hint that starts write-back early has no safe wrapper.

use super::descriptor::OwnDescriptor;
use super::{Entry, EntryKind, File, Storage};
use crate::threads::without_size_signal;
use std::ffi::OsString;
use std::fs::{self, FileType, Metadata, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(Debug, Clone, Copy, Default)]
pub struct Posix;

impl Storage for Posix {
    fn share(&self) -> Arc<dyn Storage> {
        Arc::new(Posix)
    }

    fn open_for_writing(&self, path: &Path) -> io::Result<Box<dyn File>> {
        let file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK | libc::O_NOCTTY)
            .open(path)?;
        regular(file)
    }

    fn open_for_reading(&self, path: &Path) -> io::Result<Box<dyn File>> {
        let file =
            OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY).open(path)?;
        regular(file)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::hard_link(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn create_dir(&self, path: &Path) -> io::Result<()> {
        fs::create_dir(path)
    }

    fn remove_dir(&self, path: &Path) -> io::Result<()> {
        fs::remove_dir(path)
    }

    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        match fs::File::open(path)?.sync_all() {
            // Some network file systems have nothing to sync in a directory and return this error.
            Err(error) if error.raw_os_error() == Some(libc::EINVAL) => Ok(()),
            other => other,
        }
    }

    fn list(&self, path: &Path) -> io::Result<Vec<Entry>> {
        let mut entries = Vec::new();
        for item in fs::read_dir(path)? {
            let item = item?;
            match item.metadata() {
                Ok(metadata) => entries.push(entry(item.file_name(), &metadata)),
                // It was removed between the listing and this call.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(entries)
    }

    fn entry(&self, path: &Path) -> io::Result<Entry> {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_owned();
        Ok(entry(name, &fs::symlink_metadata(path)?))
    }

    fn real_path(&self, path: &Path) -> Option<PathBuf> {
        Some(path.to_owned())
    }
}

fn regular(file: fs::File) -> io::Result<Box<dyn File>> {
    if file.metadata()?.is_file() {
        Ok(Box::new(PosixFile { file: OwnDescriptor::new(file)? }))
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file"))
    }
}

fn entry(name: OsString, metadata: &Metadata) -> Entry {
    Entry {
        name,
        kind: kind(metadata.file_type()),
        size_bytes: metadata.len(),
        links: metadata.nlink(),
        modified: metadata.modified().ok(),
    }
}

fn kind(file_type: FileType) -> EntryKind {
    if file_type.is_file() {
        EntryKind::File
    } else if file_type.is_dir() {
        EntryKind::Directory
    } else {
        EntryKind::Other
    }
}

#[derive(Debug)]
struct PosixFile {
    file: OwnDescriptor,
}

impl File for PosixFile {
    fn read_at(&self, offset: u64, buffer: &mut [u8]) -> io::Result<()> {
        self.file.read_exact_at(buffer, offset)
    }

    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        without_size_signal(|| self.file.write_all_at(bytes, offset))
    }

    #[cfg(target_os = "linux")]
    fn start_writeback(&self, offset: u64, length: u64) {
        use std::os::fd::AsRawFd;
        let (Ok(offset), Ok(length)) = (i64::try_from(offset), i64::try_from(length)) else {
            return;
        };
        // SAFETY: the descriptor is open as long as `self.file` lives; the call takes no memory. Its result
        // is ignored: it is a hint, and `sync` reports errors.
        unsafe {
            libc::sync_file_range(self.file.as_raw_fd(), offset, length, libc::SYNC_FILE_RANGE_WRITE);
        }
    }

    fn sync(&self) -> io::Result<()> {
        self.file.sync_data()
    }

    fn truncate(&self, size_bytes: u64) -> io::Result<()> {
        without_size_signal(|| self.file.set_len(size_bytes))
    }

    fn size_bytes(&self) -> io::Result<u64> {
        Ok(self.file.metadata()?.len())
    }
}
