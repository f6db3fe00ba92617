//! Makes memory zero that nobody has used yet, without touching it where the system can promise that.
//!
//! In: memory that was just allocated. Out: the same, all zero. Holds afterwards: every byte reads as
//! zero; large parts that the system keeps for us take no memory before they are written to.
//!
//! One of the few files with `unsafe`: pages are given back to the system, which gives out zeros.

use std::mem::MaybeUninit;

/// Below this the processor is faster by itself.
#[cfg(target_os = "linux")]
const LAZY_FROM_BYTES: usize = 4 << 20;

type Bytes<'a> = &'a mut [MaybeUninit<u8>];

/// Zeroes memory that came from `malloc` and in which nothing is kept.
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

/// What comes before the first whole page, the whole pages, and what is behind them.
#[cfg(target_os = "linux")]
fn whole_pages(bytes: Bytes<'_>) -> Option<(Bytes<'_>, Bytes<'_>, Bytes<'_>)> {
    // SAFETY: the call takes no memory.
    let page = usize::try_from(unsafe { libc::sysconf(libc::_SC_PAGESIZE) }).ok().filter(|page| page.is_power_of_two())?;
    let start = bytes.as_ptr() as usize;
    let before = start.next_multiple_of(page) - start;
    let whole = bytes.len().checked_sub(before)? / page * page;
    let (head, rest) = bytes.split_at_mut(before);
    let (pages, tail) = rest.split_at_mut(whole);
    (whole >= page).then_some((head, pages, tail))
}

/// Gives whole pages back, to get zeros when they are used again; false when that cannot be relied on. It
/// is tried with what stands at both ends: an allocator may have its memory from a file or in pages of
/// another size, where the system does something else, or only a part of it.
#[cfg(target_os = "linux")]
fn give_back(pages: Bytes) -> bool {
    const MARK: u8 = 0xa5;
    let (start, length) = (pages.as_mut_ptr(), pages.len());
    let last = start.wrapping_add(length - 1).cast::<u8>();
    let first = start.cast::<u8>();
    // SAFETY: both bytes lie in `pages`, which are ours alone, and are written before they are read; the
    // whole pages are given back, in which nothing is kept. The system may write to them, hence volatile.
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
            // SAFETY: the same bytes; zeros are written to them.
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
        // SAFETY: a new mapping of our own, shared as that of a file is, which is unmapped below.
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
        // SAFETY: so many bytes were mapped, and are initialised by the system.
        let bytes = unsafe { std::slice::from_raw_parts_mut(start.cast::<MaybeUninit<u8>>(), length) };
        bytes.fill(MaybeUninit::new(7));
        zero(bytes);
        // SAFETY: all have been written.
        assert!(bytes.iter().all(|byte| unsafe { byte.assume_init() } == 0));
        // SAFETY: nobody uses it any more.
        unsafe { libc::munmap(start, length) };
    }
}
