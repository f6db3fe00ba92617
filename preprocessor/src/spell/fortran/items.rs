//! What every form of registering an item needs: its condition, its count, its type.
//!
//! In: an item. Out: statements around it and expressions of it. Holds afterwards: nothing is asked of an
//! argument that is absent.

use super::names::{literal, number, Names};
use super::sentence::Sentences;
use crate::model::{Item, RecordType, TypeCode};

/// Statements under the conditions that an item can be spoken of.
pub(super) fn guarded(names: &Names, item: &Item, write: impl FnOnce(&mut Sentences), sentences: &mut Sentences) {
    let place = names.cased(&item.lvalue);
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
    names.cased(item.traits.first_element.as_ref().unwrap_or(&item.lvalue))
}

/// The number of elements. That of a character array is given in bytes; the routines know the length.
pub(super) fn count(names: &Names, item: &Item) -> String {
    let text = names.cased(&item.count);
    let length = item.traits.length.as_ref().map(|length| names.cased(length));
    match (number(&text), length.map(|length| (number(&length), length))) {
        (Some(count), None) => format!("{count}_8"),
        (None, None) if is_wide(&text) => text,
        (None, None) => names.say("INT({}, 8)", &[&text]),
        (Some(bytes), Some((Some(length), _))) => format!("{}_8", bytes.checked_div(length).unwrap_or(0)),
        (_, Some((_, length))) => match text.strip_suffix(&format!(" * {length}")) {
            Some(elements) => elements.to_owned(),
            None => names.say("({}) / MAX(1_8, {})", &[&text, &length]),
        },
    }
}

/// Whether an expression is of `INTEGER(8)` by a number or a function in it.
fn is_wide(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    text.contains("_8") || text.contains("kind=8")
}

pub(super) fn storage(names: &Names, item: &Item) -> String {
    names.say(if item.automatic { "CPPC_AUTOMATIC" } else { "CPPC_STATIC" }, &[])
}
