//! Declarations: what they evaluate, and what a restart that jumps over them would miss.

use cppc_source::Span;

use super::{Expression, Item, ValueType};

#[derive(Debug)]
pub struct Declaration {
    /// The words before the first declarator, to be written again when it is split.
    pub specifiers: Option<Span>,
    /// The specifiers define a structure or an enumeration, which cannot be written twice.
    pub defines_type: bool,
    /// The whole declaration, with its `;`.
    pub place: Option<Span>,
    pub declarators: Vec<Declarator>,
    /// The word `auto` or `register`.
    pub storage_word: Option<Span>,
    /// The words that make its variables constant, if these can be taken out.
    pub constant_words: Option<Vec<Span>>,
    /// How its constants have their values after a restart; for planning to decide.
    pub kept: Option<Kept>,
}

/// How the constants of a declaration that a restart jumps over have their values after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    /// They become static.
    Static,
    /// They become variables, which are registered right behind the declaration.
    Registered,
}

/// An automatic variable that nothing can be assigned to: only its initialiser gives it a value.
#[derive(Debug)]
pub struct Constant {
    pub name: String,
    pub name_span: Span,
    /// Bytes where its name means it.
    pub scope: Span,
    /// A static variable could have its initialiser.
    pub is_known: bool,
    /// To be registered; none for a type that says too little.
    pub item: Option<Item>,
    /// The type of a slot for its value.
    pub saved_type: Option<ValueType>,
    /// Where it is named; none when it may be read through its address.
    pub reads: Option<Vec<u32>>,
}

#[derive(Debug)]
pub struct Declarator {
    pub place: Option<Span>,
    /// The comma before it, from the end of the previous declarator.
    pub separator: Option<Span>,
    /// Expressions of its array sizes and its initialiser, in the order of evaluation.
    pub expressions: Vec<Expression>,
    /// Its type depends on values: no jump may lead into its scope.
    pub variable_length: Option<VariableLength>,
    pub constant: Option<Constant>,
}

#[derive(Debug, Clone)]
pub struct VariableLength {
    pub name: String,
    pub name_span: Span,
    /// Sizes depend on parameters and constants only.
    pub from_parameters: bool,
}
