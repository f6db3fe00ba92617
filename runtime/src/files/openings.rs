//! The files that blocks have opened since the newest checkpoint.
//!
//! Input: the name of a file before a block opens it, and its state then.
//! Output: a list in the directory of the process. In a restart, files that the lost run has opened since the
//! checkpoint get their earlier state back when a block opens them again.
//! Postcondition: a file is truncated or removed only if the list names its device and inode, or if it is
//! empty. A list of another run, and lines of another form, are ignored.
//!
//! A line is `LINE BEFORE DEVICE INODE PATH`: the newest recovery line, the length of the file (`-`: it did
//! not exist), its identity after the block (`- -` in a line that is written before the block), and its path.

use super::error::FileError;
use super::path::{inspect, sync_names, Identity, PathContent};
use crate::storage::descriptor::OwnDescriptor;
use crate::storage::Directory;
use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs::{self, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// The largest size that is read. A larger list was not written by the runtime.
const MOST_BYTES: u64 = 256 << 20;
/// A shorter list is not rewritten.
const LEAST_LINES: usize = 1000;

#[derive(Debug, Default)]
pub struct Openings {
    list: Option<OpeningsFile>,
    /// The same list in the mirror. It is used if the directory is lost.
    copy: Option<OpeningsFile>,
    /// The newest recovery line that was begun.
    line: u64,
    /// What was added to the list since then.
    noted: HashSet<(PathBuf, Option<Identity>)>,
    /// The lines of the list, for the next time that it is rewritten.
    lines: Vec<(u64, String)>,
    lost: HashMap<PathBuf, Opening>,
}

#[derive(Debug)]
struct OpeningsFile {
    directory: Directory,
    run: u64,
    file: Option<OwnDescriptor>,
}

/// A file that the lost run has opened after the checkpoint.
#[derive(Debug, Default)]
pub struct Opening {
    length_before: Option<u64>,
    /// Whether a block has opened it. Otherwise a stopped restart has only put a file at the path for a block.
    is_by_block: bool,
    identities: Vec<Identity>,
}

impl Openings {
    /// `resumed` is the recovery line from which the run continues. Files that were opened before it do not
    /// matter.
    ///
    /// # Errors
    /// The list exists and cannot be read. Without it, the files that the lost run has emptied or created since
    /// the checkpoint would stay as they are.
    pub fn start(directory: Directory, run: u64, resumed: Option<u64>) -> Result<Openings, FileError> {
        let path = directory.openings();
        let found = match (resumed.map(|_| read(&path)), directory.mirror()) {
            (Some(Err(error)), Some(mirror)) if error.kind() == io::ErrorKind::NotFound => {
                Some(read(&mirror.openings()))
            }
            (found, _) => found,
        };
        let text = match found {
            Some(Err(error)) if error.kind() != io::ErrorKind::NotFound => {
                return Err(FileError::failed("cannot read", &path)(error))
            }
            Some(Ok(text)) => text,
            Some(Err(_)) | None => String::new(),
        };
        let line = resumed.unwrap_or(0);
        let mut openings = Openings { line, ..Openings::default() };
        let mut lines = text.split_inclusive('\n').filter(|line| line.ends_with('\n'));
        if lines.next() == Some(&*heading(run)) {
            let since = lines.filter_map(parse).filter(|(begun, ..)| *begun >= line);
            for (_, length_before, identity, path) in since {
                openings.lines.push((line, line_text(line, length_before, identity, &path)));
                let opening = openings.lost.entry(path).or_insert(Opening {
                    length_before,
                    is_by_block: false,
                    identities: Vec::new(),
                });
                opening.is_by_block |= identity.is_none();
                opening.identities.extend(identity);
            }
        }
        let copy = |mirror: &Directory| OpeningsFile { directory: mirror.clone(), run, file: None };
        openings.copy = directory.mirror().map(copy);
        openings.list = Some(OpeningsFile { directory, run, file: None });
        Ok(openings)
    }

    /// The files that the lost run has opened, in no order.
    pub fn lost(&self) -> impl Iterator<Item = &Path> {
        self.lost.keys().map(PathBuf::as_path)
    }

    /// In a restart: the state file describes the file. Returns whether the lost run has opened it again, and the files
    /// that it or a stopped restart has had at the path.
    pub fn forget(&mut self, path: &Path) -> (bool, Vec<Identity>) {
        self.lost.remove(path).map(|opening| (opening.is_by_block, opening.identities)).unwrap_or_default()
    }

    /// A recovery line is begun. `oldest` returns the oldest line from which a restart may continue.
    pub fn begin_line(&mut self, line: u64, oldest: impl FnOnce() -> u64) -> io::Result<()> {
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
        if let Some(copy) = &mut self.copy {
            // A mirror that cannot be written is reported when a line is copied.
            let _ = copy.write_anew(&self.lines);
        }
        self.list.as_mut().map_or(Ok(()), |place| place.write_anew(&self.lines))
    }

    /// A block is going to open the file: undoes what the lost run has done to it. Returns a message about
    /// what could not be undone.
    pub fn undo(&mut self, path: &Path) -> Result<Option<String>, FileError> {
        self.lost.remove(path).map_or(Ok(None), |opening| opening.undo(path))
    }

    /// A block is going to open the file, or has opened it.
    pub fn note(
        &mut self,
        path: &Path,
        length_before: Option<u64>,
        opened: Option<Identity>,
    ) -> io::Result<()> {
        // Without a line to resume from, nothing can be lost.
        let Some(place) = self.list.as_mut().filter(|_| self.line > 0) else { return Ok(()) };
        if !self.noted.insert((path.to_owned(), opened)) {
            return Ok(());
        }
        let text = line_text(self.line, length_before, opened, path);
        let appended = place.append(&text, &self.lines);
        if let Some(copy) = &mut self.copy {
            // As in `begin_line`.
            let _ = copy.append(&text, &self.lines).and_then(|()| copy.sync());
        }
        self.lines.push((self.line, text));
        appended?;
        // The list must be on the disk before what the program writes to the file.
        if opened.is_some() {
            place.sync()
        } else {
            Ok(())
        }
    }
}

impl Opening {
    fn undo(&self, path: &Path) -> Result<Option<String>, FileError> {
        let PathContent::Regular(metadata) = inspect(path)? else { return Ok(None) };
        let is_known = self.identities.contains(&Identity::of(&metadata));
        match self.length_before {
            // A restart that was stopped during a block may have left an empty file that is not in the list.
            None if is_known || metadata.len() == 0 => {
                fs::remove_file(path).map_err(FileError::failed(
                    "cannot remove what was opened after the checkpoint,",
                    path,
                ))?;
            }
            Some(length) if is_known && metadata.len() > length => {
                let file = OpenOptions::new().write(true).custom_flags(libc::O_NOFOLLOW).open(path);
                file.and_then(|file| file.set_len(length)).map_err(FileError::failed("cannot cut", path))?;
            }
            _ if !is_known && !self.identities.is_empty() => {
                let shown = path.display();
                return Ok(Some(format!(
                    "`{shown}` is not the file that was opened after the checkpoint: it is left as it is"
                )));
            }
            // The program may have been stopped within the block, before it was known what the block had opened.
            before if self.identities.is_empty() && before.is_none_or(|length| metadata.len() > length) => {
                let (path, length) = (path.display(), metadata.len());
                let before =
                    before.map_or("did not exist".to_owned(), |before| format!("had {before} bytes"));
                return Ok(Some(format!(
                    "`{path}` {before} when an execute block of the killed run began, and has {length} bytes now: it is left as it is; if that \
                     block was writing it, stop the program, bring the file back to its earlier state, and start again"
                )));
            }
            _ => return Ok(None),
        }
        sync_names(path)?;
        Ok(None)
    }
}

impl OpeningsFile {
    fn append(&mut self, text: &str, earlier: &[(u64, String)]) -> io::Result<()> {
        if let Some(file) = self.file.as_ref().filter(|file| file.is_open()) {
            // If this fails, the program may have closed the runtime's descriptor, or an earlier append may
            // be incomplete.
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

    /// Replaces the whole list, which stays open.
    fn write_anew(&mut self, lines: &[(u64, String)]) -> io::Result<()> {
        self.file = None;
        self.directory.make()?;
        let path = self.directory.openings();
        let temporary = path.with_extension("tmp");
        match fs::remove_file(&temporary) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let file = OwnDescriptor::new(
            OpenOptions::new().append(true).create_new(true).mode(0o666).open(&temporary)?,
        )?;
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
    // A truncated line may end within a character.
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

fn line_text(line: u64, length_before: Option<u64>, opened: Option<Identity>, path: &Path) -> String {
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
    let path = unescape(words.next()?)?;
    (words.next().is_none() && path.is_absolute()).then_some((begun, length_before, identity, path))
}

fn unescape(escaped: &str) -> Option<PathBuf> {
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
        for (before, identity) in
            [(None, None), (Some(0), None), (Some(7), Some(Identity { device: 1, inode: u64::MAX }))]
        {
            assert_eq!(
                parse(&line_text(3, before, identity, path)),
                Some((3, before, identity, path.to_owned()))
            );
        }
        for wrong in [
            "",
            "3",
            "3 - - -",
            "3 - 1 - /a",
            "x - - - /a",
            "3 - - - a",
            "3 - - - /a b",
            "3 - - - /%",
            "3 - - - /%4",
        ] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_block_that_was_interrupted_after_the_checkpoint_is_reported() {
        let path = std::env::temp_dir().join(format!("cppc-openings-interrupted-{}", std::process::id()));
        fs::write(&path, "abc and more").unwrap();
        for (length_before, expected) in [(Some(3), "had 3 bytes"), (None, "did not exist")] {
            let opening = Opening { length_before, is_by_block: true, identities: Vec::new() };
            let note = opening.undo(&path).unwrap().unwrap_or_default();
            assert!(note.contains(expected) && note.contains("has 12 bytes now"), "{note}");
        }
        let unchanged = Opening { length_before: Some(12), is_by_block: true, identities: Vec::new() };
        assert_eq!(unchanged.undo(&path).unwrap(), None);
        assert_eq!(fs::read(&path).unwrap(), b"abc and more");
        fs::remove_file(&path).unwrap();
    }
}
