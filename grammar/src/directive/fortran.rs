//! A directive in Fortran: the text of a logical line, and the range of each item.
//!
//! Input: a line with a CPPC sentinel.
//! Output: the directive, with its items as ranges of the line.
//! Postcondition: the range of an item can be parsed as an expression, and the item can be written again
//! unchanged.

use std::borrow::Cow;
use std::ops::Range;

use cppc_source::{Diagnostic, Files, Span};

use super::explain::Fault;
use super::parse::parse;
use super::tree::{Kind, Language};
use crate::fortran::logical::{At, LineId, LogicalLine};

#[derive(Debug, Clone)]
pub struct FortranDirective {
    pub line: LineId,
    /// From the first word of the directive to its last.
    pub span: Span,
    pub kind: Kind<FortranItem>,
}

/// An item: a variable, a part of one, a COMMON block between slashes, or `module` and its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FortranItem {
    pub at: At,
    /// As the user wrote it: without continuation marks, macros not expanded.
    pub text: String,
}

impl FortranItem {
    /// `m` of `module m`, in small letters.
    pub fn module(&self) -> Option<String> {
        let text = self.text.trim().to_ascii_lowercase();
        let name = text.strip_prefix("module").filter(|rest| rest.starts_with(char::is_whitespace))?.trim();
        let is_name = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        (!name.is_empty() && name.bytes().all(is_name)).then(|| name.to_owned())
    }
}

/// Parses a line of kind `Directive`.
///
/// # Errors
/// The first error, with the correction.
pub fn parse_fortran(line: &LogicalLine, id: LineId, files: &Files) -> Result<FortranDirective, Diagnostic> {
    let text = masked(&line.text);
    let directive = parse(&text, Language::Fortran).map_err(|fault| diagnostic(fault, line))?;
    let range = |range: &Range<usize>| range.start as u32..range.end as u32;
    let kind = directive.kind.map(|item| {
        let place = range(&item.span);
        let at = At { line: id, start: place.start, end: place.end };
        FortranItem { at, text: line.written(place, files) }
    });
    Ok(FortranDirective { line: id, span: line.anchor(range(&directive.span)), kind })
}

fn diagnostic(fault: Fault, line: &LogicalLine) -> Diagnostic {
    // Messages quote the masked text. Only constants are masked in it.
    let span = match fault.span.is_empty() {
        true => line.span,
        false => line.anchor(fault.span.start as u32..fault.span.end as u32),
    };
    let diagnostic = Diagnostic::error(fault.code, span, fault.message).because(fault.because);
    match fault.help {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    }
}

/// The text with each byte of a character constant replaced by a digit, because backslashes and brackets have
/// no meaning in constants. Offsets do not change. Outside constants each byte that is not ASCII becomes `?`.
fn masked(text: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(text) {
        if !text.bytes().any(|byte| matches!(byte, b'\'' | b'"') || !byte.is_ascii()) {
            return Cow::Borrowed(text);
        }
    }
    let mut quote = None;
    let masked = text.iter().map(|&byte| match quote {
        Some(open) => {
            if byte == open {
                quote = None;
            }
            '0'
        }
        None if matches!(byte, b'\'' | b'"') => {
            quote = Some(byte);
            '0'
        }
        None if byte.is_ascii() => byte as char,
        None => '?',
    });
    Cow::Owned(masked.collect())
}
