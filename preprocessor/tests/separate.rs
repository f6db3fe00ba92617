//! A program whose sources are compiled one by one is the program whose sources are compiled at once:
//! its translation is the same, byte for byte.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Programs of several files, each in a directory of its own.
fn programs() -> Vec<PathBuf> {
    let all = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/programs/c");
    let mut programs: Vec<PathBuf> = fs::read_dir(&all)
        .unwrap_or_else(|error| panic!("{}: {error}", all.display()))
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .collect();
    programs.sort();
    assert!(!programs.is_empty());
    programs
}

fn cppc_cc(directory: &Path, prefix: &Path, words: &[String]) {
    let output = Command::new(env!("CARGO_BIN_EXE_cppc-cc"))
        .args(words)
        .env("CPPC_PREFIX", prefix)
        .env_remove("CPPC_CC")
        .current_dir(directory)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{words:?}: {said}");
    assert!(!said.contains("/cppc-"), "{words:?}: {said}");
}

fn words(line: &str) -> Vec<String> {
    line.split_whitespace().map(str::to_owned).collect()
}

#[test]
fn one_by_one_is_as_all_at_once() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    for program in programs() {
        let scratch = tempfile::tempdir().unwrap();
        let at = |name: &str| scratch.path().join(name);
        // An installed header, and a runtime that is never called.
        fs::create_dir_all(at("prefix/include")).unwrap();
        fs::create_dir_all(at("prefix/lib")).unwrap();
        fs::create_dir_all(at("objects")).unwrap();
        fs::copy(root.join("runtime-ffi/include/cppc.h"), at("prefix/include/cppc.h")).unwrap();
        fs::write(at("prefix/lib/libcppc.a"), "!<arch>\n").unwrap();

        let mut names = Vec::new();
        for entry in fs::read_dir(&program).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            fs::copy(&path, at(&name)).unwrap();
            if name.ends_with(".c") {
                names.push(name);
            }
        }
        names.sort();
        let include = root.join("tests/programs/include");
        let options = format!("-O1 -I{}", include.display());
        let link = "-Wl,--unresolved-symbols=ignore-all -lm -o program";

        let all = format!("--cppc-keep=at_once {options} {} {link}", names.join(" "));
        cppc_cc(scratch.path(), &at("prefix"), &words(&all));
        for name in &names {
            let line = format!("{options} -c {name} -o objects/{name}.o");
            cppc_cc(scratch.path(), &at("prefix"), &words(&line));
        }
        // From another directory, to which the names of the sources mean nothing.
        let objects: Vec<String> = names.iter().map(|name| format!("{name}.o")).collect();
        let line = format!("--cppc-keep=../one_by_one --cppc-verbose {} {link}", objects.join(" "));
        let output = Command::new(env!("CARGO_BIN_EXE_cppc-cc"))
            .args(words(&line))
            .env("CPPC_PREFIX", at("prefix"))
            .env_remove("CPPC_CC")
            .current_dir(at("objects"))
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{}: {said}", program.display());
        assert!(said.contains("is compiled again"), "{}: {said}", program.display());
        for entry in fs::read_dir(at("one_by_one")).unwrap() {
            let name = entry.unwrap().file_name();
            let kept = |directory: &str| fs::read_to_string(at(directory).join(&name)).unwrap();
            assert_eq!(kept("one_by_one"), kept("at_once"), "{} {name:?}", program.display());
        }
    }
}
