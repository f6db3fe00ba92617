//! The lines of calls, for the reports of the check of messages.
//!
//! Input: an executable or a library, and an offset in it.
//! Output: `FILE:LINE`, from the debug information.
//! Postcondition: nothing is stored if there is no debug information.

use addr2line::Loader;
use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::{c_char, c_int, CStr, OsStr};
use std::os::unix::ffi::OsStrExt;
use std::panic::catch_unwind;
use std::path::Path;

thread_local! {
    /// The debug information that was read, by file.
    static LOADERS: RefCell<HashMap<Vec<u8>, Option<Loader>>> = RefCell::default();
}

/// The line of an offset, relative to the working directory if it is below that.
fn line_of(path: &[u8], offset: u64) -> Option<String> {
    LOADERS.with_borrow_mut(|loaders| {
        let loader = loaders
            .entry(path.to_vec())
            .or_insert_with(|| Loader::new(Path::new(OsStr::from_bytes(path))).ok());
        let location = loader.as_ref()?.find_location(offset).ok()??;
        let (file, line) = (location.file?, location.line?);
        let directory = std::env::current_dir().unwrap_or_default();
        let shown = Path::new(file).strip_prefix(&directory).unwrap_or(Path::new(file));
        Some(format!("{}:{line}", shown.display()))
    })
}

/// Stores the line as text that ends with a zero. Returns 0 if it is unknown.
///
/// # Safety
/// `path` is a text that ends with a zero. `text` has room for `size` bytes.
#[no_mangle]
pub unsafe extern "C" fn cppc_line_of(
    path: *const c_char,
    offset: u64,
    text: *mut c_char,
    size: usize,
) -> c_int {
    // SAFETY: the caller guarantees it.
    let path = unsafe { CStr::from_ptr(path) }.to_bytes();
    let line = catch_unwind(|| line_of(path, offset)).ok().flatten();
    let Some(line) = line.filter(|line| line.len() < size) else { return 0 };
    // SAFETY: there is room for the line and the zero.
    unsafe {
        text.copy_from_nonoverlapping(line.as_ptr().cast(), line.len());
        text.add(line.len()).write(0);
    }
    1
}
