//! The description in a state file of a file that an execute block opens.
//!
//! Input: the handle and the file at a checkpoint.
//! Output: what a restart restores.
//! Postcondition: the description is the same on all machines. Names are those of the program, lengths are in
//! bytes.

use std::fmt;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenFile {
    /// The name that the program used, before the block ran.
    pub name: String,
    pub handle: Handle,
    pub condition: Condition,
    pub access: Access,
    pub before: Before,
    /// Whether the program has reached the end of the file.
    pub is_at_end: bool,
    /// Whether the program has been seen to write the file again from its start. It may then be shorter at a
    /// restart without a loss. Of a file that is open for reading: whether its block has written it.
    pub is_rewritten: bool,
    /// These two have no meaning for a file that is left alone.
    pub length_bytes: u64,
    pub position_bytes: u64,
}

impl OpenFile {
    /// Whether the program or the block has written the file.
    pub fn is_written(&self) -> bool {
        self.access == Access::Writing || self.is_rewritten
    }
}

/// The kind of handle that the program has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Handle {
    /// A `FILE *`.
    Stream,
    Descriptor,
    /// A unit of Fortran.
    Unit,
}

/// The condition of the file at the checkpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Condition {
    /// Not opened, or a file without a length, such as a terminal or a pipe.
    LeftAlone,
    Open,
    /// Closed, and it still exists under its name.
    Closed,
    /// Closed, and it no longer exists under its name.
    Gone,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    Reading,
    /// For writing, or for both.
    Writing,
}

/// What the block found when it opened the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Before {
    Missing,
    /// The file existed, and the block has truncated it or cannot read it.
    Emptied,
    /// The file existed, and the block may have read from it.
    Kept,
}

/// For example: `out.dat`, written, at byte 120 of 300
impl fmt::Display for OpenFile {
    fn fmt(&self, text: &mut fmt::Formatter) -> fmt::Result {
        let (position, length) = (self.position_bytes, self.length_bytes);
        let verb = match self.access {
            Access::Reading => "read",
            Access::Writing => "written",
        };
        write!(text, "`{}`", self.name)?;
        match self.condition {
            Condition::LeftAlone => write!(text, ", left alone"),
            Condition::Open => write!(text, ", {verb}, at byte {position} of {length}"),
            Condition::Closed => write!(text, ", {verb}, closed with {length} bytes"),
            Condition::Gone => write!(text, ", {verb}, closed and gone"),
        }
    }
}
