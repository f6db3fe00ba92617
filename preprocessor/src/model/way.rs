//! The pointers that an item is reached through.
//!
//! In: what the binder found on the way. Out: the same with the procedure's variables. Holds afterwards: nothing, this
//! is data.

use super::VariableId;

/// A pointer on the way to an item.
#[derive(Debug, Clone)]
pub struct WayPoint {
    pub text: String,
    /// It is a variable by its name.
    pub is_name: bool,
    /// Set when that is one of this procedure.
    pub variable: Option<VariableId>,
    /// It ends with the frame.
    pub automatic: bool,
}
