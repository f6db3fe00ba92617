//! Type codes: the types of the elements of registers.
//!
//! Input: a code from a call or a state file.
//! Output: its name, its class, and its size on this machine.
//! Postcondition: codes are stable across versions and machines; only the size of an element differs between
//! machines.

pub use crate::bits::BitField;

use std::ffi::{c_int, c_long, c_longlong, c_short};
use std::mem::size_of;

/// The first code of a structure. Smaller codes are in [`TYPES`].
pub const FIRST_STRUCTURE: i32 = 1000;

/// In place of the type of what a pointer points to: a function.
pub const FUNCTION: i32 = 0;

/// What the content of an element means, and therefore how it is converted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Class {
    Signed,
    Unsigned,
    /// `char`, which is signed on some machines and unsigned on others. Its eight bits are copied.
    Character,
    /// Zero or not zero.
    Logical,
    Real,
    /// Two reals of half the size.
    Complex,
    Byte,
    Pointer,
}

/// The language of the type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Language {
    C,
    Fortran,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Type {
    pub code: i32,
    /// The constant in `cppc.h`.
    pub name: &'static str,
    pub class: Class,
    /// Size in bytes of one element on this machine.
    pub size_bytes: usize,
    pub language: Language,
    /// The declaration in a program.
    pub spelling: &'static str,
}

/// The type with this code; `None` for a structure or an unknown code.
pub fn by_code(code: i32) -> Option<&'static Type> {
    let position = POSITIONS.get(usize::try_from(code).ok()?)?;
    TYPES.get(usize::from(*position))
}

/// For each code its position in [`TYPES`], or a position after the end: calls look up types.
const POSITIONS: [u8; 128] = {
    let mut positions = [u8::MAX; 128];
    let mut index = 0;
    while index < TYPES.len() {
        positions[TYPES[index].code as usize] = index as u8;
        index += 1;
    }
    positions
};

/// The type with this constant's name, such as `CPPC_DOUBLE`.
pub fn by_name(name: &str) -> Option<&'static Type> {
    TYPES.iter().find(|found| found.name == name)
}

pub const CHAR: i32 = 1;
pub const SIGNED_CHAR: i32 = 2;
pub const UNSIGNED_CHAR: i32 = 3;
pub const SHORT: i32 = 4;
pub const UNSIGNED_SHORT: i32 = 5;
pub const INT: i32 = 6;
pub const UNSIGNED_INT: i32 = 7;
pub const LONG: i32 = 8;
pub const UNSIGNED_LONG: i32 = 9;
pub const LONG_LONG: i32 = 10;
pub const UNSIGNED_LONG_LONG: i32 = 11;
pub const INT128: i32 = 12;
pub const UNSIGNED_INT128: i32 = 13;
pub const BOOL: i32 = 14;
pub const FLOAT: i32 = 20;
pub const DOUBLE: i32 = 21;
pub const LONG_DOUBLE: i32 = 22;
pub const FLOAT128: i32 = 23;
pub const FLOAT16: i32 = 24;
pub const FLOAT_COMPLEX: i32 = 30;
pub const DOUBLE_COMPLEX: i32 = 31;
pub const LONG_DOUBLE_COMPLEX: i32 = 32;
pub const FLOAT128_COMPLEX: i32 = 33;
pub const BYTE: i32 = 40;
pub const POINTER: i32 = 41;
pub const INTEGER_1: i32 = 60;
pub const INTEGER_8: i32 = 63;
pub const REAL_10: i32 = 82;
pub const COMPLEX_10: i32 = 92;
pub const CHARACTER: i32 = 100;

use Class::*;
use Language::*;

const fn c(code: i32, name: &'static str, class: Class, size_bytes: usize, spelling: &'static str) -> Type {
    Type { code, name, class, size_bytes, language: C, spelling }
}

const fn f(code: i32, name: &'static str, class: Class, size_bytes: usize, spelling: &'static str) -> Type {
    Type { code, name, class, size_bytes, language: Fortran, spelling }
}

/// The size of `long double` on the machine of this library.
const LONG_DOUBLE_BYTES: usize = if cfg!(all(target_arch = "x86_64", not(target_env = "msvc"))) {
    16
} else if cfg!(target_arch = "x86") {
    12
} else if cfg!(any(
    target_arch = "arm",
    target_arch = "mips",
    all(target_arch = "aarch64", target_vendor = "apple")
)) {
    8
} else {
    16
};

/// The size of Fortran's type with the x87 format. It has the size of `long double` where that has this
/// format too.
const REAL_10_BYTES: usize = if cfg!(target_arch = "x86") { LONG_DOUBLE_BYTES } else { 16 };

/// Sorted by code.
pub const TYPES: &[Type] = &[
    c(CHAR, "CPPC_CHAR", Character, 1, "char"),
    c(SIGNED_CHAR, "CPPC_SIGNED_CHAR", Signed, 1, "signed char"),
    c(UNSIGNED_CHAR, "CPPC_UNSIGNED_CHAR", Unsigned, 1, "unsigned char"),
    c(SHORT, "CPPC_SHORT", Signed, size_of::<c_short>(), "short"),
    c(UNSIGNED_SHORT, "CPPC_UNSIGNED_SHORT", Unsigned, size_of::<c_short>(), "unsigned short"),
    c(INT, "CPPC_INT", Signed, size_of::<c_int>(), "int"),
    c(UNSIGNED_INT, "CPPC_UNSIGNED_INT", Unsigned, size_of::<c_int>(), "unsigned int"),
    c(LONG, "CPPC_LONG", Signed, size_of::<c_long>(), "long"),
    c(UNSIGNED_LONG, "CPPC_UNSIGNED_LONG", Unsigned, size_of::<c_long>(), "unsigned long"),
    c(LONG_LONG, "CPPC_LONG_LONG", Signed, size_of::<c_longlong>(), "long long"),
    c(UNSIGNED_LONG_LONG, "CPPC_UNSIGNED_LONG_LONG", Unsigned, size_of::<c_longlong>(), "unsigned long long"),
    c(INT128, "CPPC_INT128", Signed, 16, "__int128"),
    c(UNSIGNED_INT128, "CPPC_UNSIGNED_INT128", Unsigned, 16, "unsigned __int128"),
    c(BOOL, "CPPC_BOOL", Logical, 1, "_Bool"),
    c(FLOAT, "CPPC_FLOAT", Real, 4, "float"),
    c(DOUBLE, "CPPC_DOUBLE", Real, 8, "double"),
    c(LONG_DOUBLE, "CPPC_LONG_DOUBLE", Real, LONG_DOUBLE_BYTES, "long double"),
    c(FLOAT128, "CPPC_FLOAT128", Real, 16, "_Float128"),
    c(FLOAT16, "CPPC_FLOAT16", Real, 2, "_Float16"),
    c(FLOAT_COMPLEX, "CPPC_FLOAT_COMPLEX", Complex, 8, "float _Complex"),
    c(DOUBLE_COMPLEX, "CPPC_DOUBLE_COMPLEX", Complex, 16, "double _Complex"),
    c(
        LONG_DOUBLE_COMPLEX,
        "CPPC_LONG_DOUBLE_COMPLEX",
        Complex,
        2 * LONG_DOUBLE_BYTES,
        "long double _Complex",
    ),
    c(FLOAT128_COMPLEX, "CPPC_FLOAT128_COMPLEX", Complex, 32, "_Float128 _Complex"),
    c(BYTE, "CPPC_BYTE", Byte, 1, "raw bytes, which cannot be converted for a different architecture"),
    c(POINTER, "CPPC_POINTER", Pointer, size_of::<usize>(), "any pointer to data"),
    f(INTEGER_1, "CPPC_INTEGER_1", Signed, 1, "INTEGER(KIND=1)"),
    f(61, "CPPC_INTEGER_2", Signed, 2, "INTEGER(KIND=2)"),
    f(62, "CPPC_INTEGER_4", Signed, 4, "INTEGER(KIND=4)"),
    f(INTEGER_8, "CPPC_INTEGER_8", Signed, 8, "INTEGER(KIND=8)"),
    f(64, "CPPC_INTEGER_16", Signed, 16, "INTEGER(KIND=16)"),
    f(70, "CPPC_LOGICAL_1", Logical, 1, "LOGICAL(KIND=1)"),
    f(71, "CPPC_LOGICAL_2", Logical, 2, "LOGICAL(KIND=2)"),
    f(72, "CPPC_LOGICAL_4", Logical, 4, "LOGICAL(KIND=4)"),
    f(73, "CPPC_LOGICAL_8", Logical, 8, "LOGICAL(KIND=8)"),
    f(74, "CPPC_LOGICAL_16", Logical, 16, "LOGICAL(KIND=16)"),
    f(80, "CPPC_REAL_4", Real, 4, "REAL(KIND=4)"),
    f(81, "CPPC_REAL_8", Real, 8, "REAL(KIND=8)"),
    f(REAL_10, "CPPC_REAL_10", Real, REAL_10_BYTES, "REAL(KIND=10)"),
    f(83, "CPPC_REAL_16", Real, 16, "REAL(KIND=16)"),
    f(90, "CPPC_COMPLEX_4", Complex, 8, "COMPLEX(KIND=4)"),
    f(91, "CPPC_COMPLEX_8", Complex, 16, "COMPLEX(KIND=8)"),
    f(COMPLEX_10, "CPPC_COMPLEX_10", Complex, 2 * REAL_10_BYTES, "COMPLEX(KIND=10)"),
    f(93, "CPPC_COMPLEX_16", Complex, 32, "COMPLEX(KIND=16)"),
    f(CHARACTER, "CPPC_CHARACTER", Character, 1, "CHARACTER"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_sorted_distinct_and_below_the_structures() {
        assert!(TYPES.windows(2).all(|pair| pair[0].code < pair[1].code));
        assert!(TYPES.iter().all(|found| found.code < FIRST_STRUCTURE));
    }

    #[test]
    fn names_are_distinct() {
        let mut names: Vec<_> = TYPES.iter().map(|found| found.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), TYPES.len());
    }

    #[test]
    fn a_code_that_was_given_out_keeps_its_meaning() {
        let given = [
            (1, "CPPC_CHAR"),
            (6, "CPPC_INT"),
            (21, "CPPC_DOUBLE"),
            (41, "CPPC_POINTER"),
            (100, "CPPC_CHARACTER"),
        ];
        for (code, name) in given {
            assert_eq!(by_code(code).map(|found| found.name), Some(name));
        }
    }
}
