//! Items of directives: how each is registered, followed, named, captured.
//!
//! In: an item. Out: statements. Holds afterwards: nothing is asked of an argument that is absent, and the
//! address of memory with gaps goes nowhere.

use super::names::{cell, literal, suffix, Names};
use super::sentence::Sentences;
use crate::model::{Item, ItemKind, RecordType, TypeCode};
use crate::plan::Registered;

/// Statements under the conditions that an item can be spoken of.
fn guarded(names: &Names, item: &Item, write: impl FnOnce(&mut Sentences), sentences: &mut Sentences) {
    let place = names.cased(&item.lvalue);
    if item.traits.optional {
        sentences.open(names.say("IF (PRESENT({})) THEN", &[&place]));
    }
    write(sentences);
    if item.traits.optional {
        sentences.close(names.say("END IF", &[]));
    }
}

pub(super) fn register(names: &Names, section: u32, registered: &Registered, sentences: &mut Sentences) {
    let item = &registered.item;
    let moves = matches!(item.kind, ItemKind::Followed { .. });
    // A pointer may be asked for its state only after it has got one.
    let asks = item.through_pointer || (moves && item.traits.pointer);
    let write = |sentences: &mut Sentences| {
        if asks {
            sentences.open(names.say("IF (CPPC_WANTS({}) .NE. 0) THEN", &[&literal(&item.name)]));
        }
        match (item.kind, registered.slot) {
            (ItemKind::Followed { rank }, _) => register_followed(names, section, item, rank, sentences),
            (_, Some(slot)) => {
                let (section, cell) = (section.to_string(), cell(slot).to_string());
                let place = names.cased(&item.lvalue);
                let parts = [suffix(&item.code), &section, &cell, &place, &literal(&item.name), storage(item)];
                sentences.say(names.say("CALL CPPC_REGISTER_VALUE_{}({}, {}, {}, {}, CPPC_{})", &parts));
            }
            (_, None) => contiguous(names, section, item, sentences),
        }
        if asks {
            sentences.close(names.say("END IF", &[]));
        }
    };
    guarded(names, item, write, sentences);
}

/// In place, if its elements stand one behind the other.
fn contiguous(names: &Names, section: u32, item: &Item, sentences: &mut Sentences) {
    if !item.traits.gaps {
        return in_place(names, section, item, sentences);
    }
    sentences.open(names.say("IF (IS_CONTIGUOUS({})) THEN", &[&names.cased(&item.lvalue)]));
    in_place(names, section, item, sentences);
    sentences.turn(names.say("ELSE", &[]));
    sentences.say(names.say("CALL CPPC_NOT_CONTIGUOUS({})", &[&literal(&item.name)]));
    sentences.close(names.say("END IF", &[]));
}

fn in_place(names: &Names, section: u32, item: &Item, sentences: &mut Sentences) {
    let (section, place, name) = (section.to_string(), names.cased(&item.lvalue), literal(&item.name));
    match (&item.code, item.kind) {
        (TypeCode::Record(record), _) => {
            describe(names, item, record, sentences);
            let parts = [&*section, &count(names, item), &name, storage(item)];
            sentences.say(names.say("CALL CPPC_REGISTER_TYPE({}, {}, {}, CPPC_{})", &parts));
        }
        (code, ItemKind::Array) => {
            let parts = [suffix(code), &section, &place, &count(names, item), &name, storage(item)];
            sentences.say(names.say("CALL CPPC_REGISTER_ARRAY_{}({}, {}, {}, {}, CPPC_{})", &parts));
        }
        (code, _) => {
            let parts = [suffix(code), &section, &place, &name, storage(item)];
            sentences.say(names.say("CALL CPPC_REGISTER_{}({}, {}, {}, CPPC_{})", &parts));
        }
    }
}

/// A derived type, by the first element's components.
fn describe(names: &Names, item: &Item, record: &RecordType, sentences: &mut Sentences) {
    let first = first_element(names, item);
    let size = names.say("STORAGE_SIZE({}, KIND=8) / 8", &[&first]);
    sentences.say(names.say("CALL CPPC_TYPE({}, {})", &[&literal(&record.spelling), &size]));
    for field in &record.fields {
        let component = format!("{first}%{}", names.cased(&field.path));
        let count = format!("{}_8", field.count);
        let name = literal(&field.path);
        let parts = [suffix(&field.code), &component, &count, &name];
        sentences.say(names.say("CALL CPPC_FIELD_{}({}, {}, {})", &parts));
    }
}

fn first_element(names: &Names, item: &Item) -> String {
    names.cased(item.traits.first_element.as_ref().unwrap_or(&item.lvalue))
}

/// An allocatable or a pointer: in a restart it gets memory with the bounds that it had.
fn register_followed(names: &Names, section: u32, item: &Item, rank: u32, sentences: &mut Sentences) {
    let (section, rank_text) = (section.to_string(), rank.to_string());
    let (place, name) = (names.cased(&item.lvalue), literal(&item.name));
    let kind = suffix(&item.code);
    let parts = [&*section, kind, &rank_text, &name, storage(item)];
    sentences.say(names.say(
        "#FOUND = CPPC_REGISTER_FOLLOWED({}, CPPC_{}, {}, #LOWER, #UPPER, {}, CPPC_{})",
        &parts,
    ));
    sentences.open(names.say("IF (#FOUND .EQ. 1) THEN", &[]));
    if !item.traits.pointer {
        sentences.say(names.say("IF (ALLOCATED({})) DEALLOCATE ({})", &[&place, &place]));
    }
    let bounds: Vec<String> =
        (1..=rank).map(|i| names.say("#LOWER({}):#UPPER({})", &[&i.to_string(), &i.to_string()])).collect();
    let shape = if rank == 0 { String::new() } else { format!("({})", bounds.join(", ")) };
    sentences.say(names.say("ALLOCATE ({}{})", &[&place, &shape]));
    sentences.say(names.say("CALL CPPC_DELIVER_{}({}, {})", &[kind, &place, &name]));
    sentences.turn(names.say("ELSE IF (#FOUND .EQ. -1) THEN", &[]));
    if item.traits.pointer {
        sentences.say(names.say("NULLIFY ({})", &[&place]));
    } else {
        sentences.say(names.say("IF (ALLOCATED({})) DEALLOCATE ({})", &[&place, &place]));
    }
    sentences.close(names.say("END IF", &[]));
    follow_here(names, item, rank, sentences);
}

/// Where it is now.
pub(super) fn follow(names: &Names, item: &Item, sentences: &mut Sentences) {
    let ItemKind::Followed { rank } = item.kind else { return };
    guarded(names, item, |sentences| follow_here(names, item, rank, sentences), sentences);
}

fn asks_for(item: &Item) -> &'static str {
    if item.traits.pointer { "ASSOCIATED" } else { "ALLOCATED" }
}

fn follow_here(names: &Names, item: &Item, rank: u32, sentences: &mut Sentences) {
    let (place, name) = (names.cased(&item.lvalue), literal(&item.name));
    sentences.open(names.say(&format!("IF ({}({{}})) THEN", asks_for(item)), &[&place]));
    let gaps = item.traits.gaps && rank > 0;
    if gaps {
        sentences.open(names.say("IF (IS_CONTIGUOUS({})) THEN", &[&place]));
    }
    let bounds = if rank == 0 {
        "(/0_8/), (/0_8/)".to_owned()
    } else {
        names.say("LBOUND({}, KIND=8), UBOUND({}, KIND=8)", &[&place, &place])
    };
    let parts = [suffix(&item.code), &place, &rank.to_string(), &bounds, &name];
    sentences.say(names.say("CALL CPPC_FOLLOW_{}({}, {}, {}, {})", &parts));
    if gaps {
        sentences.turn(names.say("ELSE", &[]));
        sentences.say(names.say("CALL CPPC_NOT_CONTIGUOUS({})", &[&name]));
        sentences.close(names.say("END IF", &[]));
    }
    sentences.turn(names.say("ELSE", &[]));
    sentences.say(names.say("CALL CPPC_FOLLOW_NOTHING({})", &[&name]));
    sentences.close(names.say("END IF", &[]));
}

/// The compiler is to have it in memory, and to read it from there again.
pub(super) fn name_again(names: &Names, item: &Item, sentences: &mut Sentences) {
    let place = names.cased(&item.lvalue);
    let (code, place, array) = match (&item.code, item.kind) {
        (TypeCode::Record(record), _) => match record.fields.first() {
            Some(field) => {
                (&field.code, format!("{}%{}", first_element(names, item), names.cased(&field.path)), false)
            }
            None => return,
        },
        (code, ItemKind::Array) => (code, place.clone(), true),
        (code, ItemKind::Followed { rank }) => (code, place.clone(), rank > 0),
        (code, _) => (code, place.clone(), false),
    };
    let mut conditions = Vec::new();
    let whole = names.cased(&item.lvalue);
    if matches!(item.kind, ItemKind::Followed { .. }) {
        conditions.push(names.say(&format!("{}({{}})", asks_for(item)), &[&whole]));
    }
    if item.traits.gaps && array {
        conditions.push(names.say("IS_CONTIGUOUS({})", &[&whole]));
    }
    let routine = if array { "CALL CPPC_NAME_ARRAY_{}({})" } else { "CALL CPPC_NAME_{}({})" };
    let call = names.say(routine, &[suffix(code), &place]);
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
    guarded(names, item, write, sentences);
}

pub(super) fn unregister(names: &Names, item: &Item, sentences: &mut Sentences) {
    sentences.say(names.say("CALL CPPC_UNREGISTER({})", &[&literal(&item.name)]));
}

/// A captured variable, where it is.
pub(super) fn capture(names: &Names, item: &Item, sentences: &mut Sentences) {
    let (kind, place, name) = (suffix(&item.code), names.cased(&item.lvalue), literal(&item.name));
    let write = |sentences: &mut Sentences| match item.kind {
        ItemKind::Array | ItemKind::Followed { .. } => {
            let parts = [kind, &place, &count(names, item), &name];
            sentences.say(names.say("CALL CPPC_CAPTURE_ARRAY_{}({}, {}, {})", &parts));
        }
        _ => sentences.say(names.say("CALL CPPC_CAPTURE_{}({}, {})", &[kind, &place, &name])),
    };
    guarded(names, item, write, sentences);
}

/// The number of elements, as an INTEGER(8).
fn count(names: &Names, item: &Item) -> String {
    let text = names.cased(&item.count);
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    if digits {
        format!("{text}_8")
    } else {
        names.say("INT({}, 8)", &[&text])
    }
}

fn storage(item: &Item) -> &'static str {
    if item.automatic { "AUTOMATIC" } else { "STATIC" }
}
