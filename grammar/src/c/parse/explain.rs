//! Diagnostics for text that could not be parsed.
//!
//! Input: the parser's error.
//! Output: a diagnostic at the token where the parser stopped; inside the expansion of a macro, at the use of
//! the macro.
//! Postcondition: the message names what was found and what was expected.

use cppc_source::{Diagnostic, Expansions, Span};

use super::context::{Context, FaultKind, ParseError, HEIGHT_LIMIT};
use super::scope::Class;
use super::stream::NESTING_LIMIT;
use super::symbol::{Symbol, Symbols};
use crate::c::token::Name;

/// A parse error, classified with the scope at that moment.
pub struct ParseFailure {
    /// The token at which the parser stopped, or the number of tokens at the end of the text.
    pub token: u32,
    code: &'static str,
    message: String,
    help: Option<String>,
    /// The token that the diagnostic marks. Usually it is `token`.
    place: u32,
}

/// `begin` is the first token of the declaration that contains the error. It is `None` for an expression in a
/// directive.
pub fn failure(
    context: &Context<'_>,
    symbols: &Symbols,
    error: &ParseError,
    begin: Option<u32>,
) -> ParseFailure {
    let unexpected =
        |start, symbol, expected: &[String]| unexpected(context, symbols, start, symbol, expected, begin);
    match error {
        ParseError::User { error } => of_fault(context, symbols, error.kind, error.token, begin),
        ParseError::UnrecognizedToken { token: (start, symbol, _), expected } => {
            unexpected(*start, *symbol, expected)
        }
        ParseError::ExtraToken { token: (start, symbol, _) } => unexpected(*start, *symbol, &[]),
        ParseError::InvalidToken { location } => unexpected(*location, Symbol::Stray, &[]),
        ParseError::UnrecognizedEof { location, expected } => {
            let whole = if begin.is_some() { "file" } else { "directive" };
            let wanted = wanted(expected);
            plain(*location, "C0201", format!("expected {wanted} before the end of the {whole}"))
        }
    }
}

fn plain(token: u32, code: &'static str, message: String) -> ParseFailure {
    ParseFailure { token, code, message, help: None, place: token }
}

fn unexpected(
    context: &Context<'_>,
    symbols: &Symbols,
    start: u32,
    symbol: Symbol,
    expected: &[String],
    begin: Option<u32>,
) -> ParseFailure {
    // The terminal that classifies a name follows it. An error there is an error of the name.
    let classified = matches!(symbol, Symbol::Type | Symbol::Variable);
    let token = if classified { start.saturating_sub(1) } else { start };
    if let Some(name) = unknown_type(context, symbols, token, symbol, begin) {
        return of_unknown_type(context, token, name);
    }
    let text = context.text(token);
    let message = match symbol {
        Symbol::Type => format!("found the type `{text}`, expected a variable or function"),
        Symbol::Variable => format!("found `{text}`, which is not a type, expected a type"),
        _ => format!("expected {} before `{text}`", wanted(expected)),
    };
    plain(token, "C0201", message)
}

/// The undeclared token that would have to be a type for the text to be correct.
fn unknown_type(
    context: &Context<'_>,
    symbols: &Symbols,
    token: u32,
    symbol: Symbol,
    begin: Option<u32>,
) -> Option<u32> {
    let undeclared = |token: u32| {
        let name = identifier(context, symbols, token)?;
        (Some(token) == begin || context.class(name) == Class::Unknown).then_some(token)
    };
    match symbol {
        Symbol::Variable => undeclared(token),
        Symbol::Name(_) | Symbol::Star => {
            let name = undeclared(token.checked_sub(1)?)?;
            (Some(name) == begin || !names_type(context, symbols, name - 1)).then_some(name)
        }
        _ => None,
    }
}

/// True if a token may be the last of a type, so that a name after it is the declared name.
fn names_type(context: &Context<'_>, symbols: &Symbols, token: u32) -> bool {
    matches!(
        context.tokens.get(token as usize).map(|&token| symbols.of(token)),
        Some(
            Symbol::Basic(_)
                | Symbol::Name(_)
                | Symbol::Star
                | Symbol::Record { .. }
                | Symbol::Enum
                | Symbol::Soft(_)
        )
    )
}

fn identifier(context: &Context<'_>, symbols: &Symbols, token: u32) -> Option<Name> {
    match symbols.of(*context.tokens.get(token as usize)?) {
        Symbol::Name(name) => Some(name),
        _ => None,
    }
}

fn of_unknown_type(context: &Context<'_>, token: u32, name: u32) -> ParseFailure {
    let message = format!("unknown type name `{}`", context.text(name));
    let help = Some("declare the type, or include the header that does".to_owned());
    ParseFailure { help, place: name, ..plain(token, "C0202", message) }
}

fn of_fault(
    context: &Context<'_>,
    symbols: &Symbols,
    kind: FaultKind,
    token: u32,
    begin: Option<u32>,
) -> ParseFailure {
    let text = context.text(token);
    match kind {
        FaultKind::Nesting => {
            let message = format!("brackets are nested deeper than {NESTING_LIMIT} levels");
            plain(token, "C0203", message)
        }
        FaultKind::Height => {
            let message = format!("this construct is more than {HEIGHT_LIMIT} levels deep");
            let help = Some("split it into several statements".to_owned());
            ParseFailure { help, ..plain(token, "C0204", message) }
        }
        FaultKind::Brackets => plain(token, "C0205", format!("the brackets after `{text}` do not match")),
        FaultKind::TwoTypes => {
            let mut failure = plain(token, "C0206", "two types in one declaration".to_owned());
            failure.help = Some("is a `;` missing before this?".to_owned());
            failure
        }
        FaultKind::WordsOfType => plain(token, "C0206", "these specifiers are not a type".to_owned()),
        FaultKind::NotAFunction => {
            let name = token.checked_sub(1).filter(|&name| Some(name) == begin);
            match name.filter(|&name| identifier(context, symbols, name).is_some()) {
                Some(name) => of_unknown_type(context, token, name),
                None => plain(token, "C0201", format!("expected `;` before `{text}`")),
            }
        }
    }
}

/// A short description of the terminals that are allowed there.
fn wanted(expected: &[String]) -> String {
    let has = |terminal: &str| expected.iter().any(|text| text.trim_matches('"') == terminal);
    if has("return") {
        return if has("}") { "a statement or `}`" } else { "a statement" }.to_owned();
    }
    if has("sizeof") {
        return "an expression".to_owned();
    }
    if has("static assertion") && has(";") {
        return if has("}") { "a field or `}`" } else { "a declaration" }.to_owned();
    }
    let found = |list: &[&str]| -> Vec<String> {
        list.iter().filter(|text| has(text)).map(|text| format!("`{text}`")).collect()
    };
    let mut texts = if has("binary operator") || !(has("=") || has("(") || has("name")) {
        after_expression(found)
    } else if has("=") && has(";") {
        // After a declarator: an initialiser, another declarator, the end, or the body of a function.
        found(&[";", ",", "=", "{"])
    } else if has("name") {
        found(&[";", ",", ")", "]", "}", ":", "...", "{"])
    } else {
        found(&[";", ",", ")", "]", "}", ":", "...", "=", "(", "[", "{"])
    };
    if has("type word") && !has(";") {
        texts.insert(0, "a type".to_owned());
    } else if has("name") && !has("binary operator") && !has("=") {
        texts.insert(0, "a name".to_owned());
    }
    match texts.split_last() {
        None => "something else".to_owned(),
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
    }
}

/// The tokens that can end an expression. They are more informative than the operators that could continue
/// it.
fn after_expression(found: impl Fn(&[&str]) -> Vec<String>) -> Vec<String> {
    let mut texts = found(&[";", ")", "]", "}", ":", ","]);
    // If `;` is allowed, it is enough: it ends everything that was begun. A comma is omitted, because it
    // rarely is what the user meant.
    if texts.first().is_some_and(|first| first == "`;`") {
        texts.truncate(1);
    }
    if texts.len() > 1 && texts.last().is_some_and(|last| last == "`,`") {
        texts.pop();
    }
    if texts == ["`,`"] {
        return vec!["an operator".to_owned()];
    }
    if texts.is_empty() {
        return found(&["while", "(", "{", "..."]);
    }
    texts
}

impl ParseFailure {
    pub fn diagnostic(&self, context: &Context<'_>, expansions: Option<&Expansions>) -> Diagnostic {
        let Some((span, expansion)) = place(context, expansions, self.place) else {
            return Diagnostic::placeless(self.code, self.message.clone());
        };
        let mut diagnostic = Diagnostic::error(self.code, span, self.message.clone());
        if let Some(name) = expansion {
            diagnostic = diagnostic.note(format!("this comes from the expansion of macro `{name}`"));
        }
        match &self.help {
            Some(help) => diagnostic.help(help.clone()),
            None => diagnostic,
        }
    }
}

/// The span to mark for a token, and the macro that produced it. After the last token, the span is at its
/// end.
fn place(
    context: &Context<'_>,
    expansions: Option<&Expansions>,
    token: u32,
) -> Option<(Span, Option<String>)> {
    let found = context.tokens.get(token as usize);
    let token = found.or(context.tokens.last())?;
    let (span, name) = match (token.origin.expansion, expansions) {
        (Some(id), Some(expansions)) => {
            let expansion = expansions.get(id);
            (expansion.invocation, Some(expansion.name.to_string()))
        }
        _ => (token.origin.span, None),
    };
    Some((if found.is_some() { span } else { span.at_end() }, name))
}
