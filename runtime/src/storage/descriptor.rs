//! Descriptors of our own.
//!
//! In: a file that we have opened. Out: the same file under a high number. Holds afterwards: it has no number that
//! a program uses by habit, and no descriptor is closed that is not ours any more.
//!
//! The system gives the lowest free number. Without standard output or standard error that is 1 or 2, and what the
//! program prints would go into our file. A program that closes all descriptors and opens its own files gets the
//! low numbers too, and what we write would go into those.
//!
//! One of the few files with `unsafe`: the system calls on descriptors.

use std::fs::File;
use std::io;
use std::mem::ManuallyDrop;
use std::ops::Deref;
use std::os::fd::{AsRawFd, FromRawFd};
use std::os::unix::fs::MetadataExt;

/// Programs rarely have so many files open.
const HIGH: libc::c_int = 700;
const STANDARD: libc::c_int = 2;

/// An open file of ours.
#[derive(Debug)]
pub struct Own {
    file: ManuallyDrop<File>,
    identity: (u64, u64),
}

impl Own {
    /// Gives the file a high number. It keeps the one it has when there is none, unless that is one of the standard
    /// streams.
    pub fn new(file: File) -> io::Result<Own> {
        let lowest = HIGH.min(limit() / 2).max(STANDARD + 1);
        // SAFETY: the file is open; the call only makes another number for it.
        let number = unsafe { libc::fcntl(file.as_raw_fd(), libc::F_DUPFD_CLOEXEC, lowest) };
        let file = match number {
            // SAFETY: the number is new, and nobody else has it.
            0.. => unsafe { File::from_raw_fd(number) },
            _ if file.as_raw_fd() <= STANDARD => file.try_clone()?,
            _ => file,
        };
        let identity = identity(&file)?;
        Ok(Own { file: ManuallyDrop::new(file), identity })
    }

    /// Whether the program has not closed the descriptor, as it does when it closes all.
    pub fn is_open(&self) -> bool {
        identity(&self.file).is_ok_and(|found| found == self.identity)
    }
}

impl Deref for Own {
    type Target = File;

    fn deref(&self) -> &File {
        &self.file
    }
}

impl Drop for Own {
    fn drop(&mut self) {
        if self.is_open() {
            // SAFETY: dropped here and nowhere else; the descriptor is ours.
            unsafe { ManuallyDrop::drop(&mut self.file) };
        }
    }
}

fn identity(file: &File) -> io::Result<(u64, u64)> {
    file.metadata().map(|found| (found.dev(), found.ino()))
}

/// Whether the program has so many files open that it may miss one more descriptor for us.
pub fn are_scarce() -> bool {
    File::open("/dev/null").map_or(true, |next| next.as_raw_fd() >= limit() / 2)
}

fn limit() -> libc::c_int {
    let mut found = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
    // SAFETY: the place is valid for the call.
    let done = unsafe { libc::getrlimit(libc::RLIMIT_NOFILE, &mut found) };
    if done == 0 { libc::c_int::try_from(found.rlim_cur).unwrap_or(libc::c_int::MAX) } else { libc::c_int::MAX }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn our_files_have_high_numbers() {
        let file = Own::new(File::open("/dev/null").unwrap()).unwrap();
        assert!(file.as_raw_fd() >= HIGH.min(limit() / 2), "{file:?}");
        assert!(!are_scarce(), "the test has few files open");
    }
}
