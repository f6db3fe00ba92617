//! A file that is open for reading.
//!
//! Input: a path.
//! Output: the seal; the bytes of ranges of memory blocks.
//! Postcondition: a file that is as it was written was not passed to the library. For any other file, the
//! library was tried in a separate process first.

use crate::direct::Direct;
use crate::fault::Fault;
use crate::probe;
use crate::read::ChangedFile;
use crate::row_table::RowTable;
use crate::transfer;
use std::ffi::CStr;
use std::fs::File;

#[derive(Debug)]
pub enum Input {
    Direct {
        seal: Vec<u8>,
        file: Direct,
    },
    /// A file that was changed, for example by the tools of HDF5.
    Changed(ChangedFile),
}

impl Input {
    pub fn open(path: &CStr) -> Result<Input, Fault> {
        let bytes = transfer::open(path)?;
        let length = bytes.metadata().map_err(|error| Fault::system("look at the file", &error))?.len();
        if let Some(places) = RowTable::read(&bytes, length)? {
            let (file, seal) = Direct::open(bytes, places)?;
            return Ok(Input::Direct { seal, file });
        }
        if has_something_behind(&bytes, length)? {
            return Err(Fault::new("the table at the end of the file is damaged"));
        }
        let again = bytes.try_clone().map_err(|error| Fault::system("open the file", &error))?;
        probe::attempt(length, || ChangedFile::open(path, again, length)?.read_through())?;
        ChangedFile::open(path, bytes, length).map(Input::Changed)
    }

    pub fn seal(&self) -> &[u8] {
        match self {
            Input::Direct { seal, .. } => seal,
            Input::Changed(file) => &file.seal,
        }
    }

    /// Fills `into` with the bytes of a memory block from `offset` on.
    pub fn read(&self, block: u64, offset: u64, into: &mut [u8]) -> Result<(), Fault> {
        match self {
            Input::Direct { file, .. } => file.read(block, offset, into),
            Input::Changed(file) => file.read(block, offset, into),
        }
    }
}

/// Whether there are bytes after the end of the file that the library sees. They are the rest of a damaged
/// table, since HDF5's tools leave no such bytes.
fn has_something_behind(file: &File, length: u64) -> Result<bool, Fault> {
    // Signature, version, size of offsets; at 28, the end of the file. Older versions have another form and
    // were not written by the runtime.
    let mut block = [0; 36];
    if length < block.len() as u64 {
        return Ok(false);
    }
    transfer::read(file, 0, &mut block)?;
    let end = block[28..].iter().rev().fold(0, |end, byte| end << 8 | u64::from(*byte));
    Ok(matches!(block[8..10], [2 | 3, 8]) && end < length)
}
