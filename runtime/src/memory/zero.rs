//! Zeroes memory that was not used yet, without writing to it if the system provides zeroed pages.
//!
//! Input: memory that was just allocated.
//! Output: the same memory, zeroed.
//! Postcondition: every byte reads as zero. Large parts take no physical memory before they are written to.
//!
//! This file contains `unsafe`, because it gives pages back to the system, which replaces them by zeroed
//! ones.

use std::mem::MaybeUninit;

/// Below this size, the processor is faster.
#[cfg(target_os = "linux")]
const LAZY_FROM_BYTES: usize = 4 << 20;

type Bytes<'a> = &'a mut [MaybeUninit<u8>];

/// Zeroes memory that came from `malloc` and whose content is not needed.
pub(super) fn zero(bytes: Bytes) {
    #[cfg(target_os = "linux")]
    if bytes.len() >= LAZY_FROM_BYTES {
        let Some((head, pages, tail)) = whole_pages(bytes) else { return bytes.fill(MaybeUninit::new(0)) };
        if give_back(pages) {
            head.fill(MaybeUninit::new(0));
            tail.fill(MaybeUninit::new(0));
        } else {
            bytes.fill(MaybeUninit::new(0));
        }
        return;
    }
    bytes.fill(MaybeUninit::new(0));
}

/// The bytes before the first whole page, the whole pages, and the bytes behind them.
#[cfg(target_os = "linux")]
fn whole_pages(bytes: Bytes<'_>) -> Option<(Bytes<'_>, Bytes<'_>, Bytes<'_>)> {
    // SAFETY: the call accesses no memory.
    let page = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) })
        .ok()
        .filter(|page| page.is_power_of_two())?;
    let start = bytes.as_ptr() as usize;
    let before = start.next_multiple_of(page) - start;
    let whole = bytes.len().checked_sub(before)? / page * page;
    let (head, rest) = bytes.split_at_mut(before);
    let (pages, tail) = rest.split_at_mut(whole);
    (whole >= page).then_some((head, pages, tail))
}

/// Gives whole pages back to the system, to get zeroed pages when they are used again. Returns false if that
/// did not work. Both ends are tested, because an allocator may have its memory from a file or in pages of
/// another size. The system then does something else, or does it only in part.
#[cfg(target_os = "linux")]
fn give_back(pages: Bytes) -> bool {
    const MARK: u8 = 0xa5;
    let (start, length) = (pages.as_mut_ptr(), pages.len());
    let last = start.wrapping_add(length - 1).cast::<u8>();
    let first = start.cast::<u8>();
    // SAFETY: both bytes are in `pages`, which we own exclusively, and are written before they are read. The
    // content of the pages that are given back is not needed. The accesses are volatile, because the system
    // may write to the pages.
    unsafe {
        first.write_volatile(MARK);
        last.write_volatile(MARK);
        libc::madvise(start.cast(), length, libc::MADV_DONTNEED) == 0
            && first.read_volatile() == 0
            && last.read_volatile() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::super::MallocBytes;
    use super::*;

    #[test]
    fn used_memory_becomes_zero_up_to_its_ends_and_not_beyond() {
        for length in [0, 1, 100_000, (4 << 20) + 12345, 9 << 20] {
            let mut memory = MallocBytes::zeroed(length + 2).unwrap();
            memory.as_mut_slice().fill(7);
            let middle = &mut memory.as_mut_slice()[1..=length];
            let (start, length) = (middle.as_mut_ptr().cast(), middle.len());
            // SAFETY: these are the same bytes, and zeros are written to them.
            zero(unsafe { std::slice::from_raw_parts_mut(start, length) });
            let (first, rest) = memory.as_slice().split_at(1);
            assert_eq!((first, rest.last()), (&[7][..], Some(&7)));
            assert!(rest[..length].iter().all(|&byte| byte == 0), "{length}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn memory_of_a_file_is_not_given_back() {
        let length = 8 << 20;
        // SAFETY: this is a new mapping of our own, shared like that of a file. It is unmapped below.
        let start = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                length,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_SHARED | libc::MAP_ANONYMOUS,
                -1,
                0,
            )
        };
        assert_ne!(start, libc::MAP_FAILED);
        // SAFETY: this many bytes were mapped, and the system initialised them.
        let bytes = unsafe { std::slice::from_raw_parts_mut(start.cast::<MaybeUninit<u8>>(), length) };
        bytes.fill(MaybeUninit::new(7));
        zero(bytes);
        // SAFETY: all bytes have been written.
        assert!(bytes.iter().all(|byte| unsafe { byte.assume_init() } == 0));
        // SAFETY: nothing uses it any more.
        unsafe { libc::munmap(start, length) };
    }
}
