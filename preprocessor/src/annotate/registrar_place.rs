//! Where a procedure goes that only registers static data.
//!
//! Input: a variable, and a procedure that can name it.
//! Output: the place.
//! Postcondition: the variable is visible in the whole place.

use cppc_source::Span;

/// The link name of each such procedure begins so. Calls of both languages are possible with it.
pub const PREFIX: &str = "cppc_register_";

/// Where such a procedure goes.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum RegistrarPlace {
    /// At the end of the source of C that contains a procedure.
    Source { seen_in: Span },
    /// In the module of Fortran that declares a variable.
    Module { declared: Span },
    /// After the program units of a source, for a COMMON block.
    Common { seen_in: Span, block: String },
}

impl RegistrarPlace {
    pub fn span(&self) -> Span {
        match self {
            RegistrarPlace::Source { seen_in } | RegistrarPlace::Common { seen_in, .. } => *seen_in,
            RegistrarPlace::Module { declared } => *declared,
        }
    }
}
