//! Structures that one source defines, and that graphs of other sources reach by pointers: opaque handles.
//!
//! Input: all units of C of a program.
//! Output: for each such structure, the unit that describes it. Diagnostics for structures that no unit can describe.
//! Postcondition: all units that define a structure define it in the same way.

use std::collections::{BTreeMap, BTreeSet};

use cppc_grammar::c::token::{Name, Names};
use cppc_grammar::c::tree::Basic;
use cppc_source::Diagnostic;

use super::bound::{Bound, DirectiveKind};
use super::ids::RecordId;
use super::items::{Elsewhere, Graph, Item, StatedType};
use super::reached_types::{Reach, UnitTypes, Unsavable};
use super::types::{Kind, Type};

/// A type that all units can name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Portable {
    Void,
    Basic(Basic),
    Tagged {
        is_union: bool,
        tag: String,
    },
    Pointer(Box<Portable>),
    /// Only one unit can name it.
    Other(String),
}

/// A structure, and the types that are stated for the pointers to `void` in it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    tag: String,
    stated: Vec<(String, Portable)>,
}

/// A structure that other units use in graphs.
#[derive(Debug)]
pub struct SharedType {
    /// A word for generated names.
    pub word: String,
    /// The unit that describes it, and what the graph of this unit reaches. None if the source of this unit is not given.
    pub defined: Option<(usize, Graph)>,
    /// The words of all structures whose pointers must be described with this one.
    pub needs: BTreeSet<String>,
    /// The names of all pointers to `void` that are reached.
    pub untyped: BTreeSet<String>,
}

#[derive(Debug, Default)]
pub struct SharedTypes {
    found: BTreeMap<Key, SharedType>,
    pub diagnostics: Vec<Diagnostic>,
}

/// A unit of C with its position in the program.
#[derive(Clone, Copy)]
pub struct NamedUnit<'a> {
    pub index: usize,
    pub bound: &'a Bound,
    pub names: &'a Names,
}

impl SharedTypes {
    /// `is_complete`: no other source defines structures.
    pub fn new(units: &[NamedUnit], is_complete: bool) -> SharedTypes {
        let mut shared = SharedTypes::default();
        for unit in units {
            for item in items(unit.bound) {
                let Some(graph) = item.graph.as_ref().filter(|graph| !graph.elsewhere.is_empty()) else {
                    continue;
                };
                let found = shared.resolve(units, *unit, graph, is_complete);
                shared.diagnostics.extend(found.err().map(|found| found.diagnostic(item.span, &item.text)));
            }
        }
        shared.close();
        shared
    }

    pub fn find(&self, bound: &Bound, names: &Names, tag: &str, graph: &Graph) -> Option<&SharedType> {
        self.found.get(&Key { tag: tag.to_owned(), stated: portable_list(bound, names, graph) })
    }

    /// Each once: other stated types may not matter for a structure.
    pub fn all(&self) -> impl Iterator<Item = &SharedType> {
        let by_word: BTreeMap<&str, &SharedType> =
            self.found.values().map(|one| (one.word.as_str(), one)).collect();
        by_word.into_values()
    }

    /// Finds the units that define what a graph reaches.
    fn resolve(
        &mut self,
        units: &[NamedUnit],
        unit: NamedUnit,
        graph: &Graph,
        is_complete: bool,
    ) -> Result<(), Unsavable> {
        let stated = portable_list(unit.bound, unit.names, graph);
        for Elsewhere { tag, path, .. } in &graph.elsewhere {
            let key = Key { tag: tag.clone(), stated: stated.clone() };
            if self.found.contains_key(&key) {
                continue;
            }
            let Some((definer, record)) = definer(units, tag, path)? else {
                if is_complete {
                    return Err(Unsavable {
                        path: path.clone(),
                        reason: "the type that it points to is incomplete in all sources of the program".to_owned(),
                        help: "translate the source that defines the structure with the others, or create the data in an `execute` block",
                    });
                }
                self.found.insert(key, SharedType::unknown(tag));
                continue;
            };
            if let Some(tag) = stated.iter().find_map(|(_, ty)| defined_differently(unit, definer, ty)) {
                return Err(two_definitions(path, &tag));
            }
            let own: Vec<(String, StatedType)> =
                stated.iter().map(|(field, ty)| (field.clone(), definer.named(ty))).collect();
            let root = Type::from(Kind::Record(record));
            let mut reach = Reach::new(definer.types(), &own);
            reach.check(&root, path)?;
            let (untyped, elsewhere) = (reach.untyped, reach.elsewhere);
            let word = tag.clone();
            let graph = Graph { root, stated: own, elsewhere };
            let needs = BTreeSet::new();
            let defined = Some((definer.index, graph.clone()));
            self.found.insert(key, SharedType { word, defined, needs, untyped });
            self.resolve(units, definer, &graph, is_complete)?;
        }
        Ok(())
    }

    /// Adds what is reached through other shared structures.
    fn close(&mut self) {
        let direct: BTreeMap<Key, Vec<Key>> = self
            .found
            .iter()
            .map(|(key, one)| {
                let tags = one.defined.iter().flat_map(|(_, graph)| &graph.elsewhere);
                let next = tags.map(|next| Key { tag: next.tag.clone(), stated: key.stated.clone() });
                (key.clone(), next.collect())
            })
            .collect();
        let reached = |key| {
            let (mut reached, mut waiting) = (BTreeSet::new(), vec![key]);
            while let Some(next) = waiting.pop() {
                if reached.insert(next) {
                    waiting.extend(direct.get(next).into_iter().flatten());
                }
            }
            reached
        };
        let reached: BTreeMap<&Key, BTreeSet<&Key>> = direct.keys().map(|key| (key, reached(key))).collect();
        let untyped = |key: &Key| {
            let all = reached[key].iter().filter_map(|key| self.found.get(*key));
            all.flat_map(|one| one.untyped.iter().cloned()).collect::<BTreeSet<String>>()
        };
        let untyped: BTreeMap<&Key, BTreeSet<String>> =
            direct.keys().map(|key| (key, untyped(key))).collect();
        let words: BTreeMap<&Key, String> = direct
            .keys()
            .map(|key| {
                (key, word(&key.tag, key.stated.iter().filter(|(field, _)| untyped[key].contains(field))))
            })
            .collect();
        for key in direct.keys() {
            if let Some(one) = self.found.get_mut(key) {
                one.word = words[key].clone();
                one.needs = reached[key].iter().filter_map(|key| words.get(key).cloned()).collect();
                one.untyped = untyped[key].clone();
            }
        }
    }
}

impl SharedType {
    fn unknown(tag: &str) -> SharedType {
        let (needs, untyped) = (BTreeSet::new(), BTreeSet::new());
        SharedType { word: tag.to_owned(), defined: None, needs, untyped }
    }
}

/// Structures with other types of their pointers to `void` have other words.
fn word<'s>(tag: &str, used: impl Iterator<Item = &'s (String, Portable)>) -> String {
    let texts: Vec<String> = used.map(|(field, ty)| format!("_{field}_{}", ty.letters())).collect();
    format!("{tag}{}", texts.concat())
}

fn items(bound: &Bound) -> impl Iterator<Item = &Item> {
    bound.directives.iter().flat_map(|directive| match &directive.kind {
        DirectiveKind::Register(items) => items.as_slice(),
        DirectiveKind::Init
        | DirectiveKind::Shutdown
        | DirectiveKind::Unregister(_)
        | DirectiveKind::Execute { .. }
        | DirectiveKind::EndExecute { .. }
        | DirectiveKind::Checkpoint(_) => &[],
    })
}

/// The first unit that defines a structure.
fn definer<'u>(
    units: &[NamedUnit<'u>],
    tag: &str,
    path: &str,
) -> Result<Option<(NamedUnit<'u>, RecordId)>, Unsavable> {
    let mut all = units.iter().filter_map(|unit| Some((*unit, unit.defines(tag)?)));
    let Some((first, record)) = all.next() else { return Ok(None) };
    let is_other = |(unit, id): (NamedUnit, RecordId)| unit.definition(id) != first.definition(record);
    if all.any(is_other) {
        return Err(two_definitions(path, tag));
    }
    Ok(Some((first, record)))
}

fn two_definitions(path: &str, tag: &str) -> Unsavable {
    Unsavable {
        path: path.to_owned(),
        reason: format!("two sources define `{tag}` in different ways"),
        help: "rename one of the structures",
    }
}

/// The structure in a type that the two units define in different ways.
fn defined_differently(one: NamedUnit, other: NamedUnit, ty: &Portable) -> Option<String> {
    match ty {
        Portable::Tagged { tag, .. } => {
            let (first, second) = (one.defines(tag)?, other.defines(tag)?);
            (one.definition(first) != other.definition(second)).then(|| tag.clone())
        }
        Portable::Pointer(target) => defined_differently(one, other, target),
        Portable::Void | Portable::Basic(_) | Portable::Other(_) => None,
    }
}

fn portable_list(bound: &Bound, names: &Names, graph: &Graph) -> Vec<(String, Portable)> {
    let portable = |ty: &StatedType| match ty {
        StatedType::Here(ty) => portable(bound, names, ty),
        StatedType::Elsewhere { is_union, tag } => Portable::Tagged { is_union: *is_union, tag: tag.clone() },
        StatedType::Unknown(text) => Portable::Other(text.clone()),
    };
    let mut list: Vec<(String, Portable)> =
        graph.stated.iter().map(|(field, ty)| (field.clone(), portable(ty))).collect();
    list.sort();
    list
}

fn portable(bound: &Bound, names: &Names, ty: &Type) -> Portable {
    let other = || Portable::Other(format!("{:?}", ty.kind));
    match &ty.kind {
        Kind::Void => Portable::Void,
        Kind::Basic(Basic::Other(_)) => other(),
        Kind::Basic(basic) => Portable::Basic(*basic),
        Kind::Pointer(target) => Portable::Pointer(Box::new(portable(bound, names, target))),
        Kind::Record(id) => {
            let record = bound.tables.record(*id);
            match record.tag {
                Some(tag) => Portable::Tagged { is_union: record.union, tag: names.text(tag).to_owned() },
                None => other(),
            }
        }
        Kind::Unknown
        | Kind::Enum(_)
        | Kind::Array { .. }
        | Kind::Function(_)
        | Kind::Vector { .. }
        | Kind::VaList
        | Kind::Null => other(),
    }
}

impl Portable {
    fn letters(&self) -> String {
        match self {
            Portable::Void => "void".to_owned(),
            Portable::Basic(basic) => format!("{basic:?}"),
            Portable::Tagged { tag, .. } => tag.clone(),
            Portable::Pointer(target) => format!("{}_pointer", target.letters()),
            Portable::Other(_) => "other".to_owned(),
        }
    }
}

impl<'u> NamedUnit<'u> {
    fn types(&self) -> UnitTypes<'u> {
        let Bound { tables, symbols, scopes, .. } = self.bound;
        UnitTypes { tables, symbols, scopes, names: self.names, at: None }
    }

    fn record(&self, tag: &str) -> Option<RecordId> {
        let tag: Name = self.names.find(tag)?;
        let mut ids = (0..self.bound.tables.records.len() as u32).map(RecordId);
        ids.find(|id| self.bound.tables.record(*id).tag == Some(tag) && self.types().is_of_file(*id))
    }

    fn defines(&self, tag: &str) -> Option<RecordId> {
        self.record(tag).filter(|id| !self.types().is_incomplete(*id))
    }

    /// A type as this unit names it.
    fn named(&self, ty: &Portable) -> StatedType {
        let here = |kind: Kind| StatedType::Here(kind.into());
        match ty {
            Portable::Void => here(Kind::Void),
            Portable::Basic(basic) => here(Kind::Basic(*basic)),
            Portable::Tagged { is_union, tag } => match self.record(tag) {
                Some(id) => here(Kind::Record(id)),
                None => StatedType::Elsewhere { is_union: *is_union, tag: tag.clone() },
            },
            Portable::Pointer(target) => match self.named(target) {
                StatedType::Here(target) => here(Kind::Pointer(target.into())),
                StatedType::Elsewhere { .. } | StatedType::Unknown(_) => {
                    StatedType::Unknown(target.letters())
                }
            },
            Portable::Other(text) => StatedType::Unknown(text.clone()),
        }
    }

    /// A text that is the same for the same definitions.
    fn definition(&self, id: RecordId) -> String {
        let tables = &self.bound.tables;
        let record = tables.record(id);
        let fields = record.fields.iter().flatten().map(|field| {
            let name = field.name.map_or("", |name| self.names.text(name));
            format!("{} {name} {:?};", self.text_of(&field.ty), field.bits)
        });
        let (is_union, layout) = (record.union, record.extent.layout);
        format!("{is_union} {layout:?} {{{}}}", fields.collect::<String>())
    }

    fn text_of(&self, ty: &Type) -> String {
        match &ty.kind {
            Kind::Basic(Basic::Other(name)) => self.names.text(*name).to_owned(),
            Kind::Enum(id) => format!("{:?}", self.bound.tables.enumeration(*id).compatible),
            Kind::Array { element, size } => format!("{}[{size:?}]", self.text_of(element)),
            Kind::Pointer(target) => match &target.leaf_element().kind {
                Kind::Record(id) => format!("{}*", self.types().tag(*id).unwrap_or_default()),
                _ => format!("{}*", self.text_of(target)),
            },
            Kind::Record(id) => self.definition(*id),
            Kind::Function(_) => "function".to_owned(),
            Kind::Vector { element, bytes } => format!("{} vector {bytes:?}", self.text_of(element)),
            Kind::Unknown | Kind::Void | Kind::Basic(_) | Kind::VaList | Kind::Null => {
                format!("{:?}", ty.kind)
            }
        }
    }
}
