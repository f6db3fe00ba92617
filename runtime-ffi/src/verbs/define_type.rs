//! `CPPC_Define_type`, `CPPC_Bit_field`, `CPPC_Select`, `CPPC_Points` and `CPPC_Stated`.
//!
//! Input: the fields of a structure.
//! Output: its type code, or a negative status.
//! Postcondition: equal descriptions have the same code.

use crate::boundary::pass;
use crate::text::{text, Text};
use cppc_abi::statuses::Status;
use cppc_abi::types::BitField;
use cppc_runtime::manifest;
use std::ffi::{c_char, c_int, c_void};

/// `CPPC_Field` of `cppc.h`.
#[repr(C)]
pub struct Field {
    pub name: *const c_char,
    pub offset: usize,
    pub type_code: c_int,
    pub count: usize,
}

/// # Safety
/// `name` is null or a text; `field` points to `fields` descriptions, whose names are null or texts.
pub unsafe fn define_type(name: *const c_char, size: usize, fields: c_int, field: *const Field) -> c_int {
    let count = usize::try_from(fields).unwrap_or(0);
    // SAFETY: the caller guarantees `fields` descriptions.
    let given =
        if count == 0 || field.is_null() { &[] } else { unsafe { std::slice::from_raw_parts(field, count) } };
    // SAFETY: the caller guarantees the texts.
    let described =
        unsafe { (text(name), given.iter().map(|field| describe(field)).collect::<Option<Vec<_>>>()) };
    pass("CPPC_Define_type", -(Status::WrongThread as c_int), |controller| {
        let (Some(name), Some(fields), true) =
            (described.0, described.1, given.len() as i64 == i64::from(fields))
        else {
            controller
                .complain("`CPPC_Define_type` got a null name, null fields, or a negative number of them");
            return Ok(-(Status::NullArgument as c_int));
        };
        let structure = manifest::StructType { name: name.into_owned(), size_bytes: size as u64, fields };
        Ok(controller.define_type(structure).unwrap_or_else(|status| -(status as c_int)))
    })
}

/// Finds a bit-field by its bits in a sample.
///
/// # Safety
/// `field` is null or a description that may be set; `sample` is null or has `size` bytes.
pub unsafe fn bit_field(field: *mut Field, sample: *const c_void, size: usize, negative: c_int) -> c_int {
    // SAFETY: the caller guarantees both.
    let found = unsafe {
        let bytes =
            if sample.is_null() { &[] } else { std::slice::from_raw_parts(sample.cast::<u8>(), size) };
        let found = BitField::find(bytes, negative != 0, cfg!(target_endian = "big"));
        if let (Some((bits, offset)), Some(field)) = (found, field.as_mut()) {
            (field.offset, field.type_code) = (offset, bits.code());
        }
        found.filter(|_| !field.is_null())
    };
    pass("CPPC_Bit_field", Status::WrongThread as c_int, |controller| {
        if found.is_none() {
            controller.complain(
                "`CPPC_Bit_field` got null, or a sample whose set bits are not those of one bit-field",
            );
            return Ok(Status::BadDescription as c_int);
        }
        Ok(Status::Success as c_int)
    })
}

/// # Safety
/// `selector` is null or points to an integer of the type that exists as long as the register.
pub unsafe fn select(name: Text, selector: *const c_void, type_code: c_int) -> c_int {
    let name = name.unwrap_or_default();
    pass("CPPC_Select", Status::WrongThread as c_int, |controller| {
        Ok(controller.set_selector(&name, selector as usize, type_code) as c_int)
    })
}

/// # Safety
/// The name is null or a text.
unsafe fn describe(field: &Field) -> Option<manifest::Field> {
    Some(manifest::Field {
        // SAFETY: the caller guarantees it.
        name: unsafe { text(field.name) }?.into_owned(),
        offset_bytes: field.offset as u64,
        type_code: field.type_code,
        count: field.count as u64,
    })
}

pub fn points(type_code: c_int, field: Text, target: c_int) -> c_int {
    let field = field.unwrap_or_default();
    pass("CPPC_Points", Status::WrongThread as c_int, |controller| {
        Ok(controller.declare_pointee(type_code, &field, target) as c_int)
    })
}

pub fn stated(type_code: c_int, field: Text) -> c_int {
    let field = field.unwrap_or_default();
    pass("CPPC_Stated", Status::WrongThread as c_int, |controller| {
        Ok(controller.declare_stated(type_code, &field) as c_int)
    })
}
