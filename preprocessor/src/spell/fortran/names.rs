//! Names and words of generated text: hidden variables, routines, operators, capitals.
//!
//! In: a template in capitals, as fixed form has it. Out: text in the letters of the file. Holds
//! afterwards: what is filled into a template stays as it is.

use cppc_grammar::fortran::logical::Form;

use crate::model::TypeCode;
use crate::plan::{ProcedurePlan, SlotId, SlotKind};

pub(super) struct Names<'a> {
    prefix: &'a str,
    capitals: bool,
    form: Form,
    /// The word and number of each slot; none of one that is a cell of the runtime.
    slots: Vec<Option<(&'static str, u32)>>,
}

impl<'a> Names<'a> {
    pub fn new(prefix: &'a str, capitals: bool, form: Form, plan: &ProcedurePlan) -> Names<'a> {
        let mut counts: Vec<(&'static str, u32)> = Vec::new();
        let mut slots = Vec::new();
        for slot in &plan.slots {
            let Some(word) = word(&slot.kind) else {
                slots.push(None);
                continue;
            };
            let number = match counts.iter_mut().find(|(known, _)| *known == word) {
                Some((_, count)) => {
                    *count += 1;
                    *count
                }
                None => {
                    counts.push((word, 1));
                    1
                }
            };
            slots.push(Some((word, number)));
        }
        Names { prefix, capitals, form, slots }
    }

    /// Those of a procedure that has no hidden variables of its own.
    pub fn plain(capitals: bool, form: Form) -> Names<'a> {
        Names { prefix: "cppc", capitals, form, slots: Vec::new() }
    }

    /// A template: `#` stands for the prefix of hidden names, `{}` for the next of the parts.
    pub fn say(&self, template: &str, parts: &[&str]) -> String {
        let mut text = String::new();
        let mut parts = parts.iter();
        for (index, piece) in template.split("{}").enumerate() {
            if index > 0 {
                text.push_str(parts.next().copied().unwrap_or_default());
            }
            let piece = piece.replace('#', &format!("{}_", self.prefix));
            text.push_str(&self.cased(&self.operators(&piece)));
        }
        text
    }

    fn operators(&self, piece: &str) -> String {
        if self.form != Form::Free {
            return piece.to_owned();
        }
        let forms = [(".NE.", "/="), (".EQ.", "=="), (".LE.", "<="), (".GE.", ">=")];
        forms.iter().fold(piece.to_owned(), |text, (old, new)| text.replace(old, new))
    }

    /// In the letters of the file, character constants left alone.
    pub fn cased(&self, text: &str) -> String {
        let mut quote = None;
        let letters = text.chars().map(|character| {
            match quote {
                Some(open) if open == character => quote = None,
                Some(_) => return character,
                None if matches!(character, '\'' | '"') => quote = Some(character),
                None => {}
            }
            if self.capitals { character.to_ascii_uppercase() } else { character.to_ascii_lowercase() }
        });
        letters.collect()
    }

    /// An expression of an item, with the hidden names that it has: the array of subscripts, what a scope hides.
    pub fn of_item(&self, text: &str) -> String {
        self.cased(&text.replace('#', &format!("{}_", self.prefix)))
    }

    /// The hidden variable of a slot.
    pub fn slot(&self, id: SlotId) -> String {
        match self.slots.get(id.0) {
            Some(Some((word, number))) => self.cased(&format!("{}_{word}_{number}", self.prefix)),
            _ => String::new(),
        }
    }

    /// What routines of a type are called by: `REAL_8`.
    pub fn kind(&self, code: &TypeCode) -> String {
        match code {
            TypeCode::Named(name) => self.cased(name.strip_prefix("CPPC_").unwrap_or(name)),
            TypeCode::Record(_) => String::new(),
        }
    }

    pub fn is_cell(&self, id: SlotId) -> bool {
        matches!(self.slots.get(id.0), Some(None))
    }
}

/// The cell that a saved variable lives in.
pub(super) fn cell(id: SlotId) -> u32 {
    id.0 as u32 + 1
}

fn word(kind: &SlotKind) -> Option<&'static str> {
    match kind {
        SlotKind::Saved { .. } | SlotKind::Way { .. } => None,
        SlotKind::Value(_) => Some("value"),
        SlotKind::Argument(_) => Some("argument"),
        SlotKind::Operand(_) => Some("operand"),
        SlotKind::Choice(_) => Some("choice"),
        SlotKind::Capture { .. } => Some("capture"),
        SlotKind::Control { word, .. } => Some(word),
    }
}

/// A character constant.
pub(super) fn literal(text: &str) -> String {
    let clean: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    format!("'{}'", clean.replace('\'', "''"))
}

/// The number that a text is, with or without the kind of counts.
pub(super) fn number(text: &str) -> Option<u64> {
    text.strip_suffix("_8").unwrap_or(text).parse().ok()
}
