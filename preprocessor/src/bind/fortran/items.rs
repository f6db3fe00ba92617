//! What stands in the lists of directives, resolved: which memory, of which type, how much of it.

use super::ids::{SymbolId, TypeId};
use std::sync::Arc;

use cppc_source::Span;

/// One register or capture. An item of the user's may be several: a derived type is its components.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// What the user wrote.
    pub span: Span,
    /// How the place is written in generated code, with [`AT`] for each computed subscript.
    pub lvalue: String,
    /// The register's name in state files, with `?` for each computed subscript.
    pub name: String,
    /// The subscripts that are computed: each of their values makes another register.
    pub subscripts: Vec<String>,
    /// The variable that it is, or is a part of.
    pub root: SymbolId,
    /// It is the variable itself, by its name.
    pub is_name: bool,
    pub kind: ItemKind,
    pub element: Element,
    /// How many elements, as an expression of `INTEGER(8)`.
    pub count: String,
    /// How they are arranged, where the count does not say it.
    pub shape: Option<Extents>,
    /// Its memory ends with the frame.
    pub automatic: bool,
    /// Its place is reached through pointers or allocatables.
    pub through_pointer: bool,
    /// Not in the user's list: a size is computed from it.
    pub implied: bool,
    pub optional: bool,
    pub assumed_size: bool,
    pub gaps: bool,
    pub pointer: bool,
    pub read_only: bool,
    pub first_element: Option<String>,
    /// Of a character variable.
    pub length: Option<String>,
    /// The allocatables on its access path, by the number of their parts: 2 for `x%y` in `x%y(3)%z`.
    pub holders: Vec<u32>,
    /// Of a derived type with allocatable components, or an allocatable of a derived type.
    pub tree: Option<Tree>,
    /// The root of a graph, with the types that it reaches.
    pub graph: Option<Arc<ReachedTypes>>,
    /// The item has this part of each element of a section. Everything else describes the part of the first element.
    pub section: Option<Section>,
}

/// Where the other elements of a section are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// A scalar of an intrinsic type in the first element, and the same in the second.
    pub first: String,
    pub second: String,
    /// The type of this scalar.
    pub code: &'static str,
    /// The number of elements, as an expression of `INTEGER(8)`.
    pub structures: String,
}

/// What the pointers of a variable reach.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReachedTypes {
    pub form: RootForm,
    /// They are numbered from 1. The first is that of the root, unless that is `class(*)`.
    pub types: Vec<ReachedType>,
    /// The root is `class(*)`.
    pub is_any: bool,
    /// A pointer reaches `class(*)`, so a dynamic type may be an intrinsic type.
    pub has_any: bool,
}

/// How the root of a graph is represented.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RootForm {
    InPlace,
    Pointer {
        rank: u32,
    },
    Allocatable {
        rank: u32,
    },
    /// A polymorphic pointer or allocatable. It is a scalar, because compilers pass copies of arrays.
    Polymorphic {
        is_pointer: bool,
    },
    /// A polymorphic dummy argument that is neither.
    Passed,
    /// A pointer to a procedure.
    Procedure,
    /// A pointer to an array of an intrinsic type, whose elements may have gaps between them.
    Elements {
        rank: u32,
        code: &'static str,
    },
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReachedType {
    pub id: TypeId,
    /// Different types have different names.
    pub name: String,
    /// How generated code names it. None if it cannot.
    pub type_name: Option<TypeName>,
    /// In the order of memory.
    pub parts: Vec<ReachedPart>,
    /// It may be the dynamic type of a variable.
    pub is_dynamic: bool,
    /// No variable can be declared with it.
    pub is_abstract: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReachedPart {
    pub name: String,
    pub kind: ReachedPartKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReachedPartKind {
    /// So many elements; bytes, for characters.
    Plain { code: &'static str, count: u64 },
    /// So many elements of a type, by its number.
    Inside { number: u32, count: u64 },
    /// A pointer or an allocatable.
    Pointer { code: &'static str, rank: u32 },
    /// The same, of a derived type.
    PointerOf { number: u32, rank: u32 },
    /// A polymorphic pointer or allocatable, with the number of its declared type. 0: `class(*)`.
    Polymorphic { number: u32, rank: u32 },
    /// A pointer to a procedure.
    Procedure,
}

/// What a variable of a derived type contains besides its own elements. Each element has all of the parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tree {
    /// Its content is a part of that of the item that contains it: an array within a structure.
    pub is_inside: bool,
    /// How many subscripts its designator contains. Those of its own elements follow.
    pub level: u32,
    pub rank: u32,
    /// Distinguishes derived types.
    pub type_id: u32,
    pub parts: Vec<Item>,
    /// Its elements are nodes: they are visited after everything else. Its parts are those of this kind of nodes.
    pub later: Option<u32>,
    /// Of a root: the kinds of its nodes, which are numbered from 1.
    pub nodes: Vec<NodeKind>,
}

impl Tree {
    /// An array of a type that is not recursive.
    pub fn new(level: u32, rank: u32, id: TypeId, parts: Vec<Item>) -> Tree {
        Tree { is_inside: false, level, rank, type_id: id.0, parts, later: None, nodes: Vec::new() }
    }
}

/// The nodes of one recursive type and one rank.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NodeKind {
    /// A pointer to the node. Its tree contains the parts.
    pub item: Item,
    pub type_id: TypeId,
    pub type_name: TypeName,
}

/// How a derived type is named in a scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TypeName {
    pub name: String,
    /// The module from which it is taken. None if the name is visible.
    pub module: Option<String>,
}

impl Item {
    /// The name of the component, if the item is one: `b` of `s%a(2)%b(:)`.
    pub fn component(&self) -> Option<String> {
        let (_, component) = self.name.rsplit_once('%').filter(|_| !self.is_name)?;
        Some(component.split('(').next().unwrap_or_default().trim().to_owned())
    }

    /// With another name for the variable.
    pub fn renamed(&self, name: &str) -> Item {
        let is_word = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
        let behind = self.lvalue.trim_start_matches(is_word);
        let tree = self.tree.as_ref().map(|tree| Tree {
            parts: tree.parts.iter().map(|part| part.renamed(name)).collect(),
            ..tree.clone()
        });
        Item { lvalue: format!("{name}{behind}"), tree, ..self.clone() }
    }
}

/// The hidden array of an element's subscripts, in the expressions of an item.
pub const AT: &str = "#at";

/// The hidden pointer to a node of a kind. The number of the kind follows.
pub const NODE: &str = "#node_";

/// The extents of an array.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extents {
    pub rank: u32,
    /// All of them, as an array of `INTEGER(8)`.
    pub text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ItemKind {
    Scalar,
    Array,
    Followed { rank: u32 },
}

/// What `file(…)` says: a unit that the block connects, and the name of the file.
#[derive(Debug, Clone)]
pub struct OpenedFile {
    pub unit: String,
    pub name: String,
}

/// What the runtime is told of an element.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Element {
    /// `CPPC_REAL_8`
    Code(&'static str),
    Record(Arc<Record>),
}

/// A derived type, described by its components.
#[derive(Debug, PartialEq, Eq)]
pub struct Record {
    pub name: String,
    pub fields: Vec<Field>,
}

#[derive(Debug, PartialEq, Eq)]
pub struct Field {
    /// Behind the element: `place%x`, `force(1)`. It designates a scalar, the first of `count`.
    pub path: String,
    pub code: &'static str,
    /// How many elements lie one behind the other; bytes, for characters.
    pub count: u64,
}
