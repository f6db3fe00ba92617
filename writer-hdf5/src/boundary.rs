//! The functions that the runtime calls.
//!
//! Input: addresses.
//! Output: 0, or an error number and a text.
//! Postcondition: no panic has crossed the boundary; what was opened is closed once.
//!
//! One of the few files with `unsafe`: the interface is C.

use crate::fault::Fault;
use crate::input::Input;
use crate::session::{is_threadsafe, keep_open_at_exit};
use crate::view::View;
use crate::write;
use cppc_abi::writer::{Writer, WriterInput, WriterState, BESIDE, MESSAGE_BYTES, RECYCLES, VERSION};
use std::ffi::{c_char, c_int, c_void, CStr};
use std::panic::{catch_unwind, AssertUnwindSafe};
use std::sync::OnceLock;

const SIGNATURE: &[u8] = b"\x89HDF\r\n\x1a\n";

/// The table exists as long as the process and is never changed.
struct WriterTable(Writer);
// SAFETY: it contains only addresses of constants and functions.
unsafe impl Send for WriterTable {}
// SAFETY: as above.
unsafe impl Sync for WriterTable {}

static TABLE: OnceLock<WriterTable> = OnceLock::new();

/// The only exported symbol of this writer.
#[no_mangle]
pub extern "C" fn CPPC_Get_writer(version: u32) -> *const Writer {
    if version != VERSION {
        return std::ptr::null();
    }
    let table = TABLE.get_or_init(|| {
        keep_open_at_exit();
        WriterTable(Writer {
            version: VERSION,
            // A library without its own lock must not be called while the program may call it.
            flags: if is_threadsafe() { RECYCLES | BESIDE } else { RECYCLES },
            name: c"hdf5".as_ptr(),
            signature: SIGNATURE.as_ptr(),
            signature_size: SIGNATURE.len() as u64,
            write: Some(write_file),
            open: Some(open_file),
            read: Some(read_file),
            close: Some(close_file),
        })
    });
    &raw const table.0
}

unsafe extern "C" fn write_file(
    state: *const WriterState,
    path: *const c_char,
    message: *mut c_char,
) -> c_int {
    guarded(message, || {
        // SAFETY: the runtime passes a state and a path that live until we return.
        let (view, path) = unsafe { (View::new(&*state), CStr::from_ptr(path)) };
        write::write(&view, path)
    })
}

unsafe extern "C" fn open_file(path: *const c_char, input: *mut WriterInput, message: *mut c_char) -> c_int {
    guarded(message, || {
        // SAFETY: as above; `input` is the runtime's to fill.
        let (path, input) = unsafe { (CStr::from_ptr(path), &mut *input) };
        let opened = Box::new(Input::open(path)?);
        input.seal = opened.seal().as_ptr();
        input.seal_size = opened.seal().len() as u64;
        input.file = Box::into_raw(opened).cast();
        Ok(())
    })
}

unsafe extern "C" fn read_file(
    file: *mut c_void,
    block: u64,
    offset: u64,
    size: u64,
    into: *mut c_void,
    message: *mut c_char,
) -> c_int {
    if size == 0 {
        return 0;
    }
    guarded(message, || {
        // SAFETY: `file` is what `open_file` gave, and `into` has so many bytes.
        let (opened, into) = unsafe {
            (&*file.cast::<Input>(), std::slice::from_raw_parts_mut(into.cast::<u8>(), size as usize))
        };
        opened.read(block, offset, into)
    })
}

unsafe extern "C" fn close_file(file: *mut c_void) {
    if !file.is_null() {
        // SAFETY: `file` was returned by `open_file`, and nothing uses it any more.
        let opened = unsafe { Box::from_raw(file.cast::<Input>()) };
        // A panic here cannot be reported.
        let _ = catch_unwind(AssertUnwindSafe(|| drop(opened)));
    }
}

/// Runs `call` and writes its error to `message`.
fn guarded(message: *mut c_char, call: impl FnOnce() -> Result<(), Fault>) -> c_int {
    let outcome = catch_unwind(AssertUnwindSafe(call));
    let fault = match outcome {
        Ok(Ok(())) => return 0,
        Ok(Err(fault)) => fault,
        Err(_) => Fault::new("internal failure"),
    };
    let text = fault.text.as_bytes();
    let length = text.len().min(MESSAGE_BYTES - 1);
    // SAFETY: the runtime passes room for so many bytes.
    unsafe {
        std::ptr::copy_nonoverlapping(text.as_ptr(), message.cast::<u8>(), length);
        *message.add(length) = 0;
    }
    fault.code.unwrap_or(-1)
}
