//! How large types are on LP64, for constant expressions only: generated code says `sizeof`.
//!
//! Input: a type.
//! Output: its size and alignment in bytes.
//! Postcondition: None wherever an attribute or a bound makes us unsure.

use cppc_grammar::c::tree::Basic;

use super::operators::width;
use super::types::{ArrayLength, Extent, Field, Kind, Layout, Record, Tables, Type};

impl Extent {
    /// The fields' structures have theirs.
    pub fn of(record: &Record, tables: &Tables) -> Extent {
        let fields = record.fields.as_deref().unwrap_or_default();
        let inner = fields.iter().filter_map(|field| match field.ty.leaf_element().kind {
            Kind::Record(id) => Some(tables.record(id).extent),
            _ => None,
        });
        let (mut members, mut depth) = (fields.len() as u64, 0);
        for extent in inner {
            members = members.saturating_add(extent.members);
            depth = depth.max(extent.depth);
        }
        Extent { layout: of_record(record, tables), members, depth: depth + 1 }
    }
}

pub fn layout(ty: &Type, tables: &Tables) -> Option<Layout> {
    match &ty.kind {
        Kind::Basic(basic) => of_basic(*basic),
        Kind::Enum(id) => of_basic(tables.enumeration(*id).compatible),
        Kind::Pointer(_) | Kind::Null => Some(Layout { size: 8, align: 8 }),
        Kind::Array { element, size: ArrayLength::Known(length) } => {
            let element = layout(element, tables)?;
            Some(Layout { size: element.size.checked_mul(*length)?, ..element })
        }
        // GNU: `sizeof (void)` and `sizeof` of a function are 1.
        Kind::Void | Kind::Function(_) => Some(Layout { size: 1, align: 1 }),
        Kind::Record(id) => tables.record(*id).extent.layout,
        Kind::VaList => Some(Layout { size: 24, align: 8 }),
        Kind::Unknown | Kind::Array { .. } | Kind::Vector { .. } => None,
    }
}

pub fn of_basic(basic: Basic) -> Option<Layout> {
    let square = |size| Some(Layout { size, align: size });
    if let Some(bits) = width(basic) {
        return square(u64::from(bits / 8));
    }
    match basic {
        Basic::Float => square(4),
        Basic::Double => square(8),
        Basic::LongDouble | Basic::Float128 => square(16),
        Basic::ComplexFloat => Some(Layout { size: 8, align: 4 }),
        Basic::ComplexDouble => Some(Layout { size: 16, align: 8 }),
        Basic::ComplexLongDouble | Basic::ComplexFloat128 => Some(Layout { size: 32, align: 16 }),
        _ => None,
    }
}

fn of_record(record: &Record, tables: &Tables) -> Option<Layout> {
    arranged(record, tables, |_| ())
}

/// The bit at which each field begins.
pub fn positions(record: &Record, tables: &Tables) -> Option<Vec<u64>> {
    let mut starts = Vec::new();
    arranged(record, tables, |start| starts.push(start))?;
    Some(starts)
}

/// Places the fields one after the other. `each` gets the bit at which each of them begins.
fn arranged(record: &Record, tables: &Tables, mut each: impl FnMut(u64)) -> Option<Layout> {
    if record.aligned {
        return None;
    }
    let fields = record.fields.as_ref()?;
    let (mut bits, mut size, mut align) = (0u64, 0u64, 1u64);
    for (index, field) in fields.iter().enumerate() {
        let flexible = index + 1 == fields.len()
            && matches!(field.ty.kind, Kind::Array { size: ArrayLength::Unknown, .. });
        let found = match (flexible, field.ty.target()) {
            (true, Some(element)) => Layout { size: 0, ..layout(element, tables)? },
            _ => layout(&field.ty, tables)?,
        };
        let packed = record.packed || field.packed;
        let field_align = if packed { 1 } else { found.align };
        bits = place(field, found, field_align, packed, if record.union { 0 } else { bits })?;
        let width = field.bits.map_or(found.size.checked_mul(8)?, Option::unwrap_or_default);
        each(bits.checked_sub(width)?);
        // An unnamed bit-field aligns nothing but what follows it.
        if field.bits.is_none() || field.name.is_some() {
            align = align.max(field_align);
        }
        size = size.max(bits.div_ceil(8));
    }
    Some(Layout { size: size.checked_next_multiple_of(align)?, align })
}

/// Places a field behind `bits`; gives where it ends.
fn place(field: &Field, found: Layout, align: u64, packed: bool, bits: u64) -> Option<u64> {
    let unit = found.size.checked_mul(8)?;
    let Some(width) = field.bits else {
        return bits.checked_next_multiple_of(align.checked_mul(8)?)?.checked_add(unit);
    };
    let width = width.filter(|&width| width <= unit && unit > 0)?;
    if width == 0 {
        return bits.checked_next_multiple_of(unit);
    }
    let crosses = !packed && bits / unit != (bits + width - 1) / unit;
    let start = if crosses { bits.checked_next_multiple_of(unit)? } else { bits };
    start.checked_add(width)
}
