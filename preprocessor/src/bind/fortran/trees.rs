//! Trees: arrays and allocatables of derived types, with the allocatable components of their elements.
//!
//! Input: a place of a derived type.
//! Output: one item with its parts, or what is wrong with a component.
//! Postcondition: the parts of an item are all components of its elements whose memory is elsewhere, and the arrays within an
//! element that have such components. The texts of a part contain `AT` for each subscript. The depth of a recursive type is
//! not known, so its elements are nodes, which are visited one after the other.

use std::collections::BTreeSet;

use cppc_grammar::fortran::tree::Bound as Extent;
use cppc_source::Diagnostic;

use super::bound::Bound;
use super::components::{Allocatables, Designator};
use super::ids::TypeId;
use super::items::{Element, Item, Tree};
use super::nodes::{element_of, Walked};
use super::types::Type;

/// Types nest no deeper.
const DEEPEST: usize = 16;

impl<'a> Bound<'a> {
    /// The tree of a place. None if it is a scalar in place, or if its memory contains all components.
    pub(super) fn tree(&self, place: &Designator<'a>) -> Result<Option<Item>, Diagnostic> {
        let Type::Derived(id) = place.ty else { return Ok(None) };
        let is_in_place = !place.allocatable && !place.pointer;
        let is_assumed_size = place.shape.iter().any(|bound| matches!(bound, Extent::AssumedSize { .. }));
        if place.pointer
            || is_assumed_size
            || (is_in_place && place.shape.is_empty())
            || (is_in_place && !self.has_allocatables(id))
        {
            return Ok(None);
        }
        self.refuse_type(place)?;
        let mut walked = Walked::default();
        let whole = self.node(place, id, 0, &mut walked).and_then(|mut item| {
            let nodes = self.node_kinds(place, &mut walked)?;
            item.tree.iter_mut().for_each(|tree| tree.nodes.clone_from(&nodes));
            Ok(item)
        });
        let mut item = whole.map_err(|found| self.in_words_of_the_source(found, &walked))?;
        let is_automatic = item.automatic;
        set_automatic(&mut item, is_automatic);
        Ok(Some(item))
    }

    /// Whether the memory of a component is elsewhere.
    pub(super) fn has_allocatables(&self, id: TypeId) -> bool {
        let (mut waiting, mut seen) = (vec![id], BTreeSet::from([id]));
        while let Some(id) = waiting.pop() {
            for component in self.components_of(id) {
                match component.ty {
                    _ if component.allocatable => return true,
                    Type::Derived(inner) if !component.pointer && seen.insert(inner) => waiting.push(inner),
                    _ => {}
                }
            }
        }
        false
    }

    fn check_depth(&self, place: &Designator<'a>, walked: &Walked<'a>) -> Result<(), Diagnostic> {
        if walked.depth > DEEPEST {
            return Err(self.cannot(
                place,
                "its types are nested too deeply",
                "register the components that matter by name",
            ));
        }
        Ok(())
    }

    /// An array or an allocatable of a derived type.
    fn node(
        &self,
        place: &Designator<'a>,
        id: TypeId,
        level: u32,
        walked: &mut Walked<'a>,
    ) -> Result<Item, Diagnostic> {
        self.check_depth(place, walked)?;
        let item = self.whole_array(place)?;
        walked.depth += 1;
        let mut parts = Vec::new();
        self.parts(&element_of(place, level), id, level + place.shape.len() as u32, walked, &mut parts)?;
        walked.depth -= 1;
        let rank = place.shape.len() as u32;
        Ok(Item { tree: Some(Tree::new(level, rank, id, parts)), ..item })
    }

    /// The item of an array, still without its parts.
    fn whole_array(&self, place: &Designator<'a>) -> Result<Item, Diagnostic> {
        let element = self.element_with(place, Allocatables::Separate)?;
        let counted = self.counted(place);
        let item = self.item(place, element, self.count_of(&counted));
        Ok(Item { shape: self.shape_of(&counted), ..item })
    }

    /// An allocatable component of a recursive type. Its elements are visited later.
    fn later(
        &self,
        place: &Designator<'a>,
        id: TypeId,
        level: u32,
        walked: &mut Walked<'a>,
    ) -> Result<Item, Diagnostic> {
        let item = self.whole_array(place)?;
        let (rank, later) = (place.shape.len() as u32, Some(walked.kind_of(id, place)));
        let tree = Tree { later, ..Tree::new(level, rank, id, Vec::new()) };
        Ok(Item { tree: Some(tree), ..item })
    }

    /// The parts of an element.
    pub(super) fn parts(
        &self,
        element: &Designator<'a>,
        id: TypeId,
        level: u32,
        walked: &mut Walked<'a>,
        parts: &mut Vec<Item>,
    ) -> Result<(), Diagnostic> {
        for component in self.components_of(id) {
            let part = self.component_place(element, id, &component.name)?;
            match component.ty {
                // A pointer was refused with the description of the element.
                _ if component.pointer || component.procedure => {}
                Type::Derived(inner) if component.allocatable => {
                    self.refuse_type(&part)?;
                    parts.push(match self.is_recursive(inner) {
                        true => self.later(&part, inner, level, walked)?,
                        false => self.node(&part, inner, level, walked)?,
                    });
                }
                Type::Derived(inner) if self.has_allocatables(inner) => {
                    if component.shape.is_empty() {
                        // A structure that contains itself is a mistake, which the compiler reports.
                        self.check_depth(&part, walked)?;
                        walked.depth += 1;
                        self.parts(&part, inner, level, walked, parts)?;
                        walked.depth -= 1;
                    } else {
                        let mut node = self.node(&part, inner, level, walked)?;
                        if let Some(tree) = &mut node.tree {
                            tree.is_inside = true;
                        }
                        parts.push(node);
                    }
                }
                _ if component.allocatable => {
                    self.refuse_type(&part)?;
                    let counted = self.counted(&part);
                    let Some(code) = part.ty.code() else { return Err(self.no_code(&part)) };
                    parts.push(self.item(&part, Element::Code(code), self.count_of(&counted)));
                }
                _ => {}
            }
        }
        Ok(())
    }
}

/// The error for a tree in an element that is registered by itself, or in a capture.
pub(super) fn tree_of_element(item: &Item, is_captured: bool) -> Diagnostic {
    let message =
        format!("`{}` is of a derived type, and its components have memory of their own", item.lvalue);
    let diagnostic = Diagnostic::error("C0450", item.span, message);
    match is_captured {
        true => diagnostic
            .because("a captured value is a copy without this memory")
            .help("register it, or capture the values that the block needs"),
        false => diagnostic
            .because("it is a part of an element whose subscripts are computed")
            .help("register the whole array: all components are saved with it"),
    }
}

/// The registers of a tree end together.
fn set_automatic(item: &mut Item, is_automatic: bool) {
    item.automatic = is_automatic;
    if let Some(tree) = &mut item.tree {
        let nodes = tree.nodes.iter_mut().map(|kind| &mut kind.item);
        tree.parts.iter_mut().chain(nodes).for_each(|part| set_automatic(part, is_automatic));
    }
}
