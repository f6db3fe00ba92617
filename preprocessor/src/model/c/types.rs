//! C types in the model: a class, a type code for the runtime, and a declaration pattern.
//!
//! Postcondition: a structure has one description per unit, and one for each variant of it in a graph.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use cppc_grammar::c::token::Preprocessed;

use crate::bind::c::shared_types::SharedTypes;
use crate::bind::c::{Bound, Element, Kind, LeafForm, ProcedureId, RecordId, ScopeKind, Selections, Type};
use crate::model::{Class, FieldForm, Graph, Pattern, RecordField, RecordType, Shape, TypeCode, ValueType};

/// The gap in a spelled declaration. No C identifier contains this character.
const GAP: &str = "\u{1}";

/// What distinguishes the descriptions of a type: the stated types that it reaches, such as `data: struct item`. Most
/// types reach none.
#[derive(Debug, Default)]
pub(super) struct Variants {
    pub records: HashMap<RecordId, String>,
    pub selections: Selections,
    /// By their spelling.
    pub pointers: HashMap<String, String>,
}

impl Variants {
    /// Those of an item that is not in a graph.
    pub fn of(selections: &Selections) -> Variants {
        let records = selections.affected.iter().map(|&id| (id, selections.text.clone())).collect();
        Variants { records, selections: selections.clone(), ..Variants::default() }
    }

    pub fn of_record(&self, id: RecordId) -> &str {
        self.records.get(&id).map_or("", String::as_str)
    }
}

type Described = Option<Arc<RecordType>>;

pub(super) struct Types<'a> {
    pub(super) bound: &'a Bound,
    pub(super) preprocessed: &'a Preprocessed,
    pub(super) shared: &'a SharedTypes,
    /// By the structure and its variant. None if it cannot be described.
    records: RefCell<HashMap<(RecordId, String), Described>>,
    /// By the spelling of the pointer and its variant.
    pub(super) pointers: RefCell<HashMap<(String, String), Arc<RecordType>>>,
    pub(super) graphs: RefCell<Vec<Arc<Graph>>>,
    words: RefCell<HashSet<String>>,
}

impl<'a> Types<'a> {
    pub fn new(bound: &'a Bound, preprocessed: &'a Preprocessed, shared: &'a SharedTypes) -> Types<'a> {
        Types {
            bound,
            preprocessed,
            shared,
            records: RefCell::default(),
            pointers: RefCell::default(),
            graphs: RefCell::default(),
            words: RefCell::default(),
        }
    }

    /// A type, and the declaration of a variable of it at the start of a procedure.
    pub fn value(&self, ty: &Type, procedure: Option<ProcedureId>) -> ValueType {
        let spelled = self.bound.spell(&ty.unqualified(), GAP, procedure, self.preprocessed);
        let pattern = spelled.and_then(|text| {
            let (before, after) = text.split_once(GAP)?;
            Some(Pattern::C { before: before.to_owned(), after: after.to_owned() })
        });
        let code = match &ty.kind {
            // The runtime finds the procedure of a pointer. Memory with such pointers cannot be registered.
            Kind::Pointer(target) if target.is_function() => Some(TypeCode::Named("CPPC_POINTER")),
            _ => self.bound.element(ty).and_then(|element| self.code(element)),
        };
        ValueType { class: class(ty), code, pattern }
    }

    /// True if a value contains an address that cannot be described to the runtime. If `within` is set, no
    /// address can be described.
    pub fn hides_address(&self, ty: &Type, within: bool) -> bool {
        match &ty.kind {
            Kind::Pointer(_) => within,
            Kind::Array { element, .. } => self.hides_address(element, within),
            Kind::VaList => true,
            Kind::Record(id) => {
                let record = self.bound.tables.record(*id);
                let fields = record.fields.as_deref().unwrap_or_default();
                let within = within || self.bound.is_saved_as_bytes(*id);
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
        self.code_in(element, &Variants::default())
    }

    /// The type code of an element in a graph.
    pub(super) fn code_in(&self, element: Element, variants: &Variants) -> Option<TypeCode> {
        match element {
            Element::Code(_) => element.constant().map(TypeCode::Named),
            Element::Record(id) => self.record(id, variants).map(TypeCode::Record),
        }
    }

    fn record(&self, id: RecordId, variants: &Variants) -> Option<Arc<RecordType>> {
        let key = (id, variants.of_record(id).to_owned());
        if let Some(known) = self.records.borrow().get(&key) {
            return known.clone();
        }
        let described = self.describe(id, variants).map(Arc::new);
        self.records.borrow_mut().insert(key, described.clone());
        described
    }

    fn describe(&self, id: RecordId, variants: &Variants) -> Option<RecordType> {
        let inner = self.is_inner(id);
        let spelling = self.spelling(&Type::from(Kind::Record(id)))?;
        let leaves = self.bound.leaves(id, self.preprocessed, &variants.selections)?;
        let fields = leaves.into_iter().map(|leaf| {
            let code = self.code_in(leaf.element, variants)?;
            let form = match leaf.form {
                LeafForm::Whole => FieldForm::Whole,
                LeafForm::Bits { is_bool } => FieldForm::Bits { is_bool },
            };
            let (path, condition, count) = (leaf.path, leaf.condition, leaf.count);
            Some(RecordField { path, condition, code, count, form })
        });
        let fields = fields.collect::<Option<Vec<RecordField>>>()?;
        let word = self.new_word(&spelling);
        let variant = variants.of_record(id).to_owned();
        Some(RecordType { word, spelling, variant, fields, inner })
    }

    fn is_inner(&self, id: RecordId) -> bool {
        self.bound.scope(self.bound.tables.record(id).scope).kind != ScopeKind::File
    }

    /// The name of a structure, for the places where it is visible.
    pub(super) fn spelling(&self, ty: &Type) -> Option<String> {
        let Kind::Record(id) = ty.kind else { return None };
        let record = self.bound.tables.record(id);
        let procedure = self.is_inner(id).then(|| self.bound.procedure_at(record.declared.start)).flatten();
        let ty = Type::from(Kind::Record(id));
        match self.bound.spell(&ty, "", procedure, self.preprocessed) {
            Some(spelling) => Some(spelling.trim().to_owned()),
            // A structure that is declared in a block of the procedure is used by its tag inside that block.
            None => Some(format!("struct {}", self.preprocessed.names.text(record.tag?))),
        }
    }

    /// A word for the names made from a structure that no other structure of the unit has.
    pub(super) fn new_word(&self, spelling: &str) -> String {
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
