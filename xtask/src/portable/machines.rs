//! The architectures between which state files are exchanged.
//!
//! Output: a table.
//! Postcondition: the machines differ in byte order, in the sizes of `long` and pointers, in the format and
//! size of `long double`, and in the padding of structures.

/// An architecture, with its names in other systems.
#[derive(Debug)]
pub struct Machine {
    pub name: &'static str,
    /// The name in Rust.
    pub target: &'static str,
    /// The name in Debian.
    pub debian: &'static str,
    /// The name in GNU tools.
    pub gnu: &'static str,
    /// The directory of its libraries in Debian, below `usr/lib`.
    pub libraries: &'static str,
    pub long_bytes: u8,
    /// `None` if this processor runs its programs directly.
    pub emulator: Option<&'static str>,
    /// Options that make its arithmetic the same as that of the others.
    pub flags: &'static [&'static str],
}

/// The first is the one on which this program runs.
pub const MACHINES: &[Machine] = &[
    Machine {
        name: "x86-64",
        target: "x86_64-unknown-linux-gnu",
        debian: "amd64",
        gnu: "x86_64",
        libraries: "x86_64-linux-gnu",
        long_bytes: 8,
        emulator: None,
        flags: &[],
    },
    Machine {
        name: "s390x",
        target: "s390x-unknown-linux-gnu",
        debian: "s390x",
        gnu: "s390x",
        libraries: "s390x-linux-gnu",
        long_bytes: 8,
        emulator: Some("qemu-s390x-static"),
        flags: &[],
    },
    Machine {
        name: "i386",
        target: "i686-unknown-linux-gnu",
        debian: "i386",
        gnu: "i686",
        libraries: "i386-linux-gnu",
        long_bytes: 4,
        emulator: Some("qemu-i386-static"),
        flags: &["-msse2", "-mfpmath=sse"],
    },
    Machine {
        name: "aarch64",
        target: "aarch64-unknown-linux-gnu",
        debian: "arm64",
        gnu: "aarch64",
        libraries: "aarch64-linux-gnu",
        long_bytes: 8,
        emulator: Some("qemu-aarch64-static"),
        flags: &[],
    },
];
