//! Where checkpoints are placed. Next to each program in `placement/` is a text: the statements before which a checkpoint
//! was added, and the diagnostics.

use std::path::{Path, PathBuf};

use cppc_analysis::catalogue::Catalogue;
use cppc_preprocessor::annotate::choice::Choice;
use cppc_preprocessor::driver::{translate, Added, Automatic, Outcome, Request};
use cppc_preprocessor::front::Source;
use cppc_preprocessor::lower::lower;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/placement")
}

fn placed(path: &Path) -> Outcome {
    let include = folder().with_file_name("safe_points").join("include");
    let source = Source { path: path.to_owned(), flags: vec![format!("-I{}", include.display()).into()] };
    let request = Request::of(source);
    translate(&request).expect("a source that can be read")
}

/// The added lines, each with the line before and the line after it.
fn added(outcome: &Outcome) -> String {
    let text =
        String::from_utf8_lossy(&outcome.files.get(outcome.stages.front.units[0].file()).bytes).into_owned();
    let lines: Vec<&str> = text.lines().collect();
    let is_added = |line: &str| {
        line.split_once("cppc checkpoint").is_some_and(|(_, rest)| !rest.trim_start().starts_with("loop"))
    };
    let numbers = (1..lines.len() - 1).filter(|&number| is_added(lines[number]));
    let around = numbers.map(|number| lines[number - 1..=number + 1].join("\n") + "\n\n");
    around.collect()
}

#[test]
fn each_checkpoint_is_at_the_place_that_is_expected() {
    let mut wrong = Vec::new();
    for path in cppc_fixtures::below(&folder(), &["c", "f", "f90"]) {
        let outcome = placed(&path);
        let reports = outcome.diagnostics.iter().map(|found| found.render(&outcome.files, false));
        let reports: String = reports.collect();
        let found = added(&outcome) + &reports.replace(&format!("{}/", folder().display()), "");
        wrong.extend(cppc_fixtures::compare(&cppc_fixtures::next_to(&path, "placed"), &found));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The loops with their work, and the checkpoints that are added to a program without directives.
#[test]
fn each_program_gets_checkpoints_in_the_loops_with_most_work() {
    let mut wrong = Vec::new();
    for path in cppc_fixtures::below(&folder().with_file_name("choice"), &["c", "f", "f90"]) {
        let include = folder().with_file_name("safe_points").join("include");
        let source = Source { path: path.clone(), flags: vec![format!("-I{}", include.display()).into()] };
        let sources = vec![source.clone()];
        let automatic = Automatic::Add(Added::All);
        let request = Request { automatic, ..Request::of(source) };
        let outcome = translate(&request).expect("a source that can be read");
        let program = lower(&outcome.stages.front, &sources, true, &outcome.files);
        let choice = Choice::new(&program, &Catalogue::built_in(), &[], &|_| true);
        let table = choice.dump(&outcome.files);
        assert!(table.lines().all(|line| line.chars().count() <= 100), "{table}");
        let is_shown = |code: &str| code.starts_with("C08") || code == "C0704";
        let reports = outcome.diagnostics.iter().filter(|found| is_shown(found.code));
        let reports: String = reports.map(|found| found.render(&outcome.files, false)).collect();
        let reports = reports.replace(&format!("{}/", path.parent().expect("a folder").display()), "");
        let found = table + "\n" + &added(&outcome) + &reports;
        wrong.extend(cppc_fixtures::compare(&cppc_fixtures::next_to(&path, "chosen"), &found));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
