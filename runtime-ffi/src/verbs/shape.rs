//! `CPPC_Shape`.
//!
//! Input: the extents of the last registered array.
//! Output: a status.
//! Postcondition: state files contain its shape, if it has one.

use crate::boundary::pass;
use crate::text::Text;
use cppc_abi::statuses::Status;
use std::ffi::c_int;

/// `extents` are ordered with the slowest in memory first; `None` if they are not valid.
pub fn shape(name: Text, extents: Option<Vec<u64>>) -> c_int {
    let name = name.unwrap_or_default();
    pass("CPPC_Shape", Status::WrongThread as c_int, |controller| {
        let Some(extents) = extents else {
            controller.complain(&format!(
                "`CPPC_Shape` of `{name}` got null extents, or a number of them that no array has"
            ));
            return Ok(Status::NullArgument as c_int);
        };
        Ok(controller.set_shape(&name, &extents) as c_int)
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
