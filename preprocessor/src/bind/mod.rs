//! Names, types and directives bound to the tree of each language.

mod regions;
pub mod c;
pub mod fortran;

/// What is known of the number of elements of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Amount {
    /// It is the same in every run.
    Constant,
    Computed,
    /// It is that of the allocation that the pointer points to at a checkpoint (`p[]`).
    Allocation,
    /// Everything that the pointers reach belongs to the item (`deep(root)`).
    Deep,
}
