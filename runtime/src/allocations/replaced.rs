//! Whether an allocation is still the one that was recorded.
//!
//! Input: the size in the table, and the size that the allocator reports.
//! Output: whether both may belong to one allocation.
//! Postcondition: the allocation of another size, which a library has made at the address of memory that it has
//! freed, is not taken for the recorded one. One of a similar size is.

/// Allocators round sizes up. Small sizes are rounded by less than this.
const ROUNDING_BYTES: usize = 64;
/// Large sizes are rounded up to pages, and aligned memory begins behind the start of a page.
const LARGE_BYTES: usize = 64 << 10;
const PAGES_BYTES: usize = 16 << 10;

/// The size that the allocator reports for an allocation.
#[cfg(all(target_os = "linux", target_env = "gnu", not(miri)))]
pub fn usable_bytes(address: usize) -> Option<usize> {
    // SAFETY: the address was allocated. If a library has freed it since, the function reads the size of a freed
    // allocation, which the caller has found to be readable.
    Some(unsafe { libc::malloc_usable_size(address as *mut libc::c_void) })
}

#[cfg(not(all(target_os = "linux", target_env = "gnu", not(miri))))]
pub fn usable_bytes(_: usize) -> Option<usize> {
    None
}

/// Whether an allocator may give `usable_bytes` to a request of `recorded_bytes`. Allocators with size classes
/// give up to a quarter more.
pub fn is_plausible(recorded_bytes: usize, usable_bytes: usize, has_classes: bool) -> bool {
    let page_rounding = if recorded_bytes < LARGE_BYTES { 0 } else { PAGES_BYTES };
    let class_rounding = if has_classes { recorded_bytes / 4 } else { 0 };
    let most = recorded_bytes + class_rounding + ROUNDING_BYTES + page_rounding;
    recorded_bytes <= usable_bytes && usable_bytes <= most
}

#[cfg(all(test, target_os = "linux", target_env = "gnu", not(miri)))]
mod tests {
    use super::*;

    #[test]
    fn sizes_that_the_allocator_gives_are_plausible() {
        let mut size_bytes = 1;
        let mut blocks = Vec::new();
        while size_bytes < 1 << 24 {
            for alignment in [16, 64, 4096] {
                // SAFETY: the alignment is a power of two; the results are freed below.
                let aligned = unsafe { libc::memalign(alignment, size_bytes) };
                // SAFETY: as above.
                let grown = unsafe { libc::realloc(libc::malloc(size_bytes / 2 + 1), size_bytes) };
                for block in [aligned, grown] {
                    let usable = usable_bytes(block as usize).unwrap();
                    assert!(is_plausible(size_bytes, usable, false), "{size_bytes} {alignment} {usable}");
                    blocks.push(block);
                }
            }
            size_bytes += size_bytes / 3 + 1;
        }
        // SAFETY: they were allocated above and are freed once.
        blocks.into_iter().for_each(|block| unsafe { libc::free(block) });
    }

    #[test]
    fn other_sizes_are_not() {
        assert!(!is_plausible(800, 900, false));
        assert!(!is_plausible(800, 1600, true));
        assert!(!is_plausible(800, 799, true));
        assert!(!is_plausible(1 << 20, 2 << 20, true));
    }
}
