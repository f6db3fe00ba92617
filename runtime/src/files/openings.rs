//! What blocks have opened since the newest checkpoint.
//!
//! In: the name of a file before a block opens it, and which file it was then. Out: a list beside the state files; after a
//! restart, files that the lost run has opened since the checkpoint are what they were before, once a block comes to open
//! them again. Holds afterwards: nothing is cut or removed but a file that the list knows by its device and inode, or an
//! empty one; a list of another run, and what is no line of it, counts for nothing.
//!
//! A line is `LINE BEFORE DEVICE INODE PATH`: the newest recovery line, how long the file was (`-`: not there), which it
//! was after the block (`- -` in a line that is written before the block), and its path.

use super::error::FileError;
use super::place::{look, sync_names, Found, Identity};
use crate::storage::descriptor::Own;
use crate::storage::Directory;
use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs::{self, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// More is not read: then the list was not ours.
const MOST_BYTES: u64 = 256 << 20;
/// A shorter list is not worth writing anew.
const LEAST_LINES: usize = 1000;

#[derive(Debug, Default)]
pub struct Openings {
    place: Option<Place>,
    /// The newest recovery line that was begun.
    line: u64,
    /// What the list says since then.
    noted: HashSet<(PathBuf, Option<Identity>)>,
    /// What the list says, line by line, for the next time that it is written anew.
    lines: Vec<(u64, String)>,
    lost: HashMap<PathBuf, Opening>,
}

#[derive(Debug)]
struct Place {
    directory: Directory,
    run: u64,
    file: Option<Own>,
}

/// A file that the lost run has opened after the checkpoint.
#[derive(Debug, Default)]
pub struct Opening {
    length_before: Option<u64>,
    identities: Vec<Identity>,
}

impl Openings {
    /// `resumed` is the recovery line that the run goes on from; what was opened before it does not matter.
    pub fn start(directory: Directory, run: u64, resumed: Option<u64>) -> Openings {
        let text = resumed.and_then(|_| read(&directory.openings()).ok()).unwrap_or_default();
        let line = resumed.unwrap_or(0);
        let mut openings = Openings { line, ..Openings::default() };
        let mut lines = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
        if lines.next() == Some(&*heading(run)) {
            let since = lines.filter_map(parse).filter(|(begun, ..)| *begun >= line);
            for (_, length_before, identity, path) in since {
                openings.lines.push((line, spelled(line, length_before, identity, &path)));
                let opening = openings.lost.entry(path).or_insert(Opening { length_before, identities: Vec::new() });
                opening.identities.extend(identity);
            }
        }
        openings.place = Some(Place { directory, run, file: None });
        openings
    }

    /// What the lost run has opened, in some order.
    pub fn lost(&self) -> impl Iterator<Item = &Path> {
        self.lost.keys().map(PathBuf::as_path)
    }

    /// In a restart: what the file was is in the state file. Returns whether the lost run has opened it again.
    pub fn forget(&mut self, path: &Path) -> bool {
        self.lost.remove(path).is_some()
    }

    /// A recovery line is begun; the oldest one that a restart may go on from.
    pub fn reached(&mut self, line: u64, oldest: impl FnOnce() -> u64) -> io::Result<()> {
        self.line = line;
        self.noted.clear();
        if self.lines.len() < LEAST_LINES {
            return Ok(());
        }
        let oldest = oldest();
        let useless = self.lines.iter().filter(|(begun, _)| *begun < oldest).count();
        if 2 * useless < self.lines.len() {
            return Ok(());
        }
        self.lines.retain(|(begun, _)| *begun >= oldest);
        self.place.as_mut().map_or(Ok(()), |place| place.write_anew(&self.lines))
    }

    /// A block is going to open the file: what the lost run has done to it is undone. Says what it could not do.
    pub fn undo(&mut self, path: &Path) -> Result<Option<String>, FileError> {
        self.lost.remove(path).map_or(Ok(None), |opening| opening.undo(path))
    }

    /// A block is going to open the file, or has opened it.
    pub fn note(&mut self, path: &Path, length_before: Option<u64>, opened: Option<Identity>) -> io::Result<()> {
        // Before there is a line to go on from, nothing can be lost.
        let Some(place) = self.place.as_mut().filter(|_| self.line > 0) else { return Ok(()) };
        if !self.noted.insert((path.to_owned(), opened)) {
            return Ok(());
        }
        let text = spelled(self.line, length_before, opened, path);
        let appended = place.append(&text, &self.lines);
        self.lines.push((self.line, text));
        appended?;
        // What the program writes into the file must not reach the disk before the line.
        if opened.is_some() { place.sync() } else { Ok(()) }
    }
}

impl Opening {
    fn undo(&self, path: &Path) -> Result<Option<String>, FileError> {
        let Found::Regular(metadata) = look(path)? else { return Ok(None) };
        let is_known = self.identities.contains(&Identity::of(&metadata));
        match self.length_before {
            // A restart that was stopped between a block and its end may have left an empty one that is not known.
            None if is_known || metadata.len() == 0 => {
                fs::remove_file(path).map_err(FileError::failed("cannot remove what was opened after the checkpoint,", path))?;
            }
            Some(length) if is_known && metadata.len() > length => {
                let file = OpenOptions::new().write(true).custom_flags(libc::O_NOFOLLOW).open(path);
                file.and_then(|file| file.set_len(length)).map_err(FileError::failed("cannot cut", path))?;
            }
            _ if !is_known && !self.identities.is_empty() => {
                let shown = path.display();
                return Ok(Some(format!("`{shown}` is not the file that was opened after the checkpoint: it is left as it is")));
            }
            _ => return Ok(None),
        }
        sync_names(path)?;
        Ok(None)
    }
}

impl Place {
    fn append(&mut self, text: &str, earlier: &[(u64, String)]) -> io::Result<()> {
        if let Some(file) = self.file.as_ref().filter(|file| file.is_open()) {
            // The program may have closed our descriptor with all others, or an earlier append may have been cut short.
            if (&**file).write_all(text.as_bytes()).is_ok() {
                return Ok(());
            }
        }
        self.write_anew(earlier)?;
        self.file.as_ref().map_or(Ok(()), |file| (&**file).write_all(text.as_bytes()))
    }

    fn sync(&mut self) -> io::Result<()> {
        self.file.as_ref().map_or(Ok(()), |file| file.sync_data())
    }

    /// The list is replaced as a whole, and open from then on.
    fn write_anew(&mut self, lines: &[(u64, String)]) -> io::Result<()> {
        self.file = None;
        self.directory.make()?;
        let path = self.directory.openings();
        let temporary = path.with_extension("tmp");
        match fs::remove_file(&temporary) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let file = Own::new(OpenOptions::new().append(true).create_new(true).mode(0o666).open(&temporary)?)?;
        let text: String = lines.iter().map(|(_, text)| text.as_str()).collect();
        (&*file).write_all(format!("{}{text}", heading(self.run)).as_bytes())?;
        file.sync_data()?;
        fs::rename(&temporary, &path)?;
        self.directory.sync()?;
        self.file = Some(file);
        Ok(())
    }
}

fn heading(run: u64) -> String {
    format!("cppc openings 1 {run:016x}\n")
}

fn read(path: &Path) -> io::Result<String> {
    let file = OpenOptions::new().read(true).custom_flags(libc::O_NOFOLLOW | libc::O_NONBLOCK).open(path)?;
    let mut bytes = Vec::new();
    if !file.metadata()?.is_file() || file.take(MOST_BYTES).read_to_end(&mut bytes)? as u64 == MOST_BYTES {
        return Err(io::Error::from_raw_os_error(libc::EINVAL));
    }
    // A line that was cut short may end within a character.
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn spelled(line: u64, length_before: Option<u64>, opened: Option<Identity>, path: &Path) -> String {
    let number = |number: Option<u64>| number.map_or("-".to_owned(), |number| number.to_string());
    let (device, inode) = (opened.map(|found| found.device), opened.map(|found| found.inode));
    let mut text = format!("{line} {} {} {} ", number(length_before), number(device), number(inode));
    for &byte in path.as_os_str().as_bytes() {
        match byte {
            b'%' | 0..=b' ' | 0x7f.. => drop(write!(text, "%{byte:02x}")),
            _ => text.push(char::from(byte)),
        }
    }
    text.push('\n');
    text
}

fn parse(line: &str) -> Option<(u64, Option<u64>, Option<Identity>, PathBuf)> {
    let mut words = line.trim_end_matches('\n').split(' ');
    let begun = words.next()?.parse().ok()?;
    let mut number = || match words.next()? {
        "-" => Some(None),
        digits => digits.parse().ok().map(Some),
    };
    let (length_before, device, inode) = (number()?, number()?, number()?);
    let identity = match (device, inode) {
        (Some(device), Some(inode)) => Some(Identity { device, inode }),
        (None, None) => None,
        _ => return None,
    };
    let path = plain(words.next()?)?;
    (words.next().is_none() && path.is_absolute()).then_some((begun, length_before, identity, path))
}

fn plain(escaped: &str) -> Option<PathBuf> {
    let mut pieces = escaped.split('%');
    let mut bytes = pieces.next()?.as_bytes().to_vec();
    for piece in pieces {
        bytes.push(u8::from_str_radix(piece.get(..2)?, 16).ok()?);
        bytes.extend_from_slice(piece.get(2..)?.as_bytes());
    }
    Some(PathBuf::from(OsString::from_vec(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_they_were_written() {
        let path = Path::new(std::ffi::OsStr::from_bytes(b"/a b/50%/\xff\n"));
        for (before, identity) in [(None, None), (Some(0), None), (Some(7), Some(Identity { device: 1, inode: u64::MAX }))] {
            assert_eq!(parse(&spelled(3, before, identity, path)), Some((3, before, identity, path.to_owned())));
        }
        for wrong in ["", "3", "3 - - -", "3 - 1 - /a", "x - - - /a", "3 - - - a", "3 - - - /a b", "3 - - - /%", "3 - - - /%4"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }
}
