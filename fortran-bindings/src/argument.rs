//! Arguments of Fortran calls.
//!
//! Input: addresses of integers, texts and their lengths.
//! Output: their values.
//! Postcondition: a missing argument is zero or no text.

use cppc_runtime_ffi::text::Text;
use std::ffi::{c_char, c_int};

/// A default INTEGER. If it has 8 bytes (`-fdefault-integer-8`), the first 4 are read, which contain the
/// value on a little-endian machine.
///
/// # Safety
/// The pointer is null or points to an integer.
#[inline(always)]
pub unsafe fn integer(argument: *const c_int) -> c_int {
    if argument.is_null() {
        return 0;
    }
    // SAFETY: not null, and the caller guarantees the rest.
    unsafe { argument.read_unaligned() }
}

/// An `INTEGER(8)` that is a count. A negative value counts as 0.
///
/// # Safety
/// The pointer is null or points to an integer of 8 bytes.
#[inline(always)]
pub unsafe fn count(argument: *const i64) -> usize {
    if argument.is_null() {
        return 0;
    }
    // SAFETY: not null, and the caller guarantees the rest.
    usize::try_from(unsafe { argument.read_unaligned() }).unwrap_or(0)
}

/// A CHARACTER without the blanks at its end. It also ends before a zero byte, like names in C.
///
/// # Safety
/// The pointer is null or points to `length` characters that do not change during `'a`.
#[inline]
pub unsafe fn text<'a>(argument: *const c_char, length: usize) -> Text<'a> {
    if argument.is_null() {
        return None;
    }
    // SAFETY: not null, and the caller guarantees the rest.
    let bytes = unsafe { std::slice::from_raw_parts(argument.cast::<u8>(), length) };
    let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(length);
    Some(String::from_utf8_lossy(bytes[..end].trim_ascii_end()))
}

/// A CHARACTER as a file name: without the blanks at its end, and up to a zero byte, where the library's name
/// ends too.
///
/// # Safety
/// The pointer is null or points to `length` characters that do not change during `'a`.
pub unsafe fn bytes<'a>(argument: *const c_char, length: usize) -> &'a [u8] {
    if argument.is_null() {
        return &[];
    }
    // SAFETY: not null, and the caller guarantees the rest.
    let bytes = unsafe { std::slice::from_raw_parts(argument.cast::<u8>(), length) };
    let end = bytes.iter().rposition(|&byte| byte != b' ').map_or(0, |last| last + 1);
    let end = bytes[..end].iter().position(|&byte| byte == 0).unwrap_or(end);
    &bytes[..end]
}

/// The bytes of one element of a type of the runtime.
pub fn size_of_type(code: c_int) -> usize {
    cppc_abi::types::by_code(code).map_or(0, |found| found.size_bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text_of_fortran: &str) -> Option<String> {
        // SAFETY: the text lives during the call.
        unsafe { text(text_of_fortran.as_ptr().cast(), text_of_fortran.len()) }.map(|text| text.into_owned())
    }

    #[test]
    fn blanks_at_the_end_do_not_count() {
        assert_eq!(said("it + 1  "), Some("it + 1".to_owned()));
        assert_eq!(said("   "), Some(String::new()));
        assert_eq!(said("u\0\0 "), Some("u".to_owned()));
        // SAFETY: a null pointer is allowed.
        assert_eq!(unsafe { text(std::ptr::null(), 3) }, None);
    }

    #[test]
    fn what_is_not_there_is_nothing() {
        // SAFETY: null pointers are allowed; the others point to integers.
        unsafe {
            assert_eq!((integer(std::ptr::null()), count(std::ptr::null())), (0, 0));
            assert_eq!((integer(&-7), count(&-7), count(&12)), (-7, 0, 12));
        }
    }
}
