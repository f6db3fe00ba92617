//! The text of translations. Each source in `translate/` shows one construct, and the file next to it shows its
//! translation in fewer than 80 lines. `tests/tests/translate.rs` shows whole
//! programs.

use std::path::{Path, PathBuf};
use std::process::Command;

use cppc_preprocessor::driver::{translate, Request};
use cppc_preprocessor::front::Source;

const MOST_LINES: usize = 80;

fn sources() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/translate");
    cppc_fixtures::below(&folder, &["c", "f", "f90"])
}

fn translated(path: &Path) -> Result<String, String> {
    let request = Request::of(Source { path: path.to_owned(), flags: Vec::new() });
    let outcome = translate(&request).expect("a source that can be read");
    let said: String =
        outcome.diagnostics.iter().map(|diagnostic| diagnostic.render(&outcome.files, false)).collect();
    if !said.is_empty() {
        return Err(said);
    }
    Ok(String::from_utf8_lossy(&outcome.outputs[0].text).into_owned())
}

#[test]
fn each_construct_is_translated_as_written_down() {
    let mut wrong = Vec::new();
    for path in sources() {
        let text = match translated(&path) {
            Ok(text) => text,
            Err(said) => {
                wrong.push(said);
                continue;
            }
        };
        let lines = text.lines().count();
        if lines >= MOST_LINES {
            wrong.push(format!("{} shows {lines} lines: at most {MOST_LINES} are read", path.display()));
        }
        wrong.extend(cppc_fixtures::compare(&cppc_fixtures::next_to(&path, "out"), &text));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn each_translation_compiles_without_warnings() {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let directory = tempfile::tempdir().expect("a directory");
    let mut wrong = Vec::new();
    for path in sources() {
        let Ok(text) = translated(&path) else { continue };
        let file = directory.path().join(path.file_name().expect("a name"));
        std::fs::write(&file, text).expect("a file");
        let is_c = path.extension().is_some_and(|extension| extension == "c");
        let mut compiler = Command::new(if is_c { "cc" } else { "gfortran" });
        let options =
            ["-Wall", "-Werror", "-Wno-unused-function", "-Wno-implicit-fallthrough", "-fsyntax-only"];
        compiler.args(options).arg("-I").arg(workspace.join("runtime-ffi/include"));
        compiler.arg("-I").arg(workspace.join("fortran-bindings/include")).arg(&file).current_dir(&directory);
        let said = compiler.output().expect("a compiler");
        if !said.status.success() {
            wrong.push(format!("{}:\n{}", path.display(), String::from_utf8_lossy(&said.stderr)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
