//! The diagnostics that a fixture expects, as marks in the fixture itself.
//!
//! Input: the text of a fixture.
//! Output: its marks.
//! Postcondition: each mark refers to a range in a line that is not a mark.
//!
//! A mark is a comment under the line to which it refers:
//!
//! ```text
//!     #pragma cppc chekpoint
//!     //           ~~~~~~~~~ error[C0001] 'unknown directive' 'checkpoint'
//! ```
//!
//! In Fortran, it begins with `!`, or in fixed form with a letter in column 1:
//!
//! ```text
//! c$cppc chekpoint
//! c      ~~~~~~~~~ error[C0001] 'unknown directive'
//! ```
//!
//! The tildes are under the span. After them are the severity, the code, and words that the message, the
//! labels or the help must contain. `C????` is a code that is not known yet. A run with `INSTA_UPDATE=always`
//! replaces it by the code that was found.

use anyhow::{ensure, Context, Result};

#[derive(Debug, Clone, PartialEq)]
pub struct Mark {
    /// The line of the fixture, from 1.
    pub line: usize,
    /// Columns in bytes, from 1. The end is the column after the last one.
    pub columns: std::ops::Range<usize>,
    pub severity: String,
    pub code: String,
    pub words: Vec<String>,
    /// The line of the mark itself, from 1.
    pub at_line: usize,
}

/// All marks of a text, in order.
pub fn marks_in(text: &str) -> Result<Vec<Mark>> {
    let mut marks = Vec::new();
    let mut speaks_of = 0;
    for (index, line) in text.lines().enumerate() {
        match parse(line) {
            Some(mark) => {
                let mark = mark.with_context(|| format!("line {}: `{line}`", index + 1))?;
                ensure!(speaks_of > 0, "line {}: there is no line above the mark", index + 1);
                marks.push(Mark { line: speaks_of, at_line: index + 1, ..mark });
            }
            None => speaks_of = index + 1,
        }
    }
    Ok(marks)
}

/// The mark of a line, or `None` if the line is not a mark.
fn parse(line: &str) -> Option<Result<Mark>> {
    let comment = line.trim_start();
    let begins = |marks: &[&str]| marks.iter().any(|mark| comment.starts_with(mark));
    let is_comment = begins(&["//", "/*", "!"]) || line.starts_with(['c', 'C', '*']);
    if !is_comment || !comment.contains('~') || !comment.contains('[') {
        return None;
    }
    let start = line.find('~')?;
    let length = line[start..].bytes().take_while(|&byte| byte == b'~').count();
    Some(parse_expectation(&line[start + length..]).map(|(severity, code, words)| Mark {
        line: 0,
        columns: start + 1..start + length + 1,
        severity,
        code,
        words,
        at_line: 0,
    }))
}

fn parse_expectation(text: &str) -> Result<(String, String, Vec<String>)> {
    let (severity, rest) = text.trim().split_once('[').context("no code in brackets")?;
    let (code, rest) = rest.split_once(']').context("the bracket is not closed")?;
    let words = rest.split('\'').skip(1).step_by(2).map(str::to_owned).collect();
    Ok((severity.to_owned(), code.to_owned(), words))
}

/// The text with another code in the mark at this line.
pub fn with_code(text: &str, mark: &Mark, code: &str) -> String {
    let old = format!("{}[{}]", mark.severity, mark.code);
    let new = format!("{}[{code}]", mark.severity);
    let lines = text.split_inclusive('\n').enumerate();
    lines
        .map(|(index, line)| match index + 1 == mark.at_line {
            true => line.replacen(&old, &new, 1),
            false => line.to_owned(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "int x;\n  y = 1;\n//~ error[C????] 'unknown' 'y'\n";

    #[test]
    fn a_mark_speaks_of_the_line_above() {
        let marks = marks_in(TEXT).unwrap();
        assert_eq!(marks.len(), 1);
        assert_eq!((marks[0].line, marks[0].columns.clone()), (2, 3..4));
        assert_eq!(marks[0].words, ["unknown", "y"]);
    }

    #[test]
    fn a_code_is_put_in() {
        let marks = marks_in(TEXT).unwrap();
        let text = with_code(TEXT, &marks[0], "C0007");
        assert!(text.contains("error[C0007] 'unknown'"), "{text}");
    }
}
