//! What was found out about a piece of memory when it was last looked at.
//!
//! In: nothing at first. Out: what came of the piece. Holds afterwards: whoever keeps the memory makes the mark
//! of a piece unknown as soon as a byte of it changes; so a mark says what another look would say, whatever
//! became of the file that the look was for.

use std::cell::Cell;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mark {
    #[default]
    Unknown,
    /// All its bytes are zero.
    Zero,
    /// The hash of its bytes, as the history that is kept with the memory makes it.
    Hash(u128),
}

/// One for each piece of some blocks, in order; set by the thread that writes the file.
pub type Marks = [Cell<Mark>];
