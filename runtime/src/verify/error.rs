//! Why a state file is refused.
//!
//! Input: what was found and what was expected.
//! Output: a message that names the file and the cause.
//! Postcondition: a damaged file is distinguished from an intact file of another program, because only the
//! damaged file may be skipped.

use crate::format::layout::{Malformed, VERSION};
use crate::manifest::{Manifest, ManifestError};
use crate::plugin::{LoadError, PluginError};
use std::io;
use std::path::PathBuf;

#[derive(Debug, thiserror::Error)]
#[error("state file `{}` {reason}", .path.display())]
pub struct VerifyError {
    pub path: PathBuf,
    #[source]
    pub reason: Reason,
}

#[derive(Debug, thiserror::Error)]
pub enum Reason {
    #[error("cannot be read: {}{}", .0, advice(.0))]
    Unreadable(#[source] io::Error),
    #[error("is not a state file: it has the signature of no writer")]
    NotAStateFile,
    #[error("has version {found} of the format, and this library reads version {VERSION}: use the library that wrote it")]
    OtherVersion { found: u16 },
    #[error("ends at byte {bytes}, before its last record: it was cut off")]
    Truncated { bytes: u64 },
    #[error("is damaged: the checksum of its {part} at byte {offset} is wrong")]
    Damaged { part: FilePart, offset: u64 },
    #[error("is damaged: the checksum of memory block {block} is wrong at byte {offset} ({})", register_list(.registers))]
    DamagedBlock { block: usize, offset: u64, registers: Vec<String> },
    #[error("is damaged: the checksum of memory block {block} is wrong at byte {offset} of its content ({})", register_list(.registers))]
    DamagedPart { block: usize, offset: u64, registers: Vec<String> },
    #[error("is damaged: its writer returned an invalid seal")]
    BadSeal,
    #[error("cannot be read: {0}")]
    Plugin(#[source] PluginError),
    #[error("needs a writer: {0}")]
    NoPlugin(#[source] LoadError),
    #[error("has the signature of no known writer ({first}): name its writer with `writer`, or its writer's directory with `CPPC_WRITERS`; or set `restart` to `never` for a fresh start")]
    UnknownWriter { first: String },
    #[error("is a file of the writer `{writer}`, which needs a real file system")]
    NoRealPath { writer: String },
    #[error("is damaged: its {part} does not fit its length of {bytes} bytes")]
    Unfit { part: FilePart, bytes: u64 },
    #[error("is damaged: its manifest cannot be understood: {0}")]
    Incomprehensible(#[source] Malformed),
    #[error("is damaged: {0}")]
    Contradictory(#[source] ManifestError),
    #[error("is damaged: its header and its manifest have different recovery lines")]
    LineMismatch,
    #[error(
        "is a file of application `{found}`, and this is `{wanted}`: set `app` to `{found}` to continue that run, or `dir` to another directory"
    )]
    OtherApplication { found: String, wanted: String },
    #[error("was written by another build of the program (its instrumented procedures differ): run that build, or set `restart` to `never` for a fresh start")]
    OtherFingerprint { found: String, wanted: String },
    #[error("is one of {found} processes, and this run has {wanted}: run {found} processes, or set `restart` to `never` for a fresh start")]
    OtherProcesses { found: u32, wanted: u32 },
    #[error("is the file of rank {found}, and this is rank {wanted}")]
    OtherRank { found: u32, wanted: u32 },
    #[error("is a file of recovery line {found}, and its name says {wanted}")]
    OtherNumber { found: u64, wanted: u64 },
    #[error("needs {bytes} bytes of memory, which are not available")]
    NoMemory { bytes: u64 },
    /// What is wrong with a base file.
    #[error("needs `{}`, which {reason}", .path.display())]
    Base {
        path: PathBuf,
        #[source]
        reason: Box<Reason>,
    },
    #[error("is not the base file that it depends on")]
    OtherFile,
    #[error("is not a regular file")]
    NoRegularFile,
}

/// A part of a state file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FilePart {
    Header,
    Manifest,
    Index,
    Tail,
    Padding,
    Content,
}

impl std::fmt::Display for FilePart {
    fn fmt(&self, text: &mut std::fmt::Formatter) -> std::fmt::Result {
        text.write_str(match self {
            FilePart::Header => "header",
            FilePart::Manifest => "manifest",
            FilePart::Index => "index",
            FilePart::Tail => "last record",
            FilePart::Padding => "padding",
            FilePart::Content => "content",
        })
    }
}

impl VerifyError {
    /// Whether there is no such file.
    pub fn is_missing(&self) -> bool {
        matches!(&self.reason, Reason::Unreadable(error) if error.kind() == io::ErrorKind::NotFound)
    }
}

impl Reason {
    /// Whether the file may be complete but does not belong to this program. Such a file is not skipped
    /// silently.
    pub fn is_foreign(&self) -> bool {
        matches!(
            self,
            Reason::OtherVersion { .. }
                | Reason::OtherApplication { .. }
                | Reason::OtherFingerprint { .. }
                | Reason::OtherProcesses { .. }
                | Reason::OtherRank { .. }
                | Reason::NoPlugin(_)
                | Reason::UnknownWriter { .. }
                | Reason::NoRealPath { .. }
                | Reason::NoRegularFile
        )
    }

    /// Whether skipping the file could lose valid state: it belongs to another program, or it may be
    /// readable next time. A file is skipped only if damage or absence is proved.
    pub fn stops_the_run(&self) -> bool {
        match self {
            Reason::NoMemory { .. } => true,
            Reason::Unreadable(error) => !is_proof(error),
            // An older line may still be usable. If there is none, the run stops instead of starting fresh.
            Reason::OtherVersion { .. } | Reason::UnknownWriter { .. } | Reason::NoRegularFile => false,
            Reason::Base { reason, .. } => reason.stops_the_run(),
            // A writer gives a number only if the system failed, and none for damage.
            Reason::Plugin(error) => error.code.is_some_and(|code| code != libc::ENOENT),
            other => other.is_foreign(),
        }
    }
}

/// Whether a read error proves that the file is missing or incomplete. Any other error may be a temporary
/// problem of the machine.
fn is_proof(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::UnexpectedEof) || is_no_file(error)
}

/// The error that `Storage` returns for something that is not a file.
fn is_no_file(error: &io::Error) -> bool {
    error.raw_os_error().is_none() && error.kind() == io::ErrorKind::InvalidInput
}

/// What the user can do about a read error.
fn advice(error: &io::Error) -> &'static str {
    if is_proof(error) || error.kind() == io::ErrorKind::PermissionDenied {
        return "";
    }
    ": start again when the cause is gone; if the file is lost, move it away, and an older recovery line is taken"
}

/// The names of the registers whose target is in a memory block.
pub fn registers_in(manifest: &Manifest, block: usize) -> Vec<String> {
    manifest
        .registers
        .iter()
        .filter(|register| register.target.is_some_and(|target| target.block as usize == block))
        .map(|register| register.name.clone())
        .collect()
}

const MOST_NAMES: usize = 4;

fn register_list(names: &[String]) -> String {
    let said: Vec<String> = names.iter().take(MOST_NAMES).map(|name| format!("`{name}`")).collect();
    match names.len() {
        0 => "no register".to_owned(),
        1 => format!("register {}", said[0]),
        count if count > MOST_NAMES => {
            format!("registers {} and {} more", said.join(", "), count - MOST_NAMES)
        }
        _ => format!("registers {}", said.join(", ")),
    }
}
