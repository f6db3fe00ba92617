//! Procedures that are added to modules of Fortran. They report the memory of the module's variables at each checkpoint.

use std::collections::BTreeSet;

use super::{Item, UnitId};

/// A procedure that reports the addresses of allocatables and pointers of its module.
#[derive(Debug)]
pub struct Follower {
    pub unit: UnitId,
    pub name: FollowerName,
    /// The module has other procedures.
    pub has_contains: bool,
    /// The start of the module's `END`.
    pub end: u32,
    /// Keywords are written in upper case there.
    pub capitals: bool,
    /// Every name of the file, in lower case.
    pub names: BTreeSet<String>,
    /// As they are written in the module.
    pub items: Vec<Item>,
}

/// The follower of a module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FollowerName {
    /// The name of the module or submodule.
    pub module: String,
    /// A submodule cannot be used. So its follower is only visible inside of it.
    pub is_submodule: bool,
}
