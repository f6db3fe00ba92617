//! Units of Fortran.
//!
//! Input: the number of a unit, and how it is connected.
//! Output: its descriptor and its position, as far as the Fortran library provides them.
//! Postcondition: the output of the program is in the file, including an incomplete record; a unit that is
//! read was not changed.
//!
//! One of the few files with `unsafe`: calls of libgfortran, which is searched for when the first unit is
//! used. Their arguments are those that compiled code passes.

use libc::{c_char, c_int, c_void};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::OnceLock;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Unit {
    pub number: c_int,
    pub access: UnitAccess,
    pub is_formatted: bool,
    /// The record length in bytes when it was opened; `None` if it does not matter.
    record_bytes: Option<i32>,
}

/// How a unit is connected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnitAccess {
    /// Not connected.
    Nothing,
    Sequential,
    /// Direct access: each statement names a record, so the unit has no position.
    Direct,
    /// Stream access: the position is counted in bytes, also by the unit itself, so the program has to set
    /// it.
    Stream,
}

/// The calls of libgfortran.
struct Libgfortran {
    fnum: extern "C" fn(*const c_int) -> c_int,
    tell: extern "C" fn(*const c_int, *mut i64),
    seek: extern "C" fn(*const c_int, *const i64, *const c_int, *mut c_int),
    flush: extern "C" fn(*mut IoParameters),
    rewind: extern "C" fn(*mut IoParameters),
    endfile: extern "C" fn(*mut IoParameters),
    inquire: extern "C" fn(*mut IoParameters),
}

/// The parameters that a statement such as FLUSH passes to the library, with spare room for later versions.
#[repr(C)]
struct IoParameters {
    flags: i32,
    unit: i32,
    filename: *const c_char,
    line: i32,
    message: [usize; 2],
    iostat: *mut i32,
    more: [usize; 32],
}

/// Standard error, standard input and standard output.
const PRECONNECTED: [c_int; 3] = [0, 5, 6];

const STANDARD_OUTPUT: c_int = 6;

/// Writes the buffer of the unit of standard output, if the program has libgfortran and it is connected.
pub fn flush_standard_output() {
    let unit = Unit {
        number: STANDARD_OUTPUT,
        access: UnitAccess::Sequential,
        is_formatted: true,
        record_bytes: None,
    };
    if library().is_some() {
        let _ = unit.flush();
    }
}

/// `IOSTAT=` is given.
const HAS_IOSTAT: i32 = 1 << 5;
/// `INQUIRE` only: `RECL=` is given, the sixth of its own arguments.
const HAS_RECORD_LENGTH: i32 = 1 << 12;
/// `INQUIRE` only: `NUMBER=` is given, the third of its own arguments.
const HAS_NUMBER: i32 = 1 << 9;
/// `INQUIRE` only: `FILE=` is given instead of `UNIT=`. The name is the eighth argument, its length the ninth.
const HAS_FILE: i32 = 1 << 14;
/// Records of a file have at least this length unless the program gives `RECL=`. Texts are shorter.
const USUAL_RECORD_BYTES: i32 = 1 << 30;

fn library() -> Option<&'static Libgfortran> {
    static LIBRARY: OnceLock<Option<Libgfortran>> = OnceLock::new();
    LIBRARY.get_or_init(find).as_ref()
}

fn find() -> Option<Libgfortran> {
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
        Libgfortran {
            fnum: std::mem::transmute::<*mut c_void, extern "C" fn(*const c_int) -> c_int>(fnum),
            tell: std::mem::transmute::<*mut c_void, extern "C" fn(*const c_int, *mut i64)>(tell),
            seek: std::mem::transmute::<
                *mut c_void,
                extern "C" fn(*const c_int, *const i64, *const c_int, *mut c_int),
            >(seek),
            flush: std::mem::transmute::<*mut c_void, extern "C" fn(*mut IoParameters)>(flush),
            rewind: std::mem::transmute::<*mut c_void, extern "C" fn(*mut IoParameters)>(rewind),
            endfile: std::mem::transmute::<*mut c_void, extern "C" fn(*mut IoParameters)>(endfile),
            inquire: std::mem::transmute::<*mut c_void, extern "C" fn(*mut IoParameters)>(inquire),
        }
    })
}

impl Unit {
    pub fn new(number: c_int, access: UnitAccess, is_formatted: bool) -> Unit {
        let unit = Unit { number, access, is_formatted, record_bytes: None };
        Unit { record_bytes: unit.record_length().filter(|_| number < 0), ..unit }
    }

    /// The result of `INQUIRE` with `RECL=`.
    fn record_length(self) -> Option<i32> {
        let mut length = 0_i32;
        let mut more = [0; 32];
        more[5] = &raw mut length as usize;
        self.call(HAS_IOSTAT | HAS_RECORD_LENGTH, more, library()?.inquire).ok()?;
        Some(length)
    }

    /// The unit as a block leaves it that opens the file at this path. If the block has closed the file, the number may
    /// belong to an internal write or read by now. If it has opened no file, the number may be that of a unit that is always
    /// connected. In both cases, the unit counts as not connected.
    pub fn after_opening(self, path: &Path) -> Unit {
        let is_internal =
            self.number < 0 && self.record_bytes.is_some_and(|bytes| bytes < USUAL_RECORD_BYTES);
        let is_in_doubt = is_internal || (PRECONNECTED.contains(&self.number) && library().is_some());
        match is_in_doubt && self.number_of(path) != Some(self.number) {
            true => Unit { access: UnitAccess::Nothing, ..self },
            false => self,
        }
    }

    /// The number of the unit that is connected to the file at this path.
    fn number_of(self, path: &Path) -> Option<c_int> {
        let name = path.as_os_str().as_bytes();
        let mut number: c_int = 0;
        let mut more = [0; 32];
        more[2] = &raw mut number as usize;
        more[7] = name.as_ptr() as usize;
        more[8] = name.len();
        self.call(HAS_IOSTAT | HAS_NUMBER | HAS_FILE, more, library()?.inquire).ok()?;
        Some(number)
    }

    /// Why the position of the unit cannot be determined; `None` if it can, or if there is none.
    pub fn obstacle(self) -> Option<&'static str> {
        match self.access {
            UnitAccess::Nothing => None,
            UnitAccess::Sequential | UnitAccess::Direct | UnitAccess::Stream if library().is_none() => {
                Some("only the shared library of gfortran provides it; compile with gfortran, without `-static-libgfortran`")
            }
            UnitAccess::Sequential | UnitAccess::Direct | UnitAccess::Stream => None,
        }
    }

    /// `None` if it is not connected.
    pub fn descriptor(self) -> Option<c_int> {
        let library = library().filter(|_| self.access != UnitAccess::Nothing)?;
        // The number of a closed unit of `NEWUNIT=` may belong to an internal write or read now. Such a unit
        // has no stream, which the library does not check. Its record length is that of the text.
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

    /// Discards the effects of the block: an incomplete record, and an end of file that was reached.
    pub fn rewind(self) -> io::Result<()> {
        if self.access == UnitAccess::Direct {
            return self.flush();
        }
        self.state(|library| library.rewind)
    }

    /// Extends the file to this length. The library remembers the length: at the next WRITE it truncates the
    /// file only if it knows that bytes follow. Used for temporary files only.
    pub fn lengthen(self, length: u64) -> io::Result<()> {
        if self.access == UnitAccess::Direct {
            return Ok(());
        }
        self.go_to(length)?;
        self.state(|library| library.endfile)?;
        self.rewind()
    }

    /// To be called after `rewind`.
    pub fn go_to(self, position: u64) -> io::Result<()> {
        let Some(library) = library() else { return Err(unsupported()) };
        if self.access == UnitAccess::Direct {
            return Ok(());
        }
        let offset = i64::try_from(position).map_err(|_| io::Error::from_raw_os_error(libc::EOVERFLOW))?;
        let mut status = 0;
        (library.seek)(&self.number, &offset, &0, &mut status);
        if status == 0 {
            Ok(())
        } else {
            Err(io::Error::from_raw_os_error(libc::EINVAL))
        }
    }

    fn state(self, call: fn(&Libgfortran) -> extern "C" fn(*mut IoParameters)) -> io::Result<()> {
        let Some(library) = library() else { return Err(unsupported()) };
        self.call(HAS_IOSTAT, [0; 32], call(library))
    }

    fn call(self, flags: i32, more: [usize; 32], call: extern "C" fn(*mut IoParameters)) -> io::Result<()> {
        let mut iostat = 0;
        let mut statement = IoParameters {
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
