//! A program has the same translation, byte for byte, whether its sources are compiled separately or all at
//! once.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

/// Programs with several files, each in a separate directory.
fn programs(folder: &str) -> Vec<PathBuf> {
    let all = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/programs").join(folder);
    let mut programs: Vec<PathBuf> = fs::read_dir(&all)
        .unwrap_or_else(|error| panic!("{}: {error}", all.display()))
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .collect();
    programs.sort();
    assert!(!programs.is_empty());
    programs
}

#[test]
fn one_by_one_is_as_all_at_once() {
    for program in programs("c") {
        let said = Case::new(&program, env!("CARGO_BIN_EXE_cppc-cc")).try_it();
        assert!(said.contains("is compiled again"), "{}: {said}", program.display());
    }
}

/// Some of them contain C sources, which a separate compiler compiles. Facts that are known from the modules
/// that a source uses do not need another compilation at the link.
#[test]
fn one_by_one_is_as_all_at_once_in_fortran() {
    for program in programs("fortran") {
        Case::new(&program, env!("CARGO_BIN_EXE_cppc-fc")).try_it();
    }
}

struct Case<'a> {
    program: &'a Path,
    /// The wrapper that reads the whole program.
    wrapper: &'static str,
    scratch: TempDir,
    /// The copied sources, in an order in which they can be compiled.
    names: Vec<String>,
}

impl<'a> Case<'a> {
    fn new(program: &'a Path, wrapper: &'static str) -> Case<'a> {
        let mut case = Case { program, wrapper, scratch: tempfile::tempdir().unwrap(), names: Vec::new() };
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        // An installed header, and a runtime that is never called.
        for directory in ["prefix/include", "prefix/lib", "objects"] {
            fs::create_dir_all(case.at(directory)).unwrap();
        }
        for (from, header) in [("runtime-ffi", "cppc.h"), ("fortran-bindings", "cppcf.h")] {
            let header = Path::new("include").join(header);
            fs::copy(root.join(from).join(&header), case.at("prefix").join(&header)).unwrap();
        }
        fs::write(case.at("prefix/lib/libcppc.a"), "!<arch>\n").unwrap();
        let mut order = Vec::new();
        for entry in fs::read_dir(program).unwrap() {
            let path = entry.unwrap().path();
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            fs::copy(&path, case.at(&name)).unwrap();
            let text = fs::read_to_string(&path).unwrap();
            if let Some((_, said)) = text.lines().find_map(|line| line.split_once("! order: ")) {
                order = words(said);
            }
            if [".c", ".f", ".F", ".f90", ".F90"].iter().any(|ending| name.ends_with(ending)) {
                case.names.push(name);
            }
        }
        case.names.sort();
        if !order.is_empty() {
            case.names = order;
        }
        case
    }

    /// Returns the output of the link.
    fn try_it(&self) -> String {
        let include = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/programs/include");
        // Compilers warn about old features, with the names of temporary files.
        let options = format!("-O1 -w -I{}", include.display());
        let link = "-Wl,--unresolved-symbols=ignore-all -lm -o program";
        let all = format!("--cppc-keep=at_once {options} {} {link}", self.names.join(" "));
        self.run(self.wrapper, "", &all);
        for name in &self.names {
            let wrapper = match name.ends_with(".c") {
                true => env!("CARGO_BIN_EXE_cppc-cc"),
                false => env!("CARGO_BIN_EXE_cppc-fc"),
            };
            self.run(wrapper, "", &format!("{options} -c {name} -o objects/{name}.o"));
        }
        // From another directory, in which the names of the sources are not valid.
        let objects: Vec<String> = self.names.iter().map(|name| format!("{name}.o")).collect();
        let line = format!("--cppc-keep=../one_by_one --cppc-verbose {} {link}", objects.join(" "));
        let said = self.run(self.wrapper, "objects", &line);
        for entry in fs::read_dir(self.at("one_by_one")).into_iter().flatten() {
            let name = entry.unwrap().file_name();
            let kept = |directory: &str| fs::read_to_string(self.at(directory).join(&name)).unwrap();
            assert_eq!(kept("one_by_one"), kept("at_once"), "{} {name:?}", self.program.display());
        }
        said
    }

    fn at(&self, name: &str) -> PathBuf {
        self.scratch.path().join(name)
    }

    /// Runs a wrapper, which must succeed. Returns its output.
    fn run(&self, wrapper: &str, directory: &str, line: &str) -> String {
        let output = Command::new(wrapper)
            .args(words(line))
            .env("CPPC_PREFIX", self.at("prefix"))
            .env_remove("CPPC_CC")
            .env_remove("CPPC_FC")
            .current_dir(self.at(directory))
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{line}: {said}");
        assert!(line.contains("--cppc-verbose") || !said.contains("/cppc-"), "{line}: {said}");
        said
    }
}

fn words(line: &str) -> Vec<String> {
    line.split_whitespace().map(str::to_owned).collect()
}
