//! The machines that state files travel between.
//!
//! In: nothing. Out: a table. Holds afterwards: they differ in byte order, in the sizes of `long` and pointers, in
//! the format and size of `long double`, and in how structures are padded.

/// A machine, with the names that others have for it.
#[derive(Debug)]
pub struct Machine {
    pub name: &'static str,
    /// What Rust calls it.
    pub target: &'static str,
    /// What Debian calls it.
    pub debian: &'static str,
    /// What GNU calls it.
    pub gnu: &'static str,
    /// Where Debian keeps its libraries, below `usr/lib`.
    pub libraries: &'static str,
    pub long_bytes: u8,
    /// None where this processor understands it.
    pub emulator: Option<&'static str>,
    /// What makes its arithmetic that of the others.
    pub flags: &'static [&'static str],
}

/// The first is the one that this runs on.
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
