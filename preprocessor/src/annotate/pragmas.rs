//! Pragmas of others, such as OpenMP: they belong to the statement after them.
//!
//! Input: a spot before a statement. Output: the spot above the pragmas of the statement.
//! Postcondition: only pragmas, comments and empty lines are between the two spots.

use super::spot::{line_start, Gap, Spot};

/// `is_pragma`: whether a line, without the blanks before it, is such a pragma.
pub fn above_pragmas(text: &[u8], spot: Spot, is_pragma: &dyn Fn(&[u8]) -> bool) -> Spot {
    if spot.gap != Gap::Line {
        return spot;
    }
    let (mut found, mut at) = (spot.offset, spot.offset);
    while at > 0 {
        let mut start = line_start(text, at - 1);
        // A pragma continues after a backslash.
        while start > 0 && text[..start as usize - 1].trim_ascii_end().ends_with(b"\\") {
            start = line_start(text, start - 1);
        }
        let line = text[start as usize..at as usize].trim_ascii();
        let is_comment = line.starts_with(b"//") || line.starts_with(b"!");
        match (is_pragma(line), line.is_empty() || is_comment) {
            (true, _) => found = start,
            (false, true) => {}
            (false, false) => break,
        }
        at = start;
    }
    Spot { offset: found, gap: Gap::Line }
}
