//! Tests the lowering of C. Each source in `lower/c/` has a file `.flow` next to it with the expected program.
//! All C programs of the tests and examples are lowered too and obey the rules of programs.

use std::path::{Path, PathBuf};

use cppc_analysis::program::Program;
use cppc_preprocessor::front::{front_end, Compilers, Source};
use cppc_preprocessor::lower::lower;
use cppc_source::Files;

fn lowered(paths: &[PathBuf], flags: &[&str]) -> Program {
    let flags: Vec<std::ffi::OsString> = flags.iter().map(Into::into).collect();
    let sources: Vec<Source> =
        paths.iter().map(|path| Source { path: path.clone(), flags: flags.clone() }).collect();
    let mut files = Files::new();
    let compilers = Compilers { c: "cc".as_ref(), fortran: "gfortran".as_ref() };
    let front = front_end(compilers, &sources, &[], &mut files).expect("readable sources");
    lower(&front, &sources, true, &files)
}

fn sources_in(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = std::fs::read_dir(folder).expect("a folder").flatten();
    for path in entries.map(|entry| entry.path()) {
        if path.is_dir() {
            sources_in(&path, found);
        } else if path.extension().is_some_and(|ending| ending == "c") {
            found.push(path);
        }
    }
    found.sort();
}

#[test]
fn constructs_are_lowered_as_written_down() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lower/c");
    let mut sources = Vec::new();
    sources_in(&folder, &mut sources);
    assert!(!sources.is_empty());
    let mut wrong = Vec::new();
    for path in sources {
        let program = lowered(std::slice::from_ref(&path), &["-std=gnu2x"]);
        assert_eq!(program.verify(), Vec::<String>::new(), "{}", path.display());
        wrong.extend(cppc_fixtures::compare(&path.with_extension("flow"), &program.dump()));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Each source by itself: some of them are several programs.
#[test]
fn all_programs_of_the_tree_obey_the_rules() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace");
    let mut sources = Vec::new();
    for folder in ["tests", "examples", "benches", "grammar/tests", "preprocessor/tests"] {
        sources_in(&root.join(folder), &mut sources);
    }
    assert!(sources.len() > 100);
    let include = format!("-I{}", root.join("runtime-ffi/include").display());
    let mut procedures = 0;
    for path in sources {
        let program = lowered(std::slice::from_ref(&path), &["-std=gnu11", &include]);
        assert_eq!(program.verify(), Vec::<String>::new(), "{}", path.display());
        procedures += program.procedures.len();
    }
    assert!(procedures > 500);
}
