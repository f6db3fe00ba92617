//! Sets aside a file that was being written while its execute block runs again.
//!
//! Input: the path, and what the file was at the checkpoint.
//! Output: the file under a name of the run, and at its path the file that the block needs; then the file
//! moved back, with its length at the checkpoint.
//! Postcondition: at every moment the file is complete under one of its two names, and the next restart finds
//! it there. Only a file that the block has opened, or an empty file, is replaced or removed.

use super::error::FileError;
use super::path::{inspect, move_to_free, sync_names, Identity, PathContent};
use crate::manifest::{Before, Condition, OpenFile};
use std::ffi::OsString;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{BufRead, BufReader};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// The process to which the files belong.
#[derive(Debug, Clone, Copy)]
pub struct RunProcess {
    pub run: u64,
    pub rank: u32,
    pub processes: u32,
}

#[derive(Debug)]
pub struct SetAsideFile {
    path: PathBuf,
    kept: PathBuf,
    /// Whether there is a file at `kept`.
    is_kept: bool,
    /// The file that was put at the path for the block.
    placed: Option<Identity>,
    condition: Condition,
    length_bytes: u64,
    /// Where the file is now that an earlier restart has left at the path.
    moved: Option<PathBuf>,
    /// Its length if that is less than at the checkpoint and the program itself may have shortened it.
    shorter_bytes: Option<u64>,
}

/// Moves the file aside if it exists. A file that `is_opened_again` since the checkpoint may have been
/// emptied. `known` files at the path are of this run.
pub fn set_aside(
    path: &Path,
    saved: &OpenFile,
    owner: RunProcess,
    is_opened_again: bool,
    known: &[Identity],
) -> Result<SetAsideFile, FileError> {
    let kept = owner.name_aside(path);
    let may_shrink = is_opened_again || saved.is_rewritten || saved.condition != Condition::Open;
    let (mut found, mut moved) = (None, None);
    owner.refuse_others(path)?;
    let is_kept = match inspect(&kept)? {
        PathContent::Other(what) => return Err(FileError::NoFile { path: kept, what }),
        PathContent::Regular(metadata) => {
            // An earlier restart ended between the two moves.
            found = Some(check_length(&kept, &metadata, saved, may_shrink)?);
            moved = clear_the_way(path, &kept, known)?;
            true
        }
        PathContent::Nothing => match inspect(path)? {
            PathContent::Other(what) => return Err(FileError::NoFile { path: path.to_owned(), what }),
            PathContent::Nothing if saved.condition == Condition::Open => {
                return Err(FileError::Missing { path: path.to_owned(), wanted: saved.length_bytes })
            }
            PathContent::Nothing => false,
            PathContent::Regular(metadata) => {
                found = Some(check_length(path, &metadata, saved, may_shrink)?);
                move_to_free(path, &kept)
                    .map_err(FileError::failed("cannot move aside, while its execute block runs,", path))?;
                true
            }
        },
    };
    sync_names(path)?;
    let mut aside = SetAsideFile {
        path: path.to_owned(),
        kept,
        is_kept,
        placed: None,
        moved,
        condition: saved.condition,
        length_bytes: saved.length_bytes,
        shorter_bytes: found
            .filter(|&found| found < saved.length_bytes && saved.condition != Condition::Gone),
    };
    aside.place(saved.before)?;
    Ok(aside)
}

impl RunProcess {
    fn prefix(self, path: &Path) -> OsString {
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(format!(".cppc-{:016x}", self.run));
        name
    }

    /// A name of this run and this process, so that no other process uses it.
    pub fn name_aside(self, path: &Path) -> PathBuf {
        let mut name = self.prefix(path);
        if self.processes > 1 {
            name.push(format!("-{}", self.rank));
        }
        path.with_file_name(name)
    }

    /// Refuses a file that another process of the run has set aside.
    fn refuse_others(self, path: &Path) -> Result<(), FileError> {
        if self.processes <= 1 {
            return Ok(());
        }
        let (mut prefix, own) = (self.prefix(path), self.rank.to_string());
        prefix.push("-");
        let others =
            path.parent().and_then(|parent| fs::read_dir(parent).ok()).into_iter().flatten().flatten();
        for entry in others {
            let name = entry.file_name();
            // A rank may be followed by a point and the number of a file that was in the way.
            let rank = name
                .as_encoded_bytes()
                .strip_prefix(prefix.as_encoded_bytes())
                .and_then(|rest| rest.split(|&byte| byte == b'.').next());
            if rank.is_some_and(|rank| rank != own.as_bytes()) {
                return Err(FileError::Shared { path: path.to_owned(), found: entry.path() });
            }
        }
        Ok(())
    }
}

/// Returns its length.
fn check_length(
    path: &Path,
    metadata: &Metadata,
    saved: &OpenFile,
    may_shrink: bool,
) -> Result<u64, FileError> {
    let (found, wanted) = (metadata.len(), saved.length_bytes);
    if !may_shrink && found < wanted {
        return Err(FileError::Shorter { path: path.to_owned(), found, wanted });
    }
    Ok(found)
}

/// Removes the file that an earlier restart has left at the path if the set-aside file begins with the same
/// bytes, or if that restart has put it there for a block. Otherwise keeps it under a free name, which is returned.
fn clear_the_way(path: &Path, kept: &Path, known: &[Identity]) -> Result<Option<PathBuf>, FileError> {
    const MOST_LEFT: u32 = 1000;
    match inspect(path)? {
        PathContent::Nothing => Ok(None),
        PathContent::Other(what) => Err(FileError::NoFile { path: path.to_owned(), what }),
        PathContent::Regular(metadata)
            if known.contains(&Identity::of(&metadata)) || is_beginning_of(path, kept) =>
        {
            fs::remove_file(path)
                .map_err(FileError::failed("cannot remove what an earlier restart has left at", path))?;
            Ok(None)
        }
        PathContent::Regular(_) => {
            let mut result = Ok(());
            let mut free = kept.to_owned();
            for number in 1..=MOST_LEFT {
                let mut name = kept.file_name().unwrap_or_default().to_owned();
                name.push(format!(".{number}"));
                free = kept.with_file_name(name);
                result = move_to_free(path, &free);
                if !matches!(&result, Err(error) if error.raw_os_error() == Some(libc::EEXIST)) {
                    break;
                }
            }
            result.map_err(FileError::failed("cannot rename the existing file", path))?;
            Ok(Some(free))
        }
    }
}

/// Whether the other file begins with all bytes of this one.
fn is_beginning_of(path: &Path, whole: &Path) -> bool {
    let open = |path: &Path| File::open(path).map(|file| BufReader::with_capacity(1 << 16, file));
    let (Ok(mut part), Ok(mut whole)) = (open(path), open(whole)) else { return false };
    loop {
        let (Ok(left), Ok(right)) = (part.fill_buf(), whole.fill_buf()) else { return false };
        if left.is_empty() {
            return true;
        }
        let count = left.len().min(right.len());
        if count == 0 || left[..count] != right[..count] {
            return false;
        }
        part.consume(count);
        whole.consume(count);
    }
}

impl SetAsideFile {
    /// The file that was put at the path for the block.
    pub fn placed(&self) -> Option<Identity> {
        self.placed
    }

    /// The message about a file that was left by an earlier restart and is kept.
    pub fn note_moved(&self) -> Option<String> {
        let moved = self.moved.as_ref()?;
        Some(format!(
            "`{}` was left by a restart that was stopped, and is now `{}`: remove it if the program does not need it",
            self.path.display(),
            moved.display()
        ))
    }

    /// The message if a file has less content than at the checkpoint and the run continues.
    pub fn note(&self) -> Option<String> {
        let (path, wanted) = (self.path.display(), self.length_bytes);
        match (self.condition, self.shorter_bytes) {
            (Condition::Closed, None) if !self.is_kept => {
                Some(format!("`{path}` is missing, although the program had written and closed it before the checkpoint"))
            }
            (Condition::Closed, Some(found)) => {
                Some(format!("`{path}` has {found} bytes, but {wanted} when the program had closed it before the checkpoint"))
            }
            (Condition::Open, Some(found)) => Some(format!(
                "`{path}` has {found} bytes, but {wanted} at the checkpoint: the others are zeros until the program has rewritten it"
            )),
            _ => None,
        }
    }

    /// Puts the file that the block needs at the path.
    fn place(&mut self, before: Before) -> Result<(), FileError> {
        if before == Before::Missing {
            return Ok(());
        }
        let failed = || FileError::failed("cannot put a file for the execute block at", &self.path);
        let mut file = OpenOptions::new().write(true).create_new(true).open(&self.path).map_err(failed())?;
        if before == Before::Kept && self.is_kept {
            let mut from = File::open(&self.kept).map_err(FileError::failed("cannot read", &self.kept))?;
            std::io::copy(&mut from, &mut file).map_err(failed())?;
            file.set_len(self.length_bytes).map_err(failed())?;
        }
        self.placed = Some(Identity::of(&file.metadata().map_err(failed())?));
        Ok(())
    }

    /// Moves the file back, truncated to its length at the checkpoint. `opened` is the file that the block
    /// has opened.
    pub fn put_back(self, opened: Option<Identity>) -> Result<(), FileError> {
        if self.is_kept {
            self.cut()?;
        }
        match inspect(&self.path)? {
            PathContent::Nothing if self.is_kept => {
                move_to_free(&self.kept, &self.path)
                    .map_err(FileError::failed("cannot move back", &self.kept))?;
            }
            PathContent::Nothing => {}
            PathContent::Regular(metadata) if self.is_throw_away(&metadata, opened) => {
                if self.is_kept {
                    fs::rename(&self.kept, &self.path)
                        .map_err(FileError::failed("cannot move back", &self.kept))?;
                } else {
                    fs::remove_file(&self.path).map_err(FileError::failed("cannot remove", &self.path))?;
                }
            }
            PathContent::Regular(_) | PathContent::Other(_) if self.is_kept => {
                return Err(FileError::InTheWay { path: self.path, kept: self.kept });
            }
            PathContent::Regular(_) | PathContent::Other(_) => {}
        }
        sync_names(&self.path)
    }

    /// A file that the block has closed leaves no handle. What is at the path then was made by the block, because the
    /// path was cleared before it.
    fn is_throw_away(&self, metadata: &Metadata, opened: Option<Identity>) -> bool {
        let found = Some(Identity::of(metadata));
        let is_closed_by_block = opened.is_none() && self.condition != Condition::Open;
        is_closed_by_block || found == opened || found == self.placed
    }

    fn cut(&self) -> Result<(), FileError> {
        let PathContent::Regular(metadata) = inspect(&self.kept)? else { return Ok(()) };
        let is_so_long = match self.condition {
            Condition::Open => metadata.len() == self.length_bytes,
            _ => metadata.len() <= self.length_bytes,
        };
        if self.condition == Condition::Gone || is_so_long {
            return Ok(());
        }
        let file = OpenOptions::new().write(true).custom_flags(libc::O_NOFOLLOW).open(&self.kept);
        let cut = file.and_then(|file| {
            file.set_len(self.length_bytes)?;
            file.sync_all()
        });
        cut.map_err(FileError::failed("cannot cut", &self.kept))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::manifest::{Access, Handle};

    #[test]
    fn a_file_in_the_way_is_kept_and_reported() {
        let path = std::env::temp_dir().join(format!("cppc-aside-in-the-way-{}", std::process::id()));
        let owner = RunProcess { run: 7, rank: 0, processes: 1 };
        let kept = owner.name_aside(&path);
        let saved = OpenFile {
            name: path.display().to_string(),
            handle: Handle::Stream,
            condition: Condition::Open,
            access: Access::Writing,
            before: Before::Missing,
            is_at_end: false,
            is_rewritten: false,
            length_bytes: 3,
            position_bytes: 3,
        };
        let again = |content: &str, known: &[Identity]| {
            fs::write(&path, content).unwrap();
            set_aside(&path, &saved, owner, false, known).unwrap().note_moved()
        };
        fs::write(&kept, "abc").unwrap();
        assert_eq!(again("ab", &[]), None);
        let note = again("other", &[]).unwrap_or_default();
        let moved = PathBuf::from(format!("{}.1", kept.display()));
        assert!(note.contains(&format!("`{}`", moved.display())), "{note}");
        assert_eq!(fs::read(&moved).unwrap(), b"other");
        // The file that the stopped restart has put there.
        fs::write(&path, "copy").unwrap();
        let placed = Identity::of(&fs::metadata(&path).unwrap());
        assert_eq!(again("copy and more", &[placed]), None);
        assert!(!path.exists());
        fs::remove_file(&kept).unwrap();
        fs::remove_file(&moved).unwrap();
    }
}
