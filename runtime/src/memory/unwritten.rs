//! Memory that is first written by the threads that fill it.
//!
//! Input: a size.
//! Output: parts of the memory for several threads, and the whole memory after each part was opened.
//! Postcondition: no byte is read before it was written. The system allocates each page when the thread that
//! fills it writes to it.
//!
//! This file contains `unsafe`, because uninitialised memory has no safe slice.

use super::zero::zero;
use super::MallocBytes;
use std::mem::MaybeUninit;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Uninitialised memory.
#[derive(Debug)]
pub struct Unwritten {
    memory: MallocBytes,
    /// The number of bytes that have been written.
    opened: AtomicUsize,
}

/// A part of the memory. Parts do not overlap, and each is opened once.
#[derive(Debug)]
pub struct UnwrittenPart<'a> {
    bytes: &'a mut [MaybeUninit<u8>],
    /// None if the bytes were initialised before.
    opened: Option<&'a AtomicUsize>,
}

impl Unwritten {
    /// None if there is not enough memory.
    pub fn new(length: usize) -> Option<Unwritten> {
        Some(Unwritten { memory: MallocBytes::unwritten(length)?, opened: AtomicUsize::new(0) })
    }

    /// All bytes that are not in a part yet. A second call returns an empty part.
    pub fn whole(&mut self) -> UnwrittenPart<'_> {
        let length = if *self.opened.get_mut() == 0 { self.memory.length } else { 0 };
        // SAFETY: the memory has this many bytes, `&mut self` makes the access exclusive as long as the part
        // lives, and uninitialised bytes may be seen as `MaybeUninit`.
        let bytes = unsafe { std::slice::from_raw_parts_mut(self.memory.start.as_ptr().cast(), length) };
        UnwrittenPart { bytes, opened: Some(&self.opened) }
    }

    /// The memory, if every part of it has been opened.
    pub fn filled(mut self) -> Option<MallocBytes> {
        (*self.opened.get_mut() == self.memory.length).then_some(self.memory)
    }
}

impl<'a> UnwrittenPart<'a> {
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// The first `length` bytes, or all if there are fewer, and the rest.
    pub fn split(self, length: usize) -> (UnwrittenPart<'a>, UnwrittenPart<'a>) {
        let (first, rest) = self.bytes.split_at_mut(length.min(self.bytes.len()));
        (
            UnwrittenPart { bytes: first, opened: self.opened },
            UnwrittenPart { bytes: rest, opened: self.opened },
        )
    }

    /// Zeroes all bytes. Large memory that was never used takes no physical memory then.
    pub fn zeros(self) {
        match self.opened {
            None => self.bytes.fill(MaybeUninit::new(0)),
            Some(opened) => {
                zero(self.bytes);
                opened.fetch_add(self.bytes.len(), Ordering::Release);
            }
        }
    }

    /// The bytes, to be overwritten. Uninitialised bytes are zeroed first.
    pub fn open(self) -> &'a mut [u8] {
        let length = self.bytes.len();
        if let Some(opened) = self.opened {
            self.bytes.fill(MaybeUninit::new(0));
            opened.fetch_add(length, Ordering::Release);
        }
        // SAFETY: the part has exclusive access to these bytes for `'a`, and all of them have been written.
        unsafe { std::slice::from_raw_parts_mut(self.bytes.as_mut_ptr().cast(), length) }
    }
}

impl<'a> From<&'a mut [u8]> for UnwrittenPart<'a> {
    fn from(bytes: &'a mut [u8]) -> UnwrittenPart<'a> {
        let (start, length) = (bytes.as_mut_ptr().cast(), bytes.len());
        // SAFETY: these are the same bytes, and only the result of `open` can write to them.
        UnwrittenPart { bytes: unsafe { std::slice::from_raw_parts_mut(start, length) }, opened: None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_that_was_opened_in_parts_is_whole() {
        let large = if cfg!(miri) { 9 << 10 } else { 9 << 20 };
        for length in [0, 1, 5000, large] {
            let mut blank = Unwritten::new(length).unwrap();
            let (first, rest) = blank.whole().split(length / 3);
            assert_eq!((first.len(), rest.is_empty()), (length / 3, length == 0));
            std::thread::scope(|scope| {
                scope.spawn(|| first.open().fill(1));
                let (second, third) = rest.split(1);
                assert!(third.open().iter().all(|&byte| byte == 0));
                second.open().fill(2);
            });
            let memory = blank.filled().unwrap();
            let sum: usize = memory.as_slice().iter().map(|&byte| usize::from(byte)).sum();
            assert_eq!(sum, length / 3 + 2 * usize::from(length > 0));
        }
    }

    #[test]
    fn bytes_that_are_there_stay() {
        let mut bytes = [1, 2, 3];
        let (first, rest) = UnwrittenPart::from(&mut bytes[..]).split(1);
        assert_eq!(rest.open(), [2, 3]);
        first.open()[0] = 9;
        assert_eq!(bytes, [9, 2, 3]);
        UnwrittenPart::from(&mut bytes[1..]).zeros();
        assert_eq!(bytes, [9, 0, 0]);
    }

    #[test]
    fn memory_that_was_not_opened_is_not_handed_out() {
        let mut blank = Unwritten::new(10).unwrap();
        let (first, _) = blank.whole().split(9);
        first.open();
        assert_eq!(blank.whole().len(), 0);
        assert!(blank.filled().is_none());
        assert!(Unwritten::new(isize::MAX as usize).is_none());
    }
}
