//! Contained procedures that register an array, or name several at once.
//!
//! In: an allocatable or a pointer that is registered, or those that are named at one place. Out: the call, and for each
//! kind or different list a procedure. Holds afterwards: the text that says where an array is stands once for each list, not at each
//! place: compilers take a time for it that grows faster than its length.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use super::followed::{follow_again, has_length_of_its_own, may_be_undefined, register_followed, Told};
use super::names::Names;
use super::sentence::Sentences;
use crate::model::structured::Contained;
use crate::model::{Item, ItemKind, TypeCode};
use crate::plan::structured::{Clause, Frame, Keeping};
use crate::plan::Registered;

/// So many are named by statements of their own in a procedure.
const FEW: usize = 12;

/// The procedures of one file.
#[derive(Default)]
pub(super) struct Bundles {
    list: RefCell<Vec<Bundle>>,
}

struct Bundle {
    place: Contained,
    /// What such procedures do.
    word: &'static str,
    name: String,
    /// What is named, as text: equal lists share a procedure.
    list: String,
    sentences: Option<Sentences>,
}

/// Whether a procedure names so many arrays that lists are worth it.
pub(super) fn is_worth(frame: &Frame) -> bool {
    let keepings = frame.changes.iter().flat_map(|change| &change.clauses).filter_map(|clause| match clause {
        Clause::Checkpoint { keeping, .. } => Some(keeping),
        Clause::Call(call) => Some(&call.keeping),
        _ => None,
    });
    let count = |keeping: &Keeping| keeping.named.iter().filter(|item| can_be_passed(item)).count();
    frame.layout.contained.is_some() && keepings.map(count).sum::<usize>() > FEW
}

/// A dummy argument can be declared for it whatever it is called here.
pub(super) fn can_be_passed(item: &Item) -> bool {
    let plain = matches!((item.kind, &item.code), (ItemKind::Followed { .. }, TypeCode::Named(_)));
    let traits = &item.traits;
    plain && item.indexed.is_none() && !traits.optional && !traits.read_only && !has_length_of_its_own(item)
}

impl Bundles {
    /// The call that names these.
    pub fn call(&self, names: &Names, place: &Contained, declares_externals: bool, items: &[&Arc<Item>]) -> String {
        let texts = items.iter().map(|item| format!("{} {};", item.name, kind(item)));
        let name = self.procedure(names, place, "NAMES", texts.collect(), |name| {
            names_several(names, name, declares_externals, items)
        });
        let arguments: Vec<String> = items.iter().map(|item| names.of_item(&item.lvalue)).collect();
        names.say("CALL {}({})", &[&name, &arguments.join(", ")])
    }

    /// The call that registers one.
    pub fn register(
        &self,
        names: &Names,
        place: &Contained,
        declares_externals: bool,
        section: u32,
        registered: &Registered,
    ) -> String {
        let item = &registered.item;
        let name = self.procedure(names, place, "REGISTERS", kind(item), |name| {
            registers_one(names, name, declares_externals, item)
        });
        let told = Told::of(names, section, registered);
        let parts = [&*name, &names.of_item(&item.lvalue), &told.section, &told.name, &told.storage];
        names.say("CALL {}({}, {}, {}, {})", &parts)
    }

    /// The name of the procedure that does this, which is made when there is none yet.
    fn procedure(
        &self,
        names: &Names,
        place: &Contained,
        word: &'static str,
        list: String,
        make: impl FnOnce(&str) -> Sentences,
    ) -> String {
        let mut bundles = self.list.borrow_mut();
        let mut alike = bundles.iter().filter(|bundle| bundle.place == *place && bundle.word == word);
        if let Some(known) = alike.clone().find(|bundle| bundle.list == list) {
            return known.name.clone();
        }
        let number = alike.by_ref().count() + 1;
        let name = procedure_name(names, place, word, number);
        let sentences = Some(make(&name));
        bundles.push(Bundle { place: place.clone(), word, name: name.clone(), list, sentences });
        name
    }

    /// The procedures that go behind the exit of the present one.
    pub fn contained(&self, names: &Names, sentences: &mut Sentences) {
        let mut bundles = self.list.borrow_mut();
        let (own, others) = bundles.drain(..).partition(|bundle| bundle.place == Contained::Own);
        *bundles = others;
        let own: Vec<Bundle> = own;
        if !own.is_empty() {
            sentences.say(names.say("CONTAINS", &[]));
        }
        own.into_iter().filter_map(|bundle| bundle.sentences).for_each(|procedure| sentences.append(procedure));
    }

    /// Those that go before the end of a unit, with the place.
    pub fn before_ends(self) -> Vec<(u32, Sentences)> {
        let bundles = self.list.into_inner().into_iter();
        let placed = bundles.filter_map(|bundle| match bundle.place {
            Contained::Own => None,
            Contained::Before { at, .. } => Some((at, bundle.sentences?)),
        });
        placed.collect()
    }
}

/// What a dummy argument for it depends on.
fn kind(item: &Item) -> String {
    format!("{:?} {:?} {:?}", item.kind, item.code, item.traits)
}

fn procedure_name(names: &Names, place: &Contained, word: &str, number: usize) -> String {
    let number = number.to_string();
    match place {
        Contained::Before { module: Some(module), .. } => {
            // Where several modules are used, their names meet. A name has no room for another one.
            let hash = module.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
                (hash ^ u64::from(byte.to_ascii_lowercase())).wrapping_mul(0x0100_0000_01b3)
            });
            names.say("#{}_{}_{}", &[&names.cased(word), &format!("{hash:016x}"), &number])
        }
        Contained::Own | Contained::Before { module: None, .. } => names.say("#{}_{}", &[&names.cased(word), &number]),
    }
}

fn names_several(names: &Names, name: &str, declares_externals: bool, items: &[&Arc<Item>]) -> Sentences {
    let mut sentences = Sentences::new();
    let dummies: Vec<String> = (1..=items.len()).map(|number| names.say("#ARRAY_{}", &[&number.to_string()])).collect();
    sentences.open(names.say("SUBROUTINE {}({})", &[name, &dummies.join(", ")]));
    if items.iter().any(|item| may_be_undefined(item)) {
        sentences.say(names.say("INTEGER, EXTERNAL :: CPPC_FOLLOWS", &[]));
    }
    let mut body = Sentences::inside();
    for (item, dummy) in items.iter().zip(&dummies) {
        let ItemKind::Followed { rank } = item.kind else { continue };
        sentences.say(declaration(names, item, rank, dummy));
        let here = Item { lvalue: dummy.clone(), ..Item::clone(item) };
        follow_again(names, &here, rank, &mut body);
    }
    finish(names, name, declares_externals, body, sentences)
}

fn registers_one(names: &Names, name: &str, declares_externals: bool, item: &Item) -> Sentences {
    let mut sentences = Sentences::new();
    let ItemKind::Followed { rank } = item.kind else { return sentences };
    let dummy = names.say("#ARRAY", &[]);
    sentences.open(names.say("SUBROUTINE {}({}, #SECTION, #NAME, #STORAGE)", &[name, &dummy]));
    sentences.say(names.say("INCLUDE {}", &["'cppcf.h'"]));
    sentences.say(declaration(names, item, rank, &dummy));
    sentences.say(names.say("INTEGER #SECTION, #STORAGE, #FOUND", &[]));
    sentences.say(names.say("CHARACTER(LEN=*) #NAME", &[]));
    let most = rank.max(1).to_string();
    sentences.say(names.say("INTEGER(KIND=8) #LOWER({}), #UPPER({})", &[&most, &most]));
    let hidden = |word: &str| names.say(word, &[]);
    let told = Told { section: hidden("#SECTION"), name: hidden("#NAME"), storage: hidden("#STORAGE") };
    let mut body = Sentences::inside();
    register_followed(names, &told, &Item { lvalue: dummy, ..item.clone() }, rank, &mut body);
    finish(names, name, declares_externals, body, sentences)
}

fn finish(names: &Names, name: &str, declares_externals: bool, body: Sentences, mut sentences: Sentences) -> Sentences {
    let called: BTreeSet<String> = body.called().into_iter().collect();
    if declares_externals {
        let called: Vec<String> = called.into_iter().collect();
        sentences.say(names.say("EXTERNAL {}", &[&called.join(", ")]));
    }
    sentences.append(body);
    sentences.close(names.say("END SUBROUTINE {}", &[name]));
    sentences
}

fn declaration(names: &Names, item: &Item, rank: u32, dummy: &str) -> String {
    let attribute = names.say(if item.traits.pointer { "POINTER" } else { "ALLOCATABLE" }, &[]);
    let shape = if rank == 0 { String::new() } else { format!("({})", vec![":"; rank as usize].join(", ")) };
    names.say("{}, {} :: {}{}", &[&declared(names, item), &attribute, dummy, &shape])
}

/// `REAL(8)`, `CHARACTER(LEN=5)`
fn declared(names: &Names, item: &Item) -> String {
    let kind = names.kind(&item.code);
    match (kind.rsplit_once('_'), item.traits.length.as_ref()) {
        (Some((word, kind)), _) => format!("{word}({kind})"),
        (None, Some(length)) => names.say("{}(LEN={})", &[&kind, length]),
        (None, None) => kind,
    }
}
