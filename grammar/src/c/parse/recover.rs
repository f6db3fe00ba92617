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

/// The token after the declaration that begins at `begin` and goes wrong at `at`.
pub fn skip(context: &Context<'_>, symbols: &Symbols, begin: u32, at: u32) -> u32 {
    let end = context.tokens.len() as u32;
    let mut braces = 0u32;
    // Whether the outermost braces hold the body of a function.
    let mut body = false;
    for token in begin..end {
        match symbols.of(context.tokens[token as usize]) {
            Symbol::OpenBrace => {
                if braces == 0 {
                    body = opens_body(context, symbols, begin, token);
                }
                braces += 1;
            }
            Symbol::CloseBrace => {
                // One that closes nothing is passed over alone with what comes before it.
                if braces <= 1 && (body || braces == 0) && token >= at {
                    return token + 1;
                }
                braces = braces.saturating_sub(1);
            }
            Symbol::Semicolon if braces == 0 && token >= at => return token + 1,
            _ => {}
        }
    }
    end
}

/// Whether this brace opens a function's body: not a list of fields, enumerators or initialisers.
fn opens_body(context: &Context<'_>, symbols: &Symbols, begin: u32, brace: u32) -> bool {
    let before = |back: u32| match brace.checked_sub(back) {
        Some(token) if token >= begin => symbols.of(context.tokens[token as usize]),
        _ => Symbol::Stray,
    };
    let tagged = |symbol| matches!(symbol, Symbol::Record { .. } | Symbol::Enum);
    match before(1) {
        Symbol::Equals => false,
        Symbol::Name(_) => !tagged(before(2)),
        symbol => !tagged(symbol),
    }
}

/// Declares what a typedef among the tokens passed over would have declared.
pub fn keep_typedef(context: &Context<'_>, symbols: &Symbols, begin: u32, end: u32) {
    let symbol = |token: u32| symbols.of(context.tokens[token as usize]);
    let typedef = Symbol::Word(SpecifierWord::Storage(Storage::Typedef));
    if begin >= end || !(begin..end.min(begin + 4)).any(|token| symbol(token) == typedef) {
        return;
    }
    // The name stands before the final `;`, an array's size, or a function's parameters.
    let pointer = (begin + 2..end).find_map(|token| {
        let stars = symbol(token - 2) == Symbol::OpenParen && symbol(token - 1) == Symbol::Star;
        name_of(symbol(token)).filter(|_| stars)
    });
    let last = (begin..end).rev().find_map(|token| name_of(symbol(token)));
    if let Some(name) = pointer.or(last) {
        context.declare(name, Class::Type);
        context.scope.borrow_mut().commit();
    }
}

fn name_of(symbol: Symbol) -> Option<crate::c::token::Name> {
    match symbol {
        Symbol::Name(name) => Some(name),
        _ => None,
    }
}
