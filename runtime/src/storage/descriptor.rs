//! File descriptors of the runtime.
//!
//! Input: a file that the runtime has opened.
//! Output: the same file with a high descriptor number.
//! Postcondition: the number is not one that programs commonly use, and the runtime never closes a descriptor
//! that is no longer its own. A descriptor is used and closed in the table in which it was opened.
//!
//! The system assigns the lowest free number. Without standard output or standard error that is 1 or 2, and
//! the output of the program would be written to the runtime's file. A program that closes all descriptors
//! and opens its own files also gets the low numbers, and the runtime would write to those files.
//!
//! One of the few files with `unsafe`: a descriptor that the program has closed is not closed again.

use crate::threads::own_table::{call, Table};
use std::fs::File;
use std::io;
use std::mem::ManuallyDrop;
use std::ops::Deref;
use std::os::fd::AsRawFd;
use std::os::unix::fs::MetadataExt;
use std::sync::Arc;

/// Programs rarely have so many files open.
const HIGH: libc::c_int = 700;
const STANDARD: libc::c_int = 2;

/// An open file of the runtime.
#[derive(Debug)]
pub struct OwnDescriptor {
    file: ManuallyDrop<File>,
    identity: (u64, u64),
    table: Table,
}

impl OwnDescriptor {
    /// Gives the file a high number. If none is available, it keeps its number, unless that is one of the
    /// standard streams.
    pub fn new(file: File) -> io::Result<OwnDescriptor> {
        let lowest = HIGH.min(limit() / 2).max(STANDARD + 1);
        let file = match rustix::io::fcntl_dupfd_cloexec(&file, lowest) {
            Ok(high) => File::from(high),
            Err(_) if file.as_raw_fd() <= STANDARD => file.try_clone()?,
            Err(_) => file,
        };
        let identity = identity(&file)?;
        Ok(OwnDescriptor { file: ManuallyDrop::new(file), identity, table: Table::current() })
    }

    /// False if the program has closed the descriptor, for example by closing all of them, or if this is a
    /// child of `fork` and the descriptor is in the table that its parent had for the runtime.
    pub fn is_open(&self) -> bool {
        match self.table {
            Table::Program => self.is_same_file(),
            Table::Runtime(process) => process == std::process::id(),
        }
    }

    /// Makes the content durable.
    pub fn sync(self: &Arc<Self>) -> io::Result<()> {
        if self.table == Table::current() {
            return self.sync_data();
        }
        if !self.is_open() || self.table == Table::Program {
            return Err(io::Error::from_raw_os_error(libc::EBADF));
        }
        let file = Arc::clone(self);
        call(move || file.sync_data())?
    }

    fn is_same_file(&self) -> bool {
        identity(&self.file).is_ok_and(|found| found == self.identity)
    }
}

impl Deref for OwnDescriptor {
    type Target = File;

    fn deref(&self) -> &File {
        debug_assert_eq!(self.table, Table::current(), "the number belongs to the other table");
        &self.file
    }
}

impl Drop for OwnDescriptor {
    fn drop(&mut self) {
        if !self.is_open() {
            return;
        }
        // SAFETY: taken here and nowhere else; the descriptor belongs to the runtime.
        let file = unsafe { ManuallyDrop::take(&mut self.file) };
        if self.table == Table::current() {
            return drop(file);
        }
        // Another table may have this number too. If there is no keeper, the descriptor stays open.
        let mut elsewhere = ManuallyDrop::new(file);
        if matches!(self.table, Table::Runtime(_)) {
            // SAFETY: taken here and nowhere else.
            drop(call(move || unsafe { ManuallyDrop::drop(&mut elsewhere) }));
        }
    }
}

fn identity(file: &File) -> io::Result<(u64, u64)> {
    file.metadata().map(|found| (found.dev(), found.ino()))
}

fn limit() -> libc::c_int {
    let found = rustix::process::getrlimit(rustix::process::Resource::Nofile);
    found.current.and_then(|limit| libc::c_int::try_from(limit).ok()).unwrap_or(libc::c_int::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_files_have_high_numbers() {
        let file = OwnDescriptor::new(File::open("/dev/null").unwrap()).unwrap();
        assert!(file.as_raw_fd() >= HIGH.min(limit() / 2), "{file:?}");
    }
}
