//! Bytes of a state file as values.
//!
//! In: bytes, their type, the machine that wrote them. Out: numbers, exact whatever the machine was,
//! and text. Holds afterwards: whatever the bytes are, there is a text for them; what has no better
//! one is shown in hexadecimal.

pub mod decimal;
pub mod real;
pub mod element;
pub mod sum;
pub mod say;

pub use element::{Element, Kind, Part, Reader};
pub use real::Real;
