//! `CPPC_File`, `CPPC_File_stream` and `CPPC_File_descriptor`.
//!
//! Input: the name of a file before an execute block opens it, and its handle after the block.
//! Output: what remains to be done.
//! Postcondition: checkpoints record the length of the file; in a replay the file has that length again.

use crate::boundary::pass;
use crate::text::Text;
use cppc_runtime::files::{ProgramHandle, RemainingAction, Unit, UnitAccess};
use std::ffi::{c_char, c_int, c_void, CStr};

/// # Safety
/// `name` is null or points to characters that end with a zero byte.
pub unsafe fn file(file: c_int, name: *const c_char, handle: Text) {
    // SAFETY: not null, and the caller guarantees the rest.
    let name = (!name.is_null()).then(|| unsafe { CStr::from_ptr(name) });
    file_named(file, name.map_or(&[], CStr::to_bytes), handle);
}

/// The same with the name as bytes.
pub fn file_named(file: c_int, name: &[u8], handle: Text) {
    let handle = handle.unwrap_or_default();
    pass("CPPC_File", (), |controller| controller.file(file, name, &handle));
}

/// A unit of Fortran. In a restart the program has to carry out what the result means. 0: nothing. 1: begin
/// the incomplete record again. 2: close the unit. 3 to 6: at the position that `file_place` returns, read
/// (3) or write (4) nothing unformatted, or read (5) or write (6) nothing formatted. 7: end the line there. 8
/// and 9: write the record, unformatted or formatted, that contains the byte before that position, and call
/// this again.
pub fn file_unit(file: c_int, number: c_int, access: Text, form: Text) -> c_int {
    let said = |text: &Text, wanted: &str| {
        text.as_deref().is_some_and(|text| text.trim().eq_ignore_ascii_case(wanted))
    };
    let access = match () {
        () if said(&access, "SEQUENTIAL") => UnitAccess::Sequential,
        () if said(&access, "DIRECT") => UnitAccess::Direct,
        () if said(&access, "STREAM") => UnitAccess::Stream,
        () => UnitAccess::Nothing,
    };
    let unit = Unit::new(number, access, said(&form, "FORMATTED"));
    // SAFETY: there is no stream.
    pass("CPPC_FILE_UNIT", 0, |controller| {
        unsafe { controller.opened(file, ProgramHandle::Unit(unit)) }.map(|rest| match rest {
            RemainingAction::Nothing => 0,
            RemainingAction::BeginRecord => 1,
            RemainingAction::Close => 2,
            RemainingAction::GoTo { writing: false, formatted: false } => 3,
            RemainingAction::GoTo { writing: true, formatted: false } => 4,
            RemainingAction::GoTo { writing: false, formatted: true } => 5,
            RemainingAction::GoTo { writing: true, formatted: true } => 6,
            RemainingAction::EndLine => 7,
            RemainingAction::LastRecord { formatted: false } => 8,
            RemainingAction::LastRecord { formatted: true } => 9,
        })
    })
}

/// The position of the unit of the last `file_unit`, counted as in `POS=`.
///
/// # Safety
/// `place` is null or can be written.
pub unsafe fn file_place(place: *mut i64) {
    let found = pass("CPPC_FILE_PLACE", 1, |controller| Ok(controller.file_position()));
    // SAFETY: the caller guarantees it.
    if let Some(place) = unsafe { place.as_mut() } {
        *place = found;
    }
}

/// # Safety
/// `stream` is null or an open `FILE *`.
pub unsafe fn file_stream(file: c_int, stream: *mut c_void) {
    // SAFETY: the caller guarantees the stream.
    pass("CPPC_File_stream", (), |controller| {
        unsafe { controller.opened(file, ProgramHandle::Stream(stream as usize)) }.map(|_| ())
    });
}

pub fn file_descriptor(file: c_int, descriptor: c_int) {
    // SAFETY: there is no stream.
    pass("CPPC_File_descriptor", (), |controller| {
        unsafe { controller.opened(file, ProgramHandle::Descriptor(descriptor)) }.map(|_| ())
    });
}
