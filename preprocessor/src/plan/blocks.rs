//! The kinds of blocks.
//!
//! Input: the blocks of a procedure, in text order.
//! Output: their text for `--dump=plan` and for the fingerprint.
//! Postcondition: the text of a block never changes. Otherwise the state of running programs could not be resumed.

use std::fmt;

use crate::model::Callee;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BlockKind {
    Init,
    /// The names of the registers.
    Register(Vec<String>),
    /// The names of the captures, and the handles of the files that it opens.
    Execute {
        captures: Vec<String>,
        handles: Vec<String>,
    },
    Checkpoint,
    Call(Callee),
}

impl fmt::Display for BlockKind {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            BlockKind::Init => f.write_str("init"),
            BlockKind::Register(names) => write!(f, "register {}", names.join(" ")),
            BlockKind::Execute { captures, handles } => {
                let handles = handles.iter().map(|handle| format!("file {handle}"));
                let words: Vec<String> = captures.iter().cloned().chain(handles).collect();
                write!(f, "execute {}", words.join(" "))
            }
            BlockKind::Checkpoint => f.write_str("checkpoint"),
            BlockKind::Call(callee) => write!(f, "call {}", callee_text(callee)),
        }
    }
}

/// The text that names a called procedure in `--dump=plan`.
pub(super) fn callee_text(callee: &Callee) -> String {
    match callee {
        Callee::Named(name) => format!("`{name}`"),
        Callee::Pointer(_) => "procedure through a pointer".to_owned(),
    }
}
