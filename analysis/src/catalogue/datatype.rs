//! The sizes of the basic datatypes of MPI.
//!
//! Input: an argument that is a datatype.
//! Output: the bytes of one element. `None` if the datatype is not certain.
//! Postcondition: the result is never larger than the real size, so that a write of this size is certain.

use crate::program::{Argument, Step, Value};

/// Names without `MPI_`, in lower case.
const BYTES: &[(u64, &str)] = &[
    (
        1,
        "char signed_char unsigned_char byte packed int8_t uint8_t character integer1 c_bool cxx_bool logical1",
    ),
    (2, "short unsigned_short int16_t uint16_t integer2 logical2 real2"),
    (
        4,
        "int unsigned float wchar wchar_t int32_t uint32_t integer integer4 real real4 logical logical4",
    ),
    (
        8,
        "long unsigned_long long_long long_long_int unsigned_long_long double int64_t uint64_t aint offset count \
         integer8 real8 double_precision complex complex8 logical8 c_complex c_float_complex 2int 2integer 2real float_int",
    ),
    (16, "real16 double_complex complex16 c_double_complex 2double_precision dblprec dblcplex"),
];

/// The handles of Open MPI for Fortran: its number of the datatype, and the bytes of one element.
const OPEN_MPI: [(i64, u64); 19] = [
    (1, 1),
    (5, 1),
    (6, 4),
    (7, 4),
    (8, 1),
    (9, 2),
    (10, 4),
    (11, 8),
    (13, 4),
    (14, 4),
    (15, 8),
    (17, 8),
    (18, 8),
    (19, 8),
    (20, 16),
    (22, 16),
    (23, 8),
    (24, 16),
    (25, 8),
];

/// The same for a datatype in a variable of Fortran, which has this value.
pub fn bytes_of_handle(handle: i64, is_open_mpi: bool) -> Option<u64> {
    if is_open_mpi {
        return OPEN_MPI.iter().find(|(number, _)| *number == handle).map(|(_, bytes)| *bytes);
    }
    let handle = u32::try_from(handle & 0xffff_ffff).ok()?;
    (handle >> 24 == 0x4c).then_some(u64::from(handle >> 8 & 0xff)).filter(|bytes| *bytes > 0)
}

pub fn bytes(argument: &Argument) -> Option<u64> {
    let access = match argument {
        // MPICH: the handle of a basic datatype contains its size.
        Argument::Value(Value::Affine(value)) => {
            return bytes_of_handle(value.as_constant()?, false);
        }
        Argument::Reference(access) | Argument::Value(Value::Address(access) | Value::Copy(access)) => access,
        Argument::Value(Value::Data | Value::Procedure(_) | Value::Null | Value::Unknown)
        | Argument::Absent => {
            return None;
        }
    };
    if access.path.iter().any(|step| matches!(step, Step::Elements(_) | Step::Field { .. })) {
        return None;
    }
    let text = access.text.trim_start_matches(['&', '(']).trim_end_matches(')').to_ascii_lowercase();
    let name = text.strip_prefix("ompi_mpi_").or_else(|| text.strip_prefix("mpi_"))?;
    BYTES.iter().find(|(_, names)| names.split_whitespace().any(|one| one == name)).map(|(bytes, _)| *bytes)
}

/// Whether an argument is certainly the address of memory of the program, and not `MPI_IN_PLACE`.
pub fn is_memory(argument: &Argument) -> bool {
    match argument {
        Argument::Reference(access) | Argument::Value(Value::Address(access)) => {
            !access.text.to_ascii_lowercase().contains("mpi_in_place")
        }
        Argument::Value(_) | Argument::Absent => false,
    }
}
