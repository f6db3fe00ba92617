//! Where an external declaration that was not understood ends.
//!
//! In: where it begins, and the token at which the parser gave up. Out: the token after it. Holds
//! afterwards: something is always passed over, and what is passed over ends at a `;` or after a
//! body, as far as braces match. A typedef among it still names its type, so that one fault does
//! not bring others.

use super::context::Context;
use super::scope::Class;
use super::symbol::{SpecifierWord, Symbol, Symbols};
use crate::c::tree::Storage;

/// What a pair of braces holds.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Braces {
    /// The statements of a function, or of a block in one.
    Body,
    Fields,
    /// Enumerators or initialisers: a `;` among them can only mean that the `}` is missing.
    List,
}

/// The token after the declaration that begins at `begin` and goes wrong at `at`.
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

/// Declares what a typedef among the tokens passed over would have declared.
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
    // The name stands before the final `;`, an array's size, or a function's parameters.
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
