//! The bytes of scalars, in both byte orders.
//!
//! Input: the bytes of consecutive numbers.
//! Output: the numbers, or the same bytes in the other order.

use crate::threads::in_parallel;
use std::sync::{Mutex, PoisonError};

/// Copies numbers of `width` bytes, and reverses the bytes of each if the byte order differs.
pub fn copy(width: usize, is_reversed: bool, from: &[u8], to: &mut [u8]) {
    if !is_reversed {
        return to.copy_from_slice(from);
    }
    match width {
        1 => to.copy_from_slice(from),
        2 => copy_reversed::<2>(from, to),
        4 => copy_reversed::<4>(from, to),
        8 => copy_reversed::<8>(from, to),
        16 => copy_reversed::<16>(from, to),
        _ => {
            to.copy_from_slice(from);
            to.chunks_exact_mut(width.max(1)).for_each(<[u8]>::reverse);
        }
    }
}

/// The number of bytes that one thread reverses before it takes more.
const PART_BYTES: usize = 1 << 20;

/// Reverses the bytes of each number in place.
pub fn reverse_in_place(width: usize, bytes: &mut [u8]) {
    if width < 2 {
        return;
    }
    let size_bytes = bytes.len();
    let parts = Mutex::new(bytes.chunks_mut((PART_BYTES / width).max(1) * width));
    let next = || parts.lock().unwrap_or_else(PoisonError::into_inner).next();
    in_parallel(size_bytes, || {
        while let Some(part) = next() {
            reverse_part(width, part);
        }
    });
}

fn reverse_part(width: usize, bytes: &mut [u8]) {
    match width {
        0 | 1 => {}
        2 => reverse::<2>(bytes),
        4 => reverse::<4>(bytes),
        8 => reverse::<8>(bytes),
        16 => reverse::<16>(bytes),
        _ => bytes.chunks_exact_mut(width).for_each(<[u8]>::reverse),
    }
}

/// The width is a constant, so that the compiler generates vector instructions.
fn copy_reversed<const WIDTH: usize>(from: &[u8], to: &mut [u8]) {
    for (from, to) in from.chunks_exact(WIDTH).zip(to.chunks_exact_mut(WIDTH)) {
        to.copy_from_slice(from);
        to.reverse();
    }
}

fn reverse<const WIDTH: usize>(bytes: &mut [u8]) {
    for number in bytes.chunks_exact_mut(WIDTH) {
        number.reverse();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_every_width_are_turned_round() {
        for width in [1, 2, 3, 4, 8, 10, 16] {
            let from: Vec<u8> = (0..5 * width as u8).collect();
            let mut wanted = from.clone();
            wanted.chunks_exact_mut(width).for_each(<[u8]>::reverse);
            let mut to = vec![0; from.len()];
            copy(width, true, &from, &mut to);
            assert_eq!(to, wanted);
            reverse_in_place(width, &mut to);
            assert_eq!(to, from);
            copy(width, false, &from, &mut to);
            assert_eq!(to, from);
        }
    }

    #[test]
    fn much_memory_is_turned_round_as_little_is() {
        let length: usize = if cfg!(miri) { 9 << 10 } else { 9 << 20 };
        for width in [2, 8, 10] {
            let from: Vec<u8> = (0..length / width * width).map(|at| (at / 7) as u8).collect();
            let mut to = from.clone();
            reverse_in_place(width, &mut to);
            to.chunks_exact_mut(width).for_each(<[u8]>::reverse);
            assert_eq!(to, from);
        }
    }
}
