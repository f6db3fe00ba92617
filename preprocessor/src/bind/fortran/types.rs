//! The types of Fortran, and which kinds a compiler takes when none is written.
//!
//! Postcondition: kinds are bytes, as gfortran and flang number
//! them; `Type::Unknown` stands where something was not understood or not found.

use std::ffi::OsString;

use cppc_grammar::fortran::tree::{Bound, Expr, Name};

use super::ids::{Origin, ScopeId, TypeId};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Type {
    Integer(u8),
    Real(u8),
    /// The kind of its parts.
    Complex(u8),
    Logical(u8),
    Character {
        kind: u8,
        length: Length,
    },
    Derived(TypeId),
    /// `CLASS(name)`; none: `CLASS(*)`.
    Class(Option<TypeId>),
    /// `TYPE(*)`
    Anything,
    Unknown,
}

/// How long a character variable is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Length {
    Known(u64),
    /// Computed when its procedure is entered.
    Varying,
    /// `*`: that of the actual argument.
    Assumed,
    /// `:`
    Deferred,
}

/// A derived type.
#[derive(Debug)]
pub struct Derived<'a> {
    pub name: String,
    pub origin: Origin,
    /// Where its components' bounds and kinds are to be understood.
    pub scope: ScopeId,
    pub parent: Option<TypeId>,
    pub components: Vec<Component<'a>>,
    pub bindings: Vec<Binding>,
    /// What it consists of is not known: of a module that was not found, or without meaning elsewhere.
    pub opaque: bool,
    /// A handle of a library, which does not outlive a run.
    pub handle: bool,
    /// It has parameters of its own: `type matrix(k, n)`.
    pub parameterized: bool,
    /// Neither SEQUENCE nor BIND(C).
    pub extensible: bool,
    /// No variable can have this type, unless it is polymorphic.
    pub is_abstract: bool,
}

#[derive(Debug)]
pub struct Component<'a> {
    pub name: String,
    pub ty: Type,
    pub shape: &'a [Bound],
    pub allocatable: bool,
    pub pointer: bool,
    /// Only the module of its type can name it.
    pub private: bool,
    /// A pointer to a procedure.
    pub procedure: bool,
    pub first_target: Option<FirstTarget<'a>>,
}

/// What a pointer points to at first, as its declaration says: `=> target`.
#[derive(Debug, Clone, Copy)]
pub enum FirstTarget<'a> {
    Designator(&'a Expr),
    /// One of these, or nothing.
    Procedures(&'a [Name]),
}

/// A procedure bound to a type: `procedure :: step => advance`, `generic :: go => step, leap`.
#[derive(Debug)]
pub struct Binding {
    pub name: String,
    /// The procedures' names in the type's scope, or for a generic one those of bindings.
    pub targets: Vec<String>,
    pub generic: bool,
    /// The object is no argument.
    pub nopass: bool,
    /// `DEFERRED`: only extensions have it.
    pub deferred: bool,
    /// Its position among the arguments is that of this one.
    pub pass: Option<String>,
    /// `PROCEDURE(interface), DEFERRED`: the name in the type's scope.
    pub interface: Option<String>,
}

/// A type and how many dimensions; none when that is not known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Typed {
    pub ty: Type,
    pub rank: Option<u32>,
}

impl Typed {
    pub const UNKNOWN: Typed = Typed { ty: Type::Unknown, rank: None };

    pub fn scalar(ty: Type) -> Typed {
        Typed { ty, rank: Some(0) }
    }
}

impl Type {
    /// What the runtime is told of one element, or for a character of one byte.
    pub fn code(self) -> Option<&'static str> {
        let (word, kind) = match self {
            Type::Integer(kind) => ("INTEGER", kind),
            Type::Real(kind) => ("REAL", kind),
            Type::Complex(kind) => ("COMPLEX", kind),
            Type::Logical(kind) => ("LOGICAL", kind),
            Type::Character { kind: 1, .. } => return Some("CPPC_CHARACTER"),
            _ => return None,
        };
        cppc_abi::types::by_name(&format!("CPPC_{word}_{kind}")).map(|found| found.name)
    }

    pub fn is_intrinsic(self) -> bool {
        !matches!(self, Type::Derived(_) | Type::Class(_) | Type::Anything | Type::Unknown)
    }

    pub fn is_numeric(self) -> bool {
        matches!(self, Type::Integer(_) | Type::Real(_) | Type::Complex(_))
    }

    /// How it is declared, in lower case: `integer(4)`; only intrinsic types of a known length.
    pub fn spelling(self) -> Option<String> {
        Some(match self {
            Type::Integer(kind) => format!("integer({kind})"),
            Type::Real(kind) => format!("real({kind})"),
            Type::Complex(kind) => format!("complex({kind})"),
            Type::Logical(kind) => format!("logical({kind})"),
            Type::Character { kind: 1, length: Length::Known(length) } => format!("character(len={length})"),
            _ => return None,
        })
    }

    /// Whether a variable of this type can be declared anywhere.
    pub fn can_be_declared(self) -> bool {
        match self {
            Type::Character { kind, length } => kind == 1 && matches!(length, Length::Known(_)),
            _ => self.is_intrinsic(),
        }
    }

    /// Whether an actual argument of the one can be passed to a dummy argument of the other; unknown fits all.
    pub fn fits(self, dummy: Type) -> bool {
        match (self, dummy) {
            (Type::Unknown, _) | (_, Type::Unknown | Type::Anything | Type::Class(None)) => true,
            (Type::Character { kind, .. }, Type::Character { kind: other, .. }) => kind == other,
            (a, b) => a == b,
        }
    }
}

/// The kinds that are meant when none is written, as the compiler's options have them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DefaultKinds {
    pub integer: u8,
    pub logical: u8,
    pub real: u8,
    pub double: u8,
    /// What `integer(4)` becomes.
    pub integer_4: u8,
    /// What `real(4)` and `real(8)` become, whatever brought them about.
    pub real_4: u8,
    pub real_8: u8,
    /// `-fimplicit-none`
    pub implicit_none: bool,
    /// `-fno-automatic`: variables of procedures that are not recursive keep their values.
    pub saves_all: bool,
    /// Larger local variables of procedures that are not recursive keep their values too, if the compiler is gfortran. None
    /// if all are on the stack.
    pub largest_on_stack: Option<u64>,
}

impl Default for DefaultKinds {
    fn default() -> DefaultKinds {
        DefaultKinds {
            integer: 4,
            logical: 4,
            real: 4,
            double: 8,
            integer_4: 4,
            real_4: 4,
            real_8: 8,
            implicit_none: false,
            saves_all: false,
            largest_on_stack: Some(65_536),
        }
    }
}

impl DefaultKinds {
    /// What options of gfortran and flang say of kinds.
    pub fn of(flags: &[OsString]) -> DefaultKinds {
        let mut kinds = DefaultKinds::default();
        let (mut wide_double, mut stated_limit) = (None, None);
        for flag in flags {
            match flag.to_str().unwrap_or_default() {
                "-fdefault-integer-8" | "-i8" => (kinds.integer, kinds.logical) = (8, 8),
                // Doubles grow with reals, unless the next option says that they do not.
                "-fdefault-real-8" | "-r8" => (kinds.real, kinds.double) = (8, wide_double.unwrap_or(16)),
                "-fdefault-real-10" => (kinds.real, kinds.double) = (10, wide_double.unwrap_or(16)),
                "-fdefault-real-16" => (kinds.real, kinds.double) = (16, wide_double.unwrap_or(16)),
                "-fdefault-double-8" => (kinds.double, wide_double) = (8, Some(8)),
                "-finteger-4-integer-8" => kinds.integer_4 = 8,
                "-freal-4-real-8" => kinds.real_4 = 8,
                "-freal-4-real-10" => kinds.real_4 = 10,
                "-freal-4-real-16" => kinds.real_4 = 16,
                "-freal-8-real-4" => kinds.real_8 = 4,
                "-freal-8-real-10" => kinds.real_8 = 10,
                "-freal-8-real-16" => kinds.real_8 = 16,
                "-fimplicit-none" => kinds.implicit_none = true,
                "-fno-automatic" | "-save" => kinds.saves_all = true,
                "-fautomatic" => kinds.saves_all = false,
                "-frecursive" => (kinds.saves_all, kinds.largest_on_stack) = (false, None),
                "-fopenmp" => kinds.largest_on_stack = None,
                flag => {
                    if let Some(limit) = flag.strip_prefix("-fmax-stack-var-size=") {
                        // A negative number means that there is no limit.
                        stated_limit = Some(limit.parse().ok());
                    }
                }
            }
        }
        // A stated limit holds with OpenMP too.
        kinds.largest_on_stack = stated_limit.unwrap_or(kinds.largest_on_stack);
        kinds
    }

    pub fn integer_type(&self, kind: Option<u8>) -> Type {
        Type::Integer(match kind.unwrap_or(self.integer) {
            4 => self.integer_4,
            kind => kind,
        })
    }

    pub fn logical_type(&self, kind: Option<u8>) -> Type {
        Type::Logical(kind.unwrap_or(self.logical))
    }

    pub fn real_kind(&self, kind: Option<u8>) -> u8 {
        self.replaced(kind.unwrap_or(self.real))
    }

    pub fn double_kind(&self) -> u8 {
        self.replaced(self.double)
    }

    fn replaced(&self, kind: u8) -> u8 {
        match kind {
            4 => self.real_4,
            8 => self.real_8,
            kind => kind,
        }
    }
}

/// The derived type of a variable of `TYPE(t)` or `CLASS(t)`.
pub fn derived_of(ty: Type) -> Option<TypeId> {
    match ty {
        Type::Derived(id) | Type::Class(Some(id)) => Some(id),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_change_kinds() {
        let of = |flags: &[&str]| DefaultKinds::of(&flags.iter().map(OsString::from).collect::<Vec<_>>());
        assert_eq!(of(&[]), DefaultKinds::default());
        assert_eq!(of(&["-fdefault-real-8"]).double, 16);
        assert_eq!(of(&["-fdefault-double-8", "-fdefault-real-8"]).double, 8);
        assert_eq!(of(&["-freal-4-real-8"]).real_kind(Some(4)), 8);
        assert_eq!(of(&["-fdefault-integer-8"]).integer_type(Some(4)), Type::Integer(4));
        assert_eq!(of(&["-fmax-stack-var-size=100"]).largest_on_stack, Some(100));
        assert_eq!(of(&["-O2", "-fopenmp"]).largest_on_stack, None);
        assert_eq!(of(&["-fmax-stack-var-size=-1"]).largest_on_stack, None);
        assert!(of(&["-fno-automatic"]).saves_all && !of(&["-fno-automatic", "-frecursive"]).saves_all);
    }

    #[test]
    fn codes_are_those_of_the_table() {
        assert_eq!(Type::Integer(8).code(), Some("CPPC_INTEGER_8"));
        assert_eq!(Type::Complex(10).code(), Some("CPPC_COMPLEX_10"));
        assert_eq!(Type::Real(3).code(), None);
    }
}
