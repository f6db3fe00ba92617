//! Names, types and directives bound to the tree.
//!
//! In: the tree of a unit, its tokens and pragmas. Out: `Bound`: the symbol of every identifier, the
//! type of every expression, the procedures with their facts, and each directive at its place with
//! its items resolved. Holds afterwards: the tree is untouched; `Type::UNKNOWN` stands where
//! something was not understood; what the user must mend is in `diagnostics`.

pub mod types;
pub mod symbols;
pub mod facts;
pub mod items;
pub mod regions;
mod operators;
mod literals;
mod builtins;
mod layout;
mod visit;
mod binder;
mod specifiers;
mod declarations;
mod constant;
mod generic_math;
mod expressions;
mod statements;
mod place;
mod jumps;
mod pairs;
mod amount;
mod indexed;
mod lvalue;
mod way;
mod checks;
mod resolve;
mod files;
mod lost;
mod block_order;
mod directives;
mod spell_type;
pub mod bound;

pub use bound::{bind, Bound, BoundDirective, DirectiveId, DirectiveKind, Place, Procedure};
pub use facts::{CallFact, Callee, Facts, GotoFact, LabelFact};
pub use items::{Capture, Count, Element, Indexed, Item, Leaf, OpenedFile, SizeVariable, Slot, WayPoint};
pub use regions::Region;
pub use symbols::{ProcedureId, Scope, ScopeId, ScopeKind, StorageKind, Symbol, SymbolId, SymbolKind};
pub use types::{ArrayLength, EnumId, Enumeration, Field, FunctionType, Kind, Record, RecordId, Type};
