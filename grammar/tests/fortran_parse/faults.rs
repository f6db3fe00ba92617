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
        let mut beside = path.clone().into_os_string();
        beside.push(".faults");
        if std::fs::read_to_string(&beside).unwrap_or_default() == found {
            continue;
        }
        if std::env::var_os("CPPC_UPDATE").is_some() {
            std::fs::write(&beside, &found).expect("a file that can be written");
            continue;
        }
        faults.push(format!("{}:\n{found}", path.display()));
    }
    assert!(faults.is_empty(), "{}\n(CPPC_UPDATE=1 takes it over)", faults.join("\n"));
}
