//! Each file of `tests/c/parse` is C that a compiler accepts, and is parsed without a diagnostic. The trees
//! of the puzzles are compared too.

use std::path::{Path, PathBuf};
use std::process::Command;

use cppc_grammar::c::{dump, parse};

use crate::{properties, tokens};

fn fixtures() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/parse");
    let paths = cppc_fixtures::below(&folder, &["c"]);
    assert!(paths.len() > 20, "{paths:?}");
    paths
}

/// The compiler that the first line names, or `cc`.
fn compiler(text: &str) -> Vec<String> {
    let asked = text.lines().next().and_then(|line| line.strip_prefix("// accepted by: "));
    asked.unwrap_or("gcc -std=gnu17").split_whitespace().map(str::to_owned).collect()
}

#[test]
fn compilers_accept_the_fixtures() {
    let mut faults = Vec::new();
    for path in fixtures() {
        let text = std::fs::read_to_string(&path).expect("the fixture");
        let command = compiler(&text);
        let run =
            Command::new(&command[0]).args(&command[1..]).args(["-w", "-fsyntax-only"]).arg(&path).output();
        // Compilers that are not installed are skipped.
        if let Ok(output) = run {
            if !output.status.success() {
                faults.push(String::from_utf8_lossy(&output.stderr).into_owned());
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn fixtures_parse() {
    let mut faults = Vec::new();
    for path in fixtures() {
        let mut text = std::fs::read_to_string(&path).expect("the fixture");
        if text.contains("#include") {
            let output = Command::new("cc").args(["-E", "-P"]).arg(&path).output().expect("cc runs");
            text = String::from_utf8_lossy(&output.stdout).into_owned();
        }
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let tokenized = tokens::tokenize(&name, &text);
        let parsed = parse::parse(&tokenized.unit, tokenized.file);
        let complaints = parsed.diagnostics.iter().map(|d| d.render(&tokenized.files, false));
        faults.extend(complaints);
        properties::check(&tokenized, &parsed.unit);
        if name.starts_with("puzzle") {
            let tree = dump::tree(&parsed.unit, &tokenized.unit.names);
            insta::with_settings!({
                snapshot_path => "../c/parse",
                prepend_module_to_snapshot => false,
                description => text,
                omit_expression => true,
            }, {
                insta::assert_snapshot!(name, tree);
            });
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
