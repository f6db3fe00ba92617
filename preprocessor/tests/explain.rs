//! Tests that each code has a page, that each page is of a code, and that each example gives its diagnostic.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::Path;

use cppc_preprocessor::driver::{translate, Check, Request, Warnings};
use cppc_preprocessor::explain::{explain, page, pages, Example};
use cppc_preprocessor::front::Source;

/// What no single source of a few lines shows: several files, limits, permissions.
const WITHOUT_EXAMPLE: &[&str] =
    &["C0116", "C0121", "C0203", "C0204", "C0214", "C0215", "C0220", "C0402", "C0508", "C0602", "C0603"];

/// Every code in the sources: a string of `C` and four digits.
fn codes_in(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder of sources").flatten() {
        let path = entry.path();
        if path.is_dir() {
            codes_in(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).expect("a source");
            let text = text.split("#[cfg(test)]").next().unwrap_or_default();
            let is_code = |word: &&str| {
                word.len() == 5
                    && word.starts_with('C')
                    && word[1..].bytes().all(|byte| byte.is_ascii_digit())
            };
            found.extend(text.split('"').filter(is_code).map(str::to_owned));
        }
    }
}

#[test]
fn each_code_has_a_page_and_each_page_is_of_a_code() {
    let mut codes = BTreeSet::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for folder in ["src", "../grammar/src", "../source/src"] {
        codes_in(&root.join(folder), &mut codes);
    }
    assert!(codes.len() > 100, "only {} codes are found", codes.len());
    let explained: BTreeSet<String> = pages().map(|page| page.code.to_owned()).collect();
    let missing: Vec<&String> = codes.difference(&explained).collect();
    let unused: Vec<&String> = explained.difference(&codes).collect();
    assert!(missing.is_empty() && unused.is_empty(), "without a page: {missing:?}; not used: {unused:?}");
    let listed: Vec<&str> = pages().map(|page| page.code).collect();
    assert!(listed.is_sorted_by(|a, b| a < b), "the pages are not in order");
}

fn given(code: &str, example: Example, check: Check) -> Vec<String> {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join(format!("{}.{}", code.to_lowercase(), example.extension));
    std::fs::write(&path, example.source).expect("a source");
    let flags = ["-fopenmp", "-fmax-stack-var-size=65536"].map(OsString::from).to_vec();
    let warnings = Warnings::All;
    let request = Request { check, warnings, ..Request::of(Source { path, flags }) };
    let outcome = translate(&request).expect("a translation");
    outcome.diagnostics.iter().map(|one| one.code.to_owned()).collect()
}

#[test]
fn each_example_gives_its_diagnostic() {
    let mut wrong = Vec::new();
    for page in pages() {
        match page.example() {
            Some(example) => {
                let mut codes = given(page.code, example, Check::Live);
                // The check replaces warnings that are less exact.
                codes.extend(given(page.code, example, Check::None));
                if !codes.iter().any(|code| code == page.code) {
                    wrong.push(format!("{}: {codes:?}", page.code));
                }
            }
            None if WITHOUT_EXAMPLE.contains(&page.code) => {}
            None => wrong.push(format!("{}: no example", page.code)),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn live_data_is_checked_only_when_that_is_asked_for() {
    for code in [
        "C0701", "C0702", "C0703", "C0704", "C0707", "C0708", "C0709", "C0710", "C0711", "C0712", "C0713",
        "C0714", "C0715", "C0716", "C0717", "C0718", "C0719", "C0720",
    ] {
        let example = page(code).and_then(|page| page.example()).expect("a page with an example");
        let codes = given(code, example, Check::None);
        assert!(!codes.iter().any(|one| one == code), "{codes:?}");
    }
}

#[test]
fn a_code_is_found_in_either_case_and_an_unknown_one_is_an_error() {
    assert_eq!(page("c0413").map(|page| page.code), Some("C0413"));
    assert!(explain("C0413").is_ok_and(|text| text.starts_with("C0413: ")));
    assert!(explain("C9999").is_err_and(|text| text.contains("C9999")));
}
