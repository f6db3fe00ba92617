//! The writer of a state file: this library or a shared object.
//!
//! Input: a manifest, the content of its memory blocks, the temporary name.
//! Output: a file of that name, durable.
//! Postcondition: the file begins with the signature of its writer, whichever it is; a symbolic link at the
//! temporary name was not followed.

use super::error::{storage_error, DumpError};
use crate::format::binary::{self, elements_of_blocks, DumpContent};
use crate::format::history::{Account, Past};
use crate::format::layout::Machine;
use crate::format::seal::seal;
use crate::manifest::Manifest;
use crate::plugin::{self, LoadError, Plugin, StateData};
use crate::settings::{Compression, Writer};
use crate::storage::{File, Storage};
use std::io;
use std::path::Path;

/// The writer.
#[derive(Debug, Clone)]
pub enum StateWriter {
    Binary,
    Plugin(&'static Plugin),
    /// The configured writer cannot be loaded.
    Missing(LoadError),
}

impl StateWriter {
    pub fn of(writer: &Writer) -> StateWriter {
        match writer {
            Writer::Binary => StateWriter::Binary,
            Writer::Plugin(wanted) => {
                plugin::find(wanted).map_or_else(StateWriter::Missing, StateWriter::Plugin)
            }
        }
    }

    /// Whether an older file may be overwritten in place.
    pub fn recycles(&self) -> bool {
        match self {
            StateWriter::Binary => true,
            StateWriter::Plugin(plugin) => plugin.recycles(),
            StateWriter::Missing(_) => false,
        }
    }

    /// Whether it can write while the program continues.
    pub fn is_asynchronous(&self) -> bool {
        match self {
            StateWriter::Binary | StateWriter::Missing(_) => true,
            StateWriter::Plugin(plugin) => plugin.writes_asynchronously(),
        }
    }

    /// Whether a file may depend on earlier ones.
    pub fn is_incremental(&self) -> bool {
        matches!(self, StateWriter::Binary)
    }

    /// Writes the file and makes it durable. Returns its size in bytes, and the account for the history.
    /// `machine` describes the representation of the content.
    pub fn write(
        &self,
        storage: &dyn Storage,
        path: &Path,
        manifest: &Manifest,
        machine: Machine,
        content: &DumpContent,
        past: Option<Past>,
    ) -> Result<(u64, Option<Account>), DumpError> {
        match self {
            StateWriter::Binary => write_binary(storage, path, manifest, machine, content, past),
            StateWriter::Plugin(plugin) => write_through(plugin, storage, path, manifest, machine, content)
                .map(|size_bytes| (size_bytes, None)),
            StateWriter::Missing(error) => Err(error.clone().into()),
        }
    }
}

fn write_binary(
    storage: &dyn Storage,
    path: &Path,
    manifest: &Manifest,
    machine: Machine,
    content: &DumpContent,
    past: Option<Past>,
) -> Result<(u64, Option<Account>), DumpError> {
    let file = storage.open_for_writing(path).map_err(storage_error("open", path))?;
    let before = file.size_bytes().map_err(storage_error("look at", path))?;
    let (after, account) = binary::write_incremental(&*file, manifest, machine, content, past)
        .map_err(storage_error("write", path))?;
    if before > after {
        file.truncate(after).map_err(storage_error("cut", path))?;
    }
    file.sync().map_err(storage_error("sync", path))?;
    Ok((after, account))
}

fn write_through(
    plugin: &Plugin,
    storage: &dyn Storage,
    path: &Path,
    manifest: &Manifest,
    machine: Machine,
    content: &DumpContent,
) -> Result<u64, DumpError> {
    let writer = || plugin.name().to_owned();
    let Some(real_path) = storage.real_path(path) else {
        return Err(DumpError::NoRealPath { writer: writer() });
    };
    if !plugin.recycles() {
        match storage.remove(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                return Err(storage_error("remove", path)(error))
            }
            _ => {}
        }
    }
    // The file is created here because a writer would follow a symbolic link.
    drop(storage.open_for_writing(path).map_err(storage_error("open", path))?);
    let compression = &content.compression;
    let (level, settings) = match compression.compress {
        Compression::Deflate(level) => {
            (level, format!("compress=deflate:{level} compress-min={}", compression.from_elements))
        }
        // The settings do not allow LZ4 for a writer that is a shared object.
        Compression::None | Compression::Lz4 => (0, "compress=none".to_owned()),
    };
    let elements = elements_of_blocks(manifest);
    let deflate: Vec<u32> =
        elements.iter().map(|&count| if count >= compression.from_elements { level } else { 0 }).collect();
    let facts = StateData {
        manifest,
        machine,
        blocks: content.blocks,
        seal: &seal(manifest, machine, content.blocks),
        deflate: &deflate,
        settings: &settings,
    };
    let written = plugin.write(&real_path, facts);
    written.map_err(|source| DumpError::Plugin { path: path.to_owned(), source })?;
    // The writer may have replaced the file that was created.
    let file = storage.open_for_writing(path).map_err(storage_error("open", path))?;
    let size_bytes = file.size_bytes().map_err(storage_error("look at", path))?;
    if !begins_with(&*file, size_bytes, plugin.signature()).map_err(storage_error("read", path))? {
        return Err(DumpError::NotWritten { path: path.to_owned(), writer: writer() });
    }
    file.sync().map_err(storage_error("sync", path))?;
    Ok(size_bytes)
}

fn begins_with(file: &dyn File, size_bytes: u64, signature: &[u8]) -> io::Result<bool> {
    if size_bytes < signature.len() as u64 {
        return Ok(false);
    }
    let mut first = vec![0; signature.len()];
    file.read_at(0, &mut first)?;
    Ok(first == signature)
}
