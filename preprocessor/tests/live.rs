//! Tests the checks of live data. Each source in `live/` begins with a comment that names what is reported by default, after
//! `reports:`, and with `--warn=all`, after `all:` if that is different. Options of the compiler are after `flags:`. From the programs in `tests/programs`, each part of a directive is removed by itself; `tests/tests/removals.rs` runs
//! the programs that are left.

#[path = "../../tests/src/removal.rs"]
mod removal;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use cppc_analysis::catalogue::Catalogue;
use cppc_analysis::effects::Assumptions;
use cppc_preprocessor::front::{front_end, Compilers, Source};
use cppc_preprocessor::live_data::{check, Unknown, Warnings};
use cppc_preprocessor::lower::lower;
use cppc_source::{Diagnostic, Files};
use removal::removals;

/// What is reported, with the code. None: the source has errors.
fn reports(path: &Path, assumptions: Assumptions) -> Option<Vec<String>> {
    let programs = programs();
    let folders =
        ["include", "c", "fortran"].map(|name| format!("-I{}", programs.join(name).display()).into());
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let own = line_after(&text, " flags:").unwrap_or_default();
    let flags = folders.into_iter().chain(own.split_whitespace().map(OsString::from)).collect();
    let sources = [Source { path: path.to_owned(), flags }];
    let mut files = Files::new();
    let compilers = Compilers { c: "cc".as_ref(), fortran: "gfortran".as_ref() };
    let front = front_end(compilers, &sources, &[], &mut files).ok()?;
    if front.diagnostics.iter().any(Diagnostic::is_error) {
        return None;
    }
    let lowered = lower(&front, &sources, true, &files);
    let found = check(lowered, &Catalogue::built_in(), Unknown::Live, Warnings::Usual, assumptions, &[]);
    Some(found.iter().map(|one| format!("{} {}", one.code, name_in(&one.message))).collect())
}

/// What follows the word in the comment at the start of a source.
fn line_after<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let line = text.lines().take(5).find_map(|line| line.split_once(word))?.1;
    Some(line.trim_end_matches("*/").trim())
}

fn name_in(message: &str) -> &str {
    message.split('`').nth(1).unwrap_or_default()
}

fn programs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace").join("tests/programs")
}

fn sources_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("a folder").flatten().map(|entry| entry.path());
    let is_source = |path: &PathBuf| {
        path.extension().is_some_and(|ending| ["c", "f", "f90"].iter().any(|one| ending == *one))
    };
    let mut found: Vec<PathBuf> = entries.filter(is_source).collect();
    found.sort();
    assert!(!found.is_empty(), "{}", folder.display());
    found
}

#[test]
fn each_source_has_the_reports_that_it_names() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/live");
    let mut wrong = Vec::new();
    for path in sources_in(&folder.join("c")).into_iter().chain(sources_in(&folder.join("fortran"))) {
        let text = std::fs::read_to_string(&path).expect("a source");
        let named = |word: &str| line_after(&text, word);
        let usual = named(" reports:").expect("what is reported");
        for (assumptions, expected) in
            [(Assumptions::Usual, usual), (Assumptions::Worst, named(" all:").unwrap_or(usual))]
        {
            let found = reports(&path, assumptions).expect("a source without errors");
            let mut names: Vec<&str> = found.iter().map(|one| &one[6..]).collect();
            names.sort_unstable();
            names.dedup();
            let names = if names.is_empty() { "nothing".to_owned() } else { names.join(", ") };
            if names != expected {
                wrong.push(format!("{} ({assumptions:?}): {names} instead of {expected}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The reports that `after` has and `before` does not.
fn is_new(before: &[String], after: &[String]) -> bool {
    let count = |all: &[String], one: &String| all.iter().filter(|other| *other == one).count();
    after.iter().any(|one| count(after, one) > count(before, one))
}

/// Not every register of these programs is needed: some names do not change, are written again, or belong to
/// loops and calls that a restart repeats. So this counts, and the numbers below only grow.
#[test]
fn most_parts_of_directives_are_missed_when_they_are_removed() {
    let mut counts: BTreeMap<(&str, &str), (usize, usize)> = BTreeMap::new();
    let directory = tempfile::tempdir().expect("a directory");
    for language in ["c", "fortran"] {
        for path in sources_in(&programs().join(language)) {
            let Some(before) = reports(&path, Assumptions::Usual) else { continue };
            let Ok(text) = std::fs::read_to_string(&path) else { continue };
            let changed = directory.path().join(path.file_name().expect("a name"));
            for removal in removals(&text) {
                std::fs::write(&changed, &removal.text).expect("a file");
                let Some(after) = reports(&changed, Assumptions::Usual) else { continue };
                let count = counts.entry((language, removal.kind)).or_default();
                count.0 += 1;
                if is_new(&before, &after) {
                    count.1 += 1;
                } else {
                    let (kind, name, line) = (removal.kind, &removal.name, removal.line);
                    println!("not reported: {}:{line} {kind} {name}", path.display());
                }
            }
        }
    }
    println!("language  part      removed  reported");
    for ((language, kind), (removed, reported)) in &counts {
        println!("{language:8}  {kind:8}  {removed:7}  {reported:8}");
    }
    for (key, percent) in [(("c", "register"), 70), (("fortran", "register"), 60)] {
        let (removed, reported) = counts.get(&key).copied().unwrap_or_default();
        assert!(removed > 0 && reported * 100 >= removed * percent, "{key:?}: {reported} of {removed}");
    }
}
