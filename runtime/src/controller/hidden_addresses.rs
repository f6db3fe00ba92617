//! Warnings about addresses where no pointer is declared, and about pointers to memory that was freed.
//!
//! Input: the snapshots of the run.
//! Output: a warning for each register that contains such an address, and one for such a pointer.
//! Postcondition: the memory was searched at the first snapshot, the second, the fourth, the eighth, and so on. So
//! the search costs nothing in a long run.

use super::Controller;
use crate::checkpoint::addresses::{hidden_addresses, HiddenAddress};
use crate::checkpoint::Snapshot;
use std::collections::HashSet;

#[derive(Debug, Default)]
pub struct AddressSearch {
    snapshots: u64,
    reported: HashSet<String>,
    has_named_stale: bool,
}

impl AddressSearch {
    /// Whether a pointer to memory that was freed has been reported.
    pub(super) fn has_named_stale(&self) -> bool {
        self.has_named_stale
    }
}

impl Controller {
    /// `here` is the address of a local variable of the innermost call.
    pub(super) fn report_hidden_addresses(&mut self, snapshot: &Snapshot, here: usize) {
        if let Some(path) = snapshot.graph.as_ref().and_then(|graph| graph.stale()) {
            self.address_search.has_named_stale = true;
            self.messages.failure(&format!(
                "warning: `{path}` points to memory that was freed: it is saved as it is, and the program must not use it. \
                 To end this warning, nullify it"
            ));
        }
        for name in &snapshot.null_arguments {
            self.complain(&format!(
                "warning: `{name}`, an argument of a call that leads to this checkpoint, points to memory that is not \
                 registered: in a restart it is a null pointer. If it is used after the checkpoint, register its memory, or \
                 set it in an execute block"
            ));
        }
        let search = &mut self.address_search;
        search.snapshots += 1;
        if !search.snapshots.is_power_of_two() {
            return;
        }
        let stack = here..self.stack_base;
        let found = hidden_addresses(snapshot, &self.registers.layouts, &stack, &search.reported);
        for HiddenAddress { register, offset_bytes, target } in found {
            let target = match target {
                Some(target) => format!("memory of `{target}`"),
                None => "a variable or a function".to_owned(),
            };
            self.messages.failure(&format!(
                "warning: byte {offset_bytes} of `{register}` seems to contain the address of {target}, and no pointer \
                 is declared there: a restart does not change it, so it may then be wrong. Declare the memory with its \
                 type, or store a number such as an index"
            ));
            self.address_search.reported.insert(register);
        }
    }
}
