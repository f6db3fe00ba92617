//! Units of Fortran.
//!
//! In: the number of a unit, and how it is connected. Out: its descriptor and its place, as far as the program's
//! library tells. Holds afterwards: what the program has written is in the file, a record that is not at its
//! end included; a unit that is read has not been touched.
//!
//! One of the few files with `unsafe`: calls of libgfortran, which is looked for when a unit comes. Their
//! arguments are those that the compiler's own code passes.

use libc::{c_char, c_int, c_void};
use std::io;
use std::sync::OnceLock;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unit {
    pub number: c_int,
    pub access: UnitAccess,
    pub is_formatted: bool,
    /// How long its records may be when it was opened; none where that does not matter.
    record_bytes: Option<i32>,
}

/// How a unit is connected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnitAccess {
    /// It is not.
    Nothing,
    Sequential,
    /// Each statement says where: the unit has no place.
    Direct,
    /// Its place is counted in bytes, by the unit too: the program has to set it.
    Stream,
}

/// The calls of libgfortran.
struct Library {
    fnum: extern "C" fn(*const c_int) -> c_int,
    tell: extern "C" fn(*const c_int, *mut i64),
    seek: extern "C" fn(*const c_int, *const i64, *const c_int, *mut c_int),
    flush: extern "C" fn(*mut Statement),
    rewind: extern "C" fn(*mut Statement),
    endfile: extern "C" fn(*mut Statement),
    inquire: extern "C" fn(*mut Statement),
}

/// What a statement such as FLUSH hands to the library; more room than it knows of.
#[repr(C)]
struct Statement {
    flags: i32,
    unit: i32,
    filename: *const c_char,
    line: i32,
    message: [usize; 2],
    iostat: *mut i32,
    more: [usize; 32],
}

/// `IOSTAT=` is given.
const HAS_IOSTAT: i32 = 1 << 5;
/// Of `INQUIRE`: `RECL=` is given, the sixth of its own arguments.
const HAS_RECORD_LENGTH: i32 = 1 << 12;

fn library() -> Option<&'static Library> {
    static LIBRARY: OnceLock<Option<Library>> = OnceLock::new();
    LIBRARY.get_or_init(find).as_ref()
}

fn find() -> Option<Library> {
    let symbol = |name: &std::ffi::CStr| {
        // SAFETY: the name is a text; there is no other requirement.
        let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
        (!found.is_null()).then_some(found)
    };
    let fnum = symbol(c"_gfortran_fnum_i4")?;
    let tell = symbol(c"_gfortran_ftell_i8_sub")?;
    let seek = symbol(c"_gfortran_fseek_sub")?;
    let (flush, rewind) = (symbol(c"_gfortran_st_flush")?, symbol(c"_gfortran_st_rewind")?);
    let (endfile, inquire) = (symbol(c"_gfortran_st_endfile")?, symbol(c"_gfortran_st_inquire")?);
    // SAFETY: procedures of libgfortran with these arguments, which programs that were compiled call.
    Some(unsafe {
        Library {
            fnum: std::mem::transmute::<*mut c_void, extern "C" fn(*const c_int) -> c_int>(fnum),
            tell: std::mem::transmute::<*mut c_void, extern "C" fn(*const c_int, *mut i64)>(tell),
            seek: std::mem::transmute::<*mut c_void, extern "C" fn(*const c_int, *const i64, *const c_int, *mut c_int)>(seek),
            flush: std::mem::transmute::<*mut c_void, extern "C" fn(*mut Statement)>(flush),
            rewind: std::mem::transmute::<*mut c_void, extern "C" fn(*mut Statement)>(rewind),
            endfile: std::mem::transmute::<*mut c_void, extern "C" fn(*mut Statement)>(endfile),
            inquire: std::mem::transmute::<*mut c_void, extern "C" fn(*mut Statement)>(inquire),
        }
    })
}

impl Unit {
    pub fn new(number: c_int, access: UnitAccess, is_formatted: bool) -> Unit {
        let unit = Unit { number, access, is_formatted, record_bytes: None };
        Unit { record_bytes: unit.record_length().filter(|_| number < 0), ..unit }
    }

    /// What `INQUIRE` says of `RECL=`.
    fn record_length(self) -> Option<i32> {
        let mut length = 0_i32;
        let mut more = [0; 32];
        more[5] = &raw mut length as usize;
        self.call(HAS_IOSTAT | HAS_RECORD_LENGTH, more, library()?.inquire).ok()?;
        Some(length)
    }

    /// Why the place of the unit cannot be known; none when it can, or when there is none.
    pub fn obstacle(self) -> Option<&'static str> {
        match self.access {
            UnitAccess::Nothing => None,
            UnitAccess::Sequential | UnitAccess::Direct | UnitAccess::Stream if library().is_none() => {
                Some("only the shared library of gfortran tells; compile with gfortran, without `-static-libgfortran`")
            }
            UnitAccess::Sequential | UnitAccess::Direct | UnitAccess::Stream => None,
        }
    }

    /// None when it is not connected.
    pub fn descriptor(self) -> Option<c_int> {
        let library = library()?;
        // A number that `NEWUNIT=` gave may belong to an internal write or read since the unit was closed. Such a unit has
        // no stream, which the library does not test; its records are as long as the text that was written.
        if self.number < 0 && self.record_length() != self.record_bytes {
            return None;
        }
        let found = (library.fnum)(&self.number);
        (found >= 0).then_some(found)
    }

    pub fn flush(self) -> io::Result<()> {
        self.state(|library| library.flush)
    }

    pub fn position(self) -> io::Result<u64> {
        let Some(library) = library() else { return Err(unsupported()) };
        if self.access == UnitAccess::Direct {
            return Ok(0);
        }
        let mut found = -1;
        (library.tell)(&self.number, &mut found);
        u64::try_from(found).map_err(|_| io::Error::from_raw_os_error(libc::EBADF))
    }

    /// Leaves nothing of what the block has done: no record that is begun, no end that was met.
    pub fn rewind(self) -> io::Result<()> {
        if self.access == UnitAccess::Direct {
            return self.flush();
        }
        self.state(|library| library.rewind)
    }

    /// Makes the file so long. The library remembers the length: what it finds in its way at the next WRITE it cuts off
    /// only when it knows of it. For a file that nobody needs.
    pub fn lengthen(self, length: u64) -> io::Result<()> {
        if self.access == UnitAccess::Direct {
            return Ok(());
        }
        self.go_to(length)?;
        self.state(|library| library.endfile)?;
        self.rewind()
    }

    /// After `rewind`.
    pub fn go_to(self, position: u64) -> io::Result<()> {
        let Some(library) = library() else { return Err(unsupported()) };
        if self.access == UnitAccess::Direct {
            return Ok(());
        }
        let offset = i64::try_from(position).map_err(|_| io::Error::from_raw_os_error(libc::EOVERFLOW))?;
        let mut status = 0;
        (library.seek)(&self.number, &offset, &0, &mut status);
        if status == 0 { Ok(()) } else { Err(io::Error::from_raw_os_error(libc::EINVAL)) }
    }

    fn state(self, call: fn(&Library) -> extern "C" fn(*mut Statement)) -> io::Result<()> {
        let Some(library) = library() else { return Err(unsupported()) };
        self.call(HAS_IOSTAT, [0; 32], call(library))
    }

    fn call(self, flags: i32, more: [usize; 32], call: extern "C" fn(*mut Statement)) -> io::Result<()> {
        let mut iostat = 0;
        let mut statement = Statement {
            flags,
            unit: self.number,
            filename: c"cppc".as_ptr(),
            line: 0,
            message: [0; 2],
            iostat: &mut iostat,
            more,
        };
        call(&mut statement);
        match iostat {
            0 => Ok(()),
            error => Err(io::Error::from_raw_os_error(error)),
        }
    }
}

fn unsupported() -> io::Error {
    io::Error::from_raw_os_error(libc::ENOTSUP)
}
