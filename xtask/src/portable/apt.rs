//! Runs apt with separate directories.
//!
//! Input: a directory, Debian's archive.
//! Output: downloaded packages, versions.
//! Postcondition: the system has not changed: settings, lists and cache are in the directory, and nothing is
//! installed.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{ensure, Context, Result};

use super::machines::MACHINES;
use crate::workspace::{output, run};

/// The release of the packages, which does not depend on this system.
pub const RELEASE: &str = "bookworm";
const ARCHIVE: &str = "http://deb.debian.org/debian";
/// Environment variable for another archive, such as a local mirror.
const ARCHIVE_VARIABLE: &str = "CPPC_DEBIAN_ARCHIVE";
const KEYS: &str = "/usr/share/keyrings/debian-archive-keyring.gpg";

/// The oldest Rust version that must build the runtime.
pub const RUST: &str = "1.85";

pub struct Apt {
    settings: PathBuf,
}

impl Apt {
    /// Downloads the package lists of the archive.
    pub fn new(directory: &Path) -> Result<Apt> {
        for part in ["lists/partial", "cache/archives/partial", "state"] {
            std::fs::create_dir_all(directory.join(part))?;
        }
        let archive = archive();
        ensure!(
            Path::new(KEYS).exists(),
            "`{KEYS}` is missing: this needs Debian's package `debian-archive-keyring`"
        );
        let sources = directory.join("sources.list");
        std::fs::write(&sources, format!("deb [signed-by={KEYS}] {archive} {RELEASE} main\n"))?;
        std::fs::write(directory.join("state/status"), "")?;
        let machines: Vec<String> =
            MACHINES.iter().map(|machine| format!("\"{}\";", machine.debian)).collect();
        let at = directory.display();
        let text = format!(
            "APT::Architecture \"amd64\";\nAPT::Architectures {{ {} }};\nAPT::Sandbox::User \"root\";\n\
             APT::Update::Error-Mode \"any\";\nAPT::Install-Recommends \"false\";\n\
             Dir::State \"{at}/state\";\nDir::State::Lists \"{at}/lists\";\nDir::State::status \"{at}/state/status\";\n\
             Dir::Cache \"{at}/cache\";\nDir::Etc::SourceList \"{}\";\nDir::Etc::SourceParts \"-\";\n\
             Acquire::Languages \"none\";\nAcquire::Retries \"3\";\n",
            machines.join(" "),
            sources.display()
        );
        let settings = directory.join("apt.conf");
        std::fs::write(&settings, text)?;
        let apt = Apt { settings };
        let update = run(apt.command("apt-get").args(["update", "-q"]));
        update.with_context(|| {
            format!(
                "no package lists of {RELEASE} from `{archive}` (`{ARCHIVE_VARIABLE}` names another archive)"
            )
        })?;
        Ok(apt)
    }

    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.env("APT_CONFIG", &self.settings);
        command
    }

    pub fn download(&self, packages: &[String], into: &Path) -> Result<()> {
        std::fs::create_dir_all(into)?;
        run(self.command("apt-get").current_dir(into).args(["download", "-q"]).args(packages))
    }

    /// These packages of an architecture and all packages that they need.
    pub fn with_needs(&self, packages: &[&str], machine: &str) -> Result<Vec<String>> {
        let wanted = packages.iter().map(|package| format!("{package}:{machine}"));
        let plan = output(self.command("apt-get").args(["install", "--simulate", "-q"]).args(wanted))?;
        let names = plan.lines().filter_map(|line| line.strip_prefix("Inst ")?.split_whitespace().next());
        let of_machine = format!(":{machine}");
        Ok(names.filter(|name| name.ends_with(&of_machine)).map(ToOwned::to_owned).collect())
    }

    /// The version of Rust to use: the oldest supported one, or the one that the archive has instead.
    pub fn rust(&self) -> Result<String> {
        let known = output(self.command("apt-cache").args(["madison", "rustc-web"]))?;
        let versions: Vec<&str> =
            known.lines().filter_map(|line| line.split('|').nth(1)).map(str::trim).collect();
        let oldest = versions.iter().find(|version| version.starts_with(RUST));
        let found =
            oldest.or(versions.first()).with_context(|| format!("{RELEASE} has no package `rustc-web`"))?;
        if oldest.is_none() {
            println!("portable: the archive no longer has Rust {RUST}: whether the runtime builds with it was not tested");
        }
        Ok((*found).to_owned())
    }

    /// The package of the LLVM version with which the compiler's library was built.
    pub fn llvm(&self, library: &str) -> Result<String> {
        let needs = output(self.command("apt-cache").args(["depends", library]))?;
        let mut names = needs.split_whitespace().filter(|word| word.starts_with("libllvm"));
        names.next().map(ToOwned::to_owned).with_context(|| format!("`{library}` needs no LLVM"))
    }
}

/// The archive that the user names, or that of this system.
fn archive() -> String {
    if let Ok(named) = std::env::var(ARCHIVE_VARIABLE) {
        return named;
    }
    let format = "$(ORIGIN)|$(LABEL)|$(COMPONENT)|$(REPO_URI)";
    let mut ask = Command::new("apt-get");
    ask.args(["indextargets", "--format", format, "Created-By: Packages"]);
    let known = output(&mut ask).unwrap_or_default();
    let configured = known.lines().find_map(|line| line.strip_prefix("Debian|Debian|main|"));
    configured.map_or(ARCHIVE, |place| place.trim_end_matches('/')).to_owned()
}
