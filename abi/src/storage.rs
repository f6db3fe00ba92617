//! Storage classes: where the memory of a register is, and how long it lives.
//!
//! Input: the last argument of a register call.
//! Output: the same as a checked value.
//! Postcondition: the flags name exactly one kind of memory.

/// The memory exists in a restart; the content is copied to it.
pub const STATIC: i32 = 1;
/// In a restart the call returns memory that `free` accepts.
pub const DYNAMIC: i32 = 2;
/// The register ends with its frame. Otherwise as [`STATIC`], or as [`DYNAMIC`] if that flag is set too.
pub const AUTOMATIC: i32 = 4;
/// The pointer in the slot is a parameter of its procedure.
pub const PARAMETER: i32 = 8;
/// The memory may move between two checkpoints. Calls do not accept this flag; the runtime sets it.
pub const FOLLOWED: i32 = 16;
/// Added to [`STATIC`]: the memory outlives every frame that can end while it is registered, wherever it is.
/// Without it, memory on the stack is assumed to end with the frame that contains its address.
pub const LASTING: i32 = 32;

/// Added to the storage of a pointer: the count is a constant of the program. Saved data do not depend on
/// this flag.
pub const CONSTANT: i32 = 64;

/// Added to the storage of an array whose memory may move: it is a pointer, so its memory may belong to
/// another variable. A restart registers that variable first. Saved data do not depend on this flag.
pub const ASSOCIATED: i32 = 128;

/// Added to the storage of a pointer: the number of elements is that of the allocation that it points to at each
/// checkpoint. Saved data do not depend on this flag.
pub const ALLOCATION: i32 = 256;

/// Added to the storage of a variable or a pointer: everything that it reaches through pointers is saved with it. A
/// pointer is saved too, not only what it points to. Saved data do not depend on this flag.
pub const DEEP: i32 = 512;

/// Added to the storage of structures: only the described components are saved. In a restart, the other bytes of an element
/// stay as they are.
pub const PARTIAL: i32 = 1024;

/// Added to [`STATIC`]: a static variable of a procedure that a restart may not run. Its content waits until the procedure
/// registers the variable.
pub const DEFERRED: i32 = 2048;

pub struct Flag {
    pub value: i32,
    pub name: &'static str,
    pub meaning: &'static str,
}

pub const FLAGS: &[Flag] = &[
    Flag {
        value: STATIC,
        name: "CPPC_STATIC",
        meaning: "the memory exists in a restart; the content is copied there",
    },
    Flag { value: DYNAMIC, name: "CPPC_DYNAMIC", meaning: "a restart returns memory that free accepts" },
    Flag {
        value: AUTOMATIC,
        name: "CPPC_AUTOMATIC",
        meaning: "as CPPC_STATIC, and the register ends with its frame",
    },
    Flag {
        value: PARAMETER,
        name: "CPPC_PARAMETER",
        meaning: "added if the pointer is a parameter of its procedure",
    },
    Flag {
        value: LASTING,
        name: "CPPC_LASTING",
        meaning: "added to CPPC_STATIC for memory on the stack that outlives the procedure",
    },
    Flag {
        value: CONSTANT,
        name: "CPPC_CONSTANT",
        meaning: "added if the number of elements of a pointer's target is a constant",
    },
    Flag {
        value: ASSOCIATED,
        name: "CPPC_ASSOCIATED",
        meaning: "added for a POINTER of Fortran, whose memory may belong to another variable",
    },
    Flag {
        value: ALLOCATION,
        name: "CPPC_ALLOCATION",
        meaning: "added if a pointer's target has as many elements as its allocation",
    },
    Flag {
        value: DEEP,
        name: "CPPC_DEEP",
        meaning: "added if everything that the pointers reach is saved too",
    },
    Flag {
        value: PARTIAL,
        name: "CPPC_PARTIAL",
        meaning: "added if a restart changes only the described components of a structure",
    },
    Flag {
        value: DEFERRED,
        name: "CPPC_DEFERRED",
        meaning: "added to CPPC_STATIC if the register may come after the end of a restart",
    },
];

impl Flag {
    /// The value in Fortran, where a procedure's own memory is always registered as `AUTOMATIC` and all other
    /// memory outlives the procedure.
    pub fn value_in_fortran(&self) -> i32 {
        if self.value == STATIC {
            STATIC | LASTING
        } else {
            self.value
        }
    }
}

/// A valid storage class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Storage {
    flags: i32,
    is_constant: bool,
    is_associated: bool,
    is_allocation: bool,
    is_deep: bool,
}

impl Storage {
    /// `None` if a flag is unknown, if none of the storage flags is set, or if flags contradict each other.
    pub fn new(flags: i32) -> Option<Storage> {
        let has = |flag| flags >= 0 && flags & flag != 0;
        let (is_constant, is_associated) = (has(CONSTANT), has(ASSOCIATED));
        let (is_allocation, is_deep) = (has(ALLOCATION), has(DEEP));
        let flags = flags & !(CONSTANT | ASSOCIATED | ALLOCATION | DEEP);
        let known = flags & !(STATIC | DYNAMIC | AUTOMATIC | PARAMETER | LASTING | PARTIAL | DEFERRED) == 0;
        let placed = flags & (STATIC | DYNAMIC | AUTOMATIC) != 0;
        let contradiction = flags & STATIC != 0 && flags & (DYNAMIC | AUTOMATIC) != 0;
        let bound = flags & (LASTING | DEFERRED) != 0 && flags & STATIC == 0;
        let is_valid = known && placed && !contradiction && !bound;
        is_valid.then_some(Storage { flags, is_constant, is_associated, is_allocation, is_deep })
    }

    /// The same for memory that may move. `None` for what `new` refuses, and for [`DYNAMIC`].
    pub fn followed(flags: i32) -> Option<Storage> {
        let storage = Storage::new(flags).filter(|storage| !storage.is_dynamic())?;
        Some(Storage { flags: storage.flags | FOLLOWED, ..storage })
    }

    pub fn is_followed(self) -> bool {
        self.flags & FOLLOWED != 0
    }

    /// Whether the number of elements is the same in every run.
    pub fn is_constant(self) -> bool {
        self.is_constant
    }

    /// Whether it is a pointer whose memory may belong to another variable.
    pub fn is_associated(self) -> bool {
        self.is_associated
    }

    /// Whether the number of elements is that of the allocation.
    pub fn is_allocation(self) -> bool {
        self.is_allocation
    }

    /// Whether everything that the pointers reach is saved too.
    pub fn is_deep(self) -> bool {
        self.is_deep
    }

    /// The same, with everything that the pointers reach.
    pub fn deep(self) -> Storage {
        Storage { is_deep: true, ..self }
    }

    /// The flags as state files contain them.
    pub fn flags(self) -> i32 {
        self.flags
    }

    pub fn is_dynamic(self) -> bool {
        self.flags & DYNAMIC != 0
    }

    pub fn is_automatic(self) -> bool {
        self.flags & AUTOMATIC != 0
    }

    pub fn is_lasting(self) -> bool {
        self.flags & LASTING != 0
    }

    /// Whether a restart changes only the described components.
    pub fn is_partial(self) -> bool {
        self.flags & PARTIAL != 0
    }

    /// Whether the register may come after the end of a restart.
    pub fn is_deferred(self) -> bool {
        self.flags & DEFERRED != 0
    }

    pub fn is_parameter(self) -> bool {
        self.flags & PARAMETER != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_that_contradict_each_other_are_refused() {
        for good in [
            STATIC,
            DYNAMIC,
            AUTOMATIC,
            AUTOMATIC | PARAMETER,
            DYNAMIC | AUTOMATIC,
            STATIC | PARAMETER,
            STATIC | LASTING,
            AUTOMATIC | CONSTANT,
            STATIC | ALLOCATION,
            STATIC | DEFERRED,
        ] {
            assert!(Storage::new(good).is_some(), "{good}");
        }
        for bad in [
            0,
            PARAMETER,
            STATIC | DYNAMIC,
            STATIC | AUTOMATIC,
            LASTING,
            AUTOMATIC | LASTING,
            CONSTANT,
            ASSOCIATED,
            PARTIAL,
            DEFERRED,
            AUTOMATIC | DEFERRED,
            4096,
            FOLLOWED,
            -1,
        ] {
            assert!(Storage::new(bad).is_none(), "{bad}");
        }
        assert!(
            Storage::followed(STATIC).is_some_and(|storage| storage.is_followed() && storage.flags() == 17)
        );
        assert!(Storage::new(STATIC | CONSTANT)
            .is_some_and(|storage| storage.is_constant() && storage.flags() == STATIC));
        assert!(Storage::new(STATIC | ALLOCATION)
            .is_some_and(|storage| storage.is_allocation() && storage.flags() == STATIC));
        let pointer = Storage::followed(STATIC | ASSOCIATED);
        assert!(
            pointer.is_some_and(|storage| storage.is_associated() && storage.flags() == STATIC | FOLLOWED)
        );
        assert!(Storage::followed(DYNAMIC).is_none());
    }
}
