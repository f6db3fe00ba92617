//! The interface between the runtime and a writer: a shared object that stores state files in its own format.
//!
//! Input: nothing.
//! Output: the structures that both sides use, as Rust and, through `header`, as C.
//! Postcondition: a structure never changes within one version of the interface. Unless stated otherwise, a
//! pointer is valid only during the call to which it is passed.

mod structures;
mod header;

pub use header::c_header;
pub use structures::*;

/// The version of the interface, which both sides must have.
pub const VERSION: u32 = 1;
/// The only symbol that a writer exports, an [`Entry`].
pub const ENTRY: &str = "CPPC_Get_writer";
/// Room for the text of an error, including the zero byte at its end.
pub const MESSAGE_BYTES: usize = 512;
/// The index of a block that stands for a null pointer.
pub const NO_BLOCK: u64 = u64::MAX;
/// Shorter signatures could occur in files of other programs.
pub const SIGNATURE_LEAST_BYTES: usize = 4;
pub const SIGNATURE_MOST_BYTES: usize = 64;

/// A named number for the header.
pub struct Constant {
    pub name: &'static str,
    pub value: i64,
    pub meaning: &'static str,
}

macro_rules! constants {
    ($table:ident { $($rust:ident = $value:literal $name:literal $meaning:literal)* }) => {
        $(pub const $rust: u32 = $value;)*
        pub const $table: &[Constant] = &[$(Constant { name: $name, value: $value, meaning: $meaning }),*];
    };
}

constants! { FLAGS {
    RECYCLES = 1 "CPPC_WRITER_RECYCLES"
        "write may find an older file at the path, of any writer, and overwrite its blocks in place"
    BESIDE = 2 "CPPC_WRITER_BESIDE"
        "write may run in a thread of the runtime while the program continues, with a descriptor table of its own: see docs/writers.md"
}}

constants! { KINDS {
    SIGNED = 1 "CPPC_KIND_SIGNED" "an integer in two's complement"
    UNSIGNED = 2 "CPPC_KIND_UNSIGNED" "an integer without sign"
    CHARACTER = 3 "CPPC_KIND_CHARACTER" "one byte of text, or a small number"
    LOGICAL = 4 "CPPC_KIND_LOGICAL" "zero, or anything else for true"
    REAL = 5 "CPPC_KIND_REAL" "a floating-point number with `digits` bits in its significand"
    COMPLEX = 6 "CPPC_KIND_COMPLEX" "two reals of half the size, the real part first"
    BYTE = 7 "CPPC_KIND_BYTE" "bits without a meaning"
    POINTER = 8 "CPPC_KIND_POINTER" "an address of the run that wrote it; `pointers` lists its target"
    STRUCTURE = 9 "CPPC_KIND_STRUCTURE" "what `fields` describes, and padding"
}}

constants! { PLACES {
    HEAP = 1 "CPPC_PLACE_HEAP" "memory that malloc returned"
    PROGRAM = 2 "CPPC_PLACE_PROGRAM" "a variable of the program"
}}
