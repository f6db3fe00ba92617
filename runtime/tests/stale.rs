//! Stale pointers: those to memory that a restart has moved.
//!
//! Input: memory of this process.
//! Output: the number of pointers to it.
//! Postcondition: none is missed, and what cannot be an allocation is ignored. There is only one test, since
//! other threads would map memory at the same time.

#![cfg(all(target_os = "linux", target_env = "gnu", target_pointer_width = "64"))]

use cppc_runtime::register::memory::Range;
use cppc_runtime::register::segments::mappings;
use cppc_runtime::restore::stale::{find, EarlierMemory};

#[test]
fn pointers_into_memory_that_was_left_are_found_where_they_are() {
    let old: Vec<f64> = vec![1.0; 5000];
    let was = Range { address: old.as_ptr() as usize, size_bytes: 5000 * 8 };
    let inside = Box::new([was.address + 800, 0, was.address + 39_992, was.address + 40_000]);
    let mapped = mappings();
    let left = EarlierMemory::new("u", was, 8, 1 << 20, &mapped).expect("it is allocated");
    assert!(EarlierMemory::new("u", Range { size_bytes: 1 << 40, ..was }, 8, 1, &mapped).is_none());
    assert!(EarlierMemory::new("u", Range { address: was.address + 16, ..was }, 8, 1, &mapped).is_none());
    assert!(EarlierMemory::new("u", Range { address: 48, size_bytes: 8 }, 8, 1, &mapped).is_none());
    assert_eq!(left.pointer_before((1 << 20) + 8), Some(1f64.to_bits() as usize));
    assert_eq!(left.pointer_before((1 << 20) - 8), None);
    let on_stack = [was.address + 8];
    let stack = Range { address: on_stack.as_ptr() as usize, size_bytes: 8 };
    let found = find(std::slice::from_ref(&left), &mapped, &mappings(), &[], stack);
    assert!(found.len() == 1 && found[0].in_heap >= 2 && found[0].on_stack == 1, "{found:?}");
    let known = Range { address: inside.as_ptr() as usize, size_bytes: 32 };
    let fewer = find(&[left], &mapped, &mappings(), &[known, stack], stack);
    // This process may contain other copies of the address.
    assert!(fewer.first().map_or(0, |stale| stale.in_heap) < found[0].in_heap, "{fewer:?} {found:?}");
    assert!(fewer.first().is_none_or(|stale| stale.on_stack == 0));
    assert_eq!((old[0], inside[1]), (1.0, 0));
}
