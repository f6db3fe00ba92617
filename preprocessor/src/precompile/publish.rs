//! Writes output files completely or not at all.
//!
//! Input: texts and their targets.
//! Output: files.
//! Postcondition: all files have their new content, or all have their old content. No source is ever
//! overwritten.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{bail, Context as _};
use tempfile::NamedTempFile;

use super::arguments::Arguments;

/// The destination of one text.
#[derive(Debug, PartialEq, Eq)]
pub enum Target {
    Standard,
    File(PathBuf),
}

/// The destination of each source's text.
///
/// # Errors
/// If the command line does not give it, if two texts have the same destination, or if a source would be
/// overwritten.
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
                let name = file.file_name().with_context(|| format!("`{}` is not a file", file.display()))?;
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
            bail!("`{}` would overwrite a source: choose another output file", source.display());
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

/// Writes all texts to new files next to their destinations, then renames them. A device or a pipe is written
/// directly, because it must not be replaced.
///
/// # Errors
/// If a file cannot be written. Then none is.
pub fn publish<'a>(texts: impl Iterator<Item = (&'a Target, &'a [u8])>) -> anyhow::Result<()> {
    let mut waiting: Vec<(NamedTempFile, PathBuf)> = Vec::new();
    for (target, text) in texts {
        match target {
            Target::Standard => {
                std::io::stdout().lock().write_all(text).context("cannot write to standard output")?;
            }
            Target::File(path) => {
                let failed = || format!("cannot write `{}`", path.display());
                // If the path is a symbolic link, its target is replaced, not the link.
                let place = path.canonicalize().unwrap_or_else(|_| path.clone());
                if std::fs::metadata(&place).is_ok_and(|known| !known.is_file()) {
                    let mut stream =
                        std::fs::OpenOptions::new().write(true).open(&place).with_context(failed)?;
                    stream.write_all(text).with_context(failed)?;
                    continue;
                }
                waiting.push((beside(&place, text).with_context(failed)?, place));
            }
        }
    }
    for (file, path) in waiting {
        file.persist(&path).with_context(|| format!("cannot write `{}`", path.display()))?;
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
    let mut file =
        tempfile::Builder::new().prefix(".cppc-pp").permissions(readable).tempfile_in(directory)?;
    file.write_all(text)?;
    file.flush()?;
    Ok(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(path: &Path, text: &[u8]) -> anyhow::Result<()> {
        publish(std::iter::once((&Target::File(path.to_path_buf()), text)))
    }

    #[test]
    fn a_device_stays_one() {
        put(Path::new("/dev/null"), b"text").unwrap();
        assert!(!std::fs::metadata("/dev/null").unwrap().is_file());
    }

    #[test]
    fn a_link_leads_to_the_new_text() {
        let directory = tempfile::tempdir().unwrap();
        let (file, link) = (directory.path().join("a.c"), directory.path().join("b.c"));
        std::fs::write(&file, "old").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        put(&link, b"new").unwrap();
        assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(std::fs::read(&file).unwrap(), b"new");
    }

    #[test]
    fn nothing_is_written_where_one_file_cannot_be() {
        let directory = tempfile::tempdir().unwrap();
        let good = Target::File(directory.path().join("a.c"));
        let bad = Target::File(directory.path().join("missing/b.c"));
        let texts: [(&Target, &[u8]); 2] = [(&good, b"a"), (&bad, b"b")];
        assert!(publish(texts.into_iter()).is_err());
        assert!(std::fs::read_dir(directory.path()).unwrap().next().is_none());
    }
}
