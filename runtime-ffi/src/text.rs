//! Texts from C.
//!
//! In: pointers to characters. Out: text. Holds afterwards: a null pointer is none; what is not UTF-8
//! keeps what can be read of it.

use std::borrow::Cow;
use std::ffi::{c_char, CStr};

/// A text of the program; none for a null pointer.
pub type Text<'a> = Option<Cow<'a, str>>;

/// The text at the pointer.
///
/// # Safety
/// The pointer is null or leads to characters that end with a zero and stay as they are during `'a`.
pub unsafe fn text<'a>(pointer: *const c_char) -> Text<'a> {
    if pointer.is_null() {
        return None;
    }
    // SAFETY: not null, and the caller vouches for the rest.
    Some(unsafe { CStr::from_ptr(pointer) }.to_string_lossy())
}
