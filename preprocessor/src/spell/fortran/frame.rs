//! What stands at a procedure's top: hidden declarations, the frame, the dispatch.

use std::collections::BTreeSet;

use super::sentence::Sentences;
use super::sheet::Sheet;
use super::captures::extents;
use super::{files, Writer};
use crate::plan::structured::HopId;
use crate::plan::SlotId;

impl Writer<'_> {
    /// Declarations, behind the program's own.
    pub(super) fn declare(&self, called: &BTreeSet<String>, sheet: &mut Sheet) {
        let mut sentences = Sentences::new();
        sentences.say(self.names.say("INCLUDE {}", &["'cppcf.h'"]));
        if self.frame.layout.declares_externals && !called.is_empty() {
            let called: Vec<&str> = called.iter().map(String::as_str).collect();
            sentences.say(self.names.say("EXTERNAL {}", &[&called.join(", ")]));
        }
        for (before, list) in self.declarations() {
            sentences.say(format!("{}{}", self.names.cased(&before), list.join(", ")));
        }
        if let Some(rank) = self.frame.followed_rank {
            let rank = rank.max(1).to_string();
            let template = "INTEGER(KIND=8) #LOWER({}), #UPPER({})";
            sentences.say(self.names.say(template, &[&rank, &rank]));
        }
        if self.frame.opens_files {
            files::DECLARATIONS.iter().for_each(|line| sentences.say(self.names.say(line, &[])));
        }
        if let Some(extents) = self.plan.slots.iter().filter_map(|slot| extents(slot.class)).max() {
            let extents = extents.max(1).to_string();
            sentences.say(self.names.say("INTEGER(KIND=8) #EXTENTS({})", &[&extents]));
        }
        sheet.before(self.text.line_at(self.frame.layout.declarations_at), sentences);
    }

    /// Names by what is declared before them, in the order of their first use.
    fn declarations(&self) -> Vec<(String, Vec<String>)> {
        let mut list = vec![("INTEGER ".to_owned(), vec![self.names.say("#NEXT", &[])])];
        if self.frame.followed_rank.is_some() {
            list[0].1.push(self.names.say("#FOUND", &[]));
        }
        for (index, slot) in self.plan.slots.iter().enumerate() {
            let id = SlotId(index);
            if self.names.is_cell(id) {
                continue;
            }
            let name = format!("{}{}", self.names.slot(id), self.names.cased(&slot.pattern.after));
            match list.iter_mut().find(|(before, _)| before.eq_ignore_ascii_case(&slot.pattern.before)) {
                Some((_, names)) => names.push(name),
                None => list.push((slot.pattern.before.clone(), vec![name])),
            }
        }
        list
    }

    /// The frame is opened; in a restart, on to the first block.
    pub(super) fn opening(&self) -> Sentences {
        let mut sentences = Sentences::new();
        if self.plan.main {
            sentences.say(self.names.say("CALL CPPC_ARGUMENTS", &[]));
        }
        let (name, blocks) = (super::names::literal(&self.plan.name), self.plan.blocks.to_string());
        sentences.say(self.names.say("#NEXT = CPPC_ENTER({}, {})", &[&name, &blocks]));
        if let Some(slot) = self.frame.alternate {
            sentences.say(format!("{} = 0", self.names.slot(slot)));
        }
        sentences.label(self.label(self.frame.dispatch), "");
        self.hop(HopId(0), false, &mut sentences);
        sentences
    }
}
