//! Faults of state files.
//!
//! Input: a state directory after a kill.
//! Output: the same directory, in which a file is missing, damaged, or replaced by the file of another
//! program.
//! Postcondition: only the named files have changed.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// The state files of one rank, oldest first.
pub fn lines_of(state: &Path, rank: u32) -> Result<Vec<PathBuf>> {
    let own = format!("rank-{rank:04}");
    let mut lines = all_files(state)?;
    lines.retain(|path| {
        let in_own = path.parent().is_some_and(|parent| parent.ends_with(&own));
        in_own && path.extension().is_some_and(|extension| extension == "cppc")
    });
    lines.sort();
    Ok(lines)
}

/// The newest state file of one rank.
pub fn newest_of(state: &Path, rank: u32) -> Result<PathBuf> {
    let lines = lines_of(state, rank)?;
    lines.last().cloned().with_context(|| format!("no state file of rank {rank}"))
}

/// Every file below a directory. The list is empty if the directory does not exist.
pub fn all_files(directory: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let Ok(entries) = std::fs::read_dir(directory) else { return Ok(files) };
    for entry in entries {
        let path = entry?.path();
        match path.is_dir() {
            true => files.extend(all_files(&path)?),
            false => files.push(path),
        }
    }
    Ok(files)
}

/// Removes all files that one rank has written.
pub fn lose(state: &Path, rank: u32) -> Result<()> {
    for line in lines_of(state, rank)? {
        std::fs::remove_file(line)?;
    }
    Ok(())
}

/// Whether some process has a marker file for a complete recovery line.
pub fn had_a_complete_line(state: &Path) -> Result<bool> {
    let is_mark =
        |path: &PathBuf| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("complete-"));
    Ok(all_files(state)?.iter().any(is_mark))
}

/// Flips one bit, at this fraction of the file's length.
pub fn flip_bit(path: &Path, part: f64) -> Result<()> {
    let mut bytes = std::fs::read(path)?;
    let place = ((bytes.len() - 1) as f64 * part) as usize;
    bytes[place] ^= 0x10;
    std::fs::write(path, bytes)?;
    Ok(())
}

/// Truncates a file to this fraction of its length.
pub fn cut(path: &Path, part: f64) -> Result<()> {
    let mut bytes = std::fs::read(path)?;
    bytes.truncate((bytes.len() as f64 * part) as usize);
    std::fs::write(path, bytes)?;
    Ok(())
}

/// Gives a file a newer version number. Its header is valid otherwise.
pub fn raise_version(path: &Path) -> Result<()> {
    const VERSION: std::ops::Range<usize> = 8..10;
    const HEADER_BYTES: usize = 64;
    let mut bytes = std::fs::read(path)?;
    let version = u16::from_le_bytes([bytes[8], bytes[9]]);
    bytes[VERSION].copy_from_slice(&(version + 1).to_le_bytes());
    let (covered, rest) = bytes[..HEADER_BYTES].split_at_mut(HEADER_BYTES - 4);
    rest.copy_from_slice(&crc32fast::hash(covered).to_le_bytes());
    std::fs::write(path, bytes)?;
    Ok(())
}

/// Removes a state directory and creates it again, empty.
pub fn forget(state: &Path) -> Result<()> {
    if state.exists() {
        std::fs::remove_dir_all(state)?;
    }
    Ok(())
}
