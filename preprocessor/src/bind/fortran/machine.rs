//! What the kinds are that differ from machine to machine.
//!
//! Input: what the compiler defines by itself.
//! Output: sizes.
//! Postcondition: they are those of the machine that the compiler compiles for, which need not be this one.

use cppc_grammar::fortran::lines::Options;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Machine {
    /// Bytes of C's `long`.
    pub long: i128,
    pub pointer: i128,
    /// The kind of C's `long double`.
    pub long_double: i128,
    /// Whether there are the reals of the x87.
    pub has_real_10: bool,
    pub has_integer_16: bool,
}

impl Machine {
    /// The one of the compiler that these options name.
    pub fn of(options: &Options) -> Machine {
        Machine::from_definitions(options.predefined())
    }

    /// gfortran tells of sizes and kinds, flang of the processor alone.
    fn from_definitions(definitions: &[u8]) -> Machine {
        let text = String::from_utf8_lossy(definitions);
        let value = |name: &str| {
            text.lines().find_map(|line| {
                let mut words = line.split_whitespace();
                (words.next() == Some("#define") && words.next() == Some(name))
                    .then(|| words.next().unwrap_or_default())
            })
        };
        let size = |name: &str| value(name)?.parse::<i128>().ok();
        let is_one_of = |names: &[&str]| names.iter().any(|name| value(name).is_some());
        let is_narrow = is_one_of(&["__i386__", "__arm__", "__riscv_xlen_32"]);
        let pointer = size("__SIZEOF_POINTER__").unwrap_or(if is_narrow { 4 } else { 8 });
        let has_real_10 = is_one_of(&["__GFC_REAL_10__", "__x86_64__", "__i386__"]);
        let long_double = match size("__SIZEOF_LONG_DOUBLE__") {
            Some(8) => 8,
            _ if has_real_10 => 10,
            _ => 16,
        };
        let has_integer_16 = is_one_of(&["__GFC_INT_16__"]) || pointer == 8;
        Machine {
            long: size("__SIZEOF_LONG__").unwrap_or(pointer),
            pointer,
            long_double,
            has_real_10,
            has_integer_16,
        }
    }
}

/// The kind of integers with so many decimal digits.
pub fn integer_kind(digits: i128, machine: impl FnOnce() -> Machine) -> i128 {
    match digits {
        ..=2 => 1,
        3..=4 => 2,
        5..=9 => 4,
        10..=18 => 8,
        19..=38 if machine().has_integer_16 => 16,
        _ => -1,
    }
}

pub fn real_kind(precision: i128, range: i128, machine: impl FnOnce() -> Machine) -> i128 {
    match (precision, range) {
        (..=6, ..=37) => 4,
        (..=15, ..=307) => 8,
        (..=18, ..=4931) if machine().has_real_10 => 10,
        (..=33, ..=4931) => 16,
        _ => -1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compilers_tell_of_their_machine() {
        let i386 = "#define __GFC_REAL_10__ 1\n#define __SIZEOF_POINTER__ 4\n#define __SIZEOF_LONG__ 4\n#define __SIZEOF_LONG_DOUBLE__ 12\n";
        let i386 = Machine::from_definitions(i386.as_bytes());
        assert_eq!(
            i386,
            Machine { long: 4, pointer: 4, long_double: 10, has_real_10: true, has_integer_16: false }
        );
        assert_eq!(
            (integer_kind(18, || i386), integer_kind(20, || i386), real_kind(18, 0, || i386)),
            (8, -1, 10)
        );
        let s390x = "#define __SIZEOF_POINTER__ 8\n#define __SIZEOF_LONG__ 8\n#define __GFC_INT_16__ 1\n#define __SIZEOF_LONG_DOUBLE__ 16\n";
        let s390x = Machine::from_definitions(s390x.as_bytes());
        assert_eq!(
            s390x,
            Machine { long: 8, pointer: 8, long_double: 16, has_real_10: false, has_integer_16: true }
        );
        assert_eq!(
            (integer_kind(20, || s390x), real_kind(18, 0, || s390x), real_kind(15, 300, || s390x)),
            (16, 16, 8)
        );
        let flang = Machine::from_definitions(b"#define __flang__ 1\n#define __x86_64__ 1\n");
        assert_eq!((flang.long, flang.long_double, flang.has_integer_16), (8, 10, true));
        assert_eq!(
            Machine::from_definitions(b"#define __flang__ 1\n#define __aarch64__ 1\n").long_double,
            16
        );
    }
}
