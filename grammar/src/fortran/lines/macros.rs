//! Macros and their definitions, as in traditional preprocessors.
//!
//! Input: the text of `#define` lines and of `-D`.
//! Output: bodies, split at their parameters.
//! Postcondition: parameters are recognised inside quotes too. Comments in a body are removed without a
//! replacement.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::card::{first_solid, is_blank};

#[derive(Debug, PartialEq, Eq)]
pub struct Macro {
    /// `None` for a macro without parentheses.
    pub parameters: Option<usize>,
    /// The last parameter takes all remaining arguments.
    pub variadic: bool,
    pub body: Vec<Part>,
}

#[derive(Debug, PartialEq, Eq)]
pub enum Part {
    Text(Vec<u8>),
    Argument(usize),
    /// `#x`
    Quoted(usize),
}

impl Macro {
    /// A macro that is replaced by a text.
    pub fn of_text(text: &[u8]) -> Macro {
        Macro { parameters: None, variadic: false, body: parts(text, &[]) }
    }
}

/// The macros at the current position.
#[derive(Debug)]
pub struct Macros {
    table: FxHashMap<Vec<u8>, Rc<Macro>>,
    /// True for the bytes with which the name of a macro begins.
    first: [bool; 256],
}

impl Macros {
    pub fn new() -> Macros {
        Macros { table: FxHashMap::default(), first: [false; 256] }
    }

    pub fn find(&self, name: &[u8]) -> Option<&Rc<Macro>> {
        let first = *name.first()?;
        if !self.first[first as usize] {
            return None;
        }
        self.table.get(name)
    }

    fn define(&mut self, name: &[u8], definition: Macro) {
        if let Some(&first) = name.first() {
            self.first[first as usize] = true;
            self.table.insert(name.to_vec(), Rc::new(definition));
        }
    }

    pub fn undefine(&mut self, name: &[u8]) {
        self.table.remove(name);
    }

    /// Parses the text after `#define`. `None` if it defines nothing.
    pub fn read(&mut self, text: &[u8]) -> Option<()> {
        let start = first_solid(text, 0)?;
        let name = name_at(text, start)?;
        let behind = start + name.len();
        if text.get(behind) != Some(&b'(') {
            self.define(name, Macro::of_text(&text[behind..]));
            return Some(());
        }
        let close = behind + memchr::memchr(b')', &text[behind..])?;
        let mut parameters: Vec<&[u8]> = Vec::new();
        let mut variadic = false;
        let list = &text[behind + 1..close];
        if !list.trim_ascii().is_empty() {
            for parameter in list.split(|&byte| byte == b',') {
                let parameter = parameter.trim_ascii();
                variadic = parameter == b"...";
                let known = if variadic { &b"__VA_ARGS__"[..] } else { parameter };
                if name_at(known, 0)? != known {
                    return None;
                }
                parameters.push(known);
            }
        }
        let body = parts(&text[close + 1..], &parameters);
        self.define(name, Macro { parameters: Some(parameters.len()), variadic, body });
        Some(())
    }
}

/// Represents a comment in the text of a `#` line. Two words with a comment between them are two words there,
/// and become one where a macro is used.
pub const COMMENT: u8 = 0;

/// True if the byte can be part of a name. For the preprocessor `$` cannot.
pub fn in_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

pub fn begins_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

/// The name that begins at an offset.
pub fn name_at(text: &[u8], at: usize) -> Option<&[u8]> {
    let rest = text.get(at..)?;
    begins_name(*rest.first()?).then(|| {
        let length = rest.iter().position(|&byte| !in_name(byte)).unwrap_or(rest.len());
        &rest[..length]
    })
}

fn trimmed(text: &[u8]) -> &[u8] {
    let solid = |&byte: &u8| !is_blank(byte);
    match (text.iter().position(solid), text.iter().rposition(solid)) {
        (Some(first), Some(last)) => &text[first..=last],
        _ => &[],
    }
}

fn parts(body: &[u8], parameters: &[&[u8]]) -> Vec<Part> {
    let body = trimmed(body);
    let mut parts = Vec::new();
    let mut text: Vec<u8> = Vec::new();
    let mut at = 0;
    while at < body.len() {
        // Traditional preprocessors have no `##`, so the author of this text expects another preprocessor.
        if body[at..].starts_with(b"##") && !parameters.is_empty() {
            text.truncate(text.trim_ascii_end().len());
            at = first_solid(body, at + 2).unwrap_or(body.len());
            continue;
        }
        let quoted = body[at] == b'#';
        let start = at + usize::from(quoted);
        let Some(name) = name_at(body, start) else {
            if body[at] != COMMENT {
                text.push(body[at]);
            }
            at += 1;
            continue;
        };
        match parameters.iter().position(|&parameter| parameter == name) {
            Some(index) => {
                if !text.is_empty() {
                    parts.push(Part::Text(std::mem::take(&mut text)));
                }
                parts.push(if quoted { Part::Quoted(index) } else { Part::Argument(index) });
            }
            None => text.extend_from_slice(&body[at..start + name.len()]),
        }
        at = start + name.len();
    }
    if !text.is_empty() {
        parts.push(Part::Text(text));
    }
    parts
}
