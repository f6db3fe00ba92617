//! Finds and loads writers.
//!
//! Input: the value of the setting `writer`, or the first bytes of a file.
//! Output: a writer that stays loaded, or why there is none.
//! Postcondition: no shared object is loaded twice. The content of a state file does not determine which one
//! is loaded, except by the signatures in `format`.
//!
//! This file contains `unsafe`, because loading a shared object runs its code.

use super::directories::{directories, DIRECTORIES_VARIABLE};
use super::table::Plugin;
use crate::format::SIGNATURES;
use cppc_abi::writer::{Entry, ENTRY};
use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

const PREFIX: &str = "libcppc_writer_";
const SUFFIX: &str = ".so";

/// Why a writer cannot be used.
#[derive(Debug, Clone, thiserror::Error)]
pub enum LoadError {
    #[error("there is no writer `{name}`: no `{PREFIX}{name}{SUFFIX}` in {}; give `writer` the path of one, or `{DIRECTORIES_VARIABLE}` its directory", list(.searched))]
    NotFound { name: String, searched: Vec<PathBuf> },
    #[error("the writer `{}` cannot be loaded: {message}", .path.display())]
    Unloadable { path: PathBuf, message: String },
    #[error("`{}` is not a writer: it exports no function `{ENTRY}`", .path.display())]
    NoEntry { path: PathBuf },
    #[error("the writer `{}` cannot be used: {what}", .path.display())]
    Unfit { path: PathBuf, what: &'static str },
}

fn list(searched: &[PathBuf]) -> String {
    let shown: Vec<String> = searched.iter().map(|path| format!("`{}`", path.display())).collect();
    if shown.is_empty() {
        "any directory".to_owned()
    } else {
        shown.join(", ")
    }
}

static LOADED: Mutex<Vec<&'static Plugin>> = Mutex::new(Vec::new());

fn loaded() -> std::sync::MutexGuard<'static, Vec<&'static Plugin>> {
    LOADED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The writer of this name, or at this path. A value that contains a `/` is a path.
pub fn find(wanted: &str) -> Result<&'static Plugin, LoadError> {
    if wanted.contains('/') {
        return load(Path::new(wanted));
    }
    let file = format!("{PREFIX}{wanted}{SUFFIX}");
    let searched = directories();
    match searched.iter().map(|directory| directory.join(&file)).find(|path| path.exists()) {
        Some(path) => load(&path),
        None => Err(LoadError::NotFound { name: wanted.to_owned(), searched }),
    }
}

/// The writer whose files begin with these bytes; none if no known writer has such files.
pub fn find_by_signature(first: &[u8]) -> Result<Option<&'static Plugin>, LoadError> {
    let claims = |plugin: &&'static Plugin| first.starts_with(plugin.signature());
    if let Some(plugin) = loaded().iter().copied().find(claims) {
        return Ok(Some(plugin));
    }
    if let Some((_, name)) = SIGNATURES.iter().find(|(signature, _)| first.starts_with(signature)) {
        return find(name).map(Some);
    }
    // A user who can put a writer into one of these directories can already run code in this program.
    let paths = directories().into_iter().flat_map(writers_in);
    Ok(paths.filter_map(|path| load(&path).ok()).find(claims))
}

/// Whether the bytes match more than half of the signature of a known writer.
pub fn is_damaged(first: &[u8]) -> bool {
    let resembles = |signature: &[u8]| {
        let same = first.iter().zip(signature).filter(|(found, wanted)| found == wanted).count();
        same * 2 > signature.len()
    };
    SIGNATURES.iter().any(|(signature, _)| resembles(signature))
        || loaded().iter().any(|plugin| resembles(plugin.signature()))
}

fn writers_in(directory: PathBuf) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(directory) else { return Vec::new() };
    let is_writer = |path: &PathBuf| {
        let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
        name.starts_with(PREFIX) && name.ends_with(SUFFIX)
    };
    let mut paths: Vec<PathBuf> =
        entries.filter_map(|entry| Some(entry.ok()?.path())).filter(is_writer).collect();
    paths.sort();
    paths
}

fn load(path: &Path) -> Result<&'static Plugin, LoadError> {
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let mut known = loaded();
    if let Some(plugin) = known.iter().find(|plugin| plugin.path() == path) {
        return Ok(plugin);
    }
    let plugin: &'static Plugin = Box::leak(Box::new(fresh(&path)?));
    known.push(plugin);
    Ok(plugin)
}

/// Loads a shared object that was not loaded before.
fn fresh(path: &Path) -> Result<Plugin, LoadError> {
    // `RTLD_LOCAL` hides its symbols, because the program may use another version of a library that the
    // writer contains.
    // SAFETY: the user has named the shared object, or put it into a directory of writers, and is responsible
    // for its initialisation.
    let library = unsafe { Library::open(Some(path), RTLD_NOW | RTLD_LOCAL) }
        .map_err(|error| LoadError::Unloadable { path: path.to_owned(), message: error.to_string() })?;
    // SAFETY: the header defines this type for the function of this name.
    let entry = unsafe { library.get::<Entry>(ENTRY.as_bytes()) };
    let entry = *entry.map_err(|_| LoadError::NoEntry { path: path.to_owned() })?;
    // The library stays loaded, because it may have started threads or registered functions with the system.
    std::mem::forget(library);
    // SAFETY: this is the entry of a writer, which is never unloaded.
    unsafe { Plugin::ask(entry, path) }.map_err(|what| LoadError::Unfit { path: path.to_owned(), what })
}
