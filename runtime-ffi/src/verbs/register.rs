//! Registers: `CPPC_Register` and its forms, `CPPC_Wants`, `CPPC_Fields`, `CPPC_Way`, `CPPC_Shape`, `CPPC_Unregister`.
//!
//! Input: memory, or the slot of a pointer to it; the access path and the extents of the item that was registered last.
//! Output: the address of the memory, or a status.
//! Postcondition: the memory is saved at checkpoints until it is unregistered; in a restart its content is restored.

use crate::boundary::{caller, pass, pass_register, Caller};
use crate::text::Text;
use cppc_abi::statuses::Status;
use cppc_abi::storage::DEFERRED;
use cppc_runtime::controller::deferred::{accepts_from_other_thread, register_in_other_thread};
use cppc_runtime::controller::fields::FieldPositions;
use cppc_runtime::controller::registers::Registration;
use cppc_runtime::manifest::Kind;
use cppc_runtime::register::FieldLayout;
use cppc_runtime::standard_error::write_in_handler;
use std::ffi::{c_int, c_void};

/// `keeps_size`: whether a restart needs the same number of elements.
///
/// # Safety
/// `address` is null or points to `count` elements of the type, which live as long as the register.
#[inline]
pub unsafe fn register(
    section: c_int,
    address: *mut c_void,
    count: usize,
    type_code: c_int,
    name: Text,
    storage: c_int,
    here: usize,
    keeps_size: bool,
) -> *mut c_void {
    let name = name.unwrap_or_default();
    let (kind, address) = (Kind::Memory, address as usize);
    let made =
        Registration { section, address, count, type_code, name: &name, storage, kind, here, keeps_size };
    if storage & DEFERRED != 0 && matches!(caller(), Caller::Other) {
        if let Err(stop) = register_in_other_thread(&made) {
            write_in_handler(&["cppc: ", &stop.message, "\n"]);
            std::process::abort();
        }
        return address as *mut c_void;
    }
    pass_register("CPPC_Register", made.name, address, |controller| Ok(controller.register(made)?.address))
        as *mut c_void
}

/// Reports an array that cannot be registered.
pub fn not_contiguous(name: Text) {
    let name = name.unwrap_or_default();
    pass("CPPC_Not_contiguous", (), |controller| {
        let reason = match controller.follows(&name) {
            true => "it is not contiguous in memory; a pointer to elements with gaps between them cannot be saved: nullify it before the checkpoint, and set it again after it; if the pointer was never set, declare it with `=> null()`",
            false => "it is not contiguous in memory; an argument with gaps between its elements cannot be saved in the procedure: register the array that is passed in the caller instead, or pass an array without gaps",
        };
        controller.give_up(&name, reason);
        Ok(())
    });
}

/// Reports a component that cannot be registered, because an allocatable on its access path is not allocated.
pub fn not_allocated(name: Text) {
    let name = name.unwrap_or_default();
    pass("CPPC_Not_allocated", (), |controller| {
        let reason =
            "an allocatable that contains it is not allocated; allocate it before, or register it where it is allocated";
        controller.refuse(&name, reason)
    });
}

/// # Safety
/// `address` is null or points to one element of the type, which lives as long as the register.
#[inline]
pub unsafe fn register_value(
    section: c_int,
    address: *mut c_void,
    type_code: c_int,
    name: Text,
    storage: c_int,
    here: usize,
) -> c_int {
    let name = name.unwrap_or_default();
    let (kind, address) = (Kind::Memory, address as usize);
    let made = Registration {
        section,
        address,
        count: 1,
        type_code,
        name: &name,
        storage,
        kind,
        here,
        keeps_size: false,
    };
    pass_register("CPPC_Register_value", made.name, 0, |controller| {
        controller.register(made).map(|register| c_int::from(register.is_delivered))
    })
}

/// # Safety
/// `slot` is null or points to a pointer that lives as long as the register and that, at each checkpoint, is
/// null or points to `count` elements of the type.
#[inline]
pub unsafe fn register_pointer(
    section: c_int,
    slot: *mut c_void,
    count: usize,
    type_code: c_int,
    name: Text,
    storage: c_int,
    here: usize,
) -> *mut c_void {
    let name = name.unwrap_or_default();
    let (kind, address) = (Kind::Pointer, slot as usize);
    let made = Registration {
        section,
        address,
        count,
        type_code,
        name: &name,
        storage,
        kind,
        here,
        keeps_size: false,
    };
    pass_register("CPPC_Register_pointer", made.name, 0, |controller| Ok(controller.register(made)?.address))
        as *mut c_void
}

#[inline]
pub fn deferred() -> c_int {
    match caller() {
        Caller::Owner => {
            pass("CPPC_Accepts_deferred", 0, |controller| Ok(c_int::from(controller.accepts_deferred())))
        }
        Caller::First => 0,
        Caller::Other => c_int::from(accepts_from_other_thread()),
    }
}

pub fn wants(name: Text) -> c_int {
    let name = name.unwrap_or_default();
    pass("CPPC_Wants", 1, |controller| Ok(c_int::from(controller.needs(&name))))
}

pub fn way(name: Text, slot: *mut c_void, storage: c_int) -> c_int {
    let name = name.unwrap_or_default();
    pass("CPPC_Way", Status::WrongThread as c_int, |controller| {
        Ok(controller.add_access_path(&name, slot as usize, storage) as c_int)
    })
}

pub fn fields(name: Text, offset_bytes: usize, stride_bytes: usize, elements: usize) -> c_int {
    let name = name.unwrap_or_default();
    pass("CPPC_Fields", Status::WrongThread as c_int, |controller| {
        let fields = FieldPositions::Layout(FieldLayout { offset_bytes, stride_bytes, elements });
        Ok(controller.announce_fields(&name, fields) as c_int)
    })
}

/// `first` and `second` are the same part of two structures that follow one another.
pub fn fields_between(name: Text, first: *const c_void, second: *const c_void, structures: usize) {
    let name = name.unwrap_or_default();
    pass("CPPC_Fields", (), |controller| {
        let fields =
            FieldPositions::Structures { first: first as usize, second: second as usize, structures };
        controller.announce_fields(&name, fields);
        Ok(())
    });
}

/// `extents` are ordered with the slowest in memory first; `None` if they are not valid.
pub fn shape(name: Text, extents: Option<Vec<u64>>) -> c_int {
    let name = name.unwrap_or_default();
    // It belongs to a register of `register_in_other_thread`. A restart does not depend on it.
    if matches!(caller(), Caller::Other) && accepts_from_other_thread() {
        return Status::Success as c_int;
    }
    pass("CPPC_Shape", Status::WrongThread as c_int, |controller| {
        let Some(extents) = extents else {
            controller.complain(&format!(
                "`CPPC_Shape` of `{name}` got null extents, or a number of them that no array has"
            ));
            return Ok(Status::NullArgument as c_int);
        };
        controller.set_shape(&name, &extents).map(|status| status as c_int)
    })
}

/// Higher ranks are refused without reading the extents.
const MOST: usize = 64;

/// # Safety
/// `extents` is null or points to `rank` numbers.
pub unsafe fn extents<T: Copy + TryInto<u64>>(rank: c_int, extents: *const T) -> Option<Vec<u64>> {
    let rank = usize::try_from(rank).ok().filter(|rank| *rank <= MOST)?;
    if extents.is_null() && rank > 0 {
        return None;
    }
    // SAFETY: not null, and the caller guarantees the number. A negative extent of Fortran counts as 0.
    Some(
        (0..rank)
            .map(|index| unsafe { extents.add(index).read_unaligned() }.try_into().unwrap_or(0))
            .collect(),
    )
}

pub fn unregister(address: *mut c_void) -> c_int {
    pass("CPPC_Unregister", Status::WrongThread, |controller| {
        Ok(controller.unregister(None, address as usize))
    }) as c_int
}

pub fn unregister_name(name: Text, address: *mut c_void) -> c_int {
    pass("CPPC_Unregister_name", Status::WrongThread, |controller| {
        Ok(controller.unregister(name.as_deref(), address as usize))
    }) as c_int
}

pub fn out_of_scope(name: Text, here: usize) {
    let name = name.unwrap_or_default();
    pass("CPPC_Out_of_scope", (), |controller| {
        controller.out_of_scope(&name, here);
        Ok(())
    });
}
