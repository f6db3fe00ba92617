//! Variables whose derived types contain pointers that a register of its own could not save. The runtime saves such a
//! variable as the root of a graph, with everything that its pointers reach.
//!
//! Input: a place of a derived type.
//! Output: the types that are reached from it, or what is wrong with a component.
//! Postcondition: each type is described once. The first type is that of the root.

use std::sync::Arc;

use cppc_source::Diagnostic;
use rustc_hash::FxHashSet;

use super::bound::Bound;
use super::components::Designator;
use super::ids::{SymbolId, TypeId};
use super::items::{Element, Graph, GraphPart, GraphPartKind, GraphType, Item, ItemKind, Record, RootForm};
use super::types::{Component, Length, Type};

/// How many types a graph may have.
const MOST_TYPES: usize = 1024;
/// The type of the hidden length of a character component with `len=:`, which has the size of an address.
const LENGTH_CODE: &str = "CPPC_LONG";

impl<'a> Bound<'a> {
    /// The root of a graph. None if the place can be registered without one.
    pub(super) fn graph_root(&self, place: &Designator<'a>) -> Result<Option<Item>, Diagnostic> {
        let Type::Derived(id) = place.ty else { return Ok(None) };
        if !self.needs_graph(place.pointer, place.allocatable || !place.shape.is_empty(), id) {
            return Ok(None);
        }
        let count = self.count_of(&self.counted(place));
        let item = self.root_with_count(place, id, count)?;
        Ok(Some(Item { shape: self.shape_of(&self.counted(place)), ..item }))
    }

    /// A root that consists of so many elements.
    pub(super) fn root_with_count(
        &self,
        place: &Designator<'a>,
        id: TypeId,
        count: String,
    ) -> Result<Item, Diagnostic> {
        self.refuse_type(place)?;
        let graph = self.graph(place, id)?;
        let element = Element::Record(Arc::new(Record { name: self.qualified(id), fields: Vec::new() }));
        let item = self.item(place, element, count);
        let is_in_place = graph.form == RootForm::InPlace;
        let kind = if is_in_place && !place.shape.is_empty() { ItemKind::Array } else { ItemKind::Scalar };
        let gaps = item.gaps && is_in_place;
        // The runtime reads the descriptor, so it does not matter whether the pointer was set.
        Ok(Item { kind, gaps, pointer: false, graph: Some(Arc::new(graph)), ..item })
    }

    /// Whether a variable of the type can only be saved in a graph.
    pub fn needs_graph(&self, is_pointer: bool, is_array: bool, id: TypeId) -> bool {
        match (is_pointer, is_array) {
            (true, _) => !self.derived(id).handle && !self.is_opaque(id),
            (false, true) => self.has_pointers(id, &mut FxHashSet::default()),
            (false, false) => self.scalar_needs_graph(id, &mut FxHashSet::default()),
        }
    }

    /// The same for a scalar in place. Pointers to intrinsic types have registers of their own.
    fn scalar_needs_graph(&self, id: TypeId, seen: &mut FxHashSet<TypeId>) -> bool {
        seen.insert(id)
            && self.components_of(id).iter().any(|component| match component.ty {
                _ if component.procedure => true,
                Type::Derived(inner) => {
                    match (component.pointer, component.allocatable || !component.shape.is_empty()) {
                        (false, false) => self.scalar_needs_graph(inner, seen),
                        (is_pointer, is_array) => self.needs_graph(is_pointer, is_array, inner),
                    }
                }
                _ => false,
            })
    }

    /// Whether a register of the variable makes it the root of a graph. The runtime reads its descriptor, so the caller need
    /// not pass its memory again.
    pub(super) fn is_root(&self, variable: SymbolId) -> bool {
        let symbol = self.symbol(variable);
        let is_array = symbol.is.allocatable || !symbol.shape.is_empty();
        matches!(symbol.ty, Type::Derived(id) if self.needs_graph(symbol.is.pointer, is_array, id))
    }

    /// Whether an element of the type contains pointers, also through allocatable components.
    fn has_pointers(&self, id: TypeId, seen: &mut FxHashSet<TypeId>) -> bool {
        seen.insert(id)
            && self.components_of(id).iter().any(|component| match component.ty {
                _ if component.pointer || component.procedure => true,
                Type::Derived(inner) => self.has_pointers(inner, seen),
                _ => false,
            })
    }

    fn graph(&self, place: &Designator<'a>, id: TypeId) -> Result<Graph, Diagnostic> {
        let rank = place.shape.len() as u32;
        let form = match (place.pointer, place.allocatable) {
            (true, _) => RootForm::Pointer { rank },
            (false, true) => RootForm::Allocatable { rank },
            (false, false) => RootForm::InPlace,
        };
        let mut ids = vec![id];
        let mut types = Vec::new();
        while let Some(&next) = ids.get(types.len()) {
            types.push(self.graph_type(place, next, &mut ids)?);
            if types.len() > MOST_TYPES {
                return Err(self.cannot(
                    place,
                    "it has too many types",
                    "register the components that matter",
                ));
            }
        }
        if form != RootForm::InPlace && types[0].type_name.is_none() {
            let name = &self.derived(id).name;
            let message = format!("the type `{name}` of `{}` has no name here", place.text);
            return Err(Diagnostic::error("C0454", place.span, message)
                .because("generated code declares a variable of this type")
                .help(format!(
                    "register `{}` where `{name}` is visible, for example in its module",
                    place.text
                )));
        }
        Ok(Graph { form, types })
    }

    fn graph_type(
        &self,
        place: &Designator<'a>,
        id: TypeId,
        ids: &mut Vec<TypeId>,
    ) -> Result<GraphType, Diagnostic> {
        let derived = self.derived(id);
        let mut parts = Vec::new();
        if let Some(parent) = derived.parent {
            let kind = GraphPartKind::Inside { number: number_of(parent, ids), count: 1 };
            parts.push(GraphPart { name: self.derived(parent).name.clone(), kind });
        }
        for component in &derived.components {
            let kind = self.graph_part(place, id, component, ids)?;
            parts.push(GraphPart { name: component.name.clone(), kind });
        }
        for component in &derived.components {
            if matches!(component.ty, Type::Character { length: Length::Deferred, .. }) {
                let kind = GraphPartKind::Plain { code: LENGTH_CODE, count: 1 };
                parts.push(GraphPart { name: format!("_{}_length", component.name), kind });
            }
        }
        Ok(GraphType { id, name: self.qualified(id), type_name: self.type_name(place.scope, id), parts })
    }

    fn graph_part(
        &self,
        place: &Designator<'a>,
        id: TypeId,
        component: &Component<'a>,
        ids: &mut Vec<TypeId>,
    ) -> Result<GraphPartKind, Diagnostic> {
        let text = format!("type({})%{}", self.derived(id).name, component.name);
        let part = Designator { text, ty: component.ty, shape: &[], procedure: false, ..place.clone() };
        if component.procedure {
            return Ok(GraphPartKind::Procedure);
        }
        self.refuse_type(&part)?;
        let rank = component.shape.len() as u32;
        if component.pointer || component.allocatable {
            return match component.ty {
                Type::Derived(inner) => Ok(GraphPartKind::PointerOf { number: number_of(inner, ids), rank }),
                ty => {
                    let code = ty.code().ok_or_else(|| self.no_code(&part))?;
                    Ok(GraphPartKind::Pointer { code, rank })
                }
            };
        }
        let extents: Option<Vec<i128>> =
            self.extents(self.derived(id).scope, component.shape).into_iter().collect();
        let count = extents.and_then(|extents| {
            let product =
                extents.iter().try_fold(1_i128, |product, &extent| product.checked_mul(extent.max(0)));
            u64::try_from(product?).ok()
        });
        let count = count.ok_or_else(|| {
            self.cannot(&part, "its bounds are not constant", "declare it with constant bounds")
        })?;
        match component.ty {
            Type::Derived(inner) => Ok(GraphPartKind::Inside { number: number_of(inner, ids), count }),
            Type::Character { length: Length::Known(length), .. } => {
                let code = component.ty.code().ok_or_else(|| self.no_code(&part))?;
                Ok(GraphPartKind::Plain { code, count: count.saturating_mul(length) })
            }
            Type::Character { .. } => {
                Err(self.cannot(&part, "its length is not constant", "declare it with a constant length"))
            }
            ty => Ok(GraphPartKind::Plain { code: ty.code().ok_or_else(|| self.no_code(&part))?, count }),
        }
    }

    /// The name of a type with that of its module or procedure, so that different types have different names.
    fn qualified(&self, id: TypeId) -> String {
        let derived = self.derived(id);
        let home = &self.scope(derived.scope).name;
        if home.is_empty() {
            derived.name.clone()
        } else {
            format!("{home}%{}", derived.name)
        }
    }
}

/// The number of a type among those of a graph, from 1.
fn number_of(id: TypeId, ids: &mut Vec<TypeId>) -> u32 {
    let index = ids.iter().position(|&known| known == id).unwrap_or_else(|| {
        ids.push(id);
        ids.len() - 1
    });
    index as u32 + 1
}
