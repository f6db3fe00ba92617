//! The memory that the program registers.
//!
//! Input: the calls that register and unregister memory.
//! Output: the table of live registers, and at a dump the memory blocks that they form.
//! Postcondition: a register in the table refers to memory that the program still owns, as far as frames and
//! the stack show.

pub mod layout;
pub mod memory;
pub mod name;
pub mod frame_registers;
pub mod bounds;
pub mod overlap;
pub mod shape;
pub mod fields;
mod field_content;
pub mod stack;
pub mod access_path;
pub mod table;
pub mod segments;

pub use bounds::{Bounds, Pairs};
pub use fields::{FieldLayout, FieldRange};
pub use frame_registers::RegisterId;
pub use layout::{Layouts, TypeError};
pub use name::{Names, Symbol};
pub use table::{EntryId, Register, RegisterScope, Selector, Table};
