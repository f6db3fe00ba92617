//! The tree of a C translation unit.
//!
//! Every node has the range of its tokens; each token has its bytes and its origin. Every expression has a
//! number, so that facts (types, bindings) can be stored in separate tables. The tree itself never changes.

use super::token::Name;

/// Tokens `start..end` of the unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Range {
    pub start: u32,
    pub end: u32,
}

/// The number of an expression, dense from 0 within a unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprId(pub u32);

/// An identifier and its position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ident {
    pub name: Name,
    /// The index of the token.
    pub token: u32,
}

#[derive(Debug, Default)]
pub struct Unit {
    pub items: Vec<External>,
    /// The number of expressions. Every `ExprId` is less than it.
    pub expressions: u32,
    /// Ranges that could not be parsed, in text order. They are left unchanged.
    pub unparsed: Vec<Range>,
}

#[derive(Debug)]
pub enum External {
    Function(Box<Function>),
    Declaration(Declaration),
    StaticAssert(Range),
    /// `asm("…");` at file level.
    Asm(Range),
    /// A stray `;`.
    Empty(Range),
}

#[derive(Debug)]
pub struct Function {
    pub range: Range,
    pub specifiers: Specifiers,
    pub declarator: Declarator,
    /// The declarations between a K&R declarator and the body.
    pub old_parameters: Vec<Declaration>,
    pub body: Compound,
}

/// `specifiers declarator = init, …;`. Also a declaration without declarators, such as `struct s { … };`.
#[derive(Debug)]
pub struct Declaration {
    pub range: Range,
    pub specifiers: Specifiers,
    pub declarators: Vec<InitDeclarator>,
}

#[derive(Debug)]
pub struct InitDeclarator {
    /// Declarator, asm label, attributes and initialiser.
    pub range: Range,
    pub declarator: Declarator,
    pub initializer: Option<Initializer>,
}

#[derive(Debug)]
pub enum Initializer {
    Expr(Box<Expr>),
    List(InitList),
}

#[derive(Debug)]
pub struct InitList {
    /// Including the braces.
    pub range: Range,
    pub items: Vec<InitItem>,
}

#[derive(Debug)]
pub struct InitItem {
    pub designators: Vec<Designator>,
    pub value: Initializer,
}

#[derive(Debug)]
pub enum Designator {
    Field(Ident),
    Index(Box<Expr>),
    /// `[a ... b]`
    Span(Box<Expr>, Box<Expr>),
}

/// Declaration specifiers, or the specifier-qualifier list of a field or type name.
#[derive(Debug)]
pub struct Specifiers {
    pub range: Range,
    pub storage: Storage,
    pub thread_local: bool,
    pub inline: bool,
    pub noreturn: bool,
    pub qualifiers: Qualifiers,
    pub kind: TypeSpecifier,
    pub attributes: Vec<Attribute>,
    /// `_Alignas` was given.
    pub aligned: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Storage {
    #[default]
    None,
    Typedef,
    Extern,
    Static,
    Auto,
    Register,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
pub struct Qualifiers {
    pub constant: bool,
    pub volatile: bool,
    pub restrict: bool,
    pub atomic: bool,
}

#[derive(Debug)]
pub enum TypeSpecifier {
    /// No type was written: it is `int` by the old rule, or inferred by C23's `auto`.
    Implicit,
    /// `__auto_type`, or C23's `auto` without a type.
    Inferred,
    Basic(Basic),
    Record(Box<Record>),
    Enum(Box<Enumeration>),
    Typedef(Ident),
    TypeofExpr(Box<Expr>),
    TypeofType(Box<TypeName>),
    /// `_Atomic(type)`
    Atomic(Box<TypeName>),
    /// `__builtin_va_list`
    VaList,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Basic {
    Void,
    Bool,
    Char,
    SignedChar,
    UnsignedChar,
    Short,
    UnsignedShort,
    Int,
    UnsignedInt,
    Long,
    UnsignedLong,
    LongLong,
    UnsignedLongLong,
    Int128,
    UnsignedInt128,
    /// `_Float16`, `__bf16`, `_Decimal32`…: parsed, but cannot be registered.
    Other(Name),
    Float,
    Double,
    LongDouble,
    /// `_Float128`, `__float128`. The other `_FloatN` are represented by the standard types that equal them.
    Float128,
    ComplexFloat,
    ComplexDouble,
    ComplexLongDouble,
    ComplexFloat128,
    /// `_Complex int` and similar types (GNU).
    ComplexOther,
}

#[derive(Debug)]
pub struct Record {
    pub range: Range,
    pub union: bool,
    pub tag: Option<Ident>,
    /// `None` if the type is only named.
    pub fields: Option<Vec<FieldDeclaration>>,
    pub attributes: Vec<Attribute>,
}

#[derive(Debug)]
pub struct FieldDeclaration {
    pub range: Range,
    pub specifiers: Specifiers,
    /// Empty for an anonymous structure or union.
    pub declarators: Vec<FieldDeclarator>,
}

#[derive(Debug)]
pub struct FieldDeclarator {
    pub range: Range,
    /// `None` for an unnamed bit-field.
    pub declarator: Option<Declarator>,
    pub bits: Option<Box<Expr>>,
}

#[derive(Debug)]
pub struct Enumeration {
    pub range: Range,
    pub tag: Option<Ident>,
    pub enumerators: Option<Vec<Enumerator>>,
    pub attributes: Vec<Attribute>,
}

#[derive(Debug)]
pub struct Enumerator {
    pub name: Ident,
    pub value: Option<Box<Expr>>,
}

/// A declarator, from the name outwards: `*a[3]` is a name, then `Array`, then `Pointer`.
#[derive(Debug)]
pub struct Declarator {
    pub range: Range,
    /// `None` in an abstract declarator.
    pub name: Option<Ident>,
    /// The first is applied last: `int *a[3]` has `[Array(3), Pointer]` and is an array of pointers.
    pub derivations: Vec<Derivation>,
    pub attributes: Vec<Attribute>,
}

#[derive(Debug)]
pub enum Derivation {
    Pointer(Qualifiers),
    Array { range: Range, qualifiers: Qualifiers, size: ArraySize },
    Function(Parameters),
}

#[derive(Debug)]
pub enum ArraySize {
    /// `[]`
    None,
    /// `[*]`
    Star,
    Expr(Box<Expr>),
}

#[derive(Debug)]
pub struct Parameters {
    pub range: Range,
    pub list: Vec<Parameter>,
    pub variadic: bool,
    /// Names of a K&R declarator: `f(a, b)`.
    pub identifiers: Vec<Ident>,
    /// `()`, which specifies no parameters.
    pub unspecified: bool,
}

#[derive(Debug)]
pub struct Parameter {
    pub range: Range,
    pub specifiers: Specifiers,
    pub declarator: Declarator,
}

#[derive(Debug)]
pub struct TypeName {
    pub range: Range,
    pub specifiers: Specifiers,
    pub declarator: Declarator,
}

/// `__attribute__((…))`, `[[…]]`: kept as tokens. Those that change a type are represented by name.
#[derive(Debug)]
pub struct Attribute {
    pub range: Range,
    pub kind: AttributeKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttributeKind {
    Other,
    VectorSize,
    Mode(Name),
    Packed,
    NoReturn,
}

#[derive(Debug)]
pub struct Compound {
    /// Including the braces.
    pub range: Range,
    pub items: Vec<BlockItem>,
}

#[derive(Debug)]
pub enum BlockItem {
    Declaration(Declaration),
    /// A nested function (GNU).
    Function(Box<Function>),
    Statement(Statement),
    StaticAssert(Range),
    /// `__label__ a, b;`
    LocalLabels(Range),
}

impl BlockItem {
    pub fn range(&self) -> Range {
        match self {
            BlockItem::Declaration(declaration) => declaration.range,
            BlockItem::Function(function) => function.range,
            BlockItem::Statement(statement) => statement.range,
            BlockItem::StaticAssert(range) | BlockItem::LocalLabels(range) => *range,
        }
    }
}

#[derive(Debug)]
pub struct Statement {
    pub range: Range,
    pub kind: StatementKind,
}

impl Statement {
    /// The statements that it is made of, in the order of the text. A block has items instead.
    pub fn bodies(&self) -> Vec<&Statement> {
        match &self.kind {
            StatementKind::If { then, otherwise, .. } => {
                std::iter::once(&**then).chain(otherwise.as_deref()).collect()
            }
            StatementKind::Switch { body, .. }
            | StatementKind::While { body, .. }
            | StatementKind::DoWhile { body, .. }
            | StatementKind::For { body, .. }
            | StatementKind::Label { body, .. }
            | StatementKind::Case { body, .. }
            | StatementKind::Default { body } => vec![body],
            StatementKind::Expr(_)
            | StatementKind::Compound(_)
            | StatementKind::Goto(_)
            | StatementKind::ComputedGoto(_)
            | StatementKind::Continue
            | StatementKind::Break
            | StatementKind::Return(_)
            | StatementKind::Asm { .. } => Vec::new(),
        }
    }
}

#[derive(Debug)]
pub enum StatementKind {
    /// Also `;` without an expression.
    Expr(Option<Box<Expr>>),
    Compound(Compound),
    If {
        condition: Box<Expr>,
        then: Box<Statement>,
        otherwise: Option<Box<Statement>>,
    },
    Switch {
        condition: Box<Expr>,
        body: Box<Statement>,
    },
    While {
        condition: Box<Expr>,
        body: Box<Statement>,
    },
    DoWhile {
        body: Box<Statement>,
        condition: Box<Expr>,
    },
    For {
        init: ForInit,
        condition: Option<Box<Expr>>,
        step: Option<Box<Expr>>,
        body: Box<Statement>,
    },
    Goto(Ident),
    /// `goto *expression;`
    ComputedGoto(Box<Expr>),
    Continue,
    Break,
    Return(Option<Box<Expr>>),
    /// `name: statement`. A label at the end of a block (C23) has an empty statement.
    Label {
        name: Ident,
        body: Box<Statement>,
    },
    Case {
        value: Box<Expr>,
        /// The end of a range: `case 1 ... 3:`.
        last: Option<Box<Expr>>,
        body: Box<Statement>,
    },
    Default {
        body: Box<Statement>,
    },
    /// `asm volatile ("…" : …);`, with a flag for `asm goto`.
    Asm {
        goto: bool,
    },
}

#[derive(Debug)]
pub enum ForInit {
    None,
    Expr(Box<Expr>),
    Declaration(Box<Declaration>),
}

#[derive(Debug)]
pub struct Expr {
    pub id: ExprId,
    /// Without enclosing parentheses that belong to the context, but with those of `Paren`.
    pub range: Range,
    pub kind: ExprKind,
}

#[derive(Debug)]
pub enum ExprKind {
    Ident(Ident),
    Integer(Name),
    Float(Name),
    Character(Name),
    /// Adjacent literals, which the compiler concatenates.
    String(Vec<Name>),
    /// `true`, `false`
    Bool(bool),
    /// `nullptr`
    Null,
    Paren(Box<Expr>),
    /// `({ … })`
    Statement(Compound),
    Generic {
        control: Box<Expr>,
        /// The type of each association, `None` for `default`.
        associations: Vec<(Option<TypeName>, Expr)>,
    },
    Call {
        callee: Box<Expr>,
        arguments: Vec<Expr>,
    },
    Index {
        base: Box<Expr>,
        index: Box<Expr>,
    },
    /// `base.field`, or `base->field` if `arrow` is set.
    Member {
        base: Box<Expr>,
        arrow: bool,
        field: Ident,
    },
    Unary {
        operator: UnaryOperator,
        operand: Box<Expr>,
    },
    Binary {
        operator: BinaryOperator,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    /// `left = right`, `left += right`
    Assign {
        /// `None` for `=`.
        operator: Option<BinaryOperator>,
        left: Box<Expr>,
        right: Box<Expr>,
    },
    Conditional {
        condition: Box<Expr>,
        /// `None` in `a ?: b`.
        then: Option<Box<Expr>>,
        otherwise: Box<Expr>,
    },
    Comma(Box<Expr>, Box<Expr>),
    Cast {
        to: Box<TypeName>,
        operand: Box<Expr>,
    },
    Compound {
        to: Box<TypeName>,
        list: InitList,
    },
    SizeofExpr(Box<Expr>),
    /// `sizeof(type)`, `_Alignof(type)`
    SizeofType(Box<TypeName>),
    AlignofExpr(Box<Expr>),
    AlignofType(Box<TypeName>),
    /// `&&label`
    LabelAddress(Ident),
    /// `__builtin_offsetof(type, member)`, of type unsigned long.
    Offsetof(Box<TypeName>),
    /// `__builtin_types_compatible_p(a, b)`, of type int.
    TypesCompatible(Box<TypeName>, Box<TypeName>),
    /// `__builtin_va_arg(list, type)`
    VaArg {
        list: Box<Expr>,
        to: Box<TypeName>,
    },
    /// `__builtin_choose_expr(c, a, b)`
    Choose(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `__builtin_tgmath(f, g, …, x)` (gcc) and similar: a call whose type depends on its arguments.
    TypeGeneric(Vec<Expr>),
    /// `__builtin_convertvector(v, type)`
    Convert {
        operand: Box<Expr>,
        to: Box<TypeName>,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum UnaryOperator {
    Address,
    Dereference,
    Plus,
    Minus,
    Complement,
    Not,
    PreIncrement,
    PreDecrement,
    PostIncrement,
    PostDecrement,
    /// `__real__`
    Real,
    /// `__imag__`
    Imaginary,
    /// `__extension__`
    Extension,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BinaryOperator {
    Multiply,
    Divide,
    Remainder,
    Add,
    Subtract,
    ShiftLeft,
    ShiftRight,
    Less,
    Greater,
    LessEqual,
    GreaterEqual,
    Equal,
    NotEqual,
    BitAnd,
    BitXor,
    BitOr,
    And,
    Or,
}
