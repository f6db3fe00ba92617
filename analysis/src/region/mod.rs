//! Array regions: which reads of memory are not covered by earlier writes.
//!
//! Input: a program, and the effects that other analyses know (`Effects`).
//! Output: the exposed reads of a procedure, or of the code after a checkpoint: those that may read a byte
//! which no earlier write of the same code has defined on the path to the read.
//! Postcondition: an operation that may read memory has an exposed read, unless a proof shows that each byte
//! was overwritten before. What is not understood is exposed.
//!
//! How to use it: a location is live after a checkpoint only if an operation that reads the location is in
//! `Exposure::reads` of the frame. `Exposure::may_read` is that test. So liveness intersects its own result
//! with this one; both are safe.

use crate::program::{Access, BlockId, Call, ObjectId, ProcedureId, Program};

/// An operation of a procedure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Site {
    pub procedure: ProcedureId,
    pub block: BlockId,
    /// The index into `Block::operations`.
    pub operation: u32,
}

/// What this module asks other analyses. Every method may answer without knowing: the default answers are safe.
pub trait Effects {
    /// Whether the operation at `site` may change the scalar memory `cell` other than by a `Write` that names
    /// it: a call, or a write through a pointer. The path of `cell` has only fields and dereferences.
    fn may_change(&self, _site: Site, _cell: &Access) -> bool {
        true
    }

    /// What a procedure without source reads and writes. None: it may read everything.
    fn external(&self, _name: &str, _call: &Call) -> Option<External> {
        None
    }
}

/// What a call of a procedure without source does.
#[derive(Debug, Clone, Default)]
pub struct External {
    /// What it may read.
    pub reads: Vec<Extent>,
    /// What it writes completely, whatever happens.
    pub writes: Vec<Extent>,
    /// It may read memory that is not in the list.
    pub reads_more: bool,
}

/// The first bytes of the memory that an argument points or refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extent {
    /// The number of the argument, from 0.
    pub argument: usize,
    /// With the values at the call. None: all that the argument reaches; for a write, nothing.
    pub bytes: Option<crate::program::Affine>,
}

/// The reads of one frame.
#[derive(Debug, Clone, Default)]
pub struct Exposure {
    /// Nothing was proved: every read is exposed, and the list is empty.
    pub everything: bool,
    /// In order of the sites.
    pub reads: Vec<Exposed>,
}

/// A read that may see a value from before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exposed {
    /// The operation of this frame: the read, or a call during which it happens.
    pub site: Site,
    /// The read itself: the same as `site`, or in a procedure that the call runs.
    pub origin: Site,
    pub memory: Memory,
}

/// What a section is a part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Memory {
    Object(ObjectId),
    /// Reached through a pointer, reference or descriptor: whatever the operation at `site` may reach.
    Target,
}

impl Exposure {
    /// Whether the operation may read a byte of the object that no earlier write has defined.
    pub fn may_read(&self, site: Site, object: ObjectId) -> bool {
        if self.everything {
            return true;
        }
        let from = self.reads.partition_point(|read| read.site < site);
        self.reads[from..].iter().take_while(|read| read.site == site).any(|read| match read.memory {
            Memory::Object(known) => known == object,
            Memory::Target => true,
        })
    }
}

/// The array regions of a program.
pub struct Regions<'p> {
    pub program: &'p Program,
    pub effects: &'p dyn Effects,
}

impl<'p> Regions<'p> {
    pub fn new(program: &'p Program, effects: &'p dyn Effects) -> Regions<'p> {
        Regions { program, effects }
    }

    /// The exposed reads of a call of the procedure, from its entry (or any of its entries) to its end.
    pub fn of_procedure(&self, _procedure: ProcedureId) -> Exposure {
        Exposure { everything: true, reads: Vec::new() }
    }

    /// The exposed reads after a checkpoint, frame by frame. `chain` is the checkpoint, then the call in the
    /// caller that led to it, and so on up to the main procedure.
    pub fn after(&self, chain: &[Site]) -> Vec<Exposure> {
        chain.iter().map(|_| Exposure { everything: true, reads: Vec::new() }).collect()
    }
}
