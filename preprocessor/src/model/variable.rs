//! The variables of a procedure.

use cppc_source::Span;

use super::ValueType;

/// A name that a procedure declares: parameter, variable, and what else may hide one.
#[derive(Debug, Clone)]
pub struct Variable {
    pub name: String,
    /// Bytes where its name means it, but for inner variables of the same name.
    pub scope: Span,
    pub parameter: bool,
    /// The translation makes it static: its value never changes.
    pub is_static: bool,
    /// Set when it can live in the record of saved values: an automatic scalar or pointer whose
    /// address nobody takes.
    pub saved_type: Option<ValueType>,
    /// The word `register` of its declaration.
    pub register_word: Option<Span>,
    /// The bytes at which it gets a value, or at which somebody gets its address (C).
    pub set_at: Vec<u32>,
    /// Of a parameter: the bytes at which it is named; none when some of them are not in the main file (C).
    pub named_at: Option<Vec<u32>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VariableId(pub usize);

/// A place where the name of a variable is used.
#[derive(Debug, Clone, Copy)]
pub struct Mention {
    pub variable: VariableId,
    pub span: Span,
    pub usage: Usage,
    /// The byte at which it takes effect. If text comes from a macro, the token decides.
    pub order: (u32, u32),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Usage {
    /// The value of the variable, or of a part of it, is needed.
    Read,
    /// The variable gets a value, or may get one: an assignment, a procedure with its address.
    Set,
}
