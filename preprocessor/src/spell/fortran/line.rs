//! One statement as the lines of its form: label, indentation, continuation.
//!
//! Input: the text of a statement, and the positions where a line may end.
//! Output: lines.
//! Postcondition: in fixed form no text is beyond the last column, in free form none beyond column 132. Lines
//! end after blanks and commas. They end within a word only if it is too long for a line.

use cppc_grammar::fortran::logical::Form;

/// The column at which lines of free form end if possible.
const FREE_COLUMNS: usize = 100;
const FREE_LIMIT: usize = 132;
/// The last column at which a statement begins, even if the text around it is indented more.
const DEEPEST: usize = 40;

/// The text of a statement.
#[derive(Debug, Default)]
pub(super) struct Line {
    characters: Vec<char>,
    /// The positions after which a line may end, in ascending order.
    ends: Vec<usize>,
}

impl Line {
    /// A statement of the program, without blanks at its ends.
    pub fn of_source(text: &str) -> Line {
        let mut line = Line::default();
        line.push_source(text.trim());
        line
    }

    /// Text within which no line should end: a name, a character constant.
    pub fn push_unbroken(&mut self, text: &str) {
        self.characters.extend(text.chars());
    }

    /// Generated text without character constants.
    pub fn push_words(&mut self, text: &str) {
        for character in text.chars() {
            self.characters.push(character);
            if matches!(character, ' ' | ',') {
                self.ends.push(self.characters.len());
            }
        }
    }

    /// Text of the program. No line should end within its character constants.
    pub fn push_source(&mut self, text: &str) {
        let mut quote = None;
        for character in text.chars() {
            self.characters.push(character);
            match quote {
                Some(open) if open == character => quote = None,
                None if matches!(character, '\'' | '"') => quote = Some(character),
                None if matches!(character, ' ' | ',') => self.ends.push(self.characters.len()),
                Some(_) | None => {}
            }
        }
    }

    /// The lines of a form.
    pub fn fold(&self, form: Form, label: Option<u32>, indent: usize) -> Vec<String> {
        let indent = indent.min(DEEPEST);
        match form {
            Form::Fixed { columns } => self.fold_fixed(columns as usize, label, indent),
            Form::Free => self.fold_free(label, indent),
        }
    }

    fn fold_fixed(&self, columns: usize, label: Option<u32>, indent: usize) -> Vec<String> {
        let label = label.map_or_else(|| "     ".to_owned(), |label| format!("{label:>5}"));
        // Blanks before the rest of a character constant would belong to it.
        let blanks = |start: Start| match start {
            Start::First => indent,
            Start::Broken => indent + 2,
            Start::Cut => 0,
        };
        let pieces = self.pieces(|start| Width {
            soft: columns.min(72).saturating_sub(6 + blanks(start)).max(1),
            hard: columns.saturating_sub(6 + blanks(start)).max(1),
        });
        let lines = pieces.into_iter().map(|piece| {
            let margin = if piece.start == Start::First { format!("{label} ") } else { "     &".to_owned() };
            format!("{margin}{}{}", " ".repeat(blanks(piece.start)), piece.text)
        });
        lines.collect()
    }

    fn fold_free(&self, label: Option<u32>, indent: usize) -> Vec<String> {
        let label = label.map_or(String::new(), |label| format!("{label} "));
        let margin = |start: Start| match start {
            Start::First => format!("{label:<indent$}"),
            Start::Broken => " ".repeat(indent + 4),
            Start::Cut => format!("{}&", " ".repeat(indent + 4)),
        };
        let pieces = self.pieces(|start| {
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

    /// The text of each line.
    fn pieces(&self, width: impl Fn(Start) -> Width) -> Vec<Piece> {
        let characters = &self.characters;
        let mut pieces = Vec::new();
        let (mut at, mut start) = (0, Start::First);
        loop {
            let Width { soft, hard } = width(start);
            let rest = characters.len() - at;
            if rest <= soft {
                pieces.push(Piece { start, text: characters[at..].iter().collect() });
                return pieces;
            }
            let within = |end: usize, width: usize| end > at && end <= at + width && end < characters.len();
            let last = self.ends.iter().copied().rfind(|&end| within(end, soft));
            let first = self.ends.iter().copied().find(|&end| within(end, hard));
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
}

/// How a line begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Start {
    First,
    /// After a blank or a comma.
    Broken,
    /// Within a word or a character constant.
    Cut,
}

struct Piece {
    start: Start,
    text: String,
}

/// Characters on a line: it ends before `soft` if it may, else at `hard`.
struct Width {
    soft: usize,
    hard: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIXED: Form = Form::Fixed { columns: 72 };

    fn folded(form: Form, label: Option<u32>, indent: usize, text: &str) -> Vec<String> {
        Line::of_source(text).fold(form, label, indent)
    }

    #[test]
    fn fixed_lines_end_at_column_72() {
        let text = format!("CALL S({})", ["ALPHA"; 30].join(", "));
        let lines = folded(FIXED, Some(90001), 2, &text);
        assert!(lines[0].starts_with("90001   CALL S(ALPHA,"), "{lines:?}");
        assert!(lines[1].starts_with("     &    ALPHA"), "{lines:?}");
        assert!(lines.iter().all(|line| line.len() <= 72), "{lines:?}");
    }

    #[test]
    fn a_statement_of_fixed_form_fills_columns_7_to_72() {
        let text = format!("X = {}", "Y".repeat(62));
        assert_eq!(folded(FIXED, Some(10), 0, &text), [format!("   10 {text}")]);
        let lines = folded(FIXED, None, 0, &format!("{text}Z"));
        assert_eq!(lines, ["      X =".to_owned(), format!("     &  {}Z", "Y".repeat(62))]);
    }

    #[test]
    fn wide_fixed_form_is_filled_to_column_72_if_lines_can_end_there() {
        let text = format!("CALL S({}, {})", "A".repeat(40), "B".repeat(40));
        let lines = folded(Form::Fixed { columns: 132 }, None, 0, &text);
        assert_eq!(lines.len(), 2, "{lines:?}");
        let constant = format!("S = '{}'", "x".repeat(100));
        assert_eq!(folded(Form::Fixed { columns: 132 }, None, 0, &constant)[1].len(), 8 + 102);
    }

    #[test]
    fn a_long_constant_is_cut_at_the_last_column() {
        let text = format!("S = '{}'", "x y, ".repeat(40));
        let lines = folded(FIXED, None, 4, &text);
        let joined: String = lines.iter().map(|line| &line[6..]).collect();
        assert_eq!(joined.trim_start().replace("S =      '", "S = '"), text);
        assert!(lines[1..lines.len() - 1].iter().all(|line| line.len() == 72), "{lines:?}");
    }

    #[test]
    fn free_lines_continue_with_an_ampersand() {
        let text = format!("call s('{}', b)", "long ".repeat(60));
        let lines = folded(Form::Free, None, 2, &text);
        assert!(lines.iter().all(|line| line.len() <= 132), "{lines:?}");
        let parts = lines.iter().map(|line| line.trim_start().trim_start_matches('&').trim_end_matches('&'));
        assert_eq!(parts.collect::<String>().trim(), text);
    }

    #[test]
    fn labels_of_free_form_stand_in_the_indentation() {
        assert_eq!(folded(Form::Free, Some(10), 4, "continue"), ["10  continue"]);
        assert_eq!(folded(Form::Free, Some(90001), 2, "continue"), ["90001 continue"]);
    }

    #[test]
    fn deep_statements_begin_at_column_41_at_the_latest() {
        assert_eq!(folded(Form::Free, None, 90, "x = 1"), [format!("{}x = 1", " ".repeat(40))]);
    }
}
