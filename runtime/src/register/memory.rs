//! The program's memory: the one place of this crate that reads and writes it by address.
//!
//! In: addresses and sizes that the program registered. Out: bytes. Holds afterwards: nothing is
//! touched outside the ranges that were given. What a register says about memory is the program's
//! promise; it is kept as long as the program keeps it.

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

    /// The bytes as they are now.
    ///
    /// # Safety
    /// The range is readable, and nothing writes to it while the slice lives.
    pub unsafe fn bytes<'a>(self) -> &'a [u8] {
        if self.size_bytes == 0 {
            return &[];
        }
        // SAFETY: the caller vouches for the range.
        unsafe { std::slice::from_raw_parts(self.address as *const u8, self.size_bytes) }
    }

    /// The same, to be written.
    ///
    /// # Safety
    /// The range is writable, and nothing else uses it while the slice lives.
    pub unsafe fn bytes_mut<'a>(self) -> &'a mut [u8] {
        if self.size_bytes == 0 {
            return &mut [];
        }
        // SAFETY: the caller vouches for the range.
        unsafe { std::slice::from_raw_parts_mut(self.address as *mut u8, self.size_bytes) }
    }

    /// Puts `content` at the start of the range.
    ///
    /// # Safety
    /// As [`Range::bytes_mut`].
    pub unsafe fn fill(self, content: &[u8]) {
        let size_bytes = self.size_bytes.min(content.len());
        // SAFETY: no more than the range, for which the caller vouches. A plain copy, because
        // `content` may be a part of the range itself.
        unsafe { std::ptr::copy(content.as_ptr(), self.address as *mut u8, size_bytes) };
    }

    /// As [`Range::fill`], for what may be a constant of the program: writes only what differs.
    ///
    /// # Safety
    /// The range is readable, and writable where its content differs.
    pub unsafe fn update(self, content: &[u8]) {
        // SAFETY: the caller vouches for both.
        unsafe {
            if self.bytes() != content {
                self.fill(content);
            }
        }
    }
}

/// Copies what can be read of a range, from its beginning: how many bytes that is. Nothing happens where nothing is mapped.
#[cfg(target_os = "linux")]
pub fn read_mapped(range: Range, into: &mut [u8]) -> usize {
    let size_bytes = range.size_bytes.min(into.len());
    let there = libc::iovec { iov_base: range.address as *mut libc::c_void, iov_len: size_bytes };
    let here = libc::iovec { iov_base: into.as_mut_ptr().cast(), iov_len: size_bytes };
    // SAFETY: the system checks the addresses that are read, and writes no more than the slice has.
    let read = unsafe { libc::process_vm_readv(libc::getpid(), &here, 1, &there, 1, 0) };
    usize::try_from(read).unwrap_or(0)
}

#[cfg(not(target_os = "linux"))]
pub fn read_mapped(_range: Range, _into: &mut [u8]) -> usize {
    0
}

/// What stands at `address`, where a pointer may not have been set yet: the system reads it, so that nothing is computed
/// from memory without a value. Null where nothing is mapped.
pub fn pointer_without_value_at(address: usize) -> usize {
    let mut word = [0; size_of::<usize>()];
    let size_bytes = word.len();
    match read_mapped(Range { address, size_bytes }, &mut word) {
        read if read == size_bytes => usize::from_ne_bytes(word),
        _ => 0,
    }
}

/// The pointer that stands at `address`.
///
/// # Safety
/// A pointer's size of bytes is readable there; alignment does not matter.
pub unsafe fn pointer_at(address: usize) -> usize {
    // SAFETY: the caller vouches for the bytes.
    unsafe { (address as *const usize).read_unaligned() }
}

/// Writes a pointer.
///
/// # Safety
/// A pointer's size of bytes is writable there; alignment does not matter.
pub unsafe fn set_pointer_at(address: usize, value: usize) {
    // SAFETY: the caller vouches for the bytes.
    unsafe { (address as *mut usize).write_unaligned(value) };
}

/// Memory that `free` takes, filled with zeros; none when there is none.
pub fn allocate(size_bytes: usize) -> Option<usize> {
    // SAFETY: `calloc` has no requirements; at least one byte, so that the result is distinct.
    let memory = unsafe { libc::calloc(1, size_bytes.max(1)) };
    (!memory.is_null()).then_some(memory as usize)
}

/// Whether the allocator of this process keeps something of its own between two allocations, so that memory
/// that touches is of one. Those that sort allocations by size do not.
pub fn is_padded() -> bool {
    const BLOCKS: usize = 64;
    const SIZE_BYTES: usize = 64;
    static ANSWER: OnceLock<bool> = OnceLock::new();
    *ANSWER.get_or_init(|| {
        // SAFETY: `malloc` has no requirements.
        let mut found: Vec<usize> = (0..BLOCKS).map(|_| unsafe { libc::malloc(SIZE_BYTES) } as usize).collect();
        found.sort_unstable();
        let touching = found.windows(2).any(|pair| pair[0] + SIZE_BYTES >= pair[1]);
        // SAFETY: each came from `malloc`, and `free` takes null.
        found.iter().for_each(|&block| unsafe { libc::free(block as *mut libc::c_void) });
        !touching
    })
}
