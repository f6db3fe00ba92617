//! Copies a field of consecutive structures.
//!
//! Input: the memory of the field, or its gathered content.
//! Output: the other of the two.
//! Postcondition: the bytes between the fields were neither read nor written.

use super::fields::FieldRange;

impl FieldRange {
    /// The fields, one after the other.
    ///
    /// # Safety
    /// Each field is readable, and nothing writes to it meanwhile.
    pub unsafe fn gather(self) -> Vec<u8> {
        let mut content: Vec<u8> = Vec::with_capacity(self.size_bytes());
        // SAFETY: the vector has room for all fields, which the caller guarantees to be readable. They are
        // initialised by the copy.
        unsafe {
            let spaced = Spaced { at: self.first, stride_bytes: self.stride_bytes };
            let dense = Spaced { at: content.as_mut_ptr() as usize, stride_bytes: self.field_bytes };
            copy_each(self, spaced, dense);
            content.set_len(self.size_bytes());
        }
        content
    }

    /// Copies gathered content to the fields. The bytes between them do not change.
    ///
    /// # Safety
    /// Each field is writable, and nothing else uses it. `content` has as many bytes as all fields.
    pub unsafe fn scatter(self, content: &[u8]) {
        if content.len() == self.size_bytes() {
            let dense = Spaced { at: content.as_ptr() as usize, stride_bytes: self.field_bytes };
            let spaced = Spaced { at: self.first, stride_bytes: self.stride_bytes };
            // SAFETY: the content has all fields, which the caller guarantees to be writable.
            unsafe { copy_each(self, dense, spaced) };
        }
    }
}

/// Addresses at a fixed distance.
#[derive(Clone, Copy)]
struct Spaced {
    at: usize,
    stride_bytes: usize,
}

/// Copies each field. Small sizes are constants, so that the loop contains no call.
unsafe fn copy_each(range: FieldRange, from: Spaced, to: Spaced) {
    let FieldRange { structures, field_bytes, .. } = range;
    // SAFETY: the caller guarantees that the fields are readable at `from` and writable at `to`, and that they do not
    // overlap: one of them is memory of the runtime.
    unsafe {
        match field_bytes {
            _ if range.is_contiguous() => {
                std::ptr::copy_nonoverlapping(from.at as *const u8, to.at as *mut u8, range.size_bytes());
            }
            1 => copy_small::<1>(structures, from, to),
            2 => copy_small::<2>(structures, from, to),
            4 => copy_small::<4>(structures, from, to),
            8 => copy_small::<8>(structures, from, to),
            16 => copy_small::<16>(structures, from, to),
            24 => copy_small::<24>(structures, from, to),
            32 => copy_small::<32>(structures, from, to),
            _ => {
                for index in 0..structures {
                    let source = (from.at + index * from.stride_bytes) as *const u8;
                    let target = (to.at + index * to.stride_bytes) as *mut u8;
                    std::ptr::copy_nonoverlapping(source, target, field_bytes);
                }
            }
        }
    }
}

/// # Safety
/// As for `copy_each`, with fields of `BYTES` bytes.
unsafe fn copy_small<const BYTES: usize>(structures: usize, from: Spaced, to: Spaced) {
    for index in 0..structures {
        let source = (from.at + index * from.stride_bytes) as *const [u8; BYTES];
        let target = (to.at + index * to.stride_bytes) as *mut [u8; BYTES];
        // SAFETY: the caller guarantees both. Arrays of bytes need no alignment.
        unsafe { target.write(source.read()) };
    }
}

#[cfg(test)]
mod tests {
    use super::super::fields::FieldLayout;

    /// A field of `size_bytes` in structures of 40 bytes is gathered from a numbered array and scattered to an empty one.
    fn check(size_bytes: usize, count: usize) {
        let numbered: Vec<u8> = (0..count * 40).map(|byte| byte as u8).collect();
        let mut empty = vec![0xEE; count * 40];
        let layout = FieldLayout { offset_bytes: 3, stride_bytes: 40, elements: 1 };
        let range =
            |memory: *const u8| layout.range(memory as usize, count, size_bytes).expect("it is possible");
        let content = unsafe { range(numbered.as_ptr()).gather() };
        let is_field = |at: &usize| (3..3 + size_bytes).contains(&(at % 40));
        let expected: Vec<u8> = (0..numbered.len()).filter(is_field).map(|at| numbered[at]).collect();
        assert_eq!(content, expected);
        unsafe { range(empty.as_mut_ptr()).scatter(&content) };
        for at in 0..empty.len() {
            assert_eq!(empty[at], if is_field(&at) { numbered[at] } else { 0xEE }, "{size_bytes} {at}");
        }
    }

    #[test]
    fn a_field_of_each_size_is_copied_and_nothing_else() {
        for size_bytes in [1, 2, 3, 4, 8, 12, 16, 24, 32, 37] {
            check(size_bytes, 5);
        }
        check(8, 0);
        check(8, 1);
    }
}
