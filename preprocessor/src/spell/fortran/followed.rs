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

/// What a register is made with, as expressions.
pub(super) struct Told {
    pub section: String,
    pub name: String,
    pub storage: String,
}

impl Told {
    pub fn of(names: &Names, section: u32, registered: &Registered) -> Told {
        let parameter = if registered.parameter { names.say(" + CPPC_PARAMETER", &[]) } else { String::new() };
        let associated = if registered.item.traits.pointer { names.say(" + CPPC_ASSOCIATED", &[]) } else { String::new() };
        let storage = storage(names, &registered.item) + &parameter + &associated;
        Told { section: section.to_string(), name: literal(&registered.item.name), storage }
    }
}

pub(super) fn register_followed(names: &Names, told: &Told, item: &Item, rank: u32, sentences: &mut Sentences) {
    let (place, name, rank_text) = (names.of_item(&item.lvalue), &told.name, rank.to_string());
    let call = |code: &str| {
        let parts = [&*told.section, code, &rank_text, name, &told.storage];
        names.say("#FOUND = CPPC_REGISTER_FOLLOWED({}, {}, {}, #LOWER, #UPPER, {}, {})", &parts)
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
        bring_back(names, item, rank, &place, name, sentences);
    }
    follow_here(names, item, rank, name, sentences);
}

/// In a restart: memory with the bounds that it had, and its content.
fn bring_back(names: &Names, item: &Item, rank: u32, place: &str, name: &str, sentences: &mut Sentences) {
    if item.traits.pointer {
        sentences.say(names.say("IF (#FOUND .EQ. -1) NULLIFY ({})", &[place]));
    } else {
        sentences.say(names.say("IF (#FOUND .EQ. -1 .AND. ALLOCATED({})) DEALLOCATE ({})", &[place, place]));
    }
    sentences.open(names.say("IF (#FOUND .EQ. 1) THEN", &[]));
    if !item.traits.pointer {
        free_unless_alike(names, item, rank, place, name, sentences);
    }
    let bounds: Vec<String> =
        (1..=rank).map(|i| names.say("#LOWER({}):#UPPER({})", &[&i.to_string(), &i.to_string()])).collect();
    let shape = if rank == 0 { String::new() } else { format!("({})", bounds.join(", ")) };
    let of = if has_length_of_its_own(item) {
        names.say("CHARACTER(LEN=CPPC_FOLLOWED_LENGTH({})) :: ", &[name])
    } else {
        String::new()
    };
    let unless = if item.traits.pointer { String::new() } else { names.say("IF (.NOT. ALLOCATED({})) ", &[place]) };
    sentences.say(names.say("{}ALLOCATE ({}{}{})", &[&unless, &of, place, &shape]));
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

/// What is allocated already as it was at the checkpoint stays where it is: pointers that were set before `init` may point
/// to it. Anything else is freed.
fn free_unless_alike(names: &Names, item: &Item, rank: u32, place: &str, name: &str, sentences: &mut Sentences) {
    let mut differs = Vec::new();
    if rank > 0 {
        let rank = rank.to_string();
        let template = "ANY(LBOUND({}, KIND=8) .NE. #LOWER(1:{})) .OR. ANY(UBOUND({}, KIND=8) .NE. #UPPER(1:{}))";
        differs.push(names.say(template, &[place, &rank, place, &rank]));
    }
    if has_length_of_its_own(item) {
        differs.push(names.say("LEN({}) .NE. CPPC_FOLLOWED_LENGTH({})", &[place, name]));
    }
    if differs.is_empty() {
        return;
    }
    sentences.open(names.say("IF (ALLOCATED({})) THEN", &[place]));
    sentences.open(names.say("IF ({}) THEN", &[&differs.join(&names.say(" .OR. ", &[]))]));
    sentences.say(names.say("CALL CPPC_MOVED({})", &[name]));
    sentences.say(names.say("DEALLOCATE ({})", &[place]));
    sentences.close(names.say("END IF", &[]));
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
    let write = |sentences: &mut Sentences| follow_again(names, item, rank, sentences);
    guarded(names, item, |sentences| each_element(names, item, write, sentences), sentences);
}

/// A pointer may be asked for its state only after it has got one, which it has when it is registered.
pub(super) fn follow_again(names: &Names, item: &Item, rank: u32, sentences: &mut Sentences) {
    let name = literal(&item.name);
    if !may_be_undefined(item) {
        return follow_here(names, item, rank, &name, sentences);
    }
    sentences.open(names.say("IF (CPPC_FOLLOWS({}) .NE. 0) THEN", &[&name]));
    follow_here(names, item, rank, &name, sentences);
    sentences.close(names.say("END IF", &[]));
}

/// Elements are gone through as they are registered.
pub(super) fn may_be_undefined(item: &Item) -> bool {
    item.traits.pointer && item.indexed.is_none()
}

pub(super) fn follow_here(names: &Names, item: &Item, rank: u32, name: &str, sentences: &mut Sentences) {
    let place = names.of_item(&item.lvalue);
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
            let parts = [&*names.kind(&field.code), &first, &rank_text, &bounds, name];
            sentences.say(names.say("CALL CPPC_FOLLOW_FIRST_{}({}, {}, {}, {})", &parts));
            if rank > 0 {
                sentences.turn(names.say("ELSE", &[]));
                sentences.say(names.say("CALL CPPC_FOLLOW_EMPTY({}, {}, {})", &[&rank_text, &bounds, name]));
                sentences.close(names.say("END IF", &[]));
            }
        }
        None => {
            let first = if rank == 0 { names.say("FIRST_", &[]) } else { String::new() };
            let parts = [&*first, &names.kind(&item.code), &place, &rank_text, &bounds, name];
            sentences.say(names.say("CALL CPPC_FOLLOW_{}{}({}, {}, {}, {})", &parts));
        }
    }
    if gaps {
        sentences.turn(names.say("ELSE", &[]));
        sentences.say(names.say("CALL CPPC_NOT_CONTIGUOUS({})", &[name]));
        sentences.close(names.say("END IF", &[]));
    }
    sentences.turn(names.say("ELSE", &[]));
    sentences.say(names.say("CALL CPPC_FOLLOW_NOTHING({})", &[name]));
    sentences.close(names.say("END IF", &[]));
}

/// The first component of the first element, of a derived type.
fn first_component<'a>(names: &Names, item: &'a Item) -> Option<(&'a RecordField, String)> {
    let TypeCode::Record(record) = &item.code else { return None };
    let field = record.fields.first()?;
    Some((field, format!("{}%{}", first_element(names, item), names.cased(&field.path))))
}

/// A character variable whose length is not a constant.
pub(super) fn has_length_of_its_own(item: &Item) -> bool {
    item.traits.length.as_ref().is_some_and(|length| number(length).is_none())
}
