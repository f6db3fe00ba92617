//! Storage classes: where the memory of a register lives and how long.
//!
//! In: the last argument of a register call. Out: the same as a checked value. Holds afterwards: the
//! flags name exactly one kind of memory.

/// The memory has its place; in a restart the content is copied in.
pub const STATIC: i32 = 1;
/// In a restart the call returns memory that `free` takes.
pub const DYNAMIC: i32 = 2;
/// Bound to its frame; its place is as with [`STATIC`] unless [`DYNAMIC`] is said too.
pub const AUTOMATIC: i32 = 4;
/// The pointer in the slot is a parameter of its procedure.
pub const PARAMETER: i32 = 8;
/// The memory may move between two checkpoints; no call takes this flag, a register is made so.
pub const FOLLOWED: i32 = 16;
/// Added to [`STATIC`]: the memory outlives every frame that can end while it is registered, wherever it
/// lies. Without it, memory on the stack is taken to end with the frame that its address belongs to.
pub const LASTING: i32 = 32;

/// Added to the storage of a pointer: the count is a constant of the program. Nothing that is saved depends on it.
pub const CONSTANT: i32 = 64;

/// Added to the storage of an array whose memory may move: it is a pointer, so its memory may be another
/// variable's. A restart registers that one first. Nothing that is saved depends on it.
pub const ASSOCIATED: i32 = 128;

pub struct Flag {
    pub value: i32,
    pub name: &'static str,
    pub meaning: &'static str,
}

pub const FLAGS: &[Flag] = &[
    Flag { value: STATIC, name: "CPPC_STATIC", meaning: "the memory has its place; the content is copied in" },
    Flag { value: DYNAMIC, name: "CPPC_DYNAMIC", meaning: "a restart returns memory that free takes" },
    Flag { value: AUTOMATIC, name: "CPPC_AUTOMATIC", meaning: "as CPPC_STATIC, and the register ends with its frame" },
    Flag { value: PARAMETER, name: "CPPC_PARAMETER", meaning: "added when the pointer is a parameter of its procedure" },
    Flag { value: LASTING, name: "CPPC_LASTING", meaning: "added to CPPC_STATIC for memory on the stack that outlives the procedure" },
    Flag { value: CONSTANT, name: "CPPC_CONSTANT", meaning: "added when the count of what a pointer leads to is a constant" },
    Flag { value: ASSOCIATED, name: "CPPC_ASSOCIATED", meaning: "added for a POINTER of Fortran, whose memory may be another variable's" },
];

impl Flag {
    /// Its value in Fortran, where a procedure's own memory is always registered as `AUTOMATIC`, and all other
    /// memory outlives it.
    pub fn value_in_fortran(&self) -> i32 {
        if self.value == STATIC { STATIC | LASTING } else { self.value }
    }
}

/// A storage class that makes sense.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Storage {
    flags: i32,
    is_constant: bool,
    is_associated: bool,
}

impl Storage {
    /// None when a flag is unknown, none is given, or `STATIC` meets one of its opposites.
    pub fn new(flags: i32) -> Option<Storage> {
        let has = |flag| flags >= 0 && flags & flag != 0;
        let (flags, is_constant, is_associated) = (flags & !(CONSTANT | ASSOCIATED), has(CONSTANT), has(ASSOCIATED));
        let known = flags & !(STATIC | DYNAMIC | AUTOMATIC | PARAMETER | LASTING) == 0;
        let placed = flags & (STATIC | DYNAMIC | AUTOMATIC) != 0;
        let contradiction = flags & STATIC != 0 && flags & (DYNAMIC | AUTOMATIC) != 0;
        let bound = flags & LASTING != 0 && flags & STATIC == 0;
        (known && placed && !contradiction && !bound).then_some(Storage { flags, is_constant, is_associated })
    }

    /// The same for memory that may move. None for what `new` refuses, and for [`DYNAMIC`].
    pub fn followed(flags: i32) -> Option<Storage> {
        let storage = Storage::new(flags).filter(|storage| !storage.is_dynamic())?;
        Some(Storage { flags: storage.flags | FOLLOWED, ..storage })
    }

    pub fn is_followed(self) -> bool {
        self.flags & FOLLOWED != 0
    }

    /// Whether there are as many elements in every run.
    pub fn is_constant(self) -> bool {
        self.is_constant
    }

    /// Whether it is a pointer whose memory may be another variable's.
    pub fn is_associated(self) -> bool {
        self.is_associated
    }

    /// As they stand in state files.
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

    pub fn is_parameter(self) -> bool {
        self.flags & PARAMETER != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flags_that_contradict_each_other_are_refused() {
        for good in [STATIC, DYNAMIC, AUTOMATIC, AUTOMATIC | PARAMETER, DYNAMIC | AUTOMATIC, STATIC | PARAMETER, STATIC | LASTING, AUTOMATIC | CONSTANT] {
            assert!(Storage::new(good).is_some(), "{good}");
        }
        for bad in [0, PARAMETER, STATIC | DYNAMIC, STATIC | AUTOMATIC, LASTING, AUTOMATIC | LASTING, CONSTANT, ASSOCIATED, 256, FOLLOWED, -1] {
            assert!(Storage::new(bad).is_none(), "{bad}");
        }
        assert!(Storage::followed(STATIC).is_some_and(|storage| storage.is_followed() && storage.flags() == 17));
        assert!(Storage::new(STATIC | CONSTANT).is_some_and(|storage| storage.is_constant() && storage.flags() == STATIC));
        let pointer = Storage::followed(STATIC | ASSOCIATED);
        assert!(pointer.is_some_and(|storage| storage.is_associated() && storage.flags() == STATIC | FOLLOWED));
        assert!(Storage::followed(DYNAMIC).is_none());
    }
}
