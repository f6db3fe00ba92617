//! `CPPC_File`, `CPPC_File_stream` and `CPPC_File_descriptor`.
//!
//! In: the name of a file before an execute block opens it, and what the block has of it. Out: what is left to do. Holds
//! afterwards: checkpoints tell how long the file is; in a replay it is so long again.

use crate::boundary::pass;
use crate::text::Text;
use cppc_runtime::files::{Given, Rest, Unit, UnitAccess};
use std::ffi::{c_char, c_int, c_void, CStr};

/// # Safety
/// `name` is null or leads to characters that end with a zero.
pub unsafe fn file(file: c_int, name: *const c_char, handle: Text) {
    // SAFETY: not null, and the caller vouches for the rest.
    let name = (!name.is_null()).then(|| unsafe { CStr::from_ptr(name) });
    file_named(file, name.map_or(&[], CStr::to_bytes), handle);
}

/// The same, the name as bytes.
pub fn file_named(file: c_int, name: &[u8], handle: Text) {
    let handle = handle.unwrap_or_default();
    pass("CPPC_File", (), |controller| controller.file(file, name, &handle));
}

/// A unit of Fortran. Returns 1 when a restart wants the program to begin the record again that it was in, 2 when
/// it wants the unit closed, 3 to 6 when it wants the place set that `file_place` tells: reading or writing nothing
/// there, unformatted or formatted; 7 when it wants the line ended there; 8 and 9 when it wants the record written, unformatted
/// or formatted, in which the byte before that place is, and to be called again.
pub fn file_unit(file: c_int, number: c_int, access: Text, form: Text) -> c_int {
    let said = |text: &Text, wanted: &str| text.as_deref().is_some_and(|text| text.trim().eq_ignore_ascii_case(wanted));
    let access = match () {
        () if said(&access, "SEQUENTIAL") => UnitAccess::Sequential,
        () if said(&access, "DIRECT") => UnitAccess::Direct,
        () if said(&access, "STREAM") => UnitAccess::Stream,
        () => UnitAccess::Nothing,
    };
    let unit = Unit::new(number, access, said(&form, "FORMATTED"));
    // SAFETY: there is no stream.
    pass("CPPC_FILE_UNIT", 0, |controller| unsafe { controller.opened(file, Given::Unit(unit)) }.map(|rest| match rest {
        Rest::Nothing => 0,
        Rest::BeginRecord => 1,
        Rest::Close => 2,
        Rest::GoTo { writing: false, formatted: false } => 3,
        Rest::GoTo { writing: true, formatted: false } => 4,
        Rest::GoTo { writing: false, formatted: true } => 5,
        Rest::GoTo { writing: true, formatted: true } => 6,
        Rest::EndLine => 7,
        Rest::LastRecord { formatted: false } => 8,
        Rest::LastRecord { formatted: true } => 9,
    }))
}

/// Where the unit of the last `file_unit` stands, as `POS=` counts.
///
/// # Safety
/// `place` is null or can be written.
pub unsafe fn file_place(place: *mut i64) {
    let found = pass("CPPC_FILE_PLACE", 1, |controller| Ok(controller.file_place()));
    // SAFETY: the caller vouches for it.
    if let Some(place) = unsafe { place.as_mut() } {
        *place = found;
    }
}

/// # Safety
/// `stream` is null or an open `FILE *`.
pub unsafe fn file_stream(file: c_int, stream: *mut c_void) {
    // SAFETY: the caller vouches for the stream.
    pass("CPPC_File_stream", (), |controller| unsafe { controller.opened(file, Given::Stream(stream as usize)) }.map(|_| ()));
}

pub fn file_descriptor(file: c_int, descriptor: c_int) {
    // SAFETY: there is no stream.
    pass("CPPC_File_descriptor", (), |controller| unsafe { controller.opened(file, Given::Descriptor(descriptor)) }.map(|_| ()));
}
