//! Types of elements as types of the library.
//!
//! Input: the properties of an element on the machine that made it.
//! Output: a type that describes it to any reader of the file.
//! Postcondition: the type has exactly the size of the element, so that content is never converted.
//!
//! One of the few files with `unsafe`: the library is C.

use crate::fault::Fault;
use crate::handle::{check, own, Handle};
use crate::view::View;
use cppc_abi::writer::{self, WriterField, WriterType};
use hdf5::h5i::hid_t;
use hdf5::h5t::H5T_class_t::{H5T_COMPOUND, H5T_OPAQUE};
use hdf5::h5t::H5T_norm_t::{H5T_NORM_IMPLIED, H5T_NORM_NONE};
use hdf5::h5t::H5T_order_t::{H5T_ORDER_BE, H5T_ORDER_LE};
use hdf5::h5t::H5T_str_t::{H5T_STR_NULLPAD, H5T_STR_NULLTERM, H5T_STR_SPACEPAD};
use hdf5::h5t::{
    H5T_cset_t::H5T_CSET_UTF8, H5Tarray_create2, H5Tcopy, H5Tcreate, H5Tenum_create, H5Tenum_insert,
    H5Tinsert, H5Tset_cset, H5Tset_ebias, H5Tset_fields, H5Tset_norm, H5Tset_order, H5Tset_precision,
    H5Tset_size, H5Tset_strpad, H5T_C_S1, H5T_IEEE_F64LE, H5T_STD_B8LE, H5T_STD_I8LE, H5T_STD_U8LE,
};
use std::collections::HashSet;
use std::ffi::CString;

/// The first type code of Fortran. Its text is padded with blanks.
pub const FIRST_FORTRAN: i32 = 60;

/// The type of one element. A description may come from a file, where few bytes can describe very many
/// members, so a type that does not fit into a file is refused first.
pub fn element(view: &View, described: &WriterType) -> Result<Handle, Fault> {
    let mut left = MOST_MEMBERS;
    if !is_fit(view, described, MOST_DEPTH, &mut left) {
        return Err(Fault::new("cannot make a type of so many parts"));
    }
    part(view, described)
}

/// The library allows about 64 KiB for a type, and a member takes more than ten bytes.
const MOST_MEMBERS: u32 = 1 << 13;
const MOST_DEPTH: u32 = 64;

fn is_fit(view: &View, described: &WriterType, depth: u32, left: &mut u32) -> bool {
    let fields = view.fields(described);
    let count = u32::try_from(fields.len()).unwrap_or(u32::MAX);
    match (depth.checked_sub(1), left.checked_sub(count)) {
        (Some(depth), Some(rest)) => {
            *left = rest;
            fields.iter().all(|field| is_fit(view, view.element(field.element), depth, left))
        }
        _ => false,
    }
}

fn part(view: &View, described: &WriterType) -> Result<Handle, Fault> {
    let order = view.state.big_endian != 0;
    match described.kind {
        writer::SIGNED => number(*H5T_STD_I8LE, described.size, order),
        writer::UNSIGNED => number(*H5T_STD_U8LE, described.size, order),
        writer::CHARACTER => text(described.size, described.code >= FIRST_FORTRAN),
        writer::LOGICAL => logical(described.size, order),
        writer::REAL => real(described.size, described.digits, order),
        writer::COMPLEX => complex(described, order),
        writer::POINTER => integer(*H5T_STD_B8LE, described.size, order),
        writer::BYTE if described.size == 1 => integer(*H5T_STD_B8LE, 1, false),
        writer::STRUCTURE => structure(view, described),
        _ => opaque(described.size),
    }
}

/// Text of `size` bytes.
pub fn text(size: u64, is_fortran: bool) -> Result<Handle, Fault> {
    let tried = "make a type for text";
    let made = copy(*H5T_C_S1, tried)?;
    let padding = if is_fortran { H5T_STR_SPACEPAD } else { H5T_STR_NULLPAD };
    // SAFETY: the type is ours.
    unsafe {
        check(H5Tset_size(made.id(), size as usize), tried)?;
        check(H5Tset_strpad(made.id(), padding), tried)?;
    }
    Ok(made)
}

/// Text in UTF-8 of `size` bytes, the last one zero.
pub fn utf8(size: usize) -> Result<Handle, Fault> {
    let tried = "make a type for text";
    let made = text(size as u64, false)?;
    // SAFETY: the type is ours.
    unsafe {
        check(H5Tset_strpad(made.id(), H5T_STR_NULLTERM), tried)?;
        check(H5Tset_cset(made.id(), H5T_CSET_UTF8), tried)?;
    }
    Ok(made)
}

/// Single bytes as small numbers.
pub fn small_number() -> Result<Handle, Fault> {
    integer(*H5T_STD_I8LE, 1, false)
}

/// Bytes without a type.
pub fn raw_byte() -> Result<Handle, Fault> {
    integer(*H5T_STD_B8LE, 1, false)
}

/// Unsigned numbers of the writer, in the byte order of this machine.
pub fn count() -> Result<Handle, Fault> {
    integer(*H5T_STD_U8LE, 8, cfg!(target_endian = "big"))
}

/// A compound type of the writer. Each field has its offset.
pub fn record(size: usize, fields: &[(&str, usize, &Handle)]) -> Result<Handle, Fault> {
    let tried = "make a type for a table";
    // SAFETY: no address is passed.
    let made = own(unsafe { H5Tcreate(H5T_COMPOUND, size) }, tried)?;
    for (name, offset, field) in fields {
        insert(&made, name, *offset, field, tried)?;
    }
    Ok(made)
}

fn copy(from: hid_t, tried: &str) -> Result<Handle, Fault> {
    // SAFETY: no address is passed.
    own(unsafe { H5Tcopy(from) }, tried)
}

fn set_order(made: &Handle, is_big: bool, tried: &str) -> Result<(), Fault> {
    let order = if is_big { H5T_ORDER_BE } else { H5T_ORDER_LE };
    // SAFETY: the type is ours.
    check(unsafe { H5Tset_order(made.id(), order) }, tried)
}

/// `like` is a type of one byte.
fn integer(like: hid_t, size: u64, is_big: bool) -> Result<Handle, Fault> {
    let tried = "make a type for integers";
    let made = copy(like, tried)?;
    // SAFETY: the type is ours.
    unsafe {
        check(H5Tset_size(made.id(), size as usize), tried)?;
        check(H5Tset_precision(made.id(), 8 * size as usize), tried)?;
    }
    // A single byte has no byte order. Setting one would make the type unequal to others.
    if size > 1 {
        set_order(&made, is_big, tried)?;
    }
    Ok(made)
}

/// An integer with more bits than the library's tools can show is stored as two.
fn number(like: hid_t, size: u64, is_big: bool) -> Result<Handle, Fault> {
    if size != 16 {
        return integer(like, size, is_big);
    }
    let (low, high) = (integer(*H5T_STD_U8LE, 8, is_big)?, integer(like, 8, is_big)?);
    let places = if is_big { (8, 0) } else { (0, 8) };
    record(16, &[("low", places.0, &low), ("high", places.1, &high)])
}

/// The use of the bits of a real number.
struct Bits {
    precision: usize,
    exponent_at: usize,
    exponent: usize,
    mantissa: usize,
    has_leading_one: bool,
}

fn real(size: u64, digits: u32, is_big: bool) -> Result<Handle, Fault> {
    let bits = |precision, exponent_at, exponent, mantissa, has_leading_one| Bits {
        precision,
        exponent_at,
        exponent,
        mantissa,
        has_leading_one,
    };
    let bits = match (digits, size) {
        (11, 2) => bits(16, 10, 5, 10, false),
        (24, 4) => bits(32, 23, 8, 23, false),
        (53, 8) => bits(64, 52, 11, 52, false),
        (64, 10..=16) => bits(80, 64, 15, 64, true),
        (113, 16) => bits(128, 112, 15, 112, false),
        _ => return opaque(size),
    };
    let tried = "make a type for reals";
    let made = copy(*H5T_IEEE_F64LE, tried)?;
    let id = made.id();
    let fields = || {
        // SAFETY: the type is ours.
        unsafe { H5Tset_fields(id, bits.precision - 1, bits.exponent_at, bits.exponent, 0, bits.mantissa) }
    };
    // SAFETY: the type is ours. Fields must be inside the precision at every step, so the larger of the old
    // and the new one is set first.
    unsafe {
        if size >= 8 {
            check(H5Tset_size(id, size as usize), tried)?;
            check(H5Tset_precision(id, bits.precision), tried)?;
            check(fields(), tried)?;
        } else {
            check(fields(), tried)?;
            check(H5Tset_precision(id, bits.precision), tried)?;
            check(H5Tset_size(id, size as usize), tried)?;
        }
        check(H5Tset_ebias(id, (1 << (bits.exponent - 1)) - 1), tried)?;
        let norm = if bits.has_leading_one { H5T_NORM_NONE } else { H5T_NORM_IMPLIED };
        check(H5Tset_norm(id, norm), tried)?;
    }
    set_order(&made, is_big, tried)?;
    Ok(made)
}

/// h5py reads a compound with the names `r` and `i` as a complex number.
fn complex(described: &WriterType, is_big: bool) -> Result<Handle, Fault> {
    let half = described.size / 2;
    let part = real(half, described.digits, is_big)?;
    record(described.size as usize, &[("r", 0, &part), ("i", half as usize, &part)])
}

/// h5py reads an enumeration with these names as a truth value.
fn logical(size: u64, is_big: bool) -> Result<Handle, Fault> {
    let tried = "make a type for truth values";
    let base = integer(*H5T_STD_I8LE, size, is_big)?;
    // SAFETY: the names end with a zero byte; a value has the size of the type.
    unsafe {
        let made = own(H5Tenum_create(base.id()), tried)?;
        for (name, value) in [(c"FALSE", 0u8), (c"TRUE", 1)] {
            let mut bytes = vec![0u8; size as usize];
            let last = bytes.len() - 1;
            bytes[if is_big { last } else { 0 }] = value;
            check(H5Tenum_insert(made.id(), name.as_ptr(), bytes.as_ptr().cast()), tried)?;
        }
        Ok(made)
    }
}

/// Without a tag, since h5py cannot read an opaque type with a tag.
fn opaque(size: u64) -> Result<Handle, Fault> {
    // SAFETY: no address is passed.
    own(unsafe { H5Tcreate(H5T_OPAQUE, size as usize) }, "make a type for bytes")
}

/// Members of a union overlap, which a compound cannot represent: the first one is used.
fn structure(view: &View, described: &WriterType) -> Result<Handle, Fault> {
    let tried = "make a type for a structure";
    // SAFETY: no address is passed.
    let made = own(unsafe { H5Tcreate(H5T_COMPOUND, described.size as usize) }, tried)?;
    let mut taken: Vec<(u64, u64)> = Vec::new();
    let mut names = HashSet::new();
    for field in view.fields(described) {
        let size = field.count * view.element(field.element).size;
        let (begin, end) = (field.offset, field.offset + size);
        if size == 0 || taken.iter().any(|&(from, to)| begin < to && from < end) {
            continue;
        }
        let mut name = view.text(field.name);
        if name.is_empty() || !names.insert(name.clone()) {
            name = format!("{name}@{begin}");
        }
        insert(&made, &name, begin as usize, &member(view, field)?, tried)?;
        taken.push((begin, end));
    }
    if taken.is_empty() {
        return opaque(described.size);
    }
    Ok(made)
}

fn member(view: &View, field: &WriterField) -> Result<Handle, Fault> {
    let inner = view.element(field.element);
    if inner.kind == writer::CHARACTER && inner.size == 1 {
        return text(field.count, inner.code >= FIRST_FORTRAN);
    }
    let one = part(view, inner)?;
    if field.count == 1 {
        return Ok(one);
    }
    // SAFETY: one extent is passed, and the variable outlives the call.
    own(unsafe { H5Tarray_create2(one.id(), 1, &raw const field.count) }, "make a type for an array")
}

fn insert(into: &Handle, name: &str, offset: usize, field: &Handle, tried: &str) -> Result<(), Fault> {
    let name = CString::new(name).unwrap_or_default();
    // SAFETY: the name ends with a zero byte; both types are open.
    check(unsafe { H5Tinsert(into.id(), name.as_ptr(), offset, field.id()) }, tried)
}
