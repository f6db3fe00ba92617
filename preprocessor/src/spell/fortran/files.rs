//! Files that execute blocks open.
//!
//! In: units and names, as the program writes them. Out: statements before and after those of the block. Holds
//! afterwards: only statements of the standard are used, with two variables of our own.

use super::names::{literal, Names};
use super::sentence::Sentences;
use crate::model::OpenedFile;

/// What the hidden variables are that say how a unit is connected.
pub(super) const DECLARATION: &str = "CHARACTER(LEN=16) #ACCESS, #FORM";

/// The block is going to open them.
pub(super) fn announce(names: &Names, files: &[OpenedFile], sentences: &mut Sentences) {
    for (index, file) in files.iter().enumerate() {
        let parts = [&*(index + 1).to_string(), &names.cased(&file.name), &literal(&format!("unit {}", file.handle))];
        sentences.say(names.say("CALL CPPC_FILE({}, {}, {})", &parts));
    }
}

/// The block has opened them. In a restart a record that was begun is begun again, and a unit that was closed is closed.
pub(super) fn opened(names: &Names, files: &[OpenedFile], sentences: &mut Sentences) {
    for (index, file) in files.iter().enumerate() {
        let unit = names.cased(&file.handle);
        sentences.say(names.say("#ACCESS = ' '", &[]));
        sentences.say(names.say("#FORM = ' '", &[]));
        sentences.say(names.say("INQUIRE (UNIT={}, ACCESS=#ACCESS, FORM=#FORM)", &[&unit]));
        let number = (index + 1).to_string();
        sentences.say(names.say("#NEXT = CPPC_FILE_UNIT({}, INT({}), #ACCESS, #FORM)", &[&number, &unit]));
        sentences.say(names.say("IF (#NEXT .EQ. 1) WRITE ({}, '(A)', ADVANCE='NO') ''", &[&unit]));
        sentences.say(names.say("IF (#NEXT .EQ. 2) CLOSE ({})", &[&unit]));
    }
}
