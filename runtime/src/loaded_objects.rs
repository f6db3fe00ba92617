//! The executable and the shared libraries that the dynamic loader has mapped.
//!
//! Input: the dynamic loader.
//! Output: for each object its file, its shift and its segments. The executable is the first.
//! Postcondition: nothing was written.

use std::ffi::CStr;
use std::ops::Range;
use std::path::PathBuf;

/// The file of the running program.
pub const EXECUTABLE: &str = "/proc/self/exe";

/// An executable or a shared library in memory.
#[derive(Debug)]
pub struct LoadedObject {
    /// Empty for the executable. Some objects of the system have no file.
    pub path: PathBuf,
    /// What the loader has added to the addresses of the file.
    pub shift: usize,
    pub segments: Vec<Segment>,
    /// The thread-local variables of the calling thread.
    pub thread_local: Option<Range<usize>>,
}

#[derive(Debug)]
pub struct Segment {
    pub range: Range<usize>,
    /// Of the program header, such as `PT_LOAD`.
    pub kind: u32,
    pub is_writable: bool,
}

impl LoadedObject {
    pub fn with(&self, kind: u32) -> impl Iterator<Item = &Segment> {
        self.segments.iter().filter(move |segment| segment.kind == kind)
    }
}

/// The address of a function or a variable that a loaded object provides, or 0.
pub fn address_of(name: &CStr) -> usize {
    // SAFETY: the name ends with a null character.
    unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) as usize }
}

#[cfg(target_os = "linux")]
pub fn loaded_objects() -> Vec<LoadedObject> {
    let mut found: Vec<LoadedObject> = Vec::new();
    // SAFETY: `visit` has the required type and does not unwind, and `found` lives through the call.
    unsafe { libc::dl_iterate_phdr(Some(visit), (&raw mut found).cast()) };
    found
}

#[cfg(not(target_os = "linux"))]
pub fn loaded_objects() -> Vec<LoadedObject> {
    Vec::new()
}

#[cfg(target_os = "linux")]
unsafe extern "C" fn visit(
    object: *mut libc::dl_phdr_info,
    _size: usize,
    found: *mut libc::c_void,
) -> libc::c_int {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    // SAFETY: the loader passes a valid description, and `found` is the vector of the caller.
    let (object, found) = unsafe { (&*object, &mut *found.cast::<Vec<LoadedObject>>()) };
    let headers = match object.dlpi_phdr.is_null() {
        true => &[],
        // SAFETY: the loader provides the number of headers.
        false => unsafe { std::slice::from_raw_parts(object.dlpi_phdr, usize::from(object.dlpi_phnum)) },
    };
    let name = match object.dlpi_name.is_null() {
        true => &[],
        // SAFETY: the loader provides a text.
        false => unsafe { CStr::from_ptr(object.dlpi_name) }.to_bytes(),
    };
    let shift = object.dlpi_addr as usize;
    let segments = headers.iter().map(|header| {
        let start = shift.wrapping_add(header.p_vaddr as usize);
        Segment {
            range: start..start.wrapping_add(header.p_memsz as usize),
            kind: header.p_type,
            is_writable: header.p_flags & libc::PF_W != 0,
        }
    });
    let own = headers.iter().find(|header| header.p_type == libc::PT_TLS);
    let thread_local = own.filter(|_| !object.dlpi_tls_data.is_null()).map(|own| {
        let start = object.dlpi_tls_data as usize;
        start..start.wrapping_add(own.p_memsz as usize)
    });
    found.push(LoadedObject {
        path: OsStr::from_bytes(name).into(),
        shift,
        segments: segments.collect(),
        thread_local,
    });
    0
}
