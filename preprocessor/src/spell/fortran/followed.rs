//! Allocatables and pointers: where their memory is, and memory for them in a restart.
//!
//! In: an item that is followed. Out: statements. Holds afterwards: in a restart it has the bounds and the
//! state that it had at the checkpoint; a pointer that was never set is not asked for its state.

use super::indexed::each_element;
use super::items::{asks_for, describe, first_element, guarded, storage};
use super::names::{literal, number, Names};
use super::sentence::Sentences;
use crate::model::{Item, ItemKind, RecordField, TypeCode};
use crate::plan::Registered;

pub(super) fn register_followed(
    names: &Names,
    section: u32,
    registered: &Registered,
    rank: u32,
    sentences: &mut Sentences,
) {
    let item = &registered.item;
    let (section, rank_text) = (section.to_string(), rank.to_string());
    let (place, name) = (names.of_item(&item.lvalue), literal(&item.name));
    let parameter = if registered.parameter { names.say(" + CPPC_PARAMETER", &[]) } else { String::new() };
    let call = |code: &str| {
        let parts = [&*section, code, &rank_text, &name, &storage(names, item), &parameter];
        names.say("#FOUND = CPPC_REGISTER_FOLLOWED({}, {}, {}, #LOWER, #UPPER, {}, {}{})", &parts)
    };
    match &item.code {
        TypeCode::Named(_) => sentences.say(call(&names.say("CPPC_{}", &[&names.kind(&item.code)]))),
        // It may have no elements now: one of its type stands for them.
        TypeCode::Record(record) => {
            sentences.open(names.say("BLOCK", &[]));
            let element = names.say("#ELEMENT", &[]);
            sentences.say(names.say("{} {}", &[&names.cased(&record.spelling), &element]));
            describe(names, &element, record, sentences);
            sentences.say(call(&names.say("CPPC_TYPE_CODE()", &[])));
            sentences.close(names.say("END BLOCK", &[]));
        }
    }
    if !item.traits.read_only {
        bring_back(names, item, rank, &place, &name, sentences);
    }
    follow_here(names, item, rank, sentences);
}

/// In a restart: memory with the bounds that it had, and its content.
fn bring_back(names: &Names, item: &Item, rank: u32, place: &str, name: &str, sentences: &mut Sentences) {
    if item.traits.pointer {
        sentences.say(names.say("IF (#FOUND .EQ. -1) NULLIFY ({})", &[place]));
    } else {
        let template = "IF (ABS(#FOUND) .EQ. 1 .AND. ALLOCATED({})) DEALLOCATE ({})";
        sentences.say(names.say(template, &[place, place]));
    }
    sentences.open(names.say("IF (#FOUND .EQ. 1) THEN", &[]));
    let bounds: Vec<String> =
        (1..=rank).map(|i| names.say("#LOWER({}):#UPPER({})", &[&i.to_string(), &i.to_string()])).collect();
    let shape = if rank == 0 { String::new() } else { format!("({})", bounds.join(", ")) };
    let of = if has_length_of_its_own(item) {
        names.say("CHARACTER(LEN=CPPC_FOLLOWED_LENGTH({})) :: ", &[name])
    } else {
        String::new()
    };
    sentences.say(names.say("ALLOCATE ({}{}{})", &[&of, place, &shape]));
    let deliver = match first_component(names, item) {
        Some((field, first)) => {
            let call = names.say("CALL CPPC_DELIVER_FIRST_{}({}, {})", &[&names.kind(&field.code), &first, name]);
            if rank > 0 { names.say("IF (SIZE({}) .GT. 0) {}", &[place, &call]) } else { call }
        }
        None => {
            let first = if rank == 0 { names.say("FIRST_", &[]) } else { String::new() };
            names.say("CALL CPPC_DELIVER_{}{}({}, {})", &[&first, &names.kind(&item.code), place, name])
        }
    };
    sentences.say(deliver);
    if item.traits.pointer && !has_length_of_its_own(item) {
        share(names, rank, place, name, sentences);
    }
    sentences.close(names.say("END IF", &[]));
}

/// A pointer into memory that is there already.
fn share(names: &Names, rank: u32, place: &str, name: &str, sentences: &mut Sentences) {
    sentences.turn(names.say("ELSE IF (#FOUND .EQ. 2) THEN", &[]));
    sentences.open(names.say("BLOCK", &[]));
    sentences.say(names.say("USE, INTRINSIC :: ISO_C_BINDING, ONLY: C_F_POINTER, C_NULL_PTR", &[]));
    sentences.say(names.say("INTEGER(KIND=8), EXTERNAL :: CPPC_PLACE", &[]));
    let address = names.say("TRANSFER(CPPC_PLACE({}), C_NULL_PTR)", &[name]);
    if rank == 0 {
        sentences.say(names.say("CALL C_F_POINTER({}, {})", &[&address, place]));
    } else {
        let rank_text = rank.to_string();
        let template = "CALL C_F_POINTER({}, {}, #UPPER(1:{}) - #LOWER(1:{}) + 1)";
        sentences.say(names.say(template, &[&address, place, &rank_text, &rank_text]));
        let lower: Vec<String> =
            (1..=rank).map(|i| names.say("#LOWER({}):", &[&i.to_string()])).collect();
        sentences.say(format!("{place}({}) => {place}", lower.join(", ")));
    }
    sentences.close(names.say("END BLOCK", &[]));
}

/// Where it is now.
pub(super) fn follow(names: &Names, item: &Item, sentences: &mut Sentences) {
    let ItemKind::Followed { rank } = item.kind else { return };
    let write = |sentences: &mut Sentences| follow_here(names, item, rank, sentences);
    guarded(names, item, |sentences| each_element(names, item, write, sentences), sentences);
}

fn follow_here(names: &Names, item: &Item, rank: u32, sentences: &mut Sentences) {
    let (place, name) = (names.of_item(&item.lvalue), literal(&item.name));
    sentences.open(names.say(&format!("IF ({}({{}})) THEN", asks_for(item)), &[&place]));
    let bounds = if rank == 0 {
        "(/0_8/), (/0_8/)".to_owned()
    } else {
        names.say("LBOUND({}, KIND=8), UBOUND({}, KIND=8)", &[&place, &place])
    };
    let gaps = item.traits.gaps && rank > 0;
    if gaps {
        sentences.open(names.say("IF (IS_CONTIGUOUS({})) THEN", &[&place]));
    }
    let rank_text = rank.to_string();
    match first_component(names, item) {
        Some((field, first)) => {
            if rank > 0 {
                sentences.open(names.say("IF (SIZE({}) .GT. 0) THEN", &[&place]));
            }
            let parts = [&*names.kind(&field.code), &first, &rank_text, &bounds, &name];
            sentences.say(names.say("CALL CPPC_FOLLOW_FIRST_{}({}, {}, {}, {})", &parts));
            if rank > 0 {
                sentences.turn(names.say("ELSE", &[]));
                sentences.say(names.say("CALL CPPC_FOLLOW_EMPTY({}, {}, {})", &[&rank_text, &bounds, &name]));
                sentences.close(names.say("END IF", &[]));
            }
        }
        None => {
            let first = if rank == 0 { names.say("FIRST_", &[]) } else { String::new() };
            let parts = [&*first, &names.kind(&item.code), &place, &rank_text, &bounds, &name];
            sentences.say(names.say("CALL CPPC_FOLLOW_{}{}({}, {}, {}, {})", &parts));
        }
    }
    if gaps {
        sentences.turn(names.say("ELSE", &[]));
        sentences.say(names.say("CALL CPPC_NOT_CONTIGUOUS({})", &[&name]));
        sentences.close(names.say("END IF", &[]));
    }
    sentences.turn(names.say("ELSE", &[]));
    sentences.say(names.say("CALL CPPC_FOLLOW_NOTHING({})", &[&name]));
    sentences.close(names.say("END IF", &[]));
}

/// The first component of the first element, of a derived type.
fn first_component<'a>(names: &Names, item: &'a Item) -> Option<(&'a RecordField, String)> {
    let TypeCode::Record(record) = &item.code else { return None };
    let field = record.fields.first()?;
    Some((field, format!("{}%{}", first_element(names, item), names.cased(&field.path))))
}

/// A character variable whose length is not a constant.
fn has_length_of_its_own(item: &Item) -> bool {
    item.traits.length.as_ref().is_some_and(|length| number(length).is_none())
}
