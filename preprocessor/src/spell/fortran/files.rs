//! Files that execute blocks open.
//!
//! In: units and names, as the program writes them. Out: statements before and after those of the block. Holds
//! afterwards: only statements of the standard are used, with variables of our own.

use super::names::{literal, Names};
use super::sentence::Sentences;
use crate::model::OpenedFile;

/// The hidden variables that say how a unit is connected, and where it is to go on.
pub(super) const DECLARATIONS: [&str; 2] = ["CHARACTER(LEN=16) #ACCESS, #FORM", "INTEGER(KIND=8) #PLACE"];

/// What sets the place of a unit of stream access: it counts by itself, and moves only when a statement says `POS=`.
const PLACED: [&str; 4] = [
    "IF (#NEXT .EQ. 3) READ ({}, POS=#PLACE)",
    "IF (#NEXT .EQ. 4) WRITE ({}, POS=#PLACE)",
    "IF (#NEXT .EQ. 5) READ ({}, '()', ADVANCE='NO', POS=#PLACE)",
    "IF (#NEXT .EQ. 6) WRITE ({}, '()', ADVANCE='NO', POS=#PLACE)",
];

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
        sentences.say(names.say("IF (#NEXT .GE. 3) CALL CPPC_FILE_PLACE(#PLACE)", &[]));
        PLACED.iter().for_each(|statement| sentences.say(names.say(statement, &[&unit])));
    }
}
