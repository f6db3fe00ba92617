//! What compilers told, kept on disk from one run to the next.
//!
//! In: a compiler, its flags and the environment. Out: what it told when it was asked the same
//! before, as long as everything it told that from is as it was. Holds afterwards: whatever is wrong
//! with the cache is a miss and nothing worse; a file in it is whole; no symbolic link is followed
//! in writing, and nothing is believed that another user could have written.

mod entry;
mod key;
mod watch;

use std::ffi::{OsStr, OsString};
use std::fs::{self, DirBuilder, Metadata};
use std::io::Write as _;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::told::Told;
use entry::Entry;
use watch::Watched;

/// A directory for what compilers told.
#[derive(Debug, Clone)]
pub struct ProbeCache {
    directory: PathBuf,
}

/// The place in a cache of one compiler under certain flags.
#[derive(Debug)]
pub struct Kept {
    cache: ProbeCache,
    key: String,
    watched: Vec<Watched>,
}

impl ProbeCache {
    /// The user's: `CPPC_PP_CACHE`, which is `off` or a directory; or else `cppc` in the directory that
    /// the system has for caches.
    pub fn of_environment() -> Option<ProbeCache> {
        let variable = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        let directory = match variable("CPPC_PP_CACHE") {
            Some(said) if said == "off" => return None,
            Some(said) => PathBuf::from(said),
            None => {
                let home = || variable("HOME").map(|home| Path::new(&home).join(".cache"));
                let caches = variable("XDG_CACHE_HOME").map(PathBuf::from);
                // A relative path there is to be passed over.
                caches.filter(|path| path.is_absolute()).or_else(home)?.join("cppc")
            }
        };
        directory.is_absolute().then_some(ProbeCache { directory })
    }

    pub fn in_directory(directory: PathBuf) -> ProbeCache {
        ProbeCache { directory }
    }

    /// Where what this compiler tells belongs; nowhere when it cannot be known what that depends on.
    pub fn place(&self, command: &OsStr, flags: &[OsString]) -> Option<Kept> {
        let key = key::key(command, flags)?;
        Some(Kept { cache: self.clone(), key, watched: Vec::new() })
    }

    /// The directory is there, and nobody else writes to it.
    fn is_ours(&self) -> bool {
        let Ok(metadata) = fs::symlink_metadata(&self.directory) else { return false };
        metadata.is_dir() && is_of_this_user(&metadata)
    }

    /// Makes room: the oldest go, and what was left half written.
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

/// What file names begin with.
const ENTRY: &str = "probe-";
const DRAFT: &str = ".draft-";

/// A draft that is older belongs to nobody any more.
const DRAFT_LIFE: Duration = Duration::from_secs(3600);

/// Each entry has some 25 kB.
const ENTRIES_LIMIT: usize = 128;

/// Files that are larger are none of ours.
const ENTRY_BYTES_LIMIT: u64 = 4 << 20;

impl Kept {
    fn path(&self) -> PathBuf {
        self.cache.directory.join(format!("{ENTRY}{}", self.key))
    }

    /// What the compiler told, if that is known and still holds.
    pub fn load(&mut self) -> Option<Told> {
        let path = self.path();
        let metadata = fs::symlink_metadata(&path).ok()?;
        let sound = metadata.is_file() && metadata.len() <= ENTRY_BYTES_LIMIT;
        if !sound || !is_of_this_user(&metadata) || !self.cache.is_ours() {
            return None;
        }
        let entry = Entry::decode(&fs::read(&path).ok()?)?;
        if entry.key != self.key || !entry.watched.iter().all(Watched::is_as_it_was) {
            return None;
        }
        self.watched = entry.watched;
        Some(entry.told)
    }

    /// Notes what the answers came from: `said` is what the compiler told with `-v`.
    pub fn watch(&mut self, command: &OsStr, said: &[u8], told: &Told) {
        self.watched = watch::watched(command, said, told);
    }

    /// Keeps what the compiler told. It is no harm when that fails.
    pub fn store(&self, told: &Told) {
        let _ = self.try_store(told);
        self.cache.prune();
    }

    fn try_store(&self, told: &Told) -> std::io::Result<()> {
        let directory = &self.cache.directory;
        DirBuilder::new().recursive(true).mode(0o700).create(directory)?;
        if !self.cache.is_ours() {
            return Ok(());
        }
        // A file of a new name, which takes the place of the old one when it is whole.
        let mut draft = tempfile::Builder::new().prefix(DRAFT).tempfile_in(directory)?;
        draft.write_all(&entry::encode(&self.key, &self.watched, told))?;
        draft.persist(self.path())?;
        Ok(())
    }
}

/// It belongs to who runs this, and only they can write it.
fn is_of_this_user(metadata: &Metadata) -> bool {
    let user = fs::metadata("/proc/self").map(|process| process.uid());
    // Without that directory the permissions have to do.
    user.map_or(true, |user| user == metadata.uid()) && metadata.mode() & 0o022 == 0
}

#[cfg(test)]
mod tests;
