//! Nodes: the elements of recursive types in trees, such as those of a list.
//!
//! Generated code visits one node after the other. The runtime has the queue of those that are left.
//!
//! Input: the recursive types that the parts of a tree have.
//! Output: for each type and rank, a pointer to a node, with the parts of the node.
//! Postcondition: each type has a name where the code is generated. The first subscript of a part is the number of the node.

use rustc_hash::FxHashSet;
use std::sync::Arc;

use cppc_source::Diagnostic;

use super::bound::Bound;
use super::components::{Allocatables, Designator};
use super::ids::{ScopeId, TypeId};
use super::items::{Item, NodeKind, ReachedTypes, RootForm, Tree, TypeName, AT, NODE};
use super::symbols::{ScopeKind, SymbolKind};
use super::types::{Derived, Type};

/// The state of the search for the parts of a tree.
#[derive(Default)]
pub(super) struct Walked<'a> {
    /// How many types enclose the present one.
    pub depth: usize,
    /// The kinds of nodes that were found, each with the component that was found first.
    kinds: Vec<(TypeId, Designator<'a>)>,
}

impl<'a> Walked<'a> {
    /// The number of the kind of nodes to which a component belongs.
    pub fn kind_of(&mut self, id: TypeId, place: &Designator<'a>) -> u32 {
        let rank = place.shape.len();
        let known = self.kinds.iter().position(|(known, first)| *known == id && first.shape.len() == rank);
        let index = known.unwrap_or_else(|| {
            self.kinds.push((id, place.clone()));
            self.kinds.len() - 1
        });
        index as u32 + 1
    }
}

impl<'a> Bound<'a> {
    /// Whether allocatable components of a type can contain the type again.
    pub(super) fn is_recursive(&self, id: TypeId) -> bool {
        let (mut seen, mut left) = (FxHashSet::default(), vec![id]);
        while let Some(outer) = left.pop() {
            for component in self.components_of(outer) {
                let Type::Derived(inner) = component.ty else { continue };
                if component.pointer {
                    continue;
                }
                if inner == id {
                    return true;
                }
                if seen.insert(inner) {
                    left.push(inner);
                }
            }
        }
        false
    }

    /// The kinds of nodes of a tree, also those that nodes lead to.
    pub(super) fn node_kinds(
        &self,
        root: &Designator<'a>,
        walked: &mut Walked<'a>,
    ) -> Result<Vec<NodeKind>, Diagnostic> {
        let mut kinds = Vec::new();
        while let Some((id, first)) = walked.kinds.get(kinds.len()).cloned() {
            let pointer = Designator {
                text: format!("{NODE}{}", kinds.len() + 1),
                name: node_name(&root.name, kinds.len()),
                is_name: false,
                allocatable: false,
                pointer: false,
                through_pointer: true,
                holders: Vec::new(),
                ..first
            };
            kinds.push(self.node_kind(&pointer, id, walked)?);
        }
        Ok(kinds)
    }

    fn node_kind(
        &self,
        pointer: &Designator<'a>,
        id: TypeId,
        walked: &mut Walked<'a>,
    ) -> Result<NodeKind, Diagnostic> {
        let Some(type_name) = self.type_name(pointer.scope, id) else {
            let name = &self.derived(id).name;
            let message = format!("the recursive type `{name}` has no name here");
            return Err(Diagnostic::error("C0454", pointer.span, message)
                .because("generated code declares a pointer of this type")
                .help(format!(
                    "register the variable where `{name}` is visible, for example in its module"
                )));
        };
        // The number of the node is the first subscript.
        let (level, rank) = (1, pointer.shape.len() as u32);
        let mut parts = Vec::new();
        self.parts(&element_of(pointer, level), id, level + rank, walked, &mut parts)?;
        let element = self.element_with(pointer, Allocatables::Separate)?;
        let item = self.item(pointer, element, String::new());
        let tree = Tree { is_inside: true, ..Tree::new(level, rank, id, parts) };
        Ok(NodeKind { item: Item { tree: Some(tree), ..item }, type_id: id, type_name })
    }

    /// How a type can be named in a scope.
    pub fn type_name(&self, scope: ScopeId, id: TypeId) -> Option<TypeName> {
        let chain: Vec<ScopeId> = self.around(scope).collect();
        let visible = chain.iter().find_map(|&outer| self.visible_type(scope, outer, id));
        if let Some(name) = visible {
            return Some(TypeName { name, module: None });
        }
        let Derived { name, scope: home, .. } = self.derived(id);
        let module = self.scope(*home);
        // A module cannot use itself, and a submodule is no module that can be used.
        let can_be_used = matches!(module.kind, ScopeKind::Module)
            && module.parent.is_none()
            && !chain.contains(home)
            && (self.is_used(scope, *home) || self.is_compiled_before(scope, *home))
            && self.is_public(*home, &format!("type {name}"));
        can_be_used.then(|| TypeName { name: name.clone(), module: Some(module.name.clone()) })
    }

    /// The item with the names that its types have in another scope. None if one of them has no name there.
    pub fn with_type_names(&self, scope: ScopeId, item: &Item) -> Option<Item> {
        let mut item = item.clone();
        for kind in item.tree.iter_mut().flat_map(|tree| &mut tree.nodes) {
            kind.type_name = self.type_name(scope, kind.type_id)?;
        }
        // A pointer to an intrinsic type or to a procedure has no type with a name.
        let is_named = |graph: &&mut Arc<ReachedTypes>| {
            !matches!(graph.form, RootForm::Elements { .. } | RootForm::Procedure)
        };
        if let Some(graph) = item.graph.as_mut().filter(is_named) {
            let graph = Arc::make_mut(graph);
            for found in &mut graph.types {
                found.type_name = self.type_name(scope, found.id);
            }
            for found in &mut graph.types {
                found.is_dynamic &= found.type_name.is_some();
            }
            if graph.form != RootForm::InPlace && !graph.is_any {
                graph.types.first()?.type_name.as_ref()?;
            }
        }
        Some(item)
    }

    /// The name that a scope gives to a type, if nothing hides it.
    fn visible_type(&self, scope: ScopeId, outer: ScopeId, id: TypeId) -> Option<String> {
        let names = self.scope(outer).names.iter();
        let of_type = names.filter(
            |(_, &symbol)| matches!(self.symbol(symbol).kind, SymbolKind::Type(found) if found == id),
        );
        let plain = of_type.filter_map(|(name, _)| name.strip_prefix("type "));
        // A generic procedure may have the name of the type. Everything else hides it.
        let is_hidden = |name: &str| {
            let symbol = self.lookup(scope, name).map(|found| self.symbol(found));
            symbol.is_some_and(|symbol| !matches!(symbol.kind, SymbolKind::Generic(_) | SymbolKind::Type(_)))
        };
        plain
            .filter(|name| self.type_named(scope, name) == Some(id) && !is_hidden(name))
            .min()
            .map(str::to_owned)
    }

    /// An error about a part, without the hidden names of generated code.
    pub(super) fn in_words_of_the_source(&self, found: Diagnostic, walked: &Walked<'a>) -> Diagnostic {
        // The largest number first, because smaller ones may be the beginning of it.
        let kinds = walked.kinds.iter().enumerate().rev();
        let message = kinds.fold(with_colons(&found.message), |message, (index, (id, _))| {
            message.replace(&format!("{NODE}{}", index + 1), &format!("type({})", self.derived(*id).name))
        });
        Diagnostic { message, ..found }
    }
}

/// The name of the nodes of one type; `?` is their number. Nodes of different types have different names, because a number may
/// be that of a node of another type in the next walk.
fn node_name(root: &str, kind: usize) -> String {
    match kind {
        0 => format!("{root}#?"),
        _ => format!("{root}#{}_?", kind + 1),
    }
}

/// An element of an array, with hidden subscripts; a scalar itself.
pub(super) fn element_of<'a>(place: &Designator<'a>, level: u32) -> Designator<'a> {
    let rank = place.shape.len() as u32;
    if rank == 0 {
        return Designator { allocatable: false, is_name: false, ..place.clone() };
    }
    let subscripts: Vec<String> =
        (level + 1..=level + rank).map(|number| format!("{AT}({number})")).collect();
    let places = vec!["?"; rank as usize];
    Designator {
        text: format!("{}({})", place.text, subscripts.join(", ")),
        name: format!("{}({})", place.name, places.join(",")),
        is_name: false,
        shape: &[],
        allocatable: false,
        ..place.clone()
    }
}

/// A message with `:` for each hidden subscript.
fn with_colons(message: &str) -> String {
    let mut out = String::new();
    let mut rest = message;
    while let Some((before, behind)) = rest.split_once(AT) {
        out.push_str(before);
        out.push(':');
        rest = behind.split_once(')').map_or("", |(_, behind)| behind);
    }
    out + rest
}
