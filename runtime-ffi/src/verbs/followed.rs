//! `CPPC_Register_followed`, `CPPC_Deliver`, `CPPC_Follow` and related calls.
//!
//! Input: arrays whose memory may move, by name.
//! Output: in a restart, their bounds and content.
//! Postcondition: a checkpoint saves the array at the address that the program passed last.

use crate::boundary::pass;
use crate::text::Text;
use cppc_abi::types::CHARACTER;
use cppc_runtime::controller::followed::PassedArray;
use cppc_runtime::controller::registers::Registration;
use cppc_runtime::manifest::Kind;
use cppc_runtime::register::bounds::{Pairs, MOST_DIMENSIONS};
use cppc_runtime::restore::Reallocation;
use std::ffi::{c_int, c_void};

/// Lower and upper bounds, `rank` of each.
#[derive(Debug, Clone, Copy)]
pub struct ArrayBounds {
    pub rank: c_int,
    pub lower: *mut i64,
    pub upper: *mut i64,
}

impl ArrayBounds {
    fn count(&self) -> Option<usize> {
        let count = usize::try_from(self.rank).ok().filter(|count| *count <= MOST_DIMENSIONS)?;
        (count == 0 || !(self.lower.is_null() || self.upper.is_null())).then_some(count)
    }

    /// # Safety
    /// Each pointer that is not null points to `rank` integers.
    pub(super) unsafe fn pairs(&self, length: Option<i64>) -> Option<Pairs> {
        let count = self.count()?;
        let (mut lower, mut upper) = ([0; MOST_DIMENSIONS], [0; MOST_DIMENSIONS]);
        for index in 0..count {
            // SAFETY: `count` has checked that they are not null, and the caller guarantees the rest.
            (lower[index], upper[index]) =
                unsafe { (self.lower.add(index).read_unaligned(), self.upper.add(index).read_unaligned()) };
        }
        Pairs::new(length, &lower[..count], &upper[..count])
    }

    /// # Safety
    /// As for `pairs`, and the integers can be written.
    pub(super) unsafe fn set(&self, pairs: &[i64]) {
        let Some(count) = self.count() else { return };
        for (index, pair) in pairs.chunks_exact(2).take(count).enumerate() {
            // SAFETY: as in `pairs`.
            unsafe {
                self.lower.add(index).write_unaligned(pair[0]);
                self.upper.add(index).write_unaligned(pair[1]);
            }
        }
    }
}

/// Whether an array of this name is registered now.
pub fn follows(name: Text) -> c_int {
    let name = name.unwrap_or_default();
    pass("CPPC_Follows", 0, |controller| Ok(c_int::from(controller.follows(&name))))
}

/// Reports an array that was allocated before the restart reached its register, with bounds other than at the
/// checkpoint.
pub fn moved(name: Text) {
    let name = name.unwrap_or_default();
    pass("CPPC_Moved", (), |controller| {
        controller.complain(&format!(
            "`{name}` is allocated anew, because it was set up with other bounds than it had when the state was written; \
             a pointer to it that was set before its register must be registered too, or set again in an `execute` block behind it"
        ));
        Ok(())
    });
}

/// Returns 0 if there is nothing to do, -1 for an array that was not allocated, 1 for one that was, and 2 for
/// one whose memory has been restored already.
///
/// # Safety
/// Each pointer of `bounds` that is not null points to `rank` integers.
pub unsafe fn register_followed(
    section: c_int,
    type_code: c_int,
    bounds: ArrayBounds,
    name: Text,
    storage: c_int,
    here: usize,
) -> c_int {
    let name = name.unwrap_or_default();
    let (kind, address, count) = (Kind::Memory, 0, 0);
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
    let rank = bounds.count();
    pass("CPPC_Register_followed", 0, |controller| {
        let Some(rank) = rank else {
            controller.give_up(&name, "its rank is not one that an array can have, or it has no bounds");
            return Ok(0);
        };
        let (answer, pairs) = match controller.register_followed(made)? {
            None => return Ok(0),
            Some(Reallocation::NotAllocated) => return Ok(-1),
            Some(Reallocation::Allocated(pairs)) => (1, pairs),
            Some(Reallocation::InPlace(pairs)) => (2, pairs),
        };
        let of_array =
            &pairs.as_slice()[if type_code == CHARACTER { 2 } else { 0 }.min(pairs.as_slice().len())..];
        if rank > 0 && of_array.len() != 2 * rank {
            return Err(controller.other_rank(&name));
        }
        // SAFETY: the caller guarantees it.
        unsafe { bounds.set(of_array) };
        Ok(answer)
    })
}

/// # Safety
/// `address` points to the array, with the type and shape that it has in the state file.
pub unsafe fn deliver(address: *mut c_void, name: Text) {
    let name = name.unwrap_or_default();
    pass("CPPC_Deliver", (), |controller| controller.fill_followed(&name, address as usize));
}

/// `length` is that of each element, for characters. `type_code` is the type of the elements at `address`, if
/// known.
///
/// # Safety
/// `address` points to an array with these bounds, which stays there until its address is passed again; each
/// pointer of `bounds` that is not null points to `rank` integers.
pub unsafe fn follow(
    address: *mut c_void,
    type_code: Option<c_int>,
    length: Option<i64>,
    bounds: ArrayBounds,
    name: Text,
) {
    let name = name.unwrap_or_default();
    // SAFETY: the caller guarantees it.
    let pairs = unsafe { bounds.pairs(length) };
    pass("CPPC_Follow", (), |controller| {
        let Some(pairs) = pairs else {
            controller.give_up(&name, "its rank is not one that an array can have, or it has no bounds");
            return Ok(());
        };
        controller.follow(PassedArray { name: &name, address: address as usize, pairs, type_code })
    });
}

/// The array is not allocated.
pub fn follow_nothing(name: Text) {
    let name = name.unwrap_or_default();
    pass("CPPC_Follow_nothing", (), |controller| {
        controller.follow(PassedArray { name: &name, address: 0, pairs: Pairs::NONE, type_code: None })
    });
}

/// The address of memory that has been restored already; null if there is none.
pub fn place(name: Text) -> *mut c_void {
    let name = name.unwrap_or_default();
    pass("CPPC_Place", 0, |controller| Ok(controller.address_of_followed(&name).unwrap_or(0))) as *mut c_void
}

/// In a restart, the length of each element of characters.
pub fn followed_length(name: Text) -> i64 {
    let name = name.unwrap_or_default();
    pass("CPPC_Followed_length", 0, |controller| Ok(controller.length_of_followed(&name).unwrap_or(0)))
}
