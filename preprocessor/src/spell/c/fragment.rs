//! Parts of the program's text, with slots in their holes.

use std::collections::HashSet;

use super::Writer;
use crate::plan::{Fragment, SavedMember, SavedMemberId, SavedMemberKind};

impl Writer<'_> {
    /// The text of a fragment.
    pub(super) fn text(&self, fragment: &Fragment) -> String {
        let mut text = String::new();
        let mut at = fragment.span.start;
        for hole in &fragment.holes {
            text.push_str(&self.original(at, hole.span.start));
            text.push_str(&self.slot(hole.slot));
            at = hole.span.end;
        }
        text.push_str(&self.original(at, fragment.span.end));
        text
    }

    /// The text of a fragment as a whole value. A slot needs no parentheses.
    pub(super) fn value(&self, fragment: &Fragment) -> String {
        self.only_slot(fragment).unwrap_or_else(|| self.text(fragment))
    }

    /// The text of a fragment after `=`. A comma operator needs parentheses there.
    pub(super) fn assigned(&self, fragment: &Fragment) -> String {
        let text = self.value(fragment);
        if has_comma_operator(&text) {
            format!("({text})")
        } else {
            text
        }
    }

    /// The text of a fragment as an operand: in parentheses, unless it is a slot.
    pub(super) fn operand(&self, fragment: &Fragment) -> String {
        self.only_slot(fragment).unwrap_or_else(|| format!("({})", self.text(fragment)))
    }

    /// The slot, if the rest of the text consists only of parentheses.
    fn only_slot(&self, fragment: &Fragment) -> Option<String> {
        let [hole] = &fragment.holes[..] else { return None };
        let before = self.original(fragment.span.start, hole.span.start);
        let after = self.original(hole.span.end, fragment.span.end);
        let is_only = |text: &str, parenthesis: char| {
            text.chars().all(|letter| letter == parenthesis || letter.is_ascii_whitespace())
        };
        (is_only(&before, '(') && is_only(&after, ')')).then(|| self.slot(hole.slot))
    }

    fn original(&self, start: u32, end: u32) -> String {
        let span = cppc_source::Span::new(self.style.file, start, end.max(start));
        self.style.files.text_lossy(span).into_owned()
    }

    /// The name of the member of a slot.
    pub(super) fn member(&self, id: SavedMemberId) -> String {
        self.members[id.0].clone()
    }
}

/// Whether an expression contains a comma outside of parentheses.
fn has_comma_operator(text: &str) -> bool {
    let (mut depth, mut quote, mut is_escaped) = (0_i32, None, false);
    for letter in text.chars() {
        match quote {
            Some(_) if is_escaped => is_escaped = false,
            Some(_) if letter == '\\' => is_escaped = true,
            Some(open) if letter == open => quote = None,
            Some(_) => {}
            None => match letter {
                '"' | '\'' => quote = Some(letter),
                '(' | '[' | '{' => depth += 1,
                ')' | ']' | '}' => depth -= 1,
                ',' if depth == 0 => return true,
                _ => {}
            },
        }
    }
    false
}

/// The names of the members of the structure, which are distinct. A saved copy has the name of its variable,
/// even if this looks like a numbered name.
pub(super) fn members(slots: &[SavedMember]) -> Vec<String> {
    let is_own = |slot: &SavedMember| matches!(slot.kind, SavedMemberKind::Saved { suffix: None, .. });
    let mut taken: HashSet<String> =
        slots.iter().filter(|slot| is_own(slot)).map(|slot| word(&slot.kind)).collect();
    let names = slots.iter().map(|slot| {
        let mut name = word(&slot.kind);
        while !is_own(slot) && !taken.insert(name.clone()) {
            name.push('_');
        }
        name
    });
    names.collect()
}

fn word(kind: &SavedMemberKind) -> String {
    match kind {
        SavedMemberKind::Saved { name, suffix: None } => name.clone(),
        SavedMemberKind::Saved { name, suffix: Some(number) } => format!("{name}_{number}"),
        SavedMemberKind::PathPointer { name, suffix: None } => format!("way_{name}"),
        SavedMemberKind::PathPointer { name, suffix: Some(number) } => format!("way_{name}_{number}"),
        SavedMemberKind::Value(number) => format!("value_{number}"),
        SavedMemberKind::Argument(number) => format!("argument_{number}"),
        SavedMemberKind::Operand(number) => format!("operand_{number}"),
        SavedMemberKind::Choice(number) => format!("choice_{number}"),
        SavedMemberKind::Capture { number, .. } => format!("capture_{number}"),
        // C has no such slots.
        SavedMemberKind::Hidden { number, .. } => format!("hidden_{number}"),
    }
}

/// A C string literal.
pub(super) fn literal(text: &str) -> String {
    let mut quoted = String::from("\"");
    for character in text.chars() {
        match character {
            '"' | '\\' => {
                quoted.push('\\');
                quoted.push(character);
            }
            '\n' | '\r' | '\t' => quoted.push(' '),
            '?' => quoted.push_str("\\?"),
            _ if character.is_control() => quoted.push(' '),
            _ => quoted.push(character),
        }
    }
    quoted.push('"');
    quoted
}

/// The text in a form that can be inside a comment.
pub(super) fn commentable(text: &str) -> String {
    text.replace("*/", "* /").replace("/*", "/ *")
}
