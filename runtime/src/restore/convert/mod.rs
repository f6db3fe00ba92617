//! Converts content from the representation of one machine to that of another.
//!
//! Input: bytes of the writing machine, and their types on both sides.
//! Output: bytes for this machine.
//! Postcondition: every value is the same, but rounded if a real has fewer digits here. A value that does not
//! fit is an error that names its element.

pub mod real;
pub mod scalar;
pub mod misfit;
pub mod element_map;
pub mod element;
pub mod map;

pub use element::Sides;
pub use element_map::ElementMap;
pub use map::BlockMap;
pub use misfit::ConvertError;
