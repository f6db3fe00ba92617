//! What this module asks other analyses.

use crate::program::{Access, Affine, Call, Site};

/// Every method may answer without knowing: the default answers are safe.
pub trait Effects {
    /// Whether the operation at `site` may change the scalar memory `cell` other than by a `Write` that names
    /// it: a call, or a write through a pointer. The path of `cell` has only fields, constant indices and
    /// dereferences.
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
    pub bytes: Option<Affine>,
}
