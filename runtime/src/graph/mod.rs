//! Graphs: everything that typed pointers reach from registered roots.
//!
//! Input: the types of pointers, the roots, the table of allocations.
//! Output: at a checkpoint, pools of elements in which each pointer is a reference. In a restart, allocations of the
//! program with the same content and pointers.
//! Postcondition: each allocation is saved once. A checkpoint with a pointer that a restart could not set is refused,
//! with the access path of that pointer.
//!
//! Each component of each element has a *position*, which is the same on all machines: the allocations of one type
//! form a pool, and each has one position for each component and one for its end. A reference is a position in one of
//! the pools. Positions are divided into chunks, so that the pools can grow while references to them are written.

pub mod plain;
pub mod type_tables;
pub mod types;
pub mod references;
pub mod objects;
pub mod derived_types;
pub mod start_texts;
pub mod symbols;
pub mod hidden;
mod reasons;
mod visited;
mod access_path;
pub mod walk;

pub use reasons::GraphError;
pub use types::{GraphTypes, Pointee};
pub use walk::{Graph, GraphInput, GraphRoot, OutsideMemory};

/// The kinds of pools, with their numbers in state files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SavedPoolKind {
    Root = 0,
    Symbols = 1,
    Type = 2,
    /// Memory of another register. Its positions are the numbers of elements.
    Outside = 3,
}

impl SavedPoolKind {
    pub fn of(number: u64) -> Option<SavedPoolKind> {
        [SavedPoolKind::Root, SavedPoolKind::Symbols, SavedPoolKind::Type, SavedPoolKind::Outside]
            .into_iter()
            .find(|kind| *kind as u64 == number)
    }
}

/// The names of the registers that a graph adds to those of its roots.
pub const POOL: &str = "(graph) ";
/// The sizes of the allocations, and the chunks of references.
pub const SHAPE: &str = "(graph sizes)";
/// The texts of the symbols.
pub const SYMBOLS: &str = "(graph symbols)";
/// The same for pointers in other registers.
pub const OTHER_SYMBOLS: &str = "(symbols)";
