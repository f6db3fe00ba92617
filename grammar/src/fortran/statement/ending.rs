//! `END` and the words that may follow it.

use super::role::{Ending, EndingKind, Role};
use super::Reader;
use crate::fortran::cursor::Cursor;
use crate::fortran::token::Shape;

/// If one begins with another, the longer one is first.
const ENDINGS: [(&[&str], EndingKind); 23] = [
    (&["program"], EndingKind::Program),
    (&["subroutine"], EndingKind::Subroutine),
    (&["function"], EndingKind::Function),
    (&["module"], EndingKind::Module),
    (&["submodule"], EndingKind::Submodule),
    (&["block", "data"], EndingKind::BlockData),
    (&["procedure"], EndingKind::Procedure),
    (&["if"], EndingKind::If),
    (&["do"], EndingKind::Do),
    (&["select"], EndingKind::Select),
    (&["where"], EndingKind::Where),
    (&["forall"], EndingKind::Forall),
    (&["block"], EndingKind::Block),
    (&["associate"], EndingKind::Associate),
    (&["critical"], EndingKind::Critical),
    (&["team"], EndingKind::Team),
    (&["type"], EndingKind::Type),
    (&["interface"], EndingKind::Interface),
    (&["enum"], EndingKind::Enum),
    (&["structure"], EndingKind::Structure),
    (&["union"], EndingKind::Union),
    (&["map"], EndingKind::Map),
    (&[], EndingKind::Plain),
];

impl Reader {
    pub(super) fn ending(&mut self, cursor: Cursor<'_>) -> Option<Role> {
        if !cursor.word()?.starts_with("end") {
            return None;
        }
        for (words, kind) in ENDINGS {
            let mut parts = vec!["end"];
            parts.extend(words);
            let mut rest = cursor;
            if !rest.take(&parts) {
                continue;
            }
            if kind == EndingKind::Plain {
                return rest.is_done().then_some(Role::Ends(Ending { kind, name: None }));
            }
            // `END INTERFACE OPERATOR (+)`, `END TEAM (STAT=s)`
            let loose = matches!(kind, EndingKind::Interface | EndingKind::Team);
            let name = rest.take_name();
            if !rest.is_done() && !loose {
                // `ENDIFX` may be a name. Then this is not an `END` statement.
                if rest.shape() == Some(Shape::Equals) {
                    return None;
                }
                self.done(rest);
            }
            return Some(Role::Ends(Ending { kind, name }));
        }
        None
    }
}
