//! Sources with errors, and next to each the expected diagnostics. An error affects only its line: the lines
//! around it are parsed.

use std::path::Path;

use crate::source::{below, source};

#[test]
fn diagnostics_are_those_that_stand_beside_the_sources() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fortran_parse/faults");
    let mut faults = Vec::new();
    for path in below(&folder) {
        let text = std::fs::read(&path).expect("the fixture");
        let name = path.strip_prefix(env!("CARGO_MANIFEST_DIR")).unwrap_or(&path);
        let found = source(name, &text, &[]).shown();
        faults.extend(cppc_fixtures::compare(&cppc_fixtures::next_to(&path, "faults"), &found));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
