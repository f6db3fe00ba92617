//! Puts saved state back.
//!
//! In: a verified state file, and the registers and captures as the program makes them again. Out: memory
//! with its content and pointers with their values. Holds afterwards: when a restart is finished, every
//! register of the file has its content, and live registers have won over what ran in between.

pub mod same;
pub mod convert;
pub mod foreign;
pub mod deliver;
pub mod follow;
mod apart;
pub mod stale;
pub mod undo;

pub use deliver::{Delivered, Delivery, DeliveryError, Request};
pub use follow::Again;
pub use foreign::native_plan;
pub use undo::Undo;
