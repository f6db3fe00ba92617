//! Which bytes of a structure of C are registered, and how.

use std::collections::BTreeMap;

/// Bytes of a structure of C, each range with its end.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct FieldBytes {
    /// Handles, and pointers that are registered where their memory is allocated.
    pub except: Vec<(u64, u64)>,
    /// Pointers to graphs.
    pub roots: Vec<(u64, u64)>,
    /// What a restart needs. Other pointers are not registered: they may point to memory that does not exist any more.
    pub needed: Vec<(u64, u64)>,
    /// For each pointer to a graph, the types of the pointers to `void` that it reaches, each after a comma.
    pub statements: BTreeMap<u64, String>,
}
