//! What is done before a checkpoint or call, and after it when a restart ended there.

use std::sync::Arc;

use super::bundles::can_be_passed;
use super::followed::follow;
use super::names::{cell, literal};
use super::registers::{self, name_again};
use super::sentence::Sentences;
use super::Writer;
use crate::model::{Item, ItemKind};
use crate::plan::structured::Keeping;
use crate::plan::{Registered, SavedValue};

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
        self.name_bundle(keeping, sentences);
        for item in keeping.named.iter().filter(|item| !self.is_bundled(item)) {
            match item.kind {
                ItemKind::Followed { .. } => follow(&self.names, item, sentences),
                _ => name_again(&self.names, item, sentences),
            }
        }
    }

    /// A register, by a procedure where there are many of its kind.
    pub(super) fn register(&self, section: u32, registered: &Registered, sentences: &mut Sentences) {
        let (names, item, layout) = (&self.names, &registered.item, &self.frame.layout);
        let Some(place) = layout.contained.as_ref().filter(|_| self.is_bundled(item)) else {
            return registers::register(names, section, registered, sentences);
        };
        let call = self.bundles.register(names, place, layout.declares_externals, section, registered);
        if registers::asks_first(item) {
            return sentences.say(names.say("IF (CPPC_WANTS({}) .NE. 0) {}", &[&literal(&item.name), &call]));
        }
        sentences.say(call);
    }

    fn is_bundled(&self, item: &Item) -> bool {
        self.bundles_arrays && can_be_passed(item)
    }

    /// Names at once what can be.
    fn name_bundle(&self, keeping: &Keeping, sentences: &mut Sentences) {
        let items: Vec<&Arc<Item>> = keeping.named.iter().filter(|item| self.is_bundled(item)).collect();
        let layout = &self.frame.layout;
        let Some(place) = layout.contained.as_ref().filter(|_| !items.is_empty()) else { return };
        sentences.say(self.bundles.call(&self.names, place, layout.declares_externals, &items));
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
        self.name_bundle(keeping, sentences);
        for item in keeping.named.iter().filter(|item| !self.is_bundled(item)) {
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
