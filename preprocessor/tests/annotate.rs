//! The directives that are added to programs with nothing but `checkpoint`. Next to each source in `annotate/` is the
//! patch.

use std::path::{Path, PathBuf};

use cppc_preprocessor::driver::{translate, Added, Automatic, Outcome, Request};
use cppc_preprocessor::front::Source;
use cppc_preprocessor::patch;

fn annotated(path: &Path) -> Outcome {
    let source = Source { path: path.to_owned(), flags: Vec::new() };
    let request = Request { automatic: Automatic::Add(Added::Others), ..Request::of(source) };
    translate(&request).expect("a source that can be read")
}

fn sources() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/annotate");
    cppc_fixtures::below(&folder, &["c", "f", "f90"])
}

fn text(outcome: &Outcome) -> Vec<u8> {
    outcome.files.get(outcome.stages.front.units[0].file()).bytes.to_vec()
}

#[test]
fn each_source_gets_the_directives_of_its_patch() {
    let mut wrong = Vec::new();
    for path in sources() {
        let outcome = annotated(&path);
        assert!(!outcome.has_errors(), "{}: {:?}", path.display(), outcome.diagnostics);
        let name = path.file_name().expect("a name").to_owned();
        let directory = tempfile::tempdir().expect("a directory");
        let file = directory.path().join("patch");
        patch::write(&outcome, &file, &|_| PathBuf::from(&name)).expect("a patch");
        let found = std::fs::read_to_string(file).expect("a patch");
        wrong.extend(cppc_fixtures::compare(&cppc_fixtures::next_to(&path, "patch"), &found));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_source_with_its_directives_gets_no_more() {
    for path in sources() {
        let first = text(&annotated(&path));
        let directory = tempfile::tempdir().expect("a directory");
        let again = directory.path().join(path.file_name().expect("a name"));
        std::fs::write(&again, &first).expect("the source is written");
        let second = text(&annotated(&again));
        assert_eq!(String::from_utf8_lossy(&second), String::from_utf8_lossy(&first), "{}", path.display());
    }
}

#[test]
fn places_have_the_lines_of_the_source() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("pointer.c");
    let source = "#include <stdlib.h>\nstatic int *make(int n) { return calloc(n, 4); }\nint main(void)\n{\n\
                  int n = 3, *p = make(n);\nfor (; n > 0; n--) {\n#pragma cppc checkpoint\np[1]++;\n}\n\
                  return p[1];\n}\n";
    std::fs::write(&path, source).expect("the source is written");
    let outcome = annotated(&path);
    assert!(text(&outcome).len() > source.len());
    let translated = String::from_utf8_lossy(&outcome.outputs[0].text);
    assert!(translated.contains("\"pointer.c:7\""), "{translated}");
}
