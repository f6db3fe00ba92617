//! Attributes that change a type or the flow of control.
//!
//! Input: the tokens of `__attribute__((…))`, `[[…]]` or `__declspec(…)`.
//! Output: an `Attribute` for the first of them that the binder needs. The others are kept as tokens.

use super::context::Context;
use crate::c::token::TokenKind;
use crate::c::tree::{Attribute, AttributeKind, Range};

pub fn attribute(context: &Context<'_>, start: u32, end: u32) -> Attribute {
    let kind = (start + 1..end).find_map(|at| known(context, at, end));
    Attribute { range: Range { start, end }, kind: kind.unwrap_or(AttributeKind::Other) }
}

fn known(context: &Context<'_>, at: u32, end: u32) -> Option<AttributeKind> {
    let token = context.tokens[at as usize];
    if !matches!(token.kind, TokenKind::Identifier | TokenKind::Keyword) {
        return None;
    }
    match context.names.text(token.text) {
        "vector_size" | "__vector_size__" => Some(AttributeKind::VectorSize),
        "packed" | "__packed__" => Some(AttributeKind::Packed),
        "noreturn" | "__noreturn__" | "_Noreturn" => Some(AttributeKind::NoReturn),
        // `mode(DI)`: the name of the mode follows the parenthesis.
        "mode" | "__mode__" if at + 2 < end && context.text(at + 1) == "(" => {
            Some(AttributeKind::Mode(context.tokens[at as usize + 2].text))
        }
        _ => None,
    }
}
