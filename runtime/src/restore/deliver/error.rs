//! Why a restart cannot restore a register.
//!
//! Input: the register, and what was found.
//! Output: the message, with the name of the register.

use super::super::conversion::ConversionError;
use crate::verify::VerifyError;
use thiserror::Error;

#[derive(Debug, Error)]
pub enum DeliveryError {
    #[error("`{name}` has the type {found} in the program and {saved} in the state file{difference}")]
    Type { name: String, found: String, saved: String, difference: String },
    #[error("`{name}` is registered with another storage class than in the state file")]
    Storage { name: String },
    #[error("`{name}` has {saved} elements in the state file, but only {found} in the program")]
    TooSmall { name: String, saved: u64, found: usize },
    #[error("`{name}` has {found} elements in this build of the program and {saved} in the state file: the others would have no values of this run")]
    Grown { name: String, saved: u64, found: usize },
    #[error("`{name}` has {found} elements here and {saved} in the state file: its size depends on a variable that has changed since its procedure was called; pass the size as an argument, or do not change that variable before the procedure returns")]
    OtherSize { name: String, saved: u64, found: usize },
    #[error("`{name}` is an array of {found} here and of {saved} in the state file: its shape depends on a variable that has changed since its procedure or its BLOCK was entered; do not change that variable before it ends")]
    OtherShape { name: String, saved: String, found: String },
    #[error("`{name}` is not at the same offset in the memory that it shares with other items as when the state file was written")]
    Moved { name: String },
    #[error("`{name}` does not directly follow the variable before it any more, and a saved pointer contains the address where one ends and the other begins: it is unknown to which of them it points")]
    Separated { name: String },
    #[error("`{name}` is now in the memory of `{other}`, with which it did not share memory when the state file was written: a pointer in its access path has changed since it was registered")]
    Overlaps { name: String, other: String },
    #[error(
        "`{name}` shares memory with a variable that has not been registered yet: register that one first"
    )]
    TooEarly { name: String },
    #[error("the array of `{name}` has no memory here: allocate it before `init`, or in an `execute` block before the `register` directive")]
    NoStructures { name: String },
    #[error("`{name}` has {found} elements in each structure here, which do not fit the {saved} elements in the state file")]
    OtherField { name: String, saved: u64, found: usize },
    #[error("the access path of `{name}` contains a null pointer: register that pointer before `{name}`")]
    NullPath { name: String },
    #[error("`{name}` pointed to more memory than the variables that are registered there: the content of the rest is unknown")]
    Beyond { name: String },
    #[error("`{name}` is a null pointer here, but pointed to memory of the program when the state file was written")]
    NullParameter { name: String },
    #[error("`{name}` {what}")]
    Followed { name: String, what: &'static str },
    #[error("the state file has {names}, which the program did not register in the restart")]
    NotRecovered { names: String },
    #[error("the state file has no content for `{name}`")]
    NoContent { name: String },
    #[error("`{name}` is of a derived type with components in memory of their own, and was saved on a machine of a different architecture: such a state is restored only on machines of the same architecture")]
    Architecture { name: String },
    #[error("the graph in the state file cannot be restored: {what}")]
    Graph { what: String },
    #[error("a pointer in `{name}` pointed to {what}, which this program does not have")]
    LostSymbol { name: String, what: String },
    #[error("the argument `{name}` of a call pointed to {what}, which this program does not have")]
    InProgram { name: String, what: String },
    #[error("{0}")]
    Conversion(#[from] ConversionError),
    #[error("{0}")]
    Unreadable(#[from] VerifyError),
}
