//! A cache on disk of the answers of compilers.
//!
//! Input: a compiler, its flags and the environment.
//! Output: its earlier answers to the same question, if everything that they depend on is unchanged.
//! Postcondition: any problem with the cache is only a miss. A file in it is complete. No symbolic link is
//! followed when writing, and no data is used that another user could have written.

mod watch;
mod entry;
mod digest;
mod key;

use std::ffi::{OsStr, OsString};
use std::fs::{self, DirBuilder, Metadata};
use std::io::Write as _;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::compiler_answers::CompilerAnswers;
pub use digest::Digest;
use entry::Entry;
use watch::Watched;

/// A directory with the answers of compilers.
#[derive(Debug, Clone)]
pub struct ProbeCache {
    directory: PathBuf,
}

/// The cache entry of one compiler with certain flags.
#[derive(Debug)]
pub struct CacheEntry {
    cache: ProbeCache,
    key: String,
    watched: Vec<Watched>,
}

impl ProbeCache {
    /// The user's cache: `CPPC_PP_CACHE`, which is `off` or a directory; otherwise `cppc` in the cache
    /// directory of the system.
    pub fn of_environment() -> Option<ProbeCache> {
        let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        let directory = match variable("CPPC_PP_CACHE") {
            Some(value) if value == "off" => return None,
            Some(value) => PathBuf::from(value),
            None => {
                let home = || variable("HOME").map(|home| Path::new(&home).join(".cache"));
                let caches = variable("XDG_CACHE_HOME").map(PathBuf::from);
                // The specification requires that a relative path is ignored.
                caches.filter(|path| path.is_absolute()).or_else(home)?.join("cppc")
            }
        };
        directory.is_absolute().then_some(ProbeCache { directory })
    }

    pub fn in_directory(directory: PathBuf) -> ProbeCache {
        ProbeCache { directory }
    }

    pub fn directory(&self) -> &Path {
        &self.directory
    }

    /// The entry for this compiler. `None` if it is unknown what its answers depend on.
    pub fn entry_for(&self, command: &OsStr, flags: &[OsString]) -> Option<CacheEntry> {
        let key = key::key(command, flags)?;
        Some(CacheEntry { cache: self.clone(), key, watched: Vec::new() })
    }

    /// True if the directory exists and only this user can write to it.
    pub fn is_private(&self) -> bool {
        let Ok(metadata) = fs::symlink_metadata(&self.directory) else { return false };
        metadata.is_dir() && is_of_this_user(&metadata)
    }

    /// Removes the oldest entries and incomplete files.
    fn prune(&self) {
        let Ok(files) = fs::read_dir(&self.directory) else { return };
        let now = SystemTime::now();
        let mut entries = Vec::new();
        for file in files.flatten() {
            let name = file.file_name();
            let name = name.to_string_lossy();
            let Ok(modified) = file.metadata().and_then(|metadata| metadata.modified()) else {
                continue;
            };
            if name.starts_with(ENTRY) {
                entries.push((modified, file.path()));
            } else if name.starts_with(DRAFT)
                && now.duration_since(modified).is_ok_and(|age| age > DRAFT_LIFE)
            {
                let _ = fs::remove_file(file.path());
            }
        }
        if entries.len() <= ENTRIES_LIMIT {
            return;
        }
        entries.sort();
        let surplus = entries.len() - ENTRIES_LIMIT * 3 / 4;
        for (_, path) in entries.into_iter().take(surplus) {
            let _ = fs::remove_file(path);
        }
    }
}

/// Prefix of file names.
const ENTRY: &str = "probe-";
const DRAFT: &str = ".draft-";

/// An older draft was left by a process that was stopped.
const DRAFT_LIFE: Duration = Duration::from_secs(3600);

/// An entry has about 25 kB.
const ENTRIES_LIMIT: usize = 128;

/// Larger files were not written by the cache.
const ENTRY_BYTES_LIMIT: u64 = 4 << 20;

impl CacheEntry {
    fn path(&self) -> PathBuf {
        self.cache.directory.join(format!("{ENTRY}{}", self.key))
    }

    /// The answers of the compiler, if they are in the cache and still valid.
    pub fn load(&mut self) -> Option<CompilerAnswers> {
        let path = self.path();
        let metadata = fs::symlink_metadata(&path).ok()?;
        let sound = metadata.is_file() && metadata.len() <= ENTRY_BYTES_LIMIT;
        if !sound || !is_of_this_user(&metadata) || !self.cache.is_private() {
            return None;
        }
        let entry = Entry::decode(&fs::read(&path).ok()?)?;
        if entry.key != self.key || !entry.watched.iter().all(Watched::is_as_it_was) {
            return None;
        }
        self.watched = entry.watched;
        Some(entry.compiler_answers)
    }

    /// Records what the answers depend on. `verbose_output` is the output of the compiler for `-v`.
    pub fn watch(&mut self, command: &OsStr, verbose_output: &[u8], compiler_answers: &CompilerAnswers) {
        self.watched = watch::watched(command, verbose_output, compiler_answers);
    }

    /// Stores the answers of the compiler. A failure is ignored.
    pub fn store(&self, compiler_answers: &CompilerAnswers) {
        let _ = self.try_store(compiler_answers);
        self.cache.prune();
    }

    fn try_store(&self, compiler_answers: &CompilerAnswers) -> std::io::Result<()> {
        let directory = &self.cache.directory;
        DirBuilder::new().recursive(true).mode(0o700).create(directory)?;
        if !self.cache.is_private() {
            return Ok(());
        }
        // A file with a new name, which replaces the old one when it is complete.
        let mut draft = tempfile::Builder::new().prefix(DRAFT).tempfile_in(directory)?;
        draft.write_all(&entry::encode(&self.key, &self.watched, compiler_answers))?;
        draft.persist(self.path())?;
        Ok(())
    }
}

/// True if the file belongs to the current user, and only this user can write it.
fn is_of_this_user(metadata: &Metadata) -> bool {
    let user = fs::metadata("/proc/self").map(|process| process.uid());
    // Without that directory the owner is unknown, and only the permissions are checked.
    user.map_or(true, |user| user == metadata.uid()) && metadata.mode() & 0o022 == 0
}

#[cfg(test)]
mod tests;
