//! A file that is being written.
//!
//! Input: its final path.
//! Output: a temporary path in the same directory to write to, then the file under its name.
//! Postcondition: there is a complete file or nothing new, also if a signal ended the program; only a regular
//! file was replaced.

use crate::display::plain;
use anyhow::{anyhow, bail, Context, Result};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use signal_hook::low_level::emulate_default_handler;
use std::fs::{File, FileType, Permissions};
use std::io::{ErrorKind, Read as _, Write as _};
use std::os::unix::fs::{FileTypeExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, Once, PoisonError};
use tempfile::TempPath;

/// The file to remove if a signal ends the program.
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);

pub struct PendingFile {
    /// The temporary path.
    path: TempPath,
    place: PathBuf,
}

impl PendingFile {
    /// Creates an empty temporary file in the directory of `place`.
    pub fn new(place: &Path) -> Result<(PendingFile, File)> {
        check(place)?;
        watch();
        let directory = directory(place);
        if !directory.is_dir() {
            bail!("there is no directory `{}` to write to", directory.display());
        }
        let mut unfinished = unfinished();
        let mut builder = tempfile::Builder::new();
        // The default permissions of a new file; the system applies the umask.
        builder.prefix(".cppc-unfinished-").permissions(Permissions::from_mode(0o666));
        let file = builder
            .tempfile_in(directory)
            .with_context(|| format!("cannot write to `{}`", directory.display()))?;
        let (file, path) = file.into_parts();
        *unfinished = Some(path.to_path_buf());
        Ok((PendingFile { path, place: place.to_owned() }, file))
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Renames the file to its final name.
    pub fn keep(self, is_replacing: bool) -> Result<()> {
        let mut unfinished = unfinished();
        check(&self.place)?;
        let kept = if is_replacing {
            self.path.persist(&self.place)
        } else {
            self.path.persist_noclobber(&self.place)
        };
        *unfinished = None;
        kept.map_err(|error| error.error).with_context(|| format!("cannot write `{}`", self.place.display()))
    }
}

/// Writes a file completely or not at all. An existing file is overwritten only if it is empty, or begins with
/// `signature`.
pub fn replace(path: &Path, content: &[u8], signature: &[u8], what: &str) -> Result<()> {
    let shown = || plain(&path.display().to_string());
    // Checked before it is opened: opening a pipe would wait for a writer.
    check(path)?;
    match File::open(path) {
        Ok(file) => {
            let mut first = Vec::new();
            file.take(signature.len() as u64)
                .read_to_end(&mut first)
                .with_context(|| format!("cannot inspect `{}`", shown()))?;
            if first != signature && !first.is_empty() {
                bail!("`{}` exists and is not {what}; it was not changed", shown());
            }
        }
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) => return Err(error).with_context(|| format!("cannot inspect `{}`", shown())),
    }
    let (pending, mut file) = PendingFile::new(path)?;
    file.write_all(content).with_context(|| format!("cannot write `{}`", shown()))?;
    pending.keep(true)
}

/// The directory of a file.
pub fn directory(place: &Path) -> &Path {
    place.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Fails unless the path is free or a regular file. Renaming would replace a device or a symbolic link
/// itself, not its target.
pub fn check(place: &Path) -> Result<()> {
    let shown = || plain(&place.display().to_string());
    match std::fs::symlink_metadata(place) {
        Ok(found) if found.is_file() => Ok(()),
        Ok(found) => {
            Err(anyhow!("`{}` is {}, and only a file is replaced", shown(), kind_name(found.file_type())))
        }
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error).with_context(|| format!("cannot inspect `{}`", shown())),
    }
}

fn kind_name(kind: FileType) -> &'static str {
    match kind {
        kind if kind.is_symlink() => "a symbolic link",
        kind if kind.is_dir() => "a directory",
        kind if kind.is_block_device() || kind.is_char_device() => "a device",
        kind if kind.is_fifo() => "a pipe",
        _ => "no file",
    }
}

fn unfinished() -> MutexGuard<'static, Option<PathBuf>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes the temporary file when a signal ends the program. Without a handler everything else still works,
/// so an error is ignored.
fn watch() {
    static WATCHING: Once = Once::new();
    WATCHING.call_once(|| {
        let ignored = ignored();
        let heeded = [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
        let Ok(mut signals) = Signals::new(heeded) else { return };
        std::thread::spawn(move || {
            let Some(signal) = signals.forever().next() else { return };
            // Held until the end, so that no new file is begun.
            let unfinished = unfinished();
            if let Some(path) = &*unfinished {
                drop(std::fs::remove_file(path));
            }
            drop(emulate_default_handler(signal));
            std::process::exit(128 + signal);
        });
    });
}

/// The signals that the parent process has set to be ignored, for example `nohup`; none if that is unknown.
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}
