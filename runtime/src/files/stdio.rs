//! Streams of C.
//!
//! Input: an open `FILE *`.
//! Output: its descriptor and its position.
//! Postcondition: a stream that is read was only queried; a stream that is written has an empty buffer.
//!
//! One of the few files with `unsafe`: the calls of the C library.

use libc::{c_int, c_void, FILE};
use std::io;
use std::sync::OnceLock;

#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod wide {
    use libc::{c_int, off64_t, FILE};
    extern "C" {
        #[link_name = "ftello64"]
        pub fn tell(stream: *mut FILE) -> off64_t;
        #[link_name = "fseeko64"]
        pub fn seek(stream: *mut FILE, offset: off64_t, whence: c_int) -> c_int;
    }
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
mod wide {
    pub use libc::{fseeko as seek, ftello as tell};
}

#[cfg(target_os = "linux")]
extern "C" {
    fn __fpending(stream: *mut FILE) -> libc::size_t;
}

#[cfg(not(miri))]
extern "C" {
    #[cfg_attr(target_vendor = "apple", link_name = "__stdoutp")]
    #[cfg_attr(not(target_vendor = "apple"), link_name = "stdout")]
    static STANDARD_OUTPUT: *mut FILE;
}

/// A stream whose owner guarantees that it is open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stream(usize);

/// The list of open streams of the GNU C library.
struct OpenStreams {
    lock: extern "C" fn(),
    unlock: extern "C" fn(),
    first: extern "C" fn() -> *mut FILE,
    next: extern "C" fn(*mut FILE) -> *mut FILE,
}

impl OpenStreams {
    fn get() -> Option<&'static OpenStreams> {
        static FOUND: OnceLock<Option<OpenStreams>> = OnceLock::new();
        FOUND.get_or_init(OpenStreams::find).as_ref()
    }

    fn find() -> Option<OpenStreams> {
        let symbol = |name: &std::ffi::CStr| {
            // SAFETY: the name is a text; there is no other requirement.
            let found = unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) };
            (!found.is_null()).then_some(found)
        };
        let (lock, unlock) = (symbol(c"_IO_list_lock")?, symbol(c"_IO_list_unlock")?);
        let (first, next) = (symbol(c"_IO_iter_begin")?, symbol(c"_IO_iter_next")?);
        // SAFETY: procedures of the GNU C library with these arguments. An iterator is the address of a stream.
        Some(unsafe {
            OpenStreams {
                lock: std::mem::transmute::<*mut c_void, extern "C" fn()>(lock),
                unlock: std::mem::transmute::<*mut c_void, extern "C" fn()>(unlock),
                first: std::mem::transmute::<*mut c_void, extern "C" fn() -> *mut FILE>(first),
                next: std::mem::transmute::<*mut c_void, extern "C" fn(*mut FILE) -> *mut FILE>(next),
            }
        })
    }
}

/// Whether a stream at this address may be open. A block may have closed it and left its address in the handle.
/// Only the GNU C library, as a shared library, lists its streams.
pub fn may_be_open(address: usize) -> bool {
    let Some(streams) = OpenStreams::get() else { return true };
    (streams.lock)();
    let mut stream = (streams.first)();
    while !stream.is_null() && stream as usize != address {
        stream = (streams.next)(stream);
    }
    (streams.unlock)();
    !stream.is_null()
}

/// Writes the buffers of all streams.
pub fn flush_all() {
    // SAFETY: a null pointer selects all streams of output.
    let _ = checked(unsafe { libc::fflush(std::ptr::null_mut()) });
}

/// Writes the buffer of standard output, if it is open. An error stays with the stream, where the program finds it.
#[cfg(not(miri))]
pub fn flush_standard_output() {
    // SAFETY: the C library has set it.
    let address = unsafe { STANDARD_OUTPUT } as usize;
    if may_be_open(address) {
        let _ = Stream(address).flush();
    }
}

#[cfg(miri)]
pub fn flush_standard_output() {}

impl Stream {
    /// # Safety
    /// The address is that of a `FILE`, which is open whenever a method is called.
    pub unsafe fn new(address: usize) -> Stream {
        Stream(address)
    }

    fn raw(self) -> *mut FILE {
        self.0 as *mut FILE
    }

    pub fn descriptor(self) -> Option<c_int> {
        // SAFETY: `new`.
        let found = unsafe { libc::fileno(self.raw()) };
        (found >= 0).then_some(found)
    }

    /// Writes the content of the buffer. A stream without output is left as it is, including bytes that were
    /// read ahead or pushed back.
    pub fn flush(self) -> io::Result<()> {
        #[cfg(target_os = "linux")]
        // SAFETY: `new`.
        if unsafe { __fpending(self.raw()) } == 0 {
            return Ok(());
        }
        // SAFETY: `new`.
        checked(unsafe { libc::fflush(self.raw()) })
    }

    /// The position of the program, not counting bytes that were read ahead.
    pub fn position(self) -> io::Result<u64> {
        // SAFETY: `new`.
        let found = unsafe { wide::tell(self.raw()) };
        u64::try_from(found).map_err(|_| io::Error::last_os_error())
    }

    pub fn is_at_end(self) -> bool {
        // SAFETY: `new`.
        unsafe { libc::feof(self.raw()) != 0 }
    }

    /// Sets the position in a file that may differ from the one that filled the buffer.
    pub fn go_to(self, position: u64, is_at_end: bool) -> io::Result<()> {
        // A seek to a position in the buffer would not access the file. A seek far beyond it discards the
        // buffer; it may fail on a file system without such offsets, which does no harm.
        let beyond = position.saturating_add(1 << 32);
        let _ = self.seek(beyond);
        self.seek(position)?;
        if is_at_end {
            // SAFETY: `new`.
            unsafe { libc::fgetc(self.raw()) };
        }
        Ok(())
    }

    fn seek(self, position: u64) -> io::Result<()> {
        let offset = position.try_into().map_err(|_| io::Error::from_raw_os_error(libc::EOVERFLOW))?;
        // SAFETY: `new`.
        checked(unsafe { wide::seek(self.raw(), offset, libc::SEEK_SET) })
    }
}

fn checked(result: c_int) -> io::Result<()> {
    if result == 0 {
        Ok(())
    } else {
        Err(io::Error::last_os_error())
    }
}
