//! What every form of registering an item needs: its condition, its count, its type.
//!
//! In: an item. Out: statements around it and expressions of it. Holds afterwards: nothing is asked of an
//! argument that is absent.

use super::names::{literal, Names};
use super::sentence::Sentences;
use crate::model::{Item, RecordType, TypeCode};

/// Statements under the conditions that an item can be spoken of.
pub(super) fn guarded(names: &Names, item: &Item, write: impl FnOnce(&mut Sentences), sentences: &mut Sentences) {
    let place = names.of_item(&item.lvalue);
    if item.traits.optional {
        sentences.open(names.say("IF (PRESENT({})) THEN", &[&place]));
    }
    write(sentences);
    if item.traits.optional {
        sentences.close(names.say("END IF", &[]));
    }
}

pub(super) fn asks_for(item: &Item) -> &'static str {
    if item.traits.pointer { "ASSOCIATED" } else { "ALLOCATED" }
}

/// A derived type, by the components of one element.
pub(super) fn describe(names: &Names, first: &str, record: &RecordType, sentences: &mut Sentences) {
    let size = names.say("STORAGE_SIZE({}, KIND=8) / 8", &[first]);
    sentences.say(names.say("CALL CPPC_TYPE({}, {})", &[&literal(&record.word), &size]));
    for field in &record.fields {
        let component = format!("{first}%{}", names.cased(&field.path));
        let kind = names.kind(&field.code);
        let count = match &field.code {
            // Counted in bytes; the routine knows the length.
            TypeCode::Named("CPPC_CHARACTER") => names.say("{}_8 / MAX(1, LEN({}))", &[&field.count.to_string(), &component]),
            _ => format!("{}_8", field.count),
        };
        let parts = [&*kind, &component, &count, &literal(&field.path)];
        sentences.say(names.say("CALL CPPC_FIELD_{}({}, {}, {})", &parts));
    }
}

pub(super) fn first_element(names: &Names, item: &Item) -> String {
    names.of_item(item.traits.first_element.as_ref().unwrap_or(&item.lvalue))
}

pub(super) fn storage(names: &Names, item: &Item) -> String {
    names.say(if item.automatic { "CPPC_AUTOMATIC" } else { "CPPC_STATIC" }, &[])
}
