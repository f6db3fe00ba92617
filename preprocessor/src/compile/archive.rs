//! Reads the records in objects and archives, and replaces objects in archives.
//!
//! Input: files on the linker's command line.
//! Output: their objects with the records; archives with some objects replaced.
//! Postcondition: a file that is neither an object nor an archive is left to the linker, and an archive keeps
//! the order of its members.

use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use object::read::archive::ArchiveFile;
use object::{Object, ObjectKind, ObjectSection};

use super::record::{Record, SECTION};
use super::temporary::{cannot_write, TemporaryDirectory};
use super::{response, Failure};

/// A file on the linker's command line that contains objects.
pub struct LinkedFile {
    pub path: PathBuf,
    pub is_archive: bool,
    pub members: Vec<Member>,
}

pub struct Member {
    /// The name that diagnostics use.
    pub shown: String,
    pub records: Vec<Record>,
    /// The object that replaces it.
    pub replacement: Option<PathBuf>,
}

impl LinkedFile {
    /// Opens the file. Returns `None` for a file that only the linker can read.
    pub fn open(path: &Path) -> Option<LinkedFile> {
        let bytes = std::fs::read(path).ok()?;
        let mut linked = LinkedFile { path: path.to_owned(), is_archive: false, members: Vec::new() };
        if bytes.starts_with(b"\x7fELF") {
            linked.members.push(Member::of(path.display().to_string(), &bytes)?);
        } else {
            linked.is_archive = true;
            for (name, content) in contents(path, &bytes)? {
                let shown = format!("{}({})", path.display(), name.to_string_lossy());
                let nothing = || Member { shown: shown.clone(), records: Vec::new(), replacement: None };
                linked.members.push(Member::of(shown.clone(), &content).unwrap_or_else(nothing));
            }
        }
        Some(linked)
    }

    /// The path to link instead: the replaced object, or a new archive that contains it.
    pub fn replaced(&self, temporary: &TemporaryDirectory) -> Result<PathBuf, Failure> {
        match self.members.as_slice() {
            members if members.iter().all(|member| member.replacement.is_none()) => Ok(self.path.clone()),
            [Member { replacement: Some(object), .. }] if !self.is_archive => Ok(object.clone()),
            _ => self.archive_again(temporary),
        }
    }

    fn archive_again(&self, temporary: &TemporaryDirectory) -> Result<PathBuf, Failure> {
        let failed = |what: &str| Failure::CannotRun(format!("cannot {what} `{}`", self.path.display()));
        let bytes = std::fs::read(&self.path).map_err(|_| failed("read"))?;
        let contents = contents(&self.path, &bytes).ok_or_else(|| failed("read"))?;
        let mut files = Vec::new();
        for ((name, content), member) in contents.into_iter().zip(&self.members) {
            let file = temporary.new_path(&name)?;
            let written = match &member.replacement {
                Some(object) => std::fs::copy(object, &file).map(|_| ()),
                None => std::fs::write(&file, content),
            };
            written.map_err(|error| cannot_write(&file, &error))?;
            files.push(file.into_os_string());
        }
        let archive = temporary.new_path(self.path.file_name().unwrap_or_default())?;
        let list = temporary.new_path("members".as_ref())?;
        std::fs::write(&list, response::content(&files)).map_err(|error| cannot_write(&list, &error))?;
        let mut at_list = OsString::from("@");
        at_list.push(&list);
        let archiver = std::env::var_os("AR").unwrap_or_else(|| "ar".into());
        let status = Command::new(&archiver).arg("qcs").arg(&archive).arg(at_list).status();
        match status {
            Ok(status) if status.success() => Ok(archive),
            Ok(_) => Err(failed("re-create")),
            Err(error) => {
                Err(Failure::CannotRun(format!("cannot run `{}`: {error}", archiver.to_string_lossy())))
            }
        }
    }
}

impl Member {
    fn of(shown: String, bytes: &[u8]) -> Option<Member> {
        let file = object::File::parse(bytes).ok()?;
        if file.kind() != ObjectKind::Relocatable {
            return None;
        }
        let section = file.section_by_name(SECTION).and_then(|section| section.data().ok());
        let records = section.and_then(Record::decode_all).unwrap_or_default();
        Some(Member { shown, records, replacement: None })
    }
}

/// The members of an archive. Members of a thin archive are read from their own files.
fn contents(path: &Path, bytes: &[u8]) -> Option<Vec<(OsString, Vec<u8>)>> {
    let archive = ArchiveFile::parse(bytes).ok()?;
    let mut contents = Vec::new();
    for member in archive.members() {
        let member = member.ok()?;
        let name = PathBuf::from(OsString::from_vec(member.name().to_vec()));
        let content = if member.is_thin() {
            let directory = path.parent().unwrap_or(Path::new(""));
            std::fs::read(directory.join(&name)).ok()?
        } else {
            member.data(bytes).ok()?.to_vec()
        };
        contents.push((name.file_name()?.to_owned(), content));
    }
    Some(contents)
}

/// The archive that `-lNAME` refers to, if it is in a directory of the command line.
pub fn library(name: &str, directories: &[OsString], is_static: bool) -> Option<PathBuf> {
    for directory in directories.iter().map(Path::new) {
        if let Some(exact) = name.strip_prefix(':') {
            let path = directory.join(exact);
            if path.exists() {
                return Some(path);
            }
            continue;
        }
        let archive = directory.join(format!("lib{name}.a"));
        if !is_static && directory.join(format!("lib{name}.so")).exists() {
            return None;
        }
        if archive.exists() {
            return Some(archive);
        }
    }
    None
}
