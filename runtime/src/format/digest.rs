//! What is known about the bytes of a piece of memory.
//!
//! Input: nothing at first.
//! Output: the result of the last examination of the piece.
//! Postcondition: the owner of the memory resets the digest of a piece as soon as a byte of it changes. So a
//! digest is what another examination would give, even if the file for which the piece was examined is lost.

use std::cell::Cell;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Digest {
    #[default]
    Unknown,
    /// All bytes are zero.
    Zero,
    /// The hash of the bytes, computed by the history that is kept with the memory.
    Hash(u128),
}

/// One digest for each piece of some memory blocks, in order. The thread that writes the file sets them.
pub type Digests = [Cell<Digest>];
