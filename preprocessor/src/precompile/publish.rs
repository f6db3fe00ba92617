//! Output files, written whole or not at all.
//!
//! In: texts and where they go. Out: files. Holds afterwards: each file has its new content, or all
//! have their old; no source is ever overwritten.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{bail, Context as _};
use tempfile::NamedTempFile;

use super::arguments::Arguments;

/// Where one text goes.
#[derive(Debug, PartialEq, Eq)]
pub enum Target {
    Standard,
    File(PathBuf),
}

/// Where each source's text goes.
///
/// # Errors
/// When the command line does not say, when two texts would go to one file, or over a source.
pub fn targets(arguments: &Arguments) -> anyhow::Result<Vec<Target>> {
    if arguments.dump.is_some() {
        return Ok(Vec::new());
    }
    let mut targets = Vec::new();
    match (&arguments.output, &arguments.out_dir) {
        (Some(output), _) if arguments.files.len() == 1 && output != Path::new("-") => {
            targets.push(Target::File(output.clone()));
        }
        (_, Some(directory)) => {
            for file in &arguments.files {
                let name = file.file_name().with_context(|| format!("`{}` is no file", file.display()))?;
                targets.push(Target::File(directory.join(name)));
            }
        }
        (_, None) if arguments.files.len() == 1 => targets.push(Target::Standard),
        (_, None) => bail!("several sources need `--out-dir DIR`: `-o` names one file"),
    }
    for (index, target) in targets.iter().enumerate() {
        let Target::File(path) = target else { continue };
        if targets[..index].contains(target) {
            bail!("two sources would both become `{}`: translate them into two directories", path.display());
        }
        if let Some(source) = arguments.files.iter().find(|source| same_file(source, path)) {
            bail!("`{}` would overwrite a source: give another place", source.display());
        }
    }
    Ok(targets)
}

fn same_file(a: &Path, b: &Path) -> bool {
    match (a.canonicalize(), b.canonicalize()) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}

/// Writes all texts beside their places, then puts them there.
///
/// # Errors
/// When a file cannot be written; then none is.
pub fn publish<'a>(texts: impl Iterator<Item = (&'a Target, &'a [u8])>) -> anyhow::Result<()> {
    let mut waiting: Vec<(NamedTempFile, &Path)> = Vec::new();
    for (target, text) in texts {
        match target {
            Target::Standard => {
                std::io::stdout().lock().write_all(text).context("cannot write to standard output")?;
            }
            Target::File(path) => {
                let failed = || format!("cannot write `{}`", path.display());
                waiting.push((beside(path, text).with_context(failed)?, path));
            }
        }
    }
    for (file, path) in waiting {
        file.persist(path).with_context(|| format!("cannot write `{}`", path.display()))?;
    }
    Ok(())
}

fn beside(path: &Path, text: &[u8]) -> anyhow::Result<NamedTempFile> {
    use std::os::unix::fs::PermissionsExt as _;
    let directory = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    let readable = std::fs::Permissions::from_mode(0o644);
    let mut file = tempfile::Builder::new().prefix(".cppc-pp").permissions(readable).tempfile_in(directory)?;
    file.write_all(text)?;
    file.flush()?;
    Ok(file)
}
