//! The header and the libraries agree.
//!
//! Input: the tables of calls and of Fortran's routines.
//! Output: a program that uses each of them, compiled as C and as C++, linked with the shared and with the
//! static library.
//! Postcondition: every call that the header declares exists, and every routine under both of its names; the
//! shared library exports nothing else.

use cppc_abi::calls::CALLS;
use cppc_abi::routines;
use cppc_abi::STATIC_LIBRARY_NEEDS;
use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn every_call_of_the_table_is_exported_to_c_and_to_cxx() {
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cppc-interface");
    std::fs::create_dir_all(&scratch).expect("a directory for the test");
    let source = scratch.join("all.c");
    std::fs::write(&source, program()).expect("the source can be written");
    let shared = crate::harness::library();
    crate::harness::under_its_name(&shared, &scratch);
    let archive = shared.with_file_name("libcppc.a");
    let archive = if archive.exists() { archive } else { shared.with_file_name("../libcppc.a") };
    for (compiler, language) in [("cc", ["-x", "c", "-std=c89"]), ("c++", ["-x", "c++", "-std=c++11"])] {
        for (library, needs) in [(&shared, &[][..]), (&archive, STATIC_LIBRARY_NEEDS)] {
            build_and_run(compiler, &language, &source, library, needs, &scratch);
        }
    }
    let _ = std::fs::remove_dir_all(&scratch);
}

#[test]
fn the_shared_library_shows_what_the_tables_have_and_nothing_else() {
    let output = Command::new("nm")
        .args(["-D", "--defined-only", "--format=posix"])
        .arg(crate::harness::library())
        .output();
    let output = output.expect("`nm` is there");
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut found: Vec<&str> = shown
        .lines()
        .filter_map(|line| line.split(' ').next())
        .filter(|name| name.to_ascii_lowercase().starts_with("cppc"))
        .collect();
    let mut wanted: Vec<String> = CALLS.iter().map(|call| call.name.to_owned()).collect();
    wanted.extend(symbols());
    found.sort_unstable();
    wanted.sort_unstable();
    assert_eq!(found, wanted);
}

/// The symbols of Fortran's routines.
fn symbols() -> Vec<String> {
    routines::names().iter().flat_map(|name| routines::symbols(name)).collect()
}

fn program() -> String {
    let mut text = String::from("#include <cppc.h>\n#include <stdio.h>\ntypedef void (*call)(void);\n#ifdef __cplusplus\nextern \"C\" {\n#endif\n");
    for symbol in symbols() {
        text.push_str(&format!("void {symbol}(void);\n"));
    }
    text.push_str("#ifdef __cplusplus\n}\n#endif\nint main(void)\n{\n    int found = 0;\n");
    for symbol in symbols() {
        text.push_str(&format!("    found += (call) {symbol} != NULL;\n"));
    }
    for call in CALLS {
        text.push_str(&format!("    found += (call) {} != NULL;\n", call.name));
    }
    text.push_str("    printf(\"%d\\n\", found);\n    return 0;\n}\n");
    text
}

fn build_and_run(
    compiler: &str,
    language: &[&str],
    source: &Path,
    library: &PathBuf,
    needs: &[&str],
    scratch: &Path,
) {
    let program = scratch.join("all");
    let output = Command::new(compiler)
        .args(language)
        .args(["-Wall", "-Wextra", "-Wno-address", "-pedantic", "-I"])
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("../runtime-ffi/include"))
        .arg(source)
        .args(["-x", "none"])
        .arg(library)
        .args(needs)
        .arg("-o")
        .arg(&program)
        .arg(format!("-Wl,-rpath,{}", scratch.display()))
        .output()
        .expect("a compiler");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && !said.contains("cppc.h"), "{compiler}: {said}");
    let run = Command::new(&program).output().expect("the program runs");
    assert_eq!(String::from_utf8_lossy(&run.stdout), format!("{}\n", CALLS.len() + symbols().len()));
}
