//! Files that execute blocks open.
//!
//! In: units and names, as the program writes them. Out: statements before and after those of the block. Holds
//! afterwards: only statements of the standard are used, with variables of our own.

use super::names::{literal, Names};
use super::sentence::Sentences;
use crate::model::OpenedFile;

/// The hidden variables that say how a unit is connected, and where it is to go on.
pub(super) const DECLARATIONS: [&str; 3] =
    ["CHARACTER(LEN=16) #ACCESS, #FORM", "INTEGER(KIND=8) #PLACE", "INTEGER #RECORD"];

/// What is asked of a unit, and what a restart may have to do to it. A unit of direct access learns how many records there are
/// by writing the last one, in what lies in the file's place; one of stream access counts by itself, and moves only when a
/// statement says `POS=`. `@` is the unit, `%` the call.
const OPENED: [&str; 16] = [
    "#ACCESS = ' '",
    "#FORM = ' '",
    "#RECORD = 1",
    "INQUIRE (UNIT=@, ACCESS=#ACCESS, FORM=#FORM, RECL=#RECORD)",
    "#NEXT = %",
    "IF (#NEXT .GE. 3) CALL CPPC_FILE_PLACE(#PLACE)",
    "IF (#NEXT .EQ. 8) WRITE (@, REC=(#PLACE + #RECORD - 2) / #RECORD)",
    "IF (#NEXT .EQ. 9) WRITE (@, '()', REC=(#PLACE + #RECORD - 2) / #RECORD)",
    "IF (#NEXT .GE. 8) #NEXT = %",
    "IF (#NEXT .EQ. 1) WRITE (@, '(A)', ADVANCE='NO') ''",
    "IF (#NEXT .EQ. 2) CLOSE (@)",
    "IF (#NEXT .EQ. 3) READ (@, POS=#PLACE)",
    "IF (#NEXT .EQ. 4) WRITE (@, POS=#PLACE)",
    "IF (#NEXT .EQ. 5) READ (@, '()', ADVANCE='NO', POS=#PLACE)",
    "IF (#NEXT .EQ. 6) WRITE (@, '()', ADVANCE='NO', POS=#PLACE)",
    "IF (#NEXT .EQ. 7) WRITE (@, '()', POS=#PLACE)",
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
        let number = (index + 1).to_string();
        for statement in OPENED {
            let template = statement.replace('%', "CPPC_FILE_UNIT({}, INT(@), #ACCESS, #FORM)");
            let (number, unit) = (template.contains("{}").then_some(number.as_str()), names.cased(&file.handle));
            // The unit comes where `@` stands, as often as it does.
            let pieces = template.replace('@', "{}");
            let units = std::iter::repeat_n(unit.as_str(), pieces.matches("{}").count() - usize::from(number.is_some()));
            let parts: Vec<&str> = number.into_iter().chain(units).collect();
            sentences.say(names.say(&pieces, &parts));
        }
    }
}
