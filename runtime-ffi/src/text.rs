//! Texts from C.
//!
//! Input: pointers to characters.
//! Output: text.
//! Postcondition: a null pointer is `None`; bytes that are not UTF-8 are replaced.

use std::borrow::Cow;
use std::ffi::{c_char, CStr};

/// A text of the program; `None` for a null pointer.
pub type Text<'a> = Option<Cow<'a, str>>;

/// The text at the pointer.
///
/// # Safety
/// The pointer is null or points to characters that end with a zero byte and do not change during `'a`.
pub unsafe fn text<'a>(pointer: *const c_char) -> Text<'a> {
    if pointer.is_null() {
        return None;
    }
    // SAFETY: not null, and the caller guarantees the rest.
    Some(unsafe { CStr::from_ptr(pointer) }.to_string_lossy())
}
