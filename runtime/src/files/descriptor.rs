//! File descriptors of the program.
//!
//! Input: a number that may be a descriptor.
//! Output: the file to which it refers, and operations to redirect it to another.
//! Postcondition: the number, its flags and its duplicates are as the program made them.
//!
//! One of the few files with `unsafe`: the system calls on numbers that the runtime does not own.

use super::path::Identity;
use crate::manifest::Access;
use libc::c_int;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Seek, SeekFrom};
use std::mem::ManuallyDrop;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// The flags, in addition to the access mode, with which a file is opened again.
const KEPT_FLAGS: c_int =
    libc::O_APPEND | libc::O_NONBLOCK | libc::O_SYNC | libc::O_DSYNC | libc::O_DIRECT | libc::O_NOATIME;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Descriptor(c_int);

impl Descriptor {
    /// `None` if the number is not an open descriptor.
    pub fn open(number: c_int) -> Option<Descriptor> {
        let descriptor = Descriptor(number);
        (number >= 0 && rustix::io::fcntl_getfd(descriptor.borrowed()).is_ok()).then_some(descriptor)
    }

    pub fn number(self) -> c_int {
        self.0
    }

    /// The descriptor, for one call.
    fn borrowed(self) -> BorrowedFd<'static> {
        // SAFETY: the number is not -1. It is used for one call, during which the program waits. If it is no
        // descriptor, the call fails.
        unsafe { BorrowedFd::borrow_raw(self.0) }
    }

    /// The file of the descriptor, for one call; the runtime never closes it.
    fn file(self) -> ManuallyDrop<File> {
        // SAFETY: `open` has checked that it is a descriptor; the program owns it and waits for this call.
        ManuallyDrop::new(unsafe { File::from_raw_fd(self.0) })
    }

    fn flags(self) -> io::Result<c_int> {
        Ok(rustix::fs::fcntl_getfl(self.borrowed())?.bits() as c_int)
    }

    pub fn metadata(self) -> io::Result<Metadata> {
        self.file().metadata()
    }

    pub fn identity(self) -> io::Result<Identity> {
        self.metadata().map(|found| Identity::of(&found))
    }

    pub fn access(self) -> io::Result<Access> {
        Ok(match self.flags()? & libc::O_ACCMODE {
            libc::O_RDONLY => Access::Reading,
            _ => Access::Writing,
        })
    }

    /// Whether the program can read the content of the file.
    pub fn reads(self) -> bool {
        self.flags().is_ok_and(|flags| flags & libc::O_ACCMODE != libc::O_WRONLY)
    }

    pub fn position(self) -> io::Result<u64> {
        self.file().stream_position()
    }

    pub fn go_to(self, position: u64) -> io::Result<()> {
        self.file().seek(SeekFrom::Start(position)).map(|_| ())
    }

    pub fn sync(self) -> io::Result<()> {
        self.file().sync_data()
    }

    /// Opens the file at the path as this one was opened, but without creating or emptying it.
    pub fn open_alike(self, path: &Path) -> io::Result<File> {
        let flags = self.flags()?;
        let access = flags & libc::O_ACCMODE;
        OpenOptions::new()
            .read(access != libc::O_WRONLY)
            .write(access != libc::O_RDONLY)
            .custom_flags((flags & KEPT_FLAGS) | libc::O_NOCTTY)
            .open(path)
    }

    /// A duplicate with the same position. The runtime closes it.
    pub fn duplicate(self) -> io::Result<File> {
        self.file().try_clone()
    }

    /// Whether the descriptor and the file share one position. Changes both positions.
    pub fn shares_place(self, mut file: &File) -> io::Result<bool> {
        let beyond = self.position()?.saturating_add(1);
        file.seek(SeekFrom::Start(beyond))?;
        Ok(self.position()? == beyond)
    }

    /// Redirects the descriptor to this file.
    pub fn redirect_to(self, file: &File) -> io::Result<()> {
        let flags = rustix::io::fcntl_getfd(self.borrowed())?;
        // SAFETY: both are open descriptors; the previous file is the temporary one that the execute block
        // has opened, or the same file.
        let done = unsafe { libc::dup2(file.as_raw_fd(), self.0) };
        if done < 0 {
            return Err(io::Error::last_os_error());
        }
        Ok(rustix::io::fcntl_setfd(self.borrowed(), flags)?)
    }
}
