//! Recognises comments that are directives.
//!
//! Input: a comment, from its first character on.
//! Output: whether it is a directive, another comment, or one that was probably meant to be a directive.

use super::card::{first_solid, is_blank, is_word};
use crate::directive_words::{begins_as_directive, begins_with_sentinel, is_misspelt, SENTINEL_LENGTH};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comment {
    Plain,
    /// A directive whose text begins at `text`. `mark` is set if a continuation mark precedes the text.
    Directive {
        text: usize,
        mark: bool,
    },
    /// It has a sentinel, but in the wrong position.
    Near,
    /// It has a word similar to a sentinel, and the text of a directive.
    Misspelt,
}

/// True if a comment was probably meant to be a directive but is not one.
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

/// Classifies the comment that begins at `at`. In fixed form any character directly after the sentinel marks
/// a continuation, as for other directives in that form. In both forms `&` does.
pub fn read(text: &[u8], at: usize, fixed: bool) -> Comment {
    let Some(dollar) = first_solid(text, at + 1).filter(|&dollar| text[dollar] == b'$') else {
        return if lacks_dollar(&text[at + 1..]) { Comment::Misspelt } else { Comment::Plain };
    };
    let Some(word) = first_solid(text, dollar + 1) else { return Comment::Plain };
    if !begins_with_sentinel(&text[word..]) {
        let end =
            text[word..].iter().position(|&byte| !is_word(byte)).map_or(text.len(), |length| word + length);
        let (word, behind) =
            (String::from_utf8_lossy(&text[word..end]), String::from_utf8_lossy(&text[end..]));
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
