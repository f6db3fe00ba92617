//! Finds the end of an external declaration that could not be parsed.
//!
//! Input: its first token and the token at which the parser stopped.
//! Output: the token after it.
//! Postcondition: at least one token is skipped, and the skipped range ends at a `;` or after a body, as far
//! as braces match. A typedef in the range still declares its name, so that one error does not cause others.

use super::context::Context;
use super::scope::Class;
use super::symbol::{SpecifierWord, Symbol, Symbols};
use crate::c::tree::Storage;

/// The content of a pair of braces.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Braces {
    /// The statements of a function or of a nested block.
    Body,
    Fields,
    /// Enumerators or initialisers. A `;` among them means that the `}` is missing.
    List,
}

/// The token after the declaration that begins at `begin` and has an error at `at`.
pub fn skip(context: &Context<'_>, symbols: &Symbols, begin: u32, at: u32) -> u32 {
    let end = context.tokens.len() as u32;
    let mut open: Vec<Braces> = Vec::new();
    for token in begin..end {
        let past = token >= at;
        match symbols.of(context.tokens[token as usize]) {
            Symbol::OpenBrace => open.push(braces(context, symbols, begin, token, open.last())),
            Symbol::CloseBrace => match (open.pop(), open.last()) {
                (Some(Braces::Body) | None, None) if past => return token + 1,
                _ => {}
            },
            Symbol::Semicolon => match open.last() {
                None if past => return token + 1,
                Some(Braces::List) if past && !open.contains(&Braces::Body) => return token + 1,
                _ => {}
            },
            _ => {}
        }
    }
    end
}

fn braces(
    context: &Context<'_>,
    symbols: &Symbols,
    begin: u32,
    brace: u32,
    outer: Option<&Braces>,
) -> Braces {
    let before = |back: u32| match brace.checked_sub(back) {
        Some(token) if token >= begin => symbols.of(context.tokens[token as usize]),
        _ => Symbol::Stray,
    };
    let tag = if matches!(before(1), Symbol::Name(_)) { before(2) } else { before(1) };
    match (before(1), tag) {
        (_, Symbol::Record { .. }) => Braces::Fields,
        (_, Symbol::Enum) | (Symbol::Equals, _) => Braces::List,
        // A statement expression.
        (Symbol::OpenParen, _) => Braces::Body,
        _ if outer == Some(&Braces::List) => Braces::List,
        _ => Braces::Body,
    }
}

/// Declares the name of a typedef among the skipped tokens.
pub fn keep_typedef(context: &Context<'_>, symbols: &Symbols, begin: u32, end: u32) {
    let symbol = |token: u32| symbols.of(context.tokens[token as usize]);
    let typedef = Symbol::Word(SpecifierWord::Storage(Storage::Typedef));
    if begin >= end || !(begin..end.min(begin + 4)).any(|token| symbol(token) == typedef) {
        return;
    }
    let name = |token: u32| match symbol(token) {
        Symbol::Name(_) | Symbol::Soft(_) => Some(context.tokens[token as usize].text),
        _ => None,
    };
    // The name precedes the final `;`, the size of an array, or the parameters of a function.
    let pointer = (begin + 2..end).find_map(|token| {
        let stars = symbol(token - 2) == Symbol::OpenParen && symbol(token - 1) == Symbol::Star;
        name(token).filter(|_| stars)
    });
    let last = (begin..end).rev().find_map(name);
    if let Some(name) = pointer.or(last) {
        context.declare(name, Class::Type);
        context.scope.borrow_mut().commit();
    }
}
