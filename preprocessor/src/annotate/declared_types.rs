//! The types of the variables of C, for the pointers to `void` in graphs.
//!
//! Input: the units of a program.
//! Output: for the place of a declaration, the type of the variable, or of what it points to.
//! Postcondition: a type has a text that its unit can use in a directive.

use std::collections::{HashMap, HashSet};

use cppc_source::{FileId, Span};

use crate::bind::c::{ArrayLength, Kind, RecordId, SymbolId, SymbolKind, Type};
use crate::front::c::Unit;
use crate::front::Front;
use crate::model::token_spans::TokenSpans;

/// A type of elements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ElementType {
    pub text: String,
    /// 0 if it is not known.
    pub bytes: u64,
    /// A character may be a part of anything.
    pub is_character: bool,
    /// The pointers to `void` in an element: their bytes and the names of the fields.
    pub untyped: Vec<(u64, u64, String)>,
    /// The bytes of all pointers in an element.
    pub pointers: Vec<(u64, u64)>,
}

impl ElementType {
    /// Whether memory with pointers at these offsets may consist of such elements. `size`: of the memory, if it is known.
    pub fn fits(&self, pointers: &[u64], size: Option<u64>) -> bool {
        let is_pointer = |offset: &u64| {
            let within = offset % self.bytes;
            self.pointers.iter().any(|(start, end)| *start <= within && within < *end)
        };
        self.bytes > 0 && size.is_none_or(|size| size % self.bytes == 0) && pointers.iter().all(is_pointer)
    }
}

/// The type of a variable.
#[derive(Debug, Clone)]
pub enum DeclaredType {
    Pointer(ElementType),
    Other(ElementType),
}

pub struct DeclaredTypes<'a> {
    units: Vec<&'a Unit>,
    /// By the file and the offset of the name.
    symbols: HashMap<(FileId, u32), (usize, SymbolId)>,
    /// The types that two units define in different ways.
    ambiguous: HashSet<String>,
}

impl<'a> DeclaredTypes<'a> {
    pub fn new(front: &'a Front) -> DeclaredTypes<'a> {
        let units: Vec<&Unit> = front.units.iter().filter_map(|unit| unit.as_c()).collect();
        let mut symbols = HashMap::new();
        for (number, unit) in units.iter().enumerate() {
            let spans = TokenSpans { preprocessed: &unit.preprocessed, main: unit.file };
            for (index, symbol) in unit.bound.symbols.iter().enumerate() {
                if symbol.kind == SymbolKind::Variable {
                    if let Some(start) = spans.start(symbol.declared) {
                        symbols.insert((unit.file, start), (number, SymbolId(index as u32)));
                    }
                }
            }
        }
        let mut known: HashMap<String, ElementType> = HashMap::new();
        let mut ambiguous = HashSet::new();
        for unit in &units {
            let records = (0..unit.bound.tables.records.len() as u32).map(RecordId);
            let types = records.filter_map(|id| element_type(unit, &Type::from(Kind::Record(id))));
            for ty in types.filter(|ty| ty.bytes > 0) {
                if known.get(&ty.text).is_some_and(|other| *other != ty) {
                    ambiguous.insert(ty.text.clone());
                }
                known.insert(ty.text.clone(), ty);
            }
        }
        DeclaredTypes { units, symbols, ambiguous }
    }

    pub fn of(&self, declared: Span) -> Option<DeclaredType> {
        let (unit, id) = self.symbols.get(&(declared.file, declared.start))?;
        let unit = self.units[*unit];
        let ty = &unit.bound.symbol(*id).ty;
        let known = |ty: &Type| element_type(unit, ty).filter(|ty| !self.ambiguous.contains(&ty.text));
        match &ty.kind {
            Kind::Pointer(target) => known(target).map(DeclaredType::Pointer),
            _ => known(ty).map(DeclaredType::Other),
        }
    }
}

fn element_type(unit: &Unit, ty: &Type) -> Option<ElementType> {
    let ty = ty.leaf_element().unqualified();
    if matches!(ty.kind, Kind::Void | Kind::Function(_) | Kind::Unknown) {
        return None;
    }
    let spelled = unit.bound.spell(&Type::from(ty.kind.clone()), "", None, &unit.preprocessed)?;
    let (text, bytes) = (spelled.trim().to_owned(), unit.bound.size_of(&ty).unwrap_or(0));
    let is_character = text.ends_with("char");
    let mut found = ElementType { text, bytes, is_character, untyped: Vec::new(), pointers: Vec::new() };
    match &ty.kind {
        Kind::Record(id) => add_pointers(unit, *id, 0, &mut found),
        Kind::Pointer(target) if target.is_void() => return None,
        Kind::Pointer(_) => found.pointers.push((0, bytes)),
        _ => {}
    }
    Some(found)
}

fn add_pointers(unit: &Unit, id: RecordId, start: u64, found: &mut ElementType) {
    let record = unit.bound.tables.record(id);
    let (Some(fields), Some(bits)) = (&record.fields, unit.bound.field_positions(id)) else { return };
    for (field, bit) in fields.iter().zip(bits) {
        let first = start + bit / 8;
        let Some(size) = unit.bound.size_of(&field.ty) else { continue };
        let leaf = field.ty.leaf_element();
        match &leaf.kind {
            Kind::Pointer(target) => {
                found.pointers.push((first, first + size));
                if target.is_void() {
                    let name = field.name.map_or("", |name| unit.preprocessed.names.text(name));
                    found.untyped.push((first, first + size, name.to_owned()));
                }
            }
            Kind::Record(inner) => {
                let step = unit.bound.size_of(leaf).filter(|step| *step > 0);
                let count = step.map_or(0, |step| size / step);
                let is_array = matches!(field.ty.kind, Kind::Array { size: ArrayLength::Known(_), .. });
                for number in 0..if is_array { count.min(ELEMENTS_LIMIT) } else { count.min(1) } {
                    add_pointers(unit, *inner, first + number * step.unwrap_or(0), found);
                }
            }
            _ => {}
        }
    }
}

/// Pointers in more elements of an array of structures are not distinguished.
const ELEMENTS_LIMIT: u64 = 64;
