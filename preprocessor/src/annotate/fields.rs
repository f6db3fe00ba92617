//! The fields of a structure of C as items of `register`.
//!
//! Input: a variable, and bytes that are not registered.
//! Output: items.
//! Postcondition: no item contains a handle or one of these bytes.

use cppc_source::Span;

use super::c::CSource;
use crate::bind::c::{Kind, RecordId};

impl CSource<'_> {
    pub(super) fn fields_of_variable(
        &self,
        declared: Span,
        name: &str,
        except: &[(u64, u64)],
    ) -> Vec<String> {
        let (bound, names) = (&self.unit.bound, &self.unit.preprocessed.names);
        let symbol = bound.symbols.iter().find(|symbol| {
            names.text(symbol.name) == name && self.spans.start(symbol.declared) == Some(declared.start)
        });
        let mut items = Vec::new();
        if let Some(Kind::Record(record)) = symbol.map(|symbol| &symbol.ty.kind) {
            self.add_fields(*record, 0, name, except, &mut items);
        }
        items
    }

    fn add_fields(
        &self,
        record: RecordId,
        start: u64,
        prefix: &str,
        except: &[(u64, u64)],
        items: &mut Vec<String>,
    ) {
        let (bound, names) = (&self.unit.bound, &self.unit.preprocessed.names);
        let found = bound.tables.record(record);
        let (Some(fields), Some(bits)) = (&found.fields, bound.field_positions(record)) else { return };
        for (field, bit) in fields.iter().zip(bits) {
            let first = start + bit / 8;
            let end = bound.size_of(&field.ty).map_or(u64::MAX, |size| first + size);
            let is_excepted = except.iter().any(|(from, to)| *from < end && first < *to);
            let path = match field.name {
                Some(name) => format!("{prefix}.{}", names.text(name)),
                None => prefix.to_owned(),
            };
            let has_handle = bound.has_mpi_handle(&field.ty, names);
            match &field.ty.kind {
                Kind::Record(inner)
                    if !found.union && (is_excepted || has_handle || field.name.is_none()) =>
                {
                    self.add_fields(*inner, first, &path, except, items);
                }
                _ if is_excepted || has_handle || field.name.is_none() => {}
                Kind::Pointer(_) => items.push(format!("{path}[0]")),
                _ => items.push(path),
            }
        }
    }
}
