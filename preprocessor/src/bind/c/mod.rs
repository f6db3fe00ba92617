//! Names, types and directives bound to the tree.
//!
//! Input: the tree of a unit, its tokens and pragmas.
//! Output: `Bound`: the symbol of every identifier, the type of every expression, the procedures with their
//! facts, and each directive at its place with its items resolved.
//! Postcondition: the tree is untouched; `Type::UNKNOWN` stands where something was not understood; what the
//! user must mend is in `diagnostics`.

pub mod ids;
pub mod types;
mod operators;
mod layout;
pub mod symbols;
pub mod facts;
pub mod items;
pub mod cleanup;
pub mod regions;
mod literals;
mod builtins;
mod visit;
pub mod bound;
mod static_values;
mod binder;
mod position;
mod directives;
mod spell_type;
mod leaves;
mod amount;
mod lvalue;
mod resolve;
mod specifiers;
mod declarations;
mod constant;
mod generic_math;
mod expressions;
mod statements;
mod jumps;
mod pairs;
mod indexed;
mod access_path;
mod reached_types;
mod checks;
mod section;
mod selected;
mod graph;
pub mod shared_types;
mod files;
mod lost;
mod block_order;

use std::collections::BTreeSet;

use cppc_grammar::c::token::Preprocessed;
use cppc_grammar::c::tree::Unit;
use cppc_source::{FileId, Files};

use binder::Binder;

pub use bound::{Bound, BoundDirective, DirectiveKind, DirectivePosition, Procedure};
pub use facts::{CallFact, Callee, Facts, GotoFact, LabelFact};
pub use ids::{DirectiveId, EnumId, ProcedureId, RecordId, ScopeId, SymbolId};
pub use items::{
    AccessPathPointer, Bounds, Capture, Count, Element, Elsewhere, Graph, Indexed, Item, ItemForm, Leaf,
    LeafForm, Lower, OpenedFile, Section, SelectedUnion, Selections, SelectorVariable, SizeVariable,
    StatedType,
};
pub use literals::{character_value, integer_value};
pub use regions::Region;
pub use symbols::{Scope, ScopeKind, StorageKind, Symbol, SymbolKind};
pub use types::{ArrayLength, Enumeration, Field, FunctionType, Kind, Record, Type};
pub use visit::parts;

/// Binds names, types and directives of a unit. `main` is the file that will be rewritten.
pub fn bind(unit: &Unit, preprocessed: &Preprocessed, files: &Files, main: FileId) -> Bound {
    let mut binder = Binder::new(unit, preprocessed, files, main);
    binder.unit(unit);
    let regions = regions::regions(preprocessed, &binder.statements);
    let mut directives = binder.directives(unit, &regions);
    leave_to_graphs(&mut directives);
    Bound {
        symbols: binder.symbols,
        scopes: binder.scopes,
        tables: binder.tables,
        procedures: binder.procedures,
        directives,
        remarks: binder.remarks,
        address_taken_functions: binder.address_taken_functions,
        regions,
        diagnostics: binder.diagnostics,
        assigned: {
            let mut assigned = binder.assigned;
            assigned.sort_by_key(|found| found.1);
            assigned
        },
        types: binder.types,
        bindings: binder.bindings,
        declared: binder.declared,
        by_name: binder.by_name,
        operand_types: binder.operand_types,
        chosen_associations: binder.chosen_associations,
    }
}

/// Removes the sizes in memory that `deep` saves: `register(deep(g))`, then `register(d[g->n])` in the same procedure. No other
/// register may save it.
fn leave_to_graphs(directives: &mut [BoundDirective]) {
    let unregistered: BTreeSet<SymbolId> = directives
        .iter()
        .flat_map(|directive| match &directive.kind {
            DirectiveKind::Unregister(items) => items.as_slice(),
            _ => &[],
        })
        .map(|item| item.root)
        .collect();
    let mut roots = BTreeSet::new();
    for directive in directives {
        let DirectiveKind::Register(items) = &mut directive.kind else { continue };
        let graphs = items.iter().filter(|item| item.graph.is_some() && item.is_name);
        let graphs = graphs.map(|item| item.root).filter(|root| !unregistered.contains(root));
        let procedure = directive.procedure;
        roots.extend(graphs.map(|root| (procedure, root)));
        for item in items {
            let is_saved = |root| roots.contains(&(procedure, root));
            item.size_variables.retain(|size| !(size.through_pointer && is_saved(size.root)));
        }
    }
}
