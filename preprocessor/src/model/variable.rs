//! The variables of a procedure.

use cppc_source::Span;

use super::{TypeCode, ValueType};

/// A name that a procedure declares: a parameter, a variable, or another name that may hide one.
#[derive(Debug, Clone)]
pub struct Variable {
    pub name: String,
    /// The bytes in which its name refers to it, except where an inner variable has the same name.
    pub scope: Span,
    pub parameter: bool,
    /// The translation makes it static: its value never changes.
    pub is_static: bool,
    /// Set if it can have a saved copy: it is an automatic scalar or pointer, and its address is never taken.
    pub saved_type: Option<ValueType>,
    /// The word `register` of its declaration.
    pub register_word: Option<Span>,
    /// The bytes at which it is set, or at which its address is taken (C).
    pub set_at: Vec<u32>,
    /// For a parameter: the bytes at which it is named. `None` if some of them are not in the main file (C).
    pub named_at: Option<Vec<u32>>,
}

impl Variable {
    /// The name of its register if it is static, which no other variable of the program has.
    /// `variant` distinguishes objects that are compiled from one source.
    pub fn static_name(&self, procedure: &str, variant: &str) -> String {
        format!("{procedure}%{}{variant}", self.name)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VariableId(pub usize);

/// A place where the name of a variable is used.
#[derive(Debug, Clone, Copy)]
pub struct Mention {
    pub variable: VariableId,
    pub span: Span,
    pub usage: Usage,
    /// The byte at which it takes effect, and the token. The token determines the order of text that comes
    /// from one macro.
    pub order: (u32, u32),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Usage {
    /// The value of the variable, or of a part of it, is needed.
    Read,
    /// The variable is set, or may be set: an assignment, or a call with its address.
    Set,
}

/// A restart computes a size again, and needs the same value for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SizeVariable {
    /// As an expression: `width`, `grid%n`.
    pub name: String,
    /// Only in Fortran.
    pub code: Option<TypeCode>,
}
