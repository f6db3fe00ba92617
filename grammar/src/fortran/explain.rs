//! The errors of statements that could not be parsed.
//!
//! Input: the position at which the parser stopped and the expected terminals, or a fault of the tokens.
//! Output: errors and their diagnostics.
//! Postcondition: every error has a code and a range of bytes of its line.

use cppc_source::Diagnostic;
use lalrpop_util::ParseError;

use super::cursor::Cursor;
use super::lexer::{Fault, FaultKind, Lexed, HEIGHT_LIMIT, NESTING_LIMIT};
use super::logical::LogicalLine;
use super::terminal::Terminal;

/// An error in a line, with its position.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineError {
    pub code: &'static str,
    pub message: String,
    pub start: u32,
    pub end: u32,
    pub help: Option<&'static str>,
}

impl LineError {
    pub fn new(code: &'static str, start: u32, end: u32, message: impl Into<String>) -> LineError {
        LineError { code, message: message.into(), start, end, help: None }
    }

    /// An error at the current token, or at the end of the text.
    pub fn here(cursor: Cursor<'_>, wanted: &str) -> LineError {
        let at = cursor.place();
        match cursor.peek() {
            Some(token) => {
                let text = shown(cursor, token.start, token.end);
                LineError::new("C0210", at, token.to, format!("{wanted} before `{text}`"))
            }
            None => LineError::new("C0210", at, at, format!("{wanted} {}", limit(cursor))),
        }
    }

    #[must_use]
    pub fn help(mut self, help: &'static str) -> LineError {
        self.help = Some(help);
        self
    }

    pub fn diagnostic(self, line: &LogicalLine) -> Diagnostic {
        let length = line.text.len() as u32;
        // The end of a text is marked at its last byte.
        let start = self.start.min(length.saturating_sub(1));
        let mut end = self.end.clamp(start + 1, length.max(start + 1));
        // A character of several bytes is marked as a whole.
        while line.text.get(end as usize).is_some_and(|byte| matches!(byte, 0x80..=0xbf)) {
            end += 1;
        }
        let diagnostic = Diagnostic::error(self.code, line.anchor(start..end), self.message);
        match self.help {
            Some(help) => diagnostic.help(help),
            None => diagnostic,
        }
    }
}

/// A token for use in a message: short, and without the bytes that represent constants.
fn shown(cursor: Cursor<'_>, start: u32, end: u32) -> String {
    let text = &cursor.lexed.condensed.text()[start as usize..end as usize];
    let plain = text.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    if !plain {
        return "a constant".to_owned();
    }
    let mut shown: String = text.chars().take(32).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}

/// The error for a fault of the tokens.
pub fn tokens(lexed: &Lexed, fault: Fault) -> LineError {
    let token = lexed.tokens[fault.token as usize];
    let text = lexed.text(token);
    let at = |code, message: String| LineError::new(code, token.from, token.to, message);
    match fault.kind {
        FaultKind::Unclosed => at("C0211", "this character constant is not closed".to_owned())
            .help("close it with the quote that opens it, on the same statement"),
        FaultKind::Foreign => at("C0212", "this character is not allowed in a statement".to_owned()),
        FaultKind::Brackets => at("C0213", format!("`{text}` has no partner")),
        FaultKind::Nesting => at("C0214", format!("brackets are nested deeper than {NESTING_LIMIT} levels")),
        FaultKind::Height => at("C0215", format!("this expression is more than {HEIGHT_LIMIT} levels deep"))
            .help("split it into several statements"),
    }
}

/// The error for a position at which the grammar could not continue.
pub fn body(cursor: Cursor<'_>, error: ParseError<u32, Terminal<'_>, ()>) -> LineError {
    match error {
        ParseError::UnrecognizedToken { token: (start, _, end), expected } => {
            let (from, to) = condensed(cursor, start, end);
            let text = shown(cursor, from, to);
            let message = format!("expected {} before `{text}`", wanted(cursor, &expected));
            LineError::new("C0210", start, end, message)
        }
        ParseError::UnrecognizedEof { location, expected } => {
            let message = format!("expected {} {}", wanted(cursor, &expected), limit(cursor));
            LineError::new("C0210", location, location, message)
        }
        ParseError::ExtraToken { token: (start, _, end) } => {
            LineError::new("C0210", start, end, "expected the end of the statement")
        }
        ParseError::InvalidToken { location } => {
            let message = "these brackets contain neither a value nor a loop";
            LineError::new("C0210", location, location + 1, message)
        }
        ParseError::User { error: () } => LineError::here(cursor, "expected something else"),
    }
}

/// The range of the condensed text for a range of the line.
fn condensed(cursor: Cursor<'_>, start: u32, end: u32) -> (u32, u32) {
    let tokens = &cursor.lexed.tokens;
    let inside = |token: &&super::token::Token| token.to > start && token.from < end;
    match tokens.iter().find(inside) {
        Some(token) => (token.start, token.end),
        None => (0, 0),
    }
}

/// The text that ends the parsed part of the statement.
fn limit(cursor: Cursor<'_>) -> String {
    match cursor.behind() {
        Some(token) => format!("before `{}`", shown(cursor, token.start, token.end)),
        None => "at the end of the statement".to_owned(),
    }
}

/// A short description of the terminals that are allowed there.
fn wanted(cursor: Cursor<'_>, expected: &[String]) -> String {
    let has = |terminal: &str| expected.iter().any(|text| text.trim_matches('"') == terminal);
    // After an operand, operators could continue it. The tokens that end it are more informative.
    let punctuators: &[&str] = if has("operator") {
        &[")", "/)", "]", ",", "=", "=>", "::"]
    } else if has("integer") {
        &[")", "*"]
    } else {
        &["(", ")", "/)", "]", ",", "=", "=>", ":", "::", "/"]
    };
    let mut texts: Vec<String> = Vec::new();
    if has("integer") && has("name") {
        texts.push("an expression".to_owned());
    } else if has("name") {
        texts.push("a name".to_owned());
    } else if has("integer") {
        texts.push("a number".to_owned());
    }
    for text in punctuators.iter().filter(|text| has(text)) {
        if texts.len() < 4 {
            texts.push(format!("`{text}`"));
        }
    }
    match texts.split_last() {
        None => match cursor.behind() {
            Some(token) => format!("`{}`", shown(cursor, token.start, token.end)),
            None => "the end of the statement".to_owned(),
        },
        Some((last, [])) => last.clone(),
        Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
    }
}
