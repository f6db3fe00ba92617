//! Bytes of a state file as values.
//!
//! Input: bytes, their type, the machine that wrote them.
//! Output: numbers, exact for any machine, and text.
//! Postcondition: there is a text for all bytes; bytes without a better text are shown in hexadecimal.

pub mod decimal;
pub mod real;
pub mod element;
pub mod sum;
pub mod text;

pub use element::{Element, Kind, Part, Reader};
pub use real::Real;
