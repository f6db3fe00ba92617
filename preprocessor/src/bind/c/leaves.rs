//! The fields of a structure for `CPPC_Define_type`.
//!
//! Input: a structure, and the unions in it whose members are selected.
//! Output: its leaves. Nested structures and arrays are flattened where `offsetof` and `sizeof` can name them.
//! Postcondition: None if a part of it cannot be described.

use cppc_abi::types as codes;
use cppc_grammar::c::token::Preprocessed;
use cppc_grammar::c::tree::Basic;

use super::bound::Bound;
use super::ids::RecordId;
use super::items::{Element, Leaf, LeafForm, SelectedUnion, Selections};
use super::layout::layout;
use super::spell_type::{element_in, vector_elements};
use super::types::{ArrayLength, Field, Kind, Type};

/// Leaves of unnamed structures in arrays are named one by one, up to this many.
const LEAVES_LIMIT: usize = 4096;

impl Bound {
    /// The fields of a structure.
    pub fn leaves(
        &self,
        record: RecordId,
        preprocessed: &Preprocessed,
        selections: &Selections,
    ) -> Option<Vec<Leaf>> {
        let mut collector = Collector { bound: self, preprocessed, selections, found: Vec::new() };
        match selections.of(record, None) {
            Some(selected) => collector.members(selected, record, "", None)?,
            None => collector.record(record, "")?,
        }
        Some(collector.found)
    }
}

struct Collector<'a> {
    bound: &'a Bound,
    preprocessed: &'a Preprocessed,
    selections: &'a Selections,
    found: Vec<Leaf>,
}

impl Collector<'_> {
    fn record(&mut self, id: RecordId, prefix: &str) -> Option<()> {
        let (bound, selections) = (self.bound, self.selections);
        for (index, field) in bound.tables.record(id).fields.as_ref()?.iter().enumerate() {
            match (selections.of(id, Some(index)), &field.ty.kind) {
                (Some(selected), Kind::Record(union)) => {
                    let name = field.name.map(|name| self.preprocessed.names.text(name));
                    let inner = name.map_or(prefix.to_owned(), |name| format!("{prefix}{name}."));
                    self.members(selected, *union, &inner, Some((id, prefix)))?;
                }
                _ => self.field(field, prefix, false)?,
            }
            if self.found.len() > LEAVES_LIMIT {
                return None;
            }
        }
        Some(())
    }

    /// The members of a union, each with its condition. `owner` is the structure with the integer, and the prefix of its
    /// fields; none if the integer is a variable.
    fn members(
        &mut self,
        selected: &SelectedUnion,
        union: RecordId,
        prefix: &str,
        owner: Option<(RecordId, &str)>,
    ) -> Option<()> {
        let bound = self.bound;
        let members = bound.tables.record(union).fields.as_ref()?;
        let integer = format!("{}{}", owner.map_or("", |(_, prefix)| prefix), selected.integer);
        for (value, member) in &selected.cases {
            let start = self.found.len();
            match (member, owner) {
                (Some(member), _) => self.field(members.get(*member)?, prefix, true)?,
                // The union has no content. The integer itself stands for it.
                (None, Some((id, prefix))) => {
                    let name = self.preprocessed.names.find(&selected.integer)?;
                    self.field(bound.tables.field(id, name)?, prefix, false)?;
                }
                (None, None) => return None,
            }
            for leaf in &mut self.found[start..] {
                if leaf.condition.is_some() {
                    return None;
                }
                leaf.condition = Some(format!(" if {integer} == {value}"));
            }
        }
        Some(())
    }

    /// `as_one`: a structure with a name is one leaf.
    fn field(&mut self, field: &Field, prefix: &str, as_one: bool) -> Option<()> {
        let bound = self.bound;
        let path = match field.name {
            Some(name) => format!("{prefix}{}", self.preprocessed.names.text(name)),
            None => prefix.trim_end_matches('.').to_owned(),
        };
        let (leaf, count) = flattened(&field.ty);
        // A flexible member is the business of whoever allocated it.
        let Some(count) = count else { return Some(()) };
        let part = element_in(leaf, &bound.tables, self.selections);
        if field.bits.is_some() {
            let is_bool = matches!(field.ty.kind, Kind::Basic(Basic::Bool));
            // An unnamed one is padding.
            if field.name.is_some() {
                self.push(path, part?, count, leaf.unqualified(), LeafForm::Bits { is_bool });
            }
            return Some(());
        }
        if let Some((element, elements)) = vector_elements(leaf, &bound.tables) {
            let count = count.checked_mul(elements)?;
            self.push(path, Element::Code(element), count, leaf.unqualified(), LeafForm::Whole);
            return Some(());
        }
        let is_array = field.ty.is_array();
        match (part, field.name) {
            (Some(Element::Record(inner)), None) => self.record(inner, prefix)?,
            (Some(Element::Record(inner)), Some(_))
                if !is_array && (!as_one || is_nameless(inner, bound)) =>
            {
                self.record(inner, &format!("{path}."))?;
            }
            (Some(Element::Record(inner)), Some(_)) if is_nameless(inner, bound) => {
                if count > LEAVES_LIMIT as u64 {
                    return None;
                }
                for index in 0..count {
                    let path = format!("{path}{}", subscripts(&field.ty, index));
                    self.record(inner, &format!("{path}."))?;
                }
            }
            (Some(element @ Element::Code(codes::BYTE)), _) => {
                let count = layout(&field.ty, &bound.tables)?.size;
                self.push(path, element, count, field.ty.clone(), LeafForm::Whole);
            }
            (Some(element), _) => self.push(path, element, count, leaf.unqualified(), LeafForm::Whole),
            // A pointer to a function: code has another address in every run, so only null could travel.
            (None, _) if leaf.is_pointer() => {
                let element = Element::Code(codes::POINTER);
                self.push(path, element, count, leaf.unqualified(), LeafForm::Whole);
            }
            (None, _) => return None,
        }
        Some(())
    }

    fn push(&mut self, path: String, element: Element, count: u64, ty: Type, form: LeafForm) {
        self.found.push(Leaf { path, element, count, ty, form, condition: None });
    }
}

fn is_nameless(id: RecordId, bound: &Bound) -> bool {
    let record = bound.tables.record(id);
    record.tag.is_none() && record.typedef.is_none()
}

/// The innermost element, and how many there are; no count when a length is not known.
fn flattened(ty: &Type) -> (&Type, Option<u64>) {
    match &ty.kind {
        Kind::Array { element, size } => {
            let (leaf, count) = flattened(element);
            let length = match size {
                ArrayLength::Known(length) => Some(*length),
                _ => None,
            };
            (leaf, count.and_then(|count| count.checked_mul(length?)))
        }
        _ => (ty, Some(1)),
    }
}

/// The subscripts of the element with this number, counted through all lengths.
fn subscripts(ty: &Type, index: u64) -> String {
    let Kind::Array { element, .. } = &ty.kind else { return String::new() };
    let inner = flattened(element).1.unwrap_or(1).max(1);
    format!("[{}]{}", index / inner, subscripts(element, index % inner))
}
