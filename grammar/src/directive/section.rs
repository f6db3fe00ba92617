//! Sections of arrays in items of C: `a[lower:count]`, and the field of each element after them.
//!
//! Input: the tokens of an item.
//! Output: its array, the brackets with a colon, and the names of the fields.
//! Postcondition: the ranges are in the order of the tokens. A colon of `?:` makes no section.

use std::ops::Range;

use crate::c::token::{Names, Token};

/// The parts of an item with a section, as ranges of its tokens.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct SectionParts {
    /// The array or the pointer.
    pub base: Range<usize>,
    pub bounds: Vec<BoundsParts>,
    /// The tokens with the names of the fields: `site` and `link` in `a[0:n].site.link`. None if something else follows the
    /// brackets.
    pub path: Option<Vec<usize>>,
}

/// `[lower:count]`. A range is empty if nothing is written there.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct BoundsParts {
    /// Including the brackets.
    pub whole: Range<usize>,
    pub lower: Range<usize>,
    pub count: Range<usize>,
}

/// The parts of an item; none if it has no section.
pub(super) fn section_parts(tokens: &[Token], names: &Names) -> Option<SectionParts> {
    let spelled: Vec<&str> = tokens.iter().map(|token| names.text(token.text)).collect();
    let mut at = 0;
    while at < spelled.len() {
        match spelled[at] {
            "[" => match bounds_at(&spelled, at) {
                Some(first) => return Some(parts(&spelled, at, first)),
                None => at = closing(&spelled, at)?,
            },
            "(" | "{" => at = closing(&spelled, at)?,
            _ => {}
        }
        at += 1;
    }
    None
}

fn parts(spelled: &[&str], base_end: usize, first: BoundsParts) -> SectionParts {
    let mut end = first.whole.end;
    let mut bounds = vec![first];
    while let Some(next) = bounds_at(spelled, end) {
        end = next.whole.end;
        bounds.push(next);
    }
    let pairs = spelled[end..].chunks(2);
    let is_name = |word: &str| word.starts_with(|first: char| first.is_alphabetic() || first == '_');
    let is_path = pairs.clone().all(|pair| matches!(pair, [".", name] if is_name(name)));
    let path = is_path.then(|| (0..pairs.len()).map(|index| end + 2 * index + 1).collect());
    SectionParts { base: 0..base_end, bounds, path }
}

/// The bounds that begin at an opening bracket; none if it is not one, or has no colon.
fn bounds_at(spelled: &[&str], open: usize) -> Option<BoundsParts> {
    if spelled.get(open) != Some(&"[") {
        return None;
    }
    let close = closing(spelled, open)?;
    let (mut at, mut conditions) = (open + 1, 0usize);
    while at < close {
        match spelled[at] {
            "(" | "[" | "{" => at = closing(spelled, at)?,
            "?" => conditions += 1,
            ":" if conditions == 0 => {
                return Some(BoundsParts {
                    whole: open..close + 1,
                    lower: open + 1..at,
                    count: at + 1..close,
                });
            }
            ":" => conditions -= 1,
            _ => {}
        }
        at += 1;
    }
    None
}

/// The bracket that closes the one at `open`.
fn closing(spelled: &[&str], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (index, word) in spelled.iter().enumerate().skip(open) {
        match *word {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(index);
                }
            }
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::c::token::TokenKind;
    use cppc_source::{FileId, Origin, Span};

    fn check(text: &str, expected: Option<&str>) {
        let mut names = Names::default();
        let mut tokens = Vec::new();
        for word in text.split_whitespace() {
            let origin = Origin { span: Span::new(FileId(0), 0, 0), expansion: None };
            tokens.push(Token { kind: TokenKind::Identifier, text: names.intern(word), origin });
        }
        let spell = |range: &Range<usize>| {
            tokens[range.clone()].iter().map(|token| names.text(token.text)).collect::<String>()
        };
        let found = section_parts(&tokens, &names).map(|found| {
            let bounds =
                found.bounds.iter().map(|one| format!("<{}|{}>", spell(&one.lower), spell(&one.count)));
            let path = found.path.map(|path| {
                path.iter().map(|index| format!("/{}", spell(&(*index..index + 1)))).collect::<String>()
            });
            format!("{}{}{}", spell(&found.base), bounds.collect::<String>(), path.unwrap_or("?".to_owned()))
        });
        assert_eq!(found.as_deref(), expected, "{text}");
    }

    #[test]
    fn the_parts_of_a_section_are_found() {
        check("lattice [ 0 : n ] . link", Some("lattice<0|n>/link"));
        check("s -> a [ k ] [ : ] . site . link", Some("s->a[k]<|>/site/link"));
        check("grid [ 0 : n ] [ : ] . u", Some("grid<0|n><|>/u"));
        check("a [ lo : 2 * ( b ? 1 : 2 ) ]", Some("a<lo|2*(b?1:2)>"));
        check("a [ b ? 1 : 2 : n ]", Some("a<b?1:2|n>"));
        check("a [ 0 : n ] . link [ 3 ]", Some("a<0|n>?"));
        check("a [ 0 : n ] -> link", Some("a<0|n>?"));
    }

    #[test]
    fn other_items_have_no_section() {
        for text in
            ["a", "a [ n ]", "a [ b ? 1 : 2 ]", "a [ ]", "( b ? p : q ) [ n ]", "a [ p [ b ? 1 : 2 ] ]"]
        {
            check(text, None);
        }
    }
}
