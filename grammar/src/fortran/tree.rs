//! The tree of a Fortran source, with the details that binding and planning need.
//!
//! Postcondition: positions are ranges of logical lines. Names are in lower case and without blanks.

mod expression;

use super::logical::{At, Label, LineId};

pub use expression::{Argument, ArgumentKind, Expr, ExprKind, Literal, Operator};

/// A whole source.
#[derive(Debug, Default)]
pub struct Tree {
    /// In text order. Subprograms after `CONTAINS` are inside their hosts.
    pub units: Vec<Unit>,
    /// Directives outside of units, or in a part of a unit that has no statements: between contained
    /// procedures, in an interface.
    pub outside: Vec<Statement>,
    /// Lines that could not be parsed. Each has a diagnostic.
    pub unparsed: Vec<LineId>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// Lower case, without blanks.
    pub text: String,
    pub at: At,
}

/// A program unit or a subprogram.
#[derive(Debug)]
pub struct Unit {
    pub kind: UnitKind,
    /// `None` for a main program or block data without a name.
    pub name: Option<Name>,
    /// Its first statement. `None` for a main program that begins without `PROGRAM`.
    pub header: Option<LineId>,
    pub arguments: Vec<DummyArgument>,
    pub prefixes: Vec<Prefix>,
    /// `BIND(C, NAME='...')`: the name as written, or empty without one.
    pub bind: Option<String>,
    /// Declarations, up to the first executable statement.
    pub specification: Vec<Statement>,
    /// Executable statements and constructs. `FORMAT`, `DATA` and `ENTRY` may be among them.
    pub execution: Vec<Statement>,
    pub contains: Option<LineId>,
    pub contained: Vec<Unit>,
    /// Its `END`. `None` if the file ends too early.
    pub end: Option<LineId>,
    /// The label of its `END`.
    pub end_label: Option<Label>,
}

#[derive(Debug)]
pub enum UnitKind {
    Program,
    Subroutine,
    /// `result` is the name of the function unless `RESULT(...)` gives another.
    Function {
        result: Option<Name>,
    },
    Module,
    Submodule {
        ancestor: Name,
        parent: Option<Name>,
    },
    BlockData,
    /// `MODULE PROCEDURE name` with a body, in a submodule.
    ModuleProcedure,
}

impl UnitKind {
    /// The keywords that begin such a unit.
    pub fn keywords(&self) -> &'static str {
        match self {
            UnitKind::Program => "program",
            UnitKind::Subroutine => "subroutine",
            UnitKind::Function { .. } => "function",
            UnitKind::Module => "module",
            UnitKind::Submodule { .. } => "submodule",
            UnitKind::BlockData => "block data",
            UnitKind::ModuleProcedure => "module procedure",
        }
    }
}

#[derive(Debug)]
pub enum DummyArgument {
    Name(Name),
    /// `*`: an alternate return.
    Star(At),
}

// There are few of these values and they are rarely moved, so the size does not matter.
#[allow(clippy::large_enum_variant)]
#[derive(Debug)]
pub enum Prefix {
    Type(TypeSpec),
    Recursive,
    NonRecursive,
    Pure,
    Impure,
    Elemental,
    Module,
}

#[derive(Debug)]
pub struct Statement {
    pub line: LineId,
    pub label: Option<Label>,
    /// The text of the statement without label and construct name. For a construct: its header.
    pub at: At,
    pub kind: StatementKind,
}

#[derive(Debug)]
pub enum StatementKind {
    // Specification.
    TypeDeclaration {
        spec: TypeSpec,
        attributes: Vec<Attribute>,
        entities: Vec<Entity>,
    },
    /// `None` for `IMPLICIT NONE`.
    Implicit(Option<Vec<ImplicitRule>>),
    Parameter(Vec<(Name, Expr)>),
    /// `DIMENSION a(10)`, `ALLOCATABLE :: a(:)`, `POINTER`, `TARGET`, `SAVE x`, `EXTERNAL`, `INTENT(IN)`, …
    /// The list is empty for `SAVE` alone.
    Attributes {
        attribute: Attribute,
        entities: Vec<Entity>,
    },
    Common(Vec<CommonBlock>),
    Equivalence(Vec<Vec<Expr>>),
    Namelist(Vec<(Name, Vec<Name>)>),
    /// The variables that get values, with repetitions.
    Data(Vec<Name>),
    Use(Use),
    Import,
    DerivedType(DerivedType),
    Interface(Interface),
    Enumeration {
        enumerators: Vec<(Name, Option<Expr>)>,
    },
    /// `PROCEDURE(interface), attributes :: names`
    /// `targets` are the procedures that pointers among the names point to at first.
    ProcedureDeclaration {
        interface: Option<Name>,
        attributes: Vec<Attribute>,
        names: Vec<Name>,
        targets: Vec<Name>,
    },
    /// `PUBLIC`, `PRIVATE`, with names or for all names.
    Access {
        private: bool,
        names: Vec<Name>,
    },
    Entry {
        name: Name,
        arguments: Vec<DummyArgument>,
        result: Option<Name>,
    },
    Format,
    /// Accepted and ignored: statements such as `CONTIGUOUS`, of which nothing is needed, and old extensions.
    OtherSpecification,

    // Execution. An assignment in the specification part is a statement function.
    Assignment {
        target: Expr,
        value: Expr,
    },
    PointerAssignment {
        target: Expr,
        value: Expr,
    },
    Call {
        procedure: Expr,
        arguments: Vec<Argument>,
    },
    Goto(LabelUse),
    ComputedGoto {
        labels: Vec<LabelUse>,
        selector: Expr,
    },
    AssignedGoto {
        variable: Name,
        labels: Vec<LabelUse>,
    },
    AssignLabel {
        label: LabelUse,
        variable: Name,
    },
    ArithmeticIf {
        value: Expr,
        labels: Vec<LabelUse>,
    },
    /// `IF (condition) action`
    LogicalIf {
        condition: Expr,
        action: Box<Statement>,
    },
    Return(Option<Expr>),
    /// `STOP`, `ERROR STOP`, `FAIL IMAGE`.
    Stop(Option<Expr>),
    /// `PAUSE`.
    Pause,
    Continue,
    Cycle(Option<Name>),
    Exit(Option<Name>),
    /// `READ`, `WRITE`, `PRINT`, `OPEN`, `CLOSE`, `INQUIRE`, `BACKSPACE`, …
    Io {
        keyword: String,
        controls: Vec<Argument>,
        items: Vec<Expr>,
    },
    Allocate {
        objects: Vec<Expr>,
        options: Vec<Argument>,
    },
    Deallocate {
        objects: Vec<Expr>,
        options: Vec<Argument>,
    },
    Nullify(Vec<Expr>),
    /// `WHERE (mask) assignment`, `FORALL (...) assignment`. A restart cannot enter it, and calls cannot be
    /// taken out of it.
    Masked {
        keyword: String,
        expressions: Vec<Expr>,
        action: Option<Box<Statement>>,
    },
    /// Executable statements of which only the expressions matter: `EVENT POST`, `SYNC ALL`, `LOCK`, old
    /// `NAMELIST` I/O, …
    OtherExecutable {
        expressions: Vec<Expr>,
    },

    Construct(Construct),
    /// A CPPC directive. Its text is in the line.
    Directive,
    /// A statement that could not be parsed.
    Unknown,
}

#[derive(Debug)]
pub struct LabelUse {
    pub value: u32,
    pub at: At,
}

#[derive(Debug)]
pub struct Construct {
    pub name: Option<Name>,
    pub kind: ConstructKind,
    /// In text order. The first part has the header of the construct.
    pub parts: Vec<Part>,
    pub end: ConstructEnd,
}

// There are few of these values and they are rarely moved, so the size does not matter.
#[allow(clippy::large_enum_variant)]
#[derive(Debug)]
pub enum ConstructKind {
    /// Parts: `IF (c) THEN`, `ELSE IF (c) THEN`, `ELSE`.
    If,
    /// `SELECT CASE (selector)`. The first part is the text before the first `CASE` and is empty.
    SelectCase {
        selector: Expr,
    },
    /// One part.
    Do(DoControl),
    /// One part, in which specification statements precede the others.
    Block,
    Associate {
        associations: Vec<(Name, Expr)>,
    },
    SelectType {
        selector: Expr,
        associate: Option<Name>,
    },
    SelectRank {
        selector: Expr,
        associate: Option<Name>,
    },
    /// `WHERE`, `FORALL`.
    Masked {
        keyword: String,
        expressions: Vec<Expr>,
    },
    Critical,
    ChangeTeam {
        expressions: Vec<Expr>,
    },
}

#[derive(Debug)]
pub struct DoControl {
    /// `DO 10 I = …`: the label of the last statement.
    pub label: Option<LabelUse>,
    pub kind: DoKind,
}

// There are few of these values and they are rarely moved, so the size does not matter.
#[allow(clippy::large_enum_variant)]
#[derive(Debug)]
pub enum DoKind {
    Counted {
        variable: Name,
        start: Expr,
        end: Expr,
        step: Option<Expr>,
    },
    While(Expr),
    /// `DO` … `END DO`
    Forever,
    Concurrent {
        expressions: Vec<Expr>,
    },
}

#[derive(Debug)]
pub struct Part {
    /// Its header: `IF (c) THEN`, `ELSE`, `CASE (1:3)`, `DO …`, `BLOCK`, …
    pub header: LineId,
    pub header_label: Option<Label>,
    /// The text of the header without construct name and label.
    pub header_at: At,
    /// The condition of `IF` and `ELSE IF`.
    pub condition: Option<Expr>,
    /// The cases of `CASE (…)`. `None` for `CASE DEFAULT` and all other constructs.
    pub cases: Option<Vec<Argument>>,
    pub statements: Vec<Statement>,
}

#[derive(Debug)]
pub enum ConstructEnd {
    /// `END IF`, `END DO`, …
    Statement { line: LineId, label: Option<Label> },
    /// The labelled statement that ends this `DO`. It belongs to the innermost loop that it ends, as its last
    /// statement. The loops around that one do not contain it.
    Shared { label: u32 },
    /// The file or unit ended first. There is a diagnostic.
    Missing,
}

#[derive(Debug)]
pub struct TypeSpec {
    pub at: At,
    pub base: BaseType,
    /// `*8`
    pub length_bytes: Option<Expr>,
    /// `(KIND=8)`, `(8)`
    pub kind: Option<Expr>,
    /// For `CHARACTER`: `*(*)`, `(LEN=:)`, `*8`, `(LEN=n)`.
    pub character_length: Option<CharacterLength>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BaseType {
    Integer,
    Real,
    DoublePrecision,
    Complex,
    DoubleComplex,
    Logical,
    Character,
    /// `BYTE`
    Byte,
    /// `TYPE(name)`, `RECORD /name/`
    Type(Name),
    /// `CLASS(name)`. `None` for `CLASS(*)`.
    Class(Option<Name>),
    /// `TYPE(*)`
    Assumed,
}

#[derive(Debug)]
pub enum CharacterLength {
    Expression(Expr),
    /// `*`
    Assumed,
    /// `:`
    Deferred,
}

#[derive(Debug)]
pub enum Attribute {
    Parameter,
    Dimension(Vec<Bound>),
    Allocatable,
    Pointer,
    Target,
    Intent {
        reads: bool,
        writes: bool,
    },
    Optional,
    Save,
    External,
    Intrinsic,
    Value,
    Volatile,
    Asynchronous,
    Contiguous,
    Protected,
    Public,
    Private,
    Bind,
    Codimension,
    /// A pointer or a pointee in `POINTER (p, a)`, which is no standard Fortran.
    CrayPointer,
    Other,
}

/// A declared name, with the text after it.
#[derive(Debug)]
pub struct Entity {
    pub name: Name,
    /// `SAVE /block/`: the name is that of a common block.
    pub is_block: bool,
    pub shape: Option<Vec<Bound>>,
    /// `a(:)[*]`
    pub is_coarray: bool,
    /// `a(10)*8`, `c*20`
    pub length: Option<CharacterLength>,
    pub initial: Option<Expr>,
    /// The whole entity.
    pub at: At,
}

/// One dimension as declared.
#[derive(Debug)]
pub enum Bound {
    /// `n`, `lower:n`
    Explicit { lower: Option<Expr>, upper: Expr },
    /// `*`, `lower:*`
    AssumedSize { lower: Option<Expr> },
    /// `:`, `lower:`
    AssumedShape { lower: Option<Expr> },
    /// `..`
    AssumedRank,
}

#[derive(Debug)]
pub struct ImplicitRule {
    pub spec: TypeSpec,
    /// Inclusive ranges of lower-case letters.
    pub letters: Vec<(u8, u8)>,
}

#[derive(Debug)]
pub struct CommonBlock {
    /// `None` for blank common.
    pub name: Option<Name>,
    pub members: Vec<Entity>,
}

#[derive(Debug)]
pub struct Use {
    pub module: Name,
    pub intrinsic: bool,
    /// `ONLY:`. A renamed item has its local name first. Operators and assignments are omitted.
    pub only: Option<Vec<Rename>>,
    /// Without `ONLY`: `local => theirs`.
    pub renames: Vec<Rename>,
}

#[derive(Debug)]
pub struct Rename {
    pub local: Name,
    pub theirs: Name,
}

#[derive(Debug)]
pub struct DerivedType {
    pub name: Name,
    pub extends: Option<Name>,
    pub is_abstract: bool,
    pub is_parameterized: bool,
    pub is_sequence: bool,
    pub bind: bool,
    /// Type declarations and procedure declarations of its components.
    pub components: Vec<Statement>,
    pub end: Option<LineId>,
}

#[derive(Debug)]
pub struct Interface {
    /// `None` for an interface of external procedures. Operators are spelled `operator(+)`.
    pub generic: Option<Name>,
    pub is_abstract: bool,
    /// Headers and declarations of procedures that are defined elsewhere.
    pub bodies: Vec<Unit>,
    /// `MODULE PROCEDURE a, b`
    pub procedures: Vec<Name>,
}

impl StatementKind {
    /// True if a declaration may follow it.
    pub fn declares(&self) -> bool {
        matches!(
            self,
            StatementKind::TypeDeclaration { .. }
                | StatementKind::Implicit(_)
                | StatementKind::Parameter(_)
                | StatementKind::Attributes { .. }
                | StatementKind::Common(_)
                | StatementKind::Equivalence(_)
                | StatementKind::Namelist(_)
                | StatementKind::Use(_)
                | StatementKind::Import
                | StatementKind::DerivedType(_)
                | StatementKind::Interface(_)
                | StatementKind::Enumeration { .. }
                | StatementKind::ProcedureDeclaration { .. }
                | StatementKind::Access { .. }
                | StatementKind::OtherSpecification
        )
    }
}
