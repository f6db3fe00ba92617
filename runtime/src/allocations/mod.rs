//! The allocations of the program, and the anonymous memory that it has mapped.
//!
//! Input: calls of `malloc`, `free`, `mmap` and their relatives in the objects of the program, which the linker redirects to
//! `functions` and `mappings` (`--wrap`).
//! Output: for an address, the allocation that contains it.
//! Postcondition: an allocation that a library made or freed is not known to the table. So "unknown" does not mean
//! that the memory is not valid.

mod real;
mod replaced;
mod table;
pub mod functions;
pub mod mappings;
pub mod windows;
pub mod of_mpi;

pub(crate) use real::c as own;
pub use real::OwnAllocator;
pub use table::{Found, Table};

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::OnceLock;
use thiserror::Error;

static TABLE: Table = Table::new();

/// Whether the program calls the functions of this module.
static IS_LINKED: AtomicBool = AtomicBool::new(false);

/// Whether allocations of the program are recorded.
pub fn is_active() -> bool {
    IS_LINKED.load(Ordering::Relaxed)
}

/// Whether `malloc` and `realloc` of the program set new memory to zero.
static CLEARS: AtomicBool = AtomicBool::new(true);

/// Whether the user wants `malloc` to fill new memory with other bytes.
static IS_POISONED: OnceLock<bool> = OnceLock::new();

fn clears() -> bool {
    // SAFETY: the name ends with a zero byte.
    let is_set = || unsafe { !libc::getenv(c"MALLOC_PERTURB_".as_ptr()).is_null() };
    CLEARS.load(Ordering::Relaxed) && !*IS_POISONED.get_or_init(is_set)
}

/// Whether the program has graphs of C.
static HAS_GRAPHS: AtomicBool = AtomicBool::new(false);

/// The program has graphs. From now on, `malloc` and `realloc` always set new memory to zero.
pub fn begin_graphs() {
    HAS_GRAPHS.store(true, Ordering::Relaxed);
    CLEARS.store(true, Ordering::Relaxed);
}

/// At a checkpoint, a program without graphs does not need memory that is set to zero. This would take time in each step.
pub fn at_checkpoint() {
    if !HAS_GRAPHS.load(Ordering::Relaxed) {
        CLEARS.store(false, Ordering::Relaxed);
    }
}

/// Records memory that the runtime has allocated for the program.
pub fn record(address: usize, size_bytes: usize) {
    TABLE.record(address, size_bytes);
}

/// Why the memory of a register cannot be its allocation.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Error)]
pub enum Fault {
    #[error("is registered with the size of its allocation, but no allocations are recorded in this program: link it with `cppc-cc`, or write how many elements there are")]
    Inactive,
    #[error("points to memory that the files of the program did not allocate, so that its size is unknown: write how many elements there are")]
    Unknown,
    #[error("points to memory that was freed: unregister it before `free`, or set the pointer to null")]
    Freed,
    #[error("points to memory whose size has changed outside of the files of the program: it was {recorded_bytes} bytes, and the allocator now gives it {usable_bytes}; write how many elements there are")]
    Replaced { recorded_bytes: usize, usable_bytes: usize },
    #[error("points {offset_bytes} bytes after the start of an allocation: register the pointer that `malloc` returned")]
    Interior { offset_bytes: usize },
    #[error("points to an allocation of {size_bytes} bytes, which is not a whole number of elements of {element_bytes} bytes: write how many elements there are")]
    Partial { size_bytes: usize, element_bytes: usize },
    #[error("is registered with {registered_bytes} bytes, but the allocation has only {size_bytes} there: register it again after its size has changed")]
    Short { registered_bytes: usize, size_bytes: usize },
}

/// The bytes before the allocation at this address that are read, because some allocators keep the size there.
pub fn header_bytes(address: usize) -> usize {
    if TABLE.is_mapping(address) {
        0
    } else {
        16
    }
}

/// The number of elements of the allocation that begins at the address. If there is one, the bytes of its header must be
/// readable. `has_classes`: the allocator has size classes.
pub fn count(address: usize, element_bytes: usize, has_classes: bool) -> Result<usize, Fault> {
    if !is_active() {
        return Err(Fault::Inactive);
    }
    let count = count_in(&TABLE, address, element_bytes)?;
    check_size(address, count * element_bytes, has_classes).map(|()| count)
}

/// The allocation that contains an address.
#[inline]
pub fn find(address: usize) -> Found {
    match TABLE.find(address) {
        // MPI may allocate a window where the program has freed memory.
        Found::Freed if windows::contain(address) => Found::Unknown,
        found => found,
    }
}

/// Whether the address is in memory that the program has mapped.
pub fn is_mapped(address: usize) -> bool {
    TABLE.has_mappings()
        && matches!(TABLE.find(address), Found::Allocation { start, .. } if TABLE.is_mapping(start))
}

/// A range with all allocations that were ever made.
pub fn bounds() -> std::ops::Range<usize> {
    TABLE.bounds()
}

/// Checks that the allocator gives a size to the allocation at `address` that the recorded size may have. Its header must be
/// readable. `has_classes`: the allocator has size classes.
pub fn check_size(address: usize, recorded_bytes: usize, has_classes: bool) -> Result<(), Fault> {
    if TABLE.is_mapping(address) {
        return Ok(());
    }
    match replaced::usable_bytes(address) {
        Some(usable_bytes) if !replaced::is_plausible(recorded_bytes, usable_bytes, has_classes) => {
            Err(Fault::Replaced { recorded_bytes, usable_bytes })
        }
        Some(_) | None => Ok(()),
    }
}

/// Checks the memory of a register with a size of its own. Memory that is not in the table is accepted.
pub fn check(address: usize, registered_bytes: usize) -> Result<(), Fault> {
    if !is_active() || registered_bytes == 0 || windows::contain(address) {
        return Ok(());
    }
    check_in(&TABLE, address, registered_bytes)
}

fn count_in(table: &Table, address: usize, element_bytes: usize) -> Result<usize, Fault> {
    match table.find(address) {
        Found::Allocation { start, .. } if start != address => {
            Err(Fault::Interior { offset_bytes: address - start })
        }
        Found::Allocation { size_bytes, .. } if size_bytes % element_bytes.max(1) != 0 => {
            Err(Fault::Partial { size_bytes, element_bytes })
        }
        Found::Allocation { size_bytes, .. } => Ok(size_bytes / element_bytes.max(1)),
        Found::Freed => Err(Fault::Freed),
        Found::Unknown => Err(Fault::Unknown),
    }
}

fn check_in(table: &Table, address: usize, registered_bytes: usize) -> Result<(), Fault> {
    match table.find(address) {
        Found::Allocation { start, size_bytes } if registered_bytes > start + size_bytes - address => {
            Err(Fault::Short { registered_bytes, size_bytes: start + size_bytes - address })
        }
        Found::Freed => Err(Fault::Freed),
        Found::Allocation { .. } | Found::Unknown => Ok(()),
    }
}

#[cfg(all(test, target_pointer_width = "64"))]
mod tests {
    use super::*;

    #[test]
    fn an_allocation_gives_the_number_of_its_elements() {
        let table = Table::new();
        table.record(0x10_0000, 40);
        assert_eq!(count_in(&table, 0x10_0000, 8), Ok(5));
        assert_eq!(
            count_in(&table, 0x10_0000, 16),
            Err(Fault::Partial { size_bytes: 40, element_bytes: 16 })
        );
        assert_eq!(count_in(&table, 0x10_0008, 8), Err(Fault::Interior { offset_bytes: 8 }));
        assert_eq!(count_in(&table, 0x20_0000, 8), Err(Fault::Unknown));
        table.record(0x10_0000, 0);
        assert_eq!(count_in(&table, 0x10_0000, 8), Ok(0));
        table.forget(0x10_0000);
        assert_eq!(count_in(&table, 0x10_0000, 8), Err(Fault::Freed));
    }

    #[test]
    fn a_register_may_be_a_part_of_its_allocation_and_no_more() {
        let table = Table::new();
        table.record(0x10_0000, 40);
        assert_eq!(check_in(&table, 0x10_0000, 40), Ok(()));
        assert_eq!(check_in(&table, 0x10_0020, 8), Ok(()));
        assert_eq!(check_in(&table, 0x10_0020, 9), Err(Fault::Short { registered_bytes: 9, size_bytes: 8 }));
        assert_eq!(check_in(&table, 0x20_0000, 9), Ok(()));
        table.forget(0x10_0000);
        assert_eq!(check_in(&table, 0x10_0000, 1), Err(Fault::Freed));
    }
}
