//! Memory that the program can own, because `free` accepts it.
//!
//! Input: a size.
//! Output: zeroed bytes, aligned for the vector instructions of today's processors. The program may have
//! allocated the original memory with `aligned_alloc`.
//! Postcondition: the memory is freed exactly once, by this type or by the owner to whom it was passed.
//!
//! This file contains `unsafe`, because the memory must come from the C library.

mod zero;
mod unwritten;

pub use unwritten::{Unwritten, UnwrittenPart};

use crate::allocations::own;
use std::ptr::NonNull;

/// Bytes from `posix_memalign`.
#[derive(Debug)]
pub struct MallocBytes {
    start: NonNull<u8>,
    length: usize,
}

// SAFETY: the memory belongs only to this value, and the C library can free it from any thread.
unsafe impl Send for MallocBytes {}
// SAFETY: shared access only reads.
unsafe impl Sync for MallocBytes {}

/// The alignment of `CPPC_DYNAMIC` memory and of the targets of pointers after a restart.
const ALIGNMENT_BYTES: usize = 64;

/// From this size on, large pages are requested from the system, because they are faster to fill.
const LARGE_BYTES: usize = 4 << 20;

impl MallocBytes {
    /// Zeroed bytes; none if there is not enough memory.
    pub fn zeroed(length: usize) -> Option<MallocBytes> {
        let memory = MallocBytes::unwritten(length)?;
        // SAFETY: the memory has this many bytes and no other owner yet.
        unsafe { memory.start.as_ptr().write_bytes(0, length) };
        Some(memory)
    }

    /// Bytes that must not be read before they have been written.
    fn unwritten(length: usize) -> Option<MallocBytes> {
        let mut start = std::ptr::null_mut();
        // SAFETY: the alignment is a power of two and a multiple of a pointer's size. A size of zero is
        // avoided, because its result is implementation-defined.
        let status = unsafe { own::posix_memalign(&raw mut start, ALIGNMENT_BYTES, length.max(1)) };
        let start = NonNull::new(start.cast()).filter(|_| status == 0)?;
        let memory = MallocBytes { start, length };
        if length >= LARGE_BYTES {
            memory.ask_for_large_pages();
        }
        Some(memory)
    }

    pub fn len(&self) -> usize {
        self.length
    }

    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    pub fn as_slice(&self) -> &[u8] {
        // SAFETY: `zeroed` initialised this many bytes, and they live as long as `self`.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.length) }
    }

    pub fn as_mut_slice(&mut self) -> &mut [u8] {
        // SAFETY: as above; `&mut self` makes the access exclusive.
        unsafe { std::slice::from_raw_parts_mut(self.start.as_ptr(), self.length) }
    }

    /// Passes the ownership of the memory to the caller, who must `free` it.
    pub fn into_raw(self) -> *mut u8 {
        let start = self.start.as_ptr();
        std::mem::forget(self);
        start
    }

    #[cfg(all(target_os = "linux", not(miri)))]
    fn ask_for_large_pages(&self) {
        const PAGE: usize = 4096;
        let address = self.start.as_ptr() as usize;
        let first = address.next_multiple_of(PAGE);
        let end = (address + self.length) / PAGE * PAGE;
        if first < end {
            let start = self.start.as_ptr().wrapping_add(first - address);
            // SAFETY: the whole pages of this range are in our memory, and the advice does not change their
            // content. A refusal has no effect.
            unsafe { libc::madvise(start.cast(), end - first, libc::MADV_HUGEPAGE) };
        }
    }

    #[cfg(any(not(target_os = "linux"), miri))]
    fn ask_for_large_pages(&self) {}
}

impl Drop for MallocBytes {
    fn drop(&mut self) {
        // SAFETY: `start` came from `posix_memalign` and was not given away: `into_raw` forgets `self`.
        unsafe { own::free(self.start.as_ptr().cast()) }
    }
}

/// Whether the machine could provide this much memory. A compressed file may request a thousand times its
/// length, and a system that overcommits memory would terminate the program later.
pub fn is_possible(bytes: u128) -> bool {
    bytes <= machine_bytes().map_or(u128::MAX, u128::from)
}

/// The memory of the machine, including swap space.
#[cfg(target_os = "linux")]
fn machine_bytes() -> Option<u64> {
    let mut found = std::mem::MaybeUninit::<libc::sysinfo>::zeroed();
    // SAFETY: the system fills the structure, for which all zeros are valid too.
    let found = unsafe { (libc::sysinfo(found.as_mut_ptr()) == 0).then(|| found.assume_init()) }?;
    let units = (found.totalram as u64).saturating_add(found.totalswap as u64);
    Some(units.saturating_mul(u64::from(found.mem_unit.max(1))))
}

#[cfg(not(target_os = "linux"))]
fn machine_bytes() -> Option<u64> {
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_than_the_machine_has_is_not_possible() {
        assert!(is_possible(1 << 20));
        assert!(!cfg!(target_os = "linux") || !is_possible(1 << 60));
    }

    #[test]
    fn memory_is_zero_and_can_be_written_and_given_away() {
        for length in [0, 1, 5000, LARGE_BYTES + 12345] {
            let mut memory = MallocBytes::zeroed(length).unwrap();
            assert_eq!(memory.len(), length);
            assert!(memory.as_slice().iter().all(|&byte| byte == 0));
            memory.as_mut_slice().fill(7);
            assert!(memory.as_slice().iter().all(|&byte| byte == 7));
            let raw = memory.into_raw();
            // SAFETY: `into_raw` passed the ownership of the memory.
            unsafe { libc::free(raw.cast()) };
        }
    }

    #[test]
    fn more_than_there_is_gets_none() {
        assert!(MallocBytes::zeroed(isize::MAX as usize).is_none());
    }
}
