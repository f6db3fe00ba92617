//! The functions of the C library under their own names.
//!
//! Input: the names that the linker defines with `--wrap`.
//! Output: functions that never record anything.
//! Postcondition: in a program that is linked without `--wrap`, and in a shared library, they are the functions of
//! the C library.
//!
//! With `--wrap=malloc`, every call of `malloc` in a program becomes a call of `__wrap_malloc`. This includes the
//! calls of the runtime, if it is linked statically. `__real_malloc` is the original. Without `--wrap` that name does
//! not exist, so it is referred to weakly.

use std::alloc::{GlobalAlloc, Layout};
use std::ffi::{c_char, c_int, c_void};

type Memory = *mut c_void;
/// A function of any type.
type Any = unsafe extern "C" fn();

macro_rules! functions {
    ($($place:literal $name:ident ($($argument:ident: $kind:ty),*) -> $result:ty;)*) => {
        #[cfg(all(target_os = "linux", not(miri)))]
        std::arch::global_asm!(
            $(concat!(".weak __real_", stringify!($name)),)*
            ".pushsection .data.rel.ro.cppc_real_functions,\"aw\",%progbits",
            ".balign 8",
            ".globl cppc_real_functions",
            ".hidden cppc_real_functions",
            "cppc_real_functions:",
            $(concat!(".dc.a __real_", stringify!($name)),)*
            ".popsection",
        );

        /// The functions of the C library. Their arguments are those of the C functions.
        pub mod c {
            use super::*;

            mod plain {
                use super::*;

                unsafe extern "C" {
                    $(pub fn $name($($argument: $kind),*) -> $result;)*
                }
            }

            $(
                #[inline]
                pub unsafe fn $name($($argument: $kind),*) -> $result {
                    type Function = unsafe extern "C" fn($($kind),*) -> $result;
                    match super::linked($place) {
                        // SAFETY: the linker has set this place to the function of this name.
                        Some(found) => unsafe { std::mem::transmute::<Any, Function>(found)($($argument),*) },
                        // SAFETY: the caller guarantees the requirements of the function.
                        None => unsafe { plain::$name($($argument),*) },
                    }
                }
            )*
        }

        const COUNT: usize = [$($place),*].len();
    };
}

functions! {
    0 malloc (size: usize) -> Memory;
    1 calloc (count: usize, size: usize) -> Memory;
    2 realloc (old: Memory, size: usize) -> Memory;
    3 free (memory: Memory) -> ();
    4 posix_memalign (out: *mut Memory, alignment: usize, size: usize) -> c_int;
    5 aligned_alloc (alignment: usize, size: usize) -> Memory;
    6 memalign (alignment: usize, size: usize) -> Memory;
    7 valloc (size: usize) -> Memory;
    8 strdup (text: *const c_char) -> *mut c_char;
    9 strndup (text: *const c_char, limit: usize) -> *mut c_char;
    10 getdelim (line: *mut *mut c_char, size: *mut usize, delimiter: c_int, stream: Memory) -> isize;
    11 mmap (wanted: Memory, size: usize, rights: c_int, kind: c_int, file: c_int, at: libc::off_t) -> Memory;
    12 munmap (start: Memory, size: usize) -> c_int;
    // The last argument is optional. It is passed in a register.
    13 mremap (start: Memory, old: usize, new: usize, flags: c_int, wanted: Memory) -> Memory;
}

/// The address of a function, if the linker has set it.
#[cfg(all(target_os = "linux", not(miri)))]
#[inline]
fn linked(place: usize) -> Option<Any> {
    unsafe extern "C" {
        static cppc_real_functions: [Option<Any>; COUNT];
    }
    // SAFETY: the section above has as many addresses, and nothing writes to them.
    unsafe { cppc_real_functions[place] }
}

#[cfg(any(not(target_os = "linux"), miri))]
fn linked(_place: usize) -> Option<Any> {
    let _ = COUNT;
    None
}

/// The allocator of the runtime. Its memory is not recorded as memory of the program.
#[derive(Debug, Clone, Copy, Default)]
pub struct OwnAllocator;

/// The alignment of the memory that `malloc` returns.
const MALLOC_ALIGNMENT_BYTES: usize = 2 * size_of::<usize>();

fn suits_malloc(layout: Layout) -> bool {
    layout.align() <= MALLOC_ALIGNMENT_BYTES && layout.align() <= layout.size()
}

// SAFETY: each function returns memory of the C library with the requested size and alignment, or null, and `free`
// and `realloc` accept this memory.
unsafe impl GlobalAlloc for OwnAllocator {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if suits_malloc(layout) {
            // SAFETY: `malloc` has no requirements.
            return unsafe { c::malloc(layout.size()) }.cast();
        }
        let alignment = layout.align().max(size_of::<usize>());
        let mut memory = std::ptr::null_mut();
        // SAFETY: the alignment is a power of two, and at least the size of a pointer.
        match unsafe { c::posix_memalign(&raw mut memory, alignment, layout.size()) } {
            0 => memory.cast(),
            _ => std::ptr::null_mut(),
        }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if suits_malloc(layout) {
            // SAFETY: `calloc` has no requirements.
            return unsafe { c::calloc(layout.size(), 1) }.cast();
        }
        // SAFETY: the caller guarantees the requirements.
        let memory = unsafe { self.alloc(layout) };
        if !memory.is_null() {
            // SAFETY: the memory has this size.
            unsafe { memory.write_bytes(0, layout.size()) };
        }
        memory
    }

    #[inline]
    unsafe fn dealloc(&self, memory: *mut u8, _layout: Layout) {
        // SAFETY: the memory came from the C library.
        unsafe { c::free(memory.cast()) };
    }

    #[inline]
    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size_bytes: usize) -> *mut u8 {
        // SAFETY: the caller guarantees that the size is valid for this alignment.
        let wanted = unsafe { Layout::from_size_align_unchecked(size_bytes, layout.align()) };
        if suits_malloc(layout) && suits_malloc(wanted) {
            // SAFETY: the memory came from the C library.
            return unsafe { c::realloc(memory.cast(), size_bytes) }.cast();
        }
        // SAFETY: the caller guarantees the requirements.
        let new = unsafe { self.alloc(wanted) };
        if !new.is_null() {
            // SAFETY: both have at least this many bytes and do not overlap; the caller gives the old one up.
            unsafe {
                new.copy_from_nonoverlapping(memory, layout.size().min(size_bytes));
                self.dealloc(memory, layout);
            }
        }
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_has_the_requested_alignment_and_keeps_its_content() {
        for alignment in [1, 16, 64, 4096] {
            let layout = Layout::from_size_align(100, alignment).expect("a valid layout");
            // SAFETY: each call receives the layout of the memory, and it is freed once.
            unsafe {
                let memory = OwnAllocator.alloc_zeroed(layout);
                assert_eq!(memory as usize % alignment, 0);
                assert!(std::slice::from_raw_parts(memory, 100).iter().all(|byte| *byte == 0));
                memory.write_bytes(7, 100);
                let memory = OwnAllocator.realloc(memory, layout, 5000);
                assert_eq!(memory as usize % alignment, 0);
                assert!(std::slice::from_raw_parts(memory, 100).iter().all(|byte| *byte == 7));
                OwnAllocator.dealloc(memory, Layout::from_size_align_unchecked(5000, alignment));
            }
        }
    }
}
