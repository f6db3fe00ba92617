//! The terminals of the C grammar and their spellings.
//!
//! Input: the spellings of a unit.
//! Output: the terminal of each.
//! Postcondition: words that the grammar treats alike share a terminal, which keeps the tables small.
//! Literals are distinguished by the kind of their token, not here.

use crate::c::token::{Name, Names, Token, TokenKind};
use crate::c::tree::{BinaryOperator, Storage, UnaryOperator};

/// A terminal. `Type` and `Variable` have no text: one of them follows each `Name` and gives the class of the
/// name in that position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Symbol {
    StartUnit,
    StartExpression,
    Name(Name),
    Type,
    Variable,
    Constant(Constant),
    String(Name),
    // Specifiers.
    Basic(BasicWord),
    Word(SpecifierWord),
    Qualifier(Qualifier),
    Static,
    Record {
        union: bool,
    },
    Enum,
    /// `: type` after the tag of an enumeration.
    EnumType,
    Typeof,
    /// `_Atomic` before `(`.
    AtomicType,
    // Whole constructs that the tree keeps as tokens.
    Attribute,
    /// `[[…]]` where a declaration or statement may begin.
    LeadingAttribute,
    Asm {
        goto: bool,
    },
    StaticAssert,
    LocalLabels,
    // Expressions.
    Generic,
    Sizeof,
    Alignof,
    Builtin(Builtin),
    Extension,
    Step(Step),
    Unary(UnaryOperator),
    Binary(BinaryOperator),
    Assign(BinaryOperator),
    Star,
    And,
    Plus,
    Minus,
    AndAnd,
    Equals,
    Question,
    Arrow,
    Dot,
    Ellipsis,
    // Statements.
    If,
    Else,
    Switch,
    Case,
    Default,
    While,
    Do,
    For,
    Goto,
    Continue,
    Break,
    Return,
    // Punctuation.
    Comma,
    Colon,
    Semicolon,
    OpenParen,
    CloseParen,
    OpenBracket,
    CloseBracket,
    OpenBrace,
    CloseBrace,
    // Resolved by the stream before the grammar reads it.
    Compound(Compound),
    Soft(Soft),
    /// `#`, `@` and other characters that are not tokens of C.
    Stray,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Constant {
    Integer(Name),
    Float(Name),
    Character(Name),
    Bool(bool),
    Null,
}

/// A word of a basic type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BasicWord {
    Void,
    Bool,
    Char,
    Short,
    Int,
    Long,
    Signed,
    Unsigned,
    Float,
    Double,
    /// `_Float64x`, `__float80`.
    LongDouble,
    Float128,
    Complex,
    Int128,
    UnsignedInt128,
    Other(Name),
    VaList,
    AutoType,
}

/// A specifier that is neither a type nor a qualifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SpecifierWord {
    Storage(Storage),
    Inline,
    NoReturn,
    ThreadLocal,
    Aligned,
    Constexpr,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Qualifier {
    Const,
    Volatile,
    Restrict,
    Atomic,
}

/// Builtins that take types or have a special type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Builtin {
    VaArg,
    Offsetof,
    TypesCompatible,
    Choose,
    TypeGeneric,
    Convert,
}

/// `++` and `--`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    Increment,
    Decrement,
}

/// A word that forms one terminal with the brackets after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compound {
    Attribute,
    Asm,
    StaticAssert,
    Alignas,
    LocalLabels,
    BitInt,
    Atomic,
}

/// A keyword of C23 that older programs use as a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Soft {
    Bool,
    True,
    False,
    Nullptr,
    Alignas,
    Alignof,
    StaticAssert,
    ThreadLocal,
    Constexpr,
    Typeof,
    Asm,
}

impl Soft {
    /// The terminal if the word is a keyword.
    pub fn keyword(self) -> Symbol {
        match self {
            Soft::Bool => Symbol::Basic(BasicWord::Bool),
            Soft::True => Symbol::Constant(Constant::Bool(true)),
            Soft::False => Symbol::Constant(Constant::Bool(false)),
            Soft::Nullptr => Symbol::Constant(Constant::Null),
            Soft::Alignas => Symbol::Compound(Compound::Alignas),
            Soft::Alignof => Symbol::Alignof,
            Soft::StaticAssert => Symbol::Compound(Compound::StaticAssert),
            Soft::ThreadLocal => Symbol::Word(SpecifierWord::ThreadLocal),
            Soft::Constexpr => Symbol::Word(SpecifierWord::Constexpr),
            Soft::Typeof => Symbol::Typeof,
            Soft::Asm => Symbol::Compound(Compound::Asm),
        }
    }

    /// True if the keyword has a meaning only before `(`.
    pub fn needs_paren(self) -> bool {
        matches!(self, Soft::Alignas | Soft::Alignof | Soft::StaticAssert | Soft::Typeof)
    }
}

/// The terminal of each spelling of a unit.
pub struct Symbols {
    by_name: Vec<Symbol>,
    /// `_Float32` and similar: keywords of some compilers. For other compilers glibc declares them as typedef
    /// names.
    float_n: Vec<Name>,
}

impl Symbols {
    pub fn new(names: &Names) -> Symbols {
        let all = (0..names.len() as u32).map(Name);
        let mut by_name: Vec<Symbol> = all
            .map(|name| match names.text(name) {
                text if is_machine_type(text) => basic(BasicWord::Other(name)),
                _ => Symbol::Name(name),
            })
            .collect();
        let mut set = |text: &str, symbol: Symbol| {
            if let Some(name) = names.find(text) {
                by_name[name.0 as usize] = match symbol {
                    Symbol::Basic(BasicWord::Other(_)) => Symbol::Basic(BasicWord::Other(name)),
                    symbol => symbol,
                };
            }
        };
        for table in [SPECIFIERS, EXPRESSIONS, STATEMENTS, PUNCTUATORS] {
            for &(text, symbol) in table {
                set(text, symbol);
            }
        }
        let all = (0..names.len() as u32).map(Name);
        let float_n = all.filter(|&name| names.text(name).starts_with("_Float")).collect();
        Symbols { by_name, float_n }
    }

    pub fn of(&self, token: Token) -> Symbol {
        match token.kind {
            TokenKind::Integer => Symbol::Constant(Constant::Integer(token.text)),
            TokenKind::Float => Symbol::Constant(Constant::Float(token.text)),
            TokenKind::Character => Symbol::Constant(Constant::Character(token.text)),
            TokenKind::String => Symbol::String(token.text),
            TokenKind::Identifier if self.float_n.contains(&token.text) => Symbol::Name(token.text),
            TokenKind::Identifier | TokenKind::Keyword => self.by_name[token.text.0 as usize],
            TokenKind::Punctuator => match self.by_name[token.text.0 as usize] {
                Symbol::Name(_) => Symbol::Stray,
                symbol => symbol,
            },
        }
    }
}

/// The vector types that compilers for ARM have without a declaration: `__Int8x16_t`, `__SVBool_t`.
fn is_machine_type(text: &str) -> bool {
    let Some(rest) = text.strip_prefix("__").and_then(|rest| rest.strip_suffix("_t")) else {
        return false;
    };
    let lanes = ["Int", "Uint", "Float", "Bfloat", "Mfloat", "Poly"]
        .iter()
        .find_map(|kind| rest.strip_prefix(kind))
        .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit() || b == b'x'));
    lanes || rest.starts_with("SV")
}

type Table = &'static [(&'static str, Symbol)];

const fn basic(word: BasicWord) -> Symbol {
    Symbol::Basic(word)
}

const fn storage(storage: Storage) -> Symbol {
    Symbol::Word(SpecifierWord::Storage(storage))
}

/// `Other` is a type of which only the name is known. The name is filled in when the table is built.
const OTHER: Symbol = Symbol::Basic(BasicWord::Other(Name(0)));

const SPECIFIERS: Table = &[
    ("void", basic(BasicWord::Void)),
    ("_Bool", basic(BasicWord::Bool)),
    ("char", basic(BasicWord::Char)),
    ("short", basic(BasicWord::Short)),
    ("int", basic(BasicWord::Int)),
    ("long", basic(BasicWord::Long)),
    ("signed", basic(BasicWord::Signed)),
    ("__signed", basic(BasicWord::Signed)),
    ("__signed__", basic(BasicWord::Signed)),
    ("unsigned", basic(BasicWord::Unsigned)),
    ("__unsigned__", basic(BasicWord::Unsigned)),
    ("float", basic(BasicWord::Float)),
    ("double", basic(BasicWord::Double)),
    ("_Complex", basic(BasicWord::Complex)),
    ("__complex", basic(BasicWord::Complex)),
    ("__complex__", basic(BasicWord::Complex)),
    ("__int128", basic(BasicWord::Int128)),
    ("__int128_t", basic(BasicWord::Int128)),
    ("__uint128_t", basic(BasicWord::UnsignedInt128)),
    ("_Float32", basic(BasicWord::Float)),
    ("_Float64", basic(BasicWord::Double)),
    ("_Float32x", basic(BasicWord::Double)),
    ("_Float64x", basic(BasicWord::LongDouble)),
    ("__float80", basic(BasicWord::LongDouble)),
    ("_Float128", basic(BasicWord::Float128)),
    ("__float128", basic(BasicWord::Float128)),
    ("__ibm128", OTHER),
    ("__ieee128", basic(BasicWord::Float128)),
    ("_Float16", OTHER),
    ("__fp16", OTHER),
    ("__bf16", OTHER),
    ("__mfp8", OTHER),
    ("_Decimal32", OTHER),
    ("_Decimal64", OTHER),
    ("_Decimal128", OTHER),
    ("__builtin_va_list", basic(BasicWord::VaList)),
    ("__auto_type", basic(BasicWord::AutoType)),
    ("_BitInt", Symbol::Compound(Compound::BitInt)),
    ("bool", Symbol::Soft(Soft::Bool)),
    ("struct", Symbol::Record { union: false }),
    ("union", Symbol::Record { union: true }),
    ("enum", Symbol::Enum),
    ("typeof", Symbol::Soft(Soft::Typeof)),
    ("__typeof", Symbol::Typeof),
    ("__typeof__", Symbol::Typeof),
    ("typeof_unqual", Symbol::Soft(Soft::Typeof)),
    ("__typeof_unqual", Symbol::Typeof),
    ("__typeof_unqual__", Symbol::Typeof),
    ("const", Symbol::Qualifier(Qualifier::Const)),
    ("__const", Symbol::Qualifier(Qualifier::Const)),
    ("__const__", Symbol::Qualifier(Qualifier::Const)),
    ("volatile", Symbol::Qualifier(Qualifier::Volatile)),
    ("__volatile", Symbol::Qualifier(Qualifier::Volatile)),
    ("__volatile__", Symbol::Qualifier(Qualifier::Volatile)),
    ("restrict", Symbol::Qualifier(Qualifier::Restrict)),
    ("__restrict", Symbol::Qualifier(Qualifier::Restrict)),
    ("__restrict__", Symbol::Qualifier(Qualifier::Restrict)),
    ("_Atomic", Symbol::Compound(Compound::Atomic)),
    ("static", Symbol::Static),
    ("typedef", storage(Storage::Typedef)),
    ("extern", storage(Storage::Extern)),
    ("auto", storage(Storage::Auto)),
    ("register", storage(Storage::Register)),
    ("inline", Symbol::Word(SpecifierWord::Inline)),
    ("__inline", Symbol::Word(SpecifierWord::Inline)),
    ("__inline__", Symbol::Word(SpecifierWord::Inline)),
    ("_Noreturn", Symbol::Word(SpecifierWord::NoReturn)),
    ("_Thread_local", Symbol::Word(SpecifierWord::ThreadLocal)),
    ("__thread", Symbol::Word(SpecifierWord::ThreadLocal)),
    ("thread_local", Symbol::Soft(Soft::ThreadLocal)),
    ("constexpr", Symbol::Soft(Soft::Constexpr)),
    ("_Alignas", Symbol::Compound(Compound::Alignas)),
    ("alignas", Symbol::Soft(Soft::Alignas)),
    ("__attribute__", Symbol::Compound(Compound::Attribute)),
    ("__attribute", Symbol::Compound(Compound::Attribute)),
    ("__declspec", Symbol::Compound(Compound::Attribute)),
    ("_Static_assert", Symbol::Compound(Compound::StaticAssert)),
    ("static_assert", Symbol::Soft(Soft::StaticAssert)),
    ("__label__", Symbol::Compound(Compound::LocalLabels)),
    ("asm", Symbol::Soft(Soft::Asm)),
    ("__asm", Symbol::Compound(Compound::Asm)),
    ("__asm__", Symbol::Compound(Compound::Asm)),
];

const EXPRESSIONS: Table = &[
    ("true", Symbol::Soft(Soft::True)),
    ("false", Symbol::Soft(Soft::False)),
    ("nullptr", Symbol::Soft(Soft::Nullptr)),
    ("_Generic", Symbol::Generic),
    ("sizeof", Symbol::Sizeof),
    ("_Alignof", Symbol::Alignof),
    ("__alignof", Symbol::Alignof),
    ("__alignof__", Symbol::Alignof),
    ("alignof", Symbol::Soft(Soft::Alignof)),
    ("__builtin_va_arg", Symbol::Builtin(Builtin::VaArg)),
    ("__builtin_offsetof", Symbol::Builtin(Builtin::Offsetof)),
    ("__builtin_types_compatible_p", Symbol::Builtin(Builtin::TypesCompatible)),
    ("__builtin_choose_expr", Symbol::Builtin(Builtin::Choose)),
    ("__builtin_tgmath", Symbol::Builtin(Builtin::TypeGeneric)),
    ("__builtin_convertvector", Symbol::Builtin(Builtin::Convert)),
    ("__extension__", Symbol::Extension),
    ("__real__", Symbol::Unary(UnaryOperator::Real)),
    ("__real", Symbol::Unary(UnaryOperator::Real)),
    ("__imag__", Symbol::Unary(UnaryOperator::Imaginary)),
    ("__imag", Symbol::Unary(UnaryOperator::Imaginary)),
    ("++", Symbol::Step(Step::Increment)),
    ("--", Symbol::Step(Step::Decrement)),
    ("!", Symbol::Unary(UnaryOperator::Not)),
    ("~", Symbol::Unary(UnaryOperator::Complement)),
    ("*", Symbol::Star),
    ("&", Symbol::And),
    ("+", Symbol::Plus),
    ("-", Symbol::Minus),
    ("&&", Symbol::AndAnd),
    ("/", Symbol::Binary(BinaryOperator::Divide)),
    ("%", Symbol::Binary(BinaryOperator::Remainder)),
    ("<<", Symbol::Binary(BinaryOperator::ShiftLeft)),
    (">>", Symbol::Binary(BinaryOperator::ShiftRight)),
    ("<", Symbol::Binary(BinaryOperator::Less)),
    (">", Symbol::Binary(BinaryOperator::Greater)),
    ("<=", Symbol::Binary(BinaryOperator::LessEqual)),
    (">=", Symbol::Binary(BinaryOperator::GreaterEqual)),
    ("==", Symbol::Binary(BinaryOperator::Equal)),
    ("!=", Symbol::Binary(BinaryOperator::NotEqual)),
    ("^", Symbol::Binary(BinaryOperator::BitXor)),
    ("|", Symbol::Binary(BinaryOperator::BitOr)),
    ("||", Symbol::Binary(BinaryOperator::Or)),
    ("=", Symbol::Equals),
    ("*=", Symbol::Assign(BinaryOperator::Multiply)),
    ("/=", Symbol::Assign(BinaryOperator::Divide)),
    ("%=", Symbol::Assign(BinaryOperator::Remainder)),
    ("+=", Symbol::Assign(BinaryOperator::Add)),
    ("-=", Symbol::Assign(BinaryOperator::Subtract)),
    ("<<=", Symbol::Assign(BinaryOperator::ShiftLeft)),
    (">>=", Symbol::Assign(BinaryOperator::ShiftRight)),
    ("&=", Symbol::Assign(BinaryOperator::BitAnd)),
    ("^=", Symbol::Assign(BinaryOperator::BitXor)),
    ("|=", Symbol::Assign(BinaryOperator::BitOr)),
    ("?", Symbol::Question),
    ("->", Symbol::Arrow),
    (".", Symbol::Dot),
    ("...", Symbol::Ellipsis),
];

const STATEMENTS: Table = &[
    ("if", Symbol::If),
    ("else", Symbol::Else),
    ("switch", Symbol::Switch),
    ("case", Symbol::Case),
    ("default", Symbol::Default),
    ("while", Symbol::While),
    ("do", Symbol::Do),
    ("for", Symbol::For),
    ("goto", Symbol::Goto),
    ("continue", Symbol::Continue),
    ("break", Symbol::Break),
    ("return", Symbol::Return),
];

const PUNCTUATORS: Table = &[
    (",", Symbol::Comma),
    (":", Symbol::Colon),
    (";", Symbol::Semicolon),
    ("(", Symbol::OpenParen),
    (")", Symbol::CloseParen),
    ("[", Symbol::OpenBracket),
    ("]", Symbol::CloseBracket),
    ("{", Symbol::OpenBrace),
    ("}", Symbol::CloseBrace),
    ("<:", Symbol::OpenBracket),
    (":>", Symbol::CloseBracket),
    ("<%", Symbol::OpenBrace),
    ("%>", Symbol::CloseBrace),
];
