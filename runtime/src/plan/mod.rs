//! What was done and still matters: the restart plan.
//!
//! In: the calls at blocks and frames. Out: the plan for the state file, and in a restart the block to
//! go to. Holds afterwards: the plan, run again from the start, makes the registers that are live and
//! the non-portable state that execute blocks made.

pub mod capture;
pub mod cell;
pub mod entry;
pub mod frames;
pub mod record;
pub mod replay;

#[cfg(test)]
mod tests;

pub use capture::Captures;
pub use cell::Cells;
pub use entry::Entry;
pub use frames::{Frames, Origin};
pub use replay::{Disagreement, Replay};
