//! Files and datasets. Groups are created automatically.
//!
//! Input: paths, types, extents.
//! Output: objects of the library.
//! Postcondition: the metadata of a created file has checksums; no file lock is requested.
//!
//! One of the few files with `unsafe`: the library is C.

use crate::boxes::ElementBox;
use crate::fault::Fault;
use crate::handle::{check, own, Handle};
use hdf5::h5::herr_t;
use hdf5::h5d::H5D_alloc_time_t::H5D_ALLOC_TIME_EARLY;
use hdf5::h5d::H5D_fill_time_t::H5D_FILL_TIME_NEVER;
use hdf5::h5d::{H5Dcreate2, H5Dget_offset, H5Dopen2};
use hdf5::h5f::H5F_libver_t::H5F_LIBVER_V110;
use hdf5::h5f::{H5Fcreate, H5Fopen, H5F_ACC_RDONLY, H5F_ACC_TRUNC, H5F_LIBVER_LATEST};
use hdf5::h5i::hid_t;
use hdf5::h5l::H5Lcreate_soft;
use hdf5::h5p::{
    H5Pcreate, H5Pset_alignment, H5Pset_alloc_time, H5Pset_char_encoding, H5Pset_chunk,
    H5Pset_create_intermediate_group, H5Pset_deflate, H5Pset_elink_cb, H5Pset_file_locking, H5Pset_fill_time,
    H5Pset_libver_bounds, H5Pset_virtual, H5P_CLS_DATASET_ACCESS, H5P_CLS_DATASET_CREATE,
    H5P_CLS_FILE_ACCESS, H5P_CLS_LINK_CREATE, H5P_DEFAULT,
};
use hdf5::h5s::H5S_class_t::{H5S_NULL, H5S_SCALAR};
use hdf5::h5s::H5S_seloper_t::H5S_SELECT_SET;
use hdf5::h5s::{H5Screate, H5Screate_simple, H5Sselect_hyperslab};
use hdf5::h5t::H5T_cset_t::H5T_CSET_UTF8;
use std::ffi::{c_char, c_uint, c_void, CStr, CString};

/// Data of at least this size begins at a multiple of `ALIGNMENT`.
const ALIGNED_FROM_BYTES: u64 = 256 << 10;
const ALIGNMENT: u64 = 4096;

/// An open file.
#[derive(Debug)]
pub struct File {
    handle: Handle,
    /// The property list that creates missing groups of a path.
    on_the_way: Handle,
}

/// The arrangement of the elements of a dataset.
#[derive(Debug, Clone, Copy)]
pub enum DataShape<'a> {
    /// No element.
    Null,
    Single,
    /// The extents, slowest first.
    Array(&'a [u64]),
}

/// A part of another dataset that is shown as a part of a virtual one.
#[derive(Debug)]
pub struct DatasetSlice {
    /// The elements of the virtual dataset.
    pub into: ElementBox,
    pub path: String,
    /// The same elements of the other dataset, and its extents.
    pub from: ElementBox,
    pub of: Vec<u64>,
}

impl File {
    pub fn create(path: &CStr) -> Result<File, Fault> {
        let access = access()?;
        let tried = "make the file";
        // SAFETY: the path ends with a zero byte.
        let handle =
            own(unsafe { H5Fcreate(path.as_ptr(), H5F_ACC_TRUNC, H5P_DEFAULT, access.id()) }, tried)?;
        File::new(handle)
    }

    pub fn open(path: &CStr) -> Result<File, Fault> {
        let access = access()?;
        // SAFETY: the path ends with a zero byte.
        let handle = own(unsafe { H5Fopen(path.as_ptr(), H5F_ACC_RDONLY, access.id()) }, "open the file")?;
        File::new(handle)
    }

    fn new(handle: Handle) -> Result<File, Fault> {
        let tried = "make a property list";
        // SAFETY: no address is passed.
        let on_the_way = own(unsafe { H5Pcreate(*H5P_CLS_LINK_CREATE) }, tried)?;
        // SAFETY: the list is ours.
        unsafe {
            check(H5Pset_create_intermediate_group(on_the_way.id(), 1), tried)?;
            check(H5Pset_char_encoding(on_the_way.id(), H5T_CSET_UTF8), tried)?;
        }
        Ok(File { handle, on_the_way })
    }

    pub fn root(&self) -> &Handle {
        &self.handle
    }

    /// A dataset whose location in the file is fixed at once and which is filled later.
    pub fn plain(&self, path: &str, element: &Handle, shape: DataShape) -> Result<Handle, Fault> {
        let list = creation()?;
        if !matches!(shape, DataShape::Null) {
            // SAFETY: the list is ours.
            check(
                unsafe { H5Pset_alloc_time(list.id(), H5D_ALLOC_TIME_EARLY) },
                "fix the time of allocation",
            )?;
        }
        self.dataset(path, element, shape, &list)
    }

    /// A dataset in compressed chunks, which are written one by one.
    pub fn chunked(
        &self,
        path: &str,
        element: &Handle,
        dims: &[u64],
        chunk: &[u64],
        level: u32,
    ) -> Result<Handle, Fault> {
        let list = creation()?;
        let tried = "set up compression";
        // SAFETY: the list is ours, and `chunk` has the rank that is said.
        unsafe {
            check(H5Pset_chunk(list.id(), chunk.len() as i32, chunk.as_ptr()), tried)?;
            check(H5Pset_deflate(list.id(), level), tried)?;
        }
        self.dataset(path, element, DataShape::Array(dims), &list)
    }

    /// A dataset whose elements are those of other datasets.
    pub fn assembled(
        &self,
        path: &str,
        element: &Handle,
        dims: &[u64],
        slices: &[DatasetSlice],
    ) -> Result<Handle, Fault> {
        let list = creation()?;
        let tried = "refer to another dataset";
        for slice in slices {
            let into = selected(dims, &slice.into)?;
            let from = selected(&slice.of, &slice.from)?;
            let source = c_text(&slice.path);
            // SAFETY: both texts end with a zero byte; "." is this file, whatever its name.
            check(
                unsafe { H5Pset_virtual(list.id(), into.id(), c".".as_ptr(), source.as_ptr(), from.id()) },
                tried,
            )?;
        }
        self.dataset(path, element, DataShape::Array(dims), &list)
    }

    fn dataset(
        &self,
        path: &str,
        element: &Handle,
        shape: DataShape,
        list: &Handle,
    ) -> Result<Handle, Fault> {
        let (name, space) = (c_text(path), space(shape)?);
        // SAFETY: the name ends with a zero byte; the rest are open objects.
        let made = unsafe {
            H5Dcreate2(
                self.handle.id(),
                name.as_ptr(),
                element.id(),
                space.id(),
                self.on_the_way.id(),
                list.id(),
                H5P_DEFAULT,
            )
        };
        own(made, &format!("make the dataset `{path}`"))
    }

    /// Opens a dataset of this file. Links to other files are refused.
    pub fn dataset_at(&self, path: &str) -> Result<Handle, Fault> {
        let name = c_text(path);
        let list = property_list(*H5P_CLS_DATASET_ACCESS)?;
        // SAFETY: the list is ours and the callback a function of ours; the name ends with a zero byte.
        unsafe {
            check(
                H5Pset_elink_cb(list.id(), Some(refuse), std::ptr::null_mut()),
                "refuse links to other files",
            )?;
            own(H5Dopen2(self.handle.id(), name.as_ptr(), list.id()), &format!("open the dataset `{path}`"))
        }
    }

    /// Makes a second name for a dataset.
    pub fn link(&self, path: &str, target: &str) -> Result<(), Fault> {
        let (name, target) = (c_text(path), c_text(target));
        // SAFETY: both names end with a zero byte.
        let status = unsafe {
            H5Lcreate_soft(
                target.as_ptr(),
                self.handle.id(),
                name.as_ptr(),
                self.on_the_way.id(),
                H5P_DEFAULT,
            )
        };
        check(status, &format!("make the link `{path}`"))
    }

    pub fn close(self) -> Result<(), Fault> {
        drop(self.on_the_way);
        self.handle.close("close the file")
    }
}

/// The library calls this for a link to another file.
extern "C" fn refuse(
    _parent_file: *const c_char,
    _parent_group: *const c_char,
    _child_file: *const c_char,
    _child: *const c_char,
    _flags: *mut c_uint,
    _access: hid_t,
    _data: *mut c_void,
) -> herr_t {
    -1
}

/// The file offset of the elements of a dataset; `None` if they are not contiguous in the file.
pub fn offset_of(dataset: &Handle) -> Option<u64> {
    // SAFETY: the dataset is open.
    let offset = unsafe { H5Dget_offset(dataset.id()) };
    (offset != u64::MAX).then_some(offset)
}

pub fn space(shape: DataShape) -> Result<Handle, Fault> {
    // SAFETY: the array of extents has the rank that is passed.
    let made = unsafe {
        match shape {
            DataShape::Null => H5Screate(H5S_NULL),
            DataShape::Single => H5Screate(H5S_SCALAR),
            DataShape::Array(dims) => H5Screate_simple(dims.len() as i32, dims.as_ptr(), std::ptr::null()),
        }
    };
    own(made, "make a data space")
}

/// A space with a box of the elements of an array selected.
fn selected(of: &[u64], block: &ElementBox) -> Result<Handle, Fault> {
    let space = space(DataShape::Array(of))?;
    select(&space, &block.first, &block.counts)?;
    Ok(space)
}

/// Selects a box of elements. Both slices have the rank of the space.
pub fn select(space: &Handle, first: &[u64], count: &[u64]) -> Result<(), Fault> {
    let null = std::ptr::null();
    // SAFETY: the caller passes as many numbers as the space has dimensions.
    let status = unsafe {
        H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, first.as_ptr(), null, count.as_ptr(), null)
    };
    check(status, "select elements")
}

pub fn c_text(text: &str) -> CString {
    // Names from outside were escaped, and the others contain no zero byte.
    CString::new(text).unwrap_or_default()
}

fn property_list(class: hid_t) -> Result<Handle, Fault> {
    // SAFETY: no address is passed.
    own(unsafe { H5Pcreate(class) }, "make a property list")
}

fn access() -> Result<Handle, Fault> {
    let list = property_list(*H5P_CLS_FILE_ACCESS)?;
    let tried = "set how the file is used";
    // SAFETY: the list is ours.
    unsafe {
        // From this version on, all metadata has checksums.
        check(H5Pset_libver_bounds(list.id(), H5F_LIBVER_V110, H5F_LIBVER_LATEST), tried)?;
        // The lock of the runtime ensures that no other process uses the file, and not every file system has
        // locks.
        check(H5Pset_file_locking(list.id(), 0, 1), tried)?;
        check(H5Pset_alignment(list.id(), ALIGNED_FROM_BYTES, ALIGNMENT), tried)?;
    }
    Ok(list)
}

fn creation() -> Result<Handle, Fault> {
    let list = property_list(*H5P_CLS_DATASET_CREATE)?;
    // SAFETY: the list is ours.
    check(unsafe { H5Pset_fill_time(list.id(), H5D_FILL_TIME_NEVER) }, "leave new space as it is")?;
    Ok(list)
}
