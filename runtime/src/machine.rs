//! The properties in which machines differ.
//!
//! Input: the machine for which this library was built, or the description of another one in a state file.
//! Output: the byte order and the sizes of types. Types that are not listed here have the same size on all
//! machines.

use cppc_abi::types::{self, BitField, Type};

/// Byte order and sizes of the machine that wrote a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Machine {
    pub big_endian: bool,
    pub long_bytes: u8,
    pub pointer_bytes: u8,
    pub long_double_bytes: u8,
    /// The number of bits in the significand of `long double`: 53, 64, 106 or 113.
    pub long_double_digits: u8,
}

impl Machine {
    /// The machine for which this library was built.
    pub const THIS: Machine = Machine {
        big_endian: cfg!(target_endian = "big"),
        long_bytes: size_of::<std::ffi::c_long>() as u8,
        pointer_bytes: size_of::<usize>() as u8,
        long_double_bytes: LONG_DOUBLE.0,
        long_double_digits: LONG_DOUBLE.1,
    };

    /// Whether such a machine could exist.
    pub fn is_possible(&self) -> bool {
        let reals = [(8, 53), (12, 64), (16, 64), (16, 106), (16, 113)];
        matches!(self.long_bytes, 4 | 8)
            && matches!(self.pointer_bytes, 4 | 8)
            && reals.contains(&(self.long_double_bytes, self.long_double_digits))
    }

    /// The size of a scalar with this code in bytes, also of a bit-field. None for another code.
    pub fn scalar_bytes(&self, code: i32) -> Option<usize> {
        match BitField::from_code(code) {
            Some(bits) => Some(bits.size_bytes()),
            None => types::by_code(code).map(|found| self.element_bytes(found)),
        }
    }

    /// The size of one element on this machine, in bytes.
    pub fn element_bytes(&self, found: &Type) -> usize {
        // The size that compilers give to the x87 format if it is not the format of `long double`.
        let extended_bytes = if self.long_double_digits == 64 { self.long_double_bytes } else { 16 };
        match found.code {
            types::LONG | types::UNSIGNED_LONG => self.long_bytes.into(),
            types::POINTER => self.pointer_bytes.into(),
            types::LONG_DOUBLE => self.long_double_bytes.into(),
            types::LONG_DOUBLE_COMPLEX => 2 * usize::from(self.long_double_bytes),
            types::REAL_10 => extended_bytes.into(),
            types::COMPLEX_10 => 2 * usize::from(extended_bytes),
            _ => found.size_bytes,
        }
    }
}

/// The size of `long double` in bytes, and the number of bits in its significand.
const LONG_DOUBLE: (u8, u8) = if cfg!(target_arch = "x86_64") {
    (16, 64)
} else if cfg!(target_arch = "x86") {
    (12, 64)
} else if cfg!(any(target_arch = "powerpc", target_arch = "powerpc64")) {
    (16, 106)
} else if cfg!(any(
    target_arch = "arm",
    target_arch = "mips",
    all(target_arch = "aarch64", target_vendor = "apple")
)) {
    (8, 53)
} else {
    (16, 113)
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sizes_here_are_those_of_the_table() {
        assert!(Machine::THIS.is_possible());
        for found in types::TYPES {
            assert_eq!(Machine::THIS.element_bytes(found), found.size_bytes, "{}", found.name);
        }
    }

    #[test]
    fn machines_that_nobody_built_are_refused() {
        let odd = [
            Machine { long_bytes: 0, ..Machine::THIS },
            Machine { pointer_bytes: 200, ..Machine::THIS },
            Machine { long_double_bytes: 8, long_double_digits: 113, ..Machine::THIS },
        ];
        assert!(odd.iter().all(|machine| !machine.is_possible()));
    }
}
