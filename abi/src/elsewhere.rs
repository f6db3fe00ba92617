//! What becomes of a captured pointer that points to memory which is not registered.
//!
//! Input: the last argument of `CPPC_Capture_pointers`.
//! Output: the same as a checked value.
//! Postcondition: the value is one of those that the header defines.

/// Numbers are never used for anything else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Elsewhere {
    /// Nothing is written. What `CPPC_Capture` means; no call takes it.
    Refused,
    Again,
    Needed,
    NotNeeded,
}

pub struct Entry {
    pub elsewhere: Elsewhere,
    pub value: i32,
    pub name: &'static str,
    pub meaning: &'static str,
}

pub const ENTRIES: &[Entry] = &[
    Entry {
        elsewhere: Elsewhere::Again,
        value: 1,
        name: "CPPC_AGAIN",
        meaning: "a replay keeps what the program has put there",
    },
    Entry {
        elsewhere: Elsewhere::Needed,
        value: 2,
        name: "CPPC_NEEDED",
        meaning: "null in a replay; refused once the call has returned",
    },
    Entry { elsewhere: Elsewhere::NotNeeded, value: 3, name: "CPPC_NOT_NEEDED", meaning: "null in a replay" },
];

impl Elsewhere {
    pub fn new(value: i32) -> Option<Elsewhere> {
        ENTRIES.iter().find(|entry| entry.value == value).map(|entry| entry.elsewhere)
    }
}
