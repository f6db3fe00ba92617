//! The structures of the interface, each field in Rust and in C next to each other.
//!
//! Input: nothing.
//! Output: `repr(C)` structures, and the table of them from which the header is made.
//! Postcondition: names and order are the same in both languages; a test of the runtime compares sizes and
//! offsets with a C compiler.

use std::ffi::{c_char, c_int, c_uchar, c_void};
use std::mem::{offset_of, size_of};

/// One structure, for the header and for tests.
pub struct Structure {
    pub name: &'static str,
    pub doc: &'static [&'static str],
    pub size_bytes: usize,
    pub fields: &'static [StructureField],
}

pub struct StructureField {
    pub name: &'static str,
    /// The declaration in C, with `@` for the name.
    pub spelling: &'static str,
    pub meaning: &'static str,
    pub offset_bytes: usize,
}

macro_rules! structures {
    ($($name:ident = $c_name:literal ($($doc:literal)+) {
        $($field:ident : $type:ty = $spelling:literal, $meaning:literal;)+
    })+) => {
        $(
            #[repr(C)]
            #[derive(Debug, Clone, Copy)]
            pub struct $name {
                $(#[doc = $meaning] pub $field: $type,)+
            }
        )+

        /// In an order in which C can read them.
        pub const STRUCTURES: &[Structure] = &[$(Structure {
            name: $c_name,
            doc: &[$($doc),+],
            size_bytes: size_of::<$name>(),
            fields: &[$(StructureField {
                name: stringify!($field),
                spelling: $spelling,
                meaning: $meaning,
                offset_bytes: offset_of!($name, $field),
            }),+],
        }),+];
    };
}

structures! {
    WriterField = "CPPC_Writer_field" ("A field of a structure.") {
        name: *const c_char = "const char *@", "as in the source";
        element: *const WriterType = "const struct CPPC_Writer_type *@", "the type of one element";
        offset: u64 = "uint64_t @", "bytes from the beginning of the structure";
        count: u64 = "uint64_t @", "1, or the elements of an array";
    }
    WriterType = "CPPC_Writer_type" ("The type of an element, on the machine that made the content.") {
        name: *const c_char = "const char *@", "as a program spells it, or the name of the structure";
        size: u64 = "uint64_t @", "bytes of one element";
        code: i32 = "int32_t @", "as in cppc.h";
        kind: u32 = "uint32_t @", "CPPC_KIND_...";
        digits: u32 = "uint32_t @", "bits in the significand of a real or of the parts of a complex: 11, 24, 53, 64, 106, 113; else 0";
        field_count: u32 = "uint32_t @", "of a structure, else 0";
        fields: *const WriterField = "const CPPC_Writer_field *@", "in the order of the source; those of a union overlap";
    }
    WriterBlock = "CPPC_Writer_block" ("A range of memory. Every byte of it must be restored.") {
        data: *const c_void = "const void *@", "its content; may be null if the size is 0";
        size: u64 = "uint64_t @", "bytes";
        elements: u64 = "uint64_t @", "number of elements of all registers in it";
        place: u32 = "uint32_t @", "CPPC_PLACE_...";
        deflate: u32 = "uint32_t @", "0, or the compression level (1 to 9) that the user has set";
    }
    WriterRegister = "CPPC_Writer_register" ("A name for a part of a block. Registers may share blocks and names.") {
        name: *const c_char = "const char *@", "as in the source: any expression, UTF-8";
        procedure: *const c_char = "const char *@", "the procedure of the variable; null for the whole program";
        element: *const WriterType = "const CPPC_Writer_type *@", "the type of one element";
        count: u64 = "uint64_t @", "elements";
        dimensions: *const u64 = "const uint64_t *@", "extents, slowest first; their product is `count`";
        rank: u32 = "uint32_t @", "number of dimensions; 0 for a single value";
        depth: u32 = "uint32_t @", "call depth of the procedure; 0 for the outermost";
        section: i32 = "int32_t @", "as in the program";
        is_pointer: u32 = "uint32_t @", "1 if the name is that of a pointer to the memory";
        block: u64 = "uint64_t @", "index of the block, or CPPC_WRITER_NO_BLOCK for a null pointer";
        offset: u64 = "uint64_t @", "bytes from the beginning of the block";
    }
    WriterPointer = "CPPC_Writer_pointer" ("A pointer in the content of a block, and its target.") {
        at_block: u64 = "uint64_t @", "index of the block that contains it";
        at_offset: u64 = "uint64_t @", "bytes from the beginning of that block";
        to_block: u64 = "uint64_t @", "index of the block that it points to, or CPPC_WRITER_NO_BLOCK for a null pointer";
        to_offset: u64 = "uint64_t @", "bytes from the beginning of that block; may be its size";
    }
    WriterNote = "CPPC_Writer_note" ("Information for people.") {
        name: *const c_char = "const char *@", "such as `host`";
        value: *const c_char = "const char *@", "UTF-8 text";
    }
    WriterState = "CPPC_Writer_state"
    ("A state to write. open must return the seal byte for byte, and read the content of the blocks."
        "The rest is for people and other programs.") {
        application: *const c_char = "const char *@", "the name of the program";
        run: u64 = "uint64_t @", "random number of the run, the same on all processes";
        line: u64 = "uint64_t @", "number of the recovery line";
        calls: u64 = "uint64_t @", "calls of the checkpoint function so far";
        rank: u32 = "uint32_t @", "rank of the process";
        processes: u32 = "uint32_t @", "number of processes";
        big_endian: u32 = "uint32_t @", "1 if the content is big-endian, else 0";
        pointer_size: u32 = "uint32_t @", "bytes of a pointer in the content";
        blocks: *const WriterBlock = "const CPPC_Writer_block *@", "the memory";
        block_count: u64 = "uint64_t @", "number of `blocks`";
        registers: *const WriterRegister = "const CPPC_Writer_register *@", "in the order in which they were made";
        register_count: u64 = "uint64_t @", "number of `registers`";
        pointers: *const WriterPointer = "const CPPC_Writer_pointer *@", "sorted by block and offset";
        pointer_count: u64 = "uint64_t @", "number of `pointers`";
        notes: *const WriterNote = "const CPPC_Writer_note *@", "host, time and so on";
        note_count: u64 = "uint64_t @", "number of `notes`";
        plan: *const *const c_char = "const char *const *@", "the restart plan, one line of text for each entry";
        plan_count: u64 = "uint64_t @", "number of lines";
        seal: *const c_uchar = "const unsigned char *@", "what the runtime needs to read the file again";
        seal_size: u64 = "uint64_t @", "bytes";
    }
    WriterInput = "CPPC_Writer_input" ("A file that is open for reading: filled by open.") {
        file: *mut c_void = "void *@", "any value; passed to read and close";
        seal: *const c_uchar = "const unsigned char *@", "the seal that was passed to write; valid until close";
        seal_size: u64 = "uint64_t @", "bytes";
    }
    Writer = "CPPC_Writer"
    ("What CPPC_Get_writer returns. Functions that return int return 0, or an error: a value of errno, or"
        "-1 if no value fits, and a sentence in `message`, which has room for CPPC_WRITER_MESSAGE_SIZE bytes."
        "Two threads never call them for one file at the same time.") {
        version: u32 = "uint32_t @", "CPPC_WRITER_VERSION";
        flags: u32 = "uint32_t @", "CPPC_WRITER_RECYCLES, CPPC_WRITER_BESIDE, or 0";
        name: *const c_char = "const char *@", "for messages";
        signature: *const c_uchar = "const unsigned char *@", "the first bytes of its files, and of no other writer's files";
        signature_size: u64 = "uint64_t @", "4 to 64 bytes";
        write: Option<WriteFile> = "int (*@)(const CPPC_Writer_state *state, const char *path, char *message)",
            "Writes the file and closes it. The runtime makes it durable and gives it its name.";
        open: Option<OpenFile> = "int (*@)(const char *path, CPPC_Writer_input *input, char *message)",
            "Opens a file for reading.";
        read: Option<ReadFile> = "int (*@)(void *file, uint64_t block, uint64_t offset, uint64_t size, void *into, char *message)",
            "Reads a part of the content of a block. The runtime verifies its checksum.";
        close: Option<CloseFile> = "void (*@)(void *file)", "Closes the file.";
    }
}

pub type WriteFile = unsafe extern "C" fn(*const WriterState, *const c_char, *mut c_char) -> c_int;
pub type OpenFile = unsafe extern "C" fn(*const c_char, *mut WriterInput, *mut c_char) -> c_int;
pub type ReadFile = unsafe extern "C" fn(*mut c_void, u64, u64, u64, *mut c_void, *mut c_char) -> c_int;
pub type CloseFile = unsafe extern "C" fn(*mut c_void);
/// The argument is the runtime's version of the interface. Returns null if the writer does not have that
/// version.
pub type Entry = unsafe extern "C" fn(u32) -> *const Writer;
