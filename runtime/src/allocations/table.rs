//! The table of allocations: for each address, whether an allocation begins there.
//!
//! Input: allocations as they are made and freed, by any thread.
//! Output: the allocation that contains an address.
//! Postcondition: no lock was taken, and the table's own memory came from the system, not from `malloc`.
//!
//! The table mirrors the address space. There is one entry for each 16 bytes, because allocators align to 16 bytes.
//! An allocation uses only the entry of its first byte. The system provides the pages of the table when they are
//! used first. So allocations next to each other share cache lines and pages of the table, and an entry is found
//! without a search. Each entry is written only by the thread that allocates or frees that address.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, AtomicUsize, Ordering};

/// What is at an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// The allocation that contains the address, or that begins there and is empty.
    Allocation {
        start: usize,
        size_bytes: usize,
    },
    /// An allocation began there, and was freed.
    Freed,
    Unknown,
}

/// An address that is not a multiple of this is not recorded. Some allocators align small memory to 8 bytes.
const GRANULE_BYTES: usize = 16;
/// The address space that one chunk of the table describes.
const CHUNK_BYTES: usize = 1 << 26;
const CHUNK_ENTRIES: usize = CHUNK_BYTES / GRANULE_BYTES;
/// Addresses of programs have at most 48 bits.
const CHUNKS: usize = if usize::BITS == 64 { 1 << 22 } else { 1 << (usize::BITS - 26) };
/// The entries of one page of the table. A search skips pages that were never used.
const PAGE_ENTRIES: usize = 4096 / size_of::<AtomicU64>();
const PAGES: usize = CHUNK_ENTRIES / PAGE_ENTRIES;

/// An entry: whether an allocation was ever made here, whether it is live, whether it is a mapping, and its size.
const MADE: u64 = 1 << 63;
const LIVE: u64 = 1 << 62;
const MAPPED: u64 = 1 << 61;
const SIZE: u64 = MAPPED - 1;
/// Mappings begin at multiples of this, and end there too. Pages of some systems are larger.
const SMALLEST_PAGE_BYTES: usize = 4096;

#[repr(C)]
struct Chunk {
    /// One bit for each page of entries that was used.
    used: [AtomicU64; PAGES / 64],
    entries: [AtomicU64; CHUNK_ENTRIES],
}

#[derive(Debug)]
pub struct Table {
    /// A pointer to each chunk, null if nothing was allocated there.
    directory: AtomicPtr<AtomicPtr<Chunk>>,
    /// No allocation was larger.
    largest_bytes: AtomicUsize,
    /// The index of the first chunk, and of the one after the last.
    first: AtomicUsize,
    end: AtomicUsize,
    has_mappings: AtomicBool,
}

impl std::fmt::Debug for Chunk {
    fn fmt(&self, formatter: &mut std::fmt::Formatter) -> std::fmt::Result {
        formatter.debug_struct("Chunk").finish_non_exhaustive()
    }
}

impl Default for Table {
    fn default() -> Table {
        Table::new()
    }
}

impl Table {
    pub const fn new() -> Table {
        Table {
            directory: AtomicPtr::new(std::ptr::null_mut()),
            largest_bytes: AtomicUsize::new(0),
            first: AtomicUsize::new(CHUNKS),
            end: AtomicUsize::new(0),
            has_mappings: AtomicBool::new(false),
        }
    }

    /// Records an allocation.
    #[inline]
    pub fn record(&self, address: usize, size_bytes: usize) {
        if let Some(entry) = self.entry_to_write(address, size_bytes) {
            entry.store(MADE | LIVE | size_bytes as u64, Ordering::Relaxed);
        }
    }

    /// Records that an allocation is freed. Returns its size, if it was in the table.
    #[inline]
    pub fn forget(&self, address: usize) -> Option<usize> {
        let entry = self.entry(address)?;
        let value = entry.load(Ordering::Relaxed);
        if value & LIVE == 0 {
            return None;
        }
        entry.store(value & !LIVE, Ordering::Relaxed);
        Some((value & SIZE) as usize)
    }

    /// Records memory that the program has mapped. What was known about these addresses is forgotten.
    pub fn record_mapping(&self, address: usize, size_bytes: usize) {
        self.forget_mappings(address, size_bytes);
        self.has_mappings.store(true, Ordering::Relaxed);
        if let Some(entry) = self.entry_to_write(address, size_bytes) {
            entry.store(MADE | LIVE | MAPPED | size_bytes as u64, Ordering::Relaxed);
        }
    }

    /// Records that the mappings in a range end. What is left of them before and after the range is a mapping each.
    pub fn forget_mappings(&self, address: usize, size_bytes: usize) {
        let stop = address.saturating_add(size_bytes).next_multiple_of(SMALLEST_PAGE_BYTES);
        let mut next = address;
        while next < stop {
            let Found::Allocation { start, size_bytes } = self.find(next) else { return };
            if !self.is_mapping(start) {
                return;
            }
            self.forget(start);
            let end = start + size_bytes;
            for (from, to) in [(start, next), (stop, end)] {
                if let Some(entry) = (from < to).then(|| self.entry_to_write(from, to - from)).flatten() {
                    entry.store(MADE | LIVE | MAPPED | (to - from) as u64, Ordering::Relaxed);
                }
            }
            next = end.max(next + 1).next_multiple_of(SMALLEST_PAGE_BYTES);
        }
    }

    /// Whether there was a mapping.
    pub fn has_mappings(&self) -> bool {
        self.has_mappings.load(Ordering::Relaxed)
    }

    /// Whether a live mapping begins at the address.
    #[inline]
    pub fn is_mapping(&self, address: usize) -> bool {
        let entry = self.entry(address).map_or(0, |entry| entry.load(Ordering::Relaxed));
        entry & (LIVE | MAPPED) == LIVE | MAPPED
    }

    /// A range with all allocations that were ever made.
    pub fn bounds(&self) -> Range<usize> {
        let (first, end) = (self.first.load(Ordering::Relaxed), self.end.load(Ordering::Relaxed));
        if first >= end {
            return 0..0;
        }
        first * CHUNK_BYTES..(end * CHUNK_BYTES).saturating_add(self.largest_bytes.load(Ordering::Relaxed))
    }

    /// The allocation that contains the address.
    #[inline]
    pub fn find(&self, address: usize) -> Found {
        // Most pointers point to the start of an allocation.
        let entry = self.entry(address).map_or(0, |entry| entry.load(Ordering::Relaxed));
        match entry & LIVE {
            0 => self.search(address),
            _ => Found::Allocation { start: address, size_bytes: (entry & SIZE) as usize },
        }
    }

    fn search(&self, address: usize) -> Found {
        let first = address / CHUNK_BYTES;
        let reach = self.largest_bytes.load(Ordering::Relaxed) / CHUNK_BYTES + 1;
        for index in (first.saturating_sub(reach)..=first).rev() {
            let Some(chunk) = self.chunk(index) else { continue };
            let last = if index == first { address % CHUNK_BYTES / GRANULE_BYTES } else { CHUNK_ENTRIES - 1 };
            let Some((at, size_bytes)) = chunk.last_live(last) else { continue };
            let start = index * CHUNK_BYTES + at * GRANULE_BYTES;
            if start == address || address - start < size_bytes {
                return Found::Allocation { start, size_bytes };
            }
            break;
        }
        match self.entry(address).map(|entry| entry.load(Ordering::Relaxed)) {
            Some(1..) => Found::Freed,
            Some(0) | None => Found::Unknown,
        }
    }

    #[inline]
    fn chunk(&self, index: usize) -> Option<&Chunk> {
        let directory = self.directory.load(Ordering::Acquire);
        if directory.is_null() || index >= CHUNKS {
            return None;
        }
        // SAFETY: the directory has `CHUNKS` pointers and is never unmapped. A chunk is never unmapped either.
        unsafe { (*directory.add(index)).load(Ordering::Acquire).as_ref() }
    }

    #[inline]
    fn entry(&self, address: usize) -> Option<&AtomicU64> {
        if address % GRANULE_BYTES != 0 {
            return None;
        }
        let chunk = self.chunk(address / CHUNK_BYTES)?;
        Some(&chunk.entries[address % CHUNK_BYTES / GRANULE_BYTES])
    }

    /// The same, and marks its page as used. Makes the chunk if there is none.
    #[inline]
    fn entry_to_write(&self, address: usize, size_bytes: usize) -> Option<&AtomicU64> {
        if address == 0 || address % GRANULE_BYTES != 0 || size_bytes as u64 > SIZE {
            return None;
        }
        if size_bytes > self.largest_bytes.load(Ordering::Relaxed) {
            self.largest_bytes.fetch_max(size_bytes, Ordering::Relaxed);
        }
        let index = address / CHUNK_BYTES;
        let chunk = match self.chunk(index) {
            Some(chunk) => chunk,
            None => self.new_chunk(index)?,
        };
        let at = address % CHUNK_BYTES / GRANULE_BYTES;
        let page = at / PAGE_ENTRIES;
        let (word, bit) = (&chunk.used[page / 64], 1 << (page % 64));
        if word.load(Ordering::Relaxed) & bit == 0 {
            word.fetch_or(bit, Ordering::Relaxed);
        }
        Some(&chunk.entries[at])
    }

    #[cold]
    fn new_chunk(&self, index: usize) -> Option<&Chunk> {
        if index >= CHUNKS {
            return None;
        }
        if self.directory.load(Ordering::Acquire).is_null() {
            install(&self.directory, CHUNKS * size_of::<AtomicPtr<Chunk>>())?;
        }
        // SAFETY: the directory has `CHUNKS` pointers and is never unmapped.
        let slot = unsafe { &*self.directory.load(Ordering::Acquire).add(index) };
        if slot.load(Ordering::Acquire).is_null() {
            install(slot, size_of::<Chunk>())?;
        }
        self.first.fetch_min(index, Ordering::Relaxed);
        self.end.fetch_max(index + 1, Ordering::Relaxed);
        self.chunk(index)
    }
}

impl Chunk {
    /// The last entry up to this one that is live, and its size.
    fn last_live(&self, last: usize) -> Option<(usize, usize)> {
        let mut page = last / PAGE_ENTRIES;
        let mut end = last + 1;
        loop {
            if self.used[page / 64].load(Ordering::Relaxed) & (1 << (page % 64)) != 0 {
                for at in (page * PAGE_ENTRIES..end).rev() {
                    let value = self.entries[at].load(Ordering::Relaxed);
                    if value & LIVE != 0 {
                        return Some((at, (value & SIZE) as usize));
                    }
                }
            }
            end = page * PAGE_ENTRIES;
            page = page.checked_sub(1)?;
        }
    }
}

/// Sets a pointer to new memory that is zero, unless another thread was faster.
fn install<T>(slot: &AtomicPtr<T>, size_bytes: usize) -> Option<()> {
    let (rights, kind) =
        (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE);
    // SAFETY: an anonymous mapping at an address that the system chooses.
    let memory = unsafe { super::own::mmap(std::ptr::null_mut(), size_bytes, rights, kind, -1, 0) };
    if memory == libc::MAP_FAILED {
        return None;
    }
    // With large pages, a few entries would use much memory. A refusal has no effect.
    #[cfg(all(target_os = "linux", not(miri)))]
    // SAFETY: the mapping was just made, and the advice does not change its content.
    unsafe {
        libc::madvise(memory, size_bytes, libc::MADV_NOHUGEPAGE)
    };
    let set = slot.compare_exchange(std::ptr::null_mut(), memory.cast(), Ordering::AcqRel, Ordering::Acquire);
    if set.is_err() {
        // SAFETY: the mapping was just made, and nothing refers to it.
        unsafe { super::own::munmap(memory, size_bytes) };
    }
    Some(())
}

#[cfg(all(test, target_pointer_width = "64"))]
mod tests {
    use super::*;
    use cppc_prng::Random;
    use std::collections::BTreeMap;

    #[test]
    fn what_is_left_of_a_mapping_stays_known() {
        let table = Table::new();
        let known = |address| match table.find(address) {
            Found::Allocation { start, size_bytes } if table.is_mapping(start) => Some((start, size_bytes)),
            Found::Allocation { .. } | Found::Freed | Found::Unknown => None,
        };
        table.record_mapping(0x10000, 0x4000);
        table.forget_mappings(0x11000, 0x800);
        assert_eq!(known(0x10fff), Some((0x10000, 0x1000)));
        assert_eq!((known(0x11000), known(0x11fff)), (None, None));
        assert_eq!(known(0x12000), Some((0x12000, 0x2000)));
        table.record_mapping(0x14000, 100);
        table.forget_mappings(0x12000, 0x2100);
        assert_eq!(
            [0x10000, 0x12000, 0x13000, 0x14000].map(|at| known(at).is_some()),
            [true, false, false, false]
        );
        // A mapping at a fixed address replaces what was there.
        table.record_mapping(0x10000, 0x2000);
        assert_eq!(known(0x11000), Some((0x10000, 0x2000)));
        table.record(0x20000, 64);
        table.forget_mappings(0x20000, 64);
        assert_eq!(table.find(0x20000), Found::Allocation { start: 0x20000, size_bytes: 64 });
    }

    #[test]
    fn what_was_freed_differs_from_what_was_never_there() {
        let table = Table::new();
        assert_eq!(table.find(0x10000), Found::Unknown);
        table.record(0x10000, 100);
        assert_eq!(table.find(0x10000), Found::Allocation { start: 0x10000, size_bytes: 100 });
        assert_eq!(table.find(0x10000 + 99), Found::Allocation { start: 0x10000, size_bytes: 100 });
        assert_eq!(table.find(0x10000 + 100), Found::Unknown);
        assert_eq!(table.find(0x10000 - 1), Found::Unknown);
        assert_eq!(table.forget(0x10000), Some(100));
        assert_eq!(table.forget(0x10000), None);
        assert_eq!(table.find(0x10000), Found::Freed);
        assert_eq!(table.find(0x10010), Found::Unknown);
        table.record(0x10000, 8);
        assert_eq!(table.find(0x10000), Found::Allocation { start: 0x10000, size_bytes: 8 });
    }

    #[test]
    fn a_large_allocation_is_found_from_its_last_byte() {
        let table = Table::new();
        let (start, size_bytes) = (0x7f00_0000_0010, 5 * CHUNK_BYTES);
        table.record(start, size_bytes);
        assert_eq!(table.find(start + size_bytes - 1), Found::Allocation { start, size_bytes });
        assert_eq!(table.find(start + size_bytes), Found::Unknown);
        assert!(table.bounds().contains(&start) && table.bounds().contains(&(start + size_bytes - 1)));
        assert!(Table::new().bounds().is_empty());
    }

    #[test]
    fn threads_record_in_the_same_chunks() {
        let table = Table::new();
        let address = |thread: usize, index: usize| 0x7000_0000_0000 + (index * 4 + thread) * 0x1_0000;
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let table = &table;
                scope.spawn(move || {
                    for index in 0..5000 {
                        table.record(address(thread, index), 1 + index);
                        if index % 2 == 0 {
                            assert_eq!(table.forget(address(thread, index)), Some(1 + index));
                        }
                    }
                });
            }
        });
        for (thread, index) in (0..4).flat_map(|thread| (0..5000).map(move |index| (thread, index))) {
            let start = address(thread, index);
            let wanted = if index % 2 == 0 {
                Found::Freed
            } else {
                Found::Allocation { start, size_bytes: 1 + index }
            };
            assert_eq!(table.find(start), wanted);
        }
    }

    #[test]
    fn addresses_that_cannot_be_recorded_are_unknown() {
        let table = Table::new();
        for address in [0, 8, CHUNKS * CHUNK_BYTES, usize::MAX & !15] {
            table.record(address, 8);
            assert_eq!((table.find(address), table.forget(address)), (Found::Unknown, None), "{address:#x}");
        }
    }

    #[test]
    fn random_allocations_are_found_as_a_sorted_map_finds_them() {
        let mut random = Random::new(7);
        let (table, mut model) = (Table::new(), BTreeMap::new());
        let base = 3 * CHUNK_BYTES - 0x8000;
        for _ in 0..20_000 {
            let address = base + 16 * random.below(4096);
            let around = |model: &BTreeMap<usize, usize>, address: usize| {
                let (start, size) = model.range(..=address).next_back()?;
                (address < start + size || address == *start).then_some((*start, *size))
            };
            let room =
                model.range(address..).next().map_or(4096, |(next, _): (&usize, &usize)| next - address);
            match around(&model, address) {
                None if room > 16 => {
                    let size = 1 + random.below(room.min(600) - 1);
                    model.insert(address, size);
                    table.record(address, size);
                }
                Some((start, size)) if random.below(2) == 0 => {
                    model.remove(&start);
                    assert_eq!(table.forget(start), Some(size));
                }
                _ => {}
            }
            let asked = base + random.below(70_000);
            let found = match table.find(asked) {
                Found::Allocation { start, size_bytes } => Some((start, size_bytes)),
                Found::Freed | Found::Unknown => None,
            };
            assert_eq!(found, around(&model, asked), "{asked:#x}");
        }
    }
}
