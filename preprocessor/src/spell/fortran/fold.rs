//! One statement as the lines of its form: label, indentation, continuation.
//!
//! In: a statement's text on one line. Out: lines. Holds afterwards: in fixed form nothing stands beyond the
//! last column, in free form nothing beyond 132; lines are broken at blanks and behind commas, within
//! a word only where it is too long for a line.

use cppc_grammar::fortran::logical::Form;

/// Where lines of free form are broken if they can be.
const FREE_COLUMNS: usize = 100;
const FREE_LIMIT: usize = 132;
/// No statement begins behind this column, however deep the text around it is indented.
const DEEPEST: usize = 40;

pub(super) fn fold(form: Form, label: Option<u32>, indent: usize, text: &str) -> Vec<String> {
    let indent = indent.min(DEEPEST);
    match form {
        Form::Fixed { columns } => fold_fixed(columns as usize, label, indent, text),
        Form::Free => fold_free(label, indent, text),
    }
}

fn fold_fixed(columns: usize, label: Option<u32>, indent: usize, text: &str) -> Vec<String> {
    let label = label.map_or_else(|| "     ".to_owned(), |label| format!("{label:>5}"));
    // Blanks before the rest of a character constant would belong to it.
    let blanks = |start: Start| match start {
        Start::First => indent,
        Start::Broken => indent + 2,
        Start::Cut => 0,
    };
    let pieces = pieces(text, |start| Width {
        soft: columns.min(72).saturating_sub(6 + blanks(start)).max(1),
        hard: columns.saturating_sub(6 + blanks(start)).max(1),
    });
    let lines = pieces.into_iter().map(|piece| {
        let margin = if piece.start == Start::First { format!("{label} ") } else { "     &".to_owned() };
        format!("{margin}{}{}", " ".repeat(blanks(piece.start)), piece.text)
    });
    lines.collect()
}

fn fold_free(label: Option<u32>, indent: usize, text: &str) -> Vec<String> {
    let label = label.map_or(String::new(), |label| format!("{label} "));
    let margin = |start: Start| match start {
        Start::First => format!("{label:<indent$}"),
        Start::Broken => " ".repeat(indent + 4),
        Start::Cut => format!("{}&", " ".repeat(indent + 4)),
    };
    let pieces = pieces(text, |start| {
        let used = margin(start).len() + 2;
        Width { soft: FREE_COLUMNS.saturating_sub(used), hard: FREE_LIMIT.saturating_sub(used) }
    });
    let ends: Vec<Option<Start>> = pieces.iter().skip(1).map(|piece| Some(piece.start)).collect();
    let ends = ends.into_iter().chain([None]);
    let lines = pieces.iter().zip(ends).map(|(piece, next)| {
        let behind = match next {
            None => "",
            Some(Start::Cut) => "&",
            Some(_) => " &",
        };
        format!("{}{}{behind}", margin(piece.start), piece.text)
    });
    lines.collect()
}

/// How a line begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Start {
    First,
    /// Behind a blank or a comma.
    Broken,
    /// Within a word or a character constant.
    Cut,
}

struct Piece {
    start: Start,
    text: String,
}

/// Characters on a line: broken before `soft` if there is a place for it, else cut at `hard`.
struct Width {
    soft: usize,
    hard: usize,
}

fn pieces(text: &str, width: impl Fn(Start) -> Width) -> Vec<Piece> {
    let characters: Vec<char> = text.chars().collect();
    let ends: Vec<usize> = breaks(&characters).collect();
    let mut pieces = Vec::new();
    let (mut at, mut start) = (0, Start::First);
    loop {
        let Width { soft, hard } = width(start);
        let rest = characters.len() - at;
        if rest <= soft {
            pieces.push(Piece { start, text: characters[at..].iter().collect() });
            return pieces;
        }
        let within = |end: usize, width: usize| end > at && end <= at + width;
        let last = ends.iter().copied().rfind(|&end| within(end, soft));
        let first = ends.iter().copied().find(|&end| within(end, hard));
        let next = match last.or(first) {
            Some(end) => {
                let piece: String = characters[at..end].iter().collect();
                pieces.push(Piece { start, text: piece.trim_end().to_owned() });
                start = Start::Broken;
                end + characters[end..].iter().take_while(|c| **c == ' ').count()
            }
            None => {
                let end = at + rest.min(hard.max(1));
                pieces.push(Piece { start, text: characters[at..end].iter().collect() });
                start = Start::Cut;
                end
            }
        };
        if next >= characters.len() {
            return pieces;
        }
        at = next;
    }
}

/// Where a line may end: behind a comma or a blank outside of character constants.
fn breaks(characters: &[char]) -> impl Iterator<Item = usize> + '_ {
    let mut quote = None;
    characters.iter().enumerate().filter_map(move |(index, &character)| {
        match quote {
            Some(open) if open == character => quote = None,
            Some(_) => return None,
            None if matches!(character, '\'' | '"') => quote = Some(character),
            None => {}
        }
        let next = characters.get(index + 1);
        let outside = quote.is_none();
        (outside && matches!(character, ' ' | ',') && next.is_some()).then_some(index + 1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIXED: Form = Form::Fixed { columns: 72 };

    #[test]
    fn fixed_lines_end_at_column_72() {
        let text = format!("CALL S({})", ["ALPHA"; 30].join(", "));
        let lines = fold(FIXED, Some(90001), 2, &text);
        assert!(lines[0].starts_with("90001   CALL S(ALPHA,"), "{lines:?}");
        assert!(lines[1].starts_with("     &    ALPHA"), "{lines:?}");
        assert!(lines.iter().all(|line| line.len() <= 72), "{lines:?}");
    }

    #[test]
    fn a_long_constant_is_cut_at_the_last_column() {
        let text = format!("S = '{}'", "x y, ".repeat(40));
        let lines = fold(FIXED, None, 4, &text);
        let joined: String = lines.iter().map(|line| &line[6..]).collect();
        assert_eq!(joined.trim_start().replace("S =      '", "S = '"), text);
        assert!(lines[1..lines.len() - 1].iter().all(|line| line.len() == 72), "{lines:?}");
    }

    #[test]
    fn free_lines_go_on_with_an_ampersand() {
        let text = format!("call s('{}', b)", "long ".repeat(60));
        let lines = fold(Form::Free, None, 2, &text);
        assert!(lines.iter().all(|line| line.len() <= 132), "{lines:?}");
        let parts = lines.iter().map(|line| line.trim_start().trim_start_matches('&').trim_end_matches('&'));
        assert_eq!(parts.collect::<String>().trim(), text);
    }
}
