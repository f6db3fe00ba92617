//! The functions that the objects of a program call instead of `mmap`, `munmap` and `mremap`.
//!
//! Input: calls of the program, which the linker redirects (`--wrap`).
//! Output: the results of the C library. In a restart, allocated memory takes the place of such mappings, so `munmap` and
//! `mremap` accept it.
//! Postcondition: private anonymous memory that the program can read and write is in the table.

use super::functions::{__wrap_free, __wrap_realloc};
use super::real::c;
use super::{Found, IS_LINKED, TABLE};
use std::ffi::{c_int, c_void};
use std::sync::atomic::Ordering;

type Memory = *mut c_void;

const RIGHTS: c_int = libc::PROT_READ | libc::PROT_WRITE;

/// Whether a mapping contains nothing but data of this process. Memory without a reserve may be much larger than what is used
/// of it, so it is not saved as a whole.
fn is_data(rights: c_int, kind: c_int) -> bool {
    rights & RIGHTS == RIGHTS
        && kind & (libc::MAP_PRIVATE | libc::MAP_ANONYMOUS) == libc::MAP_PRIVATE | libc::MAP_ANONYMOUS
        && kind & libc::MAP_NORESERVE == 0
}

/// `mmap` of the program.
///
/// # Safety
/// The requirements of the C function hold.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __wrap_mmap(
    wanted: Memory,
    size: usize,
    rights: c_int,
    kind: c_int,
    file: c_int,
    at: libc::off_t,
) -> Memory {
    IS_LINKED.store(true, Ordering::Relaxed);
    // SAFETY: the caller guarantees the requirements.
    let memory = unsafe { c::mmap(wanted, size, rights, kind, file, at) };
    if memory != libc::MAP_FAILED {
        match is_data(rights, kind) {
            true => TABLE.record_mapping(memory as usize, size),
            // It may replace others.
            false => TABLE.forget_mappings(memory as usize, size),
        }
    }
    memory
}

/// `mmap64` of the program.
///
/// # Safety
/// The requirements of the C function hold.
#[cfg(target_pointer_width = "64")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __wrap_mmap64(
    wanted: Memory,
    size: usize,
    rights: c_int,
    kind: c_int,
    file: c_int,
    at: libc::off_t,
) -> Memory {
    // SAFETY: the caller guarantees the requirements. With 64 bits, it is the same function.
    unsafe { __wrap_mmap(wanted, size, rights, kind, file, at) }
}

/// `mmap64` of the program.
///
/// # Safety
/// The requirements of the C function hold.
#[cfg(all(target_os = "linux", target_pointer_width = "32"))]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __wrap_mmap64(
    wanted: Memory,
    size: usize,
    rights: c_int,
    kind: c_int,
    file: c_int,
    at: i64,
) -> Memory {
    if let Ok(at) = libc::off_t::try_from(at) {
        // SAFETY: the caller guarantees the requirements.
        return unsafe { __wrap_mmap(wanted, size, rights, kind, file, at) };
    }
    // The system counts in parts of 4096 bytes.
    // SAFETY: as above. Only a file has such offsets, so it is no data.
    let memory =
        unsafe { libc::syscall(libc::SYS_mmap2, wanted, size, rights, kind, file, (at >> 12) as usize) };
    memory as Memory
}

/// `munmap` of the program.
///
/// # Safety
/// The requirements of the C function hold.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __wrap_munmap(start: Memory, size: usize) -> c_int {
    if is_allocated(start) {
        // A part of it stays allocated.
        if matches!(TABLE.find(start as usize), Found::Allocation { size_bytes, .. } if size_bytes <= size) {
            // SAFETY: a restart has allocated it, and the program gives it up.
            unsafe { __wrap_free(start) };
        }
        return 0;
    }
    // Another thread may get the same addresses as soon as they are unmapped.
    TABLE.forget_mappings(start as usize, size);
    // SAFETY: the caller guarantees the requirements.
    unsafe { c::munmap(start, size) }
}

/// `mremap` of the program.
///
/// # Safety
/// The requirements of the C function hold.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __wrap_mremap(
    start: Memory,
    old: usize,
    new: usize,
    flags: c_int,
    wanted: Memory,
) -> Memory {
    if is_allocated(start) {
        // SAFETY: a restart has allocated it with the old size.
        let memory = unsafe { __wrap_realloc(start, new) };
        if memory.is_null() {
            return libc::MAP_FAILED;
        }
        if new > old {
            // SAFETY: the memory has the new size.
            unsafe { memory.cast::<u8>().add(old).write_bytes(0, new - old) };
        }
        return memory;
    }
    let is_known = TABLE.is_mapping(start as usize);
    if is_known {
        // As in `munmap`.
        TABLE.forget_mappings(start as usize, old);
    }
    // SAFETY: the caller guarantees the requirements.
    let memory = unsafe { c::mremap(start, old, new, flags, wanted) };
    match (is_known, memory == libc::MAP_FAILED) {
        (true, true) => TABLE.record_mapping(start as usize, old),
        (true, false) => TABLE.record_mapping(memory as usize, new),
        (false, true) => {}
        (false, false) => {
            TABLE.forget_mappings(start as usize, old);
            TABLE.forget_mappings(memory as usize, new);
        }
    }
    memory
}

/// Whether an allocation that is no mapping begins there.
pub(super) fn is_allocated(start: Memory) -> bool {
    let address = start as usize;
    match TABLE.find(address) {
        Found::Allocation { start, .. } => start == address && !TABLE.is_mapping(address),
        Found::Freed | Found::Unknown => false,
    }
}

#[cfg(all(test, target_os = "linux", not(miri)))]
mod tests {
    use super::*;

    const SIZE: usize = 1 << 16;

    fn map(rights: c_int, kind: c_int) -> Memory {
        // SAFETY: an anonymous mapping at an address that the system chooses.
        unsafe { __wrap_mmap(std::ptr::null_mut(), SIZE, rights, kind | libc::MAP_ANONYMOUS, -1, 0) }
    }

    fn known(memory: Memory) -> Option<usize> {
        match TABLE.find(memory as usize) {
            Found::Allocation { start, size_bytes } => (start == memory as usize).then_some(size_bytes),
            Found::Freed | Found::Unknown => None,
        }
    }

    #[test]
    fn only_private_memory_with_a_reserve_is_data() {
        let kinds = [libc::MAP_PRIVATE, libc::MAP_SHARED, libc::MAP_PRIVATE | libc::MAP_NORESERVE];
        let found = kinds.map(|kind| map(RIGHTS, kind));
        assert_eq!(found.map(known), [Some(SIZE), None, None]);
        let closed = map(libc::PROT_NONE, libc::MAP_PRIVATE);
        assert_eq!(known(closed), None);
        for memory in found.into_iter().chain([closed]) {
            // SAFETY: it was mapped above.
            assert_eq!(unsafe { __wrap_munmap(memory, SIZE) }, 0);
            assert_eq!(known(memory), None);
        }
    }

    #[test]
    fn a_mapping_that_moves_is_known_at_its_new_address() {
        let old = map(RIGHTS, libc::MAP_PRIVATE);
        // SAFETY: it was mapped above.
        let new = unsafe { __wrap_mremap(old, SIZE, 4 * SIZE, libc::MREMAP_MAYMOVE, std::ptr::null_mut()) };
        assert_eq!(known(new), Some(4 * SIZE));
        // SAFETY: as above.
        assert_eq!(unsafe { __wrap_munmap(new, 4 * SIZE) }, 0);
    }

    #[test]
    fn memory_that_a_restart_has_allocated_can_be_unmapped() {
        // SAFETY: `malloc` has no requirements.
        let memory = unsafe { super::super::functions::__wrap_malloc(SIZE) };
        // SAFETY: it was allocated above.
        let grown =
            unsafe { __wrap_mremap(memory, SIZE, 2 * SIZE, libc::MREMAP_MAYMOVE, std::ptr::null_mut()) };
        assert_eq!(known(grown), Some(2 * SIZE));
        // SAFETY: as above.
        assert_eq!(unsafe { __wrap_munmap(grown, 2 * SIZE) }, 0);
        assert_eq!(known(grown), None);
    }
}
