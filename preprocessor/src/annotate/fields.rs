//! The fields of a structure of C as items of `register`.
//!
//! Input: a variable, bytes that are not registered, and those of pointers to graphs.
//! Output: items.
//! Postcondition: no item contains a handle or one of these bytes.

use std::collections::{BTreeMap, BTreeSet};

use cppc_source::Span;

use super::c::CSource;
use super::field_bytes::FieldBytes;
use super::ROOT;
use crate::bind::c::{Kind, RecordId};

/// All elements of an array. The field after it is registered in each element.
const ALL: &str = "[:]";

impl CSource<'_> {
    pub(super) fn fields_of_variable(&self, declared: Span, name: &str, bytes: &FieldBytes) -> Vec<String> {
        let (bound, names) = (&self.unit.bound, &self.unit.preprocessed.names);
        let symbol = bound.symbols.iter().find(|symbol| {
            names.text(symbol.name) == name && self.spans.start(symbol.declared) == Some(declared.start)
        });
        let Some(ty) = symbol.map(|symbol| &symbol.ty) else { return Vec::new() };
        let mut items = Vec::new();
        match &ty.kind {
            Kind::Record(record) => self.add_fields(*record, 0, name, bytes, &mut items),
            Kind::Array { element, .. } => {
                if let (Kind::Record(record), Some(size)) = (&element.kind, bound.size_of(element)) {
                    let bytes = FieldBytes {
                        except: in_element(&bytes.except, size),
                        roots: in_element(&bytes.roots, size),
                        needed: in_element(&bytes.needed, size),
                        statements: BTreeMap::new(),
                    };
                    self.add_fields(*record, 0, &format!("{name}{ALL}"), &bytes, &mut items);
                }
            }
            _ => {}
        }
        items
    }

    fn add_fields(
        &self,
        record: RecordId,
        start: u64,
        prefix: &str,
        bytes: &FieldBytes,
        items: &mut Vec<String>,
    ) {
        let (bound, names) = (&self.unit.bound, &self.unit.preprocessed.names);
        let found = bound.tables.record(record);
        let (Some(fields), Some(bits)) = (&found.fields, bound.field_positions(record)) else { return };
        for (field, bit) in fields.iter().zip(bits) {
            let first = start + bit / 8;
            let end = bound.size_of(&field.ty).map_or(u64::MAX, |size| first + size);
            let is_in = |ranges: &[(u64, u64)]| ranges.iter().any(|(from, to)| *from < end && first < *to);
            let (is_excepted, is_root) = (is_in(&bytes.except), is_in(&bytes.roots));
            if field.ty.leaf_element().is_pointer() && !is_in(&bytes.needed) {
                continue;
            }
            let path = match field.name {
                Some(name) => format!("{prefix}.{}", names.text(name)),
                None => prefix.to_owned(),
            };
            let has_handle = bound.has_mpi_handle(&field.ty, names);
            match &field.ty.kind {
                Kind::Record(inner)
                    if !(found.union || is_root && bound.tables.record(*inner).union)
                        && (is_excepted || is_root || has_handle || field.name.is_none()) =>
                {
                    self.add_fields(*inner, first, &path, bytes, items);
                }
                _ if is_excepted || has_handle || field.name.is_none() => {}
                // The check reports a pointer in a union, or in an array of structures.
                Kind::Record(_) if is_root => {}
                _ if is_root && path.contains(ALL) => {}
                _ if is_root && field.ty.leaf_element().is_pointer() => {
                    let statements: BTreeSet<&str> =
                        bytes.statements.range(first..end).map(|(_, text)| text.as_str()).collect();
                    items.push(format!("{ROOT}{path}{})", statements.into_iter().collect::<String>()));
                }
                Kind::Pointer(target)
                    if !path.contains(ALL) && !matches!(target.kind, Kind::Function { .. }) =>
                {
                    items.push(format!("{path}[0]"));
                }
                _ => items.push(path),
            }
        }
    }
}

/// The bytes that are excepted in at least one element of an array, from the beginning of the element.
fn in_element(except: &[(u64, u64)], size: u64) -> Vec<(u64, u64)> {
    let mut found = Vec::new();
    for (from, to) in except {
        let length = to.saturating_sub(*from);
        if length >= size {
            return vec![(0, size)];
        }
        let first = from % size;
        found.extend([(first, first + length), (0, (first + length).saturating_sub(size))]);
    }
    found
}
