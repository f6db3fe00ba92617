//! The restart plan: the blocks and calls that a restart replays.
//!
//! Input: the calls at blocks and frames.
//! Output: the plan for the state file, and in a restart the block to jump to.
//! Postcondition: a replay of the plan from the start makes all live registers, and the non-portable state
//! that execute blocks made.

pub mod capture;
pub mod cell;
pub mod entry;
pub mod size_variables;
pub mod frames;
pub mod record;
pub mod replay;

#[cfg(test)]
mod tests;

pub use capture::Captures;
pub use cell::Cells;
pub use entry::Entry;
pub use frames::{FrameKind, Frames};
pub use replay::{Disagreement, Replay};
