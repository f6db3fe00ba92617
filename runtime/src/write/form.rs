//! Who writes the file: this library or a shared object.
//!
//! In: a manifest, the content of its blocks, the temporary name. Out: a file of that name, durable.
//! Holds afterwards: whoever wrote it, it begins as its writer's files do; a symbolic link in its
//! place was not followed.

use super::error::{trying, DumpError};
use crate::format::binary::{self, elements_of_blocks, Content};
use crate::format::history::{Account, Past};
use crate::format::layout::Machine;
use crate::format::seal::seal;
use crate::manifest::Manifest;
use crate::plugin::{self, Facts, LoadError, Plugin};
use crate::settings::{Compression, Writer};
use crate::storage::{File, Storage};
use std::io;
use std::path::Path;

/// Who writes.
#[derive(Debug, Clone)]
pub enum Form {
    Binary,
    Plugin(&'static Plugin),
    /// Nobody: the writer that was asked for is not to be had.
    Missing(LoadError),
}

impl Form {
    pub fn of(writer: &Writer) -> Form {
        match writer {
            Writer::Binary => Form::Binary,
            Writer::Plugin(wanted) => plugin::find(wanted).map_or_else(Form::Missing, Form::Plugin),
        }
    }

    /// Whether an older file may be overwritten in place.
    pub fn recycles(&self) -> bool {
        match self {
            Form::Binary => true,
            Form::Plugin(plugin) => plugin.recycles(),
            Form::Missing(_) => false,
        }
    }

    /// Whether it may write while the program goes on.
    pub fn is_beside(&self) -> bool {
        match self {
            Form::Binary | Form::Missing(_) => true,
            Form::Plugin(plugin) => plugin.is_beside(),
        }
    }

    /// Whether a file may point to what earlier ones have.
    pub fn is_incremental(&self) -> bool {
        matches!(self, Form::Binary)
    }

    /// Writes the file and makes it durable; says its size, and what the history is to know of it. The content
    /// is as `machine` has it.
    pub fn write(
        &self,
        storage: &dyn Storage,
        path: &Path,
        manifest: &Manifest,
        machine: Machine,
        content: &Content,
        past: Option<Past>,
    ) -> Result<(u64, Option<Account>), DumpError> {
        match self {
            Form::Binary => write_binary(storage, path, manifest, machine, content, past),
            Form::Plugin(plugin) => {
                write_through(plugin, storage, path, manifest, machine, content).map(|size_bytes| (size_bytes, None))
            }
            Form::Missing(error) => Err(error.clone().into()),
        }
    }
}

fn write_binary(
    storage: &dyn Storage,
    path: &Path,
    manifest: &Manifest,
    machine: Machine,
    content: &Content,
    past: Option<Past>,
) -> Result<(u64, Option<Account>), DumpError> {
    let file = storage.open_for_writing(path).map_err(trying("open", path))?;
    let before = file.size_bytes().map_err(trying("look at", path))?;
    let (after, account) =
        binary::write_upon(&*file, manifest, machine, content, past).map_err(trying("write", path))?;
    if before > after {
        file.truncate(after).map_err(trying("cut", path))?;
    }
    file.sync().map_err(trying("sync", path))?;
    Ok((after, account))
}

fn write_through(
    plugin: &Plugin,
    storage: &dyn Storage,
    path: &Path,
    manifest: &Manifest,
    machine: Machine,
    content: &Content,
) -> Result<u64, DumpError> {
    let writer = || plugin.name().to_owned();
    let Some(real_path) = storage.real_path(path) else {
        return Err(DumpError::NoRealPath { writer: writer() });
    };
    if !plugin.recycles() {
        match storage.remove(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(trying("remove", path)(error)),
            _ => {}
        }
    }
    // Made here, since a writer would follow a link.
    drop(storage.open_for_writing(path).map_err(trying("open", path))?);
    let packing = &content.packing;
    let (level, settings) = match packing.compress {
        Compression::Deflate(level) => (level, format!("compress=deflate:{level} compress-min={}", packing.from_elements)),
        // The settings do not let LZ4 come here.
        Compression::None | Compression::Lz4 => (0, "compress=none".to_owned()),
    };
    let elements = elements_of_blocks(manifest);
    let deflate: Vec<u32> = elements.iter().map(|&count| if count >= packing.from_elements { level } else { 0 }).collect();
    let facts = Facts {
        manifest,
        machine,
        blocks: content.blocks,
        seal: &seal(manifest, machine, content.blocks),
        deflate: &deflate,
        settings: &settings,
    };
    let written = plugin.write(&real_path, facts);
    written.map_err(|source| DumpError::Plugin { path: path.to_owned(), source })?;
    // It may be another file than the one that was made.
    let file = storage.open_for_writing(path).map_err(trying("open", path))?;
    let size_bytes = file.size_bytes().map_err(trying("look at", path))?;
    if !begins_with(&*file, size_bytes, plugin.signature()).map_err(trying("read", path))? {
        return Err(DumpError::NotWritten { path: path.to_owned(), writer: writer() });
    }
    file.sync().map_err(trying("sync", path))?;
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
