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

/// The number in these bytes, at most sixteen.
pub fn bits(bytes: &[u8], is_big_endian: bool) -> u128 {
    let gather = |bits: u128, byte: &u8| bits << 8 | u128::from(*byte);
    if is_big_endian {
        bytes.iter().fold(0, gather)
    } else {
        bytes.iter().rev().fold(0, gather)
    }
}

/// Writes the lower bytes of the number.
pub fn put(bits: u128, bytes: &mut [u8], is_big_endian: bool) {
    let size_bytes = bytes.len();
    let all = bits.to_le_bytes();
    for (index, byte) in all.iter().take(size_bytes).enumerate() {
        bytes[if is_big_endian { size_bytes - 1 - index } else { index }] = *byte;
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

    #[test]
    fn numbers_are_read_and_written_in_both_orders() {
        assert_eq!(bits(&[1, 2, 3], true), 0x01_02_03);
        assert_eq!(bits(&[1, 2, 3], false), 0x03_02_01);
        let mut bytes = [0; 4];
        put(0x0102_0304, &mut bytes, true);
        assert_eq!(bytes, [1, 2, 3, 4]);
        put(0x0102_0304, &mut bytes, false);
        assert_eq!(bytes, [4, 3, 2, 1]);
    }
}
