//! Fortran programs that use the library, killed and resumed.
//!
//! In: the sources in `clients/`, each Fortran compiler that is there. Out: what the programs print. Holds
//! afterwards: wherever a program was killed, the run that resumed ends with the same bytes as one that was
//! never stopped.

#[path = "../../libcppc/tests/harness/mod.rs"]
#[allow(dead_code)] // a part of it is for clients in C
mod harness;

use harness::Client;
use std::path::Path;
use std::process::{Command, Stdio};

const GFORTRAN: &[&str] = &["-Wall", "-Wextra", "-Werror", "-Wno-unused-label", "-Wno-maybe-uninitialized", "-Wno-uninitialized", "-Wno-compare-reals", "-Wno-unused-dummy-argument", "-Wno-integer-division"];

/// A compiler and the options to build with.
struct Build {
    compiler: &'static str,
    options: &'static [&'static str],
}

/// All builds that this machine can make; at least the one of gfortran.
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
    let asked = Command::new(compiler).arg("--version").stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
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
