//! Finds words that do not belong in a finished project, in any text file.
//!
//! Input: path and text of a file.
//! Output: findings.
//! Postcondition: no test is skipped, and the text contains no note about unfinished work and no path of a
//! development machine.

use std::path::Path;

use super::Finding;

const TEXT: [&str; 15] =
    ["rs", "lalrpop", "c", "h", "f", "f90", "md", "toml", "yml", "sh", "in", "pc", "1", "mk", "txt"];
const NAMED: [&str; 4] = ["Makefile", "run", "setup", "CMakeLists.txt"];

/// Split into two parts, so that this file does not contain the words.
const UNFINISHED: [(&str, &str); 6] =
    [("TO", "DO"), ("XX", "X:"), ("to", "do!("), ("unimple", "mented!("), ("#[ig", "nore"), ("db", "g!(")];
const MACHINE: [(&str, &str); 3] = [("/ro", "ot/"), ("/wor", "k/"), ("/hom", "e/")];

pub fn is_text(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str());
    let name = path.file_name().and_then(|name| name.to_str());
    extension.is_some_and(|extension| TEXT.contains(&extension))
        || name.is_some_and(|name| NAMED.contains(&name))
}

pub fn check(path: &Path, text: &str) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (index, line) in text.lines().enumerate() {
        for word in UNFINISHED.iter().map(joined).filter(|word| has_word(line, word)) {
            let what = format!("`{word}`: finish it, or file an issue");
            findings.push(Finding::new(path, index + 1, what));
        }
        for place in MACHINE.iter().map(joined).filter(|place| line.contains(place.as_str())) {
            let what = format!("`{place}` is a path of a development machine");
            findings.push(Finding::new(path, index + 1, what));
        }
    }
    findings
}

fn joined(parts: &(&str, &str)) -> String {
    format!("{}{}", parts.0, parts.1)
}

/// True if `line` contains `word` and not as the end of a longer word.
fn has_word(line: &str, word: &str) -> bool {
    line.match_indices(word)
        .any(|(at, _)| !line[..at].ends_with(|before: char| before.is_alphanumeric() || before == '_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unfinished_work_is_found_where_it_is_a_word_of_its_own() {
        let text = format!("fn a() {{ {}{}) }}\nlet mastodo = 1;\n", "to", "do!(");
        let findings = check(Path::new("a.rs"), &text);
        assert_eq!(findings.len(), 1, "{findings:?}");
        assert_eq!(findings[0].line, 1);
    }
}
