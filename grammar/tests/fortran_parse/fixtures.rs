//! Sources, and next to each its tree as `--dump=tree` prints it.
//!
//! Compilers accept `statements` and `units` too, and some accept `extensions`.

use std::path::{Path, PathBuf};
use std::process::Command;

use cppc_grammar::fortran::dump;

use crate::source::{below, source};

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fortran_parse").join(name)
}

#[test]
fn trees_are_those_that_stand_beside_them() {
    let mut faults = Vec::new();
    for path in ["statements", "units", "extensions"].iter().flat_map(|name| below(&folder(name))) {
        let text = std::fs::read(&path).expect("the fixture");
        let source = source(&path, &text, &[]);
        assert!(source.lines.diagnostics.is_empty(), "{:?}", source.lines.diagnostics);
        let mut found = dump::tree(&source.parsed.tree, &source.lines);
        if !source.parsed.diagnostics.is_empty() {
            found += &format!("\n{}", source.shown().replace(env!("CARGO_MANIFEST_DIR"), ""));
        }
        faults.extend(cppc_fixtures::compare(&cppc_fixtures::next_to(&path, "tree"), &found));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn a_compiler_accepts_the_fixtures() {
    let mut faults = Vec::new();
    for path in ["statements", "units"].iter().flat_map(|name| below(&folder(name))) {
        let modules = tempfile::tempdir().expect("a folder for modules");
        let run = Command::new("gfortran")
            .args(["-fsyntax-only", "-w", "-fcoarray=lib", "-std=legacy", "-J"])
            .arg(modules.path())
            .arg(&path)
            .output();
        // Compilers that are not installed are skipped.
        if let Ok(output) = run {
            if !output.status.success() {
                faults.push(String::from_utf8_lossy(&output.stderr).into_owned());
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
