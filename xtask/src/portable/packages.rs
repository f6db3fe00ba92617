//! Gets compilers, libraries and emulators for other machines.
//!
//! In: a directory, Debian's archive. Out: packages unpacked below that directory. Holds afterwards: nothing of the
//! system has changed: apt works with settings and lists of its own, and nothing is installed.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{bail, ensure, Context, Result};

use super::machines::MACHINES;
use crate::workspace::{output, run};

/// The release that the packages are of, whatever this system is.
const RELEASE: &str = "bookworm";
const ARCHIVE: &str = "http://deb.debian.org/debian";
/// Another archive, such as a mirror nearby.
const ARCHIVE_VARIABLE: &str = "CPPC_DEBIAN_ARCHIVE";
const KEYS: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";

/// The oldest Rust that the runtime is built with.
pub const RUST: &str = "1.85";
/// What the compilers need besides the C library.
const LIBRARIES: &[&str] = &[
    "libedit2", "libbsd0", "libmd0", "libtinfo6", "libffi8", "libxml2", "libicu72", "libz3-4", "zlib1g",
    "liblzma5", "libzstd1", "libgmp10", "libisl23", "libmpc3", "libmpfr6", "libjansson4",
];

/// Where everything is.
pub struct Tools {
    pub root: PathBuf,
}

impl Tools {
    pub fn program(&self, name: &str) -> PathBuf {
        self.root.join("usr/bin").join(name)
    }

    /// What a program of ours has to have in its environment.
    pub fn libraries(&self) -> PathBuf {
        self.root.join("usr/lib/x86_64-linux-gnu")
    }

    pub fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.env("LD_LIBRARY_PATH", self.libraries());
        command
    }
}

/// Downloads and unpacks what is not there yet.
pub fn unpack(directory: &Path) -> Result<Tools> {
    ensure!(cfg!(all(target_os = "linux", target_arch = "x86_64")), "this needs Linux on x86-64");
    let tools = Tools { root: directory.join("root") };
    let done = directory.join("unpacked");
    let wanted = format!("{RELEASE} {RUST} {:?}", packages(RUST, ""));
    if std::fs::read_to_string(&done).is_ok_and(|found| found == wanted) {
        return Ok(tools);
    }
    let archives = directory.join("archives");
    for old in [&tools.root, &archives] {
        if old.exists() {
            std::fs::remove_dir_all(old).with_context(|| format!("cannot remove `{}`", old.display()))?;
        }
    }
    std::fs::create_dir_all(&archives)?;
    std::fs::create_dir_all(&tools.root)?;
    let apt = Apt::new(&directory.join("apt"))?;
    run(apt.command("apt-get").args(["update", "-q"]))?;
    let rust = apt.rust()?;
    let llvm = apt.llvm(&rust)?;
    run(apt.command("apt-get").current_dir(&archives).args(["download", "-q"]).args(packages(&rust, &llvm)))?;
    unpack_all(&archives, &tools.root)?;
    std::fs::remove_dir_all(&archives)?;
    std::fs::write(&done, wanted)?;
    Ok(tools)
}

/// `rust` is a version in Debian's words.
fn packages(rust: &str, llvm: &str) -> Vec<String> {
    let mut wanted: Vec<String> = LIBRARIES.iter().map(ToString::to_string).collect();
    wanted.extend([llvm.to_owned(), format!("rustc-web={rust}"), format!("{}={rust}", library_of(rust))]);
    wanted.push("qemu-user-static".to_owned());
    for machine in MACHINES {
        let (gnu, debian) = (machine.gnu, machine.debian);
        wanted.push(format!("libstd-rust-web-dev:{debian}={rust}"));
        if machine.emulator.is_some() {
            let compiler = ["binutils", "cpp-12", "gcc-12"].map(|part| format!("{part}-{gnu}-linux-gnu"));
            let library = ["libgcc-12-dev", "libc6", "libc6-dev", "linux-libc-dev"].map(|part| format!("{part}-{debian}-cross"));
            wanted.extend(compiler.into_iter().chain(library));
        }
    }
    wanted
}

/// Several at a time.
fn unpack_all(archives: &Path, root: &Path) -> Result<()> {
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in std::fs::read_dir(archives)? {
        files.push(entry?.path());
    }
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    let parts: Vec<&[PathBuf]> = files.chunks(files.len().div_ceil(workers).max(1)).collect();
    let unpack = |part: &[PathBuf]| part.iter().try_for_each(|file| run(Command::new("dpkg").arg("-x").arg(file).arg(root)));
    std::thread::scope(|scope| {
        let threads: Vec<_> = parts.iter().map(|part| scope.spawn(move || unpack(part))).collect();
        threads.into_iter().try_for_each(|thread| thread.join().unwrap_or_else(|_| bail!("unpacking failed")))
    })
}

/// apt with a world of its own.
struct Apt {
    settings: PathBuf,
}

impl Apt {
    fn new(directory: &Path) -> Result<Apt> {
        for part in ["lists/partial", "cache/archives/partial", "state"] {
            std::fs::create_dir_all(directory.join(part))?;
        }
        let archive = std::env::var(ARCHIVE_VARIABLE).unwrap_or_else(|_| ARCHIVE.to_owned());
        ensure!(Path::new(KEYS).exists(), "`{KEYS}` is missing: this needs Debian's package `debian-archive-keyring`");
        let sources = directory.join("sources.list");
        std::fs::write(&sources, format!("deb [signed-by={KEYS}] {archive} {RELEASE} main\n"))?;
        std::fs::write(directory.join("state/status"), "")?;
        let machines: Vec<String> = MACHINES.iter().map(|machine| format!("\"{}\";", machine.debian)).collect();
        let at = directory.display();
        let text = format!(
            "APT::Architecture \"amd64\";\nAPT::Architectures {{ {} }};\nAPT::Sandbox::User \"root\";\n\
             Dir::State \"{at}/state\";\nDir::State::Lists \"{at}/lists\";\nDir::State::status \"{at}/state/status\";\n\
             Dir::Cache \"{at}/cache\";\nDir::Etc::SourceList \"{}\";\nDir::Etc::SourceParts \"-\";\n\
             Acquire::Languages \"none\";\nAcquire::Retries \"3\";\n",
            machines.join(" "),
            sources.display()
        );
        let settings = directory.join("apt.conf");
        std::fs::write(&settings, text)?;
        Ok(Apt { settings })
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env("APT_CONFIG", &self.settings);
        command
    }

    /// The version of Rust to take: the oldest that must do, or what the archive has in its place.
    fn rust(&self) -> Result<String> {
        let known = output(self.command("apt-cache").args(["madison", "rustc-web"]))?;
        let versions: Vec<&str> = known.lines().filter_map(|line| line.split('|').nth(1)).map(str::trim).collect();
        let oldest = versions.iter().find(|version| version.starts_with(RUST));
        let found = oldest.or(versions.first()).with_context(|| format!("{RELEASE} has no package `rustc-web`"))?;
        if oldest.is_none() {
            println!("portable: the archive no longer has Rust {RUST}: this says nothing of whether the runtime builds with it");
        }
        Ok((*found).to_owned())
    }

    /// The package of the code generator that this Rust was built with.
    fn llvm(&self, rust: &str) -> Result<String> {
        let library = library_of(rust);
        let needs = output(self.command("apt-cache").args(["depends", &library]))?;
        let mut names = needs.split_whitespace().filter(|word| word.starts_with("libllvm"));
        names.next().map(ToOwned::to_owned).with_context(|| format!("`{library}` needs no LLVM"))
    }
}

/// The package of the compiler's own library.
fn library_of(rust: &str) -> String {
    let version: Vec<&str> = rust.split('.').take(2).collect();
    format!("libstd-rust-web-{}", version.join("."))
}
