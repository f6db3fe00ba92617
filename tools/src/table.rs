//! Text that fits the width of the output.
//!
//! Input: rows of cells, or lines of text, and a number of columns of the terminal.
//! Output: aligned tables and broken lines.
//! Postcondition: no line is wider; nothing is left out, and a number is broken only if it alone is too wide.

use crate::display::{styled, TableCell, HEADING};
use std::fmt;
use unicode_width::UnicodeWidthChar;

/// The width if the output is not a terminal, and the least width.
pub const LEAST_WIDTH: usize = 80;

/// The width for a report: that of the format, such as `{report:100}`.
pub fn width(text: &fmt::Formatter) -> usize {
    text.width().unwrap_or(LEAST_WIDTH)
}

/// The width of standard output.
pub fn output_width() -> usize {
    let size = rustix::termios::tcgetwinsize(std::io::stdout());
    size.map_or(LEAST_WIDTH, |size| usize::from(size.ws_col).max(LEAST_WIDTH))
}

/// How the cells of a column are aligned and broken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Column {
    /// On the left. A long word is broken.
    Text,
    /// On the left, broken at blanks.
    Values,
    /// On the right, broken at blanks.
    Number,
}

const INDENT: usize = 2;
const GAP: usize = 3;
/// A column of text is not made narrower than this while there is another choice.
const NARROW: usize = 16;

pub fn heading<const N: usize>(names: [&str; N]) -> Vec<TableCell> {
    names.iter().map(|name| TableCell::new(*name, HEADING)).collect()
}

/// Rows of cells as aligned columns. A column that is empty below its heading is left out. If the table is too
/// wide, long texts are broken. If it is still too wide, it becomes several tables. Each repeats the first
/// columns, as many as distinguish the rows.
pub fn table(rows: &[Vec<TableCell>], columns: &[Column], width: usize) -> String {
    let used: Vec<usize> = (0..columns.len())
        .filter(|&column| rows.iter().skip(1).any(|row| !cell(row, column).is_empty()))
        .collect();
    if natural(rows, columns, &used) <= width || least(rows, columns, &used) <= width {
        return drawn(rows, columns, &used, width);
    }
    let keys = used.len().min(keys(rows, &used));
    let mut text = String::new();
    let mut rest = &used[keys..];
    while let Some((first, _)) = rest.split_first() {
        let mut chosen = used[..keys].to_vec();
        chosen.push(*first);
        let mut taken = 1;
        while let Some(next) = rest.get(taken) {
            chosen.push(*next);
            if least(rows, columns, &chosen) > width {
                chosen.pop();
                break;
            }
            taken += 1;
        }
        rest = &rest[taken..];
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(&drawn(&with_content(rows, &chosen[keys..]), columns, &chosen, width));
    }
    text
}

fn cell(row: &[TableCell], column: usize) -> &str {
    row.get(column).map_or("", |cell| &cell.text)
}

/// Whether the row belongs to the one above it.
fn is_part(row: &[TableCell]) -> bool {
    cell(row, 0).starts_with(' ')
}

/// How many of the first columns distinguish the rows: at most two.
fn keys(rows: &[Vec<TableCell>], used: &[usize]) -> usize {
    let first = |row: &&Vec<TableCell>| used.first().map_or("", |&column| cell(row, column)).to_owned();
    let whole: Vec<String> = rows.iter().skip(1).filter(|row| !is_part(row)).map(|row| first(&row)).collect();
    let distinct: std::collections::BTreeSet<&String> = whole.iter().collect();
    if distinct.len() == whole.len() {
        1
    } else {
        2
    }
}

/// The rows that have something in these columns, and those whose parts have.
fn with_content(rows: &[Vec<TableCell>], columns: &[usize]) -> Vec<Vec<TableCell>> {
    let mut kept = Vec::new();
    let mut has_part = false;
    for (index, row) in rows.iter().enumerate().rev() {
        let has_content = columns.iter().any(|&column| !cell(row, column).is_empty());
        if index == 0 || has_content || (has_part && !is_part(row)) {
            kept.push(row.clone());
        }
        has_part = is_part(row) && (has_part || has_content);
    }
    kept.reverse();
    kept
}

fn widest(rows: &[Vec<TableCell>], column: usize) -> usize {
    rows.iter().map(|row| shown_width(cell(row, column))).max().unwrap_or(0)
}

fn longest_word(rows: &[Vec<TableCell>], column: usize) -> usize {
    rows.iter().flat_map(|row| cell(row, column).split(' ')).map(shown_width).max().unwrap_or(0)
}

fn least_of(rows: &[Vec<TableCell>], columns: &[Column], column: usize) -> usize {
    match columns[column] {
        Column::Text => widest(rows, column).min(NARROW.max(shown_width(cell(&rows[0], column)))),
        Column::Values => longest_word(rows, column),
        Column::Number => widest(rows, column),
    }
}

fn sum(widths: impl ExactSizeIterator<Item = usize>) -> usize {
    let gaps = GAP * widths.len().saturating_sub(1);
    INDENT + gaps + widths.sum::<usize>()
}

fn natural(rows: &[Vec<TableCell>], _: &[Column], used: &[usize]) -> usize {
    sum(used.iter().map(|&column| widest(rows, column)))
}

fn least(rows: &[Vec<TableCell>], columns: &[Column], used: &[usize]) -> usize {
    sum(used.iter().map(|&column| least_of(rows, columns, column)))
}

/// One table. Columns become narrower until it fits: first to their least width, then below it.
fn drawn(rows: &[Vec<TableCell>], columns: &[Column], used: &[usize], width: usize) -> String {
    let mut widths: Vec<usize> = used.iter().map(|&column| widest(rows, column)).collect();
    let least: Vec<usize> = used.iter().map(|&column| least_of(rows, columns, column)).collect();
    while sum(widths.iter().copied()) > width {
        let spare = |place: &usize| widths[*place].saturating_sub(least[*place]);
        let roomy = (0..widths.len()).filter(|place| spare(place) > 0).max_by_key(|&place| widths[place]);
        let Some(place) = roomy.or((0..widths.len()).max_by_key(|&place| widths[place])) else { break };
        if widths[place] <= 1 {
            break;
        }
        widths[place] -= 1;
    }
    let mut text = String::new();
    for row in rows {
        let pieces: Vec<Vec<String>> =
            used.iter().zip(&widths).map(|(&column, &width)| broken(cell(row, column), width, 0)).collect();
        for line in 0..pieces.iter().map(Vec::len).max().unwrap_or(0) {
            // Written only before more text, so that no line ends with blanks.
            let mut gap = INDENT;
            for (place, &column) in used.iter().enumerate() {
                let piece = pieces[place].get(line).map_or("", String::as_str);
                let padding = widths[place].saturating_sub(shown_width(piece));
                let is_right = columns[column] == Column::Number;
                gap += if is_right { padding } else { 0 };
                if !piece.is_empty() {
                    let style = row[column].style;
                    text.push_str(&" ".repeat(gap));
                    text.push_str(&styled(piece, style));
                    gap = 0;
                }
                gap += GAP + if is_right { 0 } else { padding };
            }
            text.push('\n');
        }
    }
    text
}

/// Text without lines that are too wide. A continued line is indented more than its beginning.
pub fn fitted(text: &str, width: usize) -> String {
    let mut fitted = String::with_capacity(text.len());
    for line in text.lines() {
        if shown_width(line) <= width {
            fitted.push_str(line);
        } else {
            let indent = line.len() - line.trim_start_matches(' ').len() + 4;
            fitted.push_str(&broken(line, width, indent.min(width / 2)).join("\n"));
        }
        fitted.push('\n');
    }
    fitted
}

/// Letters with their widths; the codes of colours have none.
fn letters(text: &str) -> impl Iterator<Item = (char, usize)> + '_ {
    let mut in_code = false;
    text.chars().map(move |letter| {
        let is_code = in_code || letter == '\u{1b}';
        in_code = is_code && letter != 'm';
        (letter, if is_code { 0 } else { letter.width().unwrap_or(0) })
    })
}

pub fn shown_width(text: &str) -> usize {
    letters(text).map(|(_, width)| width).sum()
}

/// The lines of a text that are not wider than `width`. All but the first begin with `indent` blanks.
fn broken(text: &str, width: usize, indent: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut line = String::new();
    let mut used = 0;
    let begin = |lines: &mut Vec<String>, line: &mut String, used: &mut usize| {
        lines.push(std::mem::replace(line, " ".repeat(indent)).trim_end_matches(' ').to_owned());
        *used = indent;
    };
    for word in text.split_inclusive(' ') {
        let bare = shown_width(word.trim_end_matches(' '));
        // A word that fits a line of its own begins one, a longer one only if little room is left.
        let is_full = used + bare > width && used > indent;
        if is_full && bare > 0 && (bare + indent <= width || width - used.min(width) < NARROW) {
            begin(&mut lines, &mut line, &mut used);
        }
        for (letter, across) in letters(word) {
            if used + across > width {
                if letter == ' ' {
                    continue;
                }
                begin(&mut lines, &mut line, &mut used);
            }
            line.push(letter);
            used += across;
        }
    }
    lines.push(line.trim_end_matches(' ').to_owned());
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(rows: &[Vec<TableCell>], columns: &[Column], width: usize) -> String {
        anstream::adapter::strip_str(&table(rows, columns, width)).to_string()
    }

    #[test]
    fn columns_line_up() {
        let rows = [
            heading(["a", "n", "gone"]),
            vec!["bcd".into(), "10".into(), "".into()],
            vec!["e".into(), "9".into()],
        ];
        let text = plain(&rows, &[Column::Text, Column::Number, Column::Text], 80);
        assert_eq!(text, "  a      n\n  bcd   10\n  e      9\n");
    }

    #[test]
    fn a_long_text_is_broken() {
        let rows = [heading(["n", "state"]), vec!["7".into(), "incomplete: no good file of rank 1".into()]];
        let text = plain(&rows, &[Column::Number, Column::Text], 30);
        assert_eq!(text, "  n   state\n  7   incomplete: no good file\n      of rank 1\n");
    }

    #[test]
    fn a_wide_table_is_split_and_numbers_stay_whole() {
        let number = |digit: &str| digit.repeat(20);
        let rows = [
            heading(["name", "min", "max"]),
            vec!["u".into(), number("1").into(), number("2").into()],
            vec!["scalar".into()],
        ];
        let text = plain(&rows, &[Column::Text, Column::Number, Column::Number], 40);
        assert_eq!(
            text,
            format!(
                "  name                    min\n  u      {}\n\n  name                    max\n  u      {}\n",
                number("1"),
                number("2")
            )
        );
    }

    #[test]
    fn lines_of_any_letters_fit() {
        let text =
            format!("  {} and {}\n{}", "x".repeat(100), styled("some words", HEADING), "界".repeat(50));
        for line in fitted(&text, 40).lines() {
            assert!(shown_width(line) <= 40, "{line}");
        }
        let rejoined: String = fitted(&text, 40).split_whitespace().collect();
        assert_eq!(rejoined, text.split_whitespace().collect::<String>());
    }
}
