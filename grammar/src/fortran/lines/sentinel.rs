//! Which comments are directives.
//!
//! In: a comment, from its first character on. Out: whether it is a directive, another comment, or one
//! that was probably meant to be a directive.

use super::card::{first_solid, is_blank, is_word};
use crate::sentinel::{begins_as_directive, begins_with_sentinel, is_misspelt, SENTINEL_LENGTH};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comment {
    Plain,
    /// A directive: its text begins at `text`; with a mark of continuation before it, or without.
    Directive { text: usize, mark: bool },
    /// It has a sentinel, but not at the right place.
    Near,
    /// It has what looks like a sentinel, and what a directive says.
    Misspelt,
}

/// Whether a comment was probably meant to be a directive, and is none.
pub fn is_misspelt_comment(text: &[u8]) -> bool {
    matches!(read(text, 0, false), Comment::Near | Comment::Misspelt)
}

/// `!cppc checkpoint`
fn lacks_dollar(text: &[u8]) -> bool {
    let behind = text.get(SENTINEL_LENGTH..).unwrap_or_default();
    begins_with_sentinel(text)
        && behind.first().is_some_and(|&byte| is_blank(byte))
        && begins_as_directive(&String::from_utf8_lossy(behind))
}

/// Looks at the comment that begins at `at`. In fixed form any sign right behind the sentinel marks a
/// continuation, as it does for other directives there; in both forms `&` does.
pub fn read(text: &[u8], at: usize, fixed: bool) -> Comment {
    let Some(dollar) = first_solid(text, at + 1).filter(|&dollar| text[dollar] == b'$') else {
        return if lacks_dollar(&text[at + 1..]) { Comment::Misspelt } else { Comment::Plain };
    };
    let Some(word) = first_solid(text, dollar + 1) else { return Comment::Plain };
    if !begins_with_sentinel(&text[word..]) {
        let end = text[word..].iter().position(|&byte| !is_word(byte)).map_or(text.len(), |length| word + length);
        let (word, behind) = (String::from_utf8_lossy(&text[word..end]), String::from_utf8_lossy(&text[end..]));
        return if is_misspelt(&word, &behind) { Comment::Misspelt } else { Comment::Plain };
    }
    let behind = word + SENTINEL_LENGTH;
    let next = text.get(behind).copied().unwrap_or(b' ');
    if dollar != at + 1 || word != dollar + 1 || (is_word(next) && !(fixed && next == b'0')) {
        return Comment::Near;
    }
    let solid = first_solid(text, behind).filter(|&solid| text[solid] == b'&');
    if let Some(ampersand) = solid {
        return Comment::Directive { text: ampersand + 1, mark: true };
    }
    let is_mark = fixed && !is_blank(next) && next != b'0' && next != b'!';
    let skipped = usize::from(is_mark || next == b'0');
    Comment::Directive { text: behind + skipped, mark: is_mark }
}
