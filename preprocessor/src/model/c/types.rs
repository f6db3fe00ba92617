//! C types in the model: a class, a type code for the runtime, and a declaration pattern.
//!
//! Postcondition: a structure has one description per unit.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use cppc_grammar::c::token::Preprocessed;

use crate::bind::c::{Bound, Element, Kind, ProcedureId, RecordId, ScopeKind, Type};
use crate::model::{Class, Pattern, RecordField, RecordType, Shape, TypeCode, ValueType};

/// The gap in a spelled declaration. No C identifier contains this character.
const GAP: &str = "\u{1}";

pub(super) struct Types<'a> {
    bound: &'a Bound,
    preprocessed: &'a Preprocessed,
    records: RefCell<HashMap<RecordId, Option<Arc<RecordType>>>>,
    words: RefCell<HashSet<String>>,
}

impl<'a> Types<'a> {
    pub fn new(bound: &'a Bound, preprocessed: &'a Preprocessed) -> Types<'a> {
        Types { bound, preprocessed, records: RefCell::default(), words: RefCell::default() }
    }

    /// A type, and the declaration of a variable of it at the start of a procedure.
    pub fn value(&self, ty: &Type, procedure: Option<ProcedureId>) -> ValueType {
        let spelled = self.bound.spell(&ty.unqualified(), GAP, procedure, self.preprocessed);
        let pattern = spelled.and_then(|text| {
            let (before, after) = text.split_once(GAP)?;
            Some(Pattern::C { before: before.to_owned(), after: after.to_owned() })
        });
        let code = self.bound.element(ty).and_then(|element| self.code(element));
        ValueType { class: class(ty), code, pattern }
    }

    /// True if a value contains an address that cannot be described to the runtime. If `within` is set, no
    /// address can be described.
    pub fn hides_address(&self, ty: &Type, within: bool) -> bool {
        match &ty.kind {
            Kind::Pointer(target) => within || target.is_function(),
            Kind::Array { element, .. } => self.hides_address(element, within),
            Kind::VaList => true,
            Kind::Record(id) => {
                let record = self.bound.tables.record(*id);
                let fields = record.fields.as_deref().unwrap_or_default();
                let within = within || record.union || fields.iter().any(|field| field.bits.is_some());
                // A pointer to a function in a structure can be described. The runtime refuses such a pointer
                // if it cannot find its target.
                fields.iter().any(|field| match &field.ty.leaf_element().kind {
                    Kind::Pointer(_) => within,
                    _ => self.hides_address(&field.ty, within),
                })
            }
            _ => false,
        }
    }

    /// The type code of an element.
    pub fn code(&self, element: Element) -> Option<TypeCode> {
        match element {
            Element::Code(_) => element.constant().map(TypeCode::Named),
            Element::Record(id) => self.record(id).map(TypeCode::Record),
        }
    }

    fn record(&self, id: RecordId) -> Option<Arc<RecordType>> {
        if let Some(known) = self.records.borrow().get(&id) {
            return known.clone();
        }
        let described = self.describe(id).map(Arc::new);
        self.records.borrow_mut().insert(id, described.clone());
        described
    }

    fn describe(&self, id: RecordId) -> Option<RecordType> {
        let record = self.bound.tables.record(id);
        let scope = self.bound.scope(record.scope);
        let inner = scope.kind != ScopeKind::File;
        let procedure = inner.then(|| self.bound.procedure_at(record.declared.start)).flatten();
        let ty = Type::from(Kind::Record(id));
        let spelling = match self.bound.spell(&ty, "", procedure, self.preprocessed) {
            Some(spelling) => spelling.trim().to_owned(),
            // A structure that is declared in a block of the procedure is used by its tag inside that block.
            None => format!("struct {}", self.preprocessed.names.text(record.tag?)),
        };
        let leaves = self.bound.leaves(id, self.preprocessed)?;
        let fields = leaves.into_iter().map(|leaf| {
            let code = self.code(leaf.element)?;
            Some(RecordField { path: leaf.path, code, count: leaf.count })
        });
        let fields = fields.collect::<Option<Vec<RecordField>>>()?;
        let word = self.new_word(&spelling);
        Some(RecordType { word, spelling, fields, inner })
    }

    /// A word for the names made from a structure that no other structure of the unit has.
    fn new_word(&self, spelling: &str) -> String {
        let last = spelling.rsplit(' ').next().unwrap_or_default();
        let plain = last.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        let word = if plain && !last.is_empty() { last } else { "record" };
        let numbered = (2..).map(|number| format!("{word}_{number}"));
        let mut candidates = std::iter::once(word.to_owned()).chain(numbered);
        let mut words = self.words.borrow_mut();
        let free = candidates.find(|word| !words.contains(word)).unwrap_or_default();
        words.insert(free.clone());
        free
    }

    /// The shape of a function, for calls through pointers.
    pub fn shape(&self, ty: &Type) -> Shape {
        let Kind::Function(function) = &ty.kind else { return Shape::ANY };
        if function.unspecified {
            return Shape::ANY;
        }
        let parameters: Vec<String> = function.parameters.iter().map(|p| self.word(p)).collect();
        let more = if function.variadic { ",…" } else { "" };
        Shape(format!("{}({}{more})", self.word(&function.result), parameters.join(",")))
    }

    /// A word for a type that is the same in all files of a program.
    fn word(&self, ty: &Type) -> String {
        match &ty.kind {
            Kind::Basic(basic) => format!("{basic:?}"),
            Kind::Enum(_) => "enum".to_owned(),
            Kind::Pointer(_) | Kind::Array { .. } | Kind::Function(_) | Kind::Null => "*".to_owned(),
            Kind::Void => "void".to_owned(),
            Kind::Record(id) => {
                let record = self.bound.tables.record(*id);
                let tag = record.tag.map(|tag| self.preprocessed.names.text(tag));
                format!("record {}", tag.unwrap_or(""))
            }
            Kind::Unknown | Kind::Vector { .. } | Kind::VaList => "?".to_owned(),
        }
    }
}

fn class(ty: &Type) -> Class {
    match ty.kind {
        Kind::Void => Class::Void,
        _ if ty.is_arithmetic() => Class::Arithmetic,
        _ if ty.is_pointer() => Class::Pointer,
        Kind::Record(_) => Class::Record,
        _ => Class::Other,
    }
}
