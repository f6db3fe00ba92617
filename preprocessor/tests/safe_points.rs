//! Tests the analysis of communications. Each program in `safe_points/` begins with comments: its verdict, and mutations of
//! the program with their verdicts. `not safe`: unsafe or unknown.

use std::path::{Path, PathBuf};

use cppc_analysis::catalogue::Catalogue;
use cppc_preprocessor::front::{front_end, Compilers, Source};
use cppc_preprocessor::live_data::Warnings;
use cppc_preprocessor::lower::lower;
use cppc_preprocessor::program::{program, Extent};
use cppc_preprocessor::safe_points::{check, of_program, Claims};
use cppc_source::{Diagnostic, Files};

const COUNTS: [usize; 7] = [2, 3, 4, 5, 6, 8, 9];

/// The verdict of all checkpoints of a program: the worst one.
fn verdict(path: &Path) -> &'static str {
    let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/safe_points/include");
    let sources = [Source { path: path.to_owned(), flags: vec![format!("-I{}", include.display()).into()] }];
    let mut files = Files::new();
    let compilers = Compilers { c: "cc".as_ref(), fortran: "gfortran".as_ref() };
    let front = front_end(compilers, &sources, &[], &mut files).expect("a source that can be read");
    let errors = front.diagnostics.iter().filter(|found| found.is_error());
    let errors: Vec<String> = errors.map(|found| found.render(&files, false)).collect();
    assert!(errors.is_empty(), "{}: {errors:?}", path.display());
    let program = lower(&front, &sources, true, &files);
    let found = of_program(&program, &Catalogue::built_in(), &COUNTS);
    match () {
        () if found.is_empty() => "unknown",
        () if found.values().all(|one| one.is_safe()) => "safe",
        () if found.values().any(|one| one.unsafe_with_all().is_some()) => "unsafe",
        () => "unknown",
    }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/safe_points")
}

fn programs() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder()).expect("a folder").flatten().map(|entry| entry.path());
    let mut found: Vec<PathBuf> = entries.filter(|path| path.is_file()).collect();
    found.sort();
    found
}

/// The text after a word in the comments at the beginning.
fn named<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = &'t str> {
    let comments = text.lines().take_while(|line| line.starts_with(['/', '!']));
    comments.filter_map(move |line| Some(line.split_once(word)?.1.trim_end_matches("*/").trim()))
}

#[test]
fn each_program_and_each_mutation_has_its_verdict() {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("safe_points");
    std::fs::create_dir_all(&scratch).expect("a folder");
    let mut wrong = Vec::new();
    let mut tried = 0;
    for path in programs() {
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let text = std::fs::read_to_string(&path).expect("a source");
        let expected = named(&text, "verdict:").next().expect("a verdict");
        let found = verdict(&path);
        tried += 1;
        if found != expected {
            wrong.push(format!("{name}: {found} instead of {expected}"));
        }
        let start = text.find("\n#include").or_else(|| text.find("\nprogram")).expect("the program");
        for mutation in named(&text, "mutation:") {
            let parts: Vec<String> =
                mutation.split("=>").map(|part| part.trim().replace("\\n", "\n")).collect();
            let [old, new, expected] = &parts[..] else { panic!("{name}: {mutation}") };
            let body = &text[start..];
            assert!(body.contains(old.as_str()), "{name}: {mutation}");
            let changed = scratch.join(format!("{tried}_{name}"));
            std::fs::write(&changed, body.replacen(old.as_str(), new, 1)).expect("a source");
            let found = verdict(&changed);
            tried += 1;
            if found != expected && !(expected == "not safe" && found != "safe") {
                wrong.push(format!("{name}: {mutation}: {found}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {tried}\n{}", wrong.len(), wrong.join("\n"));
    assert!(tried >= 80, "{tried}");
}

#[test]
fn a_checkpoint_that_the_user_asserts_to_be_safe_has_no_error() {
    let codes = |name: &str| -> Vec<&'static str> {
        let path = folder().join(name);
        let flags = vec![format!("-I{}", folder().join("include").display()).into()];
        let sources = [Source { path, flags }];
        let mut files = Files::new();
        let compilers = Compilers { c: "cc".as_ref(), fortran: "gfortran".as_ref() };
        let front = front_end(compilers, &sources, &[], &mut files).expect("a source that can be read");
        let claims = Claims::new(&program(&front, &sources, Extent::Whole, &files));
        let program = lower(&front, &sources, true, &files);
        let found = check(&program, &Catalogue::built_in(), &claims, Warnings::All, &[4], &[]);
        found.diagnostics.iter().map(|one: &Diagnostic| one.code).collect()
    };
    assert!(codes("asserted.c").is_empty());
    assert_eq!(codes("behind.c"), ["C0801"]);
    assert_eq!(codes("early_receive.c"), ["C0802"]);
    assert_eq!(codes("one_branch.c"), ["C0803"]);
    assert_eq!(codes("tests.c"), ["C0804"]);
    assert!(codes("ring.c").is_empty());
    assert!(codes("some_numbers.c").is_empty());
}
