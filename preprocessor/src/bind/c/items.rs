//! What stands in the lists of directives, resolved: which memory, of which type, how much of it.

use std::collections::{BTreeMap, BTreeSet};

use cppc_grammar::c::token::Name;
use cppc_grammar::c::tree::{Expr, ExprId};
use cppc_source::Span;

use super::ids::{RecordId, SymbolId};
use super::types::Type;
use crate::bind::Amount;

/// An item of `register`.
#[derive(Debug)]
pub struct Item {
    /// As the user wrote it: `s->data[count]`.
    pub text: String,
    pub span: Span,
    /// The lvalue without its counts: `s->data`. Its expressions are bound and typed like the
    /// unit's own; their token ranges are relative to the directive.
    pub lvalue: Expr,
    /// The text of `lvalue`, to be written again: `s->data`.
    pub lvalue_text: String,
    /// The type of `lvalue`, not decayed.
    pub ty: Type,
    pub slot: ItemForm,
    /// The trailing brackets that say how much: `[count]`.
    pub counts: Vec<Count>,
    /// How many elements, as an expression of C: `1`, `count`, `(rows) * (columns)`,
    /// `sizeof grid / sizeof grid[0][0]`.
    pub count_text: String,
    pub amount: Amount,
    /// How they are arranged, the slowest first, as expressions of C; empty for one dimension.
    pub extents: Vec<String>,
    /// The type of one element, qualifiers and arrays gone.
    pub element: Type,
    /// What the runtime is told of it; None when it cannot be saved (there is a diagnostic).
    pub element_code: Option<Element>,
    /// The variable in which the lvalue starts: `s`.
    pub root: SymbolId,
    /// Whether the lvalue is just the name of a variable.
    pub is_name: bool,
    /// Whether evaluating the lvalue goes through a pointer (`s->data` does, `data` does not).
    pub through_pointer: bool,
    /// The pointers that it goes through.
    pub way: Vec<AccessPathPointer>,
    /// The scalars that the lvalue's subscripts and the counts are computed from.
    pub size_variables: Vec<SizeVariable>,
    /// Set when subscripts of the lvalue are computed.
    pub indexed: Option<Indexed>,
    /// Set for `deep(…)`.
    pub graph: Option<Graph>,
    /// The unions whose members `by(…)` selects.
    pub selections: Selections,
    /// Set for `a[lower:count].field`: the lvalue is `a`, and there are no counts.
    pub section: Option<Section>,
    /// The register's name in state files: `data`, `solve:count` for a static local,
    /// `file.c:table` for a static of the file, `i.2` for the second `i` of a procedure.
    pub key: String,
    /// The storage of the root; `AUTOMATIC` does not apply when `through_pointer`.
    pub storage: super::symbols::StorageKind,
}

/// A field of some elements of an array, or these elements.
#[derive(Debug)]
pub struct Section {
    /// One for each dimension.
    pub bounds: Vec<Bounds>,
    pub lower: Lower,
    /// The type of an element.
    pub structure: Type,
    /// The names of the field; empty if the section has whole elements.
    pub path: Vec<Name>,
    /// `site.link`
    pub path_text: String,
    /// The size of an element: `sizeof a[0]`.
    pub stride_text: String,
    /// The distance of two lower bounds: the same as `stride_text`, or the size of a row.
    pub row_text: String,
    /// The number of elements of the field in one structure.
    pub elements_text: String,
}

/// `[lower:count]`
#[derive(Debug)]
pub struct Bounds {
    pub lower: Option<Count>,
    pub count: Option<Count>,
}

/// The first element of a section.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lower {
    Constant(i128),
    /// An expression.
    Computed(String),
}

/// The unions of an item whose members are selected by an integer.
#[derive(Debug, Clone, Default)]
pub struct Selections {
    /// The clauses: `by(kind)`.
    pub text: String,
    /// By the structure that contains the union, or the union itself if a variable selects its member.
    pub owners: BTreeMap<RecordId, Vec<SelectedUnion>>,
    /// The structures that contain such a union.
    pub affected: BTreeSet<RecordId>,
    /// Set if the item is a union.
    pub variable: Option<SelectorVariable>,
}

impl Selections {
    /// The union in this field of a structure; none for the union itself.
    pub fn of(&self, owner: RecordId, field: Option<usize>) -> Option<&SelectedUnion> {
        self.owners.get(&owner)?.iter().find(|selected| selected.field == field)
    }
}

#[derive(Debug, Clone)]
pub struct SelectedUnion {
    pub field: Option<usize>,
    /// The name of the integer.
    pub integer: String,
    /// The number of the member for each value; none if the union is empty.
    pub cases: Vec<(i128, Option<usize>)>,
}

/// The variable that selects the member of a union.
#[derive(Debug, Clone)]
pub struct SelectorVariable {
    pub text: String,
    pub code: i32,
    /// Its type has qualifiers.
    pub is_qualified: bool,
}

/// What `deep(…)` reaches.
#[derive(Debug, Clone)]
pub struct Graph {
    /// The type of what the root is, or points to.
    pub root: Type,
    /// What the pointers in fields of these names point to.
    pub stated: Vec<(String, StatedType)>,
    /// The structures that are not defined before the directive.
    pub elsewhere: Vec<Elsewhere>,
}

/// A type that is stated for a pointer to `void`.
#[derive(Debug, Clone, PartialEq)]
pub enum StatedType {
    Here(Type),
    /// A structure that the unit does not declare.
    Elsewhere {
        is_union: bool,
        tag: String,
    },
    /// The unit cannot name the type.
    Unknown(String),
}

/// A structure that another unit, or a later line, has to define.
#[derive(Debug, Clone)]
pub struct Elsewhere {
    pub tag: String,
    /// None if the unit does not declare it.
    pub record: Option<RecordId>,
    /// The first access path to it.
    pub path: String,
}

/// Where the registered memory is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ItemForm {
    /// The lvalue itself, an arithmetic scalar (a pointer only among captures).
    Scalar,
    /// The lvalue itself, an array, structure or union: in place.
    Aggregate,
    /// What the lvalue, a pointer, points to.
    Pointer,
}

/// One trailing bracket group.
#[derive(Debug)]
pub struct Count {
    /// Without the brackets: `rows*columns`.
    pub text: String,
    pub span: Span,
    pub expr: Expr,
    /// Its value when it is constant.
    pub value: Option<i128>,
}

/// An integer variable that a count is computed from.
#[derive(Debug, Clone)]
pub struct SizeVariable {
    /// `n`, `s->count`
    pub text: String,
    /// Its expression, in the counts or the lvalue of the item.
    pub expr: ExprId,
    /// Its name as a register.
    pub key: String,
    pub indexed: Option<Indexed>,
    pub ty: Type,
    pub root: SymbolId,
    pub is_name: bool,
    pub through_pointer: bool,
    pub way: Vec<AccessPathPointer>,
    /// It is const: its value cannot be put back.
    pub constant: bool,
    pub storage: super::symbols::StorageKind,
}

/// An item of `capture(…)` or of `unregister(…)`: an lvalue as it is.
#[derive(Debug)]
pub struct Capture {
    pub text: String,
    pub span: Span,
    pub lvalue: Expr,
    pub ty: Type,
    pub slot: ItemForm,
    pub count_text: String,
    pub element: Type,
    pub element_code: Option<Element>,
    pub root: SymbolId,
    pub is_name: bool,
    pub through_pointer: bool,
    /// The pointers that it goes through; of a capture.
    pub way: Vec<AccessPathPointer>,
    /// As in `Item`.
    pub indexed: Option<Indexed>,
    /// As in `Item`; only for `unregister`.
    pub section: Option<Section>,
    pub key: String,
    pub storage: super::symbols::StorageKind,
}

/// A pointer on the way to an item.
#[derive(Debug, Clone)]
pub struct AccessPathPointer {
    pub text: String,
    /// Set when it is a variable by its name.
    pub variable: Option<SymbolId>,
}

/// An lvalue with computed subscripts, such as `rows[k]`: each of its values makes another register.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Indexed {
    /// As in `Item`, with the subscripts left out: `rows[]`.
    pub key: String,
    /// Its text before, between and behind the subscripts: `rows[` and `]`.
    pub pieces: Vec<String>,
    /// One less: `k`.
    pub subscripts: Vec<String>,
}

/// What `file(…)` says: a handle that the block sets, and the name of the file it opens.
#[derive(Debug)]
pub struct OpenedFile {
    pub span: Span,
    pub handle: String,
    /// The handle as an expression, bound and typed like the lvalue of an `Item`.
    pub lvalue: Expr,
    /// The variable that it is, when it is nothing more.
    pub variable: Option<SymbolId>,
    pub is_stream: bool,
    pub name: String,
    pub name_span: Span,
    /// The variables that the name is made of.
    pub made_of: Vec<SymbolId>,
}

/// What the runtime is told an element is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Element {
    /// A constant of `cppc.h`: its code in `cppc_abi::types`.
    Code(i32),
    /// A structure, to be described by its leaves.
    Record(RecordId),
}

impl Element {
    /// `CPPC_INT`; none for a structure.
    pub fn constant(self) -> Option<&'static str> {
        match self {
            Element::Code(code) => cppc_abi::types::by_code(code).map(|found| found.name),
            Element::Record(_) => None,
        }
    }
}

/// A field of a structure, for `CPPC_Define_type`, nested structures and arrays flattened where
/// C's `offsetof` and `sizeof` can name them.
#[derive(Debug, Clone, PartialEq)]
pub struct Leaf {
    /// What `offsetof` is given: `position.x`, `cells[1].value`.
    pub path: String,
    pub element: Element,
    /// How many: `1`, or the product of an array's lengths.
    pub count: u64,
    pub ty: Type,
    pub form: LeafForm,
    /// ` if kind == 1`, for a member of a union.
    pub condition: Option<String>,
}

impl Leaf {
    /// Its name in the description.
    pub fn name(&self) -> String {
        format!("{}{}", self.path, self.condition.as_deref().unwrap_or_default())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LeafForm {
    /// It has an address.
    Whole,
    /// A bit-field.
    Bits { is_bool: bool },
}
