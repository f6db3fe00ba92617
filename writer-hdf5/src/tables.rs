//! Datasets of the writer, next to those of the program.
//!
//! Input: what the runtime and the reader need.
//! Output: small datasets under `/cppc`.
//! Postcondition: they are written through the library, before the file is closed.
//!
//! One of the few files with `unsafe`: the library is C.

use crate::attributes;
use crate::extents::Range;
use crate::fault::Fault;
use crate::file::{DataShape, File};
use crate::handle::{check, Handle};
use crate::types;
use cppc_abi::writer::{WriterPointer, WriterType, NO_BLOCK};
use hdf5::h5d::H5Dwrite;
use hdf5::h5p::H5P_DEFAULT;

/// The path of the runtime's seal.
pub const SEAL: &str = "/cppc/seal";
/// The table of content: which dataset has which part of which memory block.
pub const CONTENT: &str = "/cppc/content";

/// A part of a memory block and the dataset that contains it.
#[derive(Debug)]
pub struct StoredPart {
    pub range: Range,
    pub path: String,
    /// The elements, if virtual datasets can refer to them.
    pub array: Option<Array>,
}

/// The elements of a dataset, in the order of memory.
#[derive(Debug)]
pub struct Array {
    /// The address of their type.
    pub element: *const WriterType,
    /// The extents, the slowest first.
    pub dims: Vec<u64>,
}

/// `H5S_ALL`: the whole dataset.
pub const ALL: hdf5::h5i::hid_t = 0;
/// The fields of a row of the table of content: three numbers and a path.
pub const CONTENT_FIELDS: [&str; 4] = ["block", "offset", "bytes", "dataset"];
pub const NUMBER_BYTES: usize = 8;
pub const PATH_AT: usize = 3 * NUMBER_BYTES;

/// The type of a row of the table of content. `path_bytes` is the size of its paths.
pub fn content_row(path_bytes: usize) -> Result<Handle, Fault> {
    let (number, path) = (types::count()?, types::utf8(path_bytes)?);
    let [block, offset, bytes, dataset] = CONTENT_FIELDS;
    let fields = [
        (block, 0, &number),
        (offset, NUMBER_BYTES, &number),
        (bytes, 2 * NUMBER_BYTES, &number),
        (dataset, PATH_AT, &path),
    ];
    types::record(PATH_AT + path_bytes, &fields)
}

/// Writes the table of content.
pub fn content(file: &File, path: &str, stored: &[StoredPart]) -> Result<(), Fault> {
    let paths: Vec<String> = stored.iter().map(|stored| stored.path.clone()).collect();
    let width = attributes::width(&paths);
    let mut rows = Vec::with_capacity(stored.len() * (PATH_AT + width));
    for (stored, path) in stored.iter().zip(attributes::table(&paths, width).chunks(width)) {
        let numbers = [stored.range.block as u64, stored.range.offset, stored.range.size];
        rows.extend(numbers.iter().flat_map(|number| number.to_ne_bytes()));
        rows.extend_from_slice(path);
    }
    put(file, path, &content_row(width)?, stored.len(), &rows)
}

/// Writes the pointers in the memory blocks, if there are any.
pub fn pointers(file: &File, path: &str, pointers: &[WriterPointer]) -> Result<(), Fault> {
    if pointers.is_empty() {
        return Ok(());
    }
    let number = types::count()?;
    let names = ["at_block", "at_offset", "is_null", "to_block", "to_offset"];
    let fields: Vec<(&str, usize, &Handle)> =
        names.iter().enumerate().map(|(index, name)| (*name, index * NUMBER_BYTES, &number)).collect();
    let mut rows = Vec::with_capacity(pointers.len() * names.len() * NUMBER_BYTES);
    for pointer in pointers {
        let is_null = pointer.to_block == NO_BLOCK;
        let to_block = if is_null { 0 } else { pointer.to_block };
        let row = [pointer.at_block, pointer.at_offset, is_null.into(), to_block, pointer.to_offset];
        rows.extend(row.iter().flat_map(|number| number.to_ne_bytes()));
    }
    put(file, path, &types::record(names.len() * NUMBER_BYTES, &fields)?, pointers.len(), &rows)
}

pub fn bytes(file: &File, path: &str, bytes: &[u8]) -> Result<(), Fault> {
    put(file, path, &types::raw_byte()?, bytes.len(), bytes)
}

pub fn lines(file: &File, path: &str, lines: &[String]) -> Result<(), Fault> {
    let width = attributes::width(lines);
    put(file, path, &types::utf8(width)?, lines.len(), &attributes::table(lines, width))
}

/// `bytes` has `count` elements.
fn put(file: &File, path: &str, element: &Handle, count: usize, bytes: &[u8]) -> Result<(), Fault> {
    if count == 0 {
        return file.plain(path, element, DataShape::Null).map(drop);
    }
    let dataset = file.plain(path, element, DataShape::Array(&[count as u64]))?;
    // SAFETY: the callers pass as many bytes as type and count require.
    let status =
        unsafe { H5Dwrite(dataset.id(), element.id(), ALL, ALL, H5P_DEFAULT, bytes.as_ptr().cast()) };
    check(status, &format!("write `{path}`"))
}
