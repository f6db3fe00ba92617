//! What the program holds of an open file.
//!
//! In: a stream or a descriptor as the program has it. Out: whether it is still the file that it was, where it
//! stands, and the means to put it there again. Holds afterwards: a stream is only touched after its
//! descriptor has been seen to lead to the same file as ever.

use super::descriptor::Descriptor;
use super::place::Identity;
use super::stdio::Stream;
use crate::manifest::{Access, Handle};
use libc::c_int;
use std::fs::Metadata;
use std::io;
use std::path::Path;

/// As the program hands it over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Given {
    /// The address of a `FILE`; zero for none.
    Stream(usize),
    Descriptor(c_int),
}

/// A handle that was seen to be open on a regular file.
#[derive(Debug, Clone)]
pub struct Live {
    stream: Option<Stream>,
    descriptor: Descriptor,
    identity: Identity,
    access: Access,
}

impl Given {
    pub fn kind(self) -> Handle {
        match self {
            Given::Stream(_) => Handle::Stream,
            Given::Descriptor(_) => Handle::Descriptor,
        }
    }
}

impl Live {
    /// None for what is not open, and for what is no regular file.
    ///
    /// # Safety
    /// A stream that is not null is open, and stays so until its descriptor is closed or leads to another file.
    pub unsafe fn of(given: Given) -> Option<Live> {
        let stream = match given {
            Given::Stream(0) => return None,
            // SAFETY: see above.
            Given::Stream(address) => Some(unsafe { Stream::new(address) }),
            Given::Descriptor(_) => None,
        };
        let number = match given {
            Given::Descriptor(number) => number,
            Given::Stream(_) => stream?.descriptor()?,
        };
        let descriptor = Descriptor::open(number)?;
        let metadata = descriptor.metadata().ok().filter(Metadata::is_file)?;
        Some(Live { stream, descriptor, identity: Identity::of(&metadata), access: descriptor.access().ok()? })
    }

    pub fn access(&self) -> Access {
        self.access
    }

    pub fn identity(&self) -> Identity {
        self.identity
    }

    pub fn reads(&self) -> bool {
        self.descriptor.reads()
    }

    /// Whether the program still has the file open.
    pub fn is_open(&self) -> bool {
        Descriptor::open(self.descriptor.number()).and_then(Descriptor::identity) == Some(self.identity)
    }

    /// Whether the other one has taken its number: then this one has been closed.
    pub fn is_replaced_by(&self, other: &Live) -> bool {
        self.descriptor == other.descriptor
    }

    pub fn metadata(&self) -> io::Result<Metadata> {
        self.descriptor.metadata()
    }

    /// Hands what the program has written to the system.
    pub fn flush(&self) -> io::Result<()> {
        match (self.stream, self.access) {
            (Some(stream), Access::Writing) => stream.flush(),
            _ => Ok(()),
        }
    }

    pub fn sync(&self) -> io::Result<()> {
        self.descriptor.sync()
    }

    /// Where the program stands, and whether it has met the end.
    pub fn position(&self) -> io::Result<(u64, bool)> {
        match self.stream {
            Some(stream) => Ok((stream.position()?, stream.is_at_end())),
            None => Ok((self.descriptor.position()?, false)),
        }
    }

    pub fn go_to(&self, position: u64, is_at_end: bool) -> io::Result<()> {
        match self.stream {
            Some(stream) => stream.go_to(position, is_at_end),
            None => self.descriptor.go_to(position),
        }
    }

    /// From now on the handle leads to the file at the path, opened as the handle was.
    pub fn lead_to(&mut self, path: &Path) -> io::Result<()> {
        self.flush()?;
        let file = self.descriptor.open_alike(path)?;
        self.identity = Identity::of(&file.metadata()?);
        self.descriptor.lead_to(&file)
    }
}
