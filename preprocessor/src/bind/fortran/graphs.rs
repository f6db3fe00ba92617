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
use super::ids::{ScopeId, SymbolId, TypeId};
use super::items::{
    Element, Item, ItemKind, ReachedPart, ReachedPartKind, ReachedType, ReachedTypes, Record, RootForm,
};
use super::types::{derived_of, Component, Length, Type};

/// How many types a graph may have.
const MOST_TYPES: usize = 1024;
/// The type of the hidden length of a character component with `len=:`, which has the size of an address.
const LENGTH_CODE: &str = "CPPC_LONG";

/// The types of elements that a pointer with gaps may have.
const GAPPED_CODES: [&str; 12] = [
    "CPPC_INTEGER_1",
    "CPPC_INTEGER_2",
    "CPPC_INTEGER_4",
    "CPPC_INTEGER_8",
    "CPPC_REAL_4",
    "CPPC_REAL_8",
    "CPPC_COMPLEX_4",
    "CPPC_COMPLEX_8",
    "CPPC_LOGICAL_1",
    "CPPC_LOGICAL_2",
    "CPPC_LOGICAL_4",
    "CPPC_LOGICAL_8",
];

impl<'a> Bound<'a> {
    /// The root of a graph. None if the place can be registered without one.
    pub(super) fn graph_root(&self, place: &Designator<'a>) -> Result<Option<Item>, Diagnostic> {
        if let Some(item) = self.pointer_with_gaps(place) {
            return Ok(Some(item));
        }
        let is_root = match place.ty {
            Type::Derived(id) => {
                self.needs_graph(place.pointer, place.allocatable || !place.shape.is_empty(), id)
                    || self.has_hidden_components(place.scope, id, &mut FxHashSet::default())
            }
            Type::Class(_) => true,
            _ => false,
        };
        if !is_root {
            return Ok(None);
        }
        let count = self.count_of(&self.counted(place));
        let item = self.root_with_count(place, count)?;
        Ok(Some(Item { shape: self.shape_of(&self.counted(place)), ..item }))
    }

    /// A root that consists of so many elements.
    pub(super) fn root_with_count(&self, place: &Designator<'a>, count: String) -> Result<Item, Diagnostic> {
        self.refuse_type(place)?;
        let graph = self.graph(place)?;
        let name = derived_of(place.ty).map_or("class(*)".to_owned(), |id| self.qualified(id));
        let element = Element::Record(Arc::new(Record { name, fields: Vec::new() }));
        let item = self.item(place, element, count);
        let is_in_place = graph.form == RootForm::InPlace;
        let kind = if is_in_place && !place.shape.is_empty() { ItemKind::Array } else { ItemKind::Scalar };
        let gaps = item.gaps && is_in_place;
        // The runtime reads the descriptor, so it does not matter whether the pointer was set.
        Ok(Item { kind, gaps, pointer: false, graph: Some(Arc::new(graph)), ..item })
    }

    /// A pointer to numbers that may have gaps between them. The runtime reads and sets its descriptor.
    fn pointer_with_gaps(&self, place: &Designator<'a>) -> Option<Item> {
        let symbol = self.symbol(place.root);
        let is_gapped = match place.text.rsplit_once('%') {
            Some((_, component)) => self.gapped_pointers.has_component(place.home, component.trim()),
            None => self.gapped_pointers.has_variable(place.root) && !symbol.is.contiguous,
        };
        let code = place.ty.code().filter(|code| GAPPED_CODES.contains(code))?;
        if !is_gapped || !place.pointer || place.shape.is_empty() {
            return None;
        }
        let rank = place.shape.len() as u32;
        let kind = ReachedPartKind::Pointer { code, rank };
        Some(self.root_of_pointer(place, kind, RootForm::Elements { rank, code }))
    }

    /// A pointer to a procedure.
    pub(super) fn procedure_root(&self, place: &Designator<'a>) -> Item {
        self.root_of_pointer(place, ReachedPartKind::Procedure, RootForm::Procedure)
    }

    /// The runtime sees a structure that consists of the pointer.
    fn root_of_pointer(&self, place: &Designator<'a>, kind: ReachedPartKind, form: RootForm) -> Item {
        let part = ReachedPart { name: place.name.clone(), kind };
        let name = format!("pointer {}", place.name);
        // The type has no name in the program.
        let descriptor = ReachedType {
            id: TypeId(0),
            name: name.clone(),
            type_name: None,
            parts: vec![part],
            is_dynamic: false,
            is_abstract: false,
        };
        let graph = ReachedTypes { form, types: vec![descriptor], is_any: false, has_any: false };
        let element = Element::Record(Arc::new(Record { name, fields: Vec::new() }));
        let item = self.item(place, element, "1".to_owned());
        let graph = Some(Arc::new(graph));
        Item { kind: ItemKind::Scalar, gaps: false, pointer: false, graph, ..item }
    }

    /// Whether a type has private components that the scope cannot name, also in other components.
    fn has_hidden_components(&self, scope: ScopeId, id: TypeId, seen: &mut FxHashSet<TypeId>) -> bool {
        seen.insert(id)
            && !self.is_opaque(id)
            && self.components_of(id).iter().any(|component| {
                let home = self.component_of(id, &component.name).map_or(id, |(_, home)| home);
                let inner = match component.ty {
                    Type::Derived(inner) => self.has_hidden_components(scope, inner, seen),
                    _ => false,
                };
                inner || self.is_hidden(scope, home, component)
            })
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
                Type::Class(_) => true,
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
        match symbol.ty {
            Type::Derived(id) => self.needs_graph(symbol.is.pointer, is_array, id),
            Type::Class(_) => symbol.is.pointer || symbol.is.allocatable,
            _ => symbol.is.pointer && self.gapped_pointers.has_variable(variable),
        }
    }

    /// Whether an element of the type contains pointers, also through allocatable components.
    fn has_pointers(&self, id: TypeId, seen: &mut FxHashSet<TypeId>) -> bool {
        seen.insert(id)
            && self.components_of(id).iter().any(|component| match component.ty {
                _ if component.pointer || component.procedure => true,
                Type::Class(_) => true,
                Type::Derived(inner) => self.has_pointers(inner, seen),
                _ => false,
            })
    }

    fn graph(&self, place: &Designator<'a>) -> Result<ReachedTypes, Diagnostic> {
        let rank = place.shape.len() as u32;
        let form = match (place.ty, place.pointer, place.allocatable) {
            (Type::Class(_), _, _) if rank > 0 => {
                let help = "make it a component of a derived type, and register a variable of that type";
                return Err(self.cannot(place, "the compiler passes a copy of a polymorphic array", help));
            }
            (Type::Class(None), false, false) => {
                let help = "register it where it is declared";
                return Err(self.cannot(place, "the length of a text is not part of its type", help));
            }
            (Type::Class(Some(_)), false, false) => RootForm::Passed,
            (Type::Class(_), is_pointer, _) => RootForm::Polymorphic { is_pointer },
            (_, true, _) => RootForm::Pointer { rank },
            (_, false, true) => RootForm::Allocatable { rank },
            (_, false, false) => RootForm::InPlace,
        };
        let reached = self.reached(place, &[place.ty], false)?;
        let is_any = place.ty == Type::Class(None);
        let has_name = || reached.types.first().is_some_and(|found| found.type_name.is_some());
        if form != RootForm::InPlace && !is_any && !has_name() {
            let name = derived_of(place.ty).map_or("*", |id| &self.derived(id).name);
            let message = format!("the type `{name}` of `{}` has no name here", place.text);
            return Err(Diagnostic::error("C0454", place.span, message)
                .because("generated code declares a variable of this type")
                .help(format!(
                    "register `{}` where `{name}` is visible, for example in its module",
                    place.text
                )));
        }
        Ok(ReachedTypes { form, types: reached.types, is_any, has_any: reached.has_any })
    }

    /// The types that variables of these types reach. Dynamic types that cannot be described are left out: the runtime refuses
    /// a variable that has one of them. If `is_optional` is true, so are declared types.
    pub(super) fn reached(
        &self,
        place: &Designator<'a>,
        from: &[Type],
        is_optional: bool,
    ) -> Result<Reached, Diagnostic> {
        let mut refused = FxHashSet::default();
        let mut reached = loop {
            match self.reached_without(place, from, is_optional, &refused) {
                Ok(reached) => break reached,
                Err(refusal) => match refusal.because_of {
                    Some(id) if refused.insert(id) => {}
                    _ => return Err(refusal.diagnostic),
                },
            }
        };
        for (found, is_dynamic) in reached.types.iter_mut().zip(&reached.dynamic) {
            found.is_dynamic = *is_dynamic && found.type_name.is_some();
        }
        Ok(reached)
    }

    fn reached_without(
        &self,
        place: &Designator<'a>,
        from: &[Type],
        is_optional: bool,
        refused: &FxHashSet<TypeId>,
    ) -> Result<Reached, Box<Refusal>> {
        let mut reached = Reached::at(place.scope);
        for &ty in from {
            reached.because_of = derived_of(ty).filter(|_| is_optional);
            match ty {
                Type::Derived(id) => drop(reached.number(id)),
                ty => self.reach_dynamic(ty, &mut reached, refused),
            }
        }
        while let Some(&next) = reached.ids.get(reached.types.len()) {
            reached.because_of = reached.origins[reached.types.len()];
            let refuse = |diagnostic, because_of| Box::new(Refusal { diagnostic, because_of });
            let found = self.graph_type(place, next, &mut reached, refused);
            let found = found.map_err(|diagnostic| refuse(diagnostic, reached.because_of))?;
            reached.types.push(found);
            if reached.types.len() > MOST_TYPES {
                let help = "register the components that matter";
                return Err(refuse(self.cannot(place, "it has too many types", help), None));
            }
        }
        Ok(reached)
    }

    /// Adds the types that a polymorphic variable may have.
    fn reach_dynamic(&self, declared: Type, reached: &mut Reached, refused: &FxHashSet<TypeId>) {
        if let Some(id) = derived_of(declared).filter(|id| !refused.contains(id)) {
            reached.number(id);
        }
        reached.has_any |= derived_of(declared).is_none();
        for id in (0..self.types.len() as u32).map(TypeId) {
            let derived = self.derived(id);
            let is_possible = derived_of(declared).is_none_or(|ancestor| self.extends(id, ancestor))
                && derived.extensible
                && !(derived.opaque || derived.handle || derived.parameterized)
                && !refused.contains(&id)
                && self.type_name(reached.place_scope, id).is_some();
            if is_possible {
                let before = reached.because_of.replace(id);
                let number = reached.number(id);
                reached.dynamic[number as usize - 1] = true;
                reached.because_of = before;
            }
        }
    }

    fn graph_type(
        &self,
        place: &Designator<'a>,
        id: TypeId,
        reached: &mut Reached,
        refused: &FxHashSet<TypeId>,
    ) -> Result<ReachedType, Diagnostic> {
        let derived = self.derived(id);
        let mut parts = Vec::new();
        if let Some(parent) = derived.parent {
            let kind = ReachedPartKind::Inside { number: reached.number(parent), count: 1 };
            parts.push(ReachedPart { name: self.derived(parent).name.clone(), kind });
        }
        for component in &derived.components {
            let kind = self.graph_part(place, id, component, reached, refused)?;
            parts.push(ReachedPart { name: component.name.clone(), kind });
        }
        for component in &derived.components {
            if matches!(component.ty, Type::Character { length: Length::Deferred, .. }) {
                let kind = ReachedPartKind::Plain { code: LENGTH_CODE, count: 1 };
                parts.push(ReachedPart { name: format!("_{}_length", component.name), kind });
            }
        }
        let type_name = self.type_name(place.scope, id);
        Ok(ReachedType {
            id,
            name: self.qualified(id),
            type_name,
            parts,
            is_dynamic: false,
            is_abstract: derived.is_abstract,
        })
    }

    fn graph_part(
        &self,
        place: &Designator<'a>,
        id: TypeId,
        component: &Component<'a>,
        reached: &mut Reached,
        refused: &FxHashSet<TypeId>,
    ) -> Result<ReachedPartKind, Diagnostic> {
        let text = format!("type({})%{}", self.derived(id).name, component.name);
        let part = Designator { text, ty: component.ty, shape: &[], procedure: false, ..place.clone() };
        if component.procedure {
            return Ok(ReachedPartKind::Procedure);
        }
        self.refuse_type(&part)?;
        let rank = component.shape.len() as u32;
        if component.pointer || component.allocatable {
            return match component.ty {
                Type::Derived(inner) => {
                    Ok(ReachedPartKind::PointerOf { number: reached.number(inner), rank })
                }
                Type::Class(declared) => {
                    self.reach_dynamic(component.ty, reached, refused);
                    let number = declared.map_or(0, |id| reached.number(id));
                    Ok(ReachedPartKind::Polymorphic { number, rank })
                }
                ty => {
                    let code = ty.code().ok_or_else(|| self.no_code(&part))?;
                    Ok(ReachedPartKind::Pointer { code, rank })
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
            Type::Derived(inner) => Ok(ReachedPartKind::Inside { number: reached.number(inner), count }),
            Type::Character { length: Length::Known(length), .. } => {
                let code = component.ty.code().ok_or_else(|| self.no_code(&part))?;
                Ok(ReachedPartKind::Plain { code, count: count.saturating_mul(length) })
            }
            Type::Character { .. } => {
                Err(self.cannot(&part, "its length is not constant", "declare it with a constant length"))
            }
            ty => Ok(ReachedPartKind::Plain { code: ty.code().ok_or_else(|| self.no_code(&part))?, count }),
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

/// The types that a root reaches.
pub(super) struct Reached {
    place_scope: ScopeId,
    ids: Vec<TypeId>,
    /// For each of them, the dynamic type for which it is needed, if only that needs it.
    origins: Vec<Option<TypeId>>,
    /// Which of them may be dynamic types.
    dynamic: Vec<bool>,
    pub(super) types: Vec<ReachedType>,
    /// The dynamic type whose parts are added.
    because_of: Option<TypeId>,
    has_any: bool,
}

impl Reached {
    fn at(place_scope: ScopeId) -> Reached {
        let (ids, origins, dynamic) = (Vec::new(), Vec::new(), Vec::new());
        Reached { place_scope, ids, origins, dynamic, types: Vec::new(), because_of: None, has_any: false }
    }

    /// The number of a type, from 1.
    fn number(&mut self, id: TypeId) -> u32 {
        let index = self.ids.iter().position(|&known| known == id).unwrap_or_else(|| {
            self.ids.push(id);
            self.origins.push(self.because_of);
            self.dynamic.push(false);
            self.ids.len() - 1
        });
        index as u32 + 1
    }
}

/// Why a type cannot be described.
struct Refusal {
    diagnostic: Diagnostic,
    /// Only this dynamic type needs it.
    because_of: Option<TypeId>,
}
