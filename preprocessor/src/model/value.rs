//! The types of values: how a variable of a type is declared, and how the runtime describes it.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::UnitId;

/// A type, with the information that planning needs. The speller determines how it is written.
#[derive(Debug, Clone)]
pub struct ValueType {
    pub class: Class,
    /// `None` for a type that cannot be described to the runtime.
    pub code: Option<TypeCode>,
    /// The declaration of a variable of this type without its name. `None` if it cannot be written at the
    /// start of the procedure.
    pub pattern: Option<Pattern>,
}

/// How a variable of a type is declared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pattern {
    /// In C: the declaration, before and after the name.
    C {
        before: String,
        after: String,
    },
    Fortran {
        ty: FortranType,
        shape: FortranShape,
    },
}

/// A type of Fortran that a generated variable can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FortranType {
    DefaultInteger,
    DefaultLogical,
    /// Numbers of elements, and bounds.
    Count,
    /// These have the kinds and lengths of the program's variables.
    Integer(u8),
    Real(u8),
    Complex(u8),
    Logical(u8),
    /// `None` for a length that is only known at run time.
    Character(Option<u64>),
}

impl Pattern {
    pub const FORTRAN_INTEGER: Pattern =
        Pattern::Fortran { ty: FortranType::DefaultInteger, shape: FortranShape::Scalar };
    pub const FORTRAN_LOGICAL: Pattern =
        Pattern::Fortran { ty: FortranType::DefaultLogical, shape: FortranShape::Scalar };
}

impl FortranType {
    /// It is the type of a variable of the program.
    pub fn is_of_program(self) -> bool {
        match self {
            FortranType::DefaultInteger | FortranType::DefaultLogical | FortranType::Count => false,
            FortranType::Integer(_)
            | FortranType::Real(_)
            | FortranType::Complex(_)
            | FortranType::Logical(_)
            | FortranType::Character(_) => true,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FortranShape {
    Scalar,
    /// An array of one dimension.
    Extent(u32),
    /// An allocatable; of rank 0 a scalar.
    Allocatable {
        rank: u32,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    Void,
    Arithmetic,
    Pointer,
    Record,
    /// Its size is known only at run time (Fortran): an array, or a character value. The pattern declares an
    /// allocatable, and the code is that of an element.
    Dynamic {
        rank: u32,
        text: bool,
    },
    Other,
}

/// How a type is described to the runtime.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TypeCode {
    /// A name from the table of type codes: `CPPC_INT`.
    Named(&'static str),
    /// A structure, described by its fields.
    Record(Arc<RecordType>),
    /// A structure that another source describes, by its word.
    Shared(Arc<str>),
}

impl TypeCode {
    /// A value of the type contains a pointer.
    pub fn has_pointers(&self) -> bool {
        match self {
            TypeCode::Named(name) => *name == "CPPC_POINTER",
            TypeCode::Record(record) => record.fields.iter().any(|field| field.code.has_pointers()),
            TypeCode::Shared(_) => true,
        }
    }
}

#[derive(Debug, PartialEq, Eq)]
pub struct RecordType {
    /// A word for generated names: the tag or typedef name.
    pub word: String,
    /// The spelling of the type: `struct world`.
    pub spelling: String,
    /// The stated types of pointers to `void` that are reached from it: `data: struct item`. Otherwise empty.
    pub variant: String,
    pub fields: Vec<RecordField>,
    /// The type is defined inside a procedure, so its description is generated there too.
    pub inner: bool,
}

impl RecordType {
    /// The name in state files. Descriptions with different pointers have different names.
    pub fn name(&self) -> String {
        match self.variant.as_str() {
            "" => self.spelling.clone(),
            variant => format!("{} ({variant})", self.spelling),
        }
    }
}

/// The types that are reached from a root, and what their pointers point to.
#[derive(Debug, PartialEq, Eq)]
pub struct Graph {
    /// A word for generated names.
    pub word: String,
    pub records: Vec<Arc<RecordType>>,
    pub pointers: Vec<GraphPointer>,
    /// The words of the structures that other sources describe.
    pub shared: BTreeSet<String>,
}

/// A structure that a source describes for other sources.
#[derive(Debug)]
pub struct SharedDescription {
    pub unit: UnitId,
    pub word: String,
    pub code: TypeCode,
    pub graph: Arc<Graph>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GraphPointer {
    pub owner: TypeCode,
    /// As in the description of the owner.
    pub field: String,
    /// `None` for a function.
    pub target: Option<TypeCode>,
    /// Whether the user has stated the target.
    pub is_stated: bool,
}

/// The field of a type that is itself a pointer.
pub const TARGET: &str = "*";

/// How generated code describes a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldForm {
    /// By its offset.
    Whole,
    /// A bit-field: by its bits in a sample.
    Bits { is_bool: bool },
}

#[derive(Debug, PartialEq, Eq)]
pub struct RecordField {
    /// As in `offsetof`: `position.x`.
    pub path: String,
    /// ` if kind == 1`, for a member of a union.
    pub condition: Option<String>,
    pub code: TypeCode,
    pub count: u64,
    pub form: FieldForm,
}
