//! The description in a state file of the bytes in its memory blocks.
//!
//! Input: the register table and the plan at one checkpoint.
//! Output: one value that the writers encode and the readers decode.
//! Postcondition: every index (block of a register, target of a relocation, structure type) is in range. For
//! a manifest that was read, `Manifest::check` verifies this.

pub mod condition;
pub mod parts;
pub mod padding;
mod open_file;
mod check;

pub use check::{ManifestError, MAX_CELLS, MAX_PLAN_DEPTH, MAX_RANK};
pub use open_file::{Access, Before, Condition, Handle, OpenFile};

use crate::arithmetic::Arithmetic;
use cppc_abi::storage::{DYNAMIC, FOLLOWED, PARAMETER};
use std::ops::Range;

/// Everything except the content.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Manifest {
    pub provenance: Provenance,
    /// Structure types, in the order of their codes (the first is 1000).
    pub types: Vec<StructType>,
    pub blocks: Vec<MemoryBlock>,
    pub registers: Vec<Register>,
    pub relocations: Vec<Relocation>,
    /// The entries of the outermost frame. The last entry contains the checkpoint.
    pub plan: Vec<PlanEntry>,
    /// The shapes of registers of more than one dimension, in the order of the registers.
    pub shapes: Vec<Shape>,
}

impl Manifest {
    /// The pointers at these offsets of a memory block.
    pub fn relocations_in(&self, block: u32, offsets: Range<u64>) -> &[Relocation] {
        self.numbered_relocations_in(block, offsets).1
    }

    /// The same, and the index of the first one.
    pub fn numbered_relocations_in(&self, block: u32, offsets: Range<u64>) -> (usize, &[Relocation]) {
        let all = &self.relocations;
        let place = |relocation: &Relocation| (relocation.at.block, relocation.at.offset_bytes);
        let from = all.partition_point(|relocation| place(relocation) < (block, offsets.start));
        let to = all.partition_point(|relocation| place(relocation) < (block, offsets.end));
        (from, &all[from..to.max(from)])
    }

    /// The extents of the register with this index, the slowest first; none if it has at most one dimension,
    /// or its shape is unknown. For `CPPC_CHARACTER` (and for `char` in C) the last extent is the length of
    /// each text.
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
    /// The argument of `CPPC_Identify`; empty for a hand-written program.
    pub fingerprint: String,
    /// The number of the run. It is the same on all processes, and a resumed run keeps it.
    pub run: u64,
    /// The number of this start of the run, the same on all processes. Each start, fresh or resumed, is a new
    /// attempt. 0 in files of versions 1 and 2.
    pub attempt: u64,
    pub identity: RunIdentity,
    /// The number of the recovery line, from 1.
    pub number: u64,
    pub rank: u32,
    pub processes: u32,
    /// The number of calls of the checkpoint function so far. A resumed run continues this count, so that it
    /// dumps at the same calls.
    pub calls: u64,
    /// The checkpoints that have been reached so far (procedure, id), for `first-touch`.
    pub touched: Vec<(String, i32)>,
    /// How the thread that called the checkpoint function computed with reals. Unknown in files before version 4, and on
    /// processors that this library does not know.
    pub arithmetic: Option<Arithmetic>,
}

/// How this process was started. Unknown in files of versions 1 and 2.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RunIdentity {
    /// The arguments of the program, without its name and without the settings of the runtime.
    pub arguments: Option<Vec<String>>,
    /// The architecture of the processor, as the compiler names it; empty if unknown.
    pub architecture: String,
    /// A hash of the executable's loaded content; empty if unknown.
    pub build: String,
    /// The files of the setting `inputs`, the same on all processes.
    pub inputs: Vec<InputFile>,
}

/// A file that the program reads, and whose content belongs to the identity of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InputFile {
    /// As the setting names it.
    pub name: String,
    /// A hash of its content.
    pub hash: u128,
}

/// A structure described by its fields.
#[derive(Debug, Clone, PartialEq)]
pub struct StructType {
    pub name: String,
    pub size_bytes: u64,
    pub fields: Vec<Field>,
}

impl StructType {
    /// Its name for messages. That of a structure of C may contain the keyword.
    pub fn shown(&self) -> String {
        match self.name.split_once(' ') {
            Some(("struct" | "union", _)) => self.name.clone(),
            Some(_) | None => format!("struct {}", self.name),
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Field {
    pub name: String,
    pub offset_bytes: u64,
    /// The type code. If it is a structure, its code is smaller than that of the structure that contains the
    /// field.
    pub type_code: i32,
    pub count: u64,
}

/// A range of memory, stored once.
#[derive(Debug, Clone, PartialEq)]
pub struct MemoryBlock {
    pub size_bytes: u64,
    pub place: BlockPlace,
}

/// Where a memory block is when the run is resumed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BlockPlace {
    /// In memory from `malloc`.
    Heap,
    /// At its address in the program: a variable, or the target of a parameter.
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
    /// The location of its first element; none for a null pointer.
    pub target: Option<Location>,
}

impl Register {
    /// Whether it is bound to a frame.
    pub fn is_automatic(&self) -> bool {
        matches!(self.scope, Scope::Frame { .. })
    }

    /// Whether the program itself says where the memory of the register is.
    pub fn is_placed(&self) -> bool {
        match self.kind {
            _ if self.storage & FOLLOWED != 0 => true,
            Kind::Memory => self.storage & DYNAMIC == 0,
            Kind::Pointer => self.storage & PARAMETER != 0,
        }
    }
}

/// The shape of a register, for users and other programs. A restart does not depend on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    /// The index of the register.
    pub register: u32,
    /// The extents, from the slowest in memory to the fastest, as in C: `a(n, m)` of Fortran has `m`, `n`.
    /// Their product is the number of elements of the register.
    pub extents: Vec<u64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Scope {
    Program,
    /// The frame at this depth (the outermost is 0) of this procedure.
    Frame {
        depth: u32,
        procedure: String,
    },
}

/// Whether the register is memory itself or the target of a pointer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Memory,
    Pointer,
}

/// A location in a memory block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Location {
    pub block: u32,
    pub offset_bytes: u64,
}

/// A pointer in a memory block: its location and its target; none is a null pointer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Relocation {
    pub at: Location,
    pub target: Option<Location>,
}

/// One entry of the restart plan of a frame.
#[derive(Debug, Clone, PartialEq)]
pub enum PlanEntry {
    Init {
        block: i32,
    },
    /// The cells of the frame that are not registered. This is the first entry of an open frame.
    Cells {
        cells: Vec<Cell>,
    },
    /// The registers from one run of a register block that are still live, as indices.
    Register {
        block: i32,
        registers: Vec<u32>,
    },
    /// With the files that the block opens.
    Execute {
        block: i32,
        captures: Vec<Capture>,
        files: Vec<OpenFile>,
    },
    /// A call that has returned and left entries.
    Call {
        block: i32,
        callee: String,
        captures: Vec<Capture>,
        entries: Vec<PlanEntry>,
    },
    /// The open call. This is always the last entry of its frame.
    Open {
        block: i32,
        callee: String,
        captures: Vec<Capture>,
        entries: Vec<PlanEntry>,
    },
    /// The checkpoint at which the file was written. This is the last entry of the innermost frame.
    Checkpoint {
        block: i32,
    },
}

/// The content of a cell, in the writing machine's representation.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    /// The number that the translation gave to the cell.
    pub number: u32,
    pub type_code: i32,
    pub element_bytes: u32,
    pub count: u64,
    pub bytes: Vec<u8>,
}

/// A captured value, in the writing machine's representation.
#[derive(Debug, Clone, PartialEq)]
pub struct Capture {
    pub name: String,
    pub type_code: i32,
    pub element_bytes: u32,
    pub count: u64,
    pub bytes: Vec<u8>,
    /// The pointers in `bytes`, at `at.offset_bytes`; `at.block` has no meaning here.
    pub relocations: Vec<Relocation>,
}
