//! Fortran programs that use the library, killed and resumed.
//!
//! Input: the sources in `clients/`, each Fortran compiler that is installed.
//! Output: the output of the programs.
//! Postcondition: wherever a program was killed, the resumed run ends with the same bytes as an uninterrupted
//! run.

#[path = "../../libcppc/tests/harness/mod.rs"]
#[allow(dead_code)] // a part of it is for clients in C
mod harness;

use harness::Client;
use std::path::Path;
use std::process::{Command, Stdio};

const GFORTRAN: &[&str] = &[
    "-Wall",
    "-Wextra",
    "-Werror",
    "-Wno-unused-label",
    "-Wno-maybe-uninitialized",
    "-Wno-uninitialized",
    "-Wno-compare-reals",
    "-Wno-unused-dummy-argument",
    "-Wno-integer-division",
];

/// A compiler and its options.
struct Build {
    compiler: &'static str,
    options: &'static [&'static str],
}

/// All builds that this machine can make; at least those with gfortran.
fn builds() -> Vec<Build> {
    let flang = ["flang-new-19", "flang-new", "flang"].into_iter().find(|flang| is_there(flang));
    let mut builds = vec![
        Build { compiler: "gfortran", options: &["-O0"] },
        Build { compiler: "gfortran", options: &["-O3"] },
    ];
    builds.extend(flang.map(|compiler| Build { compiler, options: &["-O2"] }));
    builds
}

fn is_there(compiler: &str) -> bool {
    let asked = Command::new(compiler)
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    asked.is_ok_and(|status| status.success())
}

impl Build {
    fn client(&self, source: &str, more: &[&str]) -> Client {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        let clients = here.join("tests/clients");
        let mut compile = Command::new(self.compiler);
        compile.args(self.options).args(more);
        if self.compiler == "gfortran" {
            compile.args(GFORTRAN);
            if source.ends_with(".f") {
                compile.arg("-std=legacy");
            }
        }
        compile.arg("-I").arg(here.join("include")).arg(clients.join("die.f90"));
        compile.arg(clients.join(source));
        Client::build_by(source.split('.').next().unwrap_or(source), &mut compile)
    }
}

fn survives_every_kill(source: &str) {
    for build in builds() {
        build.client(source, &[]).survives_every_kill();
    }
}

#[test]
fn solve() {
    survives_every_kill("solve.f");
}

#[test]
fn grow() {
    survives_every_kill("grow.f90");
}

#[test]
fn derived() {
    survives_every_kill("derived.f90");
}

#[test]
fn kinds() {
    survives_every_kill("kinds.f90");
    let gfortran = Build { compiler: "gfortran", options: &["-O2"] };
    gfortran.client("long_kinds.f90", &[]).survives_every_kill();
}

#[test]
fn integers_of_eight_bytes_and_other_symbols() {
    for build in builds() {
        build.client("wide.f90", &["-fdefault-integer-8"]).survives_every_kill();
    }
    let gfortran = Build { compiler: "gfortran", options: &["-O2"] };
    gfortran.client("kinds.f90", &["-fsecond-underscore"]).survives_every_kill();
}

#[test]
fn by_hand() {
    let module = Path::new(env!("CARGO_MANIFEST_DIR")).join("module/cppc.f90").display().to_string();
    for build in builds() {
        build.client("by_hand.f90", &[&module]).survives_every_kill();
    }
}

/// A program without any shared library ends without an error too.
#[test]
fn linked_statically() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let shared = harness::library();
    let archive = ["libcppc.a", "../libcppc.a"].map(|name| shared.with_file_name(name));
    let archive =
        archive.into_iter().find(|path| path.exists()).expect("`libcppc.a` is built beside the tests");
    let program = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cppc-static");
    let state = program.with_extension("state");
    let _ = std::fs::remove_dir_all(&state);
    let mut compile = Command::new("gfortran");
    compile
        .arg("-static")
        .arg("-I")
        .arg(here.join("include"))
        .arg(here.join("tests/clients/words.f90"))
        .arg(archive);
    let output = compile
        .args(cppc_abi::STATIC_LIBRARY_NEEDS)
        .arg("-o")
        .arg(&program)
        .output()
        .expect("gfortran is there");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let run = Command::new(&program).arg("word").env("CPPC_DIR", &state).output().expect("the program runs");
    assert_eq!(String::from_utf8_lossy(&run.stdout), "word\n", "{run:?}");
    assert!(run.status.success(), "{run:?}");
    let _ = (std::fs::remove_file(&program), std::fs::remove_dir_all(&state));
}

/// gfortran's library allows removing words from the command line; flang's keeps all of them.
#[test]
fn settings_come_from_the_command_line() {
    for build in builds() {
        let client = build.client("words.f90", &[]);
        let state = client.state("elsewhere").display().to_string();
        let dir = format!("--cppc-dir={state}");
        let given = ["first", &dir, "-CPPC,CPPC/Controller/DeleteCheckpoints=false", "last one"];
        let run = client.run_with("words", &[("CPPC_APP", "words")], &given);
        let left = if build.compiler == "gfortran" { vec![given[0], given[3]] } else { given.to_vec() };
        assert_eq!(run.out.lines().collect::<Vec<_>>(), left, "{run:?}");
        assert!(client.state("elsewhere").join("words/rank-0000").is_dir(), "{run:?}");
        let unknown = client.run_with("words", &[], &["--cppc-evry=3"]);
        assert_eq!(unknown.code, Some(2), "{unknown:?}");
    }
}

#[test]
fn misuse() {
    let client = Build { compiler: "gfortran", options: &["-O2"] }.client("misuse.f90", &[]);
    let said = |what: &str, wanted: &str| {
        let run = client.run_with(what, &[], &[what]);
        assert!(run.is_success() && run.err.contains(wanted), "{what}: {run:?}");
        assert!(
            run.err.contains("cppc: nothing is written at checkpoint 2 in `misuse`: "),
            "{what}: {run:?}"
        );
    };
    said("early", "cppc: `i` is registered before `CPPC_Init`: it will not be saved");
    said("section", "cppc: `a(1, :)` cannot be registered: it is not contiguous in memory");
    said("static", "cppc: `i` cannot be registered: a value is registered with `CPPC_AUTOMATIC`");
    said("slot", "cppc: cell 70000 of `misuse` cannot be saved: cells are numbered from 0 to 65535");
    said(
        "shape",
        "cppc: cell 1 of `misuse` cannot be saved: its variable is registered with another type or size",
    );
    said("type", "cppc: `u` cannot be registered: it is followed as another type than it is registered as");
    said("rank", "cppc: `u` cannot be registered: its rank is not one that an array can have");
    said("field", "cppc: `pairs` cannot be registered: the field `both` of the structure `pair` does not lie within its 4 bytes");
    said("none", "cppc: `pairs` cannot be registered: its type was not described");
    for fine in ["fine", "absent"] {
        let run = client.run_with(fine, &[], &[fine]);
        assert!(run.is_success() && run.err.is_empty(), "{run:?}");
    }
}

/// `cppcf.h` in both forms, with IMPLICIT NONE, used in part: no compiler warns.
#[test]
fn the_header_is_quiet_in_both_forms() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let scratch = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cppc-header");
    std::fs::create_dir_all(&scratch).expect("a directory for the test");
    let text = "      SUBROUTINE S(N)\n      IMPLICIT NONE\n      INTEGER N\n      INCLUDE 'cppcf.h'\n      SAVE\n      N = CPPC_JUMP_NEXT()\n      END\n";
    for form in ["s.f", "s.f90"] {
        std::fs::write(scratch.join(form), text).expect("the source can be written");
        for build in builds() {
            let gfortran: [&[&str]; 4] = [
                &["-Wall", "-Wextra", "-Werror"],
                &["-std=f2018", "-pedantic", "-Wall", "-Wextra", "-Werror"],
                &["-std=legacy", "-fdefault-integer-8", "-Wall", "-Werror"],
                &["-fimplicit-none", "-std=f95", "-Wall", "-Werror"],
            ];
            let flang: [&[&str]; 2] = [&["-pedantic", "-Werror"], &["-std=f2018", "-pedantic", "-Werror"]];
            let options: &[&[&str]] = if build.compiler == "gfortran" { &gfortran } else { &flang };
            for options in options {
                let output = Command::new(build.compiler)
                    .args(*options)
                    .arg("-I")
                    .arg(here.join("include"))
                    .args(["-c", form, "-o", "s.o"])
                    .current_dir(&scratch)
                    .output();
                let output = output.expect("a compiler");
                let said = String::from_utf8_lossy(&output.stderr).into_owned();
                assert!(
                    output.status.success() && said.is_empty(),
                    "{} {options:?} {form}: {said}",
                    build.compiler
                );
            }
        }
    }
    let _ = std::fs::remove_dir_all(scratch);
}
