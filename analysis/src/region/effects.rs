//! The information that this module needs from other analyses.

use crate::program::{Access, Affine, Call, ObjectId, Site};

/// Every method has a default result, which is safe if nothing is known.
pub trait Effects {
    /// Whether the operation at `site` may change the scalar memory `cell` other than by a `Write` that names
    /// it: a call, or a write through a pointer. The path of `cell` has only fields, constant indices and
    /// dereferences.
    fn may_change(&self, _site: Site, _cell: &Access) -> bool {
        true
    }

    /// The memory that a procedure without source reads and writes. `None` if it may read all memory.
    fn external(&self, _name: &str, _call: &Call) -> Option<External> {
        None
    }
}

/// The effects of a call of a procedure without source.
#[derive(Debug, Clone, Default)]
pub struct External {
    /// What it may read.
    pub reads: Vec<Extent>,
    /// The memory that it writes completely in every case.
    pub writes: Vec<Extent>,
    /// Objects of which it may read any part.
    pub objects: Vec<ObjectId>,
    /// It may read memory that is not in the lists.
    pub reads_more: bool,
}

/// The first bytes of the memory that an argument points or refers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Extent {
    /// The number of the argument, from 0.
    pub argument: usize,
    /// The number of bytes, with the values at the call. `None`: for a read, all memory that the argument
    /// reaches, and for a write, none.
    pub bytes: Option<Affine>,
}
