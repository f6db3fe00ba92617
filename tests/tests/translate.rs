//! The text of translations: it causes no new warnings, and a source without directives is not changed. Snapshots show
//! the examples. `preprocessor/tests/translate.rs` shows single constructs.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{ensure, Result};
use cppc_tests::build::{self, Translation};
use cppc_tests::cases::{case, run};
use cppc_tests::form::{Dispatch, Form};
use cppc_tests::product::{here, workspace, Product};
use cppc_tests::program::{programs, Language, Program};
use cppc_tests::state::all_files;
use libtest_mimic::Trial;

fn main() -> ExitCode {
    run(cases())
}

fn cases() -> Result<Vec<Trial>> {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("translate");
    let mut cases = Vec::new();
    for program in programs()? {
        let checked = program.clone();
        cases.push(match program.language {
            Language::C => {
                let name = format!("warnings/{}", program.name);
                case(&scratch, name, move |directory| no_new_warnings(&checked, directory))
            }
            Language::Fortran => {
                let name = format!("standard/{}", program.name);
                case(&scratch, name, move |directory| keeps_to_its_standard(&checked, directory))
            }
        });
        if program.name.starts_with("example_") {
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
        let form = Form { dispatch, ..Form::first(program) };
        let translation = build::translate(program, form, directory)?;
        warns_as_it_says(program, &translation)?;
        for optimisation in ["-O0", "-O3"] {
            let said = build::warnings(program, &translation, optimisation)?;
            ensure!(said.is_empty(), "{dispatch}{optimisation}: the compiler says\n{said}");
        }
    }
    Ok(())
}

fn warns_as_it_says(program: &Program, translation: &Translation) -> Result<()> {
    match &program.warns {
        None => ensure!(translation.said.is_empty(), "cppc-pp says\n{}", translation.said),
        Some(word) => ensure!(
            translation.said.contains("warning") && translation.said.contains(word.as_str()),
            "no warning about `{word}`:\n{}",
            translation.said
        ),
    }
    Ok(())
}

/// If a program compiles with a standard, its translation does too. Generated lines end before the columns
/// that compilers ignore.
fn keeps_to_its_standard(program: &Program, directory: &Path) -> Result<()> {
    const STANDARDS: [&[&str]; 5] = [
        &["-Wall"],
        &["-std=legacy", "-Wall"],
        &["-std=f2008", "-pedantic"],
        &["-std=f2008", "-pedantic", "-Werror"],
        &["-std=f2018", "-pedantic", "-Wall"],
    ];
    let translation = build::translate(program, Form::first(program), directory)?;
    warns_as_it_says(program, &translation)?;
    for options in STANDARDS {
        if build::under_standard(program, &program.sources, options, directory).is_ok() {
            build::under_standard(program, &translation.files, options, directory)?;
        }
    }
    let is_wide = program.flags.iter().any(|flag| flag.contains("line-length"));
    for (source, file) in program.sources.iter().zip(&translation.files) {
        let columns = match source.extension().and_then(|extension| extension.to_str()) {
            Some("f" | "F") if !is_wide => 72,
            _ => 132,
        };
        let (before, after) = (std::fs::read_to_string(source)?, std::fs::read_to_string(file)?);
        let known: HashSet<&str> = before.lines().collect();
        let is_long = |line: &&str| line.chars().count() > columns && !known.contains(line);
        let long: Vec<&str> =
            after.lines().filter(is_long).filter(|line| !has_tail_of(line, &before)).collect();
        ensure!(long.is_empty(), "`{}` has lines that are too long:\n{}", file.display(), long.join("\n"));
    }
    Ok(())
}

/// Whether the text after the last column is from the author, such as a sequence number.
fn has_tail_of(line: &str, text: &str) -> bool {
    let tail = |line: &str| line.chars().skip(72).collect::<String>();
    text.lines().any(|known| !tail(known).is_empty() && tail(known) == tail(line))
}

fn snapshot(program: &Program, directory: &Path) -> Result<()> {
    let translation = build::translate(program, Form::first(program), directory)?;
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

/// The project's own sources without a directive.
fn without_directives() -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for folder in ["tests/programs", "tests/support", "tests/identical", "benches/programs", "examples"] {
        files.extend(all_files(&workspace().join(folder))?);
    }
    files.retain(|file| {
        Language::of(file).is_some() && std::fs::read(file).is_ok_and(|text| !has_directive(&text))
    });
    files.sort();
    Ok(files)
}

fn has_directive(text: &[u8]) -> bool {
    let text = String::from_utf8_lossy(text);
    let lower = text.to_lowercase();
    let is_pragma = lower.contains("pragma") && (text.contains("cppc") || text.contains("cccp"));
    is_pragma || lower.contains("$cppc") || lower.contains("$cccp")
}

fn comes_out_identical(file: &Path, directory: &Path) -> Result<()> {
    let out = directory.join("out").with_extension(file.extension().unwrap_or_default());
    let mut precompiler = Product::get()?.command("cppc-pp");
    precompiler.arg(file).arg("-o").arg(&out).args(["--cc", "mpicc", "--fc", "mpifort"]);
    precompiler.arg("-I").arg(Product::get()?.include());
    precompiler.arg("-I").arg(here("programs/include"));
    // One of them includes the header of HDF5, wherever that is.
    let mut ask = std::process::Command::new("pkg-config");
    if let Ok(asked) = ask.args(["--cflags-only-I", "hdf5"]).output() {
        precompiler.args(String::from_utf8_lossy(&asked.stdout).split_whitespace());
    }
    build::succeed(&mut precompiler)?;
    let (before, after) = (std::fs::read(file)?, std::fs::read(&out)?);
    ensure!(before == after, "`{}` is not `{}`", out.display(), file.display());
    Ok(())
}
