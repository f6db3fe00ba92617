//! Reads the records in objects, archives and shared libraries, and replaces objects in archives.
//!
//! Input: files on the linker's command line.
//! Output: their objects with the records; archives with some objects replaced.
//! Postcondition: any other file is left to the linker, and an archive keeps the order of its members. A shared library
//! is never replaced.

use std::ffi::OsString;
use std::fs::File;
use std::io::Read as _;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use cppc_abi::sections::{self, SharedLibrary, RECORDS_SECTION};
use object::read::archive::ArchiveFile;
use object::{Object, ObjectKind, ObjectSection, ObjectSymbol, ReadCache, ReadRef};
use twox_hash::XxHash3_128;

use super::record::Record;
use super::temporary::{cannot_write, TemporaryDirectory};
use super::{response, Failure};

/// The first bytes of an object and of a shared library.
const ELF: [u8; 4] = *b"\x7fELF";

/// A file on the linker's command line that contains objects.
pub struct LinkedFile {
    pub path: PathBuf,
    pub is_archive: bool,
    /// Of a shared library with records.
    pub shared: Option<SharedLibrary>,
    pub members: Vec<Member>,
}

pub struct Member {
    /// The name that diagnostics use.
    pub shown: String,
    pub records: Vec<Record>,
    /// Of the content of an object with records.
    pub digest: u128,
    /// The object that replaces it.
    pub replacement: Option<PathBuf>,
    /// Whether it refers to functions of the runtime, as far as can be seen.
    pub may_call_runtime: bool,
}

impl LinkedFile {
    /// Opens the file. Returns `None` for a file that only the linker can read.
    pub fn open(path: &Path) -> Option<LinkedFile> {
        let mut linked =
            LinkedFile { path: path.to_owned(), is_archive: false, shared: None, members: Vec::new() };
        let mut file = File::open(path).ok()?;
        let mut start = [0; ELF.len()];
        if file.read_exact(&mut start).is_ok() && start == ELF {
            // Of a large library, only a few parts are read.
            let cache = ReadCache::new(file);
            let object = object::File::parse(&cache).ok()?;
            let shown = path.display().to_string();
            if object.kind() == ObjectKind::Dynamic {
                let records = section(&object, RECORDS_SECTION)?;
                linked.shared =
                    Some(SharedLibrary { digest: sections::digest(records), path: shown.clone() });
            }
            let mut member = Member::of(shown, &object)?;
            if !member.records.is_empty() && linked.shared.is_none() {
                member.digest = XxHash3_128::oneshot(&std::fs::read(path).ok()?);
            }
            linked.members.push(member);
        } else {
            let bytes = std::fs::read(path).ok()?;
            linked.is_archive = true;
            for (name, content) in contents(path, &bytes)? {
                let shown = format!("{}({})", path.display(), name.to_string_lossy());
                let nothing = || Member {
                    shown: shown.clone(),
                    records: Vec::new(),
                    digest: 0,
                    replacement: None,
                    may_call_runtime: true,
                };
                let object = object::File::parse(&*content).ok();
                let member = object.and_then(|object| Member::of(shown.clone(), &object));
                let mut member = member.unwrap_or_else(nothing);
                member.digest = XxHash3_128::oneshot(&content);
                linked.members.push(member);
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
    /// Returns `None` for what is neither an object nor a shared library with records.
    fn of<'a>(shown: String, file: &object::File<'a, impl ReadRef<'a>>) -> Option<Member> {
        let records = section(file, RECORDS_SECTION).and_then(Record::decode_all).unwrap_or_default();
        let is_meant = match file.kind() {
            ObjectKind::Relocatable => true,
            ObjectKind::Dynamic => !records.is_empty(),
            _ => false,
        };
        is_meant.then(|| Member {
            shown,
            records,
            digest: 0,
            replacement: None,
            may_call_runtime: may_call_runtime(file),
        })
    }
}

fn section<'a>(file: &object::File<'a, impl ReadRef<'a>>, name: &str) -> Option<&'a [u8]> {
    file.section_by_name(name)?.data().ok()
}

fn may_call_runtime<'a>(file: &object::File<'a, impl ReadRef<'a>>) -> bool {
    const PREFIX: &[u8] = b"cppc_";
    // The mark of an object for optimisation at the link, which has no names.
    const WITHOUT_NAMES: &[u8] = b"__gnu_lto_slim";
    let is_meant = |name: &[u8]| {
        name == WITHOUT_NAMES
            || name.get(..PREFIX.len()).is_some_and(|start| start.eq_ignore_ascii_case(PREFIX))
    };
    file.symbols().chain(file.dynamic_symbols()).any(|symbol| symbol.name_bytes().is_ok_and(is_meant))
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

/// The archive or the shared library that `-lNAME` refers to, if it is in a directory of the command line.
pub fn library(name: &str, directories: &[OsString], is_static: bool) -> Option<PathBuf> {
    for directory in directories.iter().map(Path::new) {
        if let Some(exact) = name.strip_prefix(':') {
            let path = directory.join(exact);
            if path.exists() {
                return Some(path);
            }
            continue;
        }
        let shared = directory.join(format!("lib{name}.so"));
        if !is_static && shared.exists() {
            return Some(shared);
        }
        let archive = directory.join(format!("lib{name}.a"));
        if archive.exists() {
            return Some(archive);
        }
    }
    None
}
