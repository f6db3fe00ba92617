//! The arguments of `main`.
//!
//! Input: pointers to `argc` and `argv`.
//! Output: the arguments, and later fewer of them.
//! Postcondition: `argv` has its pointers in the same order, without those that were removed, and ends with a
//! null pointer.

use std::ffi::{c_char, c_int, CStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

/// `argc` and `argv` of the program; empty if it passed null pointers.
pub struct Arguments {
    count: *mut c_int,
    vector: *mut *mut c_char,
}

impl Arguments {
    /// # Safety
    /// Both are null, or point to `argc` and `argv` of `main`.
    pub unsafe fn new(count: *mut c_int, vector: *mut *mut *mut c_char) -> Arguments {
        // SAFETY: the caller guarantees pointers that are not null.
        let vector = if vector.is_null() { std::ptr::null_mut() } else { unsafe { *vector } };
        Arguments { count, vector }
    }

    fn pointers(&self) -> &[*mut c_char] {
        if self.count.is_null() || self.vector.is_null() {
            return &[];
        }
        // SAFETY: see `new`: there are `*count` pointers.
        let all =
            unsafe { std::slice::from_raw_parts(self.vector, usize::try_from(*self.count).unwrap_or(0)) };
        let end = all.iter().position(|pointer| pointer.is_null()).unwrap_or(all.len());
        &all[..end]
    }

    pub fn texts(&self) -> Vec<OsString> {
        // SAFETY: see `new`: each is a text that ends with a zero.
        let bytes = |pointer: &*mut c_char| unsafe { CStr::from_ptr(*pointer) }.to_bytes().to_vec();
        self.pointers().iter().map(|pointer| OsString::from_vec(bytes(pointer))).collect()
    }

    /// Keeps only these texts, which must be a subsequence of the current ones.
    pub fn keep(&self, left: &[OsString]) {
        let before = self.pointers();
        let mut kept = Vec::with_capacity(before.len());
        let mut wanted = left.iter().peekable();
        for &pointer in before {
            // SAFETY: as in `texts`.
            let bytes = unsafe { CStr::from_ptr(pointer) }.to_bytes();
            if wanted.next_if(|text| text.as_bytes() == bytes).is_some() {
                kept.push(pointer);
            }
        }
        if kept.len() == before.len() {
            return;
        }
        // SAFETY: `argv` had more pointers than this, so that there is room for the null as well.
        unsafe {
            self.vector.copy_from(kept.as_ptr(), kept.len());
            *self.vector.add(kept.len()) = std::ptr::null_mut();
            *self.count = kept.len() as c_int;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_out_leaves_the_others_in_order_and_a_null_behind() {
        let mut texts: Vec<Vec<u8>> =
            ["app\0", "--cppc-every\0", "5\0", "5\0"].iter().map(|text| text.as_bytes().to_vec()).collect();
        let mut pointers: Vec<*mut c_char> = texts.iter_mut().map(|text| text.as_mut_ptr().cast()).collect();
        pointers.push(std::ptr::null_mut());
        let mut count = 4;
        let mut vector = pointers.as_mut_ptr();
        // SAFETY: both point to what `main` would have.
        let arguments = unsafe { Arguments::new(&raw mut count, &raw mut vector) };
        assert_eq!(arguments.texts().len(), 4);
        arguments.keep(&["app".into(), "5".into()]);
        assert_eq!(arguments.texts(), ["app", "5"]);
        assert_eq!(count, 2);
        assert!(pointers[2].is_null());
    }
}
