//! What names mean: symbols and the scopes that they are declared in.
//!
//! Postcondition: a symbol is declared in one scope and may be
//! visible in others, under other names.

use cppc_grammar::fortran::logical::LineId;
use cppc_grammar::fortran::tree::{Bound, Expr, Name, Unit};
use rustc_hash::FxHashMap;

use super::ids::{Origin, ProcedureId, ScopeId, SymbolId, TypeId};
use super::types::Type;

#[derive(Debug)]
pub struct Symbol<'a> {
    pub name: String,
    pub scope: ScopeId,
    pub origin: Origin,
    pub kind: SymbolKind<'a>,
    pub ty: Type,
    /// A declaration gave the type, not its first letter.
    pub typed: bool,
    /// As declared; empty for a scalar.
    pub shape: &'a [Bound],
    pub is: Attributes,
    /// The COMMON block that it is in; empty for the blank one.
    pub common: Option<String>,
}

/// What declarations say of a name, gathered over all of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Attributes {
    pub dummy: bool,
    pub result: bool,
    pub allocatable: bool,
    pub pointer: bool,
    pub target: bool,
    pub optional: bool,
    pub save: bool,
    /// `DATA`, or a value in its declaration: it lives as long as the program.
    pub initialised: bool,
    pub equivalenced: bool,
    pub external: bool,
    pub intrinsic: bool,
    pub value: bool,
    pub volatile: bool,
    pub protected: bool,
    pub contiguous: bool,
    pub coarray: bool,
    /// A pointer or a pointee in `POINTER (p, a)`.
    pub cray_pointer: bool,
    pub intent_in: bool,
    pub intent_out: bool,
    /// The index of a `DO CONCURRENT` or `FORALL`, an ASSOCIATE name: it has no memory of its own.
    pub construct: bool,
}

#[derive(Debug, Clone)]
pub enum SymbolKind<'a> {
    /// A variable, as far as anybody knows.
    Variable,
    Constant(Value<'a>),
    Procedure(ProcedureTarget),
    /// A generic name: its specific procedures by name in their scopes.
    Generic(Vec<(ScopeId, String)>),
    Type(TypeId),
    StatementFunction {
        dummies: Vec<String>,
        value: &'a Expr,
    },
    Namelist,
    /// The name of a program unit, of a construct.
    Unit,
    /// Of a module that was not found.
    Unknown,
}

/// The value of a named constant.
#[derive(Debug, Clone, Copy)]
pub enum Value<'a> {
    Expression(&'a Expr),
    Integer(i128),
    /// It has one, but not one that we follow.
    Opaque,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProcedureTarget {
    /// Its definition, or an interface of it.
    Known(ProcedureId),
    /// External: found by its name when the program is linked.
    External,
    /// A dummy argument or a pointer, with its interface when that is known.
    Indirect(Option<ProcedureId>),
    /// A procedure of a module that the compiler brings along.
    Intrinsic,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScopeKind {
    Program,
    Module,
    Procedure(ProcedureId),
    /// A procedure's header and declarations in an interface block.
    Interface(ProcedureId),
    BlockData,
    /// A `BLOCK` construct, an `ASSOCIATE` and the like.
    Inner,
}

#[derive(Debug)]
pub struct Scope<'a> {
    pub kind: ScopeKind,
    pub name: String,
    pub source: usize,
    /// What is visible from here besides; none for program units and interface bodies.
    pub parent: Option<ScopeId>,
    /// The scopes directly inside, in the order of the text.
    pub inside: Vec<ScopeId>,
    pub unit: Option<&'a Unit>,
    pub names: FxHashMap<String, SymbolId>,
    /// Modules used that were not found.
    pub opaque: Vec<OpaqueModule>,
    pub implicit: Implicit,
    /// `SAVE` without names.
    pub saves_all: bool,
    /// `DefaultKinds::largest_on_stack`, for procedures that are not recursive.
    pub largest_on_stack: Option<u64>,
    /// `PRIVATE` without names.
    pub private: bool,
    /// What is said of single names: whether they are private.
    pub access: FxHashMap<String, bool>,
    /// COMMON blocks with their members in order.
    pub blocks: Vec<(String, Vec<SymbolId>)>,
    /// Of a construct: its first line and its last.
    pub lines: Option<(LineId, LineId)>,
    /// Variables that share memory.
    pub equivalences: Vec<Vec<SymbolId>>,
}

/// A module of which only its name is known, or which names it may bring.
#[derive(Debug, Clone)]
pub struct OpaqueModule {
    pub name: String,
    /// What its names begin with; empty when that is not known.
    pub prefixes: &'static [&'static str],
}

/// The types of names that no declaration gives one, by first letter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Implicit {
    pub types: [Type; 26],
    /// `IMPLICIT NONE`
    pub none: bool,
}

impl Implicit {
    pub fn of(&self, name: &str) -> Type {
        let letter = name.bytes().next().unwrap_or(b'_').to_ascii_lowercase();
        match letter {
            b'a'..=b'z' if !self.none => self.types[usize::from(letter - b'a')],
            _ => Type::Unknown,
        }
    }
}

impl<'a> Scope<'a> {
    pub fn new(
        kind: ScopeKind,
        name: &str,
        source: usize,
        parent: Option<ScopeId>,
        implicit: Implicit,
    ) -> Scope<'a> {
        Scope {
            kind,
            name: name.to_owned(),
            source,
            parent,
            unit: None,
            inside: Vec::new(),
            names: FxHashMap::default(),
            opaque: Vec::new(),
            implicit,
            saves_all: false,
            largest_on_stack: None,
            private: false,
            access: FxHashMap::default(),
            blocks: Vec::new(),
            lines: None,
            equivalences: Vec::new(),
        }
    }
}

impl<'a> Symbol<'a> {
    pub fn new(name: &str, scope: ScopeId, origin: Origin) -> Symbol<'a> {
        Symbol {
            name: name.to_owned(),
            scope,
            origin,
            kind: SymbolKind::Variable,
            ty: Type::Unknown,
            typed: false,
            shape: &[],
            is: Attributes::default(),
            common: None,
        }
    }

    pub fn is_variable(&self) -> bool {
        matches!(self.kind, SymbolKind::Variable)
    }

    /// A variable or a pointer to a procedure.
    pub fn has_memory(&self) -> bool {
        self.is_variable() || self.is_procedure_pointer()
    }

    pub fn is_procedure_pointer(&self) -> bool {
        matches!(self.kind, SymbolKind::Procedure(ProcedureTarget::Indirect(_))) && self.is.pointer
    }

    /// None for one of assumed rank.
    pub fn rank(&self) -> Option<u32> {
        let assumed = self.shape.iter().any(|bound| matches!(bound, Bound::AssumedRank));
        (!assumed).then_some(self.shape.len() as u32)
    }

    /// A dummy argument whose last extent is not known: `a(*)`.
    pub fn has_assumed_size(&self) -> bool {
        self.shape.iter().any(|bound| matches!(bound, Bound::AssumedSize { .. }))
    }

    /// Its elements may not stand one behind the other.
    pub fn may_have_gaps(&self) -> bool {
        let assumed = self.shape.iter().any(|bound| matches!(bound, Bound::AssumedShape { .. }));
        assumed && !self.is.allocatable && !self.is.contiguous && !self.shape.is_empty()
    }
}

impl Origin {
    pub fn of(source: usize, name: &Name) -> Origin {
        Origin { source, at: Some(name.at) }
    }

    /// Of what the compiler brings along.
    pub fn built_in() -> Origin {
        Origin { source: 0, at: None }
    }
}

/// The value of a constant expression.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Constant {
    Integer(i128),
    Real(f64),
    Logical(bool),
}

impl Constant {
    pub(super) fn real(self) -> Option<f64> {
        match self {
            Constant::Integer(value) => Some(value as f64),
            Constant::Real(value) => Some(value),
            Constant::Logical(_) => None,
        }
    }

    pub(super) fn integer(self) -> Option<i128> {
        match self {
            Constant::Integer(value) => Some(value),
            Constant::Real(_) | Constant::Logical(_) => None,
        }
    }
}
