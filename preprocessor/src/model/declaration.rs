//! Declarations: the expressions that they evaluate, and the effects that are missing if a restart jumps over
//! them.

use cppc_source::Span;

use super::{Expression, Item, ValueType, VariableId};

#[derive(Debug)]
pub struct Declaration {
    /// The words before the first declarator. They are written again if the declaration is split.
    pub specifiers: Option<Span>,
    /// The specifiers define a structure or an enumeration, which cannot be defined twice.
    pub defines_type: bool,
    /// The span of the whole declaration, including its `;`.
    pub place: Option<Span>,
    pub declarators: Vec<Declarator>,
    /// The word `auto` or `register`.
    pub storage_word: Option<Span>,
    /// The words that make its variables constant, if they can be removed.
    pub constant_words: Option<Vec<Span>>,
    /// How its constants get their values after a restart. Planning decides this.
    pub constant_storage: Option<ConstantStorage>,
}

/// How the constants of a declaration that a restart jumps over get their values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConstantStorage {
    /// They become static.
    Static,
    /// They become variables, which are registered directly after the declaration.
    Registered,
}

/// An automatic variable to which only its initialiser gives a value.
#[derive(Debug)]
pub struct Constant {
    pub name: String,
    pub variable: VariableId,
    /// It could be assigned to, but nothing does that.
    pub is_variable: bool,
    pub name_span: Span,
    /// The bytes where its name refers to it.
    pub scope: Span,
    /// A static variable could have the same initialiser.
    pub is_known: bool,
    /// The item to register. `None` if its type gives too little information.
    pub item: Option<Item>,
    /// The type of a saved copy of its value.
    pub saved_type: Option<ValueType>,
    /// The offsets at which it is named. `None` if it may be read through its address.
    pub reads: Option<Vec<u32>>,
}

/// An automatic variable with an initialiser, which is not constant.
#[derive(Debug, Clone, Copy)]
pub struct Initialised {
    pub variable: VariableId,
    pub name_span: Span,
}

#[derive(Debug)]
pub struct Declarator {
    pub place: Option<Span>,
    /// The comma before it, from the end of the previous declarator.
    pub separator: Option<Span>,
    /// The expressions of its array sizes and its initialiser, in the order of evaluation.
    pub expressions: Vec<Expression>,
    /// Its type depends on values, so a jump must not enter its scope.
    pub variable_length: Option<VariableLength>,
    /// The compiler calls a function at the end of its scope (`cleanup`), so a jump must not leave the scope.
    pub cleanup: Option<Cleanup>,
    pub constant: Option<Constant>,
    pub initialised: Option<Initialised>,
}

#[derive(Debug, Clone)]
pub struct Cleanup {
    pub name: String,
    pub name_span: Span,
}

#[derive(Debug, Clone)]
pub struct VariableLength {
    pub name: String,
    pub name_span: Span,
    /// The sizes depend only on parameters and constants.
    pub from_parameters: bool,
}
