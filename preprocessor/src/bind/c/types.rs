//! The types of C.
//!
//! Input: nothing; these are data.
//! Output: types that are cheap to clone, and the tables of structures and enumerations that they name.
//! Postcondition: what is not understood is `Unknown`, and an unknown type is compatible with everything, so
//! that it never causes a false diagnostic.

use std::sync::Arc;

use cppc_grammar::c::token::Name;
use cppc_grammar::c::tree::{Basic, Qualifiers, Range};

use super::ids::{EnumId, RecordId, ScopeId, SymbolId};

/// A type that is derived more often than this (`int ****…p`), or a structure that is nested deeper, is not
/// understood. C asks compilers for 12 and 63.
pub const DEPTH_LIMIT: u32 = 256;

/// A type with its qualifiers. Two types are equal when they are the same type, whatever typedef
/// names they were written with.
#[derive(Debug, Clone)]
pub struct Type {
    pub kind: Kind,
    pub qualifiers: Qualifiers,
    /// The typedef name it was written with, for spelling it again.
    pub alias: Option<SymbolId>,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// Not understood.
    Unknown,
    Void,
    /// An arithmetic type; `Basic::Other` is carried but cannot be registered.
    Basic(Basic),
    Enum(EnumId),
    Pointer(Arc<Type>),
    Array {
        element: Arc<Type>,
        size: ArrayLength,
    },
    Function(Arc<FunctionType>),
    Record(RecordId),
    /// A GNU vector of so many bytes, if that is known.
    Vector {
        element: Arc<Type>,
        bytes: Option<u64>,
    },
    /// `__builtin_va_list`
    VaList,
    /// `nullptr_t`
    Null,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ArrayLength {
    Known(u64),
    /// A variable-length array.
    Variable,
    /// `[]`, `[*]`, or a bound that we could not evaluate.
    Unknown,
}

#[derive(Debug, Clone, PartialEq)]
pub struct FunctionType {
    pub result: Type,
    /// Arrays and functions already adjusted to pointers.
    pub parameters: Vec<Type>,
    pub variadic: bool,
    /// `()`: nothing is said about the parameters.
    pub unspecified: bool,
}

/// A structure or union.
#[derive(Debug, Clone)]
pub struct Record {
    pub union: bool,
    pub tag: Option<Name>,
    /// The first typedef that names it directly (`typedef struct { … } world_t;`).
    pub typedef: Option<SymbolId>,
    /// None while it is incomplete.
    pub fields: Option<Vec<Field>>,
    pub packed: bool,
    /// `__attribute__((aligned(…)))` was given, here or on a field.
    pub aligned: bool,
    /// Known once its brace is closed.
    pub extent: Extent,
    /// Where it was first declared, and in which scope.
    pub declared: Range,
    pub scope: ScopeId,
}

#[derive(Debug, Clone)]
pub struct Field {
    /// None for an anonymous structure or union, and for an unnamed bit-field.
    pub name: Option<Name>,
    pub ty: Type,
    /// Whether it is a bit-field, and how wide (None inside when that could not be evaluated).
    pub bits: Option<Option<u64>>,
    pub packed: bool,
    pub aligned: bool,
}

#[derive(Debug, Clone)]
pub struct Enumeration {
    pub tag: Option<Name>,
    pub typedef: Option<SymbolId>,
    /// The integer type it is compatible with.
    pub compatible: Basic,
    pub complete: bool,
    pub scope: ScopeId,
}

/// What a structure holds, found once: each of its structures may be part of many others.
#[derive(Debug, Clone, Copy, Default)]
pub struct Extent {
    pub layout: Option<Layout>,
    /// Its members and theirs, those of an array once.
    pub members: u64,
    /// The structures inside one another, itself included.
    pub depth: u32,
}

/// The size and alignment of a type in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    pub size: u64,
    pub align: u64,
}

/// The structures and enumerations of a unit.
#[derive(Debug, Clone, Default)]
pub struct Tables {
    pub records: Vec<Record>,
    pub enums: Vec<Enumeration>,
}

impl Tables {
    pub fn record(&self, id: RecordId) -> &Record {
        &self.records[id.0 as usize]
    }

    /// A field by its name, those of anonymous structures and unions too.
    pub fn field(&self, id: RecordId, name: Name) -> Option<&Field> {
        let fields = self.record(id).fields.as_ref()?;
        fields.iter().find_map(|field| match (field.name, &field.ty.kind) {
            (Some(found), _) => (found == name).then_some(field),
            (None, Kind::Record(inner)) => self.field(*inner, name),
            _ => None,
        })
    }

    pub fn enumeration(&self, id: EnumId) -> &Enumeration {
        &self.enums[id.0 as usize]
    }
}

impl PartialEq for Type {
    fn eq(&self, other: &Type) -> bool {
        self.qualifiers == other.qualifiers && self.kind == other.kind
    }
}

impl From<Kind> for Type {
    fn from(kind: Kind) -> Type {
        Type { kind, qualifiers: Qualifiers::default(), alias: None }
    }
}

impl Type {
    pub const UNKNOWN: Type = Type::plain(Kind::Unknown);
    pub const VOID: Type = Type::plain(Kind::Void);
    pub const INT: Type = Type::basic(Basic::Int);

    const fn plain(kind: Kind) -> Type {
        let qualifiers = Qualifiers { constant: false, volatile: false, restrict: false, atomic: false };
        Type { kind, qualifiers, alias: None }
    }

    pub const fn basic(basic: Basic) -> Type {
        Type::plain(Kind::Basic(basic))
    }

    pub fn pointer_to(target: Type) -> Type {
        Kind::Pointer(Arc::new(target)).into()
    }

    pub fn array_of(element: Type, size: ArrayLength) -> Type {
        Kind::Array { element: Arc::new(element), size }.into()
    }

    /// The same type without its own qualifiers.
    #[must_use]
    pub fn unqualified(&self) -> Type {
        Type { kind: self.kind.clone(), qualifiers: Qualifiers::default(), alias: self.alias }
    }

    #[must_use]
    pub fn qualified(mut self, more: Qualifiers) -> Type {
        self.qualifiers.constant |= more.constant;
        self.qualifiers.volatile |= more.volatile;
        self.qualifiers.restrict |= more.restrict;
        self.qualifiers.atomic |= more.atomic;
        self
    }

    /// What the value of an lvalue of this type is: arrays and functions become pointers,
    /// qualifiers are gone.
    #[must_use]
    pub fn decayed(&self) -> Type {
        match &self.kind {
            Kind::Array { element, .. } => Kind::Pointer(element.clone()).into(),
            Kind::Function(_) => Type::pointer_to(self.clone()),
            _ => self.unqualified(),
        }
    }

    /// What a pointer points to or an array is made of.
    pub fn target(&self) -> Option<&Type> {
        match &self.kind {
            Kind::Pointer(target) => Some(target),
            Kind::Array { element, .. } => Some(element),
            _ => None,
        }
    }

    /// Whether it is derived more often than we follow.
    pub fn is_too_deep(&self) -> bool {
        let mut inner = self;
        for _ in 0..DEPTH_LIMIT {
            inner = match &inner.kind {
                Kind::Pointer(target) => target,
                Kind::Array { element, .. } => element,
                Kind::Function(function) => &function.result,
                _ => return false,
            };
        }
        true
    }

    /// The innermost element of an array of arrays; the type itself when it is no array.
    pub fn leaf_element(&self) -> &Type {
        match &self.kind {
            Kind::Array { element, .. } => element.leaf_element(),
            _ => self,
        }
    }

    pub fn is_unknown(&self) -> bool {
        matches!(self.kind, Kind::Unknown)
    }

    pub fn is_void(&self) -> bool {
        matches!(self.kind, Kind::Void)
    }

    pub fn is_pointer(&self) -> bool {
        matches!(self.kind, Kind::Pointer(_) | Kind::Null)
    }

    pub fn is_array(&self) -> bool {
        matches!(self.kind, Kind::Array { .. })
    }

    pub fn is_function(&self) -> bool {
        matches!(self.kind, Kind::Function(_))
    }

    pub fn is_record(&self) -> bool {
        matches!(self.kind, Kind::Record(_))
    }

    /// Integers (enumerations too), reals and complexes.
    pub fn is_arithmetic(&self) -> bool {
        matches!(self.kind, Kind::Basic(_) | Kind::Enum(_))
    }

    pub fn is_integer(&self) -> bool {
        match self.kind {
            Kind::Enum(_) => true,
            Kind::Basic(basic) => integer_rank(basic).is_some(),
            _ => false,
        }
    }

    pub fn is_scalar(&self) -> bool {
        self.is_arithmetic() || self.is_pointer()
    }

    /// Whether a variable-length array stands anywhere in it (`int (*p)[n]` too).
    pub fn is_variably_modified(&self) -> bool {
        match &self.kind {
            Kind::Array { size: ArrayLength::Variable, .. } => true,
            Kind::Array { element, .. } => element.is_variably_modified(),
            Kind::Pointer(target) => target.is_variably_modified(),
            _ => false,
        }
    }
}

/// The conversion rank of an integer type; none when it is no integer type.
pub fn integer_rank(basic: Basic) -> Option<u8> {
    Some(match basic {
        Basic::Bool => 0,
        Basic::Char | Basic::SignedChar | Basic::UnsignedChar => 1,
        Basic::Short | Basic::UnsignedShort => 2,
        Basic::Int | Basic::UnsignedInt => 3,
        Basic::Long | Basic::UnsignedLong => 4,
        Basic::LongLong | Basic::UnsignedLongLong => 5,
        Basic::Int128 | Basic::UnsignedInt128 => 6,
        _ => return None,
    })
}
