//! What to say about a statement that no grammar knows.
//!
//! In: where the parser stopped and what it expected, or a fault of the tokens. Out: troubles, and diagnostics
//! at their places. Holds afterwards: every trouble has a code, and points at bytes of its line.

use cppc_source::Diagnostic;
use lalrpop_util::ParseError;

use super::cursor::Cursor;
use super::lexer::{Fault, FaultKind, Lexed, HEIGHT_LIMIT, NESTING_LIMIT};
use super::logical::LogicalLine;
use super::terminal::Terminal;

/// What is wrong with a line, and where in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trouble {
    pub code: &'static str,
    pub message: String,
    pub start: u32,
    pub end: u32,
    pub help: Option<&'static str>,
}

impl Trouble {
    pub fn new(code: &'static str, start: u32, end: u32, message: impl Into<String>) -> Trouble {
        Trouble { code, message: message.into(), start, end, help: None }
    }

    /// At the token at the front, or at the end of the text.
    pub fn here(cursor: Cursor<'_>, wanted: &str) -> Trouble {
        let at = cursor.place();
        match cursor.peek() {
            Some(token) => {
                let text = shown(cursor, token.start, token.end);
                Trouble::new("C0210", at, token.to, format!("{wanted} before `{text}`"))
            }
            None => Trouble::new("C0210", at, at, format!("{wanted} {}", limit(cursor))),
        }
    }

    #[must_use]
    pub fn help(mut self, help: &'static str) -> Trouble {
        self.help = Some(help);
        self
    }

    pub fn diagnostic(self, line: &LogicalLine) -> Diagnostic {
        let length = line.text.len() as u32;
        // The end of a text is shown at its last byte.
        let start = self.start.min(length.saturating_sub(1));
        let mut end = self.end.clamp(start + 1, length.max(start + 1));
        // A character of several bytes is shown as a whole.
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

/// A token as a message shows it: short, and without the bytes that stand for constants.
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

/// A fault of the tokens themselves.
pub fn tokens(lexed: &Lexed, fault: Fault) -> Trouble {
    let token = lexed.tokens[fault.token as usize];
    let text = lexed.text(token);
    let at = |code, message: String| Trouble::new(code, token.from, token.to, message);
    match fault.kind {
        FaultKind::Unclosed => at("C0211", "this character constant is not closed".to_owned())
            .help("close it with the quote that opens it, on the same statement"),
        FaultKind::Foreign => at("C0212", "no statement has this character".to_owned()),
        FaultKind::Brackets => at("C0213", format!("`{text}` has no partner")),
        FaultKind::Nesting => {
            at("C0214", format!("brackets are nested deeper than {NESTING_LIMIT} levels"))
        }
        FaultKind::Height => {
            at("C0215", format!("this expression is more than {HEIGHT_LIMIT} levels deep"))
                .help("split it into several statements")
        }
    }
}

/// Where the grammar could not go on.
pub fn body(cursor: Cursor<'_>, error: ParseError<u32, Terminal<'_>, ()>) -> Trouble {
    match error {
        ParseError::UnrecognizedToken { token: (start, _, end), expected } => {
            let (from, to) = condensed(cursor, start, end);
            let text = shown(cursor, from, to);
            let message = format!("expected {} before `{text}`", wanted(cursor, &expected));
            Trouble::new("C0210", start, end, message)
        }
        ParseError::UnrecognizedEof { location, expected } => {
            let message = format!("expected {} {}", wanted(cursor, &expected), limit(cursor));
            Trouble::new("C0210", location, location, message)
        }
        ParseError::ExtraToken { token: (start, _, end) } => {
            Trouble::new("C0210", start, end, "expected the end of the statement")
        }
        ParseError::InvalidToken { location } => {
            let message = "these brackets hold neither a value nor a loop";
            Trouble::new("C0210", location, location + 1, message)
        }
        ParseError::User { error: () } => Trouble::here(cursor, "expected something else"),
    }
}

/// The range of the condensed text that a range of the line comes from.
fn condensed(cursor: Cursor<'_>, start: u32, end: u32) -> (u32, u32) {
    let tokens = &cursor.lexed.tokens;
    let inside = |token: &&super::token::Token| token.to > start && token.from < end;
    match tokens.iter().find(inside) {
        Some(token) => (token.start, token.end),
        None => (0, 0),
    }
}

/// What ends the part of the statement that was read.
fn limit(cursor: Cursor<'_>) -> String {
    match cursor.behind() {
        Some(token) => format!("before `{}`", shown(cursor, token.start, token.end)),
        None => "at the end of the statement".to_owned(),
    }
}

/// The terminals that could stand there, in a few words.
fn wanted(cursor: Cursor<'_>, expected: &[String]) -> String {
    let has = |terminal: &str| expected.iter().any(|text| text.trim_matches('"') == terminal);
    // Behind an operand, operators could go on; what ends it says more.
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
