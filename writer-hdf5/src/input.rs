//! A file that is open for reading.
//!
//! In: a path. Out: the seal; the bytes of ranges of blocks. Holds afterwards: a file that is as it was written was
//! not shown to the library; of any other the library was tried in a process of its own first.

use crate::direct::Direct;
use crate::fault::Fault;
use crate::places::Places;
use crate::probe;
use crate::read::Changed;
use crate::transfer;
use std::ffi::CStr;
use std::fs::File;

#[derive(Debug)]
pub enum Input {
    Direct { seal: Vec<u8>, file: Direct },
    /// By HDF5's own tools, for instance.
    Changed(Changed),
}

impl Input {
    pub fn open(path: &CStr) -> Result<Input, Fault> {
        let bytes = transfer::open(path)?;
        let length = bytes.metadata().map_err(|error| Fault::system("look at the file", &error))?.len();
        if let Some(places) = Places::read(&bytes, length)? {
            let (file, seal) = Direct::open(bytes, places)?;
            return Ok(Input::Direct { seal, file });
        }
        if has_something_behind(&bytes, length)? {
            return Err(Fault::new("the table behind it is damaged"));
        }
        let again = bytes.try_clone().map_err(|error| Fault::system("open the file", &error))?;
        probe::attempt(length, || Changed::open(path, again, length)?.read_through())?;
        Changed::open(path, bytes, length).map(Input::Changed)
    }

    pub fn seal(&self) -> &[u8] {
        match self {
            Input::Direct { seal, .. } => seal,
            Input::Changed(file) => &file.seal,
        }
    }

    /// Fills `into` with the bytes of a block from `offset` on.
    pub fn read(&self, block: u64, offset: u64, into: &mut [u8]) -> Result<(), Fault> {
        match self {
            Input::Direct { file, .. } => file.read(block, offset, into),
            Input::Changed(file) => file.read(block, offset, into),
        }
    }
}

/// Whether there is more than the library sees: what is left of a table, since tools leave nothing behind.
fn has_something_behind(file: &File, length: u64) -> Result<bool, Fault> {
    // Signature, version, size of places; at 28, where the file ends. Older versions have other forms, and are not ours.
    let mut block = [0; 36];
    if length < block.len() as u64 {
        return Ok(false);
    }
    transfer::read(file, 0, &mut block)?;
    let end = block[28..].iter().rev().fold(0, |end, byte| end << 8 | u64::from(*byte));
    Ok(matches!(block[8..10], [2 | 3, 8]) && end < length)
}
