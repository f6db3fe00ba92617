//! Digests of words, for the keys of caches.
//!
//! Postcondition: other words, or the same bytes divided in another way, have another digest.

use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt as _;

use twox_hash::XxHash3_128;

/// 128 bits, so that two keys are never equal by chance.
#[derive(Default)]
pub struct Digest(XxHash3_128);

impl Digest {
    pub fn word(&mut self, bytes: &[u8]) {
        self.0.write(&(bytes.len() as u64).to_le_bytes());
        self.0.write(bytes);
    }

    pub fn words(&mut self, words: &[OsString]) {
        self.word(&(words.len() as u64).to_le_bytes());
        words.iter().for_each(|word| self.word(word.as_bytes()));
    }

    pub fn text(&self) -> String {
        format!("{:032x}", self.0.finish_128())
    }
}
