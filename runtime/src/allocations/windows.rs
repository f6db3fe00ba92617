//! The memory of windows that MPI has allocated.
//!
//! Input: calls of the program, from the library for MPI.
//! Output: whether an address is in such memory.
//! Postcondition: the memory of a window that was freed is not in the list.

use std::sync::{Mutex, MutexGuard, PoisonError};

struct Window {
    handle: u64,
    memory: std::ops::Range<usize>,
}

static WINDOWS: Mutex<Vec<Window>> = Mutex::new(Vec::new());

fn windows() -> MutexGuard<'static, Vec<Window>> {
    WINDOWS.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Records the memory of a new window.
pub fn record(handle: u64, address: usize, size_bytes: usize) {
    windows().push(Window { handle, memory: address..address.saturating_add(size_bytes) });
}

/// Forgets a window that is freed.
pub fn forget(handle: u64) {
    windows().retain(|window| window.handle != handle);
}

/// Whether the address is in the memory of a window.
pub fn contain(address: usize) -> bool {
    windows().iter().any(|window| window.memory.contains(&address))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_is_known_until_it_is_freed() {
        let start = 1 << 40;
        record(7, start, 64);
        record(8, start + 64, 64);
        assert!(contain(start) && contain(start + 127) && !contain(start + 128));
        forget(7);
        assert!(!contain(start + 63) && contain(start + 64));
        forget(8);
        assert!(!contain(start + 64));
    }
}
