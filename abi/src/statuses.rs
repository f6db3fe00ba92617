//! Statuses: the results of calls that can be refused.
//!
//! Input: nothing.
//! Output: the numbers and their meanings.
//! Postcondition: `0` is success; no number is used twice.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(i32)]
pub enum Status {
    Success = 0,
    AlreadyInitialised = 1,
    NullArgument = 2,
    UnknownType = 3,
    UnknownStorage = 4,
    NotInitialised = 5,
    NotRegistered = 6,
    WrongThread = 7,
    Finished = 8,
    Internal = 9,
    Communicator = 10,
    BadSettings = 11,
    BadDescription = 12,
    NotWritten = 13,
    BadShape = 14,
}

pub struct StatusEntry {
    pub status: Status,
    pub name: &'static str,
    pub meaning: &'static str,
}

use Status::*;

const fn entry(status: Status, name: &'static str, meaning: &'static str) -> StatusEntry {
    StatusEntry { status, name, meaning }
}

pub const STATUSES: &[StatusEntry] = &[
    entry(Success, "CPPC_SUCCESS", "done"),
    entry(AlreadyInitialised, "CPPC_ERROR_ALREADY_INITIALISED", "CPPC_Init was called before"),
    entry(NullArgument, "CPPC_ERROR_NULL_ARGUMENT", "an argument that must not be null is null"),
    entry(UnknownType, "CPPC_ERROR_UNKNOWN_TYPE", "the type code is not known"),
    entry(UnknownStorage, "CPPC_ERROR_UNKNOWN_STORAGE", "the storage flags contradict each other"),
    entry(NotInitialised, "CPPC_ERROR_NOT_INITIALISED", "CPPC_Init was not called"),
    entry(NotRegistered, "CPPC_ERROR_NOT_REGISTERED", "nothing is registered there"),
    entry(WrongThread, "CPPC_ERROR_WRONG_THREAD", "the call comes from another thread"),
    entry(Finished, "CPPC_ERROR_FINISHED", "CPPC_Shutdown was called before"),
    entry(Internal, "CPPC_ERROR_INTERNAL", "internal error of the runtime; the message names the call"),
    entry(Communicator, "CPPC_ERROR_COMMUNICATOR", "the processes cannot communicate (MPI_Init not called?)"),
    entry(BadSettings, "CPPC_ERROR_BAD_SETTINGS", "a setting is wrong"),
    entry(
        BadDescription,
        "CPPC_ERROR_BAD_DESCRIPTION",
        "the fields do not describe a structure of that size",
    ),
    entry(NotWritten, "CPPC_ERROR_NOT_WRITTEN", "the last state file could not be written"),
    entry(BadShape, "CPPC_ERROR_BAD_SHAPE", "the product of the extents is not the number of elements"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_given_once_and_in_order() {
        for (number, entry) in STATUSES.iter().enumerate() {
            assert_eq!(entry.status as usize, number);
        }
    }
}
