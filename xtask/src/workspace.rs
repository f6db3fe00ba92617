//! The files of the project, and the commands that run in it.
//!
//! Input: the directory of this crate.
//! Output: paths of the workspace, commands that run in it.
//! Postcondition: a failed command is an error that names it.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{bail, Context, Result};

/// Directories that contain no source of the project.
const NOT_OURS: [&str; 4] = [".git", "target", "cppc-state", "node_modules"];

/// All packages. With these features, tests check whether the manual pages are up to date, and the links of the book.
pub const EVERYTHING: [&str; 3] = ["--workspace", "--features", "xtask/pages,xtask/book"];

pub struct Workspace {
    pub root: PathBuf,
}

impl Workspace {
    pub fn find() -> Result<Workspace> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"))
            .parent()
            .context("the `xtask` crate is at the root of a file system")?;
        Ok(Workspace { root: root.to_owned() })
    }

    /// The directory in which cargo writes its results.
    pub fn target(&self) -> PathBuf {
        match std::env::var_os("CARGO_TARGET_DIR") {
            Some(directory) => self.root.join(directory),
            None => self.root.join("target"),
        }
    }

    /// An installed product, for the demo and the tests.
    pub fn stage(&self) -> PathBuf {
        match std::env::var_os("CPPC_STAGE") {
            Some(directory) => self.root.join(directory),
            None => self.target().join("stage"),
        }
    }

    pub fn cargo(&self, arguments: &[&str]) -> Command {
        let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
        let mut command = Command::new(cargo);
        command.args(arguments).current_dir(&self.root);
        command
    }

    /// Every file of the project, relative to the root, sorted.
    pub fn files(&self) -> Result<Vec<PathBuf>> {
        let mut files = Vec::new();
        self.collect(Path::new(""), &mut files)?;
        files.sort();
        Ok(files)
    }

    fn collect(&self, directory: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
        let absolute = self.root.join(directory);
        let entries =
            std::fs::read_dir(&absolute).with_context(|| format!("cannot list `{}`", absolute.display()))?;
        for entry in entries {
            let entry = entry?;
            let name = entry.file_name();
            let path = directory.join(&name);
            let name = name.to_string_lossy();
            if NOT_OURS.contains(&name.as_ref()) || name.starts_with("target-") {
                continue;
            }
            let kind = entry.file_type()?;
            if kind.is_dir() {
                self.collect(&path, files)?;
            } else if kind.is_file() {
                files.push(path);
            }
        }
        Ok(())
    }
}

/// Runs a command. Every exit status except success is an error.
pub fn run(command: &mut Command) -> Result<()> {
    let name = command.get_program().to_string_lossy().into_owned();
    let status = command.status().with_context(|| format!("cannot run `{name}`"))?;
    if !status.success() {
        bail!("`{}` failed: {status}", shown(command));
    }
    Ok(())
}

/// Runs a command and returns its output.
pub fn output(command: &mut Command) -> Result<String> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.output().with_context(|| format!("cannot run `{name}`"))?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        bail!("`{}` failed: {}\n{said}", shown(command), output.status);
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

fn shown(command: &Command) -> String {
    let mut text = command.get_program().to_string_lossy().into_owned();
    for argument in command.get_args() {
        text.push(' ');
        text.push_str(&argument.to_string_lossy());
    }
    text
}

/// Writes a generated file, or checks whether the committed one has the same text.
pub fn write_or_check(path: &Path, text: &str, check: bool) -> Result<bool> {
    let committed = std::fs::read_to_string(path).unwrap_or_default();
    if committed == text {
        return Ok(false);
    }
    if check {
        bail!("`{}` is out of date: its table has changed", path.display());
    }
    std::fs::write(path, text).with_context(|| format!("cannot write `{}`", path.display()))?;
    Ok(true)
}
