//! Structures described by the addresses of their fields, for languages that cannot pass a description.
//!
//! Input: a name and a size, then the fields of one element.
//! Output: a type code, or a register.
//! Postcondition: a description has been used once.

use crate::boundary::pass;
use crate::text::Text;
use std::ffi::{c_int, c_void};

pub fn begin_structure(name: Text, size_bytes: usize) {
    let name = name.unwrap_or_default();
    pass("CPPC_TYPE", (), |controller| {
        controller.begin_structure(&name, size_bytes);
        Ok(())
    });
}

/// The memory at `address` is not accessed.
pub fn add_field(address: *const c_void, count: usize, type_code: c_int, name: Text) {
    let name = name.unwrap_or_default();
    pass("CPPC_FIELD", (), |controller| {
        controller.add_field(&name, address as usize, count, type_code);
        Ok(())
    });
}

/// The type code of the description; 0 if it is not valid.
pub fn end_structure() -> c_int {
    pass("CPPC_TYPE_CODE", 0, |controller| {
        Ok(controller.end_structure().map(|(code, _)| code).unwrap_or_else(|reason| {
            controller.complain(&format!("a structure cannot be described: {reason}"));
            0
        }))
    })
}

/// # Safety
/// `count` elements are at the address that the fields describe, and live as long as the register.
pub unsafe fn register_structures(section: c_int, count: usize, name: Text, storage: c_int, here: usize) {
    let name = name.unwrap_or_default();
    pass("CPPC_REGISTER_TYPE", (), |controller| {
        controller.register_structures(section, count, &name, storage, here)
    });
}
