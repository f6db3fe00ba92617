//! Items with computed subscripts: which element is meant.
//!
//! In: an item, and what is written for one element. Out: statements for the element that the program means now, or
//! for each that is registered. Holds afterwards: the subscripts live in a block of their own, and in a restart they
//! are the recorded ones.

use super::names::{literal, Names};
use super::sentence::Sentences;
use crate::model::{Indexed, Item};

/// For the element with these subscripts, when there is anything to say of it.
pub(super) fn of_element(names: &Names, item: &Item, write: impl FnOnce(&mut Sentences), sentences: &mut Sentences) {
    let Some(indexed) = &item.indexed else { return write(sentences) };
    open_block(names, indexed, "CPPC_ELEMENT", sentences);
    sentences.open(names.say("IF (#NEXT .EQ. 0) THEN", &[]));
    assign(names, indexed, sentences);
    sentences.close(names.say("END IF", &[]));
    sentences.open(names.say("IF (CPPC_ELEMENT({}, #AT) .NE. 0) THEN", &[&literal(&item.name)]));
    write(sentences);
    sentences.close(names.say("END IF", &[]));
    sentences.close(names.say("END BLOCK", &[]));
}

/// Where nothing is repeated: the element is the one that is spoken of next.
pub(super) fn this_element(names: &Names, item: &Item, write: impl FnOnce(&mut Sentences), sentences: &mut Sentences) {
    let Some(indexed) = &item.indexed else { return write(sentences) };
    open_block(names, indexed, "CPPC_ELEMENT", sentences);
    assign(names, indexed, sentences);
    sentences.say(names.say("IF (CPPC_ELEMENT({}, #AT) .NE. 0) CONTINUE", &[&literal(&item.name)]));
    write(sentences);
    sentences.close(names.say("END BLOCK", &[]));
}

/// For each element that is registered.
pub(super) fn each_element(names: &Names, item: &Item, write: impl FnOnce(&mut Sentences), sentences: &mut Sentences) {
    let Some(indexed) = &item.indexed else { return write(sentences) };
    open_block(names, indexed, "CPPC_NEXT_ELEMENT", sentences);
    sentences.open(names.say("DO WHILE (CPPC_NEXT_ELEMENT({}, #AT) .NE. 0)", &[&literal(&item.name)]));
    write(sentences);
    sentences.close(names.say("END DO", &[]));
    sentences.close(names.say("END BLOCK", &[]));
}

fn open_block(names: &Names, indexed: &Indexed, function: &str, sentences: &mut Sentences) {
    sentences.open(names.say("BLOCK", &[]));
    sentences.say(names.say("INTEGER(KIND=8) #AT({})", &[&indexed.subscripts.len().to_string()]));
    sentences.say(names.say(&format!("INTEGER, EXTERNAL :: {function}"), &[]));
}

fn assign(names: &Names, indexed: &Indexed, sentences: &mut Sentences) {
    for (index, subscript) in indexed.subscripts.iter().enumerate() {
        sentences.say(names.say("#AT({}) = {}", &[&(index + 1).to_string(), &names.cased(subscript)]));
    }
}
