//! Items of directives: how each is registered, followed, named, captured.
//!
//! In: an item. Out: statements. Holds afterwards: nothing is asked of an argument that is absent, and the
//! address of memory with gaps goes nowhere.

use super::followed::{may_be_undefined, register_followed, Told};
use super::indexed::{each_element, of_element, this_element};
use super::items::{asks_for, describe, first_element, guarded, storage};
use super::names::{cell, literal, Names};
use super::sentence::Sentences;
use crate::model::{Item, ItemKind, TypeCode};
use crate::plan::Registered;

pub(super) fn register(names: &Names, section: u32, registered: &Registered, sentences: &mut Sentences) {
    let item = &registered.item;
    let asks = asks_first(item);
    let write = |sentences: &mut Sentences| {
        if asks {
            sentences.open(names.say("IF (CPPC_WANTS({}) .NE. 0) THEN", &[&literal(&item.name)]));
        }
        match (item.kind, registered.slot) {
            (ItemKind::Followed { rank }, _) => {
                register_followed(names, &Told::of(names, section, registered), item, rank, sentences);
            }
            (_, Some(slot)) => {
                let (section, cell) = (section.to_string(), cell(slot).to_string());
                let place = names.of_item(&item.lvalue);
                let parts = [&*names.kind(&item.code), &section, &cell, &place, &literal(&item.name), &storage(names, item)];
                sentences.say(names.say("CALL CPPC_REGISTER_VALUE_{}({}, {}, {}, {}, {})", &parts));
            }
            (_, None) => contiguous(names, section, item, sentences),
        }
        if asks {
            sentences.close(names.say("END IF", &[]));
        }
    };
    guarded(names, item, |sentences| of_element(names, item, write, sentences), sentences);
}

/// Whether the runtime is asked before: a pointer may be asked for its state only after it has got one.
pub(super) fn asks_first(item: &Item) -> bool {
    let moves = matches!(item.kind, ItemKind::Followed { .. });
    item.indexed.is_none() && (item.through_pointer || (moves && item.traits.pointer))
}

/// In place, if its elements stand one behind the other.
fn contiguous(names: &Names, section: u32, item: &Item, sentences: &mut Sentences) {
    if !item.traits.gaps {
        return in_place(names, section, item, sentences);
    }
    sentences.open(names.say("IF (IS_CONTIGUOUS({})) THEN", &[&names.of_item(&item.lvalue)]));
    in_place(names, section, item, sentences);
    sentences.turn(names.say("ELSE", &[]));
    sentences.say(names.say("CALL CPPC_NOT_CONTIGUOUS({})", &[&literal(&item.name)]));
    sentences.close(names.say("END IF", &[]));
}

fn in_place(names: &Names, section: u32, item: &Item, sentences: &mut Sentences) {
    let (section, place, name) = (section.to_string(), names.of_item(&item.lvalue), literal(&item.name));
    match (&item.code, item.kind) {
        (TypeCode::Record(record), _) => {
            describe(names, &first_element(names, item), record, sentences);
            let parts = [&*section, &names.of_item(&item.count), &name, &storage(names, item)];
            sentences.say(names.say("CALL CPPC_REGISTER_TYPE({}, {}, {}, {})", &parts));
        }
        (code, ItemKind::Array) => {
            let parts = [&*names.kind(code), &section, &place, &names.of_item(&item.count), &name, &storage(names, item)];
            sentences.say(names.say("CALL CPPC_REGISTER_ARRAY_{}({}, {}, {}, {}, {})", &parts));
        }
        (code, _) => {
            let parts = [&*names.kind(code), &section, &place, &name, &storage(names, item)];
            sentences.say(names.say("CALL CPPC_REGISTER_{}({}, {}, {}, {})", &parts));
        }
    }
    if let Some(shape) = &item.shape {
        let parts = [&*name, &shape.rank.to_string(), &names.of_item(&shape.parts.join(", "))];
        sentences.say(names.say("CALL CPPC_SHAPE({}, {}, {})", &parts));
    }
}

/// The compiler is to have it in memory, and to read it from there again.
pub(super) fn name_again(names: &Names, item: &Item, sentences: &mut Sentences) {
    let place = names.of_item(&item.lvalue);
    let (code, place, array) = match (&item.code, item.kind) {
        (TypeCode::Record(record), _) => match record.fields.first() {
            Some(field) => {
                let first = first_element(names, item);
                (&field.code, format!("{first}%{}", names.cased(&field.path)), false)
            }
            None => return,
        },
        (code, ItemKind::Array) => (code, place.clone(), true),
        (code, ItemKind::Followed { rank }) => (code, place.clone(), rank > 0),
        (code, _) => (code, place.clone(), false),
    };
    let mut conditions = Vec::new();
    let whole = names.of_item(&item.lvalue);
    if matches!(item.kind, ItemKind::Followed { .. }) && may_be_undefined(item) {
        conditions.push(names.say("CPPC_FOLLOWS({}) .NE. 0", &[&literal(&item.name)]));
    }
    if matches!(item.kind, ItemKind::Followed { .. }) {
        conditions.push(names.say(&format!("{}({{}})", asks_for(item)), &[&whole]));
    }
    if matches!((&item.code, item.kind), (TypeCode::Record(_), ItemKind::Followed { rank: 1.. })) {
        conditions.push(names.say("SIZE({}) .GT. 0", &[&whole]));
    }
    if item.traits.gaps && array {
        conditions.push(names.say("IS_CONTIGUOUS({})", &[&whole]));
    }
    let routine = if array { "CALL CPPC_NAME_ARRAY_{}({})" } else { "CALL CPPC_NAME_{}({})" };
    let call = names.say(routine, &[&names.kind(code), &place]);
    let write = |sentences: &mut Sentences| {
        let Some((last, around)) = conditions.split_last() else { return sentences.say(call) };
        for condition in around {
            sentences.open(names.say("IF ({}) THEN", &[condition]));
        }
        sentences.say(names.say("IF ({}) {}", &[last, &call]));
        for _ in around {
            sentences.close(names.say("END IF", &[]));
        }
    };
    guarded(names, item, |sentences| each_element(names, item, write, sentences), sentences);
}

pub(super) fn unregister(names: &Names, item: &Item, sentences: &mut Sentences) {
    let call = names.say("CALL CPPC_UNREGISTER({})", &[&literal(&item.name)]);
    this_element(names, item, |sentences| sentences.say(call), sentences);
}

/// A captured variable, where it is.
pub(super) fn capture(names: &Names, item: &Item, sentences: &mut Sentences) {
    let (kind, place, name) = (names.kind(&item.code), names.cased(&item.lvalue), literal(&item.name));
    let write = |sentences: &mut Sentences| match item.kind {
        ItemKind::Array | ItemKind::Followed { .. } => {
            let parts = [&*kind, &place, &names.cased(&item.count), &name];
            sentences.say(names.say("CALL CPPC_CAPTURE_ARRAY_{}({}, {}, {})", &parts));
        }
        _ => sentences.say(names.say("CALL CPPC_CAPTURE_{}({}, {})", &[&kind, &place, &name])),
    };
    guarded(names, item, write, sentences);
}
