//! Checks that every fault of the fault model has a test that exists.
//!
//! Input: `docs/fault-model.md`.
//! Output: a finding for each row that names no test or a missing one.

use std::path::Path;

use super::Finding;

const PAGE: &str = "docs/fault-model.md";
/// Each table of faults begins with it. There may be other tables.
const HEADER: &str = "| fault |";

pub fn check(root: &Path) -> Vec<Finding> {
    match std::fs::read_to_string(root.join(PAGE)) {
        Ok(text) => check_page(&text, |file| std::fs::read_to_string(root.join(file)).ok()),
        Err(error) => vec![Finding::new(Path::new(PAGE), 1, error.to_string())],
    }
}

/// `read` returns the text of a file of the project.
fn check_page(text: &str, read: impl Fn(&str) -> Option<String>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut is_of_faults = false;
    for (index, row) in text.lines().enumerate() {
        if row.starts_with(HEADER) || !row.starts_with('|') {
            is_of_faults = row.starts_with(HEADER);
            continue;
        }
        if !is_of_faults || !row.starts_with("| ") {
            continue;
        }
        let cells: Vec<&str> = row.trim_matches('|').split('|').collect();
        let tests = cells.last().copied().unwrap_or_default();
        for what in missing(tests, &read) {
            findings.push(Finding::new(Path::new(PAGE), index + 1, what));
        }
    }
    findings
}

/// The errors in a cell such as ``` `tests/a.rs`: `one`, `two`; `tests/b.rs`: `three` ```.
fn missing(tests: &str, read: impl Fn(&str) -> Option<String>) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut file: Option<(&str, String)> = None;
    let mut named = 0;
    for name in tests.split('`').skip(1).step_by(2) {
        if name.ends_with(".rs") {
            file = read(name).map(|text| (name, text));
            if file.is_none() {
                wrong.push(format!("there is no file `{name}`"));
            }
        } else if let Some((path, text)) = &file {
            named += 1;
            if !text.contains(name) {
                wrong.push(format!("`{path}` has no test `{name}`"));
            }
        }
    }
    if named == 0 && wrong.is_empty() {
        wrong.push("no test is named for this fault".to_owned());
    }
    wrong
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_without_a_test_that_is_there_is_found() {
        let page = "| fault | what happens | shown by |\n|---|---|---|\n\
                    | a | b | `t.rs`: `one` |\n| c | d | |\n\n\
                    | fault | what happens | shown by |\n|---|---|---|\n| e | f | `t.rs`: `two`; `u.rs`: `one` |\n\n\
                    | campaign | kills |\n|---|---|\n| g | 7 |\n";
        let read = |file: &str| (file == "t.rs").then(|| "fn one() {}".to_owned());
        let found: Vec<String> = check_page(page, read)
            .iter()
            .map(|finding| format!("{}: {}", finding.line, finding.what))
            .collect();
        assert_eq!(
            found,
            [
                "4: no test is named for this fault",
                "8: `t.rs` has no test `two`",
                "8: there is no file `u.rs`"
            ]
        );
    }
}
