//! Every fixture in `diagnostics/c`: what is said about it, where, and that nothing is written.
//!
//! `UPDATE_EXPECT=1` puts codes into fixtures. Texts as people read them are snapshots.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Result;
use cppc_tests::cases::{case, run};
use cppc_tests::diagnose;
use cppc_tests::product::here;
use cppc_tests::program::in_folder;
use libtest_mimic::Trial;

fn main() -> ExitCode {
    run(cases())
}

fn cases() -> Result<Vec<Trial>> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("diagnostics");
    let mut cases = Vec::new();
    for fixture in in_folder(&here("diagnostics/c"))? {
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
    Ok(cases)
}
