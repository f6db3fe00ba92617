//! Reads a file of this writer through the library, whatever was done to the file since.
//!
//! Input: a path; ranges of memory blocks.
//! Output: the seal; the bytes of the ranges.
//! Postcondition: no more memory was allocated than the length of the file justifies; no other file was read.
//! The runtime verifies whether the bytes are those that were written.
//!
//! One of the few files with `unsafe`: the library is C.

use crate::extents::Range;
use crate::fault::Fault;
use crate::file::{offset_of, select, space, DataShape, File};
use crate::handle::{check, own, Handle};
use crate::session::Session;
use crate::tables::{content_row, ALL, CONTENT, CONTENT_FIELDS, NUMBER_BYTES, PATH_AT, SEAL};
use crate::transfer;
use crate::types;
use hdf5::h5d::H5D_layout_t::{H5D_CHUNKED, H5D_COMPACT, H5D_CONTIGUOUS};
use hdf5::h5d::{H5Dget_create_plist, H5Dget_space, H5Dget_type, H5Dread};
use hdf5::h5p::{H5Pget_external_count, H5Pget_layout, H5P_DEFAULT};
use hdf5::h5s::{H5Sget_simple_extent_dims, H5Sget_simple_extent_ndims, H5Sget_simple_extent_npoints};
use hdf5::h5t::{H5Tget_member_index, H5Tget_member_type, H5Tget_size};
use std::ffi::{CStr, CString};

/// About the number of bytes that are read through the library at once.
const ROW_BYTES: u64 = 64 << 10;
/// A file is tried in steps of this size.
const SCRATCH_BYTES: usize = 1 << 20;
/// The largest ratio of decompressed to compressed bytes of deflate.
const MOST_RATIO: u64 = 1032;
/// The largest number of dimensions that the library allows.
const MOST_RANK: usize = 32;

/// An open file.
#[derive(Debug)]
pub struct ChangedFile {
    bytes: std::fs::File,
    pub seal: Vec<u8>,
    /// Sorted by location.
    parts: Vec<(Range, PartLocation)>,
    /// The library's handle of the file; dropped within a session.
    library: Option<File>,
}

/// Where a part of a memory block is stored.
#[derive(Debug)]
enum PartLocation {
    /// In the file, from this byte on.
    Offset(u64),
    /// In a dataset that only the library can read.
    Dataset(Dataset),
}

#[derive(Debug)]
struct Dataset {
    handle: Handle,
    element: Handle,
    element_bytes: u64,
    dims: Vec<u64>,
}

impl ChangedFile {
    /// `bytes` is the same file, of this length.
    pub fn open(path: &CStr, bytes: std::fs::File, length: u64) -> Result<ChangedFile, Fault> {
        let _session = Session::begin()?;
        let library = File::open(path)?;
        let seal = read_seal(&library, length)?;
        let content = read_content(&library, length)?;
        let total = content.iter().try_fold(0u64, |sum, (range, _)| sum.checked_add(range.size));
        if total.is_none_or(|total| total / MOST_RATIO > length) {
            return Err(Fault::new("the table of content describes more than the file can contain"));
        }
        let mut parts = Vec::new();
        for (range, path) in content {
            parts.push((range, find(&library, &path, range)?));
        }
        parts.sort_by_key(|(range, _)| (range.block, range.offset));
        Ok(ChangedFile { bytes, seal, parts, library: Some(library) })
    }

    /// Fills `into` with the bytes of a memory block from `offset` on.
    pub fn read(&self, block: u64, offset: u64, into: &mut [u8]) -> Result<(), Fault> {
        let missing = || Fault::new(format!("memory block {block} is incomplete"));
        let block = usize::try_from(block).map_err(|_| missing())?;
        let first = self.parts.partition_point(|(range, _)| {
            (range.block, range.offset.saturating_add(range.size)) <= (block, offset)
        });
        let (mut at, mut rest) = (offset, into);
        for (range, place) in &self.parts[first..] {
            if rest.is_empty() {
                return Ok(());
            }
            if range.block != block || range.offset > at {
                return Err(missing());
            }
            let inside = at - range.offset;
            let length = (range.size - inside).min(rest.len() as u64) as usize;
            let (here, behind) = rest.split_at_mut(length);
            self.read_part(place, inside, here)?;
            rest = behind;
            at += length as u64;
        }
        if rest.is_empty() {
            Ok(())
        } else {
            Err(missing())
        }
    }

    /// Reads everything that only the library can read.
    pub fn read_through(&self) -> Result<(), Fault> {
        let mut scratch = vec![0; SCRATCH_BYTES];
        for (range, place) in &self.parts {
            let PartLocation::Dataset(_) = place else { continue };
            let mut inside = 0;
            while inside < range.size {
                let length = (range.size - inside).min(SCRATCH_BYTES as u64) as usize;
                self.read_part(place, inside, &mut scratch[..length])?;
                inside += length as u64;
            }
        }
        Ok(())
    }

    fn read_part(&self, place: &PartLocation, inside: u64, into: &mut [u8]) -> Result<(), Fault> {
        match place {
            PartLocation::Offset(offset) => {
                let at = offset
                    .checked_add(inside)
                    .ok_or_else(|| Fault::new("a dataset lies outside of the file"))?;
                transfer::read(&self.bytes, at, into)
            }
            PartLocation::Dataset(dataset) => {
                let _session = Session::begin()?;
                dataset.read(inside, into)
            }
        }
    }
}

impl Drop for ChangedFile {
    fn drop(&mut self) {
        let session = Session::begin();
        self.parts.clear();
        self.library = None;
        drop(session);
    }
}

impl Dataset {
    /// Reads bytes of the dataset's elements. The range may begin and end inside of elements.
    fn read(&self, inside: u64, into: &mut [u8]) -> Result<(), Fault> {
        if into.is_empty() {
            return Ok(());
        }
        // The largest rows that are small enough, and the dimension that counts them.
        let mut dimension = self.dims.len().saturating_sub(1);
        let mut row_bytes = self.element_bytes;
        while dimension > 0 && row_bytes.saturating_mul(self.dims[dimension]) <= ROW_BYTES {
            row_bytes *= self.dims[dimension];
            dimension -= 1;
        }
        let end = inside + into.len() as u64;
        let last = end.div_ceil(row_bytes);
        let most = (ROW_BYTES / row_bytes).max(1);
        let extent = self.dims.get(dimension).copied().unwrap_or(1);
        let mut row = inside / row_bytes;
        let mut scratch = Vec::new();
        while row < last {
            let count = most.min(last - row).min(extent - row % extent);
            scratch.resize((count * row_bytes) as usize, 0);
            self.read_rows(dimension, row, count, &mut scratch)?;
            let (begin, after) = (row * row_bytes, (row + count) * row_bytes);
            let (from, to) = (begin.max(inside), after.min(end));
            into[(from - inside) as usize..(to - inside) as usize]
                .copy_from_slice(&scratch[(from - begin) as usize..(to - begin) as usize]);
            row += count;
        }
        Ok(())
    }

    /// Reads rows of all dimensions after this one, at one index of the dimensions before it.
    fn read_rows(&self, dimension: usize, row: u64, count: u64, into: &mut [u8]) -> Result<(), Fault> {
        let tried = "read a dataset";
        if self.dims.is_empty() {
            // SAFETY: there is one element, and `into` has its size.
            let status = unsafe {
                H5Dread(self.handle.id(), self.element.id(), ALL, ALL, H5P_DEFAULT, into.as_mut_ptr().cast())
            };
            return check(status, tried);
        }
        let mut first = vec![0; self.dims.len()];
        let mut counts = self.dims.clone();
        let mut place = row;
        for index in (0..=dimension).rev() {
            first[index] = place % self.dims[index];
            place /= self.dims[index];
            counts[index] = 1;
        }
        counts[dimension] = count;
        let there = space(DataShape::Array(&self.dims))?;
        select(&there, &first, &counts)?;
        let here = space(DataShape::Array(&counts))?;
        // SAFETY: `into` has the size of the elements that are selected.
        let status = unsafe {
            H5Dread(
                self.handle.id(),
                self.element.id(),
                here.id(),
                there.id(),
                H5P_DEFAULT,
                into.as_mut_ptr().cast(),
            )
        };
        check(status, tried)
    }
}

fn read_seal(file: &File, length: u64) -> Result<Vec<u8>, Fault> {
    let dataset = own_dataset(file, SEAL)?;
    let count = points(&dataset)?;
    let mut bytes = room(count, 1, length)?;
    read_all(&dataset, &types::raw_byte()?, &mut bytes)?;
    Ok(bytes)
}

/// The rows of the table of content.
fn read_content(file: &File, length: u64) -> Result<Vec<(Range, String)>, Fault> {
    let dataset = own_dataset(file, CONTENT)?;
    let path_bytes = width_of_paths(&dataset)?;
    let row_bytes = PATH_AT + path_bytes;
    let count = points(&dataset)?;
    let mut bytes = room(count, row_bytes as u64, length)?;
    if !bytes.is_empty() {
        read_all(&dataset, &content_row(path_bytes)?, &mut bytes)?;
    }
    let row = |row: &[u8]| {
        let number = |index: usize| {
            let mut bytes = [0; NUMBER_BYTES];
            bytes.copy_from_slice(&row[index * NUMBER_BYTES..][..NUMBER_BYTES]);
            u64::from_ne_bytes(bytes)
        };
        let path = row[PATH_AT..].split(|&byte| byte == 0).next().unwrap_or_default();
        let path = String::from_utf8(path.to_vec())
            .map_err(|_| Fault::new("a name in the table of content is not text"))?;
        let block = usize::try_from(number(0))
            .map_err(|_| Fault::new("a block in the table of content has no number"))?;
        Ok((Range { block, offset: number(1), size: number(2) }, path))
    };
    bytes.chunks_exact(row_bytes).map(row).collect()
}

fn width_of_paths(dataset: &Handle) -> Result<usize, Fault> {
    let tried = "read the table of content";
    let name = CString::new(CONTENT_FIELDS[3]).unwrap_or_default();
    // SAFETY: the dataset is open and the name ends with a zero byte.
    unsafe {
        let row = own(H5Dget_type(dataset.id()), tried)?;
        let index = H5Tget_member_index(row.id(), name.as_ptr());
        let index = u32::try_from(index).map_err(|_| Fault::new("the table of content lacks a column"))?;
        let path = own(H5Tget_member_type(row.id(), index), tried)?;
        Ok(H5Tget_size(path.id()))
    }
}

/// Memory for `count` elements, which must not exceed the length of the file.
fn room(count: u64, element_bytes: u64, length: u64) -> Result<Vec<u8>, Fault> {
    let bytes = count.checked_mul(element_bytes).filter(|bytes| *bytes <= length);
    let bytes = bytes.and_then(|bytes| usize::try_from(bytes).ok());
    let bytes = bytes.ok_or_else(|| Fault::new("a table is larger than the file"))?;
    let mut memory = Vec::new();
    if memory.try_reserve_exact(bytes).is_err() {
        return Err(Fault { text: "there is no memory for a table".to_owned(), code: Some(libc::ENOMEM) });
    }
    memory.resize(bytes, 0);
    Ok(memory)
}

fn find(file: &File, path: &str, range: Range) -> Result<PartLocation, Fault> {
    let handle = own_dataset(file, path)?;
    let tried = "look at a dataset";
    // SAFETY: the dataset is open.
    let element = own(unsafe { H5Dget_type(handle.id()) }, tried)?;
    // SAFETY: the type is open.
    let element_bytes = unsafe { H5Tget_size(element.id()) } as u64;
    let dims = dims(&handle)?;
    let count = points(&handle)?;
    if element_bytes == 0 || count.checked_mul(element_bytes) != Some(range.size) {
        return Err(Fault::new(format!(
            "the dataset `{path}` does not have the size in the table of content"
        )));
    }
    match offset_of(&handle) {
        Some(offset) => Ok(PartLocation::Offset(offset)),
        None => Ok(PartLocation::Dataset(Dataset { handle, element, element_bytes, dims })),
    }
}

/// Opens a dataset whose elements are in this file.
fn own_dataset(file: &File, path: &str) -> Result<Handle, Fault> {
    let dataset = file.dataset_at(path)?;
    // SAFETY: both objects are open.
    let is_own = unsafe {
        let list = own(H5Dget_create_plist(dataset.id()), "look at a dataset")?;
        // A number for which the binding has no name (a layout of a newer library) is none of these.
        let layout = H5Pget_layout(list.id()) as i32;
        let ours = [H5D_COMPACT as i32, H5D_CONTIGUOUS as i32, H5D_CHUNKED as i32];
        ours.contains(&layout) && H5Pget_external_count(list.id()) == 0
    };
    if is_own {
        Ok(dataset)
    } else {
        Err(Fault::new(format!("the dataset `{path}` is stored outside of the dataset")))
    }
}

fn dims(dataset: &Handle) -> Result<Vec<u64>, Fault> {
    let tried = "look at a dataset";
    let mut dims = [0; MOST_RANK];
    // SAFETY: the dataset is open, and no dataset has more dimensions than there is room for.
    unsafe {
        let space = own(H5Dget_space(dataset.id()), tried)?;
        let rank = usize::try_from(H5Sget_simple_extent_ndims(space.id())).unwrap_or(usize::MAX);
        if rank > MOST_RANK {
            return Err(Fault::new("a dataset has too many dimensions"));
        }
        check(H5Sget_simple_extent_dims(space.id(), dims.as_mut_ptr(), std::ptr::null_mut()).min(0), tried)?;
        Ok(dims[..rank].to_vec())
    }
}

fn points(dataset: &Handle) -> Result<u64, Fault> {
    // SAFETY: the dataset is open.
    let count = unsafe {
        let space = own(H5Dget_space(dataset.id()), "look at a dataset")?;
        H5Sget_simple_extent_npoints(space.id())
    };
    u64::try_from(count).map_err(|_| Fault::new("a dataset has no size"))
}

/// `into` has the size of all elements of the type `element`.
fn read_all(dataset: &Handle, element: &Handle, into: &mut [u8]) -> Result<(), Fault> {
    // SAFETY: the callers ensure it.
    let status =
        unsafe { H5Dread(dataset.id(), element.id(), ALL, ALL, H5P_DEFAULT, into.as_mut_ptr().cast()) };
    check(status, "read a table")
}
