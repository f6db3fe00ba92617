//! What is done before a checkpoint or call, and after it when a restart ended there.

use super::followed::follow;
use super::names::cell;
use super::registers::name_again;
use super::sentence::Sentences;
use super::Writer;
use crate::model::ItemKind;
use crate::plan::structured::Keeping;
use crate::plan::SavedValue;

impl Writer<'_> {
    /// Values go into their cells, memory is named.
    pub(super) fn keep(&self, keeping: &Keeping, sentences: &mut Sentences) {
        for value in &keeping.saved {
            sentences.say(self.with_cell("CALL CPPC_SAVE_{}({}, {})", value));
        }
        for value in &keeping.loops {
            let (cell, variable) = (value.cell.to_string(), self.text.written(value.variable));
            let parts = [&*self.names.kind(&value.code), &cell, &variable];
            sentences.say(self.names.say("CALL CPPC_SAVE_{}({}, {})", &parts));
        }
        for item in &keeping.named {
            match item.kind {
                ItemKind::Followed { .. } => follow(&self.names, item, sentences),
                _ => name_again(&self.names, item, sentences),
            }
        }
    }

    /// `IF (condition .NE. 0) THEN`, what a restart takes back, `END IF`.
    pub(super) fn take(&self, condition: &str, keeping: &Keeping, sentences: &mut Sentences) {
        if keeping.taken.is_empty() && keeping.named.is_empty() {
            return sentences.say(self.names.say("IF ({} .NE. 0) CONTINUE", &[condition]));
        }
        sentences.open(self.names.say("IF ({} .NE. 0) THEN", &[condition]));
        for value in &keeping.taken {
            sentences.say(self.with_cell("CALL CPPC_TAKE_{}({}, {})", value));
        }
        for item in &keeping.named {
            name_again(&self.names, item, sentences);
        }
        sentences.close(self.names.say("END IF", &[]));
    }

    fn with_cell(&self, template: &str, value: &SavedValue) -> String {
        let code = self.plan.slots[value.slot.0].code.as_ref();
        let (cell, name) = (cell(value.slot).to_string(), self.names.cased(&value.name));
        self.names.say(template, &[&code.map_or(String::new(), |code| self.names.kind(code)), &cell, &name])
    }
}
