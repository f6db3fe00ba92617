//! The memory of the program. Only this module of the crate reads and writes it by address.
//!
//! Input: addresses and sizes that the program registered.
//! Output: bytes.
//! Postcondition: nothing outside the given ranges is accessed. The program must guarantee that what it
//! registers is its memory; this module cannot check that.

use crate::allocations::{self, own};
use std::sync::OnceLock;

/// A range of the program's memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Range {
    pub address: usize,
    pub size_bytes: usize,
}

impl Range {
    pub fn end(self) -> usize {
        self.address + self.size_bytes
    }

    /// The present bytes.
    ///
    /// # Safety
    /// The range is readable, and nothing writes to it while the slice lives.
    pub unsafe fn bytes<'a>(self) -> &'a [u8] {
        if self.size_bytes == 0 {
            return &[];
        }
        // SAFETY: the caller guarantees that the range is readable.
        unsafe { std::slice::from_raw_parts(self.address as *const u8, self.size_bytes) }
    }

    /// The same, writable.
    ///
    /// # Safety
    /// The range is writable, and nothing else uses it while the slice lives.
    pub unsafe fn bytes_mut<'a>(self) -> &'a mut [u8] {
        if self.size_bytes == 0 {
            return &mut [];
        }
        // SAFETY: the caller guarantees that the range is writable.
        unsafe { std::slice::from_raw_parts_mut(self.address as *mut u8, self.size_bytes) }
    }

    /// Copies `content` to the start of the range.
    ///
    /// # Safety
    /// The requirements of [`Range::bytes_mut`] hold.
    pub unsafe fn fill(self, content: &[u8]) {
        let size_bytes = self.size_bytes.min(content.len());
        // SAFETY: no more is written than the range, which the caller guarantees. The copy allows overlap,
        // because `content` may be a part of the range itself.
        unsafe { std::ptr::copy(content.as_ptr(), self.address as *mut u8, size_bytes) };
    }

    /// Like [`Range::fill`], but writes only if the content differs, because the range may be a constant of
    /// the program.
    ///
    /// # Safety
    /// The range is readable, and writable where its content differs.
    pub unsafe fn update(self, content: &[u8]) {
        // SAFETY: the caller guarantees both.
        unsafe {
            if self.bytes() != content {
                self.fill(content);
            }
        }
    }
}

/// Copies the readable bytes at the beginning of a range, and returns their number. Unmapped memory causes no
/// fault.
#[cfg(target_os = "linux")]
pub fn read_mapped(range: Range, into: &mut [u8]) -> usize {
    let size_bytes = range.size_bytes.min(into.len());
    let there = libc::iovec { iov_base: range.address as *mut libc::c_void, iov_len: size_bytes };
    let here = libc::iovec { iov_base: into.as_mut_ptr().cast(), iov_len: size_bytes };
    // SAFETY: the system checks the addresses that it reads, and writes no more than the size of the slice.
    let read = unsafe { libc::process_vm_readv(libc::getpid(), &here, 1, &there, 1, 0) };
    usize::try_from(read).unwrap_or(0)
}

#[cfg(not(target_os = "linux"))]
pub fn read_mapped(_range: Range, _into: &mut [u8]) -> usize {
    0
}

/// Reads the pointer at `address`, where the program may not have set it yet. The system call reads the
/// memory, so that nothing is computed from uninitialised memory. Returns null if nothing is mapped there.
pub fn pointer_without_value_at(address: usize) -> usize {
    let mut word = [0; size_of::<usize>()];
    let size_bytes = word.len();
    match read_mapped(Range { address, size_bytes }, &mut word) {
        read if read == size_bytes => usize::from_ne_bytes(word),
        _ => 0,
    }
}

/// The pointer at `address`.
///
/// # Safety
/// At least the size of a pointer is readable there. Alignment does not matter.
pub unsafe fn pointer_at(address: usize) -> usize {
    // SAFETY: the caller guarantees that the bytes are readable.
    unsafe { (address as *const usize).read_unaligned() }
}

/// Writes a pointer.
///
/// # Safety
/// At least the size of a pointer is writable there. Alignment does not matter.
pub unsafe fn set_pointer_at(address: usize, value: usize) {
    // SAFETY: the caller guarantees that the bytes are writable.
    unsafe { (address as *mut usize).write_unaligned(value) };
}

/// Memory filled with zeros that `free` accepts; none if there is not enough memory.
pub fn allocate(size_bytes: usize) -> Option<usize> {
    // SAFETY: `calloc` has no requirements. At least one byte is requested, so that the address is distinct.
    let memory = unsafe { own::calloc(1, size_bytes.max(1)) };
    allocations::record(memory as usize, size_bytes);
    (!memory.is_null()).then_some(memory as usize)
}

/// Whether the allocator of this process keeps data of its own between two allocations. If it does, ranges
/// that touch belong to one allocation. Allocators with size classes do not.
pub fn is_padded() -> bool {
    const BLOCKS: usize = 64;
    const SIZE_BYTES: usize = 64;
    static ANSWER: OnceLock<bool> = OnceLock::new();
    *ANSWER.get_or_init(|| {
        // SAFETY: `malloc` has no requirements.
        let mut found: Vec<usize> =
            (0..BLOCKS).map(|_| unsafe { own::malloc(SIZE_BYTES) } as usize).collect();
        found.sort_unstable();
        let touching = found.windows(2).any(|pair| pair[0] + SIZE_BYTES >= pair[1]);
        // SAFETY: each pointer came from `malloc`, and `free` accepts null.
        found.iter().for_each(|&block| unsafe { own::free(block as *mut libc::c_void) });
        !touching
    })
}
