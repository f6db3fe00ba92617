//! A file that an execute block opens, as a state file tells of it.
//!
//! In: what the program's handle and the file were at a checkpoint. Out: what a restart makes of them
//! again. Holds afterwards: nothing here is of a machine: names are the program's, lengths are in bytes.

use std::fmt;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenFile {
    /// As the program gave it, before the block ran.
    pub name: String,
    pub handle: Handle,
    pub condition: Condition,
    pub access: Access,
    pub before: Before,
    /// The program has met the end of the file.
    pub is_at_end: bool,
    /// The program has been seen to write it anew: that it is shorter at a restart is no sign of a loss.
    pub is_rewritten: bool,
    /// None of these two mean anything for a file that is left alone.
    pub length_bytes: u64,
    pub position_bytes: u64,
}

/// What the program holds of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Handle {
    /// A `FILE *`.
    Stream,
    Descriptor,
    /// A unit of Fortran.
    Unit,
}

/// What there was at the checkpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Condition {
    /// Not opened, or nothing that has a length: a terminal, a pipe.
    LeftAlone,
    Open,
    /// Closed again, and still there under its name.
    Closed,
    /// Closed again, and no longer there under its name.
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
    /// It was there, and the block has emptied it or cannot read it.
    Emptied,
    /// It was there, and the block may have read from it.
    Kept,
}

/// `out.dat`, written, at byte 120 of 300
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
