//! `deb`: a Debian package of an installation.
//!
//! Input: the prefix of an installation, and a directory.
//! Output: `cppc_VERSION_ARCHITECTURE.deb`, which installs the same files under `/usr`.
//! Postcondition: the package depends on the C library and the MPI of the installation, as far as `dpkg` knows them.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{bail, Context, Result};

use crate::install::{installed, MANIFEST};
use crate::workspace::{output, run as run_command};

pub fn run(from: &Path, into: &Path) -> Result<()> {
    let architecture = output(Command::new("dpkg").arg("--print-architecture"))?;
    let architecture = architecture.trim();
    let root = tempfile::tempdir()?;
    for name in installed(from)?.iter().filter(|name| *name != MANIFEST) {
        let to = root.path().join("usr").join(name);
        std::fs::create_dir_all(to.parent().context("a file is in a directory")?)?;
        // The links of an installation are relative.
        run_command(Command::new("cp").arg("-a").arg(from.join(name)).arg(&to))?;
    }
    let control = root.path().join("DEBIAN");
    std::fs::create_dir_all(&control)?;
    std::fs::write(control.join("control"), control_file(architecture, from)?)?;
    std::fs::create_dir_all(into)?;
    let package = into.join(format!("cppc_{}_{architecture}.deb", env!("CARGO_PKG_VERSION")));
    let mut build = Command::new("dpkg-deb");
    run_command(
        build.args(["--root-owner-group", "-Zgzip", "-z1", "--build"]).arg(root.path()).arg(&package),
    )?;
    if !package.is_file() {
        bail!("`dpkg-deb` wrote no `{}`", package.display());
    }
    Ok(())
}

fn control_file(architecture: &str, from: &Path) -> Result<String> {
    let depends = dependencies(from)?.join(", ");
    Ok(format!(
        "Package: cppc\n\
         Version: {}\n\
         Architecture: {architecture}\n\
         Section: science\n\
         Priority: optional\n\
         Maintainer: The CPPC developers <cppc@localhost>\n\
         Depends: {depends}\n\
         Recommends: gcc, gfortran\n\
         Description: checkpoint and restart of C and Fortran programs\n \
         Compilers for annotated C and Fortran programs, with or without MPI, the runtime library, and the tool for\n \
         state files.\n",
        env!("CARGO_PKG_VERSION")
    ))
}

/// The packages of the libraries that the installed programs and libraries need.
fn dependencies(from: &Path) -> Result<Vec<String>> {
    let mut libraries = BTreeSet::new();
    for name in installed(from)?.iter().filter(|name| name.contains(".so") || name.starts_with("bin/")) {
        let needed = Command::new("ldd").arg(from.join(name)).output().context("cannot run `ldd`")?;
        for line in String::from_utf8_lossy(&needed.stdout).lines() {
            let found = line.split_whitespace().find(|word| word.starts_with('/'));
            libraries.extend(found.map(PathBuf::from));
        }
    }
    // The loader may use another name than the package: `/lib` is a link to `/usr/lib`.
    let mut names: BTreeSet<PathBuf> = libraries.iter().filter_map(|path| path.canonicalize().ok()).collect();
    let short = names.iter().filter_map(|path| Some(Path::new("/").join(path.strip_prefix("/usr").ok()?)));
    names = short.chain(libraries).chain(names.iter().cloned()).collect();
    // Its status is an error if one of the names is unknown.
    let found =
        Command::new("dpkg-query").arg("--search").args(names).output().context("cannot run `dpkg-query`")?;
    let text = String::from_utf8_lossy(&found.stdout).into_owned();
    let packages = text.lines().filter_map(|line| line.split([':', ',']).next());
    Ok(packages.chain(["libc6"]).map(str::to_owned).collect::<BTreeSet<_>>().into_iter().collect())
}
