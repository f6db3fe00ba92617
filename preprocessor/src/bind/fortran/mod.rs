//! Names, types and directives bound to the trees of Fortran.
//!
//! Input: the trees of a program's sources, those that are only read for their modules among them.
//! Output: `Bound`: scopes, symbols with what all declarations together say of them, procedures, and each
//! directive at its place with its items resolved; types of expressions and meanings of references when
//! somebody asks.
//! Postcondition: the trees are untouched; what is not known (a module that was not found) is `Unknown`; what
//! the user must mend is in `diagnostics`.

pub mod ids;
pub mod types;
pub mod symbols;
pub mod items;
mod machine;
mod handle_places;
mod gapped;
pub mod bound;
mod built_in;
mod constant;
pub mod visit;
pub mod regions;
mod counts;
mod components;
mod nodes;
mod trees;
mod graphs;
mod intrinsics;
pub mod resolve;
pub mod expressions;
mod labels;
mod resolve_items;
mod section_items;
mod groups;
mod dynamic_types;
mod walk;
mod directives;
mod units;
mod uses;
mod specification;
mod derived;
mod similar;
mod shapes;
mod indexed;
mod jumps;
mod pairs;
mod sections;
mod files;
mod gapped_pointers;
mod repointed;
mod copies;
mod entry_sizes;
mod gathered;
mod moved;
mod passing;
mod handle_variables;

use cppc_grammar::fortran::logical::{At, LogicalLine};
use cppc_grammar::fortran::parse::parse_expression;
use cppc_grammar::fortran::tree::Expr;
use cppc_source::Files;

pub use bound::{Bound, BoundDirective, DirectiveKind, Procedure, ProcedureKind, Source};
pub use entry_sizes::is_inquiry;
pub use ids::{ProcedureId, ScopeId, SymbolId, TypeId};
pub use items::{Item, ItemKind};
pub use resolve::{Called, Meaning};
pub use symbols::{ScopeKind, Symbol, SymbolKind};
pub use types::{DefaultKinds, Length, Type, Typed};
pub use uses::{defined_modules, used_modules};
pub use walk::{leading, statements_of};

/// Binds the sources of a program.
pub fn bind<'a>(sources: &'a [Source<'a>], files: &Files) -> Bound<'a> {
    let mut bound = Bound {
        sources,
        scopes: Vec::new(),
        symbols: Vec::new(),
        types: Vec::new(),
        procedures: Vec::new(),
        directives: Default::default(),
        remarks: Vec::new(),
        captured: Default::default(),
        passed: Default::default(),
        regions: Vec::new(),
        registered: Default::default(),
        first_registers: Default::default(),
        moving: Default::default(),
        gapped_pointers: Default::default(),
        handles: Default::default(),
        diagnostics: Vec::new(),
        modules: Default::default(),
        externals: Default::default(),
        inner: Default::default(),
        capitals: sources.iter().map(|source| counts::has_capitals(source.lines)).collect(),
        known_types: Default::default(),
        used: Default::default(),
        remembers: false,
        constants: Default::default(),
        depth: Default::default(),
    };
    bound.declare_units();
    let order = bound.units_in_order();
    bound.link_submodules(&order);
    for &scope in &order {
        bound.specify_unit(scope);
    }
    bound.inherit_binding_names();
    for &scope in &order {
        bound.walk_unit(scope);
    }
    bound.note_bindings();
    bound.regions = sources.iter().map(|source| bound.regions_of(source, files)).collect();
    bound.note_gapped_pointers();
    bound.bind_directives(files);
    // From here on only expressions of the trees are asked for, which stay where they are.
    bound.remembers = true;
    bound.note_handles();
    bound.note_passing();
    bound
}

/// The expression that an item is.
fn item_expression(line: &LogicalLine, at: At) -> Option<Expr> {
    parse_expression(line, at.line, at.start..at.end).ok()
}
