//! Names, types and expressions of generated text.
//!
//! Text of the program is a [`Source`]: a span of its file, so that each byte keeps its origin.

use std::borrow::Cow;

use cppc_source::Span;

use crate::model::{FortranType, TypeCode};
use crate::plan::SavedMember;

/// A name of generated text, in capitals.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Name {
    /// Of the runtime or of the language: `CPPC_ENTER`, `SIZE`.
    Known(Cow<'static, str>),
    /// Of a hidden variable or procedure: the prefix of the file goes before it.
    Hidden(Cow<'static, str>),
}

/// Text of the program, in which generated expressions replace some parts.
#[derive(Debug, Clone)]
pub(super) struct Source {
    pub span: Span,
    /// Sorted and disjoint.
    pub holes: Vec<(Span, Expr)>,
}

#[derive(Debug, Clone)]
pub(super) enum Expr {
    Source(Source),
    /// An expression of a directive, as it was bound. `#` stands for the prefix of a hidden name.
    Bound(String),
    Name(Name),
    Integer {
        value: i64,
        kind: Option<u32>,
    },
    Logical(bool),
    Character(String),
    /// A function or an element: `SIZE(a, 1)`, `a(1)`.
    Reference {
        base: Box<Expr>,
        arguments: Vec<Expr>,
    },
    /// `base%path`
    Component {
        base: Box<Expr>,
        path: String,
    },
    /// `KIND=8`
    Keyword {
        word: &'static str,
        value: Box<Expr>,
    },
    /// `lower:upper`, `lower:`
    Range {
        lower: Box<Expr>,
        upper: Option<Box<Expr>>,
    },
    /// `(/1, 2/)`
    Array(Vec<Expr>),
    /// `type :: object`, in `ALLOCATE`.
    Typed {
        ty: Type,
        object: Box<Expr>,
    },
    Not(Box<Expr>),
    Binary {
        left: Box<Expr>,
        operator: Operator,
        right: Box<Expr>,
    },
    /// A label that a call may return to: `*10`.
    Label(u32),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Operator {
    Or,
    And,
    Equal,
    NotEqual,
    AtMost,
    AtLeast,
    Add,
    Subtract,
    Divide,
}

#[derive(Debug, Clone)]
pub(super) enum Type {
    Integer,
    /// `INTEGER(KIND=8)`
    Count,
    /// `CHARACTER(LEN=5)`
    Character(Box<Expr>),
    /// `CHARACTER(LEN=*)`
    AnyLength,
    /// `REAL(8)`. Some types have only one kind.
    Known {
        word: &'static str,
        kind: Option<&'static str>,
    },
    /// `TYPE(node)`
    Derived(Name),
    /// `CLASS(node)`, `CLASS(*)`
    Class(Option<Name>),
    /// The type of a hidden variable.
    Hidden(FortranType),
}

impl From<&'static str> for Name {
    fn from(word: &'static str) -> Name {
        Name::Known(word.into())
    }
}

impl Name {
    pub fn hidden(word: impl Into<Cow<'static, str>>) -> Name {
        Name::Hidden(word.into())
    }

    /// The routine of a type: `CPPC_SAVE_REAL_8`.
    pub fn of_type(routine: &str, code: &TypeCode) -> Name {
        Name::Known(format!("{routine}_{}", kind_word(code)).into())
    }

    /// The routine of the type of a slot. A slot that is saved has one.
    pub fn of_slot(routine: &str, slot: &SavedMember) -> Name {
        slot.code
            .as_ref()
            .map_or_else(|| Name::Known(routine.to_owned().into()), |code| Name::of_type(routine, code))
    }
}

/// The suffix of the routines of a type: `REAL_8`.
pub(super) fn kind_word(code: &TypeCode) -> &'static str {
    match code {
        TypeCode::Named(name) => name.strip_prefix("CPPC_").unwrap_or(name),
        // There are routines for its components, but not for the type itself.
        TypeCode::Record(_) | TypeCode::Shared(_) => "TYPE",
    }
}

impl Type {
    /// `CPPC_REAL_8` is `REAL(8)`. A text has its length.
    pub fn of(code: &TypeCode, length: Option<&String>) -> Type {
        let word = kind_word(code);
        match (word.split_once('_'), length) {
            (Some((word, kind)), _) => Type::Known { word, kind: Some(kind) },
            (None, Some(length)) => Type::Character(Box::new(Expr::bound(length))),
            (None, None) => Type::Known { word, kind: None },
        }
    }
}

impl Expr {
    pub fn hidden(word: impl Into<Cow<'static, str>>) -> Expr {
        Expr::Name(Name::hidden(word))
    }

    pub fn known(word: &'static str) -> Expr {
        Expr::Name(word.into())
    }

    pub fn source(span: Span) -> Expr {
        Expr::Source(Source { span, holes: Vec::new() })
    }

    pub fn bound(text: impl Into<String>) -> Expr {
        Expr::Bound(text.into())
    }

    /// A default integer.
    pub fn integer(value: u32) -> Expr {
        Expr::Integer { value: value.into(), kind: None }
    }

    /// An `INTEGER(8)`.
    pub fn count(value: i64) -> Expr {
        Expr::Integer { value, kind: Some(8) }
    }

    pub fn text(text: impl Into<String>) -> Expr {
        Expr::Character(text.into())
    }

    /// `FUNCTION(arguments)`
    pub fn function(name: impl Into<Name>, arguments: impl Into<Vec<Expr>>) -> Expr {
        Expr::Name(name.into()).at(arguments)
    }

    /// `SIZE(arguments, KIND=8)`
    pub fn counted(name: &'static str, arguments: impl Into<Vec<Expr>>) -> Expr {
        let mut arguments = arguments.into();
        arguments.push(Expr::keyword("KIND", Expr::integer(8)));
        Expr::function(name, arguments)
    }

    /// With arguments or subscripts.
    pub fn at(self, arguments: impl Into<Vec<Expr>>) -> Expr {
        Expr::Reference { base: Box::new(self), arguments: arguments.into() }
    }

    /// With subscripts, if there are any.
    pub fn shaped(self, subscripts: Vec<Expr>) -> Expr {
        if subscripts.is_empty() {
            self
        } else {
            self.at(subscripts)
        }
    }

    pub fn component(self, path: &str) -> Expr {
        Expr::Component { base: Box::new(self), path: path.to_owned() }
    }

    pub fn keyword(word: &'static str, value: Expr) -> Expr {
        Expr::Keyword { word, value: Box::new(value) }
    }

    pub fn to(self, upper: Expr) -> Expr {
        Expr::Range { lower: Box::new(self), upper: Some(Box::new(upper)) }
    }

    pub fn upwards(self) -> Expr {
        Expr::Range { lower: Box::new(self), upper: None }
    }

    pub fn typed(self, ty: Type) -> Expr {
        Expr::Typed { ty, object: Box::new(self) }
    }

    pub fn not(self) -> Expr {
        Expr::Not(Box::new(self))
    }

    pub fn and(self, right: Expr) -> Expr {
        self.binary(Operator::And, right)
    }

    pub fn binary(self, operator: Operator, right: Expr) -> Expr {
        Expr::Binary { left: Box::new(self), operator, right: Box::new(right) }
    }

    pub fn equals(self, value: u32) -> Expr {
        self.binary(Operator::Equal, Expr::integer(value))
    }

    /// A function of the runtime returns a value other than 0 for true.
    pub fn not_zero(self) -> Expr {
        self.binary(Operator::NotEqual, Expr::integer(0))
    }
}

/// The block at which a restart continues, or 0 in a normal run.
pub(super) fn next() -> Expr {
    Expr::hidden("NEXT")
}

/// True if a restart is in progress.
pub(super) fn is_sent() -> Expr {
    next().not_zero()
}

/// True if no restart is in progress.
pub(super) fn is_normal() -> Expr {
    next().equals(0)
}
