//! A handle of the program for an open file.
//!
//! Input: a stream, a descriptor or a unit of the program.
//! Output: whether it still refers to the same file, its position, and operations to restore the position.
//! Postcondition: a stream is accessed only after its descriptor was found to refer to the same file as
//! before.

use super::descriptor::Descriptor;
use super::path::{is_file_at, Identity};
use super::stdio::{may_be_open, Stream};
use super::unit::{Unit, UnitAccess};
use crate::manifest::{Access, Handle};
use libc::c_int;
use std::fs::{File, FileType, Metadata};
use std::io;
use std::os::unix::fs::{FileExt, FileTypeExt};
use std::path::Path;

/// A handle as the program passes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProgramHandle {
    /// The address of a `FILE`; zero if there is none.
    Stream(usize),
    Descriptor(c_int),
    Unit(Unit),
}

/// A handle that is open on a regular file.
#[derive(Debug, Clone)]
pub struct OpenHandle {
    library: HandleLibrary,
    descriptor: Descriptor,
    identity: Identity,
    access: Access,
}

/// The library that has its own buffer and position for it.
#[derive(Debug, Clone, Copy)]
enum HandleLibrary {
    NoLibrary,
    C(Stream),
    Fortran(Unit),
}

impl ProgramHandle {
    pub fn kind(self) -> Handle {
        match self {
            ProgramHandle::Stream(_) => Handle::Stream,
            ProgramHandle::Descriptor(_) => Handle::Descriptor,
            ProgramHandle::Unit(_) => Handle::Unit,
        }
    }

    /// The number that the program has for it. A stream has an address instead.
    pub fn number(self) -> Option<c_int> {
        match self {
            ProgramHandle::Stream(_) => None,
            ProgramHandle::Descriptor(number) => Some(number),
            ProgramHandle::Unit(unit) => Some(unit.number),
        }
    }

    /// The handle as the block leaves it, for the file at this path.
    pub fn after_opening(self, path: &Path) -> ProgramHandle {
        match self {
            ProgramHandle::Unit(unit) => ProgramHandle::Unit(unit.after_opening(path)),
            ProgramHandle::Stream(_) | ProgramHandle::Descriptor(_) => self,
        }
    }

    /// Whether its number is not assigned to another file when it is closed. The numbers of `NEWUNIT=` are
    /// assigned again, so that later blocks would get them.
    pub fn can_be_closed(self) -> bool {
        matches!(self, ProgramHandle::Unit(unit) if unit.number >= 0)
    }

    /// Whether the unit keeps its own count of its position.
    pub fn is_stream_unit(self) -> bool {
        matches!(self, ProgramHandle::Unit(unit) if unit.access == UnitAccess::Stream)
    }

    pub fn is_direct_unit(self) -> bool {
        matches!(self, ProgramHandle::Unit(unit) if unit.access == UnitAccess::Direct)
    }

    pub fn is_formatted(self) -> bool {
        matches!(self, ProgramHandle::Unit(unit) if unit.is_formatted)
    }

    /// Why the position cannot be determined.
    pub fn obstacle(self) -> Option<&'static str> {
        match self {
            ProgramHandle::Unit(unit) => unit.obstacle(),
            ProgramHandle::Stream(_) | ProgramHandle::Descriptor(_) => None,
        }
    }
}

/// A handle that is open on a pipe or a socket. Data that was sent through it cannot be sent again.
#[derive(Debug, Clone, Copy)]
pub struct PipeHandle {
    descriptor: Descriptor,
    identity: Identity,
}

impl PipeHandle {
    /// # Safety
    /// As [`OpenHandle::of`].
    pub unsafe fn of(given: ProgramHandle) -> io::Result<Option<PipeHandle>> {
        // SAFETY: the caller guarantees it.
        let Some((_, descriptor)) = (unsafe { opened(given) }) else { return Ok(None) };
        let is_pipe = |kind: FileType| kind.is_fifo() || kind.is_socket();
        let Some(metadata) = unless_closed(descriptor.metadata())? else { return Ok(None) };
        Ok(is_pipe(metadata.file_type())
            .then(|| PipeHandle { descriptor, identity: Identity::of(&metadata) }))
    }

    /// Whether the program may still have it open.
    pub fn is_open(&self) -> bool {
        let Some(descriptor) = Descriptor::open(self.descriptor.number()) else { return false };
        match unless_closed(descriptor.identity()) {
            Ok(found) => found == Some(self.identity),
            Err(_) => true,
        }
    }
}

/// The descriptor of a handle, and the library that has a buffer for it.
///
/// # Safety
/// A stream that is not null is open, or the C library lists its open streams.
unsafe fn opened(given: ProgramHandle) -> Option<(HandleLibrary, Descriptor)> {
    let (library, number) = match given {
        ProgramHandle::Stream(0) => return None,
        ProgramHandle::Stream(address) if !may_be_open(address) => return None,
        ProgramHandle::Stream(address) => {
            // SAFETY: the caller vouches for it.
            let stream = unsafe { Stream::new(address) };
            (HandleLibrary::C(stream), stream.descriptor()?)
        }
        ProgramHandle::Descriptor(number) => (HandleLibrary::NoLibrary, number),
        ProgramHandle::Unit(unit) => (HandleLibrary::Fortran(unit), unit.descriptor()?),
    };
    Some((library, Descriptor::open(number)?))
}

/// None for a descriptor that is not open. Another thread of the program may close it between two calls.
fn unless_closed<T>(found: io::Result<T>) -> io::Result<Option<T>> {
    match found {
        Ok(found) => Ok(Some(found)),
        Err(error) if error.raw_os_error() == Some(libc::EBADF) => Ok(None),
        Err(error) => Err(error),
    }
}

impl OpenHandle {
    /// `None` for a handle that is not open, or not open on a regular file; an error if this cannot be
    /// determined.
    ///
    /// # Safety
    /// A stream that is not null is open, and stays open until its descriptor is closed or refers to another file.
    pub unsafe fn of(given: ProgramHandle) -> io::Result<Option<OpenHandle>> {
        // SAFETY: the caller guarantees it.
        let Some((library, descriptor)) = (unsafe { opened(given) }) else { return Ok(None) };
        let Some(metadata) = unless_closed(descriptor.metadata())?.filter(Metadata::is_file) else {
            return Ok(None);
        };
        let Some(access) = unless_closed(descriptor.access())? else { return Ok(None) };
        Ok(Some(OpenHandle { library, descriptor, identity: Identity::of(&metadata), access }))
    }

    pub fn access(&self) -> Access {
        self.access
    }

    pub fn identity(&self) -> Identity {
        self.identity
    }

    /// Whether the other handle has the same descriptor number, so that a change of one affects both.
    pub fn has_same_number(&self, other: &OpenHandle) -> bool {
        self.descriptor == other.descriptor
    }

    /// Whether it is only a descriptor, without a buffer.
    pub fn has_no_buffer(&self) -> bool {
        matches!(self.library, HandleLibrary::NoLibrary)
    }

    pub fn reads(&self) -> bool {
        self.descriptor.reads()
    }

    /// Whether the program still has the file open.
    pub fn is_open(&self) -> io::Result<bool> {
        let number = self.descriptor.number();
        let Some(descriptor) = Descriptor::open(number) else { return Ok(false) };
        // The descriptor is checked first: an internal write may have got the number of a closed unit of
        // `NEWUNIT=`, and libgfortran crashes when it is asked for the descriptor of such a unit.
        let leads_there = unless_closed(descriptor.identity())? == Some(self.identity);
        Ok(leads_there
            && match self.library {
                HandleLibrary::Fortran(unit) => unit.descriptor() == Some(number),
                HandleLibrary::C(_) | HandleLibrary::NoLibrary => true,
            })
    }

    /// Whether the other handle has the same descriptor number: then this one was closed.
    pub fn is_replaced_by(&self, other: &OpenHandle) -> bool {
        self.descriptor == other.descriptor
    }

    pub fn metadata(&self) -> io::Result<Metadata> {
        self.descriptor.metadata()
    }

    /// Passes buffered output of the program to the system.
    pub fn flush(&self) -> io::Result<()> {
        match (self.library, self.access) {
            (HandleLibrary::C(stream), Access::Writing) => stream.flush(),
            (HandleLibrary::Fortran(unit), Access::Writing) => unit.flush(),
            _ => Ok(()),
        }
    }

    pub fn sync(&self) -> io::Result<()> {
        self.descriptor.sync()
    }

    /// The position of the program, and whether it has reached the end of the file.
    pub fn position(&self) -> io::Result<(u64, bool)> {
        match self.library {
            HandleLibrary::C(stream) => Ok((stream.position()?, stream.is_at_end())),
            HandleLibrary::Fortran(unit) => Ok((unit.position()?, false)),
            HandleLibrary::NoLibrary => Ok((self.descriptor.position()?, false)),
        }
    }

    pub fn go_to(&self, position: u64, is_at_end: bool) -> io::Result<()> {
        match self.library {
            HandleLibrary::C(stream) => stream.go_to(position, is_at_end),
            HandleLibrary::Fortran(unit) => {
                unit.rewind()?;
                unit.go_to(position)
            }
            HandleLibrary::NoLibrary => self.descriptor.go_to(position),
        }
    }

    /// Whether a record has been begun, so that the next output continues it: the position is after the last
    /// byte of a formatted unit, and that byte does not end a line.
    pub fn is_within_record(&self, path: &Path, position: u64) -> io::Result<bool> {
        let HandleLibrary::Fortran(Unit { access: UnitAccess::Sequential, is_formatted: true, .. }) =
            self.library
        else {
            return Ok(false);
        };
        Ok(self.access == Access::Writing && self.is_last(position)? && !ends_line(path, position)?)
    }

    /// Whether nothing follows the position.
    pub fn is_last(&self, position: u64) -> io::Result<bool> {
        Ok(self.metadata()?.len() == position)
    }

    /// Redirects the handle to the file at the path, opened as the handle was.
    pub fn redirect_to(&mut self, path: &Path) -> io::Result<()> {
        if let HandleLibrary::Fortran(unit) = self.library {
            // A record that the block has begun ends in the temporary file.
            unit.rewind()?;
            if self.access == Access::Writing {
                unit.lengthen(path.metadata()?.len())?;
            }
        }
        self.flush()?;
        let file = self.descriptor.open_alike(path)?;
        self.identity = Identity::of(&file.metadata()?);
        if !is_file_at(path, self.identity).map_err(io::Error::other)? {
            return Err(io::Error::from_raw_os_error(libc::ESTALE));
        }
        // A library with its own position assumes this position of the descriptor.
        let stands_at = self.descriptor.position()?;
        self.descriptor.redirect_to(&file)?;
        self.descriptor.go_to(stands_at)
    }

    /// Whether it has the number of standard input, output or error.
    pub fn is_standard(&self) -> bool {
        (0..=2).contains(&self.descriptor.number())
    }

    /// Redirects the handle to `/dev/null`.
    pub fn redirect_to_null(&self) -> io::Result<()> {
        self.flush()?;
        self.descriptor.redirect_to(&File::options().read(true).write(true).open("/dev/null")?)
    }

    /// Makes the handle a duplicate of the other one.
    pub fn join(&mut self, other: &OpenHandle) -> io::Result<()> {
        self.flush()?;
        self.descriptor.redirect_to(&other.descriptor.duplicate()?)?;
        self.identity = other.identity;
        Ok(())
    }

    /// A duplicate of the handle before it is redirected.
    pub fn duplicate(&self) -> io::Result<File> {
        self.descriptor.duplicate()
    }

    /// Changes the positions of both, so it is used only for temporary files.
    pub fn shares_place(&self, file: &File) -> io::Result<bool> {
        self.descriptor.shares_place(file)
    }
}

/// Whether the position is at the beginning of a line, or of the file.
pub fn ends_line(path: &Path, position: u64) -> io::Result<bool> {
    let Some(before) = position.checked_sub(1) else { return Ok(true) };
    let mut last = [b'\n'];
    match File::open(path).and_then(|file| file.read_exact_at(&mut last, before)) {
        // The program may not read what it writes.
        Err(error) if error.raw_os_error() != Some(libc::EACCES) => Err(error),
        _ => Ok(last == *b"\n"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::fd::AsRawFd as _;

    #[test]
    fn a_descriptor_that_was_closed_meanwhile_is_not_open() {
        let file = File::open("/dev/null").expect("a device");
        let descriptor = Descriptor::open(file.as_raw_fd()).expect("an open descriptor");
        assert!(unless_closed(descriptor.metadata()).expect("an answer").is_some());
        drop(file);
        // Other tests of this process may have opened a file with the number since.
        if Descriptor::open(descriptor.number()).is_none() {
            assert!(unless_closed(descriptor.metadata()).expect("an answer").is_none());
        }
        let failed: io::Result<()> = Err(io::Error::from_raw_os_error(libc::EIO));
        assert!(unless_closed(failed).is_err());
    }
}
