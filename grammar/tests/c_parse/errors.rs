//! Each file of `tests/c/errors` has marks (crate `fixtures`) for its diagnostics, and no other diagnostics. The
//! file next to it contains the text that the user reads.

use std::path::Path;

use cppc_fixtures::marks;
use cppc_grammar::c::parse::parse;
use cppc_grammar::c::preprocess::{preprocess, Compiler};
use cppc_source::Files;

#[test]
fn diagnostics_are_at_the_marks() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/c/errors");
    for path in &cppc_fixtures::below(&folder, &["c"]) {
        let mut files = Files::new();
        let main = files.add(path, std::fs::read(path).expect("the fixture"));
        let unit = preprocess(&mut files, main, &Compiler::fixed("", Vec::new()));
        let found = parse(&unit, main).diagnostics;
        marks::check(path, marks::all_in(&found, &files, main));

        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let folder = path.parent().unwrap_or(path).display().to_string();
        let text = |diagnostic: &cppc_source::Diagnostic| diagnostic.render(&files, false) + "\n";
        let shown: String = found.iter().map(text).collect();
        insta::with_settings!({
            snapshot_path => "../c/errors",
            prepend_module_to_snapshot => false,
            omit_expression => true,
        }, {
            insta::assert_snapshot!(name, shown.replace(&format!("{folder}/"), ""));
        });
    }
}
