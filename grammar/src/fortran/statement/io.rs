//! Input and output.

use super::keyword::Keyword;
use super::{LineResult, Reader};
use crate::fortran::body::{self, Body};
use crate::fortran::cursor::Cursor;
use crate::fortran::explain::LineError;
use crate::fortran::terminal::Start;
use crate::fortran::token::Shape;
use crate::fortran::tree::StatementKind;

impl Reader {
    /// `None` if the keyword does not begin such a statement.
    pub(super) fn io(&mut self, keyword: Keyword, rest: Cursor<'_>) -> Option<LineResult<StatementKind>> {
        let word = match keyword {
            Keyword::Read => "read",
            Keyword::Write => "write",
            Keyword::Print => "print",
            Keyword::Type => "type",
            Keyword::Accept => "accept",
            Keyword::Open => "open",
            Keyword::Close => "close",
            Keyword::Inquire => "inquire",
            Keyword::Backspace => "backspace",
            Keyword::Rewind => "rewind",
            Keyword::EndFile => "endfile",
            Keyword::Flush => "flush",
            Keyword::Wait => "wait",
            Keyword::Encode => "encode",
            Keyword::Decode => "decode",
            Keyword::Rewrite => "rewrite",
            Keyword::Delete => "delete",
            Keyword::Find => "find",
            _ => return None,
        };
        let plain = matches!(keyword, Keyword::Print | Keyword::Type | Keyword::Accept);
        let controlled = rest.shape() == Some(Shape::Open) && !plain && !is_operand(rest);
        if rest.is_done() && !matches!(keyword, Keyword::Flush) {
            return Some(Err(LineError::here(rest, "expected a unit or a format")));
        }
        Some(transfer(word, rest, controlled))
    }
}

/// `READ ('(' // 'A)'), x`: the brackets are only part of a format.
fn is_operand(mut rest: Cursor<'_>) -> bool {
    rest.take_brackets().is_some() && rest.shape() == Some(Shape::Concatenate)
}

fn transfer(word: &str, rest: Cursor<'_>, controlled: bool) -> LineResult<StatementKind> {
    let keyword = word.to_owned();
    if rest.is_done() {
        return Ok(StatementKind::Io { keyword, controls: Vec::new(), items: Vec::new() });
    }
    let start = if controlled { Start::Controlled } else { Start::Plain };
    match body::read(rest, start)? {
        Body::Io { controls, items } => Ok(StatementKind::Io { keyword, controls, items }),
        _ => Err(LineError::here(rest, "expected a list")),
    }
}
