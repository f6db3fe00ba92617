//! Translations as text: readable, free of new warnings, and no translation at all where there is
//! nothing to translate.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{ensure, Result};
use cppc_tests::build::{self, Dispatch};
use cppc_tests::cases::{case, run};
use cppc_tests::product::{here, workspace, Product};
use cppc_tests::program::{programs, Program};
use cppc_tests::state::all_files;
use libtest_mimic::Trial;

/// Programs whose translation a reader of this project should see.
const SHOWN: [&str; 12] = [
    "example_heat",
    "example_matrix",
    "example_nested",
    "example_sequential",
    "call_in_conditions",
    "call_in_declarations",
    "call_short_circuit",
    "execute_in_callee",
    "flow_switch",
    "flow_without_braces",
    "register_fields",
    "register_shadowed",
];

fn main() -> ExitCode {
    run(cases())
}

fn cases() -> Result<Vec<Trial>> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("translate");
    let mut cases = Vec::new();
    for program in programs()? {
        let name = format!("warnings/{}", program.name);
        let checked = program.clone();
        cases.push(case(&scratch, name, move |directory| no_new_warnings(&checked, directory)));
        if SHOWN.contains(&program.name.as_str()) {
            let name = format!("text/{}", program.name);
            cases.push(case(&scratch, name, move |directory| snapshot(&program, directory)));
        }
    }
    for file in without_directives()? {
        let shown = file.strip_prefix(workspace()).unwrap_or(&file).display().to_string();
        let name = format!("identical/{shown}");
        cases.push(case(&scratch, name, move |directory| comes_out_identical(&file, directory)));
    }
    Ok(cases)
}

fn no_new_warnings(program: &Program, directory: &Path) -> Result<()> {
    for dispatch in [Dispatch::Switch, Dispatch::Computed] {
        let translation = build::translate(program, dispatch, directory)?;
        match &program.warns {
            None => ensure!(translation.said.is_empty(), "cppc-pp says\n{}", translation.said),
            Some(word) => ensure!(
                translation.said.contains("warning") && translation.said.contains(word.as_str()),
                "no warning about `{word}`:\n{}",
                translation.said
            ),
        }
        for optimisation in ["-O0", "-O3"] {
            let said = build::warnings(program, &translation, optimisation)?;
            ensure!(said.is_empty(), "{dispatch}{optimisation}: the compiler says\n{said}");
        }
    }
    Ok(())
}

fn snapshot(program: &Program, directory: &Path) -> Result<()> {
    let translation = build::translate(program, Dispatch::Switch, directory)?;
    let mut text = String::new();
    for file in &translation.files {
        text.push_str(&std::fs::read_to_string(file)?);
    }
    insta::with_settings!({
        snapshot_path => here("snapshots/translations"),
        prepend_module_to_snapshot => false,
        omit_expression => true,
    }, { insta::assert_snapshot!(program.name.as_str(), text) });
    Ok(())
}

/// The project's own C files without a directive.
fn without_directives() -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for folder in ["tests/programs", "tests/support", "tests/identical", "benches/programs", "examples"] {
        files.extend(all_files(&workspace().join(folder))?);
    }
    files.retain(|file| {
        let is_c = file.extension().is_some_and(|extension| extension == "c");
        is_c && std::fs::read(file).is_ok_and(|text| !has_directive(&text))
    });
    files.sort();
    Ok(files)
}

fn has_directive(text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text);
    text.to_lowercase().contains("pragma") && (text.contains("cppc") || text.contains("cccp"))
}

fn comes_out_identical(file: &Path, directory: &Path) -> Result<()> {
    let out = directory.join("out.c");
    let mut precompiler = Product::get()?.command("cppc-pp");
    precompiler.arg(file).arg("-o").arg(&out).args(["--cc", "mpicc"]);
    precompiler.arg("-I").arg(Product::get()?.include());
    precompiler.arg("-I").arg(here("programs/include"));
    build::succeed(&mut precompiler)?;
    let (before, after) = (std::fs::read(file)?, std::fs::read(&out)?);
    ensure!(before == after, "`{}` is not `{}`", out.display(), file.display());
    Ok(())
}
