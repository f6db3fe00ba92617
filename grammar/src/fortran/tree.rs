//! The tree of a Fortran source, as deep as binding and planning need it.
//!
//! In: nothing; these are the types that parsing fills. Out: program units with their statements,
//! constructs and expressions. Holds afterwards: positions are ranges of logical lines; names are in
//! lower case and without blanks.

use super::logical::{At, Label, LineId};

/// A whole source.
#[derive(Debug, Default)]
pub struct Tree {
    /// In text order; subprograms after `CONTAINS` stand inside their hosts.
    pub units: Vec<Unit>,
    /// Directives that stand in no unit, or in a part of one that has no statements: between contained
    /// procedures, in an interface.
    pub outside: Vec<Statement>,
    /// Lines that no grammar knows; each has a diagnostic.
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
    /// None for a main program or block data without a name.
    pub name: Option<Name>,
    /// Its first statement; none for a main program that begins without `PROGRAM`.
    pub header: Option<LineId>,
    pub arguments: Vec<DummyArgument>,
    pub prefixes: Vec<Prefix>,
    /// `BIND(C, NAME='...')`: the name as written, or empty without one.
    pub bind: Option<String>,
    /// Declarations, up to the first executable statement.
    pub specification: Vec<Statement>,
    /// Executable statements and constructs; `FORMAT`, `DATA` and `ENTRY` may stand among them.
    pub execution: Vec<Statement>,
    pub contains: Option<LineId>,
    pub contained: Vec<Unit>,
    /// Its `END`; none at a file's end that comes too early.
    pub end: Option<LineId>,
    /// The label of its `END`.
    pub end_label: Option<Label>,
}

#[derive(Debug)]
pub enum UnitKind {
    Program,
    Subroutine,
    /// `result` is its own name unless `RESULT(...)` says otherwise.
    Function { result: Option<Name> },
    Module,
    Submodule { ancestor: Name, parent: Option<Name> },
    BlockData,
    /// `MODULE PROCEDURE name` with a body, in a submodule.
    ModuleProcedure,
}

#[derive(Debug)]
pub enum DummyArgument {
    Name(Name),
    /// `*`: an alternate return.
    Star(At),
}

// Made once for each that is written: there are few, and none is moved often.
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
    /// The statement's text, label and construct name left out. Of a construct: its header.
    pub at: At,
    pub kind: StatementKind,
}

#[derive(Debug)]
pub enum StatementKind {
    // Specification.
    TypeDeclaration { spec: TypeSpec, attributes: Vec<Attribute>, entities: Vec<Entity> },
    /// None: `IMPLICIT NONE`.
    Implicit(Option<Vec<ImplicitRule>>),
    Parameter(Vec<(Name, Expr)>),
    /// `DIMENSION a(10)`, `ALLOCATABLE :: a(:)`, `POINTER`, `TARGET`, `SAVE x`, `EXTERNAL`, `INTENT(IN)`, …
    /// An empty list for `SAVE` alone.
    Attributes { attribute: Attribute, entities: Vec<Entity> },
    Common(Vec<CommonBlock>),
    Equivalence(Vec<Vec<Expr>>),
    Namelist(Vec<(Name, Vec<Name>)>),
    /// The variables that are given values, each once for each time it stands there.
    Data(Vec<Name>),
    Use(Use),
    Import,
    DerivedType(DerivedType),
    Interface(Interface),
    Enumeration { enumerators: Vec<(Name, Option<Expr>)> },
    /// `PROCEDURE(interface), attributes :: names`
    ProcedureDeclaration { interface: Option<Name>, attributes: Vec<Attribute>, names: Vec<Name> },
    /// `PUBLIC`, `PRIVATE`, with names or for all.
    Access { private: bool, names: Vec<Name> },
    Entry { name: Name, arguments: Vec<DummyArgument>, result: Option<Name> },
    Format,
    /// Allowed and of no concern: `CONTIGUOUS`-like statements we need nothing of, old extensions.
    OtherSpecification,

    // Execution. An assignment in the specification part is a statement function.
    Assignment { target: Expr, value: Expr },
    PointerAssignment { target: Expr, value: Expr },
    Call { procedure: Expr, arguments: Vec<Argument> },
    Goto(LabelUse),
    ComputedGoto { labels: Vec<LabelUse>, selector: Expr },
    AssignedGoto { variable: Name, labels: Vec<LabelUse> },
    AssignLabel { label: LabelUse, variable: Name },
    ArithmeticIf { value: Expr, labels: Vec<LabelUse> },
    /// `IF (condition) action`
    LogicalIf { condition: Expr, action: Box<Statement> },
    Return(Option<Expr>),
    /// `STOP`, `ERROR STOP`, `FAIL IMAGE`.
    Stop(Option<Expr>),
    /// `PAUSE`.
    Pause,
    Continue,
    Cycle(Option<Name>),
    Exit(Option<Name>),
    /// `READ`, `WRITE`, `PRINT`, `OPEN`, `CLOSE`, `INQUIRE`, `BACKSPACE`, …
    Io { keyword: String, controls: Vec<Argument>, items: Vec<Expr> },
    Allocate { objects: Vec<Expr>, options: Vec<Argument> },
    Deallocate { objects: Vec<Expr>, options: Vec<Argument> },
    Nullify(Vec<Expr>),
    /// `WHERE (mask) assignment`, `FORALL (...) assignment`: nothing in it can be entered or taken out.
    Masked { keyword: String, expressions: Vec<Expr>, action: Option<Box<Statement>> },
    /// Executable, of no concern but for what it evaluates: `EVENT POST`, `SYNC ALL`, `LOCK`, `NAMELIST` I/O of old, …
    OtherExecutable { expressions: Vec<Expr> },

    Construct(Construct),
    /// A directive of ours; the text is in the line.
    Directive,
    /// What no grammar knows.
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
    /// In text order; the first part has the construct's own header.
    pub parts: Vec<Part>,
    pub end: ConstructEnd,
}

// Made once for each that is written: there are few, and none is moved often.
#[allow(clippy::large_enum_variant)]
#[derive(Debug)]
pub enum ConstructKind {
    /// Parts: `IF (c) THEN`, `ELSE IF (c) THEN`, `ELSE`.
    If,
    /// `SELECT CASE (selector)`: the first part is what stands before the first `CASE` (empty).
    SelectCase { selector: Expr },
    /// One part.
    Do(DoControl),
    /// One part; specification statements stand in it before the others.
    Block,
    Associate { associations: Vec<(Name, Expr)> },
    SelectType { selector: Expr, associate: Option<Name> },
    SelectRank { selector: Expr, associate: Option<Name> },
    /// `WHERE`, `FORALL`.
    Masked { keyword: String, expressions: Vec<Expr> },
    Critical,
    ChangeTeam { expressions: Vec<Expr> },
}

#[derive(Debug)]
pub struct DoControl {
    /// `DO 10 I = …`: the label of the last statement.
    pub label: Option<LabelUse>,
    pub kind: DoKind,
}

// Made once for each that is written: there are few, and none is moved often.
#[allow(clippy::large_enum_variant)]
#[derive(Debug)]
pub enum DoKind {
    Counted { variable: Name, start: Expr, end: Expr, step: Option<Expr> },
    While(Expr),
    /// `DO` … `END DO`
    Forever,
    Concurrent { expressions: Vec<Expr> },
}

#[derive(Debug)]
pub struct Part {
    /// Its header: `IF (c) THEN`, `ELSE`, `CASE (1:3)`, `DO …`, `BLOCK`, …
    pub header: LineId,
    pub header_label: Option<Label>,
    /// The header's text, construct name and label left out.
    pub header_at: At,
    /// Of `IF` and `ELSE IF`.
    pub condition: Option<Expr>,
    /// Of `CASE (…)`; none for `CASE DEFAULT` and for all others.
    pub cases: Option<Vec<Argument>>,
    pub statements: Vec<Statement>,
}

#[derive(Debug)]
pub enum ConstructEnd {
    /// `END IF`, `END DO`, …
    Statement { line: LineId, label: Option<Label> },
    /// The labelled statement that ends this `DO`. It is the last statement of the innermost loop that it
    /// ends; of the loops around that one it is not a statement.
    Shared { label: u32 },
    /// The file or unit ended first; there is a diagnostic.
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
    /// Of `CHARACTER`: `*(*)`, `(LEN=:)`, `*8`, `(LEN=n)`.
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
    /// `CLASS(name)`; none: `CLASS(*)`
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
    Intent { reads: bool, writes: bool },
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
    Other,
}

/// A declared name, with what stands behind it.
#[derive(Debug)]
pub struct Entity {
    pub name: Name,
    /// `SAVE /block/`: the name is that of a common block.
    pub is_block: bool,
    pub shape: Option<Vec<Bound>>,
    /// `a(10)*8`, `c*20`
    pub length: Option<CharacterLength>,
    pub initial: Option<Expr>,
    /// The whole entity.
    pub at: At,
}

/// One dimension as it is declared.
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
    /// Pairs of lower-case letters, both included.
    pub letters: Vec<(u8, u8)>,
}

#[derive(Debug)]
pub struct CommonBlock {
    /// None: blank common.
    pub name: Option<Name>,
    pub members: Vec<Entity>,
}

#[derive(Debug)]
pub struct Use {
    pub module: Name,
    pub intrinsic: bool,
    /// `ONLY:`; with the local name first when renamed. Operators and assignments are left out.
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
    pub is_parameterized: bool,
    pub is_sequence: bool,
    pub bind: bool,
    /// Type declarations and procedure declarations of its components.
    pub components: Vec<Statement>,
    pub end: Option<LineId>,
}

#[derive(Debug)]
pub struct Interface {
    /// None: an interface of external procedures. `operator(+)` and the like are spelled so.
    pub generic: Option<Name>,
    pub is_abstract: bool,
    /// Headers and declarations of procedures that are defined elsewhere.
    pub bodies: Vec<Unit>,
    /// `MODULE PROCEDURE a, b`
    pub procedures: Vec<Name>,
}

#[derive(Debug)]
pub struct Expr {
    pub at: At,
    pub kind: ExprKind,
}

#[derive(Debug)]
pub enum ExprKind {
    Literal(Literal),
    Name(Name),
    /// `a(i, j)`: an element, a section, a substring, a function reference, a structure constructor.
    Reference { base: Box<Expr>, arguments: Vec<Argument> },
    /// `base%name`
    Component { base: Box<Expr>, name: Name },
    Unary { operator: Operator, operand: Box<Expr> },
    Binary { operator: Operator, left: Box<Expr>, right: Box<Expr> },
    Parenthesized(Box<Expr>),
    ArrayConstructor { spec: Option<Box<TypeSpec>>, items: Vec<Expr> },
    /// `(items, i = first, last, step)`
    ImpliedDo { items: Vec<Expr>, variable: Name, bounds: Vec<Expr> },
    /// Of no concern, but for the expressions inside: image selectors, statement labels of formats.
    Other(Vec<Expr>),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Literal {
    /// Digits; the kind as written: digits or a name.
    Integer { kind: Option<String> },
    Real { double: bool, kind: Option<String> },
    Complex,
    Logical { value: bool, kind: Option<String> },
    /// Length in bytes.
    Character { length: u32 },
    Hollerith { length: u32 },
    /// `Z'FF'`
    Boz,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Concatenate,
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    Not,
    And,
    Or,
    Equivalent,
    NotEquivalent,
    /// `.name.`
    Defined(String),
}

/// What stands between commas in parentheses.
#[derive(Debug)]
pub struct Argument {
    pub keyword: Option<Name>,
    pub at: At,
    pub kind: ArgumentKind,
}

#[derive(Debug)]
pub enum ArgumentKind {
    Value(Expr),
    /// `lower:upper:stride`, of a section, a substring or a case.
    Range { lower: Option<Box<Expr>>, upper: Option<Box<Expr>>, stride: Option<Box<Expr>> },
    /// `*10`, `&10`
    AlternateReturn(LabelUse),
    /// `*` alone: a unit or a format.
    Star,
}

impl StatementKind {
    /// Whether what follows it may declare too.
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
