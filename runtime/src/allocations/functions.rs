//! The functions that the objects of a program call instead of `malloc`, `free` and their relatives.
//!
//! Input: calls of the program, which the linker redirects (`--wrap`).
//! Output: the results of the C library.
//! Postcondition: an allocation is in the table before its address is returned. It is out of the table before another
//! thread can get the same address. In a program with graphs, new memory of `malloc` and `realloc` contains zeros. So a pointer
//! that the program never sets is null. Otherwise, the graph could not be saved.

use super::real::c;
use super::replaced::usable_bytes;
use super::{clears, IS_LINKED, TABLE};
use std::ffi::{c_char, c_int, c_void};
use std::sync::atomic::Ordering;

type Memory = *mut c_void;

#[inline]
fn made(memory: Memory, size_bytes: usize) -> Memory {
    if !IS_LINKED.load(Ordering::Relaxed) {
        IS_LINKED.store(true, Ordering::Relaxed);
    }
    // A null pointer is not recorded.
    TABLE.record(memory as usize, size_bytes);
    memory
}

macro_rules! allocations {
    ($($wrapper:ident $name:ident ($($argument:ident: usize),*) $size:ident;)*) => {$(
        #[doc = concat!("`", stringify!($name), "` of the program.")]
        ///
        /// # Safety
        /// The requirements of the C function hold.
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $wrapper($($argument: usize),*) -> Memory {
            // SAFETY: the caller guarantees the requirements.
            made(unsafe { c::$name($($argument),*) }, $size)
        }
    )*};
}

allocations! {
    __wrap_aligned_alloc aligned_alloc (alignment: usize, size: usize) size;
    __wrap_memalign memalign (alignment: usize, size: usize) size;
    __wrap_valloc valloc (size: usize) size;
}

/// `malloc` of the program.
///
/// # Safety
/// The requirements of the C function hold.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __wrap_malloc(size: usize) -> Memory {
    // SAFETY: the caller guarantees the requirements. `calloc` does not set new memory of the system again.
    let memory = unsafe {
        if clears() {
            c::calloc(size, 1)
        } else {
            c::malloc(size)
        }
    };
    made(memory, size)
}

/// `calloc` of the program.
///
/// # Safety
/// The requirements of the C function hold.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __wrap_calloc(count: usize, size: usize) -> Memory {
    // The product does not overflow if the allocation succeeds.
    // SAFETY: the caller guarantees the requirements.
    made(unsafe { c::calloc(count, size) }, count.wrapping_mul(size))
}

/// `posix_memalign` of the program.
///
/// # Safety
/// The requirements of the C function hold.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __wrap_posix_memalign(out: *mut Memory, alignment: usize, size: usize) -> c_int {
    // SAFETY: the caller guarantees the requirements.
    let status = unsafe { c::posix_memalign(out, alignment, size) };
    if status == 0 {
        // SAFETY: the function has set it.
        made(unsafe { out.read() }, size);
    }
    status
}

/// `free` of the program.
///
/// # Safety
/// The requirements of the C function hold.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __wrap_free(memory: Memory) {
    TABLE.forget(memory as usize);
    // SAFETY: the caller guarantees the requirements.
    unsafe { c::free(memory) };
}

/// `realloc` of the program.
///
/// # Safety
/// The requirements of the C function hold.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __wrap_realloc(old: Memory, size: usize) -> Memory {
    if old.is_null() {
        // SAFETY: the caller guarantees the requirements.
        return unsafe { __wrap_malloc(size) };
    }
    let known = TABLE.forget(old as usize);
    // Code without `--wrap` may have resized the block, so the table may not have its size.
    let old_bytes = if clears() { usable_bytes(old as usize) } else { None };
    // SAFETY: the caller guarantees the requirements.
    let new = unsafe { c::realloc(old, size) };
    if let Some(old_bytes) = old_bytes.filter(|old_bytes| *old_bytes < size && !new.is_null()) {
        // SAFETY: the memory has this size, and the old block had nothing there.
        unsafe { new.cast::<u8>().add(old_bytes).write_bytes(0, size - old_bytes) };
    }
    match known {
        // The memory is still allocated. With size 0, the GNU C library has freed it.
        Some(size_bytes) if new.is_null() && size > 0 => made(old, size_bytes),
        Some(_) | None => made(new, size),
    };
    new
}

/// `reallocarray` of the program.
///
/// # Safety
/// The requirements of the C function hold.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __wrap_reallocarray(old: Memory, count: usize, size: usize) -> Memory {
    // `realloc` refuses this size, and sets `errno`.
    let size_bytes = count.saturating_mul(size);
    // SAFETY: the caller guarantees the requirements.
    unsafe { __wrap_realloc(old, size_bytes) }
}

/// `strdup` of the program.
///
/// # Safety
/// The requirements of the C function hold.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __wrap_strdup(text: *const c_char) -> *mut c_char {
    // SAFETY: the caller guarantees the requirements.
    unsafe { made_text(c::strdup(text)) }
}

/// `strndup` of the program.
///
/// # Safety
/// The requirements of the C function hold.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __wrap_strndup(text: *const c_char, limit: usize) -> *mut c_char {
    // SAFETY: the caller guarantees the requirements.
    unsafe { made_text(c::strndup(text, limit)) }
}

/// # Safety
/// `text` is null or ends with a zero byte.
unsafe fn made_text(text: *mut c_char) -> *mut c_char {
    if !text.is_null() {
        // SAFETY: the caller guarantees it.
        made(text.cast(), unsafe { libc::strlen(text) } + 1);
    }
    text
}

/// `getline` of the program.
///
/// # Safety
/// The requirements of the C function hold.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __wrap_getline(line: *mut *mut c_char, size: *mut usize, stream: Memory) -> isize {
    // SAFETY: the caller guarantees the requirements. `getline` is `getdelim` with this delimiter.
    unsafe { __wrap_getdelim(line, size, c_int::from(b'\n'), stream) }
}

/// `getdelim` of the program.
///
/// # Safety
/// The requirements of the C function hold.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __wrap_getdelim(
    line: *mut *mut c_char,
    size: *mut usize,
    delimiter: c_int,
    stream: Memory,
) -> isize {
    // SAFETY: a pointer that is not null points to the program's variables.
    let before = if line.is_null() { std::ptr::null_mut() } else { unsafe { line.read() } };
    let known = TABLE.forget(before as usize);
    // SAFETY: the caller guarantees the requirements.
    let length = unsafe { c::getdelim(line, size, delimiter, stream) };
    if !line.is_null() && !size.is_null() {
        // SAFETY: as above.
        let (now, size_bytes) = unsafe { (line.read(), size.read()) };
        if !now.is_null() && now != before {
            // New memory may contain old addresses behind the text, which the search for addresses would report.
            let used = usize::try_from(length).map_or(0, |length| length + 1).min(size_bytes);
            // SAFETY: the function has set the pointer to memory of this size.
            unsafe { now.cast::<u8>().add(used).write_bytes(0, size_bytes - used) };
        }
        match known {
            // The size that the program passed may be smaller than the allocation.
            Some(known) if now == before => made(now.cast(), size_bytes.max(known)),
            None if now == before => now.cast(),
            Some(_) | None => made(now.cast(), size_bytes),
        };
    }
    length
}

/// `getdelim` as the inline `getline` of the GNU C library calls it.
///
/// # Safety
/// The requirements of the C function hold.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __wrap___getdelim(
    line: *mut *mut c_char,
    size: *mut usize,
    delimiter: c_int,
    stream: Memory,
) -> isize {
    // SAFETY: the caller guarantees the requirements.
    unsafe { __wrap_getdelim(line, size, delimiter, stream) }
}
