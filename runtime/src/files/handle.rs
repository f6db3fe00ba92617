//! What the program holds of an open file.
//!
//! In: a stream, a descriptor or a unit as the program has it. Out: whether it is still the file that it was, where it
//! stands, and the means to put it there again. Holds afterwards: a stream is only touched after its
//! descriptor has been seen to lead to the same file as ever.

use super::descriptor::Descriptor;
use super::place::{leads_to, Identity};
use super::stdio::Stream;
use super::unit::{Unit, UnitAccess};
use crate::manifest::{Access, Handle};
use libc::c_int;
use std::fs::{File, Metadata};
use std::io;
use std::os::unix::fs::FileExt;
use std::path::Path;

/// As the program hands it over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Given {
    /// The address of a `FILE`; zero for none.
    Stream(usize),
    Descriptor(c_int),
    Unit(Unit),
}

/// A handle that was seen to be open on a regular file.
#[derive(Debug, Clone)]
pub struct Live {
    library: Library,
    descriptor: Descriptor,
    identity: Identity,
    access: Access,
}

/// Who else has a buffer and a place for it.
#[derive(Debug, Clone, Copy)]
enum Library {
    Nobody,
    C(Stream),
    Fortran(Unit),
}

impl Given {
    pub fn kind(self) -> Handle {
        match self {
            Given::Stream(_) => Handle::Stream,
            Given::Descriptor(_) => Handle::Descriptor,
            Given::Unit(_) => Handle::Unit,
        }
    }

    /// Whether nobody else is given its number when it is closed: not so the numbers of `NEWUNIT=`, which the blocks
    /// that come after would get again.
    pub fn can_be_closed(self) -> bool {
        matches!(self, Given::Unit(unit) if unit.number >= 0)
    }

    /// Whether it counts its place itself.
    pub fn is_stream_unit(self) -> bool {
        matches!(self, Given::Unit(unit) if unit.access == UnitAccess::Stream)
    }

    pub fn is_direct_unit(self) -> bool {
        matches!(self, Given::Unit(unit) if unit.access == UnitAccess::Direct)
    }

    pub fn is_formatted(self) -> bool {
        matches!(self, Given::Unit(unit) if unit.is_formatted)
    }

    /// Why nobody can tell where it stands.
    pub fn obstacle(self) -> Option<&'static str> {
        match self {
            Given::Unit(unit) => unit.obstacle(),
            Given::Stream(_) | Given::Descriptor(_) => None,
        }
    }
}

impl Live {
    /// None for what is not open, and for what is no regular file.
    ///
    /// # Safety
    /// A stream that is not null is open, and stays so until its descriptor is closed or leads to another file.
    pub unsafe fn of(given: Given) -> Option<Live> {
        let (library, number) = match given {
            Given::Stream(0) => return None,
            Given::Stream(address) => {
                // SAFETY: see above.
                let stream = unsafe { Stream::new(address) };
                (Library::C(stream), stream.descriptor()?)
            }
            Given::Descriptor(number) => (Library::Nobody, number),
            Given::Unit(unit) => (Library::Fortran(unit), unit.descriptor()?),
        };
        let descriptor = Descriptor::open(number)?;
        let metadata = descriptor.metadata().ok().filter(Metadata::is_file)?;
        Some(Live { library, descriptor, identity: Identity::of(&metadata), access: descriptor.access().ok()? })
    }

    pub fn access(&self) -> Access {
        self.access
    }

    pub fn identity(&self) -> Identity {
        self.identity
    }

    /// Whether the other one has the same number, so that what is done to one is done to the other.
    pub fn is_one_with(&self, other: &Live) -> bool {
        self.descriptor == other.descriptor
    }

    /// Whether it is nothing but a descriptor.
    pub fn has_no_buffer(&self) -> bool {
        matches!(self.library, Library::Nobody)
    }

    pub fn reads(&self) -> bool {
        self.descriptor.reads()
    }

    /// Whether the program still has the file open.
    pub fn is_open(&self) -> bool {
        let number = self.descriptor.number();
        // The descriptor comes first: an internal write may have taken over the number of a unit of `NEWUNIT=` that
        // was closed, and libgfortran crashes when it is asked for the descriptor of such a unit.
        let leads_there = Descriptor::open(number).and_then(Descriptor::identity) == Some(self.identity);
        leads_there
            && match self.library {
                Library::Fortran(unit) => unit.descriptor() == Some(number),
                Library::C(_) | Library::Nobody => true,
            }
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
        match (self.library, self.access) {
            (Library::C(stream), Access::Writing) => stream.flush(),
            (Library::Fortran(unit), Access::Writing) => unit.flush(),
            _ => Ok(()),
        }
    }

    pub fn sync(&self) -> io::Result<()> {
        self.descriptor.sync()
    }

    /// Where the program stands, and whether it has met the end.
    pub fn position(&self) -> io::Result<(u64, bool)> {
        match self.library {
            Library::C(stream) => Ok((stream.position()?, stream.is_at_end())),
            Library::Fortran(unit) => Ok((unit.position()?, false)),
            Library::Nobody => Ok((self.descriptor.position()?, false)),
        }
    }

    pub fn go_to(&self, position: u64, is_at_end: bool) -> io::Result<()> {
        match self.library {
            Library::C(stream) => stream.go_to(position, is_at_end),
            Library::Fortran(unit) => {
                unit.rewind()?;
                unit.go_to(position)
            }
            Library::Nobody => self.descriptor.go_to(position),
        }
    }

    /// Whether a record has been begun, so that the next one written goes on with it: the place is behind the
    /// last byte of a formatted unit, which ends no line.
    pub fn is_within_record(&self, path: &Path, position: u64) -> bool {
        let Library::Fortran(Unit { access: UnitAccess::Sequential, is_formatted: true, .. }) = self.library else { return false };
        self.access == Access::Writing && self.is_last(position) && !ends_line(path, position)
    }

    /// Whether there is nothing behind the place.
    pub fn is_last(&self, position: u64) -> bool {
        self.metadata().is_ok_and(|found| found.len() == position)
    }

    /// From now on the handle leads to the file at the path, opened as the handle was.
    pub fn lead_to(&mut self, path: &Path) -> io::Result<()> {
        if let Library::Fortran(unit) = self.library {
            // A record that the block has begun ends in the file that is thrown away.
            unit.rewind()?;
            unit.lengthen(path.metadata()?.len())?;
        }
        self.flush()?;
        let file = self.descriptor.open_alike(path)?;
        self.identity = Identity::of(&file.metadata()?);
        if !leads_to(path, self.identity) {
            return Err(io::Error::from_raw_os_error(libc::ESTALE));
        }
        // A library that has a place of its own knows where the descriptor stands.
        let stands_at = self.descriptor.position()?;
        self.descriptor.lead_to(&file)?;
        self.descriptor.go_to(stands_at)
    }

    /// Whether it has the number of standard input, output or error.
    pub fn is_standard(&self) -> bool {
        (0..=2).contains(&self.descriptor.number())
    }

    /// From now on what is written is thrown away.
    pub fn lead_nowhere(&self) -> io::Result<()> {
        self.flush()?;
        self.descriptor.lead_to(&File::options().read(true).write(true).open("/dev/null")?)
    }

    /// The same way to the file as the other handle has.
    pub fn join(&mut self, other: &Live) -> io::Result<()> {
        self.flush()?;
        self.descriptor.lead_to(&other.descriptor.duplicate()?)?;
        self.identity = other.identity;
        Ok(())
    }

    /// What the handle leads to before it is led elsewhere.
    pub fn duplicate(&self) -> io::Result<File> {
        self.descriptor.duplicate()
    }

    /// Asked of files that nobody needs: their places are lost.
    pub fn shares_place(&self, file: &File) -> bool {
        self.descriptor.shares_place(file).unwrap_or(false)
    }
}

/// Whether the place is at the beginning of a line, or of the file.
pub fn ends_line(path: &Path, position: u64) -> bool {
    let Some(before) = position.checked_sub(1) else { return true };
    let mut last = [b'\n'];
    let read = File::open(path).and_then(|file| file.read_exact_at(&mut last, before));
    read.is_err() || last == *b"\n"
}
