//! Converts content from one machine's representation to another's.
//!
//! In: bytes as the writing machine has them, and what they are on both sides. Out: bytes for this
//! machine. Holds afterwards: every value is the same, rounded where a real has fewer digits here; one
//! that does not fit is an error, by its element.

pub mod real;
pub mod scalar;
pub mod element;
pub mod map;

pub use element::{ConvertError, Shape, Sides};
pub use map::BlockMap;
