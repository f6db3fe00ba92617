//! The two sets that analyses compute with: numbers, and ranges of bytes.

mod numbers;
mod ranges;
mod tree;
mod bytes;

pub use self::bytes::Bytes;
pub use self::numbers::NumberSet;
pub use self::ranges::{Memory, Range, END};
