//! The steps of a checkpoint.
//!
//! Input: calls of the checkpoint function, the table, and the plan.
//! Output: whether this checkpoint dumps, and the snapshot.
//! Postcondition: the plan of a snapshot makes every register of its manifest, and every pointer in it points
//! into one of its memory blocks.

pub mod placement;
pub mod order;
pub mod late_registers;
pub mod schedule;
pub mod interval;
pub mod snapshot;
pub mod addresses;

pub use interval::IntervalClock;
pub use schedule::{Due, Schedule};
pub use snapshot::{Refusal, Snapshot};
