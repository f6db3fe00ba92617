//! What the check reports about memory that a restart restores, but not as it was.
//!
//! Input: the analyses of a program.
//! Output: findings about registers with too few elements, and about hash values of addresses.

use crate::address_hashes::{hashed_memory, HashedMemory};
use crate::check::{Analysis, Finding, FindingKind};
use crate::grown_registers::{grown_registers, GrownRegister};
use crate::paths::Paths;
use crate::witness::Witness;

impl Analysis<'_> {
    pub(crate) fn grown_registers(&self) -> Vec<Finding> {
        let grown = grown_registers(&Paths::new(&self.summaries), &self.liveness, &self.restored);
        let finding = |grown: GrownRegister| Finding {
            kind: FindingKind::GrownRegister,
            at: grown.checkpoint,
            memory: Some(grown.range),
            text: grown.text,
            variable: Some(grown.variable),
            read: None,
            written: Some(Witness { calls: Vec::new(), site: grown.grown }),
            register: Some(grown.register),
        };
        grown.into_iter().map(finding).collect()
    }

    pub(crate) fn hashed_memory(&self) -> Vec<Finding> {
        let hashed = hashed_memory(&self.summaries, &self.liveness, &self.restored);
        let finding = |memory: HashedMemory| {
            let found = self.finding(FindingKind::NotRestored, memory.checkpoint, memory.range);
            Finding {
                kind: FindingKind::AddressHash { is_index: memory.is_index },
                at: memory.hashed,
                read: None,
                written: Some(Witness { calls: Vec::new(), site: memory.used }),
                ..found
            }
        };
        hashed.into_iter().map(finding).collect()
    }
}
