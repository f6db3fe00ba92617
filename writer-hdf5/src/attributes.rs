//! Attributes of an object.
//!
//! Input: an object, a name, a value.
//! Output: an attribute.
//! Postcondition: numbers have 64 bits and text is UTF-8 of fixed length, so everything is inside the
//! metadata, which has checksums.
//!
//! One of the few files with `unsafe`: the library is C.

use crate::fault::Fault;
use crate::file::{c_text, space, DataShape};
use crate::handle::{check, own, Handle};
use crate::types;
use hdf5::h5a::{H5Acreate2, H5Awrite};
use hdf5::h5p::H5P_DEFAULT;

pub fn number(object: &Handle, name: &str, value: u64) -> Result<(), Fault> {
    put(object, name, &types::count()?, DataShape::Single, &value.to_ne_bytes())
}

pub fn text(object: &Handle, name: &str, value: &str) -> Result<(), Fault> {
    let bytes = [value.as_bytes(), b"\0"].concat();
    put(object, name, &types::utf8(bytes.len())?, DataShape::Single, &bytes)
}

pub fn lines(object: &Handle, name: &str, lines: &[String]) -> Result<(), Fault> {
    let width = width(lines);
    put(object, name, &types::utf8(width)?, DataShape::Array(&[lines.len() as u64]), &table(lines, width))
}

/// The size in bytes of the longest line, with a zero byte after it.
pub fn width(lines: &[String]) -> usize {
    lines.iter().map(String::len).max().unwrap_or(0) + 1
}

/// The lines, each padded with zeros.
pub fn table(lines: &[String], width: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(lines.len() * width);
    for line in lines {
        bytes.extend_from_slice(line.as_bytes());
        bytes.resize(bytes.len() + width - line.len(), 0);
    }
    bytes
}

/// `bytes` has the size of all elements.
fn put(object: &Handle, name: &str, element: &Handle, shape: DataShape, bytes: &[u8]) -> Result<(), Fault> {
    let tried = format!("write the attribute `{name}`");
    let (c_name, space) = (c_text(name), space(shape)?);
    // SAFETY: the name ends with a zero byte; the callers pass as many bytes as type and shape require.
    unsafe {
        let made =
            H5Acreate2(object.id(), c_name.as_ptr(), element.id(), space.id(), H5P_DEFAULT, H5P_DEFAULT);
        let attribute = own(made, &tried)?;
        check(H5Awrite(attribute.id(), element.id(), bytes.as_ptr().cast()), &tried)
    }
}
