//! Downloads compilers, libraries and emulators for other architectures.
//!
//! Input: a directory.
//! Output: packages unpacked below that directory: one root with the tools, and one root for each emulated
//! machine.
//! Postcondition: the system has not changed.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{ensure, Context, Result};

use super::apt::{Apt, RELEASE, RUST};
use super::machines::{Machine, MACHINES};
use super::workers::in_parallel;
use crate::workspace::run;

/// Packages that the compilers need in addition to the C library.
const LIBRARIES: &[&str] = &[
    "libedit2",
    "libbsd0",
    "libmd0",
    "libtinfo6",
    "libffi8",
    "libxml2",
    "libicu72",
    "libz3-4",
    "zlib1g",
    "liblzma5",
    "libzstd1",
    "libgmp10",
    "libisl23",
    "libmpc3",
    "libmpfr6",
    "libjansson4",
];
/// Only on this architecture gfortran has a separate library for reals of 16 bytes.
const QUADMATH: &str = "libquadmath0-i386-cross";
/// Packages that the programs need on their machine.
const INSTALLED: &[&str] = &["libc6", "libgcc-s1", "libgfortran5", "libhdf5-103-1"];
/// The package for building the writer hdf5. The packages that it depends on are not needed for that.
const HDF5: &str = "libhdf5-dev";

/// The directories of the unpacked packages.
pub struct Tools {
    root: PathBuf,
    machines: PathBuf,
}

impl Tools {
    pub fn program(&self, name: &str) -> PathBuf {
        self.root.join("usr/bin").join(name)
    }

    /// The library directory that the tools need in their environment.
    pub fn libraries(&self) -> PathBuf {
        self.root.join("usr/lib/x86_64-linux-gnu")
    }

    pub fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.env("LD_LIBRARY_PATH", self.libraries());
        command
    }

    /// The option that makes the linker interpret paths in the scripts of the C library relative to the root.
    pub fn root_for_linker(&self) -> String {
        format!("-Wl,--sysroot={}", self.root.display())
    }

    /// The root of an emulated machine.
    pub fn machine(&self, machine: &Machine) -> PathBuf {
        self.machines.join(machine.name)
    }
}

/// Downloads and unpacks missing packages.
pub fn unpack(directory: &Path) -> Result<Tools> {
    ensure!(cfg!(all(target_os = "linux", target_arch = "x86_64")), "this needs Linux on x86-64");
    let tools = Tools { root: directory.join("root"), machines: directory.join("machines") };
    let done = directory.join("unpacked");
    let wanted = format!("{RELEASE} {RUST} {:?} {INSTALLED:?}", packages(RUST, ""));
    if std::fs::read_to_string(&done).is_ok_and(|found| found == wanted) {
        return Ok(tools);
    }
    let archives = directory.join("archives");
    for old in [&tools.root, &tools.machines, &archives] {
        if old.exists() {
            std::fs::remove_dir_all(old).with_context(|| format!("cannot remove `{}`", old.display()))?;
        }
    }
    let apt = Apt::new(&directory.join("apt"))?;
    let rust = apt.rust()?;
    let llvm = apt.llvm(&library_of(&rust))?;
    apt.download(&packages(&rust, &llvm), &archives.join("tools"))?;
    unpack_all(&archives.join("tools"), &tools.root)?;
    for machine in MACHINES.iter().filter(|machine| machine.emulator.is_some()) {
        let mut installed = apt.with_needs(INSTALLED, machine.debian)?;
        installed.push(format!("{HDF5}:{}", machine.debian));
        apt.download(&installed, &archives.join(machine.name))?;
        unpack_all(&archives.join(machine.name), &tools.machine(machine))?;
    }
    std::fs::remove_dir_all(&archives)?;
    std::fs::write(&done, wanted)?;
    Ok(tools)
}

/// `rust` is a version in the form of Debian's package names.
fn packages(rust: &str, llvm: &str) -> Vec<String> {
    let mut wanted: Vec<String> = LIBRARIES.iter().map(ToString::to_string).collect();
    wanted.extend([llvm.to_owned(), format!("rustc-web={rust}"), format!("{}={rust}", library_of(rust))]);
    wanted.extend(["qemu-user-static", QUADMATH].map(ToOwned::to_owned));
    for machine in MACHINES {
        let (gnu, debian) = (machine.gnu, machine.debian);
        wanted.push(format!("libstd-rust-web-dev:{debian}={rust}"));
        if machine.emulator.is_some() {
            let compilers =
                ["binutils", "cpp-12", "gcc-12", "gfortran-12"].map(|part| format!("{part}-{gnu}-linux-gnu"));
            let libraries = [
                "libgcc-12-dev",
                "libgcc-s1",
                "libgfortran-12-dev",
                "libgfortran5",
                "libc6",
                "libc6-dev",
                "linux-libc-dev",
            ];
            wanted
                .extend(compilers.into_iter().chain(libraries.map(|part| format!("{part}-{debian}-cross"))));
        }
    }
    wanted
}

fn unpack_all(archives: &Path, root: &Path) -> Result<()> {
    std::fs::create_dir_all(root)?;
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir(archives)? {
        files.push(entry?.path());
    }
    in_parallel(&files, |file| run(Command::new("dpkg").arg("-x").arg(file).arg(root)))?;
    Ok(())
}

/// The package of the compiler's own library.
fn library_of(rust: &str) -> String {
    let version: Vec<&str> = rust.split('.').take(2).collect();
    format!("libstd-rust-web-{}", version.join("."))
}
