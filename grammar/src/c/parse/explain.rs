//! What the user is told about text that does not parse.
//!
//! In: the parser's error. Out: a diagnostic at the token where it stopped; inside a macro's
//! expansion, at the use of the macro. Holds afterwards: what was found and what was wanted are
//! both named.

use cppc_source::{Diagnostic, Expansions, Span};

use super::context::{Context, FaultKind, ParseError, HEIGHT_LIMIT};
use super::scope::Class;
use super::stream::NESTING_LIMIT;
use super::symbol::{Symbol, Symbols};
use crate::c::token::Name;

/// An error with what the scope said when it happened.
pub struct Finding {
    /// The token at which the parser stopped; the number of tokens at the end of the text.
    pub token: u32,
    code: &'static str,
    message: String,
    help: Option<String>,
    /// The token to point at, mostly the same.
    place: u32,
}

/// `begin` is the first token of the declaration in which it happened; none in an expression that
/// stands in a directive.
pub fn finding(
    context: &Context<'_>,
    symbols: &Symbols,
    error: &ParseError,
    begin: Option<u32>,
) -> Finding {
    let unexpected = |start, symbol, expected: &[String]| {
        unexpected(context, symbols, start, symbol, expected, begin)
    };
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

fn plain(token: u32, code: &'static str, message: String) -> Finding {
    Finding { token, code, message, help: None, place: token }
}

fn unexpected(
    context: &Context<'_>,
    symbols: &Symbols,
    start: u32,
    symbol: Symbol,
    expected: &[String],
    begin: Option<u32>,
) -> Finding {
    // What a name stands for is a terminal after it: the fault is the name's.
    let classified = matches!(symbol, Symbol::Type | Symbol::Variable);
    let token = if classified { start.saturating_sub(1) } else { start };
    if let Some(name) = unknown_type(context, symbols, token, symbol, begin) {
        return of_unknown_type(context, token, name);
    }
    let text = context.text(token);
    let message = match symbol {
        Symbol::Type => format!("found the type `{text}`, expected a variable or function"),
        Symbol::Variable => format!("found `{text}`, which is no type, expected a type"),
        _ => format!("expected {} before `{text}`", wanted(expected)),
    };
    plain(token, "C0201", message)
}

/// The token that must be a type for the text to make sense, but that nobody declared.
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

/// Whether a token may be the last of a type: a name after it is what is declared.
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

fn of_unknown_type(context: &Context<'_>, token: u32, name: u32) -> Finding {
    let message = format!("unknown type name `{}`", context.text(name));
    let help = Some("declare the type, or include the header that does".to_owned());
    Finding { help, place: name, ..plain(token, "C0202", message) }
}

fn of_fault(
    context: &Context<'_>,
    symbols: &Symbols,
    kind: FaultKind,
    token: u32,
    begin: Option<u32>,
) -> Finding {
    let text = context.text(token);
    match kind {
        FaultKind::Nesting => {
            let message = format!("brackets are nested deeper than {NESTING_LIMIT} levels");
            plain(token, "C0203", message)
        }
        FaultKind::Height => {
            let message = format!("this construct is more than {HEIGHT_LIMIT} levels deep");
            let help = Some("split it into several statements".to_owned());
            Finding { help, ..plain(token, "C0204", message) }
        }
        FaultKind::Brackets => {
            plain(token, "C0205", format!("the brackets after `{text}` do not match"))
        }
        FaultKind::TwoTypes => {
            let mut finding = plain(token, "C0206", "two types in one declaration".to_owned());
            finding.help = Some("is a `;` missing before this?".to_owned());
            finding
        }
        FaultKind::WordsOfType => {
            plain(token, "C0206", "these words do not make up a type".to_owned())
        }
        FaultKind::NotAFunction => {
            let name = token.checked_sub(1).filter(|&name| Some(name) == begin);
            match name.filter(|&name| identifier(context, symbols, name).is_some()) {
                Some(name) => of_unknown_type(context, token, name),
                None => plain(token, "C0201", format!("expected `;` before `{text}`")),
            }
        }
    }
}

/// The terminals that could stand there, in a few words.
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
        // After a declarator: an initialiser, another declarator, the end, a function's body.
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

/// What ends an expression says more than the operators that could go on.
fn after_expression(found: impl Fn(&[&str]) -> Vec<String>) -> Vec<String> {
    let mut texts = found(&[";", ")", "]", "}", ":", ","]);
    // A `;` ends whatever was begun; a comma mostly begins what nobody meant.
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

impl Finding {
    pub fn diagnostic(&self, context: &Context<'_>, expansions: Option<&Expansions>) -> Diagnostic {
        let Some((span, expansion)) = place(context, expansions, self.place) else {
            return Diagnostic::placeless(self.code, self.message.clone());
        };
        let mut diagnostic = Diagnostic::error(self.code, span, self.message.clone());
        if let Some(name) = expansion {
            diagnostic =
                diagnostic.note(format!("this comes from the expansion of macro `{name}`"));
        }
        match &self.help {
            Some(help) => diagnostic.help(help.clone()),
            None => diagnostic,
        }
    }
}

/// Where to point for a token, and the macro that brought it. After the last token, at its end.
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
            (expansion.invocation, Some(expansion.name.clone()))
        }
        _ => (token.origin.span, None),
    };
    Some((if found.is_some() { span } else { span.at_end() }, name))
}
