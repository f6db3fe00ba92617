//! What the model knows besides of a language whose constructs can only be entered through their
//! headers, and whose declarations come first: Fortran.
//!
//! In: nothing; these are types. Out: constructs with their parts, and where generated text goes in a
//! procedure. Holds afterwards: spans are bytes of the main file; a statement's span begins with its
//! first character (its construct name, if it has one, but not its label) and ends with its last,
//! continuation lines included.

use std::collections::BTreeSet;

use cppc_source::Span;

use super::{Expression, Item, Pattern, Statement, TypeCode};

/// Where generated text goes in a procedure, and which names and labels are taken.
#[derive(Debug, Clone)]
pub struct Layout {
    /// The first byte of the line before which declarations go: behind the last declaration, before
    /// statement functions and what is executable.
    pub declarations_at: u32,
    /// The first byte of the line before which the frame is opened: that of the first executable statement or
    /// directive.
    pub execution_at: u32,
    /// The statement that ends the executable part (`END`, or `CONTAINS`), label left out.
    pub end: Span,
    pub end_label: Option<StatementLabel>,
    /// Labels of the procedure.
    pub labels: BTreeSet<u32>,
    /// Every name of the file, in lower case.
    pub names: BTreeSet<String>,
    /// Keywords are written in capitals there.
    pub capitals: bool,
    /// `ENTRY` statements.
    pub entries: Vec<Span>,
    /// `PURE`, `ELEMENTAL`: such a procedure cannot call the runtime.
    pub pure: Option<Span>,
    /// It has dummy arguments `*`.
    pub alternate_returns: bool,
    /// `IMPLICIT NONE (EXTERNAL)`: every procedure that is called has to be declared.
    pub declares_externals: bool,
    /// The variable that holds a function's result.
    pub result_variable: Option<String>,
    /// What has to be named again before a checkpoint because it may have been registered, here or
    /// elsewhere: dummy arguments, and variables of hosts, modules, COMMON blocks and SAVE.
    pub kept: Vec<Kept>,
    /// Where procedures of ours can be contained; none when no place of the source's own is known.
    pub contained: Option<Contained>,
}

/// Where contained procedures go that the procedure can call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Contained {
    /// Behind its own exit: it contains none yet, and stands in nothing.
    Own,
    /// Before the statement at this byte: the `END` of the outermost unit around it that has a `CONTAINS`. Names there
    /// must be unique in the program when it is a module.
    Before { at: u32, module: Option<String> },
}

/// A variable that the compiler must have in memory at a checkpoint.
#[derive(Debug, Clone)]
pub struct Kept {
    pub item: Item,
    /// Bytes where its name means it.
    pub scope: Span,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StatementLabel {
    pub value: u32,
    pub span: Span,
}

/// How a variable is passed and reached.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Traits {
    /// The type of its place has qualifiers, which an argument of type `void *` does not take.
    pub qualified: bool,
    /// A dummy argument that may be absent.
    pub optional: bool,
    /// Its elements may not stand one behind the other: an assumed-shape dummy argument, a pointer.
    pub gaps: bool,
    /// A pointer: `ASSOCIATED` asks for it; of what moves, everything else is asked by `ALLOCATED`.
    pub pointer: bool,
    /// It must not be written to: `INTENT(IN)`.
    pub read_only: bool,
    /// Of an array of a derived type: its first element, `p(lbound(p, 1))`.
    pub first_element: Option<String>,
    /// Of a character variable: its length in bytes, as an expression.
    pub length: Option<String>,
}

/// Statements with headers around them.
#[derive(Debug)]
pub struct Construct {
    pub name: Option<String>,
    pub kind: ConstructKind,
    pub parts: Vec<Part>,
    /// `END IF`, `END DO`, label left out; none for a loop that ends with a labelled statement.
    pub end: Option<Span>,
    /// `DO 10 …`: the label of the last statement, and where the header names it.
    pub terminal: Option<StatementLabel>,
}

#[derive(Debug)]
pub enum ConstructKind {
    /// Parts with conditions; the last may have none (`ELSE`).
    If,
    /// Parts with cases, but for the default; the first part is empty and has the header.
    Select { selector: Expression },
    Counted(Box<Counted>),
    /// `DO WHILE`; one part.
    While { condition: Expression },
    /// `DO`; one part.
    Forever,
    /// One part that is entered by its header as it is: `BLOCK`, `ASSOCIATE` with names.
    Scope,
    /// No restart can enter it: `WHERE`, `DO CONCURRENT`, `SELECT TYPE`, …; the word names it.
    Closed { word: String, expressions: Vec<Expression> },
}

/// The control of a counted loop.
#[derive(Debug)]
pub struct Counted {
    /// As it is written.
    pub variable: String,
    pub variable_span: Span,
    /// `CPPC_INTEGER_4`; none when it is no integer, which a restart cannot enter.
    pub code: Option<TypeCode>,
    /// The declaration of a variable of its type.
    pub pattern: Pattern,
    pub start: Expression,
    pub end: Expression,
    pub step: Option<Expression>,
}

#[derive(Debug)]
pub struct Part {
    /// The header's statement; `IF (…) THEN`, `ELSE IF (…) THEN`, `CASE (…)`, `DO …`.
    pub header: Span,
    pub label: Option<StatementLabel>,
    /// Of `IF` and `ELSE IF`.
    pub condition: Option<Expression>,
    /// What stands in the parentheses of `CASE (…)`, parentheses included; none for `CASE DEFAULT`.
    pub cases: Option<Span>,
    /// The first byte of the line of its first executable statement when declarations stand before it (`BLOCK`); none
    /// when executable statements come right behind the header.
    pub execution_at: Option<u32>,
    pub items: Vec<Statement>,
}

impl Construct {
    /// Whether its statements may run more than once.
    pub fn repeats(&self) -> bool {
        match self.kind {
            ConstructKind::Counted(_) | ConstructKind::While { .. } | ConstructKind::Forever => true,
            ConstructKind::If | ConstructKind::Select { .. } | ConstructKind::Scope => false,
            ConstructKind::Closed { .. } => true,
        }
    }

    /// The expressions of its headers, in text order.
    pub fn expressions(&self) -> Vec<&Expression> {
        let mut list: Vec<&Expression> = match &self.kind {
            ConstructKind::Select { selector } => vec![selector],
            ConstructKind::Counted(counted) => {
                [&counted.start, &counted.end].into_iter().chain(&counted.step).collect()
            }
            ConstructKind::While { condition } => vec![condition],
            ConstructKind::Closed { expressions, .. } => expressions.iter().collect(),
            ConstructKind::If | ConstructKind::Forever | ConstructKind::Scope => Vec::new(),
        };
        list.extend(self.parts.iter().filter_map(|part| part.condition.as_ref()));
        list
    }
}
