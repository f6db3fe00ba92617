//! Every header of the installed compilers and libraries is parsed without a diagnostic.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::tokens::tokenize;

const HEADERS: [&str; 11] = [
    "stdio.h",
    "stdlib.h",
    "math.h",
    "complex.h",
    "tgmath.h",
    "pthread.h",
    "signal.h",
    "assert.h",
    "stdatomic.h",
    "sys/socket.h",
    "time.h",
];

const FLAGS: [&[&str]; 2] = [&["-O0"], &["-O2", "-D_FORTIFY_SOURCE=2"]];

/// The output of `compiler -E -P` for a text. `None` if the compiler rejects it.
fn preprocess(compiler: &str, flags: &[&str], text: &str) -> Option<String> {
    let folder = tempfile::tempdir().expect("a folder for the text");
    let path = folder.path().join("unit.c");
    std::fs::write(&path, text).expect("the text is written");
    let output = Command::new(compiler).args(["-E", "-P"]).args(flags).arg(&path).output().ok()?;
    let accepted = Command::new(compiler)
        .args(["-fsyntax-only", "-w"])
        .args(flags)
        .arg(&path)
        .output()
        .is_ok_and(|output| output.status.success());
    (output.status.success() && accepted).then(|| String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The diagnostics of a preprocessed text.
fn complaints(text: &str) -> Vec<String> {
    let tokenized = tokenize("unit.i", text);
    let parsed = cppc_grammar::c::parse::parse(&tokenized.unit, tokenized.file);
    crate::properties::check(&tokenized, &parsed.unit);
    parsed.diagnostics.iter().map(|d| d.render(&tokenized.files, false)).collect()
}

fn check(compiler: &str, text: &str) -> usize {
    let mut parsed = 0;
    for flags in FLAGS {
        if let Some(text) = preprocess(compiler, flags, text) {
            let complaints = complaints(&text);
            assert!(complaints.is_empty(), "{compiler} {flags:?}\n{}", complaints.concat());
            parsed += 1;
        }
    }
    parsed
}

#[test]
fn the_headers_of_the_issue_parse() {
    for header in HEADERS {
        assert_eq!(check("cc", &format!("#include <{header}>\n")), 2, "{header}");
    }
}

#[test]
fn both_mpi_headers_parse() {
    let mut found = 0;
    for compiler in ["mpicc", "mpicc.openmpi", "mpicc.mpich"] {
        if Command::new(compiler).arg("--version").output().is_ok() {
            let all: String = HEADERS.iter().map(|h| format!("#include <{h}>\n")).collect();
            found += check(compiler, &format!("#include <mpi.h>\n{all}"));
        }
    }
    if found == 0 {
        eprintln!("no MPI compiler here: its header is not looked at");
    }
}

#[test]
fn type_generic_mathematics_parses() {
    let text = "#include <tgmath.h>\n#include <complex.h>\n\
        double f(float x, double complex z) { return sqrt(x) + creal(exp(z)) + pow(x, 2) \
        + fabs(z) + cos(1) + carg(z * I) + ldexp(x, 3) + fma(x, x, x); }\n";
    assert_eq!(check("cc", text), 2);
}

#[test]
fn all_headers_of_this_system_parse() {
    let folder = Path::new("/usr/include");
    let mut headers: Vec<PathBuf> = Vec::new();
    for sub in ["", "sys", "net", "netinet", "arpa", "linux"] {
        let entries = std::fs::read_dir(folder.join(sub)).into_iter().flatten().flatten();
        headers.extend(entries.map(|entry| entry.path()).filter(|p| p.extension().is_some_and(|e| e == "h")));
    }
    headers.sort();
    // By default one header in twenty-four. All of them if `CPPC_ALL_HEADERS` is set.
    let step = if std::env::var_os("CPPC_ALL_HEADERS").is_some() { 1 } else { 24 };
    for header in headers.iter().step_by(step) {
        check("cc", &format!("#define _GNU_SOURCE\n#include \"{}\"\n", header.display()));
    }
}
