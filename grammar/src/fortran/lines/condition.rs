//! Evaluates the expression in `#if`.
//!
//! Input: the text of the line, and the current macros.
//! Output: whether the condition is true.
//! Postcondition: values are those that the C preprocessor computes from the text after macro expansion.

use std::path::Path;

use cppc_source::{Diagnostic, Files, Span};

use super::card::first_solid;
use super::codes;
use super::macros::name_at;
use super::state::Reader;
use crate::c::preprocess::{preprocess, Compiler};

impl Reader<'_> {
    pub fn condition(&mut self, text: &[u8], span: Span) -> bool {
        let mut expanded = Vec::new();
        let mut rest = 0;
        // The operands of `defined` are not expanded.
        let mut known = Vec::with_capacity(text.len());
        while rest < text.len() {
            let Some(name) = name_at(text, rest) else {
                known.push(text[rest]);
                rest += 1;
                continue;
            };
            rest += name.len();
            let operand = (name == b"defined").then(|| operand(text, rest)).flatten();
            match operand {
                Some((name, behind)) => {
                    let defined = self.is_macro(name);
                    known.extend_from_slice(if defined { b" 1 " } else { b" 0 " });
                    rest = behind;
                }
                None => known.extend_from_slice(name),
            }
        }
        self.rescan(&known, &mut Vec::new(), &mut expanded);
        let expanded = expanded.trim_ascii().to_vec();
        match expanded.as_slice() {
            b"0" => return false,
            b"1" => return true,
            _ => {}
        }
        if let Some(&holds) = self.conditions.get(&expanded) {
            return holds;
        }
        let holds = match evaluate(&expanded) {
            Ok(holds) => holds,
            Err(message) => {
                let diagnostic = Diagnostic::error(codes::BAD_CONDITION, span, message);
                self.report(diagnostic.help("`#if` takes an integer constant expression"));
                false
            }
        };
        self.conditions.insert(expanded, holds);
        holds
    }
}

/// The name after `defined`, and the offset after it.
fn operand(text: &[u8], from: usize) -> Option<(&[u8], usize)> {
    let at = first_solid(text, from)?;
    if let Some(name) = name_at(text, at) {
        return Some((name, at + name.len()));
    }
    let inner = first_solid(text, at + 1).filter(|_| text[at] == b'(')?;
    let name = name_at(text, inner)?;
    let close = first_solid(text, inner + name.len()).filter(|&close| text[close] == b')')?;
    Some((name, close + 1))
}

/// Evaluates it with the C preprocessor, which has no macros here.
fn evaluate(expression: &[u8]) -> Result<bool, String> {
    let mut text = b"#if ".to_vec();
    text.extend(expression.iter().map(|&byte| if byte.is_ascii_control() { b' ' } else { byte }));
    text.extend_from_slice(b"\n1\n#endif\n");
    let mut files = Files::new();
    let main = files.add(Path::new(""), text);
    let outcome = preprocess(&mut files, main, &Compiler::fixed("", Vec::new()));
    match outcome.diagnostics.iter().find(|diagnostic| diagnostic.is_error()) {
        Some(fault) => Err(fault.message.clone()),
        None => Ok(!outcome.tokens.is_empty()),
    }
}
