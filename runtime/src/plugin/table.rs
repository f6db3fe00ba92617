//! Calls of a writer through its table.
//!
//! Input: the table of a loaded writer, paths, memory.
//! Output: files, their seals, parts of memory blocks, and errors as text.
//! Postcondition: each opened file is closed once. A seal is copied before it is inspected. A text of a
//! writer is bounded and has no control characters.
//!
//! This file contains `unsafe`, because a writer is foreign code, which must be trusted to follow
//! `cppc_writer.h`.

use super::state::{State, StateData};
use crate::format::layout::MAGIC;
use crate::threads::without_size_signal;
use cppc_abi::writer::{
    CloseFile, Entry, OpenFile, ReadFile, WriteFile, Writer, WriterInput, BESIDE, MESSAGE_BYTES, RECYCLES,
    SIGNATURE_LEAST_BYTES, SIGNATURE_MOST_BYTES, VERSION,
};
use std::ffi::{c_char, c_int, c_void, CStr, CString};
use std::fmt;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// A loaded writer. It stays loaded until the process ends.
pub struct Plugin {
    name: String,
    path: PathBuf,
    flags: u32,
    signature: Vec<u8>,
    write: WriteFile,
    open: OpenFile,
    read: ReadFile,
    close: CloseFile,
}

/// An error that a writer reports.
#[derive(Debug, Clone, thiserror::Error)]
#[error("the writer `{writer}` reports: {message}")]
pub struct PluginError {
    pub writer: String,
    pub message: String,
    /// A value of `errno`, or none.
    pub code: Option<i32>,
}

impl Plugin {
    /// Calls the entry of a shared object to get its table. An error describes what is wrong with the table.
    ///
    /// # Safety
    /// `entry` is the function of this name in a writer, which is never unloaded.
    pub(super) unsafe fn ask(entry: Entry, path: &Path) -> Result<Plugin, &'static str> {
        // SAFETY: the caller guarantees the function.
        let table: *const Writer = unsafe { entry(VERSION) };
        // SAFETY: the header requires that the table lives as long as the process.
        let Some(table) = (unsafe { table.as_ref() }) else {
            return Err("it does not know this version of the interface");
        };
        if table.version != VERSION {
            return Err("its table is of another version of the interface");
        }
        let (Some(write), Some(open), Some(read), Some(close)) =
            (table.write, table.open, table.read, table.close)
        else {
            return Err("its table lacks a function");
        };
        let length = usize::try_from(table.signature_size).unwrap_or(usize::MAX);
        if table.name.is_null() || table.signature.is_null() {
            return Err("its table lacks a name or a signature");
        }
        if !(SIGNATURE_LEAST_BYTES..=SIGNATURE_MOST_BYTES).contains(&length) {
            return Err("its signature does not have 4 to 64 bytes");
        }
        // SAFETY: neither is null, and the header requires that they live as long as the process.
        let (name, signature) =
            unsafe { (CStr::from_ptr(table.name), std::slice::from_raw_parts(table.signature, length)) };
        if signature.first() == Some(&MAGIC[0]) {
            return Err("its signature begins like that of the binary writer");
        }
        if table.flags & !(RECYCLES | BESIDE) != 0 {
            return Err("its table has flags that this version of the interface does not know");
        }
        Ok(Plugin {
            name: plain(&name.to_string_lossy()),
            path: path.to_owned(),
            flags: table.flags,
            signature: signature.to_vec(),
            write,
            open,
            read,
            close,
        })
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// The path from which it was loaded.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The first bytes of each of its files.
    pub fn signature(&self) -> &[u8] {
        &self.signature
    }

    /// Whether it may overwrite an older file in place.
    pub fn recycles(&self) -> bool {
        self.flags & RECYCLES != 0
    }

    /// Whether it may write while the program continues.
    pub fn writes_asynchronously(&self) -> bool {
        self.flags & BESIDE != 0
    }

    /// Writes a file at the path.
    pub fn write(&self, path: &Path, facts: StateData) -> Result<(), PluginError> {
        let path = self.c_path(path)?;
        let state = State::new(facts);
        self.calling(|message| {
            // SAFETY: all arguments live until the call returns, and `message` has the size that the header
            // requires.
            without_size_signal(|| unsafe { (self.write)(state.as_ptr(), path.as_ptr(), message) })
        })
    }

    /// Opens a file, whose seal has at most `most_bytes` bytes.
    pub fn open(&'static self, path: &Path, most_bytes: u64) -> Result<Input, PluginError> {
        let path = self.c_path(path)?;
        let mut input = WriterInput { file: std::ptr::null_mut(), seal: std::ptr::null(), seal_size: 0 };
        self.calling(|message| {
            // SAFETY: as for `write`.
            unsafe { (self.open)(path.as_ptr(), &raw mut input, message) }
        })?;
        // From here on, the file is closed in any case.
        let mut opened = Input { plugin: self, file: input.file, seal: Vec::new() };
        let length = usize::try_from(input.seal_size).ok().filter(|_| input.seal_size <= most_bytes);
        let Some(length) = length.filter(|_| !input.seal.is_null()) else {
            return Err(self.error("the seal that it returns cannot be in the file".to_owned(), None));
        };
        if opened.seal.try_reserve_exact(length).is_err() {
            return Err(self.error("there is no memory for the seal".to_owned(), Some(libc::ENOMEM)));
        }
        // SAFETY: the header requires that this many bytes are valid until the file is closed.
        opened.seal.extend_from_slice(unsafe { std::slice::from_raw_parts(input.seal, length) });
        Ok(opened)
    }

    /// Makes one call, with a buffer for the text of an error.
    fn calling(&self, call: impl FnOnce(*mut c_char) -> c_int) -> Result<(), PluginError> {
        let mut message = [0u8; MESSAGE_BYTES];
        let status = call(message.as_mut_ptr().cast());
        if status == 0 {
            return Ok(());
        }
        let end = message.iter().position(|&byte| byte == 0).unwrap_or(MESSAGE_BYTES);
        let code = Some(status).filter(|&status| status > 0);
        let text = match (plain(&String::from_utf8_lossy(&message[..end])), code) {
            (text, _) if !text.is_empty() => text,
            (_, Some(code)) => io::Error::from_raw_os_error(code).to_string(),
            (_, None) => "a failure without a message".to_owned(),
        };
        Err(self.error(text, code))
    }

    fn error(&self, message: String, code: Option<i32>) -> PluginError {
        PluginError { writer: self.name.clone(), message, code }
    }

    fn c_path(&self, path: &Path) -> Result<CString, PluginError> {
        CString::new(path.as_os_str().as_bytes())
            .map_err(|_| self.error("the path contains a zero byte".to_owned(), Some(libc::EINVAL)))
    }
}

impl fmt::Debug for Plugin {
    fn fmt(&self, text: &mut fmt::Formatter) -> fmt::Result {
        text.debug_struct("Plugin").field("name", &self.name).field("path", &self.path).finish()
    }
}

/// A file that a writer has open.
#[derive(Debug)]
pub struct Input {
    plugin: &'static Plugin,
    file: *mut c_void,
    seal: Vec<u8>,
}

// SAFETY: the header requires that calls for one file come from one thread at a time, which may be any
// thread; `&mut` ensures this.
unsafe impl Send for Input {}

impl Input {
    pub fn plugin(&self) -> &'static Plugin {
        self.plugin
    }

    /// Takes the seal that was passed to `write`, if the file is undamaged.
    pub fn take_seal(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.seal)
    }

    /// Fills `into` with a part of the content of a memory block.
    pub fn read(&mut self, block: u64, offset: u64, into: &mut [u8]) -> Result<(), PluginError> {
        let (plugin, file) = (self.plugin, self.file);
        plugin.calling(|message| {
            // SAFETY: the file is open, and `into` has the size that is passed.
            unsafe {
                (plugin.read)(file, block, offset, into.len() as u64, into.as_mut_ptr().cast(), message)
            }
        })
    }
}

impl Drop for Input {
    fn drop(&mut self) {
        // SAFETY: this writer opened the file, and nothing else closes it.
        unsafe { (self.plugin.close)(self.file) };
    }
}

/// The text without control characters.
fn plain(text: &str) -> String {
    text.trim().chars().map(|letter| if letter.is_control() { ' ' } else { letter }).collect()
}
