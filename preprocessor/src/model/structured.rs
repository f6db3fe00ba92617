//! The part of the model for a language whose constructs can be entered only through their headers, and whose
//! declarations come first: Fortran.
//!
//! Output: constructs with their parts, and the positions for generated text in a procedure.
//! Postcondition: spans are bytes of the main file. The span of a statement begins with its first character
//! (its construct name, if it has one, but not its label) and ends with its last, including continuation
//! lines.

use std::collections::BTreeSet;
use std::sync::Arc;

use cppc_source::Span;

pub use crate::bind::fortran::items::{
    ReachedPart, ReachedPartKind, ReachedType, ReachedTypes, RootForm, TypeName,
};

use super::{Expression, Item, Pattern, Statement, TypeCode};

/// The positions for generated text in a procedure, and the names and labels that are in use.
#[derive(Debug, Clone)]
pub struct Layout {
    /// The first byte of the line before which declarations are inserted: after the last declaration, before
    /// statement functions and executable statements.
    pub declarations_at: u32,
    /// The first byte of the line before which the frame is opened: that of the first executable statement or
    /// directive.
    pub execution_at: u32,
    /// The statement that ends the executable part (`END` or `CONTAINS`), without its label.
    pub end: Span,
    pub end_label: Option<StatementLabel>,
    /// Labels of the procedure.
    pub labels: BTreeSet<u32>,
    /// Every name of the file, in lower case.
    pub names: BTreeSet<String>,
    /// Keywords are written in upper case there.
    pub capitals: bool,
    /// `ENTRY` statements.
    pub entries: Vec<Span>,
    /// `PURE` or `ELEMENTAL`. Such a procedure cannot call the runtime.
    pub pure: Option<Span>,
    /// It has dummy arguments `*`.
    pub alternate_returns: bool,
    /// `IMPLICIT NONE (EXTERNAL)`: every called procedure must be declared.
    pub declares_externals: bool,
    /// The variable that contains the result of a function.
    pub result_variable: Option<String>,
    /// The variables that must be re-passed before a checkpoint, because they may have been registered here
    /// or elsewhere: dummy arguments, and variables of hosts, modules, COMMON blocks and SAVE.
    pub repassed: Vec<RepassedVariable>,
    /// The types that polymorphic variables may have, if the procedure contains `init`.
    pub dynamic_types: Option<Arc<ReachedTypes>>,
    /// The first statement, if declarations cannot be inserted before it.
    pub included_first: Option<Span>,
    /// The position for generated contained procedures. `None` if the source itself has no suitable position.
    pub contained: Option<Contained>,
}

/// The position for contained procedures that the procedure can call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Contained {
    /// After its own exit: it contains no procedures yet and is not contained in another.
    Own,
    /// Before the statement at this offset: the `END` of the outermost enclosing unit that has a `CONTAINS`.
    /// If that unit is a module, the names must be unique in the program.
    Before { at: u32, module: Option<String> },
}

/// A variable that must be in memory at a checkpoint, and not only in a processor register.
#[derive(Debug, Clone)]
pub struct RepassedVariable {
    pub item: Item,
    /// The bytes where its name refers to it.
    pub scope: Span,
    /// The procedure can move its memory, and the register may remain when the procedure returns.
    pub is_left: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StatementLabel {
    pub value: u32,
    pub span: Span,
}

/// How a variable is passed and accessed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct VariableProperties {
    /// The type of its memory has qualifiers. An argument of type `void *` does not accept it.
    pub qualified: bool,
    /// A dummy argument that may be absent.
    pub optional: bool,
    /// A dummy argument whose last extent is not known: `a(*)`.
    pub assumed_size: bool,
    /// Its elements may not be contiguous: an assumed-shape dummy argument, or a pointer.
    pub gaps: bool,
    /// A pointer, tested with `ASSOCIATED`. Everything else that moves is tested with `ALLOCATED`.
    pub pointer: bool,
    /// It must not be modified: `INTENT(IN)`.
    pub read_only: bool,
    /// For an array of a derived type: its first element, `p(lbound(p, 1))`.
    pub first_element: Option<String>,
    /// For a character variable: its length in bytes, as an expression.
    pub length: Option<String>,
    /// The source keeps to a standard before Fortran 2018.
    pub old_standard: bool,
    /// A dummy argument that its procedure does not register (Fortran). A register of the same name is that of another variable.
    pub unregistered: bool,
    /// The allocatables on its access path, by the number of their parts: 2 for `x%y` in `x%y(3)%z` (Fortran).
    pub holders: Vec<u32>,
    /// Its memory may be reached without its name: its address is taken, or an EQUIVALENCE statement names it.
    pub shares_memory: bool,
    /// The integer variable that selects the member, for a union (C).
    pub selector: Option<MemberSelector>,
    /// Each thread has its own variable of this name.
    pub thread_local: bool,
    /// A dummy argument, or a part of one (Fortran).
    pub dummy: bool,
    /// For a static variable whose procedure may register it after the end of a restart: a name that is unique in the
    /// program. Planning decides this.
    pub deferred: Option<String>,
}

/// The integer variable that selects the valid member of a union.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MemberSelector {
    pub place: String,
    /// Its type: `CPPC_INT`.
    pub code: &'static str,
    /// The type has qualifiers. An argument of type `void *` does not accept its address.
    pub is_qualified: bool,
}

/// What a variable of a derived type contains besides its own elements. Each element has all of the parts.
#[derive(Debug, Clone)]
pub struct Tree {
    /// Its content is a part of that of the item that contains it: an array within a structure.
    pub is_inside: bool,
    /// How many subscripts its designator contains. Those of its own elements follow.
    pub level: u32,
    pub rank: u32,
    /// Distinguishes derived types.
    pub type_id: u32,
    pub parts: Vec<Item>,
    /// Its elements are nodes: they are visited after everything else. Its parts are those of this kind of nodes.
    pub later: Option<u32>,
    /// Of a root: the kinds of its nodes, which are numbered from 1.
    pub nodes: Vec<NodeKind>,
}

/// The nodes of one recursive type and one rank.
#[derive(Debug, Clone)]
pub struct NodeKind {
    /// A pointer to the node. Its tree contains the parts.
    pub item: Item,
    /// The name of the type.
    pub type_name: String,
    /// The module from which the name is taken. None if it is visible.
    pub module: Option<String>,
}

impl Item {
    /// With other designators, also of its parts.
    pub fn with_designators(&self, change: &impl Fn(&str) -> String) -> Item {
        let tree = self.tree.as_ref().map(|tree| {
            let parts = tree.parts.iter().map(|part| part.with_designators(change)).collect();
            Arc::new(Tree { parts, ..Tree::clone(tree) })
        });
        let mut item = Item { lvalue: change(&self.lvalue), tree, ..self.clone() };
        item.traits.first_element = self.traits.first_element.as_deref().map(change);
        item
    }
}

/// Statements inside headers.
#[derive(Debug)]
pub struct Construct {
    pub name: Option<String>,
    pub kind: ConstructKind,
    pub parts: Vec<Part>,
    /// `END IF`, `END DO`, without the label. `None` for a loop that ends with a labelled statement.
    pub end: Option<Span>,
    /// `DO 10 …`: the label of the last statement, and its position in the header.
    pub terminal: Option<StatementLabel>,
}

#[derive(Debug)]
pub enum ConstructKind {
    /// Parts with conditions. The last may have none (`ELSE`).
    If,
    /// Parts with cases, except the default. The first part is empty and has the header.
    Select {
        selector: Expression,
    },
    Counted(Box<Counted>),
    /// `DO WHILE`; one part.
    While {
        condition: Expression,
    },
    /// `DO`; one part.
    Forever,
    /// One part that is entered through its unchanged header: `BLOCK`, `ASSOCIATE` with names.
    Scope,
    /// `SELECT TYPE` of a variable that is at the same address in a restart. The first part is empty and has the header.
    Types {
        /// The variable, if its parts know it by its own name.
        variable: Option<String>,
    },
    /// A construct that a restart cannot enter.
    Closed {
        kind: ClosedKind,
        expressions: Vec<Expression>,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ClosedKind {
    /// With a name that is not a variable at a fixed address.
    Associate,
    ChangeTeam,
    Critical,
    DoConcurrent,
    Forall,
    SelectRank,
    SelectType,
    Where,
}

impl std::fmt::Display for ClosedKind {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        f.write_str(match self {
            ClosedKind::Associate => "associate",
            ClosedKind::ChangeTeam => "change team",
            ClosedKind::Critical => "critical",
            ClosedKind::DoConcurrent => "do concurrent",
            ClosedKind::Forall => "forall",
            ClosedKind::SelectRank => "select rank",
            ClosedKind::SelectType => "select type",
            ClosedKind::Where => "where",
        })
    }
}

/// The control of a counted loop.
#[derive(Debug)]
pub struct Counted {
    /// The variable as written.
    pub variable: String,
    pub variable_span: Span,
    /// `CPPC_INTEGER_4`. `None` if it is not an integer; a restart cannot enter such a loop.
    pub code: Option<TypeCode>,
    /// How a variable of its type is declared. `None` if its type is not intrinsic.
    pub pattern: Option<Pattern>,
    pub start: Expression,
    pub end: Expression,
    pub step: Option<Expression>,
}

#[derive(Debug)]
pub struct Part {
    /// The header's statement; `IF (…) THEN`, `ELSE IF (…) THEN`, `CASE (…)`, `DO …`.
    pub header: Span,
    pub label: Option<StatementLabel>,
    /// The condition of `IF` and `ELSE IF`.
    pub condition: Option<Expression>,
    /// The text in the parentheses of `CASE (…)`, including the parentheses. `None` for `CASE DEFAULT`.
    pub cases: Option<Span>,
    /// The first byte of the line of its first executable statement if declarations precede it (`BLOCK`).
    /// `None` if executable statements directly follow the header.
    pub execution_at: Option<u32>,
    pub items: Vec<Statement>,
}

impl Construct {
    /// True if its statements may run more than once.
    pub fn repeats(&self) -> bool {
        match self.kind {
            ConstructKind::Counted(_) | ConstructKind::While { .. } | ConstructKind::Forever => true,
            ConstructKind::If
            | ConstructKind::Select { .. }
            | ConstructKind::Scope
            | ConstructKind::Types { .. } => false,
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
            ConstructKind::If
            | ConstructKind::Forever
            | ConstructKind::Scope
            | ConstructKind::Types { .. } => Vec::new(),
        };
        list.extend(self.parts.iter().filter_map(|part| part.condition.as_ref()));
        list
    }
}
