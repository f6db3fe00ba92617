//! `CPPC_File`, `CPPC_File_stream` and `CPPC_File_descriptor`.
//!
//! In: the name of a file before an execute block opens it, and what the block has of it. Out: nothing. Holds
//! afterwards: checkpoints tell how long the file is; in a replay it is so long again.

use crate::boundary::pass;
use crate::text::Text;
use cppc_runtime::files::Given;
use std::ffi::{c_char, c_int, c_void, CStr};

/// # Safety
/// `name` is null or leads to characters that end with a zero.
pub unsafe fn file(file: c_int, name: *const c_char, handle: Text) {
    let handle = handle.unwrap_or_default();
    // SAFETY: not null, and the caller vouches for the rest.
    let name = (!name.is_null()).then(|| unsafe { CStr::from_ptr(name) });
    let name = name.and_then(|name| name.to_str().ok());
    pass("CPPC_File", (), |controller| controller.file(file, name, &handle));
}

/// # Safety
/// `stream` is null or an open `FILE *`.
pub unsafe fn file_stream(file: c_int, stream: *mut c_void) {
    // SAFETY: the caller vouches for the stream.
    pass("CPPC_File_stream", (), |controller| unsafe { controller.opened(file, Given::Stream(stream as usize)) });
}

pub fn file_descriptor(file: c_int, descriptor: c_int) {
    // SAFETY: there is no stream.
    pass("CPPC_File_descriptor", (), |controller| unsafe { controller.opened(file, Given::Descriptor(descriptor)) });
}
