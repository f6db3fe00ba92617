//! Every fixture in `diagnostics`: its diagnostics and their positions, and that no output is written.
//!
//! `INSTA_UPDATE=always` writes codes into the fixtures. The texts that users read are snapshots.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{ensure, Result};
use cppc_tests::cases::{case, run};
use cppc_tests::diagnose;
use cppc_tests::product::{here, workspace};
use cppc_tests::program::in_folder;
use cppc_tests::state::all_files;
use libtest_mimic::Trial;

/// Where diagnostics are given, and where they are shown to be given.
const SOURCES: [&str; 2] = ["grammar/src", "preprocessor/src"];
const FIXTURES: [&str; 3] = ["tests/diagnostics", "grammar/tests", "preprocessor/tests"];
/// A header that exists but must not be readable. It needs a special case, because root can read every file
/// and may run the tests.
const WITHOUT: &str = "C0121";

fn main() -> ExitCode {
    run(cases())
}

fn cases() -> Result<Vec<Trial>> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("diagnostics");
    let mut cases = Vec::new();
    let mut in_fortran = in_folder(&here("diagnostics/fortran"))?;
    for fixture in &mut in_fortran {
        fixture.name = format!("fortran_{}", fixture.name);
    }
    for fixture in in_folder(&here("diagnostics/c"))?.into_iter().chain(in_fortran) {
        cases.push(case(&scratch, fixture.name.clone(), move |directory| {
            diagnose::check(&fixture, directory)?;
            let text = diagnose::as_text(&fixture, directory)?;
            insta::with_settings!({
                snapshot_path => here("snapshots/diagnostics"),
                prepend_module_to_snapshot => false,
                omit_expression => true,
            }, { insta::assert_snapshot!(fixture.name.as_str(), text) });
            Ok(())
        }));
    }
    cases.push(case(&scratch, "every_code_has_a_fixture".to_owned(), |_| every_code_has_a_fixture()));
    Ok(cases)
}

fn every_code_has_a_fixture() -> Result<()> {
    let given = codes(&SOURCES)?;
    let shown = codes(&FIXTURES)?;
    ensure!(given.len() > 50, "the codes are not found");
    let missing: Vec<&String> = given.difference(&shown).filter(|code| code.as_str() != WITHOUT).collect();
    ensure!(missing.is_empty(), "without a fixture: {missing:?}");
    Ok(())
}

/// Everything that looks like a code: `C` and four digits.
fn codes(folders: &[&str]) -> Result<BTreeSet<String>> {
    let mut codes = BTreeSet::new();
    for file in folders.iter().map(|folder| all_files(&workspace().join(folder))) {
        for path in file? {
            let text = std::fs::read(path)?;
            let is_code = |word: &&[u8]| word[0] == b'C' && word[1..].iter().all(u8::is_ascii_digit);
            let words = text.split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_');
            let found = words.filter(|word| word.len() == 5).filter(is_code);
            codes.extend(found.map(|word| String::from_utf8_lossy(word).into_owned()));
        }
    }
    Ok(codes)
}
