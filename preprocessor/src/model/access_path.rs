//! The access path of an item.
//!
//! Input: the access path that the binder found.
//! Output: the same path with the variables of the procedure.

use super::VariableId;

/// A pointer in the access path of an item.
#[derive(Debug, Clone)]
pub struct PathPointer {
    pub text: String,
    /// It is a variable.
    pub is_name: bool,
    /// The variable, if it belongs to this procedure.
    pub variable: Option<VariableId>,
    /// It ends with the frame.
    pub automatic: bool,
}
