//! Sentences and table cells of the documents are short.
//!
//! Input: a page in Markdown.
//! Output: a finding for each sentence or table cell with too many words.
//!
//! Code, headings and comments are not checked. A code span counts as one word, and so does each word of a link.

use std::path::Path;

use super::Finding;

/// The style asks for 25. This limit leaves room for lists within a sentence.
const MOST_WORDS_OF_SENTENCE: usize = 40;
const MOST_WORDS_OF_CELL: usize = 25;

pub fn check(path: &Path, text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut paragraph = Paragraph::default();
    let mut is_code = false;
    for (index, line) in text.lines().enumerate() {
        let (number, line) = (index + 1, line.trim());
        let is_fence = line.starts_with("```");
        let is_row = line.starts_with('|');
        if is_fence || is_code || is_row || line.is_empty() || line.starts_with(['#', '<']) || is_item(line) {
            paragraph.finish(path, &mut findings);
        }
        is_code ^= is_fence;
        if is_fence || is_code || line.is_empty() || line.starts_with(['#', '<']) {
            continue;
        }
        if is_row {
            for cell in plain(line).split('|') {
                let words = cell.split_whitespace().count();
                if words > MOST_WORDS_OF_CELL {
                    findings.push(Finding::new(
                        path,
                        number,
                        format!("a table cell has {words} words: make it a paragraph"),
                    ));
                }
            }
        } else {
            paragraph.add(number, line);
        }
    }
    paragraph.finish(path, &mut findings);
    findings
}

/// The lines of one paragraph or list item.
#[derive(Default)]
struct Paragraph {
    /// The number of the first line.
    start: usize,
    text: String,
}

impl Paragraph {
    fn add(&mut self, number: usize, line: &str) {
        if self.text.is_empty() {
            self.start = number;
        }
        self.text.push_str(line);
        self.text.push(' ');
    }

    fn finish(&mut self, path: &Path, findings: &mut Vec<Finding>) {
        let mut count = 0;
        for word in plain(&std::mem::take(&mut self.text)).split_whitespace() {
            count += 1;
            if is_end(word) {
                count = 0;
            } else if count == MOST_WORDS_OF_SENTENCE + 1 {
                let what = format!(
                    "a sentence of this paragraph has more than {MOST_WORDS_OF_SENTENCE} words: split it"
                );
                findings.push(Finding::new(path, self.start, what));
            }
        }
    }
}

/// Whether a line begins a list item: `- ` or `1. `.
fn is_item(line: &str) -> bool {
    let after_number = line.trim_start_matches(|character: char| character.is_ascii_digit());
    line.starts_with("- ") || (after_number.len() < line.len() && after_number.starts_with(". "))
}

/// Whether a word ends a sentence or a clause.
fn is_end(word: &str) -> bool {
    word.trim_end_matches(['*', ')', '"']).ends_with(['.', '?', '!', ':', ';'])
}

/// The text with a word for each code span, and without the targets of links.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    for (index, part) in text.split('`').enumerate() {
        plain.push_str(if index % 2 == 0 { part } else { "code" });
    }
    while let Some(start) = plain.find("](") {
        let Some(length) = plain[start..].find(')') else { break };
        plain.replace_range(start..=start + length, "");
    }
    plain.replace('[', "")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<usize> {
        check(Path::new("a.md"), text).iter().map(|finding| finding.line).collect()
    }

    #[test]
    fn long_sentences_and_cells_are_found() {
        let long = "word ".repeat(41);
        assert_eq!(lines(&format!("Short.\n\n{long}\n")), [3]);
        assert_eq!(lines(&format!("- item: {long}\n- item\n")), [1]);
        assert_eq!(lines(&format!("| a | {} |\n", "word ".repeat(26))), [1]);
    }

    #[test]
    fn short_sentences_code_and_links_are_accepted() {
        let short = "Word ".repeat(24);
        assert!(lines(&format!("{short}end.\n{short}end.\n")).is_empty());
        assert!(lines(&format!("```\n{}\n```\n", "word ".repeat(50))).is_empty());
        assert!(lines(&format!("`{}` [text]({}).\n", "word ".repeat(50), "word".repeat(50))).is_empty());
        assert!(lines(&format!("| `a|b` | {short} |\n")).is_empty());
    }
}
