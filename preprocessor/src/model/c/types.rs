//! C types in the model: a class, a type code for the runtime, and a declaration pattern.
//!
//! Postcondition: a structure has one description per unit.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use cppc_grammar::c::token::Preprocessed;

use crate::bind::c::{self as bind, Bound, Element, Kind, ProcedureId, RecordId, ScopeKind, Type};
use crate::model::{
    Class, Graph, GraphPointer, Pattern, RecordField, RecordType, Shape, TypeCode, ValueType, TARGET,
};

/// The gap in a spelled declaration. No C identifier contains this character.
const GAP: &str = "\u{1}";

pub(super) struct Types<'a> {
    bound: &'a Bound,
    preprocessed: &'a Preprocessed,
    records: RefCell<HashMap<RecordId, Option<Arc<RecordType>>>>,
    pointers: RefCell<HashMap<String, Arc<RecordType>>>,
    graphs: RefCell<Vec<Arc<Graph>>>,
    words: RefCell<HashSet<String>>,
}

impl<'a> Types<'a> {
    pub fn new(bound: &'a Bound, preprocessed: &'a Preprocessed) -> Types<'a> {
        Types {
            bound,
            preprocessed,
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

    /// The type code of the root, and the types that are reached from it.
    pub fn graph(&self, graph: &bind::Graph) -> Option<(TypeCode, Arc<Graph>)> {
        let root = self.reached(&graph.root)?;
        let (mut records, mut pointers, mut types) = (Vec::new(), Vec::new(), vec![graph.root.clone()]);
        let mut next = 0;
        while let Some(ty) = types.get(next).cloned() {
            next += 1;
            let owner = self.reached(&ty)?;
            if let TypeCode::Record(record) = &owner {
                records.push(record.clone());
            }
            for (field, ty) in self.fields_of(&ty)? {
                let target = match &ty.kind {
                    Kind::Pointer(target) if target.is_function() => None,
                    Kind::Pointer(target) => {
                        Some(stated(graph, &field, target)?.leaf_element().unqualified())
                    }
                    _ => {
                        add(&mut types, &ty);
                        continue;
                    }
                };
                if let Some(target) = &target {
                    add(&mut types, target);
                }
                let target = match target {
                    Some(target) => Some(self.reached(&target)?),
                    None => None,
                };
                pointers.push(GraphPointer { owner: owner.clone(), field, target });
            }
        }
        let mut graphs = self.graphs.borrow_mut();
        if let Some(known) = graphs.iter().find(|known| known.pointers == pointers) {
            return Some((root, known.clone()));
        }
        let spelling = match &root {
            TypeCode::Record(record) => record.word.clone(),
            TypeCode::Named(_) => "values".to_owned(),
        };
        let word = self.new_word(&format!("graph_{spelling}"));
        graphs.push(Arc::new(Graph { word, records, pointers }));
        graphs.last().map(|graph| (root, graph.clone()))
    }

    /// The pointers and structures in an element of this type, by the names in its description.
    fn fields_of(&self, ty: &Type) -> Option<Vec<(String, Type)>> {
        if ty.is_pointer() {
            return Some(vec![(TARGET.to_owned(), ty.clone())]);
        }
        let Some(Element::Record(id)) = self.bound.element(ty) else { return Some(Vec::new()) };
        let leaves = self.bound.leaves(id, self.preprocessed)?.into_iter();
        let is_meant = |element: Element| match element {
            Element::Code(code) => code == cppc_abi::types::POINTER,
            Element::Record(_) => true,
        };
        Some(leaves.filter(|leaf| is_meant(leaf.element)).map(|leaf| (leaf.path, leaf.ty)).collect())
    }

    /// The code of an element that is reached. A pointer is described as a structure with one field.
    fn reached(&self, ty: &Type) -> Option<TypeCode> {
        if !ty.is_pointer() {
            return self.code(self.bound.element(ty)?);
        }
        let spelling = self.bound.spell(&ty.unqualified(), "", None, self.preprocessed)?.trim().to_owned();
        if let Some(known) = self.pointers.borrow().get(&spelling) {
            return Some(TypeCode::Record(known.clone()));
        }
        let code = TypeCode::Named("CPPC_POINTER");
        let fields = vec![RecordField { path: TARGET.to_owned(), code, count: 1 }];
        let base = spelling.trim_end_matches(['*', ' ']).rsplit(' ').next().unwrap_or_default();
        let word = self.new_word(&format!("{base}_pointer"));
        let record = Arc::new(RecordType { word, spelling: spelling.clone(), fields, inner: false });
        self.pointers.borrow_mut().insert(spelling, record.clone());
        Some(TypeCode::Record(record))
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

fn add(types: &mut Vec<Type>, ty: &Type) {
    if !types.contains(ty) {
        types.push(ty.clone());
    }
}

/// What a pointer in this field points to. None for `void`, if the user has not stated it.
fn stated<'t>(graph: &'t bind::Graph, field: &str, target: &'t Type) -> Option<&'t Type> {
    if !target.is_void() {
        return Some(target);
    }
    let name = field.rsplit('.').next().unwrap_or(field);
    let name = name.split('[').next().unwrap_or(name);
    graph.stated.iter().find(|(known, _)| known == name).map(|(_, ty)| ty)
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
