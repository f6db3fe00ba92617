//! What a checkpoint does.
//!
//! In: calls of the checkpoint function; the table and the plan. Out: whether this one dumps, and what.
//! Holds afterwards: a snapshot's plan makes every register of its manifest, and every pointer in it
//! leads into one of its blocks.

pub mod places;
pub mod order;
pub mod rhythm;
pub mod snapshot;

pub use rhythm::Rhythm;
pub use snapshot::{Refusal, Snapshot};
