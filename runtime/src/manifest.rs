//! What a state file says besides the bytes of the memory blocks.
//!
//! In: the register table and the plan at one checkpoint. Out: one value that the writers encode
//! and the readers decode. Holds afterwards: every index (block of a register, target of a
//! relocation, structure type) is in range; `Manifest::check` says so for one that was read.

pub mod parts;
pub mod padding;
mod open_file;
mod check;

pub use open_file::{Access, Before, Condition, Handle, OpenFile};
pub use check::{ManifestError, MAX_CELLS, MAX_PLAN_DEPTH, MAX_RANK};

use std::ops::Range;

/// Everything but the bytes.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Manifest {
    pub provenance: Provenance,
    /// Structure types, in the order of their codes (the first is 1000).
    pub types: Vec<StructType>,
    pub blocks: Vec<MemoryBlock>,
    pub registers: Vec<Register>,
    pub relocations: Vec<Relocation>,
    /// The entries of the outermost frame; the last entry leads to the checkpoint.
    pub plan: Vec<PlanEntry>,
    /// Of registers of more than one dimension, in the order of the registers.
    pub shapes: Vec<Shape>,
}

impl Manifest {
    /// The pointers that stand at these offsets of a block.
    pub fn relocations_in(&self, block: u32, offsets: Range<u64>) -> &[Relocation] {
        let all = &self.relocations;
        let place = |relocation: &Relocation| (relocation.at.block, relocation.at.offset_bytes);
        let from = all.partition_point(|relocation| place(relocation) < (block, offsets.start));
        let to = all.partition_point(|relocation| place(relocation) < (block, offsets.end));
        &all[from..to.max(from)]
    }

    /// The extents of the register with this index, the slowest first; none when it has one dimension at most, or
    /// nobody said. Of `CPPC_CHARACTER` (and of `char` in C) the last is the length of each text.
    pub fn shape(&self, register: usize) -> Option<&[u64]> {
        let found = self.shapes.binary_search_by_key(&register, |shape| shape.register as usize).ok()?;
        Some(&self.shapes[found].extents)
    }
}

/// Who wrote the file, and when in the run.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Provenance {
    /// The application's name (setting `app`).
    pub application: String,
    /// What `CPPC_Identify` said; empty for a hand-written program.
    pub fingerprint: String,
    /// The run, the same on all processes; kept by a run that resumed.
    pub run: u64,
    /// This start of the run, the same on all processes. Each start, fresh or resumed, is a new attempt. 0 in files of
    /// versions 1 and 2.
    pub attempt: u64,
    pub origin: Origin,
    /// The recovery line's number, from 1.
    pub number: u64,
    pub rank: u32,
    pub processes: u32,
    /// Calls of the checkpoint function so far, so that a resumed run dumps in the same rhythm.
    pub calls: u64,
    /// Checkpoints that have been reached so far (procedure, id), for `first-touch`.
    pub touched: Vec<(String, i32)>,
}

/// What this process was started from. Nothing of it is known of files of versions 1 and 2.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Origin {
    /// The arguments of the program, without its name and without the settings of the runtime.
    pub arguments: Option<Vec<String>>,
    /// Of the processor, as the compiler names it; empty when nobody knows.
    pub architecture: String,
    /// A hash of the executable's loaded content; empty when nobody knows.
    pub build: String,
}

/// A structure described by its fields.
#[derive(Debug, Clone, PartialEq)]
pub struct StructType {
    pub name: String,
    pub size_bytes: u64,
    pub fields: Vec<Field>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    pub name: String,
    pub offset_bytes: u64,
    /// A type code; a structure's code is smaller than that of the structure that holds it.
    pub type_code: i32,
    pub count: u64,
}

/// A range of memory, stored once.
#[derive(Debug, Clone, PartialEq)]
pub struct MemoryBlock {
    pub size_bytes: u64,
    pub place: Place,
}

/// Where a memory block lives when the run is resumed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// In memory that `malloc` gives.
    Heap,
    /// Where the program has it: a variable, or what a parameter points to.
    Program,
}

#[derive(Debug, Clone, PartialEq)]
pub struct Register {
    pub name: String,
    pub section: i32,
    pub scope: Scope,
    pub type_code: i32,
    pub element_bytes: u32,
    pub count: u64,
    pub storage: i32,
    pub kind: Kind,
    /// Where its first element is; none for a null pointer.
    pub target: Option<Location>,
}

impl Register {
    /// Whether it is bound to a frame.
    pub fn is_automatic(&self) -> bool {
        matches!(self.scope, Scope::Frame { .. })
    }
}

/// How the elements of a register are arranged, for people and other programs to see: a restart does not
/// depend on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    /// The index of the register.
    pub register: u32,
    /// From the slowest in memory to the fastest, as in C: `a(n, m)` of Fortran has `m`, `n`. Their product is the
    /// count of the register.
    pub extents: Vec<u64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Scope {
    Program,
    /// The frame at this depth (the outermost is 0) of this procedure.
    Frame { depth: u32, procedure: String },
}

/// Whether the register is memory itself or what a pointer points to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Memory,
    Pointer,
}

/// A place in a memory block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Location {
    pub block: u32,
    pub offset_bytes: u64,
}

/// A pointer inside a memory block: where it stands and where it points; none is a null pointer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Relocation {
    pub at: Location,
    pub target: Option<Location>,
}

/// One entry of the restart plan of a frame.
#[derive(Debug, Clone, PartialEq)]
pub enum PlanEntry {
    Init { block: i32 },
    /// What the frame keeps in cells that are not registered; the first entry of an open frame.
    Cells { cells: Vec<Cell> },
    /// The names that are still live from one run of a register block, as indices of registers.
    Register { block: i32, registers: Vec<u32> },
    /// With the files that the block opens.
    Execute { block: i32, captures: Vec<Capture>, files: Vec<OpenFile> },
    /// A call that returned and left something behind.
    Call { block: i32, callee: String, captures: Vec<Capture>, entries: Vec<PlanEntry> },
    /// The call in progress; always the last entry of its frame.
    Open { block: i32, callee: String, captures: Vec<Capture>, entries: Vec<PlanEntry> },
    /// The checkpoint at which the file was written; the last entry of the innermost frame.
    Checkpoint { block: i32 },
}

/// The content of a cell, in the writing machine's representation.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    /// As the translation numbers them.
    pub slot: u32,
    pub type_code: i32,
    pub element_bytes: u32,
    pub count: u64,
    pub bytes: Vec<u8>,
}

/// A captured value: its content, in the writing machine's representation.
#[derive(Debug, Clone, PartialEq)]
pub struct Capture {
    pub name: String,
    pub type_code: i32,
    pub element_bytes: u32,
    pub count: u64,
    pub bytes: Vec<u8>,
    /// Pointers inside `bytes`, as `at.offset_bytes`; `at.block` means nothing here.
    pub relocations: Vec<Relocation>,
}
