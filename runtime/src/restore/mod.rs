//! Restores saved state.
//!
//! Input: a verified state file, and the registers and captures as the program makes them again.
//! Output: memory with its content, and pointers with their values.
//! Postcondition: after a restart, every register of the file has its content, even if blocks that ran later
//! have changed it.

pub mod same;
pub mod convert;
pub mod conversion;
pub mod stale;
pub mod deliver;
pub mod follow;
mod disjoint;
pub mod undo;

pub use conversion::native_plan;
pub use deliver::{Delivered, Delivery, DeliveryError, Request};
pub use follow::Reallocation;
pub use undo::Undo;
