//! Graphs: the types that `deep(root)` reaches.
//!
//! Input: the type of the root, and the types that the user has stated for pointers to `void`.
//! Output: the descriptions of all types that are reached, and what each pointer points to.
//! Postcondition: roots with different statements have different descriptions of a type that reaches such a pointer.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::types::{Types, Variants};
use crate::bind::c::shared_types::SharedType;
use crate::bind::c::{self as bind, Element, Kind, StatedType, Type};
use crate::model::{FieldForm, Graph, GraphPointer, RecordField, RecordType, TypeCode, TARGET};

/// A type in a graph, before it is described.
struct Reached {
    ty: Type,
    pointers: Vec<ReachedPointer>,
    /// The types of its components and of what its pointers point to.
    next: Vec<usize>,
    /// The stated types that it reaches, by their position.
    stated: BTreeSet<usize>,
}

struct ReachedPointer {
    field: String,
    target: Target,
    is_stated: bool,
}

#[derive(Clone)]
enum Target {
    Function,
    Type(Type),
    /// A structure that another source describes.
    Shared(Arc<str>),
}

impl Types<'_> {
    /// The type code of the root, and the types that are reached from it.
    pub fn graph(
        &self,
        graph: &bind::Graph,
        selections: &bind::Selections,
    ) -> Option<(TypeCode, Arc<Graph>)> {
        let mut shared = BTreeSet::new();
        if let Some(root) = self.shared(&graph.root, graph) {
            let root = root?;
            shared.extend(root.needs.iter().cloned());
            let code = TypeCode::Shared(root.word.as_str().into());
            return Some((code, self.known_or_new(&root.word, Vec::new(), Vec::new(), shared)));
        }
        let reached = self.reached(graph, selections, &mut shared)?;
        let variants = self.variants(graph, selections, &reached)?;
        let root = self.description(&graph.root, &variants)?;
        let (mut records, mut pointers) = (Vec::new(), Vec::new());
        for Reached { ty, pointers: own, .. } in reached {
            let owner = self.description(&ty, &variants)?;
            if let TypeCode::Record(record) = &owner {
                records.push(record.clone());
            }
            for ReachedPointer { field, target, is_stated } in own {
                let target = match target {
                    Target::Type(target) => Some(self.description(&target, &variants)?),
                    Target::Shared(word) => Some(TypeCode::Shared(word)),
                    Target::Function => None,
                };
                pointers.push(GraphPointer { owner: owner.clone(), field, target, is_stated });
            }
        }
        let spelling = match &root {
            TypeCode::Record(record) => record.word.clone(),
            TypeCode::Named(_) | TypeCode::Shared(_) => "values".to_owned(),
        };
        let graph = self.known_or_new(&spelling, records, pointers, shared);
        Some((root, graph))
    }

    fn known_or_new(
        &self,
        spelling: &str,
        records: Vec<Arc<RecordType>>,
        pointers: Vec<GraphPointer>,
        shared: BTreeSet<String>,
    ) -> Arc<Graph> {
        let mut graphs = self.graphs.borrow_mut();
        let mut known = graphs.iter();
        if let Some(known) = known.find(|known| known.pointers == pointers && known.shared == shared) {
            return known.clone();
        }
        let word = self.new_word(&format!("graph_{spelling}"));
        let graph = Arc::new(Graph { word, records, pointers, shared });
        graphs.push(graph.clone());
        graph
    }

    /// How another source describes a type, if it has to. The inner value is none if that is not known.
    fn shared(&self, ty: &Type, graph: &bind::Graph) -> Option<Option<&SharedType>> {
        let Kind::Record(id) = ty.kind else { return None };
        let elsewhere = graph.elsewhere.iter().find(|one| one.record == Some(id))?;
        Some(self.shared.find(self.bound, &self.preprocessed.names, &elsewhere.tag, graph))
    }

    /// The types from the root on, each once.
    fn reached(
        &self,
        graph: &bind::Graph,
        selections: &bind::Selections,
        words: &mut BTreeSet<String>,
    ) -> Option<Vec<Reached>> {
        let mut found = vec![Reached::new(&graph.root)];
        let mut at = 0;
        while at < found.len() {
            if matches!(found[at].ty.kind, Kind::Record(id) if selections.affected.contains(&id)) {
                found[at].stated.insert(graph.stated.len());
            }
            for (field, ty) in self.fields_of(&found[at].ty, selections)? {
                let mut shared = None;
                let inner = match &ty.kind {
                    Kind::Pointer(target) if target.is_function() => {
                        let target = Target::Function;
                        found[at].pointers.push(ReachedPointer { field, target, is_stated: false });
                        continue;
                    }
                    Kind::Pointer(target) if target.is_void() => {
                        let stated = stated(graph, &field)?;
                        found[at].stated.insert(stated);
                        match &graph.stated[stated].1 {
                            StatedType::Here(target) => Some(pointed_to(target)),
                            StatedType::Elsewhere { tag, .. } => {
                                shared =
                                    Some(self.shared.find(self.bound, &self.preprocessed.names, tag, graph));
                                None
                            }
                            StatedType::Unknown(_) => return None,
                        }
                    }
                    Kind::Pointer(target) => Some(pointed_to(target)),
                    _ => Some(ty.clone()),
                };
                let is_stated = inner.as_ref().is_some_and(|inner| is_stated(graph, &field, inner));
                let shared = shared.or_else(|| self.shared(inner.as_ref()?, graph));
                if let Some(shared) = shared {
                    let shared = shared?;
                    words.extend(shared.needs.iter().cloned());
                    let stated = graph.stated.iter().enumerate();
                    let used = stated.filter(|(_, (field, _))| shared.untyped.contains(field));
                    found[at].stated.extend(used.map(|(index, _)| index));
                    let target = Target::Shared(shared.word.as_str().into());
                    found[at].pointers.push(ReachedPointer { field, target, is_stated });
                    continue;
                }
                let inner = inner?;
                let known = found.iter().position(|known| known.ty == inner);
                let index = known.unwrap_or(found.len());
                if known.is_none() {
                    found.push(Reached::new(&inner));
                }
                found[at].next.push(index);
                if ty.is_pointer() {
                    let target = Target::Type(inner);
                    found[at].pointers.push(ReachedPointer { field, target, is_stated });
                }
            }
            at += 1;
        }
        Some(found)
    }

    /// What a type states is what it has itself, and what the types after it state.
    fn variants(
        &self,
        graph: &bind::Graph,
        selections: &bind::Selections,
        reached: &[Reached],
    ) -> Option<Variants> {
        let mut variants = Variants { selections: selections.clone(), ..Variants::default() };
        let mut stated: Vec<BTreeSet<usize>> = reached.iter().map(|one| one.stated.clone()).collect();
        let mut changes = !graph.stated.is_empty() || !selections.affected.is_empty();
        while changes {
            changes = false;
            for (index, one) in reached.iter().enumerate() {
                let more: BTreeSet<usize> =
                    one.next.iter().flat_map(|next| stated[*next].iter().copied()).collect();
                let before = stated[index].len();
                stated[index].extend(more);
                changes |= stated[index].len() > before;
            }
        }
        for (one, stated) in reached.iter().zip(stated) {
            if stated.is_empty() {
                continue;
            }
            let mut texts = BTreeSet::new();
            if stated.contains(&graph.stated.len()) {
                texts.insert(selections.text.clone());
            }
            for (field, ty) in stated.iter().filter_map(|index| graph.stated.get(*index)) {
                let text = match ty {
                    // Without the name of a `typedef`.
                    StatedType::Here(ty) => self.spelled(&Type::from(ty.kind.clone()))?,
                    StatedType::Elsewhere { is_union: false, tag } => format!("struct {tag}"),
                    StatedType::Elsewhere { is_union: true, tag } => format!("union {tag}"),
                    StatedType::Unknown(_) => return None,
                };
                texts.insert(format!("{field}: {text}"));
            }
            let variant = texts.into_iter().collect::<Vec<_>>().join(", ");
            match (one.ty.is_pointer(), self.bound.element_in(&one.ty, selections)) {
                (true, _) => drop(variants.pointers.insert(self.spelled(&one.ty)?, variant)),
                (false, Some(Element::Record(id))) => drop(variants.records.insert(id, variant)),
                (false, Some(Element::Code(_)) | None) => {}
            }
        }
        Some(variants)
    }

    /// The pointers and structures in an element of this type, by the names in its description.
    fn fields_of(&self, ty: &Type, selections: &bind::Selections) -> Option<Vec<(String, Type)>> {
        if ty.is_pointer() {
            return Some(vec![(TARGET.to_owned(), ty.clone())]);
        }
        let Some(Element::Record(id)) = self.bound.element_in(ty, selections) else {
            return Some(Vec::new());
        };
        let leaves = self.bound.leaves(id, self.preprocessed, selections)?.into_iter();
        let is_meant = |element: Element| match element {
            Element::Code(code) => code == cppc_abi::types::POINTER,
            Element::Record(_) => true,
        };
        Some(leaves.filter(|leaf| is_meant(leaf.element)).map(|leaf| (leaf.name(), leaf.ty)).collect())
    }

    /// The code of an element that is reached. A pointer is described as a structure with one field.
    fn description(&self, ty: &Type, variants: &Variants) -> Option<TypeCode> {
        if !ty.is_pointer() {
            return self.code_in(self.bound.element_in(ty, &variants.selections)?, variants);
        }
        let spelling = self.spelled(ty)?;
        let variant = variants.pointers.get(&spelling).cloned().unwrap_or_default();
        let key = (spelling.clone(), variant.clone());
        if let Some(known) = self.pointers.borrow().get(&key) {
            return Some(TypeCode::Record(known.clone()));
        }
        let code = TypeCode::Named("CPPC_POINTER");
        let fields = vec![RecordField {
            path: TARGET.to_owned(),
            condition: None,
            code,
            count: 1,
            form: FieldForm::Whole,
        }];
        let base = spelling.trim_end_matches(['*', ' ']).rsplit(' ').next().unwrap_or_default();
        let word = self.new_word(&format!("{base}_pointer"));
        let record = Arc::new(RecordType { word, spelling, variant, fields, inner: false });
        self.pointers.borrow_mut().insert(key, record.clone());
        Some(TypeCode::Record(record))
    }

    fn spelled(&self, ty: &Type) -> Option<String> {
        Some(self.bound.spell(&ty.unqualified(), "", None, self.preprocessed)?.trim().to_owned())
    }
}

impl Reached {
    fn new(ty: &Type) -> Reached {
        Reached { ty: ty.clone(), pointers: Vec::new(), next: Vec::new(), stated: BTreeSet::new() }
    }
}

/// Whether the user has stated this type for a field.
fn is_stated(graph: &bind::Graph, field: &str, inner: &Type) -> bool {
    stated(graph, field).is_some_and(|index| match &graph.stated[index].1 {
        StatedType::Here(ty) => pointed_to(ty).kind == inner.kind,
        StatedType::Elsewhere { .. } | StatedType::Unknown(_) => false,
    })
}

fn pointed_to(target: &Type) -> Type {
    target.leaf_element().unqualified()
}

/// Which of the stated types is that of this field.
fn stated(graph: &bind::Graph, field: &str) -> Option<usize> {
    let name = field.rsplit('.').next().unwrap_or(field);
    let name = name.split('[').next().unwrap_or(name);
    graph.stated.iter().position(|(known, _)| known == name)
}
